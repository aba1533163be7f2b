/**
 * Mazurkiewicz traces of a `Stateful` view by brute force: every interleaving, each named by the order of its dependent actions.
 * What `dpor` must explore, found without races, clocks or sleep sets.
 */
import { MemorySearch } from '../../src/engines/dpor/memory-search.ts'
import { type Access, clashing, type Stateful, samePart } from '../../src/program/stateful.ts'

export interface Traces {
  /** Names of traces, with the key of the final state each ends in. */
  readonly finals: ReadonlyMap<string, string>
}

/** Undefined if there are more steps than the limit. */
export function tracesOf(view: Stateful, limit: number): Traces | undefined {
  const walk = view.walk()
  const finals = new Map<string, string>()
  const trace = new TraceName()
  let steps = 0
  const visit = (alive: ReadonlySet<number>): boolean => {
    const moves = walk.moves()
    const living = new Set([...moves, ...walk.waiting()].map(({ process }) => process))
    trace.bear([...living].filter((process) => !alive.has(process)))
    if (moves.length === 0) finals.set(trace.name(), walk.key())
    for (const { process } of moves) {
      if (++steps > limit) return false
      const step = walk.step(process)
      trace.add(process, step.action.accesses, step.renaming)
      const isDone = visit(living)
      trace.drop()
      walk.back()
      if (!isDone) return false
    }
    return true
  }
  return visit(new Set()) ? { finals } : undefined
}

/** What `dpor` explores, in the same names; `twice` are those it explored more than once. */
export function exploredTraces(view: Stateful): Traces & { readonly twice: number; readonly search: MemorySearch } {
  const search = new MemorySearch(view)
  const finals = new Map<string, string>()
  let twice = 0
  for (const ended of search.executions()) {
    if (ended === undefined) continue
    const walk = view.walk()
    const trace = new TraceName()
    let alive = new Set<number>()
    const live = (): void => {
      const living = new Set([...walk.moves(), ...walk.waiting()].map(({ process }) => process))
      trace.bear([...living].filter((process) => !alive.has(process)))
      alive = living
    }
    live()
    for (const decision of search.decisions()) {
      const process = view.processes.indexOf(decision.process)
      const step = walk.step(process)
      trace.add(process, step.action.accesses, step.renaming)
      live()
    }
    const name = trace.name()
    if (finals.has(name)) twice++
    finals.set(name, walk.key())
  }
  return { finals, twice, search }
}

interface TracedEvent {
  readonly name: string
  readonly process: number
  /** Accesses with identities of objects in the place of their numbers. */
  readonly accesses: readonly (readonly [object: number, part: number, mode: number])[]
  /** Names of objects in the state before. */
  readonly objects: readonly (number | undefined)[]
}

/** Each event by process and number, with the earlier events it depends on: equal for executions that are one trace. */
class TraceName {
  readonly #events: TracedEvent[] = []
  readonly #births: { readonly process: number; readonly at: number }[] = []
  #objects: (number | undefined)[] = []
  #made = 0

  bear(processes: readonly number[]): void {
    for (const process of processes) this.#births.push({ process, at: this.#events.length })
  }

  add(process: number, accesses: readonly Access[], renaming: readonly number[]): void {
    const objects = [...this.#objects]
    const nameOf = (object: number): number => {
      objects[object] ??= this.#made++
      return objects[object]
    }
    const named = accesses.map(({ object, part, mode }) => [nameOf(object), part, mode] as const)
    const count = this.#events.filter((event) => event.process === process).length
    this.#events.push({ name: `${process}.${count}`, process, accesses: named, objects: this.#objects })
    this.#objects = []
    for (const [before, after] of renaming.entries()) if (after >= 0) this.#objects[after] = objects[before]
  }

  drop(): void {
    while (this.#births.at(-1)?.at === this.#events.length) this.#births.pop()
    this.#objects = [...(this.#events.pop() as TracedEvent).objects]
  }

  name(): string {
    const lines = this.#events.map((event, at) => {
      const earlier = this.#events.slice(0, at).filter((other) => areDependent(other, event))
      return `${event.name}<${earlier.map(({ name }) => name).sort()}`
    })
    return lines.sort().join(' ')
  }
}

function areDependent(left: TracedEvent, right: TracedEvent): boolean {
  if (left.process === right.process) return false
  return left.accesses.some(([object, part, mode]) =>
    right.accesses.some(
      ([other, otherPart, otherMode]) => object === other && samePart(part, otherPart) && clashing(mode, otherMode),
    ),
  )
}
