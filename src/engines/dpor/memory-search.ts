/**
 * Source-DPOR with sleep sets over shared memory: Abdulla, Aronis, Jonsson, Sagonas, "Optimal Dynamic Partial Order Reduction"
 * (POPL 2014, Algorithm 1), on the walk of a `Stateful` view, which it never compares with a state met before.
 *
 * What is guaranteed. Of every class of executions that differ in the order of independent actions only (a Mazurkiewicz trace),
 * deadlocks included, at least one is explored to its end. No two that are complete belong to one class, because of the sleep
 * sets; but an execution may be begun that leads to no new one and is given up (`abandoned`), where wakeup trees would not begin it.
 * Two actions are dependent if their accesses clash, so that classes are those of the accesses made, not of values.
 *
 * Where it departs, and why.
 *
 * - Waiting. The paper's processes do not disable each other; ours wait for locks, promises and channels. A process that waits stands
 *   before an action that would access what it waits for. In every state that is met, this action counts as if it were
 *   performed: whoever it races with may have come too early (FG: Flanagan, Godefroid, POPL 2005, look at the next transitions of
 *   all processes for the same reason). A lock that is free again by the time it is asked for races with its release; what would
 *   come first then waits in its turn, and races with whoever took the lock. A process that waits where it would have to be
 *   first begins nothing.
 * - Accesses depend on what was read before. An action may access other parts, or wait, after an action it is dependent on;
 *   but up to the first access that clashes it does the same, and this access shows the race.
 * - Birth. A process exists after the action that began it.
 */
import { bit, count, least } from '../../collections/bit-mask.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Stateful, Walk } from '../../program/stateful.ts'
import { type Accesses, areDependent, MemoryExecution } from './memory-execution.ts'

/** Without memory of states a loop cannot be told from a long execution. */
const deepest = 10_000

/** A state on the way, with what is to be done there. */
interface Visit {
  /** Masks of processes: those that can move, those that exist. */
  readonly enabled: number
  readonly alive: number
  /** What was explored from an equivalent state and need not be again, by process. */
  readonly asleep: ReadonlyMap<number, Accesses>
  readonly sleeping: number
  /** Masks of processes to be explored from here, and of those that are or were. */
  wanted: number
  done: number
  readonly performed: Map<number, Accesses>
}

/** Actions between two pauses: each may take a millisecond, and an execution that is given up is not told. */
const pauseEvery = 64

/** An execution that has ended; the search is where it ended until it is asked to go on. */
export interface EndedExecution {
  readonly blocked: boolean
  readonly violation: Violation | undefined
}

export class MemorySearch {
  readonly #subject: Stateful
  readonly #walk: Walk
  readonly #execution = new MemoryExecution()
  readonly #visits: Visit[] = []
  /** Executions that were begun and led to nothing new. */
  abandoned = 0
  /** Actions performed. */
  transitions = 0

  constructor(subject: Stateful) {
    this.#subject = subject
    this.#walk = subject.walk()
  }

  get length(): number {
    return this.#execution.length
  }

  /** Each execution; nothing for a pause. */
  *executions(): Generator<EndedExecution | undefined, void> {
    yield* this.#enter(new Map(), 0)
    for (let visit = this.#visits.at(-1); visit !== undefined; visit = this.#visits.at(-1)) {
      const choices = visit.wanted & ~(visit.done | visit.sleeping)
      if (choices === 0) this.#leave()
      else {
        yield* this.#take(visit, least(choices))
        if (this.transitions % pauseEvery === 0) yield undefined
      }
    }
  }

  decisions(): readonly Decision[] {
    return Array.from({ length: this.#execution.length }, (_, index) => {
      const process = this.#execution.processAt(index)
      return { kind: 'step', process: this.#subject.processes[process] ?? `${process}` }
    })
  }

  /** The share of the search that lies behind, as far as the choices known by now tell. */
  explored(): number {
    let [sum, share] = [0, 1]
    for (const { wanted, sleeping, done } of this.#visits) {
      const choices = count(wanted & ~sleeping)
      if (choices === 0) break
      share /= choices
      sum += share * (count(done) - 1)
    }
    return Math.min(1, sum + share)
  }

  *#take(visit: Visit, process: number): Generator<EndedExecution, void> {
    if (this.#execution.length >= deepest) throw new DiagnosticError(endless)
    const step = this.#walk.step(process)
    this.transitions++
    const accesses = this.#execution.named(step.action.accesses)
    this.#reverse(process, accesses)
    this.#execution.add(process, accesses, step)
    const asleep = new Map<number, Accesses>()
    for (const explored of [visit.asleep, visit.performed]) {
      for (const [other, action] of explored) if (!areDependent(action, accesses)) asleep.set(other, action)
    }
    visit.done |= bit(process)
    visit.performed.set(process, accesses)
    yield* this.#enter(asleep, visit.alive)
  }

  *#enter(asleep: ReadonlyMap<number, Accesses>, alive: number): Generator<EndedExecution, void> {
    const [moves, waiting] = [this.#walk.moves(), this.#walk.waiting()]
    const enabled = moves.reduce((mask, { process }) => mask | bit(process), 0)
    const living = waiting.reduce((mask, { process }) => mask | bit(process), enabled)
    this.#execution.bear(living & ~alive)
    for (const { process, accesses } of waiting) this.#reverse(process, this.#execution.named(accesses))
    const sleeping = [...asleep.keys()].reduce((mask, process) => mask | bit(process), 0)
    const awake = moves.filter(({ process }) => (sleeping & bit(process)) === 0)
    const first = awake.find(({ visible }) => !visible) ?? awake[0]
    const wanted = first === undefined ? 0 : bit(first.process)
    const performed = new Map<number, Accesses>()
    this.#visits.push({ enabled, alive: living, asleep, sleeping, wanted, done: 0, performed })
    if (enabled === 0) yield { blocked: waiting.length > 0, violation: this.#walk.violation() }
    else if (first === undefined) this.abandoned++
  }

  #leave(): void {
    this.#visits.pop()
    if (this.#visits.length === 0) return
    this.#walk.back()
    this.#execution.undo()
  }

  /** Makes sure that each race of an action with an earlier one is explored the other way round. */
  #reverse(process: number, accesses: Accesses): void {
    for (const { index, initials } of this.#execution.races(process, accesses)) {
      const visit = this.#visits[index] as Visit
      if ((initials & (visit.wanted | visit.sleeping)) !== 0) continue
      const possible = initials & visit.enabled
      if (possible !== 0) visit.wanted |= possible & bit(process) || bit(least(possible))
      else invariant(initials === bit(process), 'what begins an execution can begin it, unless it waits')
    }
  }
}

const endless = {
  code: 'E203',
  message: `an execution has not ended after ${deepest} steps`,
  hint: 'without memory of states a loop has no end: use the engine "stateful"',
} as const
