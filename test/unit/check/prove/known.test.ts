/** What is known where an assertion or a failure stands: programs that hold because of it, and the same programs without it. */
import { expect, test } from 'vitest'
import { proveProgram } from '../../../../src/check/prove/prove.ts'
import { cut, oneIn } from '../../../amount.ts'
import { judged, usual } from '../../../hostile/judge.ts'
import { imports, loaded } from '../../../hostile/loaded.ts'

const sized = (body: string, more: string, options = 'every(2)') => `${more}
export default program('p', { params: { n: ${options} } }, function* ({ n }) {
${body}
})`
const worker = `function* worker(main) { yield* send(main, { kind: 'done' }) }`
const all = `const all = yield* spawnAll(n, 'worker', worker, yield* self())\n`

const indexed = (assertion: string) =>
  sized(
    `${all}for (let i = 0; i < n; i++) { yield* receive('done', { from: all[i] }); yield* assert(${assertion}) }`,
    worker,
  )
const counted = (assertion: string) =>
  sized(
    `const one = yield* spawn('one', one_, yield* self(), n)
for (let k = 1; k <= n; k++) { const { i } = yield* receive('done'); yield* assert(${assertion}) }`,
    `function* one_(main, n) { for (let i = 1; i <= n; i++) yield* send(main, { kind: 'done', i }) }`,
  )

const vote = `function* worker(main) {
  const vote = yield* choose(['yes', 'no'])
  yield* send(main, { kind: 'vote', vote })
  yield* receive('go')
  yield* assert(vote !== 'perhaps')
}`
/** What was chosen and decided in one loop, looked at after it. */
const decided = (assertion: string) =>
  sized(
    `${all}let decision = 'commit'
for (const one of all) { const { vote } = yield* receive('vote', { from: one }); if (vote === 'no') decision = 'abort' }
yield* assert(${assertion})
for (const one of all) yield* send(one, { kind: 'go' })`,
    vote,
  )

const weights = `function* worker(main) { yield* send(main, { kind: 'done', weight: yield* choose([1, 2, 3]) }) }`
const thrown = (condition: string) =>
  sized(
    `${all}for (const one of all) {
  const { weight } = yield* receive('done', { from: one })
  if (${condition}) { const text = 'wrong'; throw new Error(text) }
}`,
    weights,
  )

const guarded = (guard: string, more = '') =>
  sized(
    `${all}${guard}
for (const one of all) yield* send(one, { kind: 'go' })
for (const _ of all) yield* receive('done')${more}`,
    `function* worker(main) { yield* receive('go'); yield* send(main, { kind: 'done' }) }`,
  )

const programs: readonly (readonly [said: string, name: string, program: string])[] = [
  ['proved', 'an index of a member is a whole number below the size', indexed('i >= 0 && i + 1 <= n')],
  ['violated', 'an index of a member may be any of them', indexed('i + 1 < n')],
  ['proved', 'the rounds of loops that run together are the same', counted('i === k && 1 <= i && i <= n')],
  ['violated', 'a round may be any of them', counted('i < n')],
  [
    'proved',
    'what members chose, and what was decided, is one of few values',
    decided(`decision === 'commit' || decision === 'abort'`),
  ],
  ['violated', 'which of them is open', decided(`decision === 'commit'`)],
  ['proved', 'a failure that no value leads to', thrown('weight * 2 <= weight || weight === 4')],
  ['violated', 'a failure that a value leads to', thrown('weight * 2 > 5')],
  ['proved', 'no members after a guard', guarded('if (n === 0) return')],
  ['proved', 'no members after a guard of another form', guarded('if (!(n - 1 >= 0)) return')],
  ['violated', 'members after a guard that lets some go', guarded('if (n < 2) return')],
  [
    'proved',
    'members behind a guard',
    guarded('if (n > 0) {', '; yield* send(yield* self(), { kind: "x" }); yield* receive("x") }'),
  ],
  ['violated', 'a guard that is the other way round', guarded('if (n > 0) return')],
]

test('a solver that knows of a larger size finds the smallest', async () => {
  const program = sized(`${all}for (const _ of all) { yield* receive('done'); yield* assert(n * n < 12) }`, worker)
  const answer = await proveProgram(loaded(imports + program), { milliseconds: 60_000, now: () => performance.now() })
  expect(answer).toMatchObject({ value: { checked: { verdict: { kind: 'violated' } }, options: { params: { n: 4 } } } })
})

test.each(oneIn(4, programs))('%s: %s', cut, async (said, _, program) => {
  expect(await judged(loaded(imports + program), usual)).toMatchObject({ said, problem: undefined })
})
