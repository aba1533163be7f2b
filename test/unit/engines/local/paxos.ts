/** Single-decree Paxos as LMC §5 describes it: every machine proposes, accepts and learns, and sends to itself as to the others. */
import { conflict, invariant, machine, type Program, system } from 'allways'
import type { Value } from '../../../../src/core/value.ts'
import type { LocalState, Machines } from '../../../../src/program/machines.ts'

interface Accepted {
  readonly ballot: number
  readonly value: string
}

interface PaxosState {
  promised: number
  accepted: Accepted | null
  /** Own proposal, and who has answered it; nobody once enough have. */
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
  /** By machine: values it proposes. */
  readonly proposals: readonly (readonly string[])[]
  /** LMC §5.5: the value of the last answer is proposed instead of that with the highest ballot. */
  readonly lastAnswerWins?: boolean
  readonly general?: boolean
}

const names = ['N1', 'N2', 'N3']
const majority = 2

export function paxos({ proposals, lastAnswerWins = false, general = false }: PaxosOptions): Machines {
  const node = machine<PaxosState, PaxosMessage>('node', {
    state: () => fresh,
    requests: {
      propose(state, value, context) {
        // Of its own only: a ballot above all it has seen would depend on messages that can never come before it.
        state.ballot += state.ballot === 0 ? names.length + names.indexOf(context.self) : names.length
        state.value = value as string
        state.promises = []
        state.best = null
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
        if (ballot !== state.ballot || state.promises.length >= majority || state.promises.includes(context.from))
          return
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
  const agreement = general
    ? invariant('agreement', (states: { readonly [machine: string]: PaxosState }) => {
        const chosen = new Set(Object.values(states).flatMap((state) => state.chosen ?? []))
        return chosen.size <= 1
      })
    : conflict('agreement', {
        each: (state: PaxosState) => state.chosen ?? undefined,
        conflict: (left: string, right: string) => left !== right,
      })
  const program = system('paxos', { network: 'bag', loss: true }, () => ({
    machines: Object.fromEntries(names.map((name) => [name, node.as()])),
    requests: Object.fromEntries(
      names.map((name, at) => [name, (proposals[at] ?? []).map((value) => ['propose', value] as const)]),
    ),
    invariants: [agreement],
  }))
  return machinesOfProgram(program)
}

const fresh: PaxosState = {
  promised: 0,
  accepted: null,
  ballot: 0,
  value: '',
  promises: [],
  best: null,
  learned: {},
  chosen: null,
}

/** N1 has proposed v1, N1 and N2 have accepted it, only N1 has learned it; messages were lost (LMC §5.5). */
export function liveState(machines: Machines): Machines {
  const accepted = { ballot: 3, value: 'v1' }
  const withData = (data: Partial<PaxosState>, requests: number): LocalState => ({
    data: { ...fresh, ...data } as unknown as Value,
    timers: [],
    requests,
    crashes: 0,
  })
  const first = { promised: 3, accepted, ballot: 3, value: 'v1', promises: ['N1', 'N2'] }
  return machines.from(
    [
      withData({ ...first, learned: { 3: ['N1', 'N2'] }, chosen: 'v1' }, 1),
      withData({ promised: 3, accepted, learned: { 3: ['N1'] } }, 0),
      withData({}, 0),
    ],
    [],
  )
}

export function machinesOfProgram(program: Program): Machines {
  const view = program.views.machines
  if (view === undefined) throw new Error(`${program.name} has no machines`)
  return view({ params: program.params, network: program.network }, {})
}
