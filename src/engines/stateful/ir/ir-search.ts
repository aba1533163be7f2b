/**
 * Every state of an IR program, breadth first: a violation that is found is one of those with the fewest steps. States are exact and remembered; a state is
 * one at which no machine has to choose, queues and inboxes included. Depth first it comes to long executions sooner, and with safe sets
 * (`safe-sets.ts`) it leaves out orders that make no difference; neither says anything about executions without end.
 *
 * Explicit twin of PSym's search (§4 there), with handlers remembered by local state and message. Executions without end are judged when all
 * states are known. Programs on a network with causal order, and interleaved ones whose monitors are about executions without end, are searched along
 * paths instead, where each step is one of the reference semantics.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import type { Diagnostic } from '../../../core/diagnostic.ts'
import { invariant } from '../../../core/invariant.ts'
import { type Chosen, type Options, optionsFrom } from '../../../core/options.ts'
import { type Violation, violationKey } from '../../../core/property.ts'
import type { Decision } from '../../../core/trace.ts'
import { type Counts, countedStates } from '../../../core/verdict.ts'
import { type OrderUsed, orderUsed } from '../../../ir/order-of-machines.ts'
import type { IrView } from '../../../program/program.ts'
import type { Configuration } from '../../../semantics/ir/configuration.ts'
import { endViolations } from '../../../semantics/ir/ending.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { irPaths, irRules } from '../../../semantics/ir/paths.ts'
import { type RetracedStep, retraced } from '../../../semantics/ir/retraced.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../engine.ts'
import { statefulPaths } from '../path-search.ts'
import { type FoundRound, IrRounds, type Taken } from './ir-rounds.ts'
import { irSearchOptions, judgesEndless } from './options.ts'
import { SafeSets } from './safe-sets.ts'
import { StateSpace, type Step } from './space.ts'
import { WayBack } from './symmetry.ts'

export const statefulIr: Engine<'ir'> = {
  name: 'stateful',
  summary: 'every state, remembered, breadth first; on causal depth first',
  needs: 'ir',
  decides: statefulPaths.decides,
  judgesEndless,
  claims: 'verified',
  options: irSearchOptions,
  counted: countedStates,
  units: 'whole',
  explore,
}

type IrSearchOptions = Chosen<typeof irSearchOptions>

function explore(subject: IrView, options: Options): Generator<EngineEvent, void, EngineRequest> {
  const chosen = optionsFrom(irSearchOptions, options)
  if (isSearchedByPaths(subject, chosen) && !judgesEndless(chosen)) return refused(withoutChoice(subject))
  const order = chosen.symmetry ? orderUsed(subject.program) : undefined
  if (order !== undefined) return refused(asymmetric(order))
  if (!isSearchedByPaths(subject, chosen)) return new IrSearch(subject, chosen).events()
  return namedAsStates(statefulPaths.explore(irPaths(subject.program, subject.setting, subject), {}))
}

function* refused(diagnostic: Diagnostic): Generator<EngineEvent, void> {
  yield { kind: 'diagnostic', diagnostic }
}

function withoutChoice({ setting: { network } }: IrView): Diagnostic {
  return {
    code: 'E107',
    message: `on network "${network}" engine "stateful" goes along single executions, and leaves out nothing`,
    hint: 'leave out --reduction, --search and --symmetry, or choose another network',
  }
}

function asymmetric({ what, place }: OrderUsed): Diagnostic {
  return {
    code: 'E107',
    message: `machines cannot change places: the program ${what}`,
    hint: 'leave out --symmetry, or keep machines in lists',
    place,
  }
}

/** Counts of P programs have the same names, whichever search counted. */
function* namedAsStates(
  events: Generator<EngineEvent, void, EngineRequest>,
): Generator<EngineEvent, void, EngineRequest> {
  for (let next = events.next(); next.done !== true; ) {
    const event = next.value
    if (event.kind !== 'progress') next = events.next(yield event)
    else {
      const { finals = 0, traces: _, ...counts } = event.counts
      next = events.next(yield { ...event, counts: { ...counts, terminals: finals } })
    }
  }
}

function isSearchedByPaths({ program, setting }: IrView, options: Options): boolean {
  const { network, bounds } = setting
  if (network === 'causal' || bounds.maxSteps !== undefined) return true
  if (!judgesEndless(options)) return false
  return network === 'mailbox' && (irPaths(program, setting).cycles ?? []).length > 0
}

interface Broken {
  readonly violation: Violation
  readonly step: Step
}

/** Places of states that are written between two looks at the clock. */
const placesBetweenLooks = 1 << 15

class IrSearch {
  readonly #rules: Rules
  readonly #space: StateSpace
  readonly #allowsWaiting: boolean
  /** By state: where it was met first, and as which of that state's steps. The empty vector is number 0, and no state. */
  readonly #parents = new IntVector(1024)
  readonly #ordinals = new IntVector(1024)
  readonly #told = new Set<string>()
  readonly #rounds: IrRounds | undefined
  readonly #safeSets: SafeSets | undefined
  readonly #isDepthFirst: boolean
  readonly #isSymmetric: boolean
  /** Depth first: states that have not been left, and by state whether it has. Breadth first they are left in the order of their numbers. */
  readonly #open = new IntVector(1024)
  readonly #hasLeft = new IntVector(1024)
  #transitions = 0
  #terminals = 0
  #depth = 0
  /** Since the last look at the clock. */
  #places = 0

