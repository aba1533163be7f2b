/**
 * Soundness verification (LMC §4.1, `isStateSound`): can machines be in these states at the same time?
 *
 * The paper enumerates one sequence of events per machine in every combination and tries each; its cost was what limited LMC (§5.2).
 * Here all sequences are searched at once, from the end backwards. A point of the search is a state per machine and the
 * messages consumed after it that must be sent before it (`needs.ts`). Going back over a transition takes what it sends off
 * the needs and adds what it consumes. A point from which the start is reached with nothing left to send is an execution. Without
 * order, a point is only worth visiting if no visited one needs less in the same states, so that the search ends even where
 * machines send for ever (coverability of a vector addition system). Machines that nobody asked about are `anywhere`: they
 * are placed once something is needed that only they send.
 *
 * Points that did not lead to the start do not lead there for another question either, and are kept as long as no transition
 * is added. Three things keep the search small: what must have been sent, by all paths, must fit what each machine can have sent
 * (`must-consume.ts`, `send-capacity.ts`); a machine whose last transition sends nothing that the others can still come to
 * need goes back alone, as no order with the others matters.
 */
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import type { MachineNetwork } from '../../program/machines.ts'
import { BagNeeds } from './bag-needs.ts'
import { FifoNeeds } from './fifo-needs.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { MustConsume } from './must-consume.ts'
import { anywhere, type Needs, noNeeds } from './needs.ts'
import { SendCapacity } from './send-capacity.ts'

/** A point that is looked at and not visited costs a fraction of one that is. */
const lookedAtPerVisited = 8

export type Reachability =
  | { readonly kind: 'reachable'; readonly execution: readonly Transition[] }
  | { readonly kind: 'unreachable' }
  /** The effort was not enough to tell. */
  | { readonly kind: 'undecided' }

/** What a search is given that all searches over one explored space share. */
export interface Explored {
  readonly spaces: readonly LocalSpace[]
  readonly messages: Messages
  readonly network: MachineNetwork
}

interface Point {
  readonly places: number
  readonly needs: number
  readonly after: Point | undefined
  /** Leads from this point to `after`. */
  readonly transition: Transition | undefined
}

export class Soundness {
  readonly #explored: Explored
  readonly #needs: Needs
  readonly #places = new SequenceInterner()
  readonly #capacities: (SendCapacity | undefined)[] = []
  readonly #mustConsume: (MustConsume | undefined)[] = []
  /** By combination of states: what all paths to them consume, by sender. */
  readonly #required: (ReadonlyMap<number, number>[] | undefined)[] = []
  /** By message: states of its receiver that have a path on which it is consumed. */
  readonly #consumers: (Uint8Array | undefined)[] = []
  /** By message: transitions that send it. */
  readonly #sending = new Map<number, Transition[]>()
  /** By combination of states: needs of visited points, none of which leads to the start, or of the search under way. */
  readonly #visited: (number[] | undefined)[] = []
  /** Points visited so far. */
  points = 0

  constructor(explored: Explored) {
    this.#explored = explored
    const { spaces, messages, network } = explored
    this.#needs =
      network.order === 'bag' ? new BagNeeds(messages, network.duplicates) : new FifoNeeds(spaces, messages, network)
    for (const { transitions } of explored.spaces)
      for (const transition of transitions)
        for (const message of new Set(transition.sent)) {
          const list = this.#sending.get(message)
          if (list === undefined) this.#sending.set(message, [transition])
          else list.push(transition)
        }
  }

  /** Visits at most `effort` points, fewer where each has many before it. The execution ends with machines in these states and the message, if any, under way. */
  reach(states: readonly number[], message: number, effort: number): Reachability {
    const needs = message === noMessage ? noNeeds : this.#needs.consumed(noNeeds, message)
    const entered: Point[] = []
    const stack: Point[] = []
    this.#visit({ places: this.#places.intern(states), needs, after: undefined, transition: undefined }, stack, entered)
    for (let left = effort; left > 0; ) {
      const point = stack.pop()
      if (point === undefined) return { kind: 'unreachable' }
      this.points++
      if (this.#isStart(point)) {
        this.#forget(entered)
        return { kind: 'reachable', execution: executionFrom(point) }
      }
      const before = this.#pointsBefore(point)
      left -= 1 + before.length / lookedAtPerVisited
      for (let at = before.length - 1; at >= 0; at--) this.#visit(before[at] as Point, stack, entered)
    }
    if (stack.length === 0) return { kind: 'unreachable' }
    this.#forget(entered)
    return { kind: 'undecided' }
  }

