import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { parse } from '../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../src/frontends/p/problem.ts'
import { amount, isSlow } from '../amount.ts'
import { programs } from './p-programs.ts'

/** Words, numbers, blanks, and single characters. */
const pieces = /\w+|\s+|[^\w\s]/g

const ways: Readonly<Record<string, (source: string, random: Random) => string>> = {
  deletion: (source, random) => edited(source, random, () => []),
  duplication: (source, random) => edited(source, random, (piece) => [piece, piece]),
  swapping: (source, random) => {
    const all = source.match(pieces) ?? []
    const [first, second] = [random.below(all.length), random.below(all.length)]
    return all.map((piece, at) => all[at === first ? second : at === second ? first : at] ?? piece).join('')
  },
  foreign: (source, random) => {
    const others = random.pick(programs).match(pieces) ?? []
    return edited(source, random, (piece) => [piece, random.pick(others)])
  },
  truncation: (source, random) => source.slice(0, random.below(source.length)),
  'missing head': (source, random) => source.slice(random.below(source.length)),
  junk: (source, random) => {
    const at = random.below(source.length)
    const bytes = Array.from({ length: 1 + random.below(30) }, () => String.fromCharCode(random.below(0x300)))
    return source.slice(0, at) + bytes.join('') + source.slice(at + random.below(3))
  },
  'nothing but junk': (source, random) =>
    Array.from(source, () => String.fromCharCode(random.below(random.pick([0x80, 0x10000])))).join(''),
}

/** One to four pieces are replaced. */
function edited(source: string, random: Random, replace: (piece: string) => readonly string[]): string {
  const all = source.match(pieces) ?? []
  const chosen = new Set(Array.from({ length: 1 + random.below(4) }, () => random.below(all.length)))
  return all.flatMap((piece, at) => (chosen.has(at) ? replace(piece) : [piece])).join('')
}

/** What the parser made of a text, after a look at whether it can be used. */
function outcome(text: string, legacy: boolean): { readonly problems: number; readonly milliseconds: number } {
  const source = { file: 'hostile.p', text }
  const begin = performance.now()
  const { declarations, problems } = parse(source, 0, { legacy })
  const milliseconds = performance.now() - begin
  const lines = text.split(/\r\n|\r|\n/).length
  for (const problem of problems) {
    const { code, message, hint, place } = toDiagnostic(problem, [source])
    if (!/^E70[1-9]$/.test(code) || message === '' || hint === '') throw new Error(`${code} says too little`)
    if (place === undefined || place.line > lines || place.column < 1)
      throw new Error(`${message}: no place in the text`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
    if (/[\x00-\x1f\x7f-\x9f]/.test(message + hint)) throw new Error('a message with control characters')
  }
  if (problems.length > 20) throw new Error('too many mistakes')
  for (const { at } of declarations) {
    if (at.start < 0 || at.end > text.length || at.start >= at.end) throw new Error('a declaration outside of the text')
  }
  return { problems: problems.length, milliseconds }
}

test.each(programs.map((text) => [text.trim().split('\n')[0], text] as const))(
  'the program from %s on has no mistake',
  (_, text) => {
    expect(outcome(text, false).problems).toBe(0)
  },
)

describe('a program that was broken is read or refused, and nothing else', () => {
  const times: number[] = []
  test.each(Object.keys(ways))('by %s', (way) => {
    const seeds = amount({ quick: 65, all: 5_000 })
    let refused = 0
    for (let seed = 0; seed < seeds; seed++) {
      const random = new Random(seed * 31 + way.length)
      const source = random.pick(programs)
      const { problems, milliseconds } = outcome(ways[way]?.(source, random) ?? '', random.below(4) === 0)
      if (problems > 0) refused++
      times.push(milliseconds)
    }
    // A broken program can be a program by chance, most are not.
    expect(refused).toBeGreaterThan(seeds / 4)
    if (isSlow) console.info(`${way}: slowest ${Math.max(...times).toFixed(1)} ms of ${times.length}`)
  })
})

describe('a large text of the same over and over is refused', () => {
  test.each([
    '{',
    '}',
    '(',
    'machine M {',
    'x = (; ',
    '"',
    '"\\"',
    '/*',
    '\\',
    'if ',
    'event e assert ',
    '\u2028',
    '\0',
  ])('%j', (piece) => {
    for (const wrapped of [piece.repeat(20_000), `fun f() { ${piece.repeat(20_000)}`]) {
      expect(outcome(wrapped, false).problems).toBeGreaterThan(0)
    }
  })
})
