/**
 * The oracle, not a product: every interleaving of the reference semantics, one after the other, depth first. Nothing is
 * pruned, merged or remembered; each execution runs from its beginning in a `World` of its own, because processes cannot be
 * copied. Other engines are right when they see what this one sees.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { type Decision, describeDecision } from '../../core/trace.ts'
import type { Runnable } from '../../program/program.ts'
import { World } from '../../semantics/world.ts'
import type { Engine, EngineEvent, EngineRequest, EngineSetting, WorkUnit } from '../engine.ts'
import { type Branch, branchOf, unitOf, wholeSearch } from './branch.ts'

export const exhaustive: Engine<'runnable'> = {
  name: 'exhaustive',
  summary: 'every interleaving, naively: the oracle other engines are tested against',
  needs: 'runnable',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant'],
  claims: 'verified',
  root: () => unitOf(wholeSearch),
  explore,
}

function* explore(
  subject: Runnable,
  _setting: EngineSetting,
  unit: WorkUnit,
): Generator<EngineEvent, void, EngineRequest> {
  try {
    yield* interleavings(subject, unit)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

/** An event of the search; executions come with the world they ended in. */
export type InterleavingEvent =
  | (Extract<EngineEvent, { kind: 'execution' }> & { readonly world: World })
  | Exclude<EngineEvent, { kind: 'execution' }>

/** The search itself, for tests that look at what happened in each execution without running it again. */
export function interleavings(subject: Runnable, unit: WorkUnit): Generator<InterleavingEvent, void, EngineRequest> {
  return new Search(subject, branchOf(unit)).run()
}

class Search {
  readonly #subject: Runnable
  /** Decisions of the current execution, from its beginning. */
  readonly #path: Decision[]
  /** Invariant: `#untried[i]` holds the alternatives to `#path[i]` that nobody has explored or been given. */
  readonly #untried: Decision[][]
  /** Invariant: `#weights[i]` is the share of the whole search that `#path[i]` and each of its alternatives stand for. */
  readonly #weights: number[]
  /** Share of the whole search before the first decision that is not fixed, and share explored so far. */
  readonly #weight: number
  #explored = 0
  /** How many decisions of the path an earlier execution has taken already; what comes about later is news. */
  #known: number
  /** Whether the world's beginning, before any decision, is news. */
  #fresh: boolean
  #request: EngineRequest = undefined
  /** Faults that may strike where the current execution ended; it may as well go on with one of them. */
  #faultsAtEnd: Decision[] = []

  constructor(subject: Runnable, branch: Branch) {
    this.#subject = subject
    this.#path = [...branch.prefix]
    this.#untried = branch.prefix.map(() => [])
    this.#weights = branch.prefix.map(() => branch.weight)
    this.#weight = branch.weight
    this.#known = branch.prefix.length
    this.#fresh = branch.options === null
    const [first, ...others] = branch.options ?? []
    if (first === undefined) return
    this.#path.push(first)
    this.#untried.push(others)
    this.#weights.push(branch.weight)
  }

