/**
 * Random systems of machines, small enough to be explored in full by naive search. What machines do is data, interpreted by one
 * handler, so that a system that fails can be read and shrunk.
 */
import { conflict, type Invariant, invariant, machine, type Program, system } from 'allways'
import { Random } from '../../src/core/random.ts'

/** What a machine does in a handler: plain data. */
export type Deed =
  | { readonly kind: 'send'; readonly to: number; readonly message: number }
  /** Send to whoever sent the message. */
  | { readonly kind: 'reply'; readonly message: number }
  | { readonly kind: 'add'; readonly by: number }
  | { readonly kind: 'set'; readonly value: number }
  | { readonly kind: 'note' }
  | { readonly kind: 'timer'; readonly on: boolean }
  /** Adds one of these. */
  | { readonly kind: 'choose'; readonly among: readonly number[] }
  | { readonly kind: 'assert'; readonly below: number }
  /** Only if the value is this. */
  | { readonly kind: 'when'; readonly value: number; readonly deed: Deed }

export interface MachinePlan {
  /** By message: 0, 1, 2. */
  readonly on: readonly (readonly Deed[])[]
  readonly timer: readonly Deed[]
  readonly request: readonly Deed[]
  readonly start: readonly Deed[]
  readonly requests: number
}

export interface SystemPlan {
  readonly machines: readonly MachinePlan[]
  readonly network: 'bag' | 'fifo'
  readonly loss: boolean
  readonly duplicates: number
  readonly crashes: number
  readonly durable: boolean
  readonly invariants: readonly InvariantPlan[]
}

export type InvariantPlan =
  /** The sum of all values stays below. */
  | { readonly kind: 'sum'; readonly below: number }
  /** No two machines have values above the limit that differ. */
  | { readonly kind: 'differ'; readonly above: number }

export interface GeneratedState {
  value: number
  /** Who sent, as far as it was noted; at most two. */
  notes: string[]
}

/** The same seed gives the same plan, everywhere. */
export function generatedPlan(seed: number): SystemPlan {
  const random = new Random(seed)
  const size = random.below(3) === 0 ? 3 : 2
  const machines = Array.from({ length: size }, (_, at) => machinePlan(random, size, at === 0))
  const order = random.below(2) === 0 ? 'bag' : 'fifo'
  return {
    machines,
    network: order,
    loss: random.below(2) === 0,
    duplicates: random.below(6) === 0 ? 1 : 0,
    crashes: random.below(6) === 0 ? 1 : 0,
    durable: random.below(2) === 0,
    invariants: [
      { kind: 'sum', below: 1 + random.below(3) },
      ...(random.below(2) === 0 ? [{ kind: 'differ', above: random.below(2) } as const] : []),
    ],
  }
}

function machinePlan(random: Random, size: number, isAsked: boolean): MachinePlan {
  return {
    // A message is answered with greater ones only, so that every execution ends.
    on: [0, 1, 2].map((message) => deeds(random, size, message + 1)),
    timer: random.below(3) === 0 ? deeds(random, size, 1, { timer: false }) : [],
    // Who does nothing when asked lets nothing happen.
    request: [{ kind: 'send', to: random.below(size), message: random.below(2) }, ...deeds(random, size, 0)],
    start: random.below(4) === 0 ? [{ kind: 'timer', on: true }] : [],
    requests: isAsked ? 1 : random.below(2),
  }
}

function deeds(random: Random, size: number, least: number, allowed = { timer: true }): readonly Deed[] {
  return Array.from({ length: random.below(3) }, () => deed(random, size, least, allowed))
}

function deed(random: Random, size: number, least: number, allowed: { readonly timer: boolean }): Deed {
  const message = Math.min(2, least + random.below(2))
  const canSend = least <= 2
  switch (random.below(10)) {
    case 0:
    case 1:
      return canSend ? { kind: 'send', to: random.below(size), message } : { kind: 'note' }
    case 2:
      return canSend ? { kind: 'reply', message } : { kind: 'note' }
    case 3:
    case 4:
      return { kind: 'add', by: 1 }
    case 5:
      return { kind: 'set', value: random.below(3) }
    case 6:
      return allowed.timer ? { kind: 'timer', on: random.below(3) > 0 } : { kind: 'note' }
    case 7:
      return { kind: 'choose', among: [0, 1] }
    case 8:
      return { kind: 'assert', below: 1 + random.below(3) }
    default:
      return { kind: 'when', value: random.below(2), deed: deed(random, size, least, allowed) }
  }
}

