import { checkResult, conflict, machine, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { long, longIf } from '../../../amount.ts'
import { exploredLocally } from './explored.ts'
import { liveState, paxos } from './paxos.ts'
import { never, tableMachines } from './tables.ts'

describe('the tree of LMC §2', () => {
  const forward = (...children: readonly string[]) => ({
    '-': { m: { to: '-', sends: children.map((child) => [child, 'm'] as const) } },
  })
  const tree = (...values: readonly string[]) =>
    tableMachines({
      machines: {
        0: {
          '-': {
            do: {
              to: 's',
              sends: [
                ['1', 'm'],
                ['2', 'm'],
              ],
            },
          },
          s: {},
        },
        1: forward('3', '4'),
        2: forward(),
        3: forward(),
        4: { '-': { m: { to: 'r' } }, r: {} },
      },
      invariants: [never(...values)],
    })

  test('has 7 states of machines, 4 messages and, for an invariant of the first machine, 2 system states', () => {
    // Machine 0 has 2 states, and after it none is looked at.
    const { counts, violations } = exploredLocally(tree('nowhere'))
    expect(counts).toMatchObject({ states: 7, messages: 4, systemStates: 2, soundnessChecks: 0 })
    expect(violations).toEqual([])
  })

  test('never has received what was not sent: that combination is made, checked and rejected', () => {
    const { counts, violations } = exploredLocally(tree('-', '-', '-', '-', 'r'))
    expect(violations).toEqual([])
    // One if machine 0 is in s; else all others are looked at, and machine 4 has 2 states.
    expect(counts).toMatchObject({ systemStates: 3, rejected: 1 })
  })

  test('has received what was sent', () => {
    expect(exploredLocally(tree('s', '-', '-', '-', 'r')).violations).toMatchObject([{ message: 'never s - - - r' }])
  })
})

/** The initialisations of LMC make no difference to machines apart but three events more. */
const oneProposer = { machines: 3, proposals: ['v1'], general: false, initialisation: false }

describe('Paxos, three machines', () => {
  const oneProposal = { states: 80, transitions: 213, messages: 18, soundnessChecks: 0 }

  test('one proposal: 80 states of machines, 18 messages, and no system state for an invariant of conflicts', () => {
    // 3 prepares, 3 promises, 3 accepts, 9 learns; LMC §5.1 reports 1,186 transitions and 0 system states for its Paxos.
    // The global search meets the same 80 states of machines, with 32,854 transitions.
    const { counts, violations } = exploredLocally(paxos(oneProposer))
    expect(counts).toMatchObject({ ...oneProposal, systemStates: 0 })
    expect(violations).toEqual([])
  })

  test('one proposal: what was chosen is combined for an invariant about all machines, and not the 12,288 states', () => {
    const { counts, search } = exploredLocally(paxos({ ...oneProposer, general: true }))
    const combinations = search.exploration.spaces.reduce((product, { states }) => product * states.length, 1)
    expect(combinations).toBe(12_288)
    // Each machine has chosen or not.
    expect(counts).toMatchObject({ ...oneProposal, systemStates: 2 ** 3 })
  })

  test('proposing the last answer instead of the highest breaks agreement from the live state of LMC §5.5', () => {
    const { violations } = exploredLocally(liveState(true), { untilViolation: true })
    expect(violations).toMatchObject([{ kind: 'invariant', property: 'agreement' }])
  })

  test('two proposals: the whole space, which LMC §5.2 did not finish', long, () => {
    const { violations, ended, counts } = exploredLocally(paxos({ ...oneProposer, proposals: ['v1', 'v2'] }))
    expect({ violations, ended }).toEqual({ violations: [], ended: true })
    // Two machines that have chosen differently can be put together in so many ways, none of which an execution leads to.
    expect(counts).toMatchObject({ states: 1558, messages: 51, systemStates: 74_366, rejected: 74_366 })
  })

  test('two proposals: the same for an invariant about all machines', longIf(true, true), () => {
    const { violations, ended, counts } = exploredLocally(
      paxos({ ...oneProposer, proposals: ['v1', 'v2'], general: true }),
    )
    expect({ violations, ended }).toEqual({ violations: [], ended: true })
    // Each has chosen one of two values or none, 27; if the first two disagree, in 2 of 9 ways, the third is not looked at.
    expect(counts).toMatchObject({ states: 1558, messages: 51, systemStates: 27 - 2 * 3 + 2, rejected: 74_366 })
  })

  test('agreement holds from that live state when the highest answer is proposed', () => {
    const { violations, ended } = exploredLocally(liveState(false))
    expect({ violations, ended }).toEqual({ violations: [], ended: true })
  })
})

describe('facts that cannot be told', () => {
  interface Counted {
    answers: number
  }
  /** Local search comes to two answers, executions do not (`precedence.test.ts`). */
  const counter = (most: number) => {
    const store = machine<{ n: number }, { kind: string; n?: number }>('store', {
      state: () => ({ n: 0 }),
      on: {
        read: ({ n }, _, { from, send }) => send(from, { kind: 'value', n }),
        write(state, { n }) {
          state.n = n ?? 0
        },
      },
    })
    const client = machine<Counted, { kind: string; n?: number }>('client', {
      state: () => ({ answers: 0 }),
      requests: { add: (_state, _argument, { send }) => send('store', { kind: 'read' }) },
      on: {
        value(state, { n }, { send }) {
          state.answers++
          send('store', { kind: 'write', n: (n ?? 0) + 1 })
        },
      },
    })
    const told = conflict('told', {
      each(state: Counted | { n: number }) {
        if ('answers' in state && state.answers > most) throw new Error('too many')
        return undefined
      },
    })
    return system('counter', { network: 'bag', faults: {} }, () => ({
      machines: { store: store.as(), left: client.as(), right: client.as() },
      requests: { left: [['add', null]], right: [['add', null]] },
      invariants: [told],
    }))
  }

  test('are a violation if an execution leads there', async () => {
    expect(await checkResult(counter(0), { engine: 'local' })).toMatchObject({
      ok: true,
      value: { evidence: [{ violation: { message: 'exception in invariant "told": Error: too many' } }] },
    })
  })

  test('prove nothing about states that no execution leads to', async () => {
    expect(await checkResult(counter(1), { engine: 'local' })).toMatchObject({
      ok: true,
      value: { kind: 'verified', counts: { states: 11 } },
    })
  })
})

describe('the engine', () => {
  test('a machine that counts one message does not count for ever', () => {
    const count = { 0: { a: { to: '1' } }, 1: { a: { to: '2' } }, 2: { a: { to: '3' } }, 3: {} }
    const machines = { p: { idle: { do: { to: 'sent', sends: [['q', 'a']] } }, sent: {} }, q: count } as const
    // The limit of a message that is sent once is reached after one: q is in 0 or 1.
    expect(exploredLocally(tableMachines({ machines })).search.exploration.spaces[1]?.states.length).toBe(2)
  })
})
