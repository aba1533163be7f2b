/**
 * The oracle, not a product: every interleaving of the reference semantics, one after the other, depth first. Nothing is
 * pruned, merged or remembered. Other engines are right when they see what this one sees.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { sharesAddUp } from '../../core/shares.ts'
import type { Decision } from '../../core/trace.ts'
import { countedExecutions, noCounts } from '../../core/verdict.ts'
import { news } from '../../program/news.ts'
import { type Path, type Paths, takeAgain } from '../../program/path.ts'
import type { Engine, EngineEvent, EngineRequest, Options, WorkUnit } from '../engine.ts'
import { type Branch, branchOf, branchOfUntried, shareOf, unitOf } from './branch.ts'

export const exhaustive: Engine<'path'> = {
  name: 'exhaustive',
  summary: 'every interleaving, naively: the oracle other engines are tested against',
  needs: 'path',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant', 'linearizability', 'refinement'],
  claims: 'verified',
  options: {},
  counted: countedExecutions,
  units: 'split',
  weighs: shareOf,
  addsUp: (rest) => sharesAddUp(rest, rest.units.map(shareOf)),
  explore,
}

function* explore(subject: Paths, _options: Options, unit?: WorkUnit): Generator<EngineEvent, void, EngineRequest> {
  try {
    yield* interleavings(subject, unit)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

/** An event of the search; executions come with the path they end. */
export type InterleavingEvent =
  | (Extract<EngineEvent, { kind: 'execution' }> & { readonly path: Path })
  | Exclude<EngineEvent, { kind: 'execution' }>

/** The search itself, for tests that look at what happened in each execution without running it again. */
export function interleavings(subject: Paths, unit?: WorkUnit): Generator<InterleavingEvent, void, EngineRequest> {
  return new InterleavingSearch(subject, branchOf(unit)).run()
}

/** Steps between two looks at the budgets: each may take milliseconds. */
const pauseEvery = 16

class InterleavingSearch {
  readonly #subject: Paths
  /** The current execution, and how many of the decisions it has taken. */
  #path: Path | undefined
  #taken = 0
  /** Its decisions, from its beginning; those that the path has not taken yet come last. */
  readonly #decisions: Decision[]
  /** Invariant: `#untried[i]` holds the alternatives to `#decisions[i]` that nobody has explored or been given. */
  readonly #untried: Decision[][]
  /** Invariant: `#weights[i]` is the share of the whole search that `#decisions[i]` and each of its alternatives stand for. */
  readonly #weights: number[]
  /** Share of the whole search before the first decision that is not fixed, and share explored so far. */
  readonly #weight: number
  #explored = 0
  /** How many decisions an earlier execution has taken already; what comes about later is news. */
  #known: number
  /** Whether what comes about before any decision is news. */
  #fresh: boolean
  #request: EngineRequest = undefined
  /** Faults that may strike where the current execution ended; it may as well go on with one of them. */
  #faultsAtEnd: Decision[] = []

  constructor(subject: Paths, branch: Branch) {
    this.#subject = subject
    this.#decisions = [...branch.prefix]
    this.#untried = branch.prefix.map(() => [])
    this.#weights = branch.prefix.map(() => branch.weight)
    this.#weight = branch.weight
    this.#known = branch.prefix.length
    this.#fresh = branch.untried === null
    for (const { depth, options, weight } of branch.untried ?? []) {
      this.#untried[depth] = [...options]
      this.#weights[depth] = weight
    }
    const first = this.#untried[this.#known]?.shift()
    if (first !== undefined) this.#decisions.push(first)
  }

