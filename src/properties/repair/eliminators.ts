/**
 * All optimal execution eliminators of an execution (thesis §2.3.4.1): the minimal sets of segments of calls such that no
 * equivalent execution runs them all without interruption.
 *
 * A cycle of the execution graph extended by edges back inside calls is a sequence of conflicts, each process being
 * entered and left at most once. Entered at `a` and left from `b`, a process either goes on in program order (b = a or
 * later, in any call) or goes back from a to an earlier b of the same call; then [b, a] is a critical segment. The thesis
 * states this side condition as membership in E \ cf only; the proof is that a shortest cycle of an interval graph has, per
 * process, one interval or two consecutive ones, for anything else has a shortcut in program order.
 *
 * Instead of all sequences of conflicts only the tightest are tried. Entering a process earlier is never worse: it leaves
 * more ways on and makes its segment smaller. So of all ways from a process to the next, only the earliest entry counts, and
 * leaving further back is of use only where it leads to an earlier entry. Cycles are sought by the number of their critical
 * segments, so that whatever subsumes an eliminator already found is cut off early. The number of optimal eliminators itself
 * is exponential in the number of processes (thesis, Figure 2.24); hence `limits`.
 */
import { invariant } from '../../core/invariant.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { allConflicts } from './conflicts.ts'
import { accessAt, type Recording } from './recording.ts'

/** Consecutive accesses of one call, by their indices in the execution. */
export interface Segment {
  readonly call: number
  readonly first: number
  readonly last: number
}

/** Segments of different processes, by process. */
export type Eliminator = readonly Segment[]

export interface Eliminators {
  readonly eliminators: readonly Eliminator[]
  /** True if the search was cut short: there may be others, and smaller ones. */
  readonly capped: boolean
}

const defaultLimits = { eliminators: 2_000, steps: 2_000_000 }

/** Steps between two breaths: each may be compared with all that was found. */
const stepsPerBreath = 256

export function* eliminatorsOf(recording: Recording, limits = defaultLimits): Unhurried<Eliminators> {
  const lanes = actionLanes(recording)
  const search = new CycleSearch(lanes, waysBetween(recording, lanes), limits)
  yield* search.run()
  const found = search.found.map((segments) =>
    segments.map(({ lane, first, last }) => {
      const start = actionAt(lanes, lane, first)
      const end = actionAt(lanes, lane, last)
      return { call: start.call, first: start.first, last: end.last }
    }),
  )
  return { eliminators: found, capped: search.capped }
}

interface LaneAction {
  readonly call: number
  /** Its first and last access. */
  readonly first: number
  last: number
}

type Lanes = readonly (readonly LaneAction[])[]

function actionLanes(recording: Recording): Lanes {
  return recording.lanes.map((lane) => {
    const actions: LaneAction[] = []
    let current: number | undefined
    for (const access of lane) {
      const action = recording.actionOf[access]
      const last = actions.at(-1)
      if (last !== undefined && action === current) last.last = access
      else actions.push({ call: accessAt(recording, access).call, first: access, last: access })
      current = action
    }
    return actions
  })
}

function actionAt(lanes: Lanes, lane: number, position: number): LaneAction {
  const action = lanes[lane]?.[position]
  invariant(action !== undefined, 'positions are those of actions of a lane')
  return action
}

const nowhere = Number.MAX_SAFE_INTEGER

/**
 * By lane left, lane entered and position: the earliest position entered by a conflict from that position or a later one.
 * Conflicts of locks are left out: a section that only encloses the taking of a lock would close a cycle with them.
 */
type Ways = readonly (readonly (readonly number[])[])[]

function waysBetween(recording: Recording, lanes: Lanes): Ways {
  const memory = recording.accesses.flatMap((access, index) => (access.isLock ? [] : [{ access, index }]))
  const placeOf = new Map<number, { readonly lane: number; readonly position: number }>()
  for (const [lane, accesses] of recording.lanes.entries()) {
    let position = 0
    for (const access of accesses) {
      while (access > actionAt(lanes, lane, position).last) position++
      placeOf.set(access, { lane, position })
    }
  }
  const ways = lanes.map((lane) => lanes.map(() => new Array<number>(lane.length + 1).fill(nowhere)))
  for (const [from, to] of allConflicts(memory.map(({ access }) => access))) {
    const source = placeOf.get(memory[from]?.index ?? -1)
    const target = placeOf.get(memory[to]?.index ?? -1)
    invariant(source !== undefined && target !== undefined, 'every access has a place in its lane')
    const entries = ways[source.lane]?.[target.lane] ?? []
    entries[source.position] = Math.min(entries[source.position] ?? nowhere, target.position)
  }
  for (const entries of ways.flat()) {
    for (let i = entries.length - 2; i >= 0; i--)
      entries[i] = Math.min(entries[i] ?? nowhere, entries[i + 1] ?? nowhere)
  }
  return ways
}

