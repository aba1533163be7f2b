/** P programs of the corpus with mistakes that nobody meant: each is read to a diagnostic with a place, or to a program, and never for long. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import type { SourceText } from '../../../../src/frontends/p/ast.ts'
import { checkProject } from '../../../../src/frontends/p/check.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../../../src/frontends/p/problem.ts'
import { amount, cut } from '../../../amount.ts'
import { corpusFolder, readAnswers } from '../../../corpus/answers.ts'

const sources = readAnswers('model.p').map(({ name }) => readFileSync(join(corpusFolder, name, 'model.p'), 'utf8'))
/** On a machine that does other work as well it says nothing; a second try says more. */
const isTimed = amount({ quick: 0, rest: 0, thorough: 1, all: 1 }) === 1
const mutants = amount({ quick: 200, rest: 1_000, thorough: 3_000, all: 10_000 })
/** Milliseconds of CPU; a second time if it was too slow once, because collections and code that is not compiled yet count too. */
const mostTime = 50

const types = ['int', 'bool', 'machine', 'event', 'float', 'string', 'any', 'seq[int]', 'set[bool]', 'map[int, bool]']
const junk = ['\0', '\uFFFD', '\u202E', '\ud800', '"', '/*', '😀', '{'.repeat(50), '('.repeat(50), '\u007f', '0x', '@']

test('a diagnostic each, or a program, in little time', cut, () => {
  const random = new Random(1401)
  let refused = 0
  const slow: string[] = []
  for (let at = 0; at < mutants; at++) {
    const text = mutated(sources[random.below(sources.length)] as string, random)
    const first = taken(text)
    refused += first.problems > 0 ? 1 : 0
    if (first.milliseconds > mostTime && taken(text).milliseconds > mostTime) slow.push(text)
  }
  if (isTimed) expect(slow).toEqual([])
  expect(refused).toBeGreaterThan(mutants / 2)
})

/** Reads it to the end, and says how long that took. */
function taken(text: string): { readonly milliseconds: number; readonly problems: number } {
  const before = process.cpuUsage()
  const source: SourceText = { file: 'model.p', text }
  const parsed = parse(source, 0, { legacy: false })
  const read = parsed.problems.length > 0 ? undefined : checkProject([parsed], [source])
  const problems = [...parsed.problems, ...(read?.problems ?? [])]
  for (const problem of problems) {
    const { code, message, place } = toDiagnostic(problem, [source])
    if (!/^E\d+$/.test(code) || message === '' || place === undefined) throw new Error(`${code} ${message}`)
  }
  if (read?.checked !== undefined) for (const one of read.checked.tests) lower(read.checked, one)
  else if (problems.length === 0) throw new Error('refused without a reason')
  const { user, system } = process.cpuUsage(before)
  return { milliseconds: (user + system) / 1000, problems: problems.length }
}

/** One to three changes. */
function mutated(text: string, random: Random): string {
  let made = text
  for (let change = random.below(3); change >= 0; change--) made = changed(made, random)
  return made
}

function changed(text: string, random: Random): string {
  const tokens = [...text.matchAll(/\w+|\s+|\/\/.*|[^\w\s]/g)].map(([token]) => token)
  if (tokens.length === 0) return text
  const at = random.below(tokens.length)
  const one = (all: readonly string[]): string => all[random.below(all.length)] as string
  switch (random.below(6)) {
    case 0:
      return tokens.toSpliced(at, 1 + random.below(3)).join('')
    case 1:
      return tokens.toSpliced(at, 0, ...tokens.slice(at, at + 1 + random.below(20))).join('')
    case 2: {
      const places = tokens.flatMap((token, place) =>
        /^(int|bool|machine|seq|set|map|event)$/.test(token) ? [place] : [],
      )
      return places.length === 0
        ? text
        : tokens.with(places[random.below(places.length)] as number, one(types)).join('')
    }
    case 3:
      return text.slice(0, random.below(text.length))
    case 4:
      return tokens.toSpliced(at, 0, one(junk)).join('')
    default:
      return tokens.with(at, one(tokens)).join('')
  }
}
