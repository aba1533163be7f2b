/**
 * How early quorum trees find mistakes: the table of `bench/README.md`, made of the answers of the corpus. `UPDATE_DOCS=1` writes it. The answers themselves are
 * compared with what engines find by `AMOUNT=thorough npx vitest run test/corpus/machines.test.ts`: none of them is left to a soak.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Answer, readAnswers, type StatesAnswer } from '../corpus/answers.ts'
import { counted, type Mistaken, mistaken } from './tree-bugs.ts'

const corpus = new Map(readAnswers().map(({ name, answers }) => [name, answers]))

type Question = Pick<Mistaken, 'of' | 'program' | 'params'> & { readonly symmetry?: true }

/** What `stateful` answers. */
function answerTo({ of, program, params = {}, symmetry }: Question): StatesAnswer | undefined {
  const isAsked = (answer: Answer) => answer.program === program && sameParams(answer.setting.params ?? {}, params)
  const found = (corpus.get(`${of}-tree`) ?? []).filter(isAsked).map(({ engines }) => engines.stateful as StatesAnswer)
  return found.find((one) => one !== undefined && one.options?.symmetry === symmetry)
}

function sameParams(one: object, other: object): boolean {
  const sorted = (params: object) => JSON.stringify(Object.entries(params).sort())
  return sorted(one) === sorted(other)
}

const agreementOf = (row: Mistaken, params = row.params) => answerTo({ ...row, params: { ...params, agreement: true } })

test.each(counted)('$of $program $params: $states states, as were counted without this tool', (row) => {
  expect(answerTo(row)).toMatchObject({ verdict: 'verified', counts: { states: row.states } })
})

test('each answer here is one that a release asks for', () => {
  const rows: readonly Question[] = [...counted, ...mistaken]
  expect(rows.filter((row) => answerTo(row)?.slow === true)).toEqual([])
  expect(mistaken.filter((row) => agreementOf(row)?.slow === true)).toEqual([])
})

/** A round is committed and a higher one does not extend it: the order of the two calls decides which is refused. */
const sameCalls = ['trunk', 'commit of ghost']

test.each(mistaken)('$bounds, $mistake: fails as it did without this tool', (row) => {
  const { violation } = answerTo(row) ?? {}
  expect(violation?.depth).toBe(row.depth)
  const rule = violation?.rule ?? violation?.property
  if (!sameCalls.includes(row.rule)) expect(rule).toBe(row.rule)
  else expect(sameCalls).toContain(rule)
  const apart = agreementOf(row)
  if (row.agreement === 'none') expect(apart?.verdict).toBe('verified')
  else if (row.agreement !== undefined) expect(apart?.violation?.depth).toBe(row.agreement)
})

test('a tree finds each mistake no later than a disagreement shows it', () => {
  const known = mistaken.map((row) => ({ row, apart: agreementOf(row)?.violation?.depth }))
  expect(known.filter(({ apart }) => apart !== undefined).length).toBeGreaterThan(20)
  for (const { row, apart } of known) if (apart !== undefined) expect(row.depth, row.mistake).toBeLessThanOrEqual(apart)
})

test('bench/README.md has the table', () => {
  const rows = mistaken.map((row) => {
    const { violation } = answerTo(row) ?? {}
    const cells = [row.bounds, row.mistake, violation?.rule ?? `invariant: ${violation?.property}`, violation?.depth]
    return `| ${[...cells, disagreement(row)].join(' | ')} |`
  })
  const head = '| protocol | mistake | rule of the tree | depth | disagreement |\n| --- | --- | --- | ---: | ---: |'
  const file = fileURLToPath(new URL('../../bench/README.md', import.meta.url))
  const text = readFileSync(file, 'utf8')
  const made = `<!-- mistakes -->\n\n${head}\n${rows.join('\n')}\n\n<!-- end of mistakes -->`
  const written = text.replace(/<!-- mistakes -->[\s\S]*<!-- end of mistakes -->/, () => made)
  expect(written).toContain(made)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, written)
  else expect(text).toBe(written)
})

function disagreement(row: Mistaken): string {
  const apart = agreementOf(row)
  if (apart === undefined) return row.further === undefined ? 'no part of it' : later(row)
  if (apart.verdict === 'violated') return `${apart.violation?.depth}`
  return row.further === undefined ? 'none' : `none; ${later(row)}`
}

function later(row: Mistaken): string {
  const { words = '', params } = row.further ?? {}
  return `${agreementOf(row, params)?.violation?.depth} with ${words}`
}