interface LaneSegment {
  readonly lane: number
  readonly first: number
  readonly last: number
}

/** A way out of a lane that was entered at some position. */
interface Exit {
  /** The position left from, if that is before the one entered at; else control just goes on. */
  readonly back: number | undefined
  /** Where the next lane is entered. */
  readonly entry: number
}

class CycleSearch {
  /** Invariant: none subsumes another. */
  found: (readonly LaneSegment[])[] = []
  /** Whether a limit ended the search. */
  capped = false
  readonly #lanes: Lanes
  readonly #ways: Ways
  readonly #limits: typeof defaultLimits
  #steps = 0
  /** The cycle under construction: lanes on it, and its critical segments without that of the first lane. */
  readonly #visited = new Set<number>()
  readonly #segments: LaneSegment[] = []

  constructor(lanes: Lanes, ways: Ways, limits: typeof defaultLimits) {
    this.#lanes = lanes
    this.#ways = ways
    this.#limits = limits
  }

  *run(): Unhurried<void> {
    for (let segments = 1; segments <= this.#lanes.length && !this.capped; segments++) {
      for (const start of this.#lanes.keys()) yield* this.#startIn(start, segments)
    }
    this.found = this.found.map((each) => each.toSorted((left, right) => left.lane - right.lane))
  }

  /** Cycles in which `start` is the first lane that has a critical segment: each is found from one start only. */
  *#startIn(start: number, segments: number): Unhurried<void> {
    this.#visited.add(start)
    const beyond = this.#lanes[start]?.length ?? 0
    for (const next of this.#lanes.keys()) {
      if (next === start) continue
      let best = nowhere
      for (let left = beyond - 1; left >= 0; left--) {
        const entry = this.#entry(start, next, left)
        if (entry >= best) continue
        best = entry
        yield* this.#extend({ start, left, lane: next, entered: entry, missing: segments - 1 })
      }
    }
    this.#visited.delete(start)
  }

  *#extend(path: Path): Unhurried<void> {
    if (this.capped || ++this.#steps > this.#limits.steps) {
      this.capped = true
      return
    }
    if (this.#steps % stepsPerBreath === 0) yield
    const { lane, entered, missing, start } = path
    this.#visited.add(lane)
    for (const next of this.#lanes.keys()) {
      if (next !== start && this.#visited.has(next)) continue
      const mayGoBack = missing > 0 && lane > start
      for (const { back, entry } of this.#exits(lane, entered, next)) {
        if (back === undefined) yield* this.#go(path, next, entry, missing)
        else if (mayGoBack) {
          this.#segments.push({ lane, first: back, last: entered })
          if (!this.#isHopeless()) yield* this.#go(path, next, entry, missing - 1)
          this.#segments.pop()
        }
      }
    }
    this.#visited.delete(lane)
  }

  *#go(path: Path, next: number, entry: number, missing: number): Unhurried<void> {
    if (next !== path.start) yield* this.#extend({ ...path, lane: next, entered: entry, missing })
    else if (missing === 0) this.#close(path, entry)
  }

  /** Only the tightest: going further back must lead to an earlier entry. */
  *#exits(lane: number, entered: number, next: number): Generator<Exit, void> {
    let best = this.#entry(lane, next, entered)
    if (best !== nowhere) yield { back: undefined, entry: best }
    const { call } = actionAt(this.#lanes, lane, entered)
    for (let back = entered - 1; back >= 0 && actionAt(this.#lanes, lane, back).call === call; back--) {
      const entry = this.#entry(lane, next, back)
      if (entry >= best) continue
      best = entry
      yield { back, entry }
    }
  }

  #close({ start, left }: Path, entry: number): void {
    if (this.capped || entry <= left) return
    if (actionAt(this.#lanes, start, entry).call !== actionAt(this.#lanes, start, left).call) return
    const eliminator = [...this.#segments, { lane: start, first: left, last: entry }]
    if (this.found.some((other) => subsumes(eliminator, other))) return
    this.found = this.found.filter((other) => !subsumes(other, eliminator))
    if (this.found.length < this.#limits.eliminators) this.found.push(eliminator)
    else this.capped = true
  }

  #isHopeless(): boolean {
    return this.found.some((other) => subsumes(this.#segments, other))
  }

  #entry(lane: number, next: number, position: number): number {
    return this.#ways[lane]?.[next]?.[position] ?? nowhere
  }
}

interface Path {
  /** The first lane, and where it was left. */
  readonly start: number
  readonly left: number
  /** The last lane, and where it was entered. */
  readonly lane: number
  readonly entered: number
  /** How many critical segments are to come, without that of the first lane. */
  readonly missing: number
}

function subsumes(left: readonly LaneSegment[], right: readonly LaneSegment[]): boolean {
  return right.every((inner) =>
    left.some((outer) => outer.lane === inner.lane && outer.first <= inner.first && inner.last <= outer.last),
  )
}
