/**
 * Every state of an IR program, breadth first: a violation that is found is one of those with the fewest steps. States are exact and remembered; a state is
 * one at which no machine has to choose, queues and inboxes included.
 *
 * Explicit twin of PSym's search (§4 there), with handlers remembered by local state and message. Executions without end are judged when all
 * states are known. Programs on a network with causal order, and interleaved ones whose monitors are about executions without end, are searched along
 * paths instead, where each step is one of the reference semantics.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { type Violation, violationKey } from '../../../core/property.ts'
import type { Decision } from '../../../core/trace.ts'
import { type Counts, countedStates } from '../../../core/verdict.ts'
import type { IrView } from '../../../program/program.ts'
import { endViolations } from '../../../semantics/ir/ending.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { irPaths, irRules } from '../../../semantics/ir/paths.ts'
import { retraced } from '../../../semantics/ir/retraced.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../engine.ts'
import { statefulPaths } from '../path-search.ts'
import { type FoundRound, IrRounds, type Taken } from './ir-rounds.ts'
import { StateSpace, type Step } from './space.ts'

export const statefulIr: Engine<'ir'> = {
  name: 'stateful',
  summary: 'every state, remembered, breadth first; on causal depth first',
  needs: 'ir',
  decides: statefulPaths.decides,
  claims: 'verified',
  options: {},
  counted: countedStates,
  units: 'whole',
  explore: (subject, options) =>
    isSearchedByPaths(subject)
      ? namedAsStates(statefulPaths.explore(irPaths(subject.program, subject.setting, subject), options))
      : new IrSearch(subject).events(),
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

function isSearchedByPaths({ program, setting }: IrView): boolean {
  const { network, bounds } = setting
  if (network === 'causal' || bounds.maxSteps !== undefined) return true
  return network === 'mailbox' && (irPaths(program, setting).cycles ?? []).length > 0
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
  #transitions = 0
  #terminals = 0
  #depth = 0
  /** Since the last look at the clock. */
  #places = 0

  constructor({ program, setting, witness }: IrView) {
    this.#rules = irRules(program, setting, { witness })
    this.#space = new StateSpace(this.#rules)
    const rounds = new IrRounds(this.#rules, this.#space)
    this.#rounds = rounds.isAsked ? rounds : undefined
    this.#allowsWaiting = setting.options.deadlock === 'allow'
  }

  *events(): Generator<EngineEvent, void, EngineRequest> {
    const space = this.#space
    if (space.violation !== undefined) yield this.#found(space.violation, [])
    else {
      this.#meet(0, 0)
      this.#meet(0, 0)
      let levelEnds = space.size
      for (let state = space.first; state <= space.size; state++) {
        if (state > levelEnds) {
          this.#depth++
          levelEnds = space.size
        }
        yield* this.#leave(state)
      }
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

  #meet(parent: number, ordinal: number): void {
    this.#parents.push(parent)
    this.#ordinals.push(ordinal)
  }

  *#leave(state: number): Generator<EngineEvent, void> {
    for (const _ of this.#space.preparing(state)) yield this.#progress(0)
    let ordinal = 0
    // Told when all steps have been taken: to find the way to a state, others are loaded.
    const broken: { readonly violation: Violation; readonly step: Step }[] = []
    for (const step of this.#space.steps(state)) {
      if (ordinal === 0) this.#rounds?.addState(false)
      const known = this.#space.size
      const after = this.#space.after(step)
      this.#transitions++
      if (this.#isLookDue()) yield this.#progress(0)
      if (typeof after !== 'number') broken.push({ violation: after, step })
      else {
        if (this.#space.size > known) this.#meet(state, ordinal)
        this.#rounds?.addStep({ source: state, ordinal }, step, after)
      }
      ordinal++
    }
    for (const { violation, step } of broken) yield* this.#tell(violation, () => [...this.#way(state), step])
    if (ordinal > 0) return
    this.#rounds?.addState(true)
    this.#terminals++
    const { code } = this.#rules
    for (const one of endViolations(this.#space.configuration(state), code, this.#allowsWaiting))
      yield* this.#tell(one, () => this.#way(state))
  }

  *#judge({ violation, lasso }: FoundRound): Generator<EngineEvent, void> {
    yield this.#progress(0)
    if (lasso === undefined) return
    const step = ({ source, ordinal }: Taken): Step => [...this.#space.steps(source)][ordinal] as Step
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
    return retraced(
      steps.map((one) => this.#space.retraced(one)),
      this.#rules,
    )
  }

  *#tell(violation: Violation, way: () => readonly Step[]): Generator<EngineEvent, void> {
    const key = violationKey(violation)
    if (this.#told.has(key)) return
    this.#told.add(key)
    // A verdict says after how many states it was found.
    yield this.#progress(0)
    yield this.#found(violation, this.#decisions(way()))
  }

  #found(violation: Violation, decisions: readonly Decision[]): EngineEvent {
    return { kind: 'violation', violation, decisions, foundIn: decisions.length }
  }

  /** From the first state. */
  #way(state: number): readonly Step[] {
    const steps: Step[] = []
    for (let at = state; at !== this.#space.first; at = this.#parents.at(at)) {
      const [parent, ordinal] = [this.#parents.at(at), this.#ordinals.at(at)]
      steps.push([...this.#space.steps(parent)][ordinal] as Step)
    }
    return steps.reverse()
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