  *run(): Generator<InterleavingEvent, void, EngineRequest> {
    do {
      yield* this.#execute()
      if (this.#request === 'surrender') return yield* this.#give(this.#untriedDepths())
      if (this.#request === 'share') yield* this.#share()
      this.#request = undefined
    } while (this.#backtrack())
  }

  /** One execution: along the path as far as it goes, then always the first enabled decision, to the end. */
  *#execute(): Generator<InterleavingEvent, void, EngineRequest> {
    const world = this.#worldAfterKnown()
    let reported = this.#fresh ? 0 : world.violations.length
    const eventsBefore = this.#fresh ? 0 : world.events.length
    this.#fresh = false
    for (let depth = this.#known; ; depth++) {
      for (; reported < world.violations.length; reported++) yield* this.#report(world, reported, depth)
      if (depth === this.#path.length && !this.#extend(world)) break
      this.#take(world, depth)
    }
    for (const violation of world.endViolations()) {
      yield* this.#tell({ kind: 'violation', violation, decisions: [...this.#path], foundIn: world.events.length })
    }
    const weight = (this.#weights.at(-1) ?? this.#weight) / (1 + this.#faultsAtEnd.length)
    this.#explored += weight
    yield* this.#tell({
      kind: 'execution',
      blocked: world.isBlocked(),
      events: world.events.length - eventsBefore,
      length: world.events.length,
      explored: this.#explored,
      world,
      decisions: () => [...this.#path],
    })
    this.#goOnAfterEnd(weight)
  }

  /** An execution that may end may as well go on with a fault; the place in the path is taken by the first one tried. */
  #goOnAfterEnd(weight: number): void {
    const [first] = this.#faultsAtEnd
    if (first === undefined) return
    this.#path.push(first)
    this.#untried.push(this.#faultsAtEnd)
    this.#weights.push(weight)
    this.#faultsAtEnd = []
  }

  #worldAfterKnown(): World {
    const world = new World(this.#subject)
    for (let depth = 0; depth < this.#known; depth++) this.#take(world, depth)
    return world
  }

  #take(world: World, depth: number): void {
    const decision = this.#path[depth] as Decision
    if (!world.allows(decision)) throw new DiagnosticError(notRepeatable(decision, depth))
    world.take(decision)
  }

  /** Adds the first enabled decision to the path, if there is one. */
  #extend(world: World): boolean {
    const moves = world.moves()
    if (moves.length === 0) {
      this.#faultsAtEnd = world.faults()
      return false
    }
    const [first, ...others] = [...moves, ...world.faults()]
    if (first === undefined) return false
    this.#weights.push((this.#weights.at(-1) ?? this.#weight) / (1 + others.length))
    this.#path.push(first)
    this.#untried.push(others)
    return true
  }

  /** Moves the path to the deepest untried alternative, if one is left. */
  #backtrack(): boolean {
    while (this.#untried.at(-1)?.length === 0) {
      this.#untried.pop()
      this.#weights.pop()
      this.#path.pop()
    }
    const next = this.#untried.at(-1)?.shift()
    if (next === undefined) return false
    this.#path[this.#path.length - 1] = next
    this.#known = this.#path.length - 1
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
    const given = options.splice(Math.ceil(options.length / 2))
    if (given.length > 0) yield this.#surplus(highest, given)
  }

  *#give(depths: readonly number[]): Generator<InterleavingEvent, void, EngineRequest> {
    for (const depth of depths) {
      const options = this.#untried[depth] as Decision[]
      this.#untried[depth] = []
      yield this.#surplus(depth, options)
    }
  }

  #surplus(depth: number, options: readonly Decision[]): InterleavingEvent {
    const branch = { prefix: this.#path.slice(0, depth), options, weight: this.#weights[depth] ?? this.#weight }
    return { kind: 'surplus', unit: unitOf(branch) }
  }

  *#report(world: World, which: number, depth: number): Generator<InterleavingEvent, void, EngineRequest> {
    const violation = world.violations[which]
    if (violation === undefined) return
    yield* this.#tell({
      kind: 'violation',
      violation,
      decisions: this.#path.slice(0, depth),
      foundIn: world.events.length,
    })
  }

  /** Requests are answered between executions: an execution once begun is finished here, so nothing is seen twice. */
  *#tell(event: InterleavingEvent): Generator<InterleavingEvent, void, EngineRequest> {
    this.#request = (yield event) ?? this.#request
  }
}

function notRepeatable(decision: Decision, depth: number) {
  return {
    code: 'E201',
    message: `decision ${depth + 1} (${describeDecision(decision)}) was possible before and is not when the same decisions are taken again`,
    hint: 'a process may depend on its operations only: no clock, no randomness, no variables shared with other processes',
  } as const
}
