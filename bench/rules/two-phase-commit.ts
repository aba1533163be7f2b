/**
 * Two-phase commit with the states and steps of Lamport's TLA+ specification TwoPhase: participants and the manager send messages that stay there, and anybody may
 * receive one again and again.
 */
import { type Action, actions, invariant, type Rule, system } from '../../src/index.ts'

interface State {
  readonly participants: readonly ('working' | 'prepared' | 'committed' | 'aborted')[]
  readonly manager: 'init' | 'committed' | 'aborted'
  /** Whom the manager knows to be prepared. */
  readonly known: readonly boolean[]
  /** Messages that were sent: by each participant that it is prepared, and by the manager. */
  readonly prepared: readonly boolean[]
  readonly commit: boolean
  readonly abort: boolean
}

function rulesOf(participants: readonly number[]): readonly Rule<State>[] {
  return [deciding, aborting, ...participants.flatMap((one) => of(one))]
}

const deciding: Rule<State> = (state) =>
  state.manager === 'init' && state.known.every((one) => one)
    ? [{ name: 'the manager commits', after: () => ({ ...state, manager: 'committed', commit: true }) }]
    : []

const aborting: Rule<State> = (state) =>
  state.manager === 'init'
    ? [{ name: 'the manager aborts', after: () => ({ ...state, manager: 'aborted', abort: true }) }]
    : []

function of(one: number): readonly Rule<State>[] {
  const becomes = (state: State, name: string, to: State['participants'][number]): Action<State> => ({
    name: `${one} ${name}`,
    after: () => ({ ...state, participants: state.participants.with(one, to) }),
  })
  return [
    (state) =>
      state.manager === 'init' && state.prepared[one] === true
        ? [{ name: `the manager hears of ${one}`, after: () => ({ ...state, known: state.known.with(one, true) }) }]
        : [],
    (state) => {
      if (state.participants[one] !== 'working') return []
      const { after } = becomes(state, 'prepares', 'prepared')
      const told = () => ({ ...(after as () => State)(), prepared: state.prepared.with(one, true) })
      return [{ name: `${one} prepares`, after: told }, becomes(state, 'aborts by itself', 'aborted')]
    },
    (state) => (state.commit ? [becomes(state, 'commits', 'committed')] : []),
    (state) => (state.abort ? [becomes(state, 'aborts', 'aborted')] : []),
  ]
}

export const twoPhaseCommit = system('two-phase commit', { params: { participants: 3 }, faults: {} }, (sizes) => {
  const all = Array.from({ length: sizes.participants }, (_, one) => one)
  const protocol = actions<State>('protocol', {
    state: () => ({
      participants: all.map(() => 'working'),
      manager: 'init',
      known: all.map(() => false),
      prepared: all.map(() => false),
      commit: false,
      abort: false,
    }),
    next: rulesOf(all),
  })
  const agree = invariant<State>('all decide alike', ({ protocol: { participants = [] } = {} }) => {
    return !(participants.includes('committed') && participants.includes('aborted'))
  })
  return { machines: { protocol: protocol.as() }, invariants: [agree] }
})
