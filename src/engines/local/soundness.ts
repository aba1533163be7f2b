/**
 * Soundness verification (LMC §4.1, `isStateSound`): can machines be in these states at the same time?
 *
 * The paper enumerates one sequence of events per machine in every combination and tries each; its cost was what limited LMC (§5.2).
 * Here all sequences are searched at once, from the end backwards. A point of the search is a state per machine and the
 * messages consumed after it that must be sent before it (`needs.ts`). Going back over a transition takes what it sends off
 * the needs and adds what it consumes. A point from which the start is reached with nothing left to send is an execution. Without
 * order, a point is only worth visiting if no visited one needs less in the same states, so that the search ends even where
 * machines send for ever (coverability of a vector addition system). Machines that the question leaves open are `anywhere`: they
 * are placed once something is needed that only they send.
 *
 * Points that did not lead to the start do not lead there for another question either, and are kept as long as no transition
 * is added. Three things keep the search small: what must have been sent, by all paths, must fit what each machine can have sent
 * (`requirements.ts`); a machine whose last transition sends nothing that the others can still come to need goes back alone,
 * as no order with the others matters; and of executions that break an invariant only those are looked for that break it with
 * their last event, as every other is a longer way to say the same.
 */
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { noMessage } from './messages.ts'
import { anywhere, type Needs, noNeeds } from './needs.ts'
import { needsOf } from './networks.ts'
import type { Explored, Requirements } from './requirements.ts'

/** Points between two breaths. */
const stride = 512
/** A point that is looked at and not visited costs a fraction of one that is. */
const lookedAtPerVisited = 8

export type Reachability =
  | { readonly kind: 'reachable'; readonly execution: readonly Transition[] }
  | { readonly kind: 'unreachable' }
  /** The effort was not enough to tell. */
  | { readonly kind: 'undecided' }

interface Point {
  /** Number of the combination of states, in `#places`. */
  readonly places: number
  /** Number of what must still be sent, in `#needs`. */
  readonly needs: number
  readonly after: Point | undefined
  /** Leads from this point to `after`. */
  readonly transition: Transition | undefined
}

export class Soundness {
  readonly #explored: Explored
  readonly #requirements: Requirements
  /** Whether states break the invariant in question: an execution through them has shown it already. */
  readonly #avoided: ((states: readonly number[]) => boolean) | undefined
  readonly #needs: Needs
  readonly #places = new SequenceInterner()
  /** By combination of states: whether it is avoided. */
  readonly #isAvoided: (boolean | undefined)[] = []
  /** By combination of states: needs of visited points, none of which leads to the start, or of the search under way. */
  readonly #visited: (number[] | undefined)[] = []
  /** Points visited so far. */
  points = 0

  /** No execution is looked for that passes states which are avoided before its end. */
  constructor(
    explored: Explored,
    requirements: Requirements,
    avoided: ((states: readonly number[]) => boolean) | undefined,
  ) {
    this.#explored = explored
    this.#requirements = requirements
    this.#avoided = avoided
    this.#needs = needsOf(explored)
  }

  /**
   * Visits at most `effort` points, fewer where each has many before it, and yields every so many. The execution ends with
   * machines in these states and the message, if any, under way.
   */
  *reach(states: readonly number[], message: number, effort: number): Generator<undefined, Reachability> {
    const needs = message === noMessage ? noNeeds : this.#needs.consumed(noNeeds, message)
    yield* this.#requirements.prepare(states, this.#needs.messages(needs))
    const entered: Point[] = []
    const stack: Point[] = []
    this.#visit({ places: this.#places.intern(states), needs, after: undefined, transition: undefined }, stack, entered)
    for (let left = effort; left > 0; ) {
      const point = stack.pop()
      if (point === undefined) return { kind: 'unreachable' }
      if (++this.points % stride === 0) yield undefined
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
    if (this.#isToBeAvoided(point) || !this.#canBeMet(point)) return
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
        if (this.#requirements.mayConsumeBefore(receiver, states[receiver] as number, message)) return false
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
      for (const transition of this.#requirements.sending(message)) found.add(transition)
    }
    return [...found]
  }

  #canBeMet({ places, needs }: Point): boolean {
    const states = this.#places.at(places)
    return this.#requirements.canBeMet(states, this.#needs.messages(needs)) && this.#needs.canBeInOrder(needs, states)
  }

  #isToBeAvoided({ places, after }: Point): boolean {
    if (this.#avoided === undefined || after === undefined) return false
    const known = this.#isAvoided[places] ?? this.#avoided(this.#places.at(places))
    this.#isAvoided[places] = known
    return known
  }
}

function executionFrom(start: Point): readonly Transition[] {
  const execution: Transition[] = []
  for (let point: Point | undefined = start; point?.transition !== undefined; point = point.after)
    execution.push(point.transition)
  return execution
}