  #isStart({ places, needs }: Point): boolean {
    return (
      this.#places.at(places).every((state) => state === startState || state === anywhere) &&
      this.#needs.metAtStart(needs)
    )
  }

  #visit(point: Point, stack: Point[], entered: Point[]): void {
    const known = this.#visited[point.places] ?? []
    if (known.some((needs) => this.#needs.within(needs, point.needs))) return
    if (!this.#canBeMet(point)) return
    known.push(point.needs)
    this.#visited[point.places] = known
    entered.push(point)
    stack.push(point)
  }

  /** What was not followed to its end says nothing about later searches. */
  #forget(entered: readonly Point[]): void {
    for (const { places, needs } of entered) {
      const known = this.#visited[places]
      const at = known?.lastIndexOf(needs) ?? -1
      if (at >= 0) known?.splice(at, 1)
    }
  }

  #pointsBefore(point: Point): readonly Point[] {
    const states = this.#places.at(point.places)
    for (const [machine, state] of states.entries())
      if (this.#canGoBackAlone(machine, state, states)) return this.#pointsBeforeMachine(point, machine)
    return [...states.keys()].flatMap((machine) => this.#pointsBeforeMachine(point, machine))
  }

  #canGoBackAlone(machine: number, state: number, states: readonly number[]): boolean {
    if (state === anywhere || state === startState) return false
    for (const { sent } of this.#explored.spaces[machine]?.into[state] ?? []) {
      for (const message of sent) {
        const receiver = this.#explored.messages.receivers[message] as number
        if (receiver < 0 || receiver === machine) continue
        if (this.#mayConsumeBefore(receiver, states[receiver] as number, message)) return false
      }
    }
    return true
  }

  #pointsBeforeMachine(point: Point, machine: number): readonly Point[] {
    const states = this.#places.at(point.places)
    const state = states[machine] as number
    const transitions =
      state === anywhere
        ? this.#transitionsThatServe(point, machine)
        : (this.#explored.spaces[machine] as LocalSpace).into[state]
    const found: Point[] = []
    for (const transition of transitions ?? []) {
      if (transition.from === state && transition.sent.length === 0 && !this.#needs.ignoredMatter) continue
      const places = this.#places.intern(states.with(machine, transition.from))
      for (const needs of this.#needs.before(point.needs, transition))
        found.push({ places, needs, after: point, transition })
    }
    return found
  }

  #transitionsThatServe({ needs }: Point, machine: number): readonly Transition[] {
    const found = new Set<Transition>()
    for (const message of new Set(this.#needs.messages(needs))) {
      if (this.#explored.messages.senders[message] !== machine) continue
      for (const transition of this.#sending.get(message) ?? []) found.add(transition)
    }
    return [...found]
  }

  /** Whether every machine can have sent all that is needed and all that the others have consumed on every path. */
  #canBeMet({ places, needs }: Point): boolean {
    const { messages, network } = this.#explored
    const states = this.#places.at(places)
    const required = this.#requiredOf(places)
    const needed: (Map<number, number> | undefined)[] = []
    for (const message of this.#needs.messages(needs)) {
      const sender = messages.senders[message] as number
      if (sender < 0) continue
      const counts = needed[sender] ?? new Map(required[sender])
      counts.set(message, (counts.get(message) ?? 0) + 1)
      needed[sender] = counts
    }
    const isWithinCapacity = states.every((state, machine) => {
      const counts = needed[machine] ?? required[machine]
      if (counts === undefined || counts.size === 0) return true
      const copies = new Map<number, number>()
      for (const [message, count] of counts) {
        const sent = Math.ceil(count / (1 + network.duplicates)) - (messages.copiesAtStart[message] as number)
        if (sent > 0) copies.set(message, sent)
      }
      return this.#capacityOf(machine).covers(state === anywhere ? undefined : state, copies)
    })
    return isWithinCapacity && this.#needs.canBeInOrder(needs, states)
  }

  #requiredOf(places: number): readonly ReadonlyMap<number, number>[] {
    const known = this.#required[places]
    if (known !== undefined) return known
    const required = this.#explored.spaces.map(() => new Map<number, number>())
    for (const [machine, state] of this.#places.at(places).entries()) {
      if (state === anywhere) continue
      for (const message of this.#mustConsumeOf(machine).of(state))
        required[this.#explored.messages.senders[message] as number]?.set(message, 1)
    }
    this.#required[places] = required
    return required
  }

  #capacityOf(machine: number): SendCapacity {
    const known = this.#capacities[machine] ?? new SendCapacity(this.#explored.spaces[machine] as LocalSpace)
    this.#capacities[machine] = known
    return known
  }

  #mustConsumeOf(machine: number): MustConsume {
    const known = this.#mustConsume[machine] ?? new MustConsume(this.#explored.spaces[machine] as LocalSpace)
    this.#mustConsume[machine] = known
    return known
  }

  #mayConsumeBefore(machine: number, state: number, message: number): boolean {
    const known = this.#consumers[message] ?? consumersOf(this.#explored.spaces[machine] as LocalSpace, message)
    this.#consumers[message] = known
    return state === anywhere ? known.includes(1) : known[state] === 1
  }
}

function consumersOf(space: LocalSpace, message: number): Uint8Array {
  const found = new Uint8Array(space.states.length)
  const waiting: number[] = []
  const enter = (state: number) => {
    if (found[state] === 1) return
    found[state] = 1
    waiting.push(state)
  }
  for (const { consumed, to } of space.transitions) if (consumed === message && consumed !== noMessage) enter(to)
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop())
    for (const { to } of space.outOf[state] ?? []) enter(to)
  return found
}

function executionFrom(start: Point): readonly Transition[] {
  const execution: Transition[] = []
  for (let point: Point | undefined = start; point?.transition !== undefined; point = point.after)
    execution.push(point.transition)
  return execution
}
