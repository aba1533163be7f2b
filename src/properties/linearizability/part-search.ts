/** One part of a history on its way to a verdict: by a shortcut if its specification has one that applies, else by search. */
import type { Call } from '../../core/history.ts'
import { whyStuck } from './explain.ts'
import type { Part } from './parts.ts'
import { shortestViolation } from './shortest-violation.ts'
import { LinearizationSearch } from './wgl.ts'

/** Why a part is not linearizable. */
export interface Contradiction {
  /** Calls in an order that is right as far as it goes: the furthest that was found. */
  readonly longestPrefix: readonly Call[]
  /** The call that has no place: without its return there is an order, with it there is none. */
  readonly stuck: Call
  readonly reason: string
  /** The calls the reason speaks of. */
  readonly culprits: readonly Call[]
  /** The state after the longest prefix, in words, if a search found it. */
  readonly states: readonly string[]
}

export type PartOutcome =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'linearizable'; readonly order: readonly Call[] | undefined }
  | { readonly kind: 'contradiction'; readonly contradiction: Contradiction }

export interface PartOptions {
  readonly shortcuts: boolean
  /** Whether an order is wanted. */
  readonly witness: boolean
}

export class PartSearch {
  readonly part: Part
  readonly #options: PartOptions
  #search: LinearizationSearch | undefined
  #isAsked = false
  #configurations = 0

  constructor(part: Part, options: PartOptions) {
    this.part = part
    this.#options = options
  }

  get configurations(): number {
    return this.#search?.configurations ?? this.#configurations
  }

  /** Goes on, for at most so many configurations. Once there is a verdict, nothing is remembered but the verdict. */
  run(limit: number, memory: number): PartOutcome {
    const decided = this.#isAsked ? undefined : this.#shortcut()
    if (decided !== undefined) return decided
    const { calls, specification } = this.part
    this.#search ??= new LinearizationSearch(calls, specification, memory)
    this.#search.memory = memory
    const outcome = this.#search.run(limit)
    if (outcome === 'unfinished') return { kind: 'unfinished' }
    const search = this.#search
    this.#configurations = search.configurations
    this.#search = undefined
    if (outcome === 'not linearizable') return { kind: 'contradiction', contradiction: whyStuck(search, calls) }
    const order = this.#options.witness ? search.order().map((call) => calls[call] as Call) : undefined
    return { kind: 'linearizable', order }
  }

  #shortcut(): PartOutcome | undefined {
    this.#isAsked = true
    const { calls, specification } = this.part
    if (!this.#options.shortcuts || this.#options.witness) return undefined
    const decision = specification.decide?.(calls)
    if (decision === undefined) return undefined
    if (decision.linearizable) return { kind: 'linearizable', order: undefined }
    return { kind: 'contradiction', contradiction: shortestViolation(calls, specification, decision) }
  }
}
