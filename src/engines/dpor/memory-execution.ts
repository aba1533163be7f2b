/**
 * One execution over shared memory: its events, what happens before what, and where it races.
 *
 * Objects are numbered anew in every state (`program/stateful.ts`). Here an object keeps one name along an execution: names
 * are handed from state to state through the renamings of the steps, and given when an object is first accessed. Actions that
 * start from one state, or from states along one path, can therefore be compared.
 */
import { bit } from '../../collections/bit-mask.ts'
import { type Access, clashing, processLimitOfMasks, type Step, samePart } from '../../program/stateful.ts'

/** Object, part and mode of each access, the object by its name along the execution. */
export type Accesses = readonly number[]

const accessSize = 3

export function areDependent(left: Accesses, right: Accesses): boolean {
  for (let one = 0; one < left.length; one += accessSize) {
    for (let other = 0; other < right.length; other += accessSize) {
      if (
        left[one] === right[other] &&
        samePart(left[one + 1] as number, right[other + 1] as number) &&
        clashing(left[one + 2] as number, right[other + 2] as number)
      )
        return true
    }
  }
  return false
}

/** By process: how many events of the execution, counted from its beginning, include its last one that happened before. */
type Clock = Int32Array

interface MemoryEvent {
  readonly process: number
  readonly accesses: Accesses
  readonly clock: Clock
}

/** A race: the event at `index` and a later one, or one that is waited for, that could have come first. */
export interface Race {
  readonly index: number
  /** Processes that can begin an execution in which the other one comes first (`I_[E'](v)` of the paper). */
  readonly initials: number
}

export class MemoryExecution {
  readonly #events: MemoryEvent[] = []
  /** By depth: names of the objects of that state, by number. */
  readonly #names: (number | undefined)[][] = [[]]
  /** By process, the last on top: events that are its own, or that began it, as counts from the beginning. */
  readonly #roots: number[][] = Array.from({ length: processLimitOfMasks }, () => [])
  #objects = 0

  get length(): number {
    return this.#events.length
  }

  processAt(index: number): number {
    return (this.#events[index] as MemoryEvent).process
  }

  /** Accesses in the numbers of the current state, or of the one before the step under way. */
  named(accesses: readonly Access[]): Accesses {
    const names = this.#names[this.#events.length] as (number | undefined)[]
    const named: number[] = []
    for (const { object, part, mode } of accesses) {
      names[object] ??= this.#objects++
      named.push(names[object], part, mode)
    }
    return named
  }

  add(process: number, accesses: Accesses, { renaming }: Step): void {
    const clock = this.#clockOf(process, accesses)
    const before = this.#names[this.#events.length] as (number | undefined)[]
    const names: (number | undefined)[] = []
    for (const [object, after] of renaming.entries()) if (after >= 0) names[after] = before[object]
    this.#events.push({ process, accesses, clock })
    this.#names.push(names)
    clock[process] = this.#events.length
    this.#roots[process]?.push(this.#events.length)
  }

  /** The last event began these processes. */
  bear(processes: number): void {
    for (const [process, roots] of this.#roots.entries()) {
      if ((processes & bit(process)) !== 0) roots.push(this.#events.length)
    }
  }

  undo(): void {
    for (const roots of this.#roots) while (roots.at(-1) === this.#events.length) roots.pop()
    this.#events.pop()
    this.#names.pop()
  }

  /** Every race between an event and an action that `process` performs or waits for after all of them. */
  races(process: number, accesses: Accesses): readonly Race[] {
    const clock = this.#pastOf(process)
    const races: number[] = []
    for (let index = this.#events.length - 1; index >= 0; index--) {
      const event = this.#events[index] as MemoryEvent
      if (isBefore(event, index, clock) || !areDependent(event.accesses, accesses)) continue
      races.push(index)
      join(clock, event.clock)
    }
    return races.map((index) => ({ index, initials: this.#initials(index, process, clock) }))
  }

  #clockOf(process: number, accesses: Accesses): Clock {
    const clock = this.#pastOf(process)
    for (let index = this.#events.length - 1; index >= 0; index--) {
      const event = this.#events[index] as MemoryEvent
      if (!isBefore(event, index, clock) && areDependent(event.accesses, accesses)) join(clock, event.clock)
    }
    return clock
  }

  /** What happened before whatever the process does next. */
  #pastOf(process: number): Clock {
    const root = this.#roots[process]?.at(-1)
    const clock = root === undefined ? undefined : this.#events[root - 1]?.clock
    return clock === undefined ? new Int32Array(processLimitOfMasks) : Int32Array.from(clock)
  }

  /** Who can begin `v`: the events after the race's first that do not happen after it, and then the other one. */
  #initials(index: number, process: number, clock: Clock): number {
    const first = this.#events[index] as MemoryEvent
    const initial: number[] = []
    const hasNone = (past: Clock): boolean =>
      initial.every((at) => !isBefore(this.#events[at] as MemoryEvent, at, past))
    let processes = 0
    for (let at = index + 1; at < this.#events.length; at++) {
      const event = this.#events[at] as MemoryEvent
      if (isBefore(first, index, event.clock) || !hasNone(event.clock)) continue
      initial.push(at)
      processes |= bit(event.process)
    }
    return hasNone(clock) ? processes | bit(process) : processes
  }
}

function isBefore({ process }: MemoryEvent, index: number, clock: Clock): boolean {
  return (clock[process] as number) > index
}

function join(clock: Clock, other: Clock): void {
  for (let process = 0; process < clock.length; process++) {
    if ((other[process] as number) > (clock[process] as number)) clock[process] = other[process] as number
  }
}
