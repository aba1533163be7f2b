/**
 * Which variable is tested on which level. Levels are consecutive integers, smaller ones nearer the root: with new variables below they are 0, 1, 2…,
 * with new variables above 0, -1, -2…, so that no node changes when a variable comes.
 */
import { mustHold } from './diagram.ts'

export class VariableOrder {
  readonly #step: 1 | -1
  /** By variable. */
  readonly #levels: number[] = []
  /** By distance of the level from 0. */
  readonly #variables: number[] = []

  constructor(order: 'above' | 'below') {
    this.#step = order === 'above' ? -1 : 1
  }

  get size(): number {
    return this.#levels.length
  }

  /** The first level that is below all variables. */
  get end(): number {
    return this.#step === 1 ? this.size : 1
  }

  /** The level nearest to the root. */
  get top(): number {
    return this.end - this.size
  }

  add(): number {
    const variable = this.size
    this.#levels.push(variable * this.#step)
    this.#variables.push(variable)
    return variable
  }

  levelOf(variable: number): number {
    const level = this.#levels[variable]
    mustHold(level !== undefined, `a variable is below ${this.size}, not ${variable}`)
    return level
  }

  variableAt(level: number): number {
    return this.#variables[Math.abs(level)]!
  }

  exchange(upper: number, lower: number): void {
    const first = this.variableAt(upper)
    const second = this.variableAt(lower)
    this.#levels[first] = lower
    this.#levels[second] = upper
    this.#variables[Math.abs(upper)] = second
    this.#variables[Math.abs(lower)] = first
  }
}
