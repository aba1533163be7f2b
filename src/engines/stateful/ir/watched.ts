/** Monitors and abstract objects as one number for all of them, and what becomes of it when they are told something. */
import { PairMap } from '../../../collections/pair-map.ts'
import type { Violation } from '../../../core/property.ts'
import { type MonitorState, monitorText } from '../../../semantics/ir/configuration.ts'
import { afterDecision, Broken, toldMonitors } from '../../../semantics/ir/monitors.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import type { Observation } from './local-states.ts'

export class MonitorTable {
  readonly #rules: Rules
  readonly #numbers = new Map<string, number>()
  readonly #states: (readonly MonitorState[])[] = []
  /** Beside the monitors: what the objects are. */
  readonly #refined: number[] = []
  /** By monitors and observation: the monitors after it, or below 0 what they found. */
  readonly #told = new PairMap()
  readonly #violations: Violation[] = []
  readonly #settled: number[] = []

  constructor(rules: Rules) {
    this.#rules = rules
  }

  numberOf(states: readonly MonitorState[], refined = 0): number {
    const key = `${states.map(monitorText).join()}|${refined}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#states.length)
    this.#refined.push(refined)
    return this.#states.push(states) - 1
  }

  states(number: number): readonly MonitorState[] {
    return this.#states[number] as readonly MonitorState[]
  }

  refined(number: number): number {
    return this.#refined[number] as number
  }

  /** A step begins: what monitors were before it is of no account. */
  afterDecision(monitors: number): number {
    const known = this.#settled[monitors]
    if (known !== undefined) return known
    const after = this.numberOf(afterDecision(this.states(monitors), this.#rules.code), this.refined(monitors))
    this.#settled[monitors] = after
    return after
  }

  /** Below 0: `violation` says what is broken. */
  told(monitors: number, observation: number, what: (number: number) => Observation): number {
    const known = this.#told.get(monitors, observation)
    if (known !== undefined) return known
    const after = this.#after(monitors, what(observation))
    this.#told.set(monitors, observation, after)
    return after
  }

  #after(monitors: number, observation: Observation): number {
    try {
      const states = toldMonitors(this.states(monitors), observation, this.#rules)
      const refined = this.refined(monitors)
      return this.numberOf(states, this.#rules.refined?.after(refined, observation) ?? refined)
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      return -this.#violations.push(error.violation)
    }
  }

  violation(told: number): Violation {
    return this.#violations[-told - 1] as Violation
  }
}
