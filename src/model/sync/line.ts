/**
 * A line of tickets, as in a ticket lock (Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors", 1991, section 2.2): one counter gives out numbers, the other says how many of them have been admitted. Whoever
 * comes takes a number with one atomic addition, so the order is that of arrival, for blocked threads and for promises
 * alike, and nobody can slip in before those who wait.
 *
 * Departure: threads sleep on the second counter instead of spinning. A thread has one promise at most that watches shared
 * memory, for the first of its tickets; the others are behind that one anyway.
 */
import { canBlock, canPause, isShared, pauseWhile } from './shared-cells.ts'

export const lineCells = 2

const taken = 0
const admitted = 1

export class Line {
  readonly #cells: Int32Array
  /** How many are admitted before anybody has left. */
  readonly #start: number
  readonly #shared: boolean
  #first: Waiter | undefined
  #last: Waiter | undefined
  #watching = false
  #settling = false

  constructor(cells: Int32Array, start: number) {
    this.#cells = cells
    this.#start = start
    this.#shared = isShared(cells)
  }

  /** How many more would be admitted at once; not positive if there is nothing but waiting. */
  get room(): number {
    for (;;) {
      const next = Atomics.load(this.#cells, taken)
      const room = this.#distance(next)
      if (Atomics.load(this.#cells, taken) === next) return room
    }
  }

  /** Takes a ticket that is admitted already, if there is one, and if the condition holds while nobody else takes one. */
  tryEnter(condition = () => true): boolean {
    for (;;) {
      const next = Atomics.load(this.#cells, taken)
      if (this.#distance(next) <= 0 || !condition()) return false
      if (Atomics.compareExchange(this.#cells, taken, next, next + 1) === next) return true
    }
  }

  /** Blocks the thread until it is admitted. False, without having taken a ticket, if the thread may not block. */
  enter(): boolean {
    if (this.tryEnter()) return true
    if (!this.#shared || !canBlock()) return false
    const ticket = Atomics.add(this.#cells, taken, 1)
    for (;;) {
      const seen = Atomics.load(this.#cells, admitted)
      if (this.#distance(ticket) > 0) return true
      Atomics.wait(this.#cells, admitted, seen)
    }
  }

  /** Settles when admitted. The ticket is taken before this returns; `atOnce` runs with the admission, before anything else. */
  enterAsync(atOnce = () => {}): Promise<void> {
    if (this.#shared && !canPause()) return Promise.reject(new Error('Atomics.waitAsync is needed, and missing here'))
    if (this.tryEnter()) {
      atOnce()
      return Promise.resolve()
    }
    const ticket = Atomics.add(this.#cells, taken, 1)
    return new Promise((resolve) => {
      const settle = () => {
        atOnce()
        resolve()
      }
      const waiter: Waiter = { ticket, settle, next: undefined }
      if (this.#last === undefined) this.#first = waiter
      else this.#last.next = waiter
      this.#last = waiter
      if (this.#shared) void this.#watch()
    })
  }

  /** Admits one more. */
  admit(): void {
    Atomics.add(this.#cells, admitted, 1)
    if (this.#shared) Atomics.notify(this.#cells, admitted)
    this.#settle()
  }

  /** How far the last admitted ticket is after this one's predecessor: positive if it is admitted. Counters wrap around. */
  #distance(ticket: number): number {
    return (Atomics.load(this.#cells, admitted) + this.#start - ticket) | 0
  }

  /** Those who are settled may admit the next: the loop that is under way finds it, however many there are. */
  #settle(): void {
    if (this.#settling) return
    this.#settling = true
    while (this.#first !== undefined && this.#distance(this.#first.ticket) > 0) {
      const { settle, next } = this.#first
      this.#first = next
      if (next === undefined) this.#last = undefined
      settle()
    }
    this.#settling = false
  }

  async #watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    for (;;) {
      const seen = Atomics.load(this.#cells, admitted)
      this.#settle()
      if (this.#first === undefined) break
      await pauseWhile(this.#cells, admitted, seen)
    }
    this.#watching = false
  }
}

interface Waiter {
  readonly ticket: number
  readonly settle: () => void
  next: Waiter | undefined
}

/** What a call throws that would block the very thread it waits for. */
export function deadlock(call: string, reason: string, instead: string): Error {
  return new Error(`deadlock: ${call} would wait for ever: ${reason}; use ${instead}`)
}
