/**
 * Every state of an IR program, breadth first: a violation that is found is one of those with the fewest steps. States are exact and remembered; a state is
 * one at which no machine has to choose, queues and inboxes included. Depth first it comes to long executions sooner, and with safe sets
 * (`safe-sets.ts`) it leaves out orders that make no difference; neither says anything about executions without end.
 *
 * Explicit twin of PSym's search (§5.4 there), with handlers remembered by local state and message. Executions without end are judged when all
 * states are known. Programs on a network with causal order, and interleaved ones whose monitors are about executions without end, are searched along
 * paths instead, where each step is one of the reference semantics.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { Pace } from '../../../collections/pace.ts'
import { type Diagnostic, DiagnosticError } from '../../../core/diagnostic.ts'
import { invariant } from '../../../core/invariant.ts'
import { type Chosen, type Options, optionsFrom } from '../../../core/options.ts'
import { type Violation, violationKey } from '../../../core/property.ts'
import type { Decision } from '../../../core/trace.ts'
import { type Counts, countedStates, type WorkUnit } from '../../../core/verdict.ts'
import { orderUsed } from '../../../ir/order-of-machines.ts'
import type { IrView } from '../../../program/program.ts'
import type { Configuration } from '../../../semantics/ir/configuration.ts'
import { endViolations } from '../../../semantics/ir/ending.ts'
import { livenessProperties } from '../../../semantics/ir/liveness.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { irPaths, irRules } from '../../../semantics/ir/paths.ts'
import { type RetracedStep, retraced } from '../../../semantics/ir/retraced.ts'
import { WayBack } from '../../../semantics/ir/way-back.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../engine.ts'
import { statefulPaths } from '../path-search.ts'
import { type FoundLasso, type FoundRound, IrRounds, type Taken } from './ir-rounds.ts'
import { Leaving } from './leaving.ts'
import { irSearchOptions, judgesEndless } from './options.ts'
import { asymmetric, unreducedCalls, withoutChoice } from './refusals.ts'
import { SafeSets } from './safe-sets.ts'
import { addsUp, damaged, type SavedSearch, savedIn, unitOf } from './saved-search.ts'
import { StateSpace } from './space.ts'
import type { SpaceStep } from './space-steps.ts'

export const statefulIr: Engine<'ir'> = {
  name: 'stateful',
  summary: 'every state, remembered, breadth first; on causal depth first',
  needs: 'ir',
  decides: statefulPaths.decides,
  judgesEndless,
  claims: 'verified',
  options: irSearchOptions,
  counted: countedStates,
  units: 'split',
  addsUp,
  explore,
}

type IrSearchOptions = Chosen<typeof irSearchOptions>

function explore(subject: IrView, options: Options, unit?: WorkUnit): Generator<EngineEvent, void, EngineRequest> {
  const chosen = optionsFrom(irSearchOptions, options)
  const isExact = chosen.remember === 'states'
  if (isSearchedByPaths(subject, chosen) && !(judgesEndless(chosen) && isExact)) return refused(withoutChoice(subject))
  const isReduced = chosen.symmetry || chosen.reduction === 'safe'
  if (isReduced && (subject.refines ?? []).length > 0) return refused(unreducedCalls)
  const order = chosen.symmetry ? orderUsed(subject.program) : undefined
  if (order !== undefined) return refused(asymmetric(order))
  if (!isSearchedByPaths(subject, chosen)) return new IrSearch(subject, chosen).events(unit && savedIn(unit))
  if (unit !== undefined) return refused(damaged)
  return namedAsStates(statefulPaths.explore(irPaths(subject.program, subject.setting, subject), {}))
}

function* refused(diagnostic: Diagnostic): Generator<EngineEvent, void> {
  yield { kind: 'diagnostic', diagnostic }
}

/** Counts of P programs have the same names, whichever search counted. Along paths nothing is saved. */
function* namedAsStates(
  events: Generator<EngineEvent, void, EngineRequest>,
): Generator<EngineEvent, void, EngineRequest> {
  for (const event of events) {
    const request = yield event.kind === 'progress' ? { ...event, counts: withTerminals(event.counts) } : event
    if (request !== 'surrender') continue
    yield { kind: 'unsaved' }
    return
  }
}

function withTerminals({ finals = 0, traces: _, ...counts }: Counts): Counts {
  return { ...counts, terminals: finals }
}

