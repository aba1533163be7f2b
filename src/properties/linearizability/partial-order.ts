/**
 * Linearizations of calls that are ordered by something other than moments: any partial order, given by the calls that must
 * come before each. For the calls of a client, where only program order is known, and for recorders that log causes.
 *
 * The same search as `wgl.ts` with sets of placed calls as configurations; meant for tens of calls.
 */
import { ConfigurationSet } from './configuration-set.ts'
import { type Invocation, type SomeSpecification, specification } from './specification.ts'
import { impossible, Transitions } from './transitions.ts'

/** For every call, by position, the positions of calls that must take effect before it. */
export type Predecessors = readonly (readonly number[])[]

export type OrderDecision =
  | { readonly linearizable: true; readonly order: readonly number[] }
  | { readonly linearizable: false; readonly longestPrefix: readonly number[] }

/** Whether some order of the calls, in which predecessors come first, has exactly these results. */
export function admits(calls: readonly Invocation[], predecessors: Predecessors, object: SomeSpecification): boolean {
  return linearizationOf(calls, predecessors, object).linearizable
}

/** An order in which predecessors come first and all results are right. Calls that are `pending` may be left out. */
export function linearizationOf(
  calls: readonly Invocation[],
  predecessors: Predecessors,
  object: SomeSpecification,
): OrderDecision {
  return new OrderSearch(calls, predecessors, new Transitions(calls, specification(object))).run()
}

interface OpenChoice {
  readonly choices: readonly (readonly [call: number, state: number])[]
  /** Choices before this one led nowhere. */
  tried: number
}

class OrderSearch {
  readonly #calls: readonly Invocation[]
  readonly #transitions: Transitions
  readonly #followers: readonly number[][]
  /** How many predecessors of each call are still to be placed. */
  readonly #missing: number[]
  readonly #row: Int32Array
  readonly #known: ConfigurationSet
  /** Calls placed so far; the row has a bit for each, and the state in its first word. */
  readonly #order: number[] = []
  /** The longest that was found, for the explanation of a failure. */
  #longest: readonly number[] = []
  /** Calls still to be placed, those aside that need not have happened. */
  #toPlace: number

  constructor(calls: readonly Invocation[], predecessors: Predecessors, transitions: Transitions) {
    this.#calls = calls
    this.#transitions = transitions
    this.#followers = calls.map(() => [])
    this.#missing = calls.map((_, call) => {
      const before = [...new Set(predecessors[call])].filter((one) => this.#mustHappen(one))
      for (const one of before) this.#followers[one]?.push(call)
      return before.length
    })
    this.#toPlace = calls.filter((_, call) => this.#mustHappen(call)).length
    this.#row = new Int32Array(1 + Math.ceil(calls.length / 32))
    this.#known = new ConfigurationSet(this.#row.length, 1 << 28)
  }

  run(): OrderDecision {
    const open: OpenChoice[] = [{ choices: this.#choices(this.#transitions.initial), tried: 0 }]
    while (this.#toPlace > 0) {
      const last = open.at(-1)
      if (last === undefined) return { linearizable: false, longestPrefix: this.#longest }
      const choice = last.choices[last.tried++]
      if (choice === undefined) {
        open.pop()
        this.#takeBack()
      } else {
        this.#place(choice[0])
        open.push({ choices: this.#choices(choice[1]), tried: 0 })
      }
    }
    return { linearizable: true, order: this.#order }
  }

  #choices(state: number): readonly (readonly [number, number])[] {
    this.#row[0] = state
    if (!this.#known.add(this.#row)) return []
    const choices: (readonly [number, number])[] = []
    for (let call = 0; call < this.#calls.length; call++) {
      if (this.#isPlaced(call) || (this.#missing[call] as number) > 0) continue
      const kind = this.#transitions.kindOf[call] as number
      const next = this.#transitions.next(state, kind)
      if (next === impossible) continue
      const mustHappen = this.#mustHappen(call)
      // As in wgl.ts: what only looks, and sees what it saw, can be placed at once.
      if (mustHappen && next === state && this.#transitions.observes[kind] === 1) return [[call, state]]
      for (const one of next >= 0 ? [next] : this.#transitions.successors(-2 - next)) {
        if (mustHappen || one !== state) choices.push([call, one])
      }
    }
    return choices
  }

  #mustHappen(call: number): boolean {
    return this.#calls[call]?.result.kind !== 'pending'
  }

  #isPlaced(call: number): boolean {
    return (((this.#row[1 + (call >>> 5)] as number) >>> (call & 31)) & 1) === 1
  }

  #place(call: number): void {
    this.#flip(call)
    this.#order.push(call)
    if (this.#mustHappen(call)) this.#toPlace--
    for (const follower of this.#followers[call] ?? []) this.#missing[follower] = (this.#missing[follower] ?? 0) - 1
    if (this.#order.length > this.#longest.length) this.#longest = [...this.#order]
  }

  #takeBack(): void {
    const call = this.#order.pop()
    if (call === undefined) return
    this.#flip(call)
    if (this.#mustHappen(call)) this.#toPlace++
    for (const follower of this.#followers[call] ?? []) this.#missing[follower] = (this.#missing[follower] ?? 0) + 1
  }

  #flip(call: number): void {
    const word = 1 + (call >>> 5)
    this.#row[word] = (this.#row[word] as number) ^ (1 << (call & 31))
  }
}
