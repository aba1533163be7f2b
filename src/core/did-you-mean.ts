/** Suggestions for names that do not exist: the nearest one that does. */

/** `did you mean "dpor"?` if a known name is near enough to be a slip, otherwise the list of all. */
export function suggestion(name: string, known: readonly string[], listed: string): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `did you mean "${nearest}"?`
  return known.length === 0 ? `there are no ${listed}` : `${listed}: ${known.join(', ')}`
}

/** The known name at the least edit distance, unless even that one needs changes in more than a third of the letters. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const mostChanges = (candidate: string): number => Math.max(1, Math.max(name.length, candidate.length) / 3)
  const ranked = known
    // A word that is that much longer or shorter is not near, and it may have millions of letters.
    .filter((candidate) => Math.abs(name.length - candidate.length) <= mostChanges(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= mostChanges(candidate))
    .sort((left, right) => left.distance - right.distance)
  return ranked[0]?.candidate
}

/** As the nearest, but of short words only those with the same letters: "m1" and "m2" are near to each other without being slips. */
export function nearestSlip(name: string, known: readonly string[]): string | undefined {
  const isShort = name.length < 4
  return nearestName(name, isShort ? known.filter((one) => isMadeOf(name, one)) : known)
}

function isMadeOf(name: string, other: string): boolean {
  const [left, right] = [name, other].map((one) => [...one.toLowerCase()].sort().join(''))
  return name.length === other.length && left === right
}

/** The field that a misspelt one is meant for: those that differ in numbers alone, as data does, are not meant for each other. */
export function nameMeant(name: string, fields: readonly string[]): string | undefined {
  const near = nearestName(name, fields)
  return near !== undefined && withoutDigits(near) !== withoutDigits(name) ? near : undefined
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\d+/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = at(last, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1)
      const swaps = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const swapped = swaps ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY
      current[column] = Math.min(replaced, at(last, column) + 1, at(current, column - 1) + 1, swapped)
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
