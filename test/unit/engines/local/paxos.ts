/**
 * Single-decree Paxos as LMC §5 describes it: every machine proposes, accepts and learns, and sends to itself as to the others. One
 * proposal among three machines is 22 events: 3 initialisations, 1 request, 3 Prepare, 3 PrepareResponse, 3 Accept, 9 Learn.
 *
 * What an initialisation does, LMC does not say. Here it is an event of each machine, at any time, that messages do not wait
 * for; the proposer proposes afterwards. So every execution has all 22 events, as in LMC, and global search takes 157,752
 * transitions where LMC §5.1 reports 157,332. Were messages dropped before it, executions would be shorter, and transitions 62,927.
 */

import { conflict, invariant, machine, system } from 'allways'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { Value } from '../../../../src/core/value.ts'
import type { LocalState, Machines } from '../../../../src/program/machines.ts'

interface Accepted {
  readonly ballot: number
  readonly value: string
}

interface PaxosState {
  begun: boolean
  promised: number
  accepted: Accepted | null
  /** Own proposal, and who has answered it; nobody is added once enough have. */
  ballot: number
  value: string
  promises: string[]
  best: Accepted | null
  /** By ballot: who has accepted. */
  learned: { [ballot: string]: string[] }
  chosen: string | null
}

type PaxosMessage =
  | { readonly kind: 'prepare'; readonly ballot: number }
  | { readonly kind: 'promise'; readonly ballot: number; readonly accepted: Accepted | null }
  | { readonly kind: 'accept'; readonly ballot: number; readonly value: string }
  | { readonly kind: 'learn'; readonly ballot: number; readonly value: string }

export interface PaxosOptions {
  readonly machines: number
  /** By machine: the value it proposes. */
  readonly proposals: readonly (string | undefined)[]
  /** The invariant over all machines (LMC-GEN) instead of between any two (LMC-OPT). */
  readonly general: boolean
  /** LMC §5.5: the value of the last answer is proposed instead of that with the highest ballot. */
  readonly lastAnswerWins?: boolean
  readonly initialisation?: boolean
}

export function paxos(options: PaxosOptions): Machines {
  const names = Array.from({ length: options.machines }, (_, at) => `N${at + 1}`)
  const definition = paxosMachine(names, options.lastAnswerWins ?? false)
  const initialisations = options.initialisation === false ? [] : ([['initialise', null]] as const)
  const requests = names.map((name, at) => {
    const value = options.proposals[at]
    return [name, [...initialisations, ...(value === undefined ? [] : ([['propose', value]] as const))]] as const
  })
  const program = system('paxos', { network: 'bag', faults: { losses: 'any' } }, () => ({
    machines: Object.fromEntries(names.map((name) => [name, definition.as()])),
    requests: Object.fromEntries(requests),
    invariants: [options.general ? general : decomposed],
  }))
  const view = program.views.machines
  if (view === undefined) throw new Error('a system has machines')
  return view(settingFrom({ params: program.params, network: program.network, faults: program.faults ?? {} }))
}

/** N1 has proposed v1, N1 and N2 have accepted it, only N1 has learned it; all messages are lost (LMC §5.5). N2 proposes v2. */
export function liveState(lastAnswerWins: boolean): Machines {
  const machines = paxos({
    machines: 3,
    proposals: [undefined, 'v2'],
    general: false,
    lastAnswerWins,
    initialisation: false,
  })
  const accepted = { ballot: 3, value: 'v1' }
  const known = { promised: 3, accepted }
  const states: readonly Partial<PaxosState>[] = [
    { ...known, ballot: 3, value: 'v1', promises: ['N1', 'N2'], learned: { 3: ['N1', 'N2'] }, chosen: 'v1' },
    { ...known, learned: { 3: ['N1'] } },
    {},
  ]
  return machines.from(states.map(localState), [])
}

function localState(data: Partial<PaxosState>): LocalState {
  return { data: { ...fresh, begun: true, ...data } as unknown as Value, timers: [], requests: 0, crashes: 0 }
}

const fresh: PaxosState = {
  begun: false,
  promised: 0,
  accepted: null,
  ballot: 0,
  value: '',
  promises: [],
  best: null,
  learned: {},
  chosen: null,
}

const general = invariant('agreement', (states: { readonly [machine: string]: PaxosState }) => {
  let value: string | null = null
  for (const { chosen } of Object.values(states)) {
    if (chosen !== null && value !== null && chosen !== value) return `${value} and ${chosen} are chosen`
    value ??= chosen
  }
  return true
})

const decomposed = conflict('agreement', {
  each: (state: PaxosState) => state.chosen ?? undefined,
  conflict: (left: string, right: string) => left !== right,
})

function paxosMachine(names: readonly string[], lastAnswerWins: boolean) {
  const majority = Math.floor(names.length / 2) + 1
  return machine<PaxosState, PaxosMessage>('machine', {
    state: () => fresh,
    requests: {
      initialise(state) {
        state.begun = true
      },
      propose(state, value, context) {
        state.ballot = names.length + names.indexOf(context.self)
        state.value = value as string
        for (const to of names) context.send(to, { kind: 'prepare', ballot: state.ballot })
      },
    },
    on: {
      prepare(state, { ballot }, context) {
        if (ballot <= state.promised) return
        state.promised = ballot
        context.send(context.from, { kind: 'promise', ballot, accepted: state.accepted })
      },
      promise(state, { ballot, accepted }, context) {
        const isLate = ballot !== state.ballot || state.promises.length >= majority
        if (isLate || state.promises.includes(context.from)) return
        state.promises = [...state.promises, context.from].sort()
        if (lastAnswerWins || (accepted !== null && accepted.ballot > (state.best?.ballot ?? 0))) state.best = accepted
        if (state.promises.length < majority) return
        for (const to of names) context.send(to, { kind: 'accept', ballot, value: state.best?.value ?? state.value })
      },
      accept(state, { ballot, value }, context) {
        if (ballot < state.promised) return
        state.promised = ballot
        state.accepted = { ballot, value }
        for (const to of names) context.send(to, { kind: 'learn', ballot, value })
      },
      learn(state, { ballot, value }, context) {
        const known = state.learned[ballot] ?? []
        if (known.includes(context.from)) return
        state.learned[ballot] = [...known, context.from].sort()
        if (known.length + 1 >= majority) state.chosen ??= value
      },
    },
  })
}
