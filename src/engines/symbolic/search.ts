/**
 * All executions at once, step by step. With `states`, executions are encoded anew after each step by the states that they are in, and those that others were
 * in before are left out: the search ends when there is no new state. With `steps`, guards carry what was chosen since the beginning, as in PSym
 * (§5.4, Algorithm 2). There a fixed point (§5.5, Algorithm 3) is found by comparing with every earlier frontier, here by numbers of states.
 */
import { DiagramsPaused } from '../../bdd/diagram.ts'
import { type Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { invariant } from '../../core/invariant.ts'
import { type Violation, violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Counts } from '../../core/verdict.ts'
import type { IrView } from '../../program/program.ts'
import { endViolations } from '../../semantics/ir/ending.ts'
import { firstConfiguration } from '../../semantics/ir/first-configuration.ts'
import type { Rules } from '../../semantics/ir/moves.ts'
import { irRules } from '../../semantics/ir/paths.ts'
import { retraced } from '../../semantics/ir/retraced.ts'
import type { EngineEvent } from '../engine.ts'
import { Atoms } from './atoms.ts'
import type { Candidate } from './deliveries.ts'
import { Exploration, type StepLog } from './exploration.ts'
import { Orbits, type Settled } from './filters/orbits.ts'
import type { SearchOptions } from './options.ts'
import { heldBy, phases, type Slot } from './state.ts'
import { diagramsOf } from './summaries/equality.ts'
import { nowhere } from './summaries/summary.ts'
import { Ways } from './way.ts'

/** Nodes that are made before somebody may interrupt: about a tenth of a second. */
const nodesInSlice = 60_000
/** States that are renamed before somebody may interrupt. */
const statesInSlice = 300
/** Nodes that are made before those that nobody needs are given back. */
const nodesBeforeCollecting = 200_000

/** Executions that are wrong, for what, and who moved last. */
interface Suspect {
  readonly where: Diagram
  readonly what: string
  readonly by?: Slot | undefined
}

export class SymbolicSearch {
  readonly exploration: Exploration
  readonly #rules: Rules
  readonly #options: SearchOptions
  readonly #allowsWaiting: boolean
  readonly #collectsAfter: number
  readonly #atoms: Atoms
  readonly #ways: Ways
  readonly #orbits: Orbits | undefined
  readonly #seen = new Set<number>()
  readonly #told = new Set<string>()
  #steps = 0
  #terminals = 0
  #nodesAfterCollecting = 0
  /** Variables that stand for nothing any more. */
  #forgotten = 0

  /** `collectsAfter`: how many nodes are made in between two collections. */
  constructor(
    { program, setting, witness }: IrView,
    options: SearchOptions,
    { collectsAfter = nodesBeforeCollecting }: { readonly collectsAfter?: number } = {},
  ) {
    this.#collectsAfter = collectsAfter
    this.#rules = irRules(program, setting, { witness })
    this.#options = options
    this.#allowsWaiting = setting.options.deadlock === 'allow'
    this.exploration = new Exploration(this.#rules, new Diagrams({ order: options.order }), options)
    this.#atoms = new Atoms(this.exploration)
    this.#ways = new Ways(this.exploration.state)
    if (options.filter === 'symmetry') this.#orbits = new Orbits(this.exploration.state, this.#atoms)
  }

  get #diagrams(): Diagrams {
    return this.exploration.diagrams
  }

  *events(): Generator<EngineEvent, void> {
    const { violation } = firstConfiguration(this.#rules).configuration
    if (violation !== undefined) yield { kind: 'violation', violation, decisions: [], foundIn: 0 }
    else for (const depth of this.depths()) if (typeof depth === 'object') yield depth
    yield this.#progress(1)
  }

  /** A number is told at the beginning of each step: how many steps have been taken. */
  *depths(): Generator<EngineEvent | number, void> {
    const { exploration } = this
    if (this.#options.mode === 'states') yield* this.#encode()
    while (exploration.state.alive !== this.#diagrams.never) {
      yield this.#steps
      const candidates = yield* this.#patiently(() => exploration.deliveries.candidates())
      yield* this.#end(yield* this.#patiently(() => exploration.ended(candidates)))
      if (exploration.state.alive === this.#diagrams.never) break
      this.#ways.add(yield* this.#filteredStep(candidates))
      this.#steps++
      for (const { guard: where, by, failure, place } of exploration.takeWrong()) {
        const suspect = { where, by, what: `${failure} at line ${place.line}` }
        yield* this.#tell(suspect, ({ violation }) => (violation === undefined ? [] : [violation]))
      }
      if (exploration.state.alive === this.#diagrams.never) break
      if (this.#options.mode === 'states') yield* this.#encode()
      yield* this.#patiently(() => exploration.simplify())
      if (this.#options.mode === 'states') this.#atoms.settled()
      this.#collect()
      yield this.#progress(0)
    }
  }

  /** Where a filter left something out and no state is new, the step is taken again without that: it would be left out for ever. */
  *#filteredStep(candidates: readonly Candidate[]): Generator<EngineEvent, StepLog> {
    const { filter } = this.exploration
    const restore = this.exploration.snapshot()
    const before = this.#diagrams.variables
    const log = yield* this.#step(candidates)
    const postponing = filter?.postponing() ?? this.#diagrams.never
    if (filter === undefined || postponing === this.#diagrams.never) return log
    const stuck = yield* this.#patiently(() => this.#diagrams.minus(postponing, this.#leadsOn(before)))
    if (stuck === this.#diagrams.never) return log
    restore()
    filter.insist(stuck)
    return yield* this.#step(candidates)
  }

  /** From where a step led to a state that is new; variables from this one on are those of the step. */
  #leadsOn(first: number): Diagram {
    const diagrams = this.#diagrams
    const isNew = diagrams.function((state) => (state !== nowhere && !this.#seen.has(state) ? 1 : 0))
    const chosen = Array.from({ length: diagrams.variables - first }, (_, at) => first + at)
    return diagrams.some(diagrams.map(isNew, this.#atoms.joint()), chosen)
  }

  /** A step that takes long is begun again and again, with a breath in between: what was computed is found again. */
  *#step(candidates: readonly Candidate[]): Generator<EngineEvent, StepLog> {
    const restore = this.exploration.snapshot()
    for (let slice = nodesInSlice; ; slice *= 2) {
      try {
        const stepping = this.exploration.step(candidates)
        for (;;) {
          this.#diagrams.pauseAfter(slice)
          const next = stepping.next()
          if (next.done === true) return next.value
          yield this.#breath()
        }
      } catch (error) {
        if (!(error instanceof DiagramsPaused)) throw error
        restore()
        yield this.#breath()
      } finally {
        this.#diagrams.pauseAfter()
      }
    }
  }

  /** The same for what can be done twice. */
  *#patiently<T>(work: () => T): Generator<EngineEvent, T> {
    for (let slice = nodesInSlice; ; slice *= 2) {
      this.#diagrams.pauseAfter(slice)
      try {
        return work()
      } catch (error) {
        if (!(error instanceof DiagramsPaused)) throw error
        yield this.#breath()
      } finally {
        this.#diagrams.pauseAfter()
      }
    }
  }

  #breath(): EngineEvent {
    return { ...this.#progress(0), isBreath: true }
  }

  /** Executions that have ended: how many states they ended in, and what is wrong with that. */
  *#end(ended: Diagram): Generator<EngineEvent> {
    if (ended === this.#diagrams.never) return
    this.#terminals += Number(this.count(ended))
    const { code } = this.#rules
    for (const where of this.#suspicious(ended))
      yield* this.#tell({ where, what: 'how executions end' }, (configuration) =>
        endViolations(configuration, code, this.#allowsWaiting),
      )
  }

  /** Where machines wait in the middle of a handler, and for each state in which a monitor asks for more where it is in that. */
  #suspicious(ended: Diagram): readonly Diagram[] {
    const { slots, monitors, controls, lifting, code } = this.exploration.state
    const diagrams = this.#diagrams
    const waits = lifting.function('waits', () => (control) => (controls.at(control).frames.length > 0 ? 1 : 0))
    const waiting = slots.reduce<Diagram>((all, { phase, control }) => {
      const begun = diagrams.guardOf(phase, phases.begun)
      return diagrams.or(all, diagrams.and(begun, diagrams.map(waits, control)))
    }, diagrams.never)
    const hot = monitors.flatMap(({ machine, state }) => {
      const { kind, states = [] } = code.ir.machines[machine] ?? {}
      const isHot = (at: number): boolean => kind === 'monitor' && states[at]?.temperature === 'hot'
      return diagrams.leavesWithin(state, ended).flatMap((at) => (isHot(at) ? [diagrams.guardOf(state, at)] : []))
    })
    return [...(this.#allowsWaiting ? [] : [waiting]), ...hot].map((guard) => diagrams.and(ended, guard))
  }

  *#tell(
    { where, what, by }: Suspect,
    found: (configuration: ReturnType<typeof retraced>['configuration']) => readonly Violation[],
  ): Generator<EngineEvent> {
    const model = this.#diagrams.model(where)
    if (model === undefined) return
    const { decisions, configuration } = retraced(this.#ways.steps(model, by), this.#rules)
    const violations = found(configuration)
    invariant(violations.length > 0, `what is wrong symbolically is wrong in the reference semantics: ${what}`)
    for (const violation of violations) {
      if (this.#told.has(violationKey(violation))) continue
      this.#told.add(violationKey(violation))
      yield this.#progress(0)
      yield this.#found(violation, decisions)
    }
  }

  #found(violation: Violation, decisions: readonly Decision[]): EngineEvent {
    return { kind: 'violation', violation, decisions, foundIn: decisions.length }
  }

  /** Assignments of the variables that count: executions, or states if they are encoded. */
  count(guard: Diagram): bigint {
    return this.#diagrams.count(guard) >> BigInt(this.#forgotten)
  }

  /** Executions go on from states that nobody was in before. */
  *#encode(): Generator<EngineEvent, void> {
    const diagrams = this.#diagrams
    const joint = yield* this.#patiently(() => this.#atoms.joint())
    const settled = yield* this.#settled(joint)
    const fresh: number[] = []
    diagrams.visitLeaves(joint, (met, model) => {
      const { state, renamed = undefined } = settled?.get(met) ?? { state: met }
      if (state === nowhere || this.#seen.has(state)) return
      this.#seen.add(state)
      fresh.push(state)
      this.#ways.leads(model, renamed)
    })
    const before = diagrams.variables
    const variables = this.#atoms.encode(fresh)
    this.#ways.encoded(variables)
    this.#forgotten = before
    if (fresh.length === 0) this.exploration.state.alive = diagrams.never
  }

  /** Which state is kept for each, with a breath now and then; undefined: every state is. */
  *#settled(joint: Diagram): Generator<EngineEvent, ReadonlyMap<number, Settled> | undefined> {
    if (this.#orbits === undefined) return undefined
    const settled = new Map<number, Settled>()
    for (const state of this.#diagrams.leaves(joint)) {
      settled.set(state, this.#orbits.settled(state))
      if (settled.size % statesInSlice === 0) yield this.#breath()
    }
    return settled
  }

  #collect(): void {
    if (this.#diagrams.size - this.#nodesAfterCollecting < this.#collectsAfter) return
    this.#diagrams.collect(this.#roots())
    this.#nodesAfterCollecting = this.#diagrams.size
  }

  *#roots(): Generator<Diagram> {
    const { state } = this.exploration
    yield state.alive
    for (const slot of state.slots) {
      yield* [slot.self, slot.phase, slot.control, ...slot.created.values()]
      for (const summary of [...heldBy(slot), ...slot.lines.values()]) yield* diagramsOf(summary)
    }
    for (const monitor of state.monitors) {
      yield monitor.state
      for (const field of monitor.fields) yield* diagramsOf(field)
    }
    yield* this.exploration.kept()
    yield* this.#atoms.kept()
    for (const { moves, choices } of this.#ways.logs) {
      for (const { candidate, guard } of moves) yield* candidate.kind === 'arrive' ? [guard, candidate.to] : [guard]
      for (const { guard, possible, taken } of choices) yield* [guard, ...possible, ...taken]
    }
  }

  #progress(explored: number): EngineEvent & { readonly kind: 'progress' } {
    return { kind: 'progress', counts: this.#counts(), explored }
  }

  /** Single steps and rounds are told apart by their names, as are states and executions. */
  #counts(): Counts {
    const runs = this.exploration.runs + this.exploration.monitors.runs
    const shared = { handlers: runs, bddNodes: this.#diagrams.peak }
    if (this.#options.mode === 'states')
      // Before anything happens there is one.
      return { states: Math.max(this.#seen.size, 1), terminals: this.#terminals, steps: this.#steps, ...shared }
    const named = this.#options.mode === 'rounds' ? { rounds: this.#steps } : { steps: this.#steps }
    return { executions: this.#terminals, ...named, ...shared }
  }

  /** Diagram nodes that were made. */
  get work(): number {
    return this.#diagrams.created
  }

  /** How many steps some execution that goes on has taken. */
  get reach(): number {
    const model = this.#diagrams.model(this.exploration.state.alive)
    return model === undefined ? Number.POSITIVE_INFINITY : this.#ways.steps(model).length
  }
}