function isSearchedByPaths({ program, setting }: IrView, options: Options): boolean {
  const { network, bounds } = setting
  if (network === 'causal' || bounds.maxSteps !== undefined) return true
  if (!judgesEndless(options)) return false
  return network === 'mailbox' && (irPaths(program, setting).cycles ?? []).length > 0
}

interface Broken {
  readonly violation: Violation
  readonly step: SpaceStep
}

/** Places of states that are written between two looks at the clock, unless told otherwise. */
const usuallyBetweenLooks = 1 << 15

/** On the way to where a saved search was. */
const breath: EngineEvent = { kind: 'progress', counts: {}, explored: 0, isBreath: true }

export class IrSearch {
  readonly #rules: Rules
  readonly #space: StateSpace
  readonly #allowsWaiting: boolean
  /** By state: where it was met first, and as which of that state's steps. The empty vector is number 0, and no state. */
  readonly #parents = new IntVector(1024)
  readonly #ordinals = new IntVector(1024)
  readonly #told = new Set<string>()
  readonly #rounds: IrRounds | undefined
  readonly #safeSets: SafeSets | undefined
  readonly #isSymmetric: boolean
  readonly #leaving: Leaving
  readonly #pace = new Pace()
  #transitions = 0
  #terminals = 0
  /** What earlier runs counted. */
  #before: Counts = {}
  readonly #betweenLooks: number
  /** Since the last look at the clock. */
  #places = 0