type GeneratedMessage = { readonly kind: 'm0' } | { readonly kind: 'm1' } | { readonly kind: 'm2' }

const generated = machine<GeneratedState, GeneratedMessage, MachinePlan>('generated', {
  state: () => ({ value: 0, notes: [] }),
  start: (state, context) => perform(context.args.start, state, context),
  on: {
    m0: (state, _, context) => perform(context.args.on[0] ?? [], state, context),
    m1: (state, _, context) => perform(context.args.on[1] ?? [], state, context),
    m2: (state, _, context) => perform(context.args.on[2] ?? [], state, context),
  },
  timers: { tick: (state, context) => perform(context.args.timer, state, context) },
  requests: { go: (state, _, context) => perform(context.args.request, state, context) },
})

const durable = machine<GeneratedState, GeneratedMessage, MachinePlan>('durable', {
  state: () => ({ value: 0, notes: [] }),
  start: (state, context) => perform(context.args.start, state, context),
  on: { '*': (state, { kind }, context) => perform(context.args.on[Number(kind.slice(1))] ?? [], state, context) },
  timers: { tick: (state, context) => perform(context.args.timer, state, context) },
  requests: { go: (state, _, context) => perform(context.args.request, state, context) },
  durable: ['value'],
})

interface Acting {
  readonly self: string
  readonly from?: string
  send(to: string, message: GeneratedMessage): void
  setTimer(name: string): void
  cancelTimer(name: string): void
  choose(options: readonly number[]): number
  assert(condition: boolean, message: string): void
}

function perform(list: readonly Deed[], state: GeneratedState, context: Acting): void {
  for (const one of list) performOne(one, state, context)
}

function performOne(one: Deed, state: GeneratedState, context: Acting): void {
  switch (one.kind) {
    case 'send':
      return context.send(`m ${one.to}`, { kind: `m${one.message}` } as GeneratedMessage)
    case 'reply':
      return context.send(context.from ?? context.self, { kind: `m${one.message}` } as GeneratedMessage)
    case 'add':
      state.value += one.by
      return
    case 'set':
      state.value = one.value
      return
    case 'note':
      if (state.notes.length < 2) state.notes.push(context.from ?? 'nobody')
      return
    case 'timer':
      return one.on ? context.setTimer('tick') : context.cancelTimer('tick')
    case 'choose':
      state.value += context.choose(one.among)
      return
    case 'assert':
      return context.assert(state.value < one.below, `the value is below ${one.below}`)
    case 'when':
      if (state.value === one.value) performOne(one.deed, state, context)
      return
  }
}

export function generatedSystem(plan: SystemPlan): Program {
  const { network, loss, duplicates, crashes } = plan
  const kind = plan.durable ? durable : generated
  return system('generated', { network, loss, duplicates, crashes }, () => ({
    machines: Object.fromEntries(plan.machines.map((one, at) => [`m ${at}`, kind.as(one)])),
    requests: Object.fromEntries(
      plan.machines.map((one, at) => [`m ${at}`, Array.from({ length: one.requests }, () => ['go'] as const)]),
    ),
    invariants: plan.invariants.map(invariantFor),
  }))
}

function invariantFor(plan: InvariantPlan): Invariant {
  if (plan.kind === 'sum') {
    return invariant<GeneratedState>('sum', (states) => {
      const sum = Object.values(states).reduce((total, { value }) => total + value, 0)
      return sum < plan.below || 'the sum is too large'
    })
  }
  // The text of a conflict says who, which engines may find in different order: this one says nothing.
  return conflict<GeneratedState, number>('differ', {
    each: ({ value }) => (value > plan.above ? value : undefined),
    conflict: (left, right) => left !== right,
  })
}
