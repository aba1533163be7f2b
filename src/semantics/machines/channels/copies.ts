/** Copies of messages, as numbers: the message, and which of its copies. The second is a duplicate, which need not come. */
import { mostOf } from '../../../core/faults.ts'
import type { Machines } from '../../../program/machines.ts'
import type { Carried, Renamed, Spending } from './channels.ts'

export class Copies {
  readonly #carried: Carried
  readonly #most: number
  readonly #loses: boolean
  /** Losses without limit need not be counted. */
  readonly #isCounted: boolean

  constructor(carried: Carried, { faults }: Pick<Machines, 'faults'>) {
    this.#carried = carried
    this.#most = mostOf(faults, 'duplicates') > 0 ? 2 : 1
    this.#loses = mostOf(faults, 'losses') > 0
    this.#isCounted = Number.isFinite(mostOf(faults, 'losses'))
  }

  /** In the order in which they are sent. */
  of(message: number): readonly number[] {
    const first = message * this.#most
    return this.#most === 1 || !this.#travels(message) ? [first] : [first, first + 1]
  }

  message(copy: number): number {
    return Math.floor(copy / this.#most)
  }

  renamed(copy: number, to: Renamed): number {
    return to.message(this.message(copy)) * this.#most + (copy % this.#most)
  }

  isDuplicate(copy: number): boolean {
    return copy % this.#most > 0
  }

  /** Whether it may never have been sent, as far as machines can tell. */
  mayVanish(copy: number): boolean {
    return this.isDuplicate(copy) || (this.#loses && this.#travels(this.message(copy)))
  }

  /** Whether `copy` is the duplicate that comes after `before`: to deliver it while that one is there shows nothing new. */
  isRepetition(copy: number, before: number | undefined): boolean {
    return this.isDuplicate(copy) && before === copy - 1
  }

  /** What it takes from the budget to deliver one while others vanish. */
  spending(delivered: number, vanished: readonly number[]): Spending {
    const lost = this.#isCounted ? vanished.filter((copy) => !this.isDuplicate(copy)) : []
    return { losses: lost.length, duplicates: this.isDuplicate(delivered) ? 1 : 0 }
  }

  /** What a machine sends to itself does not travel. */
  #travels(message: number): boolean {
    return this.#carried.from(message) !== this.#carried.to(message)
  }
}