  constructor(
    { program, setting, witness, refines }: IrView,
    options: IrSearchOptions,
    betweenLooks = usuallyBetweenLooks,
  ) {
    this.#betweenLooks = betweenLooks
    const { reduction, search, symmetry, remember } = options
    const isDepthFirst = search === 'depth'
    this.#rules = irRules(program, setting, { witness, refines })
    // Nothing leads to the empty vector and to the first state.
    for (const ways of [this.#parents, this.#ordinals]) for (const none of [0, 0]) ways.push(none)
    const isWhole = judgesEndless(options)
    this.#isSymmetric = symmetry
    this.#space = new StateSpace(this.#rules, {
      keepsTemperatures: isWhole,
      followsRounds: isWhole && livenessProperties(this.#rules.code).length > 0,
      isSymmetric: symmetry,
      fingerprints: remember === 'fingerprints' ? { bits: 32, isDepthFirst } : undefined,
    })
    const rounds = new IrRounds(this.#rules, this.#space)
    this.#rounds = rounds.isAsked && isWhole ? rounds : undefined
    this.#safeSets = reduction === 'safe' ? new SafeSets(this.#rules, this.#space) : undefined
    this.#leaving = new Leaving(isDepthFirst)
    this.#allowsWaiting = setting.options.deadlock === 'allow'
  }

  /** Everything, or what a saved search left of it. */
  *events(saved?: SavedSearch): Generator<EngineEvent, void, EngineRequest> {
    let given = saved
    const hasCaughtUp = (): void => {
      given = undefined
    }
    for (const event of this.#all(saved, hasCaughtUp)) {
      if ((yield event) !== 'surrender') continue
      // Of a state that is being left nothing counts: it is left again.
      yield { kind: 'progress', counts: given === undefined ? this.#counts(this.#leaving) : {}, explored: 0 }
      const left = given ?? this.#leaving.saved(this.#ordinals)
      yield left === undefined ? { kind: 'unsaved' } : { kind: 'surplus', unit: unitOf(left) }
      return
    }
  }

  *#all(saved: SavedSearch | undefined, hasCaughtUp: () => void): Generator<EngineEvent, void> {
    const { violation } = this.#space
    if (violation !== undefined) yield this.#found(violation, [])
    else {
      if (saved !== undefined) yield* this.#catchUp(saved)
      hasCaughtUp()
      for (let state = this.#next(); state !== 0; state = this.#next()) yield* this.#leave(state)
      for (const found of this.#rounds?.found() ?? []) yield* this.#judge(found)
    }
    yield this.#progress(1)
  }

  #next(): number {
    return this.#leaving.next(this.#space.size)
  }

  /**
   * Comes to where a saved search was. All states that it left are left again, because what is numbered on the way decides the order of later steps; but
   * only steps that led to new states are taken. All of them are where each counts: for executions without end, and under symmetry, which numbers machines.
   */
  *#catchUp({ met, ordinals, transitions, terminals }: SavedSearch): Generator<EngineEvent, void> {
    const takesAll = this.#rounds !== undefined || this.#isSymmetric
    let from = 0
    for (const count of met) {
      const state = this.#next()
      if (state === 0) throw new DiagnosticError(damaged)
      if (takesAll) for (const event of this.#leave(state)) yield event.kind === 'progress' ? breath : event
      else yield* this.#leaveAgain(state, ordinals.slice(from, from + count))
      from += count
    }
    // How many steps of safe sets were taken cannot be told from those that led to new states.
    if (this.#safeSets !== undefined && !takesAll) this.#transitions = transitions
    const isSame = this.#transitions === transitions && this.#terminals === terminals
    if (!isSame || this.#space.size !== ordinals.length + 1) throw new DiagnosticError(damaged)
    this.#leaving.transitions = transitions
    this.#before = this.#counts(this.#leaving)
  }

  *#leaveAgain(state: number, ordinals: readonly number[]): Generator<EngineEvent, void> {
    for (const _ of this.#space.preparing(state)) yield breath
    const steps = this.#space.steps(state)
    for (const ordinal of ordinals) {
      const step = steps[ordinal]
      const expected = this.#space.size + 1
      if (step === undefined || this.#space.after(step) !== expected) throw new DiagnosticError(damaged)
      this.#meet(expected, state, ordinal)
      if (this.#isLookDue()) yield breath
    }
    this.#transitions += steps.length
    if (steps.length === 0) this.#terminals++
    this.#hasLeft()
  }

  #hasLeft(): void {
    this.#leaving.hasLeft(this.#space.size, this.#transitions, this.#terminals)
  }

  /** A step takes longer the more machines there are. */
  #isLookDue(): boolean {
    this.#places += this.#space.places
    if (this.#places < this.#betweenLooks) return false
    this.#places = 0
    return true
  }

  #meet(state: number, parent: number, ordinal: number): void {
    this.#parents.push(parent)
    this.#ordinals.push(ordinal)
    this.#leaving.add(state)
  }

  *#leave(state: number): Generator<EngineEvent, void> {
    for (const _ of this.#space.preparing(state)) yield this.#progress(0)
    const steps = this.#space.steps(state)
    const hasEnded = steps.length === 0
    this.#rounds?.addState(hasEnded)
    this.#rounds?.addLoops(state)
    const safe = this.#safeSets?.among(steps)
    // Told when all steps have been taken: to find the way to a state, others are loaded.
    const broken: Broken[] = []
    const leadsOn = yield* this.#take(state, steps, ({ move }) => safe?.has(move.slot) !== false, broken)
    if (!leadsOn && safe !== undefined) yield* this.#take(state, steps, ({ move }) => !safe.has(move.slot), broken)
    for (const { violation, step } of broken) yield* this.#tell(violation, state, step)
    if (hasEnded) yield* this.#end(state)
    this.#hasLeft()
  }

  *#end(state: number): Generator<EngineEvent, void> {
    this.#terminals++
    const { code } = this.#rules
    for (const one of endViolations(this.#space.configuration(state), code, this.#allowsWaiting))
      yield* this.#tell(one, state)
  }

  /** Takes some of the steps of the loaded state. Whether one of them leads to a state that has not been left. */
  *#take(
    state: number,
    steps: readonly SpaceStep[],
    isTaken: (step: SpaceStep) => boolean,
    broken: Broken[],
  ): Generator<EngineEvent, boolean> {
    let leadsOn = false
    for (const [ordinal, step] of steps.entries()) {
      if (!isTaken(step)) continue
      const known = this.#space.size
      const after = this.#space.after(step)
      this.#transitions++
      if (this.#isLookDue()) yield this.#progress(0)
      if (typeof after !== 'number') broken.push({ violation: after, step })
      else {
        if (this.#space.size > known) this.#meet(after, state, ordinal)
        leadsOn ||= this.#leaving.isAhead(after, state)
        this.#rounds?.addStep({ source: state, ordinal }, step, after)
      }
    }
    return leadsOn
  }

  *#judge({ violation, lasso }: FoundRound): Generator<EngineEvent, void> {
    yield this.#progress(0)
    if (lasso === undefined) return
    if (lasso.handler !== undefined) return void (yield this.#foundInHandler(violation, lasso))
    const taken = [...this.#followed([...lasso.stem, ...lasso.round])]
    const once = taken.slice(0, lasso.stem.length)
    const round = taken.slice(lasso.stem.length)
    // Of a step with choices a monitor sees the part after the last one when it is over: so the round begins after a round, and ends alike.
    const isPlain = [...once.slice(-1), ...round.slice(-1)].every(({ ending }) => ending.choices.length === 0)
    const stem = isPlain ? once : [...once, ...round]
    const decisions = this.#decisions([...stem, ...round])
    const repeatsFrom = this.#decisions(stem).length
    yield { kind: 'violation', violation, decisions, foundIn: decisions.length, repeatsFrom }
  }

  /** A monitor sees the part of a step after each choice when that is over: so here, too, the round begins after a round. */
  #foundInHandler(violation: Violation, { stem, handler }: FoundLasso): EngineEvent {
    const { move, before, round } = handler as Exclude<FoundLasso['handler'], undefined>
    const steps = [...this.#followed(stem)]
    const decisions = this.#decisions([...steps, { move, ending: { choices: [...before, ...round, ...round] } }])
    const repeatsFrom = decisions.length - round.length
    return { kind: 'violation', violation, decisions, foundIn: decisions.length, repeatsFrom }
  }

  /** Steps one after another, from the first state on: of states that have been left, only how to come to them may be known. */
  *#followed(taken: Iterable<Taken>): Generator<SpaceStep> {
    for (const { source, ordinal } of taken) {
      const step = this.#space.steps(source)[ordinal] as SpaceStep
      this.#space.follow(step)
      yield step
    }
  }

  #decisions(steps: readonly Parameters<StateSpace['retraced']>[0][]): readonly Decision[] {
    const found = steps.map((one) => this.#space.retraced(one))
    return retraced(found, this.#rules).decisions
  }

  /** A violation in a state, or of a step that leaves it. */
  *#tell(violation: Violation, state: number, step?: SpaceStep): Generator<EngineEvent, void> {
    const key = violationKey(violation)
    if (this.#told.has(key)) return
    this.#told.add(key)
    // A verdict says after how many states it was found.
    yield this.#progress(0)
    const { decisions, configuration } = retraced(this.#way(state, step), this.#rules)
    yield this.#found(this.#isSymmetric ? this.#inExecution(violation, configuration) : violation, decisions)
  }

  /** Machines have other names in the execution that a way through kept states stands for. */
  #inExecution({ kind, property }: Violation, configuration: Configuration): Violation {
    const { violation } = configuration
    if (violation !== undefined) return violation
    const found = endViolations(configuration, this.#rules.code, this.#allowsWaiting)
    const same = found.find((one) => one.kind === kind && one.property === property)
    invariant(same !== undefined, 'what is wrong in a state is wrong in all states that differ in names')
    return same
  }

  #found(violation: Violation, decisions: readonly Decision[]): EngineEvent {
    return { kind: 'violation', violation, decisions, foundIn: decisions.length }
  }

  /** From the first state to this one, and one step on. */
  #way(state: number, last: SpaceStep | undefined): readonly RetracedStep[] {
    const toState: Taken[] = []
    for (let at = state; at !== this.#space.first; at = this.#parents.at(at))
      toState.push({ source: this.#parents.at(at), ordinal: this.#ordinals.at(at) })
    const back = new WayBack(this.#rules.code.values)
    const way: RetracedStep[] = []
    for (const step of this.#followed(toState.reverse())) {
      way.push(back.step(this.#space.retraced(step)))
      if (this.#space.renamed !== undefined) back.renamed(this.#space.renamed)
    }
    return last === undefined ? way : [...way, back.step(this.#space.retraced(last))]
  }

  #progress(explored: number): EngineEvent {
    const [states, transitions, terminals] = [this.#space.size, this.#transitions, this.#terminals]
    this.#pace.add(this.#leaving.depth, transitions)
    return {
      kind: 'progress',
      counts: this.#counts({ states, transitions, terminals }),
      explored,
      pace: this.#pace.gained,
    }
  }

  /** Since earlier runs. */
  #counts({ states, transitions, terminals }: Left): Counts {
    const { states: known = 0, transitions: taken = 0, terminals: ended = 0, handlers = 0 } = this.#before
    return {
      states: states - known,
      transitions: transitions - taken,
      terminals: terminals - ended,
      depth: this.#leaving.depth,
      handlers: this.#space.runs - handlers,
    }
  }
}

type Left = Pick<Leaving, 'states' | 'transitions' | 'terminals'>
