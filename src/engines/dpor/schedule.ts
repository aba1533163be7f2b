/**
 * Which process moves next (`next` in Must, Algorithm 1). It is a function of the graph alone, so that a search that goes on from a file
 * adds the events that one run would have added: processes are told apart by when they began and last moved in this graph, never by
 * what the search has met before. The schedule `random` alone is another one each time.
 */
import { Random } from '../../core/random.ts'
import { began, type Graph, type GraphProcess } from './graph.ts'
import { type Histories, stopped } from './histories.ts'
import type { DporOptions } from './options.ts'

/** What the schedule asks the search about. */
interface Moving {
  readonly graph: Graph
  readonly histories: Histories
  /** Whether the process can perform its next operation; a receive that can is prepared then. */
  canMove(process: GraphProcess): boolean
}

export class Schedule {
  readonly #moving: Moving
  readonly #kind: DporOptions['schedule']
  readonly #random: Random
  /**
   * Processes that may want to act. Invariant: those that do want to are all there, the one that moved last at the end. The last one
   * moves, so moving keeps the order, and a process that begins or reads is put behind it; only backtracking needs sorting.
   */
  readonly #agenda: GraphProcess[] = []
  /** Processes that wait for the end of another. */
  readonly #joining: GraphProcess[] = []

  constructor(moving: Moving, { schedule, seed }: Pick<DporOptions, 'schedule' | 'seed'>) {
    this.#moving = moving
    this.#kind = schedule
    this.#random = new Random(seed)
  }

  next(): GraphProcess | undefined {
    const canMove = (process: GraphProcess): boolean => this.#moving.canMove(process)
    switch (this.#kind) {
      case 'sends-first':
        return this.#nextActing() ?? this.#nextReading()
      case 'left-to-right':
        return this.#moving.graph.living.find(canMove)
      case 'right-to-left':
        return this.#moving.graph.living.findLast(canMove)
      case 'random':
        return this.#random.shuffle(this.#moving.graph.living).find(canMove)
    }
  }

  /** A process has just begun. The other schedules look at all processes each time. */
  begun(process: GraphProcess): void {
    if (this.#kind === 'sends-first') this.#agenda.push(process)
  }

  /** Another graph has become the current one. */
  begunAnew(): void {
    this.#lookAt(this.#moving.graph.living)
    this.#moving.graph.unchanged()
  }

  /** The graph has become its next alternative: processes that did not change want what they wanted when it was complete. */
  backtracked(): void {
    this.#lookAt(this.#moving.graph.changed)
    this.#moving.graph.unchanged()
  }

  #lookAt(processes: readonly GraphProcess[]): void {
    if (this.#kind !== 'sends-first') return
    this.#agenda.push(...processes)
    this.#agenda.sort(byLastMove)
  }

  /**
   * A process that can do something other than receive. Only processes on the agenda are looked at: those that moved, began or
   * may have changed by backtracking since they were last found to want something else.
   */
  #nextActing(): GraphProcess | undefined {
    const agenda = this.#agenda
    for (let process = agenda.at(-1); process !== undefined; process = agenda.at(-1)) {
      const state = process.alive ? this.#moving.histories.now(process) : stopped
      if (state.wants === 'to act') {
        if (state.pending?.kind !== 'join') return process
        if (!this.#joining.includes(process)) this.#joining.push(process)
      }
      agenda.pop()
    }
    return this.#joining.length === 0 ? undefined : this.#nextJoining()
  }

  /** A process that waited for the end of another and can go on; those that wait for nothing any more leave the list. */
  #nextJoining(): GraphProcess | undefined {
    const { histories } = this.#moving
    const waiting = this.#joining.filter((process) => process.alive && histories.now(process).pending?.kind === 'join')
    this.#joining.splice(0, this.#joining.length, ...waiting.sort(byLastMove))
    const ready = this.#joining.find((process) => this.#moving.canMove(process))
    if (ready !== undefined) this.#agenda.push(ready)
    return ready
  }

  /** Receives wait until nothing else can move: they find more to read at once, and fewer sends have to come back to them. */
  #nextReading(): GraphProcess | undefined {
    const { graph, histories } = this.#moving
    for (const process of graph.living) {
      if (histories.now(process).wants !== 'to read' || !this.#moving.canMove(process)) continue
      this.#agenda.push(process)
      return process
    }
    return undefined
  }
}

function byLastMove(left: GraphProcess, right: GraphProcess): number {
  return lastMoved(left) - lastMoved(right) || left.number - right.number
}

/** When a process last moved, or began, which is after its parent moved. */
function lastMoved(process: GraphProcess): number {
  return process.events.at(-1)?.stamp ?? began(process) + 0.5
}
