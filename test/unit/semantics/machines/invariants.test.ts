/** What invariants are given, and what is said of those that take it wrongly. */
import { type CheckOptions, checkResult, conflict, type Invariant, invariant, liveness, machine, system } from 'allways'
import { describe, expect, test } from 'vitest'

interface Counter {
  counts: number[]
}

const counter = machine<Counter, { kind: 'more' }>('counter', {
  state: () => ({ counts: [0] }),
  requests: {
    go(state, _, { peers, send, self }) {
      state.counts.push(1)
      for (const peer of peers) if (peer > self) send(peer, { kind: 'more' })
    },
  },
  on: {
    more(state) {
      state.counts.push(2)
    },
  },
})

const engines = ['local', 'stateful', 'dpor', 'exhaustive'] as const

function counters(...invariants: readonly Invariant[]) {
  return system('counters', () => ({
    machines: { one: counter.as(), two: counter.as() },
    requests: { one: [['go']] },
    invariants,
  }))
}

async function answered(one: Invariant, options: CheckOptions) {
  const result = await checkResult(counters(one), options)
  return result.ok ? result.value.kind : result.diagnostics.map(({ code, message, hint }) => ({ code, message, hint }))
}

describe.each(engines)('an invariant, under %s,', (engine) => {
  const sums = (name: string, most: number) =>
    invariant<Counter>(name, (states) => {
      let sum = 0
      for (const { counts } of Object.values(states)) for (let at = 0; at < counts.length; at++) sum += counts[at] ?? 0
      return sum <= most
    })

  test('may have loops', async () => {
    expect(await answered(sums('at most three', 3), { engine })).toBe('verified')
    expect(await answered(sums('at most two', 2), { engine })).toBe('violated')
    const each = (state: Counter) => {
      for (let at = 0; at < 3; at++) if (state.counts[at] === 2) return 'two'
      return state.counts.length > 1 ? 'one' : undefined
    }
    expect(await answered(conflict('alike', { each }), { engine })).toBe('violated')
  })

  test('that names a machine wrongly is a mistake, also where it asks with care', async () => {
    const misspelt = invariant<Counter>('misspelt', ({ onne }) => (onne?.counts ?? []).length < 2)
    expect(await answered(misspelt, { engine })).toEqual([
      {
        code: 'E223',
        message: 'there is no machine "onne", in invariant "misspelt"',
        hint: 'did you mean "one"? machines are "one", "two"',
      },
    ])
  })

  test('that goes on after it named a machine wrongly is a mistake all the same', async () => {
    const caught = invariant<Counter>('caught', (states) => {
      try {
        return states.onne === undefined
      } catch {
        return true
      }
    })
    expect(await answered(caught, { engine })).toMatchObject([{ code: 'E223' }])
  })

  test('may list machines, ask which there are, copy them, print them', async () => {
    const listed = invariant<Counter>('listed', (states) => {
      const { one, ...others } = states
      const names = [...Object.keys(states), ...Object.keys(others), ...Object.keys({ ...states })].join(' ')
      const isThere = 'one' in states && !('three' in states) && Object.hasOwn(states, 'two')
      const copy = { ...one, counts: [...(one?.counts ?? [])].sort() }
      return (
        names === 'one two two one two' &&
        isThere &&
        JSON.stringify(states).startsWith('{"one"') &&
        copy.counts[0] === 0
      )
    })
    expect(await answered(listed, { engine })).toBe('verified')
  })

  test.each([
    ['a field', ({ one }) => Object.assign(one ?? {}, { counts: [] }).counts.length === 0],
    ['a part of one', ({ one }) => (one?.counts.push(3) ?? 0) > 0],
    ['the order of one', ({ two }) => two?.counts.sort()[0] === 0],
    ['a machine', (states) => delete (states as { one?: unknown }).one],
  ] as [string, Parameters<typeof invariant<Counter>>[1]][])('that changes %s is a mistake', async (_, holds) => {
    expect(await answered(invariant<Counter>('changing', holds), { engine })).toMatchObject([
      { code: 'E230', message: 'the state of a machine is changed, in invariant "changing"' },
    ])
  })
})

test('a machine that is yet to be created is not there, and one that no machine could create is a mistake', async () => {
  const boss = machine<{ hired: number }, { kind: 'none' }>('boss', {
    state: () => ({ hired: 0 }),
    requests: {
      hire(state, _, { create }) {
        state.hired++
        create('helper', counter.as())
      },
    },
  })
  const created = (name: string) =>
    system('creating', () => ({
      machines: { boss: boss.as() },
      requests: { boss: [['hire']] },
      invariants: [
        invariant<{ hired: number }>('helped', (states) => (states[name] !== undefined) === (states.boss?.hired === 1)),
      ],
    }))
  for (const engine of ['stateful', 'dpor'] as const) {
    expect(await checkResult(created('boss/helper'), { engine })).toMatchObject({ value: { kind: 'verified' } })
    expect(await checkResult(created('bos/helper'), { engine })).toMatchObject({ diagnostics: [{ code: 'E223' }] })
  }
})

test('liveness knows the machines too, and may have loops', async () => {
  const alive = (name: string) =>
    system('living', { faults: {} }, () => ({
      machines: { one: counter.as(), two: counter.as() },
      requests: { one: [['go']] },
      liveness: [
        liveness<Counter>('told', (states) => {
          for (const count of states[name]?.counts ?? []) if (count === 2) return true
          return false
        }),
      ],
    }))
  expect(await checkResult(alive('two'))).toMatchObject({ value: { kind: 'verified' } })
  expect(await checkResult(alive('tow'))).toMatchObject({ diagnostics: [{ code: 'E223' }] })
})
