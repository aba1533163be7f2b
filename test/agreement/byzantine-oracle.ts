/**
 * Every state that a system with liars comes to, by plain enumeration. Nothing is shared with the engines: a liar says something in a step of its own,
 * what it says travels as its network says, and it has seen a signature when a message with it was put into the network by anybody.
 */
import { mostOf } from '../../src/core/faults.ts'
import { act, beginning, type Message, type Plan, type Sent, type State, textOf } from './byzantine-plan.ts'

interface Whole {
  readonly states: { readonly [machine: string]: State }
  readonly restarts: number
  readonly losses: number
  readonly duplicates: number
  /** In sending order; on fifo the first of each pair is next. */
  readonly air: readonly Sent[]
  readonly said: readonly string[]
  readonly seen: readonly string[]
}

export interface Enumerated {
  /** Texts of the states of correct machines. */
  readonly met: ReadonlySet<string>
  /** Whether a liar ever says something that a correct machine has signed. */
  readonly relayed: boolean
  readonly isCut: boolean
}

export function enumerated(plan: Plan, mostStates: number): Enumerated {
  const met = new Set<string>()
  const known = new Set<string>()
  const said = new Set<string>()
  const open: Whole[] = []
  const meet = (whole: Whole): void => {
    const key = JSON.stringify(plan.network === 'bag' ? { ...whole, air: whole.air.map(textOfSent).sort() } : whole)
    if (known.has(key)) return
    known.add(key)
    met.add(textOf(whole.states))
    open.push(whole)
  }
  meet(begun(plan))
  for (let whole = open.pop(); whole !== undefined; whole = open.pop()) {
    for (const next of [...sayings(plan, whole), ...deliveries(plan, whole), ...faults(plan, whole)]) meet(next)
    for (const text of whole.said) said.add(text)
    if (known.size > mostStates) return { met, relayed: false, isCut: true }
  }
  const relayed = [...said].some((text) => isRelay(plan, (JSON.parse(text) as Sent).message))
  return { met, relayed, isCut: false }
}

function textOfSent(sent: Sent): string {
  return JSON.stringify(sent)
}

function isRelay({ correct }: Plan, { note }: Message): boolean {
  return note !== undefined && correct.includes(note.by)
}

function begun(plan: Plan): Whole {
  const states = Object.fromEntries(plan.correct.map((self) => [self, beginning(plan)]))
  const sent = plan.correct.flatMap((self) => act(plan, self, states[self] as State))
  return sending({ states, restarts: 0, losses: 0, duplicates: 0, air: [], said: [], seen: [] }, sent)
}

function sending(whole: Whole, sent: readonly Sent[]): Whole {
  const shown = sent.flatMap(({ message: { note } }) => (note === undefined ? [] : [JSON.stringify(note)]))
  return { ...whole, air: [...whole.air, ...sent], seen: [...new Set([...whole.seen, ...shown])].sort() }
}

function sayings(plan: Plan, whole: Whole): readonly Whole[] {
  const all = plan.liars.flatMap((from) =>
    (plan.says[from] ?? []).flatMap((message) => plan.correct.map((to) => ({ from, to, message }))),
  )
  return all.flatMap((one) => {
    const text = textOfSent(one)
    const { note } = one.message
    const isKnown = note === undefined || plan.liars.includes(note.by) || whole.seen.includes(JSON.stringify(note))
    if (whole.said.includes(text) || !isKnown) return []
    return [{ ...sending(whole, [one]), said: [...whole.said, text].sort() }]
  })
}

function isNext({ network }: Plan, { air }: Whole, at: number): boolean {
  const { from, to } = air[at] as Sent
  return network === 'bag' || air.findIndex((one) => one.from === from && one.to === to) === at
}

function deliveries(plan: Plan, whole: Whole): readonly Whole[] {
  return whole.air.flatMap((one, at) => {
    const { to } = one
    if (!isNext(plan, whole, at)) return []
    const rest = { ...whole, air: whole.air.toSpliced(at, 1) }
    if (plan.liars.includes(to)) return [rest]
    const state = structuredClone(whole.states[to] as State)
    const sent = act(plan, to, state, one)
    return [sending({ ...rest, states: { ...whole.states, [to]: state } }, sent)]
  })
}

/** What is lost is lost where it would be delivered next; what is duplicated is there twice, one after the other. Liars need no faults. */
function faults(plan: Plan, whole: Whole): readonly Whole[] {
  const { losses, duplicates, restarts } = whole
  const network = whole.air.flatMap((one, at): readonly Whole[] => {
    if (plan.liars.includes(one.from)) return []
    const lost = {
      ...whole,
      air: whole.air.toSpliced(at, 1),
      losses: mostOf(plan.faults, 'losses') === Number.POSITIVE_INFINITY ? 0 : losses + 1,
    }
    const twice = { ...whole, air: whole.air.toSpliced(at, 0, one), duplicates: duplicates + 1 }
    return [
      ...(losses < mostOf(plan.faults, 'losses') ? [lost] : []),
      ...(duplicates < mostOf(plan.faults, 'duplicates') ? [twice] : []),
    ]
  })
  const crashed = plan.correct.flatMap((self): readonly Whole[] => {
    if (restarts >= mostOf(plan.faults, 'restarts')) return []
    const state = beginning(plan)
    const sent = act(plan, self, state)
    return [sending({ ...whole, restarts: restarts + 1, states: { ...whole.states, [self]: state } }, sent)]
  })
  return [...network, ...crashed]
}
