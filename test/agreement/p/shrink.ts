/** Smaller programs that still fail: leaves out lines and whole blocks, and takes the walls of blocks away, as long as the failure stays. */

/** `fails` is asked for texts that need not be programs at all. */
export function shrunk(text: string, fails: (smaller: string) => boolean): string {
  let best = text
  for (let smaller: string | undefined = best; smaller !== undefined; ) {
    smaller = candidates(best).find(fails)
    best = smaller ?? best
  }
  return best
}

/** Large parts first. */
function candidates(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parts = lines.map((_, at) => ({ at, end: blockEnd(lines, at) })).sort((a, b) => b.end - b.at - (a.end - a.at))
  return parts.flatMap(({ at, end }) => {
    const without = lines.toSpliced(at, end - at + 1)
    const unwrapped = lines.toSpliced(end, 1).toSpliced(at, 1)
    return [without, ...(end > at ? [unwrapped] : []), ...shorter(lines, at)].map((each) => `${each.join('\n')}\n`)
  })
}

/** The line that closes what a line opens: itself, if it opens nothing. */
function blockEnd(lines: readonly string[], at: number): number {
  const depth = (line: string): number => line.length - line.trimStart().length
  const line = lines[at] as string
  if (!line.endsWith('{')) return at
  const end = lines.findIndex((other, index) => index > at && depth(other) === depth(line) && other.trim() === '}')
  return end === -1 ? at : end
}

/** The same line with something simpler in it. */
function shorter(lines: readonly string[], at: number): string[][] {
  const line = lines[at] as string
  const simpler = [
    line.replace(/^(\s*if) \(.*\) \{$/, '$1 (true) {'),
    line.replace(/^(\s*if) \(.*\) \{$/, '$1 (false) {'),
    line.replace(/^(\s*\S+ =) .*;$/, '$1 0;'),
    line.replace(/^(\s*assert) .*;$/, '$1 false;'),
    line.replace(/^(.*), \w+ \};$/, '$1 };'),
  ]
  return simpler.filter((other) => other !== line).map((other) => lines.with(at, other))
}
