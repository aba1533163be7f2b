/** Systems whose machines create others while they run, drawn at random. */
import { invariant, type MachineContext, machine, type Program, system } from 'allways'
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'

interface State {
  value: number
  /** Addresses. */
  known: string[]
}

interface Message {
  readonly kind: 'k0' | 'k1' | 'k2'
  readonly about: string | null
}

type Deed =
  | { readonly kind: 'create'; readonly as: string; readonly value: number }
  | { readonly kind: 'send'; readonly to: 'last' | 'first' | 'sender' | 'boss' | 'peer'; readonly message: number }
  | { readonly kind: 'add' | 'learn' | 'choose' }

interface Plan {
  readonly network: NetworkName
  readonly faults: FaultBudget
  readonly requests: { readonly boss: number; readonly peer: number }
  readonly request: readonly Deed[]
  /** By kind of message; of those that are declared, and of those that were created. */
  readonly declared: readonly (readonly Deed[])[]
  readonly created: readonly (readonly Deed[])[]
  /** Whether a created machine tells the peer of itself. */
  readonly greets: boolean
  readonly most: { readonly sum: number; readonly machines: number }
}

export function creatingSystem(network: NetworkName, seed: number): Program {
  return systemOf(planFor(network, seed))
}

const budgets: readonly FaultBudget[] = [{}, {}, { losses: 1 }, { duplicates: 1 }, { crashes: 1, restarts: 1 }]

function planFor(network: NetworkName, seed: number): Plan {
  const random = new Random(seed)
  const deeds = (least: number, creates: boolean): readonly Deed[] =>
    Array.from({ length: random.pick([0, 1, 1, 2]) }, () => deed(random, least, creates))
  return {
    network,
    faults: random.pick(budgets),
    requests: random.pick([
      { boss: 1, peer: 0 },
      { boss: 1, peer: 0 },
      { boss: 2, peer: 0 },
      { boss: 1, peer: 1 },
    ]),
    request: [{ kind: 'create', as: 'worker', value: random.below(2) }, ...deeds(0, true)],
    declared: [deeds(1, true), deeds(2, false), deeds(3, false)],
    created: [deeds(1, random.below(2) === 0), deeds(2, false), deeds(3, false)],
    greets: random.below(3) === 0,
    most: { sum: 1 + random.below(4), machines: 3 + random.below(3) },
  }
}

/** A message is answered with greater ones only, so that every execution ends. */
function deed(random: Random, least: number, creates: boolean): Deed {
  const draw = random.below(6)
  if (creates && draw === 0) return { kind: 'create', as: random.pick(['worker', 'helper']), value: random.below(2) }
  if (least > 2 || draw > 4) return { kind: random.pick(['add', 'add', 'learn', 'choose'] as const) }
  const to = random.pick(['last', 'last', 'first', 'sender', 'boss', 'peer'] as const)
  return { kind: 'send', to, message: Math.min(2, least + random.below(2)) }
}

function systemOf(plan: Plan): Program {
  const kind = (own: readonly (readonly Deed[])[], name: string) =>
    machine<State, Message, number>(name, {
      state: ({ args }) => ({ value: args, known: [] }),
      start(_, { self, send }) {
        if (name === 'worker' && plan.greets) send('peer', { kind: 'k1', about: self })
      },
      on: Object.fromEntries(
        own.map((deeds, at) => [
          `k${at}`,
          (state: State, message: Message, context: MachineContext<Message, number> & { readonly from: string }) =>
            perform(deeds, state, { context, message }),
        ]),
      ),
      requests: { go: (state, _, context) => perform(plan.request, state, { context }) },
      durable: ['known'],
    })
  const worker = kind(plan.created, 'worker')
  const perform = (
    deeds: readonly Deed[],
    state: State,
    given: {
      readonly context: MachineContext<Message, number> & { readonly from?: string }
      readonly message?: Message
    },
  ) => {
    const { context, message } = given
    for (const one of deeds) {
      const about = state.known.at(-1) ?? null
      if (one.kind === 'create') state.known.push(context.create(one.as, worker.as(one.value)))
      else if (one.kind === 'send') {
        const addresses = { last: about, first: state.known[0], sender: context.from, boss: 'boss', peer: 'peer' }
        const to = addresses[one.to]
        if (typeof to === 'string') context.send(to, { kind: `k${one.message}` as Message['kind'], about })
      } else if (one.kind === 'add') state.value++
      else if (one.kind === 'choose') state.value += context.choose([0, 1])
      else if (typeof message?.about === 'string') state.known.push(message.about)
    }
  }
  const declared = kind(plan.declared, 'declared')
  const { sum, machines } = plan.most
  return system('creating', { network: plan.network, faults: plan.faults }, () => ({
    machines: { boss: declared.as(0), peer: declared.as(0) },
    requests: {
      boss: Array.from({ length: plan.requests.boss }, () => ['go'] as const),
      peer: Array.from({ length: plan.requests.peer }, () => ['go'] as const),
    },
    invariants: [
      invariant<State>('sum', (states) => Object.values(states).reduce((all, { value }) => all + value, 0) < sum),
      invariant<State>('machines', (states) => Object.keys(states).length < machines),
      invariant<State>('known exist', (states) =>
        Object.values(states).every(({ known }) => known.every((address) => states[address] !== undefined)),
      ),
    ],
  }))
}
