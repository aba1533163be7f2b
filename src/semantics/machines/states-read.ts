/** What processes expose, as a property of states is given it: by process, and such that a listener is told what is read of it. */
import type { Value } from '../../core/value.ts'
import { type Listener, Part, recorded } from './state-views.ts'

type States = ReadonlyMap<string, Value>

export class StatesRead {
  readonly #processes: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>
  readonly #parts: readonly Part[]

  /** All processes that there may be. */
  constructor(processes: readonly string[]) {
    this.#processes = processes
    this.#numbers = new Map(processes.map((process, number) => [process, number]))
    this.#parts = processes.map((_, number) => new Part(number))
  }

  /** States by number; nothing for a process that is not there. */
  of(states: readonly (Value | undefined)[], listener?: Listener): States {
    if (listener !== undefined) return new Told((process) => this.#told(process, states, listener), this.#processes)
    const exposed = this.#processes.map((process, number) => [process, states[number]] as const)
    return new Map(exposed.filter((one): one is [string, Value] => one[1] !== undefined))
  }

  #told(process: string, states: readonly (Value | undefined)[], listener: Listener): Value | undefined {
    const number = this.#numbers.get(process)
    if (number === undefined) return undefined
    const part = this.#parts[number] as Part
    listener(part, 'what')
    return recorded(part, states[number], listener) as Value | undefined
  }
}

/** Whether a process is there is told whenever somebody learns of it. */
class Told implements States {
  readonly #state: (process: string) => Value | undefined
  readonly #processes: readonly string[]

  constructor(state: (process: string) => Value | undefined, processes: readonly string[]) {
    this.#state = state
    this.#processes = processes
  }

  get(process: string): Value | undefined {
    return this.#state(process)
  }

  has(process: string): boolean {
    return this.#state(process) !== undefined
  }

  get size(): number {
    return [...this.entries()].length
  }

  forEach(told: (state: Value, process: string, all: States) => void): void {
    for (const [process, state] of this.entries()) told(state, process, this)
  }

  *entries(): MapIterator<[string, Value]> {
    for (const process of this.#processes) {
      const state = this.#state(process)
      if (state !== undefined) yield [process, state]
    }
  }

  *keys(): MapIterator<string> {
    for (const [process] of this.entries()) yield process
  }

  *values(): MapIterator<Value> {
    for (const [, state] of this.entries()) yield state
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }
}
