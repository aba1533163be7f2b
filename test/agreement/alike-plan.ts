/**
 * Systems in which some machines play the same part, as plain data: replicas run one list of deeds, others have one each. Names of replicas get into states,
 * keys, messages and their payloads. A cheat is a deed by which replicas are told apart.
 */
import { conflict, type Invariant, invariant, type MachineContext, machine, type Program, system } from 'allways'
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Random } from '../../src/core/random.ts'

export type Deed =
  | { readonly kind: 'send'; readonly to: string; readonly message: number; readonly shows: boolean }
  | { readonly kind: 'broadcast'; readonly set: number; readonly message: number }
  | { readonly kind: 'pick'; readonly set: number; readonly message: number }
  | { readonly kind: 'reply'; readonly message: number }
  | { readonly kind: 'forward'; readonly message: number }
  | { readonly kind: 'keep' | 'list' | 'collect' | 'count' | 'add' | 'choose' | 'timer' }
  | { readonly kind: 'set'; readonly value: number }
  | { readonly kind: 'assert'; readonly below: number }
  | { readonly kind: 'when'; readonly is: number; readonly deed: Deed }
  | { readonly kind: 'whenKept'; readonly deed: Deed }
  | { readonly kind: 'cheat'; readonly cheat: Cheat }

export const cheats = ['compares', 'takesFirst', 'indexes', 'hides', 'prefers', 'isNamed'] as const
export type Cheat = (typeof cheats)[number]

export interface KindPlan {
  readonly on: readonly (readonly Deed[])[]
  readonly timer: readonly Deed[]
  readonly request: readonly Deed[]
  readonly start: readonly Deed[]
  readonly requests: number
  readonly durable: readonly (keyof Kept & string)[]
}

export interface AlikePlan {
  readonly sets: readonly (readonly string[])[]
  readonly others: readonly string[]
  /** Of each set, then of each other machine. */
  readonly kinds: readonly KindPlan[]
  readonly network: NetworkName
  readonly faults: FaultBudget
  /** Lists, sets and records of names are kept in order; otherwise names stay in the order in which they come. */
  readonly isSorted: boolean
  readonly invariant: { readonly kind: 'sum' | 'agree' | 'kept' | 'names'; readonly limit: number } | undefined
}

export interface Kept {
  value: number
  kept: string | undefined
  list: string[]
  collected: Set<string>
  counts: { [name: string]: number }
}

interface Told {
  readonly kind: string
  readonly who?: string
}

type Acting = MachineContext<Told, undefined> & { readonly from?: string }

const messages = 3

export function performed(plan: AlikePlan, deed: Deed, state: Kept, context: Acting, message?: Told): void {
  const send = (to: string, kind: number, who?: string) => {
    context.send(to, who === undefined ? { kind: `k${kind}` } : { kind: `k${kind}`, who })
  }
  const source = context.from ?? context.self
  switch (deed.kind) {
    case 'send':
      return send(deed.to, deed.message, deed.shows ? source : undefined)
    case 'broadcast':
      for (const name of plan.sets[deed.set] ?? []) send(name, deed.message)
      return
    case 'pick':
      return send(context.choose(plan.sets[deed.set] ?? [context.self]), deed.message, context.self)
    case 'reply':
      return send(source, deed.message)
    case 'forward':
      return send(message?.who ?? state.kept ?? context.self, deed.message, source)
    case 'keep':
      state.kept = message?.who ?? source
      return
    case 'list':
      if (plan.isSorted) state.list = [...new Set([...state.list, source])].sort()
      else if (state.list.length < 2) state.list.push(source)
      return
    case 'collect':
      state.collected.add(source)
      if (plan.isSorted) state.collected = new Set([...state.collected].sort())
      return
    case 'count': {
      state.counts[source] = ((state.counts[source] ?? 0) + 1) % 3
      const entries = Object.entries(state.counts)
      if (plan.isSorted) state.counts = Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
      return
    }
    case 'add':
      state.value = (state.value + 1) % 4
      return
    case 'choose':
      state.value = (state.value + context.choose([0, 1])) % 4
      return
    case 'timer':
      return context.setTimer('tick', { milliseconds: 10 })
    case 'set':
      state.value = deed.value
      return
    case 'assert':
      return context.assert(state.value < deed.below, `${context.self} is below ${deed.below}`)
    case 'when':
      if (state.value === deed.is) performed(plan, deed.deed, state, context, message)
      return
    case 'whenKept':
      if (state.kept === source) performed(plan, deed.deed, state, context, message)
      return
    case 'cheat':
      return cheated(plan, deed.cheat, state, source)
  }
}