  *run(): Generator<InterleavingEvent, void, EngineRequest> {
    do {
      yield* this.#execute()
      if (this.#request === 'surrender') return yield* this.#give(this.#untriedDepths())
      if (this.#request === 'share') yield* this.#share()
      this.#request = undefined
    } while (this.#backtrack())
  }

  /** One execution: the decisions as far as they go, then always the first enabled one, to the end. */
  *#execute(): Generator<InterleavingEvent, void, EngineRequest> {
    const isBegun = this.#decisions.length > this.#known
    const path = yield* this.#arrive()
    if (path === undefined) return yield* this.#putBack(isBegun)
    const told = this.#fresh ? [] : [...path.violations()]
    const eventsBefore = this.#fresh ? 0 : path.events().length
    this.#fresh = false
    for (let depth = this.#known; ; depth++) {
      yield* this.#report(path, told, depth)
      if (depth % pauseEvery === pauseEvery - 1 && (yield* this.#isOver())) return yield* this.#putBack(isBegun)
      if (depth < this.#decisions.length) this.#takeAgain(path)
      else if (!this.#extend(path)) break
    }
    const { length } = path.events()
    const weight = (this.#weights.at(-1) ?? this.#weight) / (1 + this.#faultsAtEnd.length)
    this.#explored += weight
    yield* this.#tell({
      kind: 'execution',
      blocked: path.isBlocked(),
      events: length - eventsBefore,
      length,
      explored: this.#explored,
      path,
      decisions: () => [...this.#decisions],
      violations: () => path.violations(),
    })
    this.#goOnAfterEnd(weight)
  }

  /** The execution that is under way becomes an alternative that nobody has explored; without a first decision it is all there is. */
  *#putBack(isBegun: boolean): Generator<InterleavingEvent, void, EngineRequest> {
    const begun = this.#decisions[this.#known]
    const kept = isBegun ? this.#known + 1 : 0
    for (const each of [this.#decisions, this.#untried, this.#weights]) each.length = kept
    if (isBegun && begun !== undefined) this.#untried[this.#known]?.unshift(begun)
    else yield { kind: 'surplus', unit: unitOf({ prefix: [], untried: null, weight: this.#weight }) }
  }

  /** An execution that may end may as well go on with a fault; the place in the path is taken by the first one tried. */
  #goOnAfterEnd(weight: number): void {
    const [first] = this.#faultsAtEnd
    if (first === undefined) return
    this.#decisions.push(first)
    this.#untried.push(this.#faultsAtEnd)
    this.#weights.push(weight)
    this.#faultsAtEnd = []
  }

  /** The path of the execution before, back where both agree; none if the search is over before. */
  *#arrive(): Generator<InterleavingEvent, Path | undefined, EngineRequest> {
    this.#path ??= this.#subject.begin()
    for (; this.#taken > this.#known; this.#taken--) this.#path.back()
    for (const _ of this.#path.arrive?.() ?? []) if (yield* this.#isOver()) return undefined
    while (this.#taken < this.#known) {
      this.#takeAgain(this.#path)
      if (this.#taken % pauseEvery === 0 && (yield* this.#isOver())) return undefined
    }
    return this.#path
  }

  /** A pause, in which somebody may say so. */
  *#isOver(): Generator<InterleavingEvent, boolean, EngineRequest> {
    yield* this.#tell({ kind: 'progress', counts: noCounts, explored: this.#explored })
    return this.#request === 'surrender'
  }

  #takeAgain(path: Path): void {
    takeAgain(path, this.#decisions[this.#taken] as Decision, this.#taken)
    this.#taken++
  }

  /** Takes the first enabled decision, if there is one. */
  #extend(path: Path): boolean {
    const moves = path.enabled()
    const faults = path.faults?.() ?? []
    if (moves.length === 0) {
      this.#faultsAtEnd = [...faults]
      return false
    }
    const [first, ...others] = [...moves, ...faults]
    if (first === undefined) return false
    this.#weights.push((this.#weights.at(-1) ?? this.#weight) / (1 + others.length))
    this.#decisions.push(first)
    this.#untried.push(others)
    path.take(first)
    this.#taken++
    return true
  }

  /** Goes back to the deepest untried alternative, if one is left. */
  #backtrack(): boolean {
    while (this.#untried.at(-1)?.length === 0) {
      this.#untried.pop()
      this.#weights.pop()
      this.#decisions.pop()
    }
    const next = this.#untried.at(-1)?.shift()
    if (next === undefined) return false
    this.#decisions[this.#decisions.length - 1] = next
    this.#known = this.#decisions.length - 1
    return true
  }

  #untriedDepths(): number[] {
    return this.#untried.flatMap((options, depth) => (options.length > 0 ? [depth] : []))
  }

  /** Gives away the work nearest the root, which is the largest part, and keeps at least one alternative. */
  *#share(): Generator<InterleavingEvent, void, EngineRequest> {
    const [highest, ...others] = this.#untriedDepths()
    if (highest === undefined) return
    if (others.length > 0) return yield* this.#give([highest])
    const options = this.#untried[highest] as Decision[]
    const kept = options.splice(0, Math.ceil(options.length / 2))
    if (options.length > 0) yield* this.#give([highest])
    this.#untried[highest] = kept
  }

  /** One unit, however many alternatives a long execution has. */
  *#give(depths: readonly number[]): Generator<InterleavingEvent, void, EngineRequest> {
    const deepest = depths.at(-1)
    if (deepest === undefined) return
    const untried = depths.map((depth) => ({
      depth,
      options: this.#untried[depth] as readonly Decision[],
      weight: this.#weights[depth] ?? this.#weight,
    }))
    for (const depth of depths) this.#untried[depth] = []
    yield { kind: 'surplus', unit: unitOf(branchOfUntried(this.#decisions.slice(0, deepest), untried)) }
  }

  /** What has not been told. An end that a fault goes on from is none, and what was wrong with it is not a violation so far. */
  *#report(path: Path, told: Violation[], depth: number): Generator<InterleavingEvent, void, EngineRequest> {
    for (const violation of news(path.violations(), told)) {
      const decisions = this.#decisions.slice(0, depth)
      yield* this.#tell({ kind: 'violation', violation, decisions, foundIn: decisions.length })
    }
  }

  /** Requests are answered between executions, and in the pauses of long ones. */
  *#tell(event: InterleavingEvent): Generator<InterleavingEvent, void, EngineRequest> {
    this.#request = (yield event) ?? this.#request
  }
}
