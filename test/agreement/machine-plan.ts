/**
 * Systems of machines as plain data: what each machine does on each event is a list of deeds, so that a system on which engines
 * disagree can be printed and made smaller. `generatedSystem` says it in the words that users have.
 */
import { conflict, type Invariant, invariant, machine, type Program, type SystemParts, system } from 'allways'
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'

/** What a machine does in a handler. */
export type Deed =
  | { readonly kind: 'send'; readonly to: number; readonly message: number }
  /** Sends with the greatest number it has seen. */
  | { readonly kind: 'tell'; readonly to: number; readonly message: number }
  /** Sends to whoever sent the message, or to itself. */
  | { readonly kind: 'reply'; readonly message: number }
  | { readonly kind: 'add' }
  | { readonly kind: 'set'; readonly value: number }
  /** Has seen the number that the message tells. */
  | { readonly kind: 'raise' }
  /** Takes a number above all that it has seen. */
  | { readonly kind: 'exceed' }
  /** Writes down who sent. */
  | { readonly kind: 'note' }
  | { readonly kind: 'timer'; readonly on: boolean }
  /** Adds 0 or 1. */
  | { readonly kind: 'choose' }
  | { readonly kind: 'assert'; readonly below: number }
  | { readonly kind: 'throw' }
  /** Tells monitors its value. */
  | { readonly kind: 'announce' }
  | { readonly kind: 'when'; readonly field: 'value' | 'seen'; readonly is: number; readonly deed: Deed }

export interface MachinePlan {
  /** By message. To receive a message without a handler is a violation, unless there is one for others. */
  readonly on: readonly (readonly Deed[] | undefined)[]
  readonly others: readonly Deed[] | undefined
  readonly timer: readonly Deed[]
  readonly request: readonly Deed[]
  /** Sends and timers only: there is one beginning. */
  readonly start: readonly Deed[]
  readonly requests: number
  readonly durable: readonly Field[]
}

export type Field = 'value' | 'seen' | 'notes'

export interface SystemPlan {
  readonly machines: readonly MachinePlan[]
  readonly network: NetworkName
  readonly faults: FaultBudget
  readonly invariants: readonly InvariantPlan[]
}

export type InvariantPlan =
  | { readonly kind: 'sum'; readonly below: number }
  /** Machines never have exactly these values, each its own. */
  | { readonly kind: 'never'; readonly values: readonly number[] }
  /** No machine has the first value while another has the second. */
  | { readonly kind: 'clash'; readonly first: number; readonly second: number }
  /** Those above the limit are equal. */
  | { readonly kind: 'agree'; readonly field: 'value' | 'seen'; readonly above: number }

export interface PlannedState {
  value: number
  seen: number
  /** At most two. */
  notes: string[]
}

export interface PlannedMessage {
  readonly kind: string
  readonly seen?: number
}

export const nameOf = (machine: number): string => `m ${machine}`
export const kindOf = (machine: number): string => `kind ${machine}`
export const invariantName = ({ kind }: InvariantPlan, at: number): string => `${kind} ${at}`

export const firstState = (): PlannedState => ({ value: 0, seen: 0, notes: [] })

/** What deeds need of whoever runs them. */
export interface Acting {
  readonly self: string
  readonly from?: string
  send(to: string, message: PlannedMessage): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
  cancelTimer(name: string): void
  choose(options: readonly number[]): number
  assert(condition: boolean, message: string): void
  announce(event: { readonly kind: string; readonly value: number }): void
}

export function perform(
  deeds: readonly Deed[],
  state: PlannedState,
  context: Acting,
  message: PlannedMessage | undefined,
): void {
  for (const deed of deeds) performOne(deed, state, context, message)
}

function performOne(deed: Deed, state: PlannedState, context: Acting, message: PlannedMessage | undefined): void {
  switch (deed.kind) {
    case 'send':
      return context.send(nameOf(deed.to), { kind: `k${deed.message}` })
    case 'tell':
      return context.send(nameOf(deed.to), { kind: `k${deed.message}`, seen: state.seen })
    case 'reply':
      return context.send(context.from ?? context.self, { kind: `k${deed.message}` })
    case 'add':
      state.value++
      return
    case 'set':
      state.value = deed.value
      return
    case 'raise':
      state.seen = Math.max(state.seen, message?.seen ?? 0)
      return
    case 'exceed':
      state.seen++
      return
    case 'note':
      if (state.notes.length < 2) state.notes.push(context.from ?? 'nobody')
      return
    case 'timer':
      return deed.on ? context.setTimer('tick', { milliseconds: 10 }) : context.cancelTimer('tick')
    case 'choose':
      state.value += context.choose([0, 1])
      return
    case 'assert':
      return context.assert(state.value < deed.below, `the value is below ${deed.below}`)
    case 'announce':
      return context.announce({ kind: 'told', value: state.value })
    case 'throw':
      throw new Error('this should not happen')
    case 'when':
      if (state[deed.field] === deed.is) performOne(deed.deed, state, context, message)
      return
  }
}

export function generatedSystem(plan: SystemPlan, monitors: SystemParts['monitors'] = []): Program {
  const { network, faults } = plan
  const kinds = plan.machines.map(machineOf)
  return system('generated', { network, faults }, () => ({
    machines: Object.fromEntries(kinds.map((kind, at) => [nameOf(at), kind.as()])),
    requests: Object.fromEntries(
      plan.machines.map(({ requests }, at) => [nameOf(at), Array.from({ length: requests }, () => ['go'] as const)]),
    ),
    invariants: plan.invariants.map(invariantOf),
    monitors,
  }))
}

function machineOf(plan: MachinePlan, at: number) {
  type Handler = (state: PlannedState, message: PlannedMessage, context: Acting) => void
  const handler =
    (deeds: readonly Deed[]): Handler =>
    (state, message, context) =>
      perform(deeds, state, context, message)
  const handlers = plan.on.flatMap((deeds, message) =>
    deeds === undefined ? [] : [[`k${message}`, handler(deeds)] as const],
  )
  return machine<PlannedState, PlannedMessage>(kindOf(at), {
    state: firstState,
    start: (state, context) => perform(plan.start, state, context, undefined),
    on: { ...Object.fromEntries(handlers), ...(plan.others === undefined ? {} : { '*': handler(plan.others) }) },
    timers: { tick: (state, context) => perform(plan.timer, state, context, undefined) },
    requests: { go: (state, _, context) => perform(plan.request, state, context, undefined) },
    durable: plan.durable,
  })
}

function invariantOf(plan: InvariantPlan, at: number): Invariant {
  const name = invariantName(plan, at)
  switch (plan.kind) {
    case 'sum':
      return invariant<PlannedState>(name, (states) => {
        const sum = Object.values(states).reduce((total, { value }) => total + value, 0)
        return sum < plan.below || `the sum is ${sum}`
      })
    case 'never':
      return invariant<PlannedState>(name, (states) => {
        return !Object.values(states).every(({ value }, machine) => value === plan.values[machine])
      })
    case 'clash':
      return conflict<PlannedState, number>(name, {
        each: ({ value }) => (value === plan.first || value === plan.second ? value : undefined),
        conflict: (left, right) => left === plan.first && right === plan.second,
      })
    case 'agree':
      return conflict<PlannedState, number>(name, {
        each: (state) => (state[plan.field] > plan.above ? state[plan.field] : undefined),
      })
  }
}
