/** What a specification declares of its calls is compared with its operations, and a verdict that rests on it says so. */
import {
  announce,
  checkResult,
  machine,
  type Program,
  program,
  qtree,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from 'allways'
import { expect, test } from 'vitest'
import { vacuityLines } from '../../../../src/reports/vacuity.ts'

interface Pool {
  readonly taken: readonly number[]
}

/** So many may take, and it is not declared. */
function pool(limit: number, declared: object) {
  return specification('pool', {
    state: { taken: [] } as Pool,
    operations: {
      take: ({ taken }: Pool, { by }: { readonly by: number }) =>
        taken.length >= limit ? refuse('full') : { taken: [...taken, by].sort((one, other) => one - other) },
    },
    ...declared,
  })
}

const silent = { conflicts: () => undefined, needs: () => undefined }

function machines(takers: number, object: ReturnType<typeof pool>) {
  const taker = machine<{ did: boolean }, never, { by: number }>('taker', {
    state: () => ({ did: false }),
    requests: {
      go(state, _, { args, announce: tell }) {
        state.did = true
        tell(object.take({ by: args.by }))
      },
    },
  })
  const names = Array.from({ length: takers }, (_, at) => `m${at}`)
  return system('takers', {}, () => ({
    machines: Object.fromEntries(names.map((name, by) => [name, taker.as({ by })])),
    requests: Object.fromEntries(names.map((name) => [name, [['go']]])) as never,
    properties: [refines(object)],
  }))
}

function processes(takers: number, object: ReturnType<typeof pool>): Program {
  return program('takers', { properties: [refines(object)] }, function* () {
    for (let by = 0; by < takers; by++)
      yield* spawn(`p${by}`, function* () {
        yield* announce(object.take({ by }))
      })
  })
}

test.each([2, 3, 6])('local finds that a pool for %i refuses what is not declared', async (limit) => {
  const found = await checkResult(machines(limit + 1, pool(limit, silent)), { engine: 'local' })
  expect(found).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E227', message: /neither "conflicts" nor "needs"/ }],
  })
})

test('where nothing undeclared was found local says what its verdict rests on', async () => {
  const found = await checkResult(machines(2, pool(9, silent)), { engine: 'local' })
  const subject = 'calls are refused where "conflicts" and "needs" of specification "pool" say so'
  expect(found).toMatchObject({ value: { kind: 'verified', vacuity: [{ code: 'declaration-assumed', subject }] } })
  const lines = found.ok ? vacuityLines(found.value) : []
  expect(lines).toEqual([`assumed: ${subject}, as it was tried with some of the calls`])
  const whole = await checkResult(machines(2, pool(9, silent)), { engine: 'stateful' })
  expect(whole).toMatchObject({ value: { kind: 'verified' } })
  expect(whole).not.toHaveProperty('value.vacuity')
})

test.each([
  ['conflicts', silent],
  ['commutes', { commutes: () => true }],
])('dpor tries six calls in all their orders, whatever "%s" says', async (_, declared) => {
  const found = await checkResult(processes(6, pool(6, declared)), { engine: 'dpor' })
  expect(found).toMatchObject({ value: { kind: 'verified' } })
  expect(found).not.toHaveProperty('value.vacuity')
})

test.each([
  ['"conflicts" and "needs"', silent],
  ['"commutes"', { commutes: () => true }],
])('of more than six calls it says that it rests on %s', async (part, declared) => {
  const found = await checkResult(processes(7, pool(7, declared)), { engine: 'dpor' })
  const subject = expect.stringContaining(part)
  expect(found).toMatchObject({ value: { kind: 'verified', vacuity: [{ code: 'declaration-assumed', subject }] } })
})

test('calls that do not commute after others are noticed in executions of few calls', async () => {
  const last = specification('last', {
    state: { made: 0, first: '' },
    operations: {
      a: (state: { made: number; first: string }) => ({ made: state.made + 1, first: state.first }),
      // Only after two others its order makes a difference.
      b: (state: { made: number; first: string }, { by }: { readonly by: string }) => ({
        made: state.made + 1,
        first: state.made >= 2 && state.first === '' ? by : state.first,
      }),
    },
    commutes: () => true,
  })
  const found = await checkResult(
    program('late', { properties: [refines(last)] }, function* () {
      for (const call of [last.a(), last.a(), last.b({ by: 'ann' }), last.b({ by: 'bob' })])
        yield* spawn('p', function* () {
          yield* announce(call)
        })
    }),
    { engine: 'dpor' },
  )
  expect(found).toMatchObject({ ok: false, diagnostics: [{ code: 'E227' }] })
})

test('a quorum tree knows what it refuses, and nothing is assumed of it', async () => {
  const tree = qtree('tree')
  const leader = machine<object, never, { round: number }>('leader', {
    state: () => ({}),
    requests: {
      go(_, __, { args, announce: tell }) {
        tell(tree.add({ round: args.round, value: 'x', parent: 0 }))
      },
    },
  })
  const both = system('leaders', {}, () => ({
    machines: { one: leader.as({ round: 1 }), two: leader.as({ round: 2 }) },
    requests: { one: [['go']], two: [['go']] },
    properties: [refines(tree)],
  }))
  const found = await checkResult(both, { engine: 'local' })
  expect(found).toMatchObject({ value: { kind: 'verified', vacuity: [{ code: 'operation-never-called' }] } })
})