function cheated({ sets }: AlikePlan, cheat: Cheat, state: Kept, source: string): void {
  const [first = []] = sets
  switch (cheat) {
    case 'compares':
      if (state.kept !== undefined && first.includes(source) && first.includes(state.kept) && source < state.kept)
        state.value = 3
      return
    case 'takesFirst':
      state.kept = [state.kept ?? source, source].sort()[0]
      return
    case 'indexes':
      state.value = first.indexOf(source) + 1
      return
    case 'hides':
      state.kept = `from ${source}`
      return
    case 'prefers':
      if (source === first[0]) state.value = 2
      return
    case 'isNamed':
      if (first.includes(source) && source.endsWith('1')) state.list = []
      else state.list = ['x']
      return
  }
}

export function systemOf(plan: AlikePlan): Program {
  const { sets, others, network, faults } = plan
  return system('alike', { network, faults }, () => {
    const kinds = plan.kinds.map((kind, at) => kindOf(plan, kind, at))
    const machines = [
      ...sets.flatMap((names, at) => names.map((name) => [name, at] as const)),
      ...others.map((name, at) => [name, sets.length + at] as const),
    ]
    return {
      machines: Object.fromEntries(machines.map(([name, at]) => [name, (kinds[at] as ReturnType<typeof kindOf>).as()])),
      alike: sets,
      requests: Object.fromEntries(
        machines.map(([name, at]) => [
          name,
          Array.from({ length: plan.kinds[at]?.requests ?? 0 }, () => ['go'] as const),
        ]),
      ),
      invariants: plan.invariant === undefined ? [] : [invariantOf(plan.invariant, sets)],
    }
  })
}

function kindOf(plan: AlikePlan, kind: KindPlan, at: number) {
  const all = (deeds: readonly Deed[], state: Kept, context: Acting, message?: Told) => {
    for (const deed of deeds) performed(plan, deed, state, context, message)
  }
  return machine<Kept, Told, undefined>(`kind ${at}`, {
    state: () => ({ value: 0, kept: undefined, list: [], collected: new Set(), counts: {} }),
    start: (state, context) => all(kind.start, state, context),
    on: Object.fromEntries(
      kind.on.map((deeds, message) => [
        `k${message}`,
        (state: Kept, told: Told, context: Acting) => all(deeds, state, context, told),
      ]),
    ),
    timers: { tick: (state, context) => all(kind.timer, state, context) },
    requests: { go: (state, _, context) => all(kind.request, state, context) },
    durable: kind.durable,
  })
}

function invariantOf({ kind, limit }: NonNullable<AlikePlan['invariant']>, sets: AlikePlan['sets']): Invariant {
  const [[first = ''] = []] = sets
  switch (kind) {
    case 'sum':
      return invariant<Kept>(
        'sum',
        (states) => Object.values(states).reduce((sum, { value }) => sum + value, 0) < limit + 3,
      )
    case 'agree':
      return conflict<Kept, number>('agree', { each: ({ value }) => (value > limit ? value : undefined) })
    case 'kept':
      return invariant<Kept>(
        'kept',
        (states) => Object.values(states).filter((one) => one.kept !== undefined).length <= limit,
      )
    // Names one machine.
    case 'names':
      return invariant<Kept>('names', (states) => (states[first] as Kept).value <= limit)
  }
}

