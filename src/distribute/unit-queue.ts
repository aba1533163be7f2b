/**
 * What is left of a search beside the unit that is explored, in the order of one thread: what the current unit leaves comes before the
 * units that wait, and what it gives away before what it gave earlier, which came from nearer to its root.
 */
import type { WorkUnit } from '../core/verdict.ts'
import type { EngineRequest } from '../engines/engine.ts'
import type { Sharing } from './driver.ts'

export class UnitQueue {
  /** Undefined is the whole search. */
  readonly #waiting: (WorkUnit | undefined)[]
  readonly #sharing: Sharing | undefined
  /** What the engine is asked when it is resumed. */
  request: EngineRequest
  #isAnswering = false
  #given: WorkUnit[] = []
  /** Units of what is left of the current one, once it is surrendered. */
  #left: number | undefined

  constructor(units: readonly WorkUnit[] | undefined, sharing: Sharing | undefined) {
    this.#waiting = units === undefined ? [undefined] : [...units]
    this.#sharing = sharing
  }

  get length(): number {
    return this.#waiting.length
  }

  get units(): readonly WorkUnit[] {
    return this.#waiting.filter((unit) => unit !== undefined)
  }

  next(): WorkUnit | undefined {
    return this.#waiting.shift()
  }

  clear(): void {
    this.#waiting.length = 0
  }

  /** From now on the engine leaves what it has. */
  surrender(): void {
    this.tell()
    this.#left = 0
  }

  /** True if somebody is to be told of it soon. */
  keep(unit: WorkUnit): boolean {
    if (this.#left !== undefined) this.#waiting.splice(this.#left++, 0, unit)
    else if (this.#sharing === undefined) this.#waiting.push(unit)
    else this.#given.push(unit)
    return this.#given.length > 0
  }

  /** Units that wait are given first, so that what stays is in one piece. */
  look(explored: number): void {
    const sharing = this.#sharing
    if (sharing === undefined) return
    if (this.request === undefined) this.tell()
    sharing.explored(explored)
    if (!sharing.isAsked()) return
    if (this.#waiting.length > 0) return sharing.given(this.#waiting.splice(this.#waiting.length >> 1) as WorkUnit[])
    this.request = 'share'
    this.#isAnswering = true
  }

  /** Who asked is told, also if there is nothing to give. */
  tell(): void {
    if (this.#given.length > 0 || this.#isAnswering) this.#sharing?.given(this.#given)
    this.#given = []
    this.#isAnswering = false
    this.request = undefined
  }
}
