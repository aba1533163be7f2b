/** Where machines stand: a state, and for one that waits in the middle of a handler the functions under way and what is to be done after them. */
import type { AgendaItem } from '../../semantics/ir/configuration.ts'

/** Of a function under way; values of its locals are kept apart. */
export interface FramePoint {
  readonly function: number
  readonly block: number
  /** The instruction that calls, or behind the last one the end of the block. */
  readonly at: number
}

type WithoutPayload<Item> = Item extends unknown ? Omit<Item, 'payload'> : never
/** What is still to be done; payloads are kept apart. */
export type Duty = WithoutPayload<AgendaItem>

export interface Control {
  readonly state: number
  /** The innermost first; none: it is at rest. */
  readonly frames: readonly FramePoint[]
  readonly duties: readonly Duty[]
}

export function hasPayload(duty: Duty): boolean {
  return duty.kind === 'call' || duty.kind === 'enter'
}

export function controlKey({ state, frames, duties }: Control): string {
  const points = frames.map((frame) => `${frame.function}.${frame.block}.${frame.at}`).join(' ')
  return `${state}|${points}|${duties.map(dutyKey).join(' ')}`
}

function dutyKey(duty: Duty): string {
  switch (duty.kind) {
    case 'call':
      return `call ${duty.function}`
    case 'enter':
      return `enter ${duty.state}`
    case 'unhandled':
      return `unhandled ${duty.event}`
    case 'halt':
      return 'halt'
  }
}

/** Gives equal controls equal numbers. */
export class Controls {
  readonly #numbers = new Map<string, number>()
  readonly #all: Control[] = []

  of(control: Control): number {
    const key = controlKey(control)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#all.length)
    return this.#all.push(control) - 1
  }

  resting(state: number): number {
    return this.of({ state, frames: [], duties: [] })
  }

  get size(): number {
    return this.#all.length
  }

  get all(): readonly Control[] {
    return this.#all
  }

  at(number: number): Control {
    return this.#all[number] as Control
  }
}
