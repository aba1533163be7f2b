import { describe, expect, test } from 'vitest'
import { exploredLocally } from './explored.ts'
import { type NetworkOfTables, never, type TableSystem, tableMachines } from './tables.ts'

type Tables = TableSystem['machines']

function broken(machines: Tables, values: readonly string[], network: NetworkOfTables = {}): readonly string[] {
  const { violations, ended } = exploredLocally(tableMachines({ machines, ...network, invariants: [never(...values)] }))
  expect(ended).toBe(true)
  return violations.map(({ message }) => message)
}

const overtaking: Tables = {
  p: {
    idle: {
      do: {
        to: 'sent',
        sends: [
          ['q', 'a'],
          ['q', 'b'],
        ],
      },
    },
    sent: {},
  },
  q: { 0: { a: { to: 'a first' }, b: { to: 'b first' } }, 'a first': {}, 'b first': {} },
}

const eitherOr: Tables = {
  p: {
    idle: {
      do: [
        { to: 'left', sends: [['q', 'a']] },
        { to: 'right', sends: [['q', 'b']] },
      ],
    },
    left: {},
    right: {},
  },
  q: { 0: { a: { to: 'a' }, b: { to: 'b' } }, a: {}, b: {} },
}

function toQ(...kinds: readonly string[]): readonly (readonly [string, string])[] {
  return kinds.map((kind) => ['q', kind] as const)
}

describe('which combinations of states an execution leads to', () => {
  test('a machine that only sends, and stays in its state, has sent as often as needed', () => {
    const machines: Tables = {
      p: { idle: { do: { to: 'idle', sends: [['q', 'a']] } } },
      q: { 0: { a: { to: '1' } }, 1: { a: { to: '2' } }, 2: {} },
    }
    expect(broken(machines, ['idle', '2'])).toEqual(['never idle 2'])
  })

  const sendsOnce: Tables = {
    p: { idle: { do: { to: 'sent', sends: [['q', 'a']] } }, sent: {} },
    q: { 0: { a: { to: '1' } }, 1: { a: { to: '2' } }, 2: {} },
  }

  test('a message that is sent once is consumed once', () => {
    expect(broken(sendsOnce, ['sent', '1'])).toEqual(['never sent 1'])
    expect(broken(sendsOnce, ['sent', '2'])).toEqual([])
  })

  test('two copies of a message in one handler are consumed twice', () => {
    const sent = [
      ['q', 'a'],
      ['q', 'a'],
    ] as const
    const machines: Tables = { ...sendsOnce, p: { idle: { do: { to: 'sent', sends: sent } }, sent: {} } }
    expect(broken(machines, ['sent', '2'])).toEqual(['never sent 2'])
  })

  test('nobody has received what nobody has sent yet', () => {
    expect(broken(sendsOnce, ['idle', '1'])).toEqual([])
  })

  test('a later message overtakes without order, or when the earlier one is lost, and not otherwise', () => {
    const target = ['sent', 'b first']
    expect(broken(overtaking, target, { network: 'bag' })).toEqual(['never sent b first'])
    expect(broken(overtaking, target, { network: 'fifo', faults: { losses: 'any' } })).toEqual(['never sent b first'])
    expect(broken(overtaking, target, { network: 'fifo' })).toEqual([])
  })

  test('in order and without loss, a message that is ignored is consumed to get at the next', () => {
    const machines: Tables = { ...overtaking, q: { 0: { b: { to: 'b' } }, b: {} } }
    expect(broken(machines, ['sent', 'b'], { network: 'fifo' })).toEqual(['never sent b'])
  })

  test('states of two machines that need different choices of one do not come together', () => {
    expect(broken(eitherOr, ['left', 'a'])).toEqual(['never left a'])
    expect(broken(eitherOr, ['left', 'b'])).toEqual([])
    expect(broken(eitherOr, ['right', 'a'])).toEqual([])
  })

  test('two machines do not wait for each other in a circle and both go on', () => {
    // Each can send what the other needs only on the way that has received it, or not at all.
    const machines: Tables = {
      p: { 0: { y: { to: '1', sends: [['q', 'x']] }, do: { to: 'apart', sends: [['q', 'x']] } }, 1: {}, apart: {} },
      q: { 0: { x: { to: '1', sends: [['p', 'y']] }, do: { to: 'apart', sends: [['p', 'y']] } }, 1: {}, apart: {} },
    }
    expect(broken(machines, ['1', '1'])).toEqual([])
    expect(broken(machines, ['apart', '1'])).toEqual(['never apart 1'])
    expect(broken(machines, ['1', 'apart'])).toEqual(['never 1 apart'])
  })
})

describe('handlers that fail', () => {
  test('one that no execution leads to is not reported, and the search verifies', () => {
    // Any two of a, b and c are sent on one way of p, never all three.
    const machines: Tables = {
      p: {
        idle: {
          do: [
            { to: 'done', sends: toQ('a', 'b') },
            { to: 'done', sends: toQ('b', 'c') },
            { to: 'done', sends: toQ('a', 'c') },
          ],
        },
        done: {},
      },
      q: { 0: { a: { to: 'a' } }, a: { b: { to: 'ab' } }, ab: { c: { to: 'ab', fails: true } } },
    }
    const { violations, counts, ended } = exploredLocally(tableMachines({ machines }))
    expect({ violations, ended }).toEqual({ violations: [], ended: true })
    expect(counts).toMatchObject({ rejected: 1 })
  })

  test('one that an execution leads to is reported', () => {
    const machines: Tables = { ...overtaking, q: { 0: { a: { to: 'a' } }, a: { b: { to: 'a', fails: true } } } }
    expect(exploredLocally(tableMachines({ machines })).violations).toMatchObject([
      { kind: 'assertion', message: 'q fails' },
    ])
  })
})

describe('predecessors that are found late', () => {
  test('a system state that was rejected is found once a way to it is explored', () => {
    // q is in 2 after a and b, which exist after one event of p each; that one p sends both takes it three events.
    const machines: Tables = {
      p: {
        idle: {
          do: [
            { to: 'up', sends: [['q', 'a']] },
            { to: 'low', sends: [['q', 'b']] },
          ],
        },
        up: {},
        low: { do: { to: 'lower' } },
        lower: { do: { to: 'up', sends: [['q', 'a']] } },
      },
      q: { 0: { a: { to: '1' }, b: { to: '1' } }, 1: { b: { to: '2' }, a: { to: '2' } }, 2: {} },
    }
    expect(broken(machines, ['up', '2'])).toEqual(['never up 2'])
  })
})
