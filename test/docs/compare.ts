/**
 * Printed output against the output a page shows. They must be equal, except for what a page cannot know:
 *
 * - a line that is only `…` stands for any number of lines,
 * - durations, rates and digests are equal to all others (`volatile`).
 *
 * Spaces in front of a duration, and of the verdict beside it, are the right margin's business and count as one.
 */

/** The first difference, in words; nothing if there is none. */
export function difference(expected: readonly string[], actual: readonly string[]): string | undefined {
  const [shown, printed] = [expected.map(stable), actual.map(stable)]
  if (fits(shown, printed)) return undefined
  const at = shown.findIndex((line, index) => line !== printed[index])
  if (shown.includes(elision))
    return `with "${elision}" standing for any lines, the output does not fit:\n${actual.join('\n')}`
  const row = at === -1 ? shown.length : at
  return `line ${row + 1} of the output\n  shown:   ${shown[row] ?? '(nothing)'}\n  printed: ${printed[row] ?? '(nothing)'}`
}

export const elision = '…'

const volatile: readonly (readonly [RegExp, string])[] = [
  [/\s+violated(?=\s+[\d.min ]+ s$)/, ' violated'],
  [/\s+(?:\d+ min \d+|\d+(?:\.\d+)?) s$/, ' <time> s'],
  [/\b\d+(?:\.\d+)?[kM]?\/s\b/, '<rate>/s'],
  [/("seconds": )[\d.]+/, '$1<seconds>'],
  [/(\.allways\/checkpoints\/[\w-]+\.)[0-9a-f]{8}(?=\.json)/, '$1<digest>'],
  [/\bsha256-[0-9a-f]{64}\b/, 'sha256-<digest>'],
  [/\bduration_ms [\d.]+/, 'duration_ms <time>'],
  // Of a test that takes long, vitest prints one space more.
  [/\s*\b\d+(?:\.\d+)?ms\b/, '<time>ms'],
]

function stable(line: string): string {
  return volatile.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line.trimEnd())
}

function fits(shown: readonly string[], printed: readonly string[]): boolean {
  const [first, ...rest] = shown
  if (first === undefined) return printed.length === 0
  if (first !== elision) return first === printed[0] && fits(rest, printed.slice(1))
  return printed.some((_, at) => fits(rest, printed.slice(at))) || rest.length === 0
}
