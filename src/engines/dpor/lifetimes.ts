/**
 * How long states last in a complete graph, without following its execution: processes exposed them when they were run. What comes before
 * what is as clocks tell, which are causes (`semantics/partial-order.ts`) and nothing else; that a partition comes before or after an event
 * is not among them, so that more states may seem to be met together than are.
 *
 * States whose beginnings have all been in a graph that was judged need not be judged together again, and beginnings are marked one by
 * one. That is right because marked events of a graph have always been in one judged graph together. Going back to a frame makes the graph
 * a part of what it was when the frame was pushed, but for one event that changes and loses its mark; and the first graph completed
 * after the push, with all of that in it, was judged. All others are new events.
 */
import { mostOf } from '../../core/faults.ts'
import type { Value } from '../../core/value.ts'
import { type Lifetime, type Lifetimes, never } from '../../semantics/lifetimes.ts'
import type { GraphEvent, GraphProcess } from './graph.ts'
import type { GraphSearch } from './search.ts'

/** Marks all events of the graph. */
export function lifetimesIn(search: GraphSearch): readonly Lifetimes[] {
  const { graph, subject, histories } = search
  // Where not every complete graph is an execution, not every one is judged.
  const isEachJudged = mostOf(subject.faults, 'crashes') === 0 && mostOf(subject.faults, 'partitions') === 0
  const spawns = new Map(graph.order.map((event) => [event.child, event] as const))
  const found = graph.processes.flatMap((process) => {
    const spawn = spawns.get(process)
    if (spawn === undefined || !process.alive || process.forwards !== undefined) return []
    const states = new StatesOf(process, spawn, isEachJudged)
    states.add(histories.at(process, undefined).announced, undefined)
    for (const event of process.events) states.add(histories.at(process, event).announced, event)
    return states.lifetimes.length === 1 ? [] : [{ process: process.id, lifetimes: states.lifetimes }]
  })
  for (const event of graph.order) event.isJudged = true
  return found
}

class StatesOf {
  readonly lifetimes: Lifetime[] = [never]
  readonly #process: GraphProcess
  readonly #spawn: GraphEvent
  readonly #isEachJudged: boolean

  constructor(process: GraphProcess, spawn: GraphEvent, isEachJudged: boolean) {
    this.#process = process
    this.#spawn = spawn
    this.#isEachJudged = isEachJudged
  }

  /** Exposed after the event, or at the beginning of the process; nothing, if it is as before. */
  add(exposed: unknown, event: GraphEvent | undefined): void {
    const last = this.lifetimes.at(-1) as Lifetime
    if (exposed === undefined || exposed === last.state) return
    const beginning = event ?? this.#spawn
    this.lifetimes[this.lifetimes.length - 1] = { ...last, endOf: beginning.process.number, end: beginning.index }
    this.lifetimes.push({
      ...never,
      state: exposed as Value,
      past: event === undefined ? this.#process.birth : pastOf(event),
      isNew: !(this.#isEachJudged && beginning.isJudged),
    })
  }
}

function pastOf({ clock, process, index }: GraphEvent): readonly number[] {
  const past = clock.slice()
  while (past.length <= process.number) past.push(0)
  past[process.number] = index + 1
  return past
}
