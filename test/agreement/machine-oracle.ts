/**
 * Global search of machines, straight from "Model Checking a Networked System Without the Network" §3.1: a global state is
 * the states of all machines and the messages under way; breadth first, everything remembered, nothing reduced.
 */
import { type Violation, violationKey } from '../../src/core/property.ts'
import type { LocalState, Machines } from '../../src/program/machines.ts'
import { type Air, airText, emptyAir, eventsIn, flightsIn, sendings } from './machine-air.ts'

interface GlobalState {
  readonly states: readonly LocalState[]
  readonly air: Air
}

export interface Oracle {
  /** By key of the violation: what it is, and the fewest events after which it comes about. */
  readonly violated: ReadonlyMap<string, Found>
  /** Keys of the states of each machine that some global state has. */
  readonly localStates: readonly ReadonlySet<string>[]
  /** States of all machines together, by key. */
  readonly systemStates: ReadonlyMap<string, readonly LocalState[]>
  readonly globalStates: number
  readonly transitions: number
  /** Whether messages were left out because too many were under way, or the search was given up. */
  readonly cut: boolean
}

interface Found {
  readonly violation: Violation
  readonly events: number
}

export interface OracleOptions {
  /** States with more messages under way are not followed. */
  readonly mostUnderWay?: number
  readonly mostStates?: number
}

export function searchGlobally(subject: Machines, options: OracleOptions = {}): Oracle {
  const search = new NaiveSearch(subject, options)
  search.run()
  return search
}

class NaiveSearch implements Oracle {
  readonly violated = new Map<string, Found>()
  readonly localStates: readonly Set<string>[]
  readonly systemStates = new Map<string, readonly LocalState[]>()
  transitions = 0
  cut = false
  readonly #subject: Machines
  readonly #options: OracleOptions
  /** By key: after how many events. */
  readonly #seen = new Map<string, number>()
  /** States after equally many events, and those after one more. Losing a message is no event. */
  #level: GlobalState[] = []
  #next: GlobalState[] = []
  #events = 0

  constructor(subject: Machines, options: OracleOptions) {
    this.#subject = subject
    this.#options = options
    this.localStates = subject.machines.map(() => new Set())
  }

  get globalStates(): number {
    return this.#seen.size
  }

  run(): void {
    const { states, underWay } = this.#subject.start
    for (const air of sendings(this.#subject, emptyAir(this.#subject), underWay))
      this.#enter({ states, air }, this.#level, 0)
    for (; this.#level.length > 0 && !this.#isTooLarge; this.#events++) {
      for (const state of this.#level) this.#follow(state)
      this.#level = this.#next
      this.#next = []
    }
    if (this.#level.length > 0) this.cut = true
  }

  #follow(before: GlobalState): void {
    for (const { machine, event, air } of eventsIn(this.#subject, before)) {
      if (event === undefined) {
        this.#enter({ states: before.states, air }, this.#level, this.#events)
        continue
      }
      for (const outcome of this.#subject.handle(machine, before.states[machine] as LocalState, event)) {
        this.transitions++
        if (outcome.violation !== undefined) this.#tell(outcome.violation, this.#events + 1)
        else {
          const states = before.states.with(machine, outcome.state)
          for (const after of sendings(this.#subject, air, outcome.sent))
            this.#enter({ states, air: after }, this.#next, this.#events + 1)
        }
      }
    }
  }

  #enter(state: GlobalState, level: GlobalState[], events: number): void {
    const key = keyOf(this.#subject, state)
    const known = this.#seen.get(key)
    if (known !== undefined && known <= events) return
    if (flightsIn(state.air) > (this.#options.mostUnderWay ?? Number.POSITIVE_INFINITY) || this.#isTooLarge) {
      this.cut = true
      return
    }
    this.#seen.set(key, events)
    level.push(state)
    for (const [machine, each] of state.states.entries()) this.localStates[machine]?.add(this.#subject.key(each))
    this.systemStates.set(systemKey(this.#subject, state.states), state.states)
    for (const invariant of this.#subject.invariants) {
      const violation = invariant.violation(state.states)
      if (violation !== undefined) this.#tell(violation, events)
    }
  }

  #tell(violation: Violation, events: number): void {
    const key = violationKey(violation)
    const known = this.violated.get(key)
    if (known === undefined || events < known.events) this.violated.set(key, { violation, events })
  }

  get #isTooLarge(): boolean {
    return this.#seen.size >= (this.#options.mostStates ?? Number.POSITIVE_INFINITY)
  }
}

export function systemKey(subject: Machines, states: readonly LocalState[]): string {
  return JSON.stringify(states.map((state) => subject.key(state)))
}

function keyOf(subject: Machines, { states, air }: GlobalState): string {
  return JSON.stringify([states.map((state) => subject.key(state)), airText(subject, air)])
}