/** What a handler of message `above` may send is above it, so that no system sends for ever. */
function drawnDeed(random: Random, plan: Pick<AlikePlan, 'sets' | 'others'>, above: number): Deed {
  const { sets, others } = plan
  const sends = above < messages
  const message = sends ? above + random.below(messages - above) : 0
  const set = random.below(sets.length)
  const inner = () => drawnDeed(random, plan, above)
  switch (random.below(sends ? 15 : 9)) {
    case 0:
      return { kind: 'keep' }
    case 1:
      return { kind: random.pick(['list', 'collect', 'count'] as const) }
    case 2:
      return { kind: 'add' }
    case 3:
      return { kind: 'choose' }
    case 4:
      return { kind: 'set', value: random.below(3) }
    case 5:
      return { kind: 'assert', below: 2 + random.below(3) }
    case 6:
    case 7:
      return { kind: 'when', is: random.below(3), deed: inner() }
    case 8:
      return { kind: 'whenKept', deed: inner() }
    case 9:
    case 10:
      return { kind: 'reply', message }
    case 11:
      return { kind: 'forward', message }
    case 12:
      return others.length === 0
        ? { kind: 'pick', set, message }
        : { kind: 'send', to: random.pick(others), message, shows: random.below(2) === 0 }
    case 13:
      return { kind: 'pick', set, message }
    default:
      return { kind: 'broadcast', set, message }
  }
}

/** There is one beginning. */
function isPlain(deed: Deed): boolean {
  if (deed.kind === 'when' || deed.kind === 'whenKept') return isPlain(deed.deed)
  return deed.kind !== 'choose' && deed.kind !== 'pick' && deed.kind !== 'assert'
}

export function drawnPlan(random: Random, network: NetworkName): AlikePlan {
  const size = 2 + random.below(3)
  const sets = [Array.from({ length: size }, (_, at) => `r${at + 1}`)]
  if (size === 2 && random.below(3) === 0) sets.push(['s1', 's2'])
  const others = Array.from({ length: random.below(3) }, (_, at) => `o${at + 1}`)
  const parts = { sets, others }
  const deeds = (above: number, most: number) =>
    Array.from({ length: random.below(most + 1) }, () => drawnDeed(random, parts, above))
  const kinds = Array.from({ length: sets.length + others.length }, (_, at): KindPlan => {
    return {
      on: Array.from({ length: messages }, (_, message) => deeds(message + 1, 2)),
      timer: deeds(1, 2),
      request: deeds(0, 2),
      start: deeds(at < sets.length ? 1 : 0, at < sets.length && size > 2 ? 1 : 2).filter(isPlain),
      requests: random.below(at < sets.length && size > 2 ? 2 : 3),
      durable: random.below(2) === 0 ? ['value', 'kept'] : [],
    }
  })
  const faults: FaultBudget =
    random.below(3) === 0 ? { crashes: 1, restarts: 1 } : random.below(2) === 0 ? { losses: 'any' } : {}
  const kind = random.pick(['sum', 'agree', 'kept', undefined] as const)
  const isSorted = random.below(2) === 0
  return { ...parts, kinds, network, faults, isSorted, invariant: kind && { kind, limit: 1 + random.below(3) } }
}

/** The same with a deed by which replicas are told apart, or with an invariant that names one of them. Each of them is asked to send to all. */
export function cheating(plan: AlikePlan, cheat: Cheat | 'names'): AlikePlan {
  if (cheat === 'names') return { ...plan, invariant: { kind: 'names', limit: 0 } }
  const deeds: readonly Deed[] = [
    { kind: 'cheat', cheat },
    ...(cheat === 'compares' ? [{ kind: 'keep' } as const] : []),
  ]
  const request: readonly Deed[] = [{ kind: 'broadcast', set: 0, message: messages - 1 }]
  const kinds = plan.kinds.map((kind) => ({
    ...kind,
    requests: 1,
    request,
    on: kind.on.map((all) => [...all, ...deeds]),
  }))
  return { ...plan, kinds }
}
