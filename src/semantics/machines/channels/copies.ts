/** Copies of messages, as numbers: the message, and which of its copies. All but the first are duplicates, which need not come. */
import type { MachineNetwork } from '../../../program/machines.ts'

export class Copies {
  readonly #most: number
  readonly #loses: boolean

  constructor({ duplicates, loses }: MachineNetwork) {
    this.#most = 1 + duplicates
    this.#loses = loses
  }

  /** In the order in which they are sent. */
  of(message: number): readonly number[] {
    return Array.from({ length: this.#most }, (_, copy) => message * this.#most + copy)
  }

  message(copy: number): number {
    return Math.floor(copy / this.#most)
  }

  /** Whether it may never have been sent, as far as machines can tell. */
  mayVanish(copy: number): boolean {
    return this.#loses || copy % this.#most > 0
  }

  /** Whether `copy` is the duplicate that comes after `before`: to deliver it while that one is there shows nothing new. */
  isRepetition(copy: number, before: number | undefined): boolean {
    return copy % this.#most > 0 && before === copy - 1
  }
}
