/**
 * Whether some interleaving of processes has a call that an object refuses: a search of all of them that remembers where it has been, with networks of its own.
 * It knows nothing of engines, and asks the object alone.
 */
import { encodeValue, type Value } from '../../src/core/value.ts'
import { type AbstractCall, abstractObjectOf, type Refined } from '../../src/program/refinement.ts'

export type Step =
  | { readonly kind: 'send'; readonly to: number }
  | { readonly kind: 'receive' }
  | { readonly kind: 'call'; readonly call: () => never }
  | { readonly kind: 'leave to another'; readonly call: () => never; readonly isJoined: boolean }

export interface Plan {
  readonly network: 'bag' | 'fifo' | 'causal' | 'sender-queue'
  /** Each begins when it receives its first message; these are sent in order, by one who does nothing else. */
  readonly processes: readonly (readonly Step[])[]
}

interface Message {
  readonly id: string
  readonly from: number
  readonly to: number
  /** Messages under way that were sent before it, for sure. */
  readonly past: readonly string[]
}

interface Running {
  readonly at: number
  readonly sent: number
  readonly knows: readonly string[]
}

interface Child {
  readonly of: number
  readonly at: number
  readonly isDone: boolean
}

interface State {
  readonly running: readonly Running[]
  readonly children: readonly Child[]
  readonly underWay: readonly Message[]
  readonly object: Value
}

const notBegun = -1
const nobody = -1

export function isRefused(plan: Plan, refined: Refined): boolean {
  const object = abstractObjectOf(refined)
  if (object === undefined) throw new Error('a specification is refined')
  const after = (state: State, call: () => never): Value | undefined => {
    const applied = object.after(state.object, call() as AbstractCall)
    return 'refused' in applied ? undefined : applied.state
  }
  const open: State[] = [beginning(plan, object.first)]
  const met = new Set<string>()
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const key = encodeValue(state as unknown as Value)
    if (met.has(key)) continue
    met.add(key)
    for (const next of moves(plan, state, after)) {
      if (next === undefined) return true
      open.push(next)
    }
  }
  return false
}

function beginning({ processes }: Plan, object: Value): State {
  const ids = processes.map((_, to) => `begin ${to}`)
  const underWay = processes.map((_, to) => ({ id: ids[to] as string, from: nobody, to, past: ids.slice(0, to) }))
  return { running: processes.map(() => ({ at: notBegun, sent: 0, knows: [] })), children: [], underWay, object }
}

/** What each process may do next; nothing where a call is refused. */
function* moves(plan: Plan, state: State, after: (state: State, call: () => never) => Value | undefined) {
  for (const [who, one] of state.running.entries()) {
    const step = one.at === notBegun ? ({ kind: 'receive' } as const) : plan.processes[who]?.[one.at]
    const on = { ...one, at: one.at + 1 }
    if (step?.kind === 'call') yield called(moved(state, who, on), after(state, step.call))
    else if (step?.kind === 'send') yield sent(state, who, step.to)
    else if (step?.kind === 'receive') yield* received(plan, state, who)
    else if (step?.kind === 'leave to another') {
      const child = state.children.find(({ of, at }) => of === who && at === one.at)
      const children = [...state.children, { of: who, at: one.at, isDone: false }]
      if (child === undefined) yield { ...(step.isJoined ? state : moved(state, who, on)), children }
      else if (step.isJoined && child.isDone) yield moved(state, who, on)
    }
  }
  for (const child of state.children) {
    const step = plan.processes[child.of]?.[child.at]
    if (child.isDone || step?.kind !== 'leave to another') continue
    const children = state.children.map((one) => (one === child ? { ...one, isDone: true } : one))
    yield called({ ...state, children }, after(state, step.call))
  }
}

function called(state: State, object: Value | undefined): State | undefined {
  return object === undefined ? undefined : { ...state, object }
}

function moved(state: State, who: number, to: Running): State {
  return { ...state, running: state.running.map((one, at) => (at === who ? to : one)) }
}

function sent(state: State, who: number, to: number): State {
  const one = state.running[who] as Running
  const id = `${who}.${one.sent}`
  const underWay = [...state.underWay, { id, from: who, to, past: one.knows }]
  const knows = [...one.knows, id].sort()
  return { ...moved(state, who, { at: one.at + 1, sent: one.sent + 1, knows }), underWay }
}

function* received({ network }: Plan, state: State, who: number): Generator<State, void> {
  const one = state.running[who] as Running
  for (const message of state.underWay) {
    const isBegin = message.from === nobody
    if (message.to !== who || isBegin !== (one.at === notBegun)) continue
    const earlier = state.underWay.slice(0, state.underWay.indexOf(message))
    if (earlier.some((other) => holdsBack(network, other, message))) continue
    const knows = [...new Set([...one.knows, ...message.past])].sort()
    const next = moved(state, who, { ...one, at: one.at + 1, knows })
    const running = next.running.map((each) => ({ ...each, knows: each.knows.filter((id) => id !== message.id) }))
    yield { ...next, running, underWay: state.underWay.filter((other) => other !== message) }
  }
}

/** Whether a message that was sent before must be received before. */
function holdsBack(network: Plan['network'], other: Message, message: Message): boolean {
  switch (network) {
    case 'bag':
      return false
    case 'fifo':
      return other.from === message.from && other.to === message.to
    case 'causal':
      return other.to === message.to && message.past.includes(other.id)
    case 'sender-queue':
      return other.from === message.from
  }
}