  constructor({ program, setting, witness }: IrView, options: IrSearchOptions) {
    const { reduction, search, symmetry } = options
    this.#rules = irRules(program, setting, { witness })
    const isWhole = judgesEndless(options)
    this.#isSymmetric = symmetry
    this.#space = new StateSpace(this.#rules, { keepsTemperatures: isWhole, isSymmetric: symmetry })
    const rounds = new IrRounds(this.#rules, this.#space)
    this.#rounds = rounds.isAsked && isWhole ? rounds : undefined
    this.#safeSets = reduction === 'safe' ? new SafeSets(this.#rules, this.#space) : undefined
    this.#isDepthFirst = search === 'depth'
    this.#allowsWaiting = setting.options.deadlock === 'allow'
  }

  *events(): Generator<EngineEvent, void, EngineRequest> {
    const space = this.#space
    if (space.violation !== undefined) yield this.#found(space.violation, [])
    else {
      // Number 0 is no state.
      this.#meet(0, 0)
      this.#meet(0, 0)
      yield* this.#isDepthFirst ? this.#byDepth() : this.#byBreadth()
      for (const found of this.#rounds?.found() ?? []) yield* this.#judge(found)
    }
    yield this.#progress(1)
  }

  /** A step takes longer the more machines there are. */
  #isLookDue(): boolean {
    this.#places += this.#space.places
    if (this.#places < placesBetweenLooks) return false
    this.#places = 0
    return true
  }

  *#byBreadth(): Generator<EngineEvent, void> {
    const space = this.#space
    let levelEnds = space.size
    for (let state = space.first; state <= space.size; state++) {
      if (state > levelEnds) {
        this.#depth++
        levelEnds = space.size
      }
      yield* this.#leave(state)
    }
  }

  *#byDepth(): Generator<EngineEvent, void> {
    this.#open.push(this.#space.first)
    while (this.#open.length > 0) yield* this.#leave(this.#open.pop())
  }

  #meet(parent: number, ordinal: number): void {
    this.#parents.push(parent)
    this.#ordinals.push(ordinal)
    if (this.#isDepthFirst) this.#hasLeft.push(0)
  }

  *#leave(state: number): Generator<EngineEvent, void> {
    for (const _ of this.#space.preparing(state)) yield this.#progress(0)
    if (this.#isDepthFirst) this.#hasLeft.set(state, 1)
    const steps = this.#space.steps(state)
    const hasEnded = steps.length === 0
    this.#rounds?.addState(hasEnded)
    const safe = this.#safeSets?.among(steps)
    // Told when all steps have been taken: to find the way to a state, others are loaded.
    const broken: Broken[] = []
    const leadsOn = yield* this.#take(state, steps, ({ slot }) => safe?.has(slot) !== false, broken)
    if (!leadsOn && safe !== undefined) yield* this.#take(state, steps, ({ slot }) => !safe.has(slot), broken)
    for (const { violation, step } of broken) yield* this.#tell(violation, state, step)
    if (!hasEnded) return
    this.#terminals++
    const { code } = this.#rules
    for (const one of endViolations(this.#space.configuration(state), code, this.#allowsWaiting))
      yield* this.#tell(one, state)
  }

  /** Takes some of the steps of the loaded state. Whether one of them leads to a state that has not been left. */
  *#take(
    state: number,
    steps: readonly Step[],
    isTaken: (step: Step) => boolean,
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
        if (this.#space.size > known) {
          this.#meet(state, ordinal)
          if (this.#isDepthFirst) this.#open.push(after)
        }
        leadsOn ||= this.#isDepthFirst ? this.#hasLeft.at(after) === 0 : after > state
        this.#rounds?.addStep({ source: state, ordinal }, step, after)
      }
    }
    return leadsOn
  }

  *#judge({ violation, lasso }: FoundRound): Generator<EngineEvent, void> {
    yield this.#progress(0)
    if (lasso === undefined) return
    const step = ({ source, ordinal }: Taken): Step => this.#space.steps(source)[ordinal] as Step
    const round = lasso.round.map(step)
    const once = lasso.stem.map(step)
    // Of a step with choices a monitor sees the part after the last one when it is over: so the round begins after a round, and ends alike.
    const isPlain = [...once.slice(-1), ...round.slice(-1)].every(({ handled }) => handled.choices.length === 0)
    const stem = isPlain ? once : [...once, ...round]
    const decisions = this.#decisions([...stem, ...round])
    const repeatsFrom = this.#decisions(stem).length
    yield { kind: 'violation', violation, decisions, foundIn: decisions.length, repeatsFrom }
  }

  #decisions(steps: readonly Step[]): readonly Decision[] {
    const found = steps.map((one) => this.#space.retraced(one))
    return retraced(found, this.#rules).decisions
  }

  /** A violation in a state, or of a step that leaves it. */
  *#tell(violation: Violation, state: number, step?: Step): Generator<EngineEvent, void> {
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
  #way(state: number, last: Step | undefined): readonly RetracedStep[] {
    const states: number[] = []
    for (let at = state; at !== this.#space.first; at = this.#parents.at(at)) states.push(at)
    const back = new WayBack(this.#rules.code.values)
    const way = states.reverse().map((at) => {
      const step = this.#space.steps(this.#parents.at(at))[this.#ordinals.at(at)] as Step
      const taken = back.step(this.#space.retraced(step))
      if (!this.#isSymmetric) return taken
      this.#space.after(step)
      if (this.#space.renamed !== undefined) back.renamed(this.#space.renamed)
      return taken
    })
    return last === undefined ? way : [...way, back.step(this.#space.retraced(last))]
  }

  #progress(explored: number): EngineEvent {
    return { kind: 'progress', counts: this.#counts(), explored }
  }

  #counts(): Counts {
    return {
      states: this.#space.size,
      transitions: this.#transitions,
      terminals: this.#terminals,
      depth: this.#depth,
      handlers: this.#space.runs,
    }
  }
}
