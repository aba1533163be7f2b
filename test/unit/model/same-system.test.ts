/** What says what a system consists of says the same each time: views of one search are made of several answers. */
import { byzantine, checkResult, invariant, machine, system } from 'allways'
import { expect, test } from 'vitest'

const counter = machine<{ n: number }, { kind: 'hi'; n: number }>('counter', {
  state: () => ({ n: 0 }),
  requests: { go: (state) => ({ n: state.n + 1 }) },
  on: { hi: (_, { n }) => ({ n }) },
})
const few = invariant<{ n: number }>('few', ({ a }) => (a?.n ?? 0) < 2)

const engines = ['stateful', 'local', 'dpor', 'exhaustive'] as const

test.each(engines)('other requests at another time are E201, by %s', async (engine) => {
  let asked = 0
  const changing = system('changing', { faults: {} }, () => ({
    machines: { a: counter.as() },
    requests: { a: asked++ === 0 ? [['go']] : [['go'], ['go'], ['go']] },
    invariants: [few],
  }))
  const result = await checkResult(changing, { engine })
  expect(result).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E201', message: expect.stringContaining('requests') }],
  })
})

test('other machines, invariants and arguments are as well', async () => {
  let asked = 0
  const others = [
    system('machines', { faults: {} }, () => ({ machines: asked++ === 0 ? { a: counter.as() } : { b: counter.as() } })),
    system('invariants', { faults: {} }, () => ({
      machines: { a: counter.as() },
      invariants: asked++ % 2 === 0 ? [few] : [],
    })),
    system('arguments', { faults: {} }, () => ({ machines: { a: counter.as({ n: asked++ }) } })),
  ]
  for (const one of others) {
    const result = await checkResult(one)
    expect(result, one.name).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
  }
})

test.each(engines.slice(0, 3))(
  'a Byzantine machine that says something else when asked again is E201, by %s',
  async (engine) => {
    let said = 0
    const lying = system('lying', { faults: {} }, () => ({
      machines: { a: counter.as(), b: byzantine(counter, { says: () => [{ kind: 'hi', n: said++ }] }) },
      invariants: [few],
    }))
    expect(await checkResult(lying, { engine })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E201', message: expect.stringContaining('"says"') }],
    })
  },
)

test('for other parameters it may say something else', async () => {
  const sized = system('sized', { params: { n: 1 }, faults: {} }, ({ n }) => ({
    machines: { a: counter.as() },
    requests: { a: Array.from({ length: n }, () => ['go'] as const) },
    invariants: [few],
  }))
  for (const n of [1, 2]) {
    const result = await checkResult(sized, { params: { n } })
    expect(result).toMatchObject({ ok: true, value: { kind: n === 1 ? 'verified' : 'violated' } })
  }
})
