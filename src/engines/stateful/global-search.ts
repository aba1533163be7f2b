/**
 * The global search that LMC (§3.2) starts from: every state of all machines and the messages between them, remembered,
 * depth first or breadth first, with all invariants checked in each. Breadth first finds shortest counterexamples.
 *
 * There is no partial order reduction here: every step changes what invariants may read, so none is invisible. What is
 * saved instead: handlers run once for each local state (`local-graph.ts`), and an invariant is asked once for each
 * combination of local states, not again for every network state beside it.
 *
 * A machine that fails ends the path. Nothing is lost by that: what the others can still do they can also do while the
 * machine does nothing. For the same reason a crash without restart is no step, and neither is a partition, which delays messages
 * as networks do: both lead to no state that is not met without them.
 */
import { IntVector } from '../../collections/int-vector.ts'
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { mostOf } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import { type Violation, violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { LocalState } from '../../program/machines.ts'
import type { GlobalStates } from '../../program/stateful.ts'
import type { Watch } from '../../program/watch.ts'
import { type Channels, channelsOf, performed } from '../../semantics/machines/channels/channels.ts'
import { decisionsOf, type Happening } from '../../semantics/machines/decisions.ts'
import { announcedAtStart, LocalGraph, nowhere, toldAtStart } from '../../semantics/machines/local-graph.ts'
import { refuseMistakes } from '../../semantics/machines/mistakes.ts'
import { saidBy } from '../../semantics/machines/sayings.ts'
import { Ghost } from '../../semantics/refinement/ghost.ts'
import { firstWatched, type Watched, watchedAfter, watchedText } from '../../semantics/watching.ts'
import type { EngineEvent } from '../engine.ts'
import { type KeptStep, MachineOrbits } from './machine-orbits.ts'
import { MachineRounds, noRounds } from './machine-rounds.ts'
import { Orbits } from './orbits.ts'

/** Transitions between two signs of progress: about a millisecond, several while code is not compiled yet. */
const progressEvery = 100
/** The same, in characters of states that handlers came to: long ones take long to copy, freeze and compare. */
const textBetween = 1 << 16

interface GlobalState {
  readonly number: number
  /** By machine; `nowhere` for one that has not been created. */
  readonly locals: readonly number[]
  readonly underWay: unknown
  /** What monitors are that are part of the state. */
  readonly watched: Watched
  /** What the objects are whose operations were announced, as a number. */
  readonly ghost: number
}

/** An event of a machine, taken in a state. */
export interface Taken {
  readonly machine: number
  readonly event: number
  /** That it delivers, if it does. */
  readonly message: number | undefined
  /** Which options its handler chose. */
  readonly choices: readonly number[]
}

export interface GlobalOptions {
  readonly search: 'depth' | 'breadth'
  readonly symmetry?: boolean
  /** Up to names: where names stand in an order that matters (`up-to-names.ts`). */
  readonly orderedPlaces?: ReadonlySet<string>
}

const noPlaces: ReadonlySet<string> = new Set()

export class GlobalSearch {
  readonly #graph: LocalGraph
  readonly #channels: Channels
  readonly #order: 'depth' | 'breadth'
  /** States by text: the local states, then the messages under way. The number of a key is that of the state. */
  readonly #keys = new KeyIndex()
  /** Combinations of local states whose invariants have been checked. */
  readonly #systemKeys = new KeyIndex()
  /** By state: where it was met first, and by which step. */
  readonly #parents = new IntVector(1024)
  readonly #takenMachine = new IntVector(1024)
  readonly #takenEvent = new IntVector(1024)
  readonly #takenChoices: (readonly number[])[] = []
  /** States to be expanded, from `#head` on. Those before it are undefined, so that they can be collected. */
  readonly #frontier: (GlobalState | undefined)[] = []
  #head = 0
  readonly #watches: readonly Watch[]
  readonly #ghost: Ghost
  readonly #isRefining: boolean
  /** Where states count as one that differ in names of parties alone, or of machines. */
  readonly #orbits: Orbits | undefined
  readonly #alike: MachineOrbits | undefined
  /** By state: the renaming that made it the one that is kept. */
  readonly #renamedBy = new IntVector(16)
  /** Kinds of violations reported so far. */
  readonly #told = new Set<string>()
  /** Executions without end, if something must hold of them. */
  readonly #rounds: MachineRounds | undefined
  /** Characters of states at the last sign of progress. */
  #textBefore = 0
  #counts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }

  constructor(subject: GlobalStates, { search, symmetry = false, orderedPlaces = noPlaces }: GlobalOptions) {
    const { machines, liveness = [], watches = [], refines = [], called = [], witness } = subject
    this.#watches = watches
    this.#ghost = new Ghost(refines, witness, called)
    this.#isRefining = refines.length > 0
    this.#graph = new LocalGraph(machines)
    const carried = {
      from: (message: number) => this.#graph.messageAt(message).from,
      to: (message: number) => this.#graph.messageAt(message).to,
      content: (message: number) => message,
    }
    const said = saidBy(
      machines.byzantine,
      ({ envelope }) => this.#graph.message(envelope),
      (message) => this.#graph.messageAt(message).envelope,
    )
    this.#channels = channelsOf(machines, carried, said)
    this.#order = search
    const { alikeMachines } = machines
    if (symmetry && alikeMachines !== undefined)
      this.#alike = new MachineOrbits(this.#graph, this.#channels, { ...alikeMachines, orderedPlaces })
    else if (symmetry) this.#orbits = new Orbits(this.#graph)
    const isEndless = liveness.length + watches.length > 0
    if (isEndless && symmetry) throw new DiagnosticError(noRounds)
    this.#rounds = isEndless ? new MachineRounds(subject, this.#graph, this.#channels) : undefined
  }

  /** Distinct combinations of local states met so far. */
  get systemStates(): number {
    return this.#systemKeys.size
  }

  /** Local states met so far, of all machines. */
  get localStates(): number {
    return this.#graph.size
  }

  *events(): Generator<EngineEvent, void> {
    const { machines } = this.#graph
    const locals = machines.start.states.map((state, machine) => this.#graph.local(machine, state))
    const underWay = this.#channels.put(
      this.#channels.nothing,
      machines.start.underWay.map((envelope) => this.#graph.message(envelope)),
    )
    this.#alike?.alike.refuseBeginning({ locals, underWay })
    const watched = watchedAfter(this.#watches, firstWatched(this.#watches), toldAtStart(machines))
    const ghost = this.#ghost.after(this.#ghost.first, announcedAtStart(machines))
    yield* this.#meet({ locals, underWay, watched, ghost }, -1, {
      machine: 0,
      event: 0,
      choices: [],
      message: undefined,
    })
    for (let state = this.#next(); state !== undefined; state = this.#next()) {
      yield* this.#expand(state)
      if (this.#rounds?.isDue === true) yield* this.#judgeRounds(this.#rounds)
    }
    if (this.#rounds !== undefined) yield* this.#judgeRounds(this.#rounds)
    yield this.#progress(1)
  }

  /** Depth first takes the last from the list, breadth first the first: the array is never shifted, which would be quadratic. */
  #next(): GlobalState | undefined {
    if (this.#order === 'depth') return this.#frontier.pop()
    const state = this.#frontier[this.#head]
    this.#frontier[this.#head++] = undefined
    return state
  }

  *#expand(state: GlobalState): Generator<EngineEvent, void> {
    const before = this.#counts.transitions
    for (const [machine, local] of state.locals.entries()) {
      this.#alike?.alike.compareOwn(machine, local)
      for (const event of local === nowhere ? [] : this.#graph.internal(machine, local)) {
        if (this.#graph.eventAt(event).kind === 'crash' && !this.#mayCrash(state)) continue
        yield* this.#take(state, { machine, event, message: undefined }, state.underWay)
      }
    }
    for (const { message, after, isSaid } of this.#channels.deliveries(state.underWay)) {
      const { to, event } = this.#graph.messageAt(message)
      const local = state.locals[to] ?? nowhere
      if (local === nowhere || (isSaid === true && (yield* this.#isIgnored(to, local, event)))) continue
      yield* this.#take(state, { machine: to, event, message }, after)
    }
    if (this.#counts.transitions > before) this.#counts.irreducible++
    else yield this.#ending(state)
  }

  /** Whether an event changes nothing but what is under way. */
  *#isIgnored(machine: number, local: number, event: number): Generator<EngineEvent, boolean> {
    const outcomes = yield* this.#breathing(this.#graph.outcomes(machine, local, event))
    return outcomes.every((one) => one.local === local && one.acts.length + one.announced.length === 0)
  }

  /** Each local state knows of its own crashes; the budget is for all of them together. */
  #mayCrash({ locals }: GlobalState): boolean {
    const { start, faults } = this.#graph.machines
    const crashes = locals.reduce((sum, local, machine) => {
      if (local === nowhere) return sum
      return sum + this.#graph.state(machine, local).crashes - (start.states[machine]?.crashes ?? 0)
    }, 0)
    return crashes < mostOf(faults, 'restarts')
  }

  /** Each outcome of an event of a machine; messages that it took are no longer under way. */
  *#take(
    state: GlobalState,
    {
      machine,
      event,
      message,
    }: { readonly machine: number; readonly event: number; readonly message: number | undefined },
    underWay: unknown,
  ): Generator<EngineEvent, void> {
    const before = state.locals[machine] as number
    const outcomes = yield* this.#breathing(this.#graph.outcomes(machine, before, event))
    if (this.#alike !== undefined) yield* this.#breathing(this.#alike.alike.compare(machine, before, event))
    for (const { local, acts, created, choices, told, announced, violation } of outcomes) {
      if (this.#isDue()) yield this.#progress(0)
      const taken = { machine, event, choices, message }
      if (violation !== undefined) {
        yield* this.#tell(violation, [...this.#path(state.number), { ...taken, renaming: 0 }])
        continue
      }
      const locals = state.locals.with(machine, local)
      for (const one of created) {
        while (locals.length < one.machine) locals.push(nowhere)
        locals[one.machine] = one.local
      }
      const watched = watchedAfter(this.#watches, state.watched, told)
      const ghost = this.#ghost.after(state.ghost, announced)
      const after = { locals, underWay: performed(this.#channels, underWay, acts), watched, ghost }
      yield* this.#meet(after, state.number, taken)
    }
  }

  /** At each transition. */
  #isDue(): boolean {
    const { text } = this.#graph
    if (++this.#counts.transitions % progressEvery > 0 && text - this.#textBefore < textBetween) return false
    this.#textBefore = text
    return true
  }

  *#meet(met: Omit<GlobalState, 'number'>, parent: number, taken: Taken): Generator<EngineEvent, void> {
    const settled = this.#alike && (yield* this.#breathing(this.#alike.settled(met)))
    const state = settled === undefined ? met : { ...met, locals: settled.locals, underWay: settled.underWay }
    const { locals, underWay, watched } = state
    if (this.#orbits !== undefined) yield* this.#breathing(this.#orbits.meet(locals))
    const systemKey = locals.join()
    const key = this.#key(state, settled?.key)
    const known = this.#keys.find(key)
    if (known >= 0) {
      this.#counts.traces++
      return this.#rounds?.addStep(parent, known, taken, watched)
    }
    const number = this.#keys.add(key)
    this.#rounds?.addState(locals, underWay, watched)
    this.#rounds?.addStep(parent, number, taken, watched)
    this.#counts.states++
    if (settled !== undefined) this.#renamedBy.push(settled.renaming)
    this.#parents.push(parent)
    this.#takenMachine.push(taken.machine)
    this.#takenEvent.push(taken.event)
    this.#takenChoices.push(taken.choices)
    this.#frontier.push({ number, ...state })
    for (const violation of this.#ghost.violations(state.ghost)) yield* this.#tell(violation, this.#path(number))
    if (this.#systemKeys.find(systemKey) >= 0) return
    this.#systemKeys.add(systemKey)
    const violated = this.#violated(locals)
    if (this.#alike !== undefined) yield* this.#breathing(this.#alike.invariants.compare(locals, violated))
    for (const at of violated.keys()) yield* this.#tell(violated.get(at) as Violation, this.#path(number), at)
  }

  /** By number, the invariants that these local states violate. */
  #violated(locals: readonly number[]): ReadonlyMap<number, Violation> {
    const { machines, invariants } = this.#graph.machines
    const states = machines.map((_, machine) => this.#graph.state(machine, locals[machine] as number))
    const created = this.#created(locals)
    const found = invariants.map(({ violation }, at) => [at, violation(states, created)] as const)
    return new Map(found.flatMap(([at, violation]) => (violation === undefined ? [] : [[at, violation] as const])))
  }

  #key({ locals, underWay, watched, ghost }: Omit<GlobalState, 'number'>, known?: string): string {
    const system = known ?? `${this.#orbits?.of(locals) ?? locals.join()}|${this.#channels.key(underWay)}`
    const key = this.#isRefining ? `${system}|${ghost}` : system
    return this.#watches.length === 0 ? key : `${key}|${watchedText(watched)}`
  }

  *#judgeRounds(rounds: MachineRounds): Generator<EngineEvent, void> {
    for (const { violation, lasso } of rounds.found()) {
      if (lasso === undefined || this.#told.has(violationKey(violation))) {
        yield this.#progress(0)
        continue
      }
      this.#told.add(violationKey(violation))
      const [stem, round] = [lasso.stem, lasso.round].map((steps) => steps.map((step) => this.#happening(step)))
      const decisions = this.#decisions([...(stem ?? []), ...(round ?? [])])
      const repeatsFrom = this.#decisions(stem ?? []).length
      yield this.#progress(0)
      yield { kind: 'violation', violation, decisions, foundIn: decisions.length, repeatsFrom }
    }
  }

  #created(locals: readonly number[]): ReadonlyMap<string, LocalState> {
    const { machines } = this.#graph.machines
    const created = new Map<string, LocalState>()
    for (let machine = machines.length; machine < locals.length; machine++) {
      const local = locals[machine] as number
      const name = this.#graph.numbers.name(machine) as string
      if (local !== nowhere) created.set(name, this.#graph.state(machine, local))
    }
    return created
  }

  /** Once for each violation: later ones would only repeat it. */
  *#tell(found: Violation, steps: readonly KeptStep[], ofInvariant?: number): Generator<EngineEvent, void> {
    refuseMistakes(found)
    const { happenings, violation } = this.#execution(found, steps, ofInvariant)
    const key = violationKey(violation)
    if (this.#told.has(key)) return
    this.#told.add(key)
    // What was explored so far is part of the report.
    yield this.#progress(0)
    const decisions = this.#decisions(happenings, { upToLast: true })
    yield { kind: 'violation', violation, decisions, foundIn: decisions.length }
  }

  #ending(state: GlobalState): EngineEvent {
    this.#counts.finals++
    this.#counts.traces++
    const key = this.#key(state)
    const decisions = () => this.#decisions(this.#execution(undefined, this.#path(state.number)).happenings)
    return { kind: 'ending', counts: { ...this.#counts }, key, violation: undefined, decisions }
  }

  #decisions(happenings: readonly Happening[], options?: { readonly upToLast: true }): readonly Decision[] {
    const { machines, numbers } = this.#graph
    const decisions = decisionsOf(machines, happenings, { ...options, numbers })
    invariant(decisions !== undefined, 'a path of the search can happen')
    return decisions
  }

  #path(number: number): readonly KeptStep[] {
    const steps: KeptStep[] = []
    for (let at = number; this.#parents.at(at) >= 0; at = this.#parents.at(at)) {
      const renaming = this.#alike === undefined ? 0 : this.#renamedBy.at(at)
      const choices = this.#takenChoices[at] as readonly number[]
      steps.push({ machine: this.#takenMachine.at(at), event: this.#takenEvent.at(at), choices, renaming })
    }
    return steps.reverse()
  }

  /** With names as they are along it, which may differ from those where it was found. */
  #execution(
    found: Violation | undefined,
    steps: readonly KeptStep[],
    ofInvariant?: number,
  ): { readonly happenings: readonly Happening[]; readonly violation: Violation } {
    const kept = { happenings: steps.map((step) => this.#happening(step)), violation: found as Violation }
    if (this.#alike === undefined) return kept
    const { start } = this.#graph.machines
    const first = start.states.map((state, machine) => this.#graph.local(machine, state))
    const { happenings, locals, violation } = this.#alike.execution(first, { renaming: this.#renamedBy.at(0), steps })
    const own = ofInvariant === undefined ? violation : this.#violated(locals).get(ofInvariant)
    return { happenings, violation: own ?? (found as Violation) }
  }

  #happening({ machine, event, choices }: Pick<Taken, 'machine' | 'event' | 'choices'>): Happening {
    return { machine, event: this.#graph.eventAt(event), choices }
  }

  /** A state may have many outcomes, each of which takes long. */
  *#breathing<Answer>(work: Unhurried<Answer>): Generator<EngineEvent, Answer> {
    for (;;) {
      const next = work.next()
      if (next.done === true) return next.value
      yield { kind: 'progress', counts: { ...this.#counts }, explored: 0, isBreath: true }
    }
  }

  #progress(explored: number): EngineEvent {
    return { kind: 'progress', counts: { ...this.#counts }, explored }
  }
}
