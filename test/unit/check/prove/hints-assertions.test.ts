/** Assertions that rounds of a loop leave open: what is told of them, and that the hint leads on. */
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { proveProgram } from '../../../../src/check/prove/prove.ts'
import { type AssertionAnswer, evidenceOf } from '../../../../src/core/evidence.ts'
import { cut, long, oneIn } from '../../../amount.ts'
import { judged, usual } from '../../../hostile/judge.ts'
import { imports, loaded } from '../../../hostile/loaded.ts'
import { all, sized } from './followed.ts'

async function answers(text: string): Promise<readonly AssertionAnswer[]> {
  const result = await proveProgram(loaded(imports + text), { milliseconds: 60_000, now: () => performance.now() })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return evidenceOf(result.value.checked.verdict.evidence, 'proof').flatMap(({ assertions }) => assertions)
}

const asking = `function* worker(main) {
  yield* send(main, { kind: 'ask', from: yield* self() })
  const { value } = yield* receive('reply')
  yield* assert(value > 0, 'from 1 on')
}
`

const open: readonly { name: string; about: string; refused: string; rewritten: string }[] = [
  {
    name: 'a counter of rounds',
    about: 'count, whose value is not followed from round to round',
    refused: sized(`${all}let count = 0
for (const one of all) { yield* receive('done', { from: one }); count++; yield* assert(count <= n, 'not more') }`),
    rewritten: sized(
      `${all}for (let i = 0; i < n; i++) { yield* receive('done'); yield* assert(i + 1 <= n, 'not more') }`,
    ),
  },
  {
    name: 'two counters',
    about: 'count and total, whose values are not followed from round to round',
    refused: sized(`${all}let count = 0
let total = 0
for (const one of all) {
  const { value } = yield* receive('done', { from: one })
  count = count + 1
  total = total + value
  yield* assert(total === count, 'each is one')
}`),
    rewritten: sized(`${all}for (let i = 0; i < n; i++) {
  const { value } = yield* receive('done')
  yield* assert(value + i === i + 1, 'each is one')
}`),
  },
  {
    name: 'what is left after the loop',
    about: 'count, whose value is not followed from round to round',
    refused: sized(`${all}let count = 0
for (const one of all) { yield* receive('done', { from: one }); count++ }
yield* assert(count === n, 'all')`),
    rewritten: sized(`${all}for (let i = 0; i < n; i++) { yield* receive('done'); yield* assert(i < n, 'all') }`),
  },
  {
    name: 'a counter in a branch',
    about: 'count, whose value is not followed from round to round',
    refused: sized(`${all}let count = 0
for (const one of all) {
  yield* receive('done', { from: one })
  if ((yield* choose([1, 2])) === 1) count++
  yield* assert(count >= 0, 'none below')
}`),
    rewritten: sized(
      `${all}for (let i = 0; i < n; i++) { yield* receive('done'); yield* assert(i >= 0, 'none below') }`,
    ),
  },
  {
    name: 'a counter that others are told of',
    about: 'main.next, whose value is not followed from round to round',
    refused: sized(
      `${all}let next = 0
for (const one of all) { const { from } = yield* receive('ask'); next++; yield* send(from, { kind: 'reply', value: next }) }`,
      asking,
    ),
    rewritten: sized(
      `${all}for (let i = 0; i < n; i++) { const { from } = yield* receive('ask'); yield* send(from, { kind: 'reply', value: i + 1 }) }`,
      asking,
    ),
  },
]

test.each(oneIn(5, open))(
  'of $name no values are told, and the hint leads on',
  { ...cut },
  async ({ refused, about, rewritten }) => {
    const [answer] = await answers(refused)
    expect(answer).toMatchObject({ answer: 'unknown' })
    expect(answer?.why).toBe(
      `not implied by what is known here: it depends on ${about}; whether an execution violates it is not known`,
    )
    expect(answer?.hint).toContain('count with the index of the loop, as in for (let i = 0; i < k; i++)')
    expect(await judged(loaded(imports + rewritten), usual)).toMatchObject({ said: 'proved', problem: undefined })
  },
)

test('values that an execution has are told under the names of the source', { ...long }, async () => {
  const text = sized(
    `${all}for (const one of all) {
  const { value } = yield* receive('done', { from: one })
  yield* assert(value === 1 || n < 3, 'one')
}`,
    `function* worker(main) { yield* send(main, { kind: 'done', value: yield* choose([1, 2]) }) }\n`,
  )
  const result = await proveProgram(loaded(imports + text), { milliseconds: 60_000, now: () => performance.now() })
  expect(result).toMatchObject({ value: { checked: { verdict: { kind: 'violated' } }, options: { params: { n: 3 } } } })
})

test('in a round of a loop there is one to go through', async () => {
  const text = sized(
    `${all}for (const one of all) { yield* receive('done', { from: one }); yield* assert(n > 0, 'some') }`,
  )
  expect(await judged(loaded(imports + text), usual)).toMatchObject({ said: 'proved', problem: undefined })
})
