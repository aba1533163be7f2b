/**
 * Faults on purpose, where frames leave: loss, delay, repetition, overtaking (LMC §5.5 drops 30 % of the messages to reach rare
 * states). What befalls the k-th message between two machines depends on the seed alone; when it happens depends on the clock.
 */
import { Random } from '../core/random.ts'
import { fingerprintText } from '../core/value.ts'
import type { Counters } from './counters.ts'

export interface FaultOptions {
  /** Probabilities, from 0 to 1. */
  readonly loss?: number | undefined
  readonly duplication?: number | undefined
  /** Held back until the next one has left, or for a moment if none comes. */
  readonly reordering?: number | undefined
  /** Every frame takes between these, in milliseconds, longer. */
  readonly delay?: { readonly least: number; readonly most: number } | undefined
}

/** Long enough to be overtaken, short enough to pass for the network. */
const holdMilliseconds = 20

/** Between two machines, in one direction. */
export class FaultyLink {
  readonly #faults: FaultOptions
  readonly #counters: Counters
  readonly #keepsOrder: boolean
  readonly #random: Random
  /**
   * What is delayed, with its timer, so that `flush` can let it go before the machine stops. As much as the machine sends within
   * the delay that its user asked for; others cannot make it send more (see `helloPause`).
   */
  readonly #waiting = new Map<() => void, NodeJS.Timeout>()
  /** One frame at most is held back to be overtaken. */
  #held: (() => void) | undefined
  /** Where order is kept: no frame is due before the one before it. */
  #lastDue = 0
  /** Where order is kept: timers that are due a millisecond apart may fire the other way round, so each takes the first. */
  readonly #inOrder: (() => void)[] = []

  constructor(
    faults: FaultOptions,
    seed: string,
    { counters, keepsOrder }: { counters: Counters; keepsOrder: boolean },
  ) {
    this.#faults = faults
    this.#counters = counters
    this.#keepsOrder = keepsOrder
    this.#random = new Random(Number.parseInt(fingerprintText(seed).slice(0, 8), 16))
  }

  /** How often a message leaves: 0 if it is lost, 2 if it is repeated. Each copy is then `pass`ed on. */
  copies(): number {
    const isLost = this.#strikes(this.#faults.loss)
    const isRepeated = this.#strikes(this.#faults.duplication)
    if (isLost) this.#counters.lost++
    else if (isRepeated) this.#counters.duplicated++
    return isLost ? 0 : isRepeated ? 2 : 1
  }

  /** Sends now or later. */
  pass(send: () => void): void {
    const late = this.#delay()
    const isHeld = !this.#keepsOrder && this.#strikes(this.#faults.reordering) && this.#held === undefined
    if (isHeld) {
      this.#counters.reordered++
      this.#held = send
      this.#later(late + holdMilliseconds, () => this.#release(send))
      return
    }
    const passed = (): void => {
      send()
      if (this.#held !== undefined) this.#release(this.#held)
    }
    // A timer that is overdue must not be overtaken either.
    if (late <= 0 && this.#inOrder.length === 0) passed()
    else if (!this.#keepsOrder) this.#later(late, passed)
    else {
      this.#inOrder.push(passed)
      this.#later(late, () => this.#inOrder.shift()?.())
    }
  }

  /** Lets everything go that is waiting. */
  flush(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [send, timeout] of waiting) {
      clearTimeout(timeout)
      send()
    }
  }

  #release(send: () => void): void {
    if (this.#held !== send) return
    this.#held = undefined
    send()
  }

  #later(milliseconds: number, send: () => void): void {
    const run = (): void => {
      this.#waiting.delete(run)
      send()
    }
    this.#waiting.set(run, setTimeout(run, milliseconds))
  }

  #delay(): number {
    const { delay } = this.#faults
    if (delay === undefined) return 0
    const drawn = delay.least + this.#random.below(delay.most - delay.least + 1)
    if (drawn > 0) this.#counters.delayed++
    if (!this.#keepsOrder) return drawn
    const now = performance.now()
    this.#lastDue = Math.max(this.#lastDue, now + drawn)
    return this.#lastDue - now
  }

  /** Draws even if the fault is switched off, so that switching it on does not change the fate of others. */
  #strikes(probability = 0): boolean {
    return this.#random.next() / 0x1_0000_0000 < probability
  }
}
