/** Small random systems in which one machine lies: as plain data, as a system for engines, and as one step of a correct machine for a naive search. */
import { byzantine, invariant, machine, type Program, type Signed, signed, system } from 'allways'
import type { FaultBudget } from '../../src/core/faults.ts'
import { Random } from '../../src/core/random.ts'

export const kinds = ['k0', 'k1', 'k2'] as const
type Kind = (typeof kinds)[number]

export interface Message {
  readonly kind: Kind
  readonly note?: Signed<string> | undefined
}

export interface State {
  /** Events of which it still takes notice: so every execution ends. */
  left: number
  count: number
  /** What it learned from notes, and from whom messages came. */
  log: string[]
}

type Deed =
  | { readonly kind: 'count' | 'sender' | 'learn' }
  | { readonly kind: 'send' | 'pass'; readonly to: string; readonly message: Kind }
  | { readonly kind: 'sign'; readonly to: string; readonly message: Kind; readonly text: string }

export interface Plan {
  readonly correct: readonly string[]
  readonly liars: readonly string[]
  readonly network: 'bag' | 'fifo'
  readonly faults: FaultBudget
  /** By correct machine. */
  readonly deeds: {
    readonly [machine: string]: {
      readonly start: readonly Deed[]
      readonly on: { readonly [kind: string]: readonly Deed[] }
    }
  }
  /** By liar. */
  readonly says: { readonly [liar: string]: readonly Message[] }
  readonly left: number
}

export interface Sent {
  readonly from: string
  readonly to: string
  readonly message: Message
}

export function drawnPlan(seed: number): Plan {
  const random = new Random(seed)
  const correct = random.below(4) === 0 ? ['a', 'c', 'd'] : ['a', 'c']
  const liars = random.below(5) === 0 ? ['b', 'e'] : ['b']
  const names = [...correct, ...liars]
  const deed = (by: string): Deed =>
    drawnDeed(
      random,
      names.filter((name) => name !== by),
    )
  const signing = (by: string): Deed => {
    const to = random.pick(names.filter((name) => name !== by))
    return { kind: 'sign', to, message: random.pick(kinds.slice(0, 2)), text: random.pick(texts) }
  }
  const some = (most: number, by: string) => Array.from({ length: random.below(most + 1) }, () => deed(by))
  const deeds = Object.fromEntries(
    correct.map((by) => [
      by,
      {
        start: [signing(by), ...some(1, by)].slice(random.below(2)),
        on: Object.fromEntries(kinds.slice(0, 2).map((kind) => [kind, [...some(2, by), deed(by)]])),
      },
    ]),
  )
  const network = random.pick(['bag', 'fifo'] as const)
  const restarts = random.below(5) === 0 ? 1 : 0
  const faults: FaultBudget = {
    losses: random.pick([0, 0, 0, 1, 'any']),
    duplicates: random.below(8) === 0 ? 1 : 0,
    crashes: restarts,
    restarts,
  }
  const says = Object.fromEntries(liars.map((liar) => [liar, drawnSayings(random, names)]))
  return { correct, liars, network, faults, deeds, says, left: 1 + (correct.length === 3 ? 0 : random.below(2)) }
}

const texts = ['x', 'x', 'y']

function drawnDeed(random: Random, others: readonly string[]): Deed {
  const to = random.pick(others)
  const message = random.pick(kinds.slice(0, 2))
  switch (random.below(8)) {
    case 0:
      return { kind: 'count' }
    case 1:
      return { kind: 'sender' }
    case 2:
    case 3:
      return { kind: 'learn' }
    case 4:
      return { kind: 'send', to, message }
    case 5:
      return { kind: 'pass', to, message }
    default:
      return { kind: 'sign', to, message, text: random.pick(texts) }
  }
}

function drawnSayings(random: Random, names: readonly string[]): readonly Message[] {
  const all = new Map<string, Message>()
  for (let left = 1 + random.below(2); left > 0; left--) {
    const kind = random.pick(kinds.slice(0, 2))
    const note = random.below(4) === 0 ? undefined : signed(random.pick(names), random.pick(texts))
    const message: Message = note === undefined ? { kind } : { kind, note }
    all.set(JSON.stringify(message), message)
  }
  return [...all.values()]
}

export function beginning({ left }: Plan): State {
  return { left, count: 0, log: [] }
}

type Received = Pick<Sent, 'from' | 'message'>

/** What a correct machine does when it begins, or when a message comes; the state is changed. */
export function act(plan: Plan, self: string, state: State, received?: Received): readonly Sent[] {
  if (received !== undefined) {
    if (state.left === 0) return []
    state.left--
  }
  const { start, on } = plan.deeds[self] as Plan['deeds'][string]
  const deeds = received === undefined ? start : (on[received.message.kind] ?? [])
  return deeds.flatMap((deed) => done(deed, self, state, received))
}

function done(deed: Deed, self: string, state: State, received: Received | undefined): readonly Sent[] {
  const note = received?.message.note
  switch (deed.kind) {
    case 'count':
      state.count++
      return []
    case 'sender':
      state.log.push(received?.from ?? '')
      return []
    case 'learn':
      if (note !== undefined) state.log.push(`${note.by} ${note.message}`)
      return []
    case 'send':
      return [{ from: self, to: deed.to, message: { kind: deed.message } }]
    case 'pass':
      return note === undefined ? [] : [{ from: self, to: deed.to, message: { kind: deed.message, note } }]
    case 'sign':
      return [{ from: self, to: deed.to, message: { kind: deed.message, note: signed(self, deed.text) } }]
  }
}

/** States of all correct machines, as text. */
export function textOf(states: { readonly [machine: string]: State }): string {
  return JSON.stringify(Object.entries(states).map(([name, { left, count, log }]) => [name, left, count, log]))
}

/** For engines: none of these states may be met, and who looks is told which are. */
export function systemOf(
  plan: Plan,
  forbidden: readonly string[],
  meets: (text: string) => void = () => undefined,
): Program {
  const node = machine<State, Message>('node', {
    state: () => beginning(plan),
    start(state, { self, send }) {
      for (const { to, message } of act(plan, self, state)) send(to, message)
    },
    on: Object.fromEntries(
      kinds.slice(0, 2).map((kind) => [
        kind,
        (
          state: State,
          message: Message,
          { self, from, send }: { self: string; from: string; send: (to: string, message: Message) => void },
        ) => {
          for (const one of act(plan, self, state, { from, message })) send(one.to, one.message)
        },
      ]),
    ),
  })
  return system('liars', { network: plan.network, faults: plan.faults }, () => ({
    machines: {
      ...Object.fromEntries(plan.correct.map((name) => [name, node.as()])),
      ...Object.fromEntries(plan.liars.map((name) => [name, byzantine(node, { says: plan.says[name] ?? [] })])),
    },
    invariants: [
      invariant<State>('looked at', (states) => {
        meets(textOf(states))
        return true
      }),
      ...forbidden.map((text, at) => invariant<State>(`state ${at}`, (states) => textOf(states) !== text)),
    ],
  }))
}
