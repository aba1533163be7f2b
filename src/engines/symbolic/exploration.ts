/**
 * Steps of all executions at once (PSym §5.2, rule SCHEDULE STEP; §5.4): in each, every execution that can go on chooses who moves; then each machine runs
 * once for each place where it stands and event that it takes, whatever the number of executions.
 */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import type { Place } from '../../core/diagnostic.ts'
import type { IrFailure } from '../../ir/ir.ts'
import { PackedValues } from '../../semantics/ir/compiled/packed-values.ts'
import type { Rules } from '../../semantics/ir/moves.ts'
import type { EventValue } from '../../semantics/ir/value.ts'
import { Choices, type Chosen } from './choices.ts'
import { type Candidate, Deliveries, eventOf, type Head } from './deliveries.ts'
import { Evaluation } from './evaluation.ts'
import { type Filter, filtered, filterOf } from './filters/filter.ts'
import { HandlerRun } from './handler-run.ts'
import { settle, without } from './inbox.ts'
import { type Arrival, leaving } from './leaving.ts'
import { MonitorRuns } from './monitors.ts'
import type { SearchOptions } from './options.ts'
import type { Patience } from './patience.ts'
import { type Move, oneMove, Rounds } from './schedule.ts'
import { simplifyState } from './simplify.ts'
import { lineName, phases, type Slot, SymbolicState } from './state.ts'
import { diagramsOf } from './summaries/equality.ts'
import { Lifting } from './summaries/lifting.ts'
import { ite } from './summaries/merge.ts'
import { appended, removedAt } from './summaries/seq.ts'
import type { SeqSummary, Summary, TupleSummary } from './summaries/summary.ts'
import { MachineAround, type Stepping } from './surroundings.ts'

/** Executions that ended because something went wrong. */
export interface Wrong {
  readonly guard: Diagram
  /** Whose turn it was; undefined: monitors begin. */
  readonly by: Slot | undefined
  readonly failure: IrFailure
  readonly place: Place
}

/** What was chosen in a step: enough to find each execution again. */
export interface StepLog {
  readonly moves: readonly Move[]
  readonly choices: readonly ChoiceLog[]
}

/** What a machine chose in the middle of a handler. */
export interface ChoiceLog extends Chosen {
  readonly by: Slot
}

export class Exploration implements Stepping {
  readonly diagrams: Diagrams
  readonly state: SymbolicState
  readonly evaluation: Evaluation
  readonly monitors: MonitorRuns
  readonly deliveries: Deliveries
  readonly #patience: Patience
  readonly #choices: Choices
  readonly #network: string
  readonly #defaults = new Map<number, readonly Summary[]>()
  #wrong: Wrong[] = []
  readonly #rounds: Rounds | undefined
  readonly filter: Filter | undefined
  #made: ChoiceLog[] = []
  #running: Slot | undefined
  /** Where lines lost their heads because the target halted. */
  #purged = new Map<string, Diagram>()
  /** Lifted handler runs. */
  runs = 0
  /** Is told which variables stand for what somebody chooses, or for who moves. */
  onChosen: ((variables: readonly number[], by: Slot | undefined) => void) | undefined

  constructor({ code, delivery }: Rules, diagrams: Diagrams, options: SearchOptions, patience: Patience) {
    this.diagrams = diagrams
    this.#patience = patience
    this.#network = delivery.network
    const lifting = new Lifting(diagrams, new PackedValues(code.values))
    this.state = new SymbolicState(lifting, code, delivery.network)
    this.evaluation = new Evaluation(lifting, code, this)
    this.monitors = new MonitorRuns(this.state, this.evaluation, this.#localsOf)
    this.deliveries = new Deliveries(this.state)
    this.#choices = new Choices(diagrams)
    this.#rounds = options.mode === 'rounds' ? new Rounds(this.state) : undefined
    this.filter = filterOf(this.state, options)
    this.#begin()
  }

  #begin(): void {
    const { code } = this.state
    const { name = 'Main' } = code.ir.machines[code.ir.main] ?? {}
    const main = this.state.slotOf(code.values.machine({ creator: undefined, name, count: 1, machine: code.ir.main }))
    main.phase = this.diagrams.leaf(phases.created)
    // Its own name is taken.
    main.created.set(name, this.diagrams.leaf(1))
    this.monitors.begin()
  }

  get lifting(): Lifting {
    return this.state.lifting
  }

  #localsOf = (index: number): readonly Summary[] => {
    const known = this.#defaults.get(index)
    if (known !== undefined) return known
    const { functions } = this.state.code
    const made = (functions[index]?.locals ?? []).map((value) => this.state.value(value))
    this.#defaults.set(index, made)
    return made
  };

  /** Diagrams that outlive a step although no variable of the program holds them. */
  *kept(): Generator<Diagram> {
    for (const locals of this.#defaults.values()) for (const one of locals) yield* diagramsOf(one)
    yield* this.#rounds?.kept() ?? []
    yield* this.filter?.kept() ?? []
  }

  fails(where: Diagram, failure: IrFailure, place: Place): void {
    if (this.state.isVacuous(where)) return
    const guard = this.diagrams.and(where, this.state.alive)
    this.#wrong.push({ guard, by: this.#running, failure, place })
    this.state.hasFailed = true
    this.state.alive = this.diagrams.minus(this.state.alive, guard)
  }

  goesOn(where: Diagram, place: Place): void {
    this.fails(where, 'endless handler', place)
  }

  takeWrong(): readonly Wrong[] {
    const wrong = this.#wrong
    this.#wrong = []
    return wrong
  }

  lineTo(target: Slot): number {
    return this.#network === 'fifo' ? target.at : 0
  }

  chosen(guard: Diagram, possible: readonly Diagram[], by?: Slot | undefined): Chosen {
    const chosen = this.#choices.among(guard, possible, this.state.alive)
    const some = chosen.taken.reduce<Diagram>((all, one) => this.diagrams.or(all, one), this.diagrams.never)
    this.#narrow(this.diagrams.or(this.diagrams.not(guard), some))
    this.onChosen?.(chosen.variables, by)
    if (by !== undefined) this.#made.push({ ...chosen, by })
    return chosen
  }

  #narrow(to: Diagram): void {
    this.state.alive = this.diagrams.and(this.state.alive, to)
  }

  /** Executions in which nothing more can happen; they leave those that go on. */
  ended(candidates: readonly Candidate[]): Diagram {
    const some = candidates.reduce<Diagram>((all, { guard }) => this.diagrams.or(all, guard), this.diagrams.never)
    const ended = this.diagrams.minus(this.state.alive, some)
    this.state.alive = this.diagrams.and(this.state.alive, some)
    return ended
  }

  /** Makes all that a step may change what it is now. */
  snapshot(): () => void {
    const [before, restoreChoices, purged] = [this.state.snapshot(), this.#choices.snapshot(), new Map(this.#purged)]
    const [wrong, made, runs, monitorRuns] = [this.#wrong.length, this.#made.length, this.runs, this.monitors.runs]
    return () => {
      this.state.restore(before)
      restoreChoices()
      this.#purged = new Map(purged)
      this.#wrong.length = wrong
      this.#made.length = made
      this.runs = runs
      this.monitors.runs = monitorRuns
    }
  }

  #patiently<T>(work: () => T): Generator<undefined, T> {
    return this.#patience.with(work, this.snapshot())
  }

  /** In every execution some of the candidates move; it takes breaths. */
  *step(candidates: readonly Candidate[]): Generator<undefined, StepLog> {
    const rounds = this.#rounds
    const before = rounds && (yield* this.#patiently(() => rounds.before()))
    const moves = yield* this.#taken(candidates)
    const told = before && (yield* this.#patiently(() => rounds?.after(moves, before, this.#purged)))
    const filter = this.filter && (yield* this.#patiently(() => this.filter?.after(candidates, moves)))
    yield* this.#patiently(() => this.#narrow(this.#choices.settled()))
    // From here on nothing is computed any more.
    this.#choices.forget()
    if (told !== undefined) this.#rounds?.begin(told)
    filter?.()
    return { moves, choices: this.#made }
  }

  /** Rounds are taken again until machines may pass wherever they fail. */
  *#taken(candidates: readonly Candidate[]): Generator<undefined, readonly Move[]> {
    this.#made = []
    this.#purged = new Map()
    for (;;) {
      const restore = this.#rounds === undefined ? undefined : this.snapshot()
      const moves = yield* this.#patiently(() => this.#chosenMoves(candidates))
      yield* this.#perform(moves)
      if (restore === undefined || !(yield* this.#patiently(() => this.#rounds?.isAgain(this.#failed())))) return moves
      restore()
    }
  }

  #chosenMoves(candidates: readonly Candidate[]): readonly Move[] {
    const { diagrams } = this
    const choose = (guard: Diagram, possible: readonly Diagram[]): Chosen => this.chosen(guard, possible)
    const open = filtered(this.filter, this.state, candidates)
    const moves = this.#rounds?.moves(candidates, choose) ?? oneMove(open, diagrams.always, choose)
    this.#narrow(moves.reduce<Diagram>((all, { guard }) => diagrams.or(all, guard), diagrams.never))
    return moves
  }

  /** Who failed in this step, and where as far as it was chosen before. */
  *#failed(): Generator<readonly [slot: Slot, guard: Diagram]> {
    const { variables } = this.#choices
    for (const { by, guard } of this.#wrong) if (by !== undefined) yield [by, this.diagrams.some(guard, variables)]
  }

  *#perform(moves: readonly Move[]): Generator<undefined, void> {
    const { begins, arrivals } = yield* this.#patiently(() => leaving(this.state, this.deliveries, moves))
    for (const [slot, guard] of begins) {
      yield* this.#patiently(() => this.#start(slot, guard))
      yield
    }
    for (const { candidate, guard } of moves) {
      if (candidate.kind === 'inbox') yield* this.#patiently(() => this.#takeFromInbox(candidate.slot, guard))
      if (candidate.kind === 'nothing') yield* this.#patiently(() => this.#doNothing(candidate.slot, guard))
      yield
    }
    for (const [slot, all] of arrivals) {
      yield* this.#patiently(() => this.#arrive(slot, all))
      yield
    }
  }

  #start(slot: Slot, guard: Diagram): void {
    const { diagrams } = this
    slot.phase = diagrams.ite(guard, diagrams.leaf(phases.begun), slot.phase)
    const { machines } = this.state.code
    const fields = (machines[slot.ref.machine]?.fields ?? []).map((value) => this.state.value(value))
    const start = this.state.code.ir.machines[slot.ref.machine]?.start ?? 0
    this.#run(slot, guard, fields, (run) => run.begin(start, slot.argument, guard))
  }

  #arrive(slot: Slot, all: readonly Arrival[]): void {
    const { diagrams } = this
    let [event, guard] = [all[0]?.head.event as Diagram, all[0]?.guard as Diagram]
    let payload = all[0]?.head.payload as Summary
    for (const one of all.slice(1)) {
      event = diagrams.ite(one.guard, one.head.event, event)
      payload = ite(this.lifting, one.guard, one.head.payload, payload)
      guard = diagrams.or(guard, one.guard)
    }
    this.#meet(slot, { event, payload }, guard)
  }

  /** By what it stands at and takes: handled, kept for later, or dropped. */
  #meet(slot: Slot, { event, payload }: Pick<Head, 'event' | 'payload'>, guard: Diagram): void {
    const { diagrams } = this
    const control = slot.control
    let kept = diagrams.never
    for (const where of diagrams.leavesWithin(control, guard)) {
      const there = diagrams.and(guard, diagrams.guardOf(control, where))
      if (this.state.isVacuous(there)) continue
      for (const value of diagrams.leavesWithin(event, there)) {
        const meeting = this.deliveries.meeting(slot, where, value)
        const here = diagrams.and(there, diagrams.guardOf(event, value))
        if (meeting === 'keep') kept = diagrams.or(kept, here)
        if (meeting === 'take' && !this.state.isVacuous(here)) this.#handle(slot, where, { value, payload }, here)
      }
    }
    if (this.state.isVacuous(kept)) return
    const item: Summary = { kind: 'tuple', names: 0, items: [{ kind: 'scalar', of: event }, payload] }
    slot.inbox = ite(this.lifting, kept, appended(this.lifting, slot.inbox, item), slot.inbox) as SeqSummary
  }

  #handle(
    slot: Slot,
    where: number,
    { value, payload }: { readonly value: number; readonly payload: Summary },
    guard: Diagram,
  ): void {
    const { event } = this.lifting.packed.leafOf(value) as EventValue
    const control = this.state.controls.at(where)
    const saved = slot.saved.get(where) ?? []
    this.#run(slot, guard, [...slot.fields], (run) =>
      control.frames.length === 0
        ? run.handle(control.state, event, payload, guard)
        : run.receive(control, saved, { event, payload }, guard),
    )
  }

  #takeFromInbox(slot: Slot, guard: Diagram): void {
    const { diagrams } = this
    const found: { readonly control: number; readonly at: number; readonly here: Diagram }[] = []
    this.deliveries.takenFromInbox(slot, guard, (control, at, here) => found.push({ control, at, here }))
    const { items } = slot.inbox
    for (const { at, here } of found)
      slot.inbox = ite(
        this.lifting,
        here,
        removedAt(this.lifting, slot.inbox, diagrams.leaf(at)),
        slot.inbox,
      ) as SeqSummary
    for (const { control, at, here } of found) {
      const item = items[at] as TupleSummary
      const event = eventOf(this.lifting, item)
      for (const value of diagrams.leavesWithin(event, here)) {
        const one = diagrams.and(here, diagrams.guardOf(event, value))
        if (!this.state.isVacuous(one)) this.#handle(slot, control, { value, payload: item.items[1] as Summary }, one)
      }
    }
  }

  #doNothing(slot: Slot, guard: Diagram): void {
    const { diagrams } = this
    const { control } = slot
    for (const where of diagrams.leavesWithin(control, guard)) {
      const here = diagrams.and(guard, diagrams.guardOf(control, where))
      const { state } = this.state.controls.at(where)
      const { onNull } = this.deliveries.stateOf(slot, state)
      if (onNull === undefined || this.state.isVacuous(here)) continue
      this.#run(slot, here, [...slot.fields], (run) => run.handleNothing(state, onNull, here))
    }
  }

  #run(slot: Slot, guard: Diagram, fields: Summary[], work: (run: HandlerRun) => void): void {
    this.runs++
    this.#running = slot
    const { diagrams, lifting } = this
    const around = new MachineAround(this, slot)
    const actor = { machine: slot.ref.machine, self: slot.self, fields }
    const run = new HandlerRun(around, actor, guard, { controls: this.state.controls, defaults: this.#localsOf })
    work(run)
    slot.fields = fields.map((value, at) => ite(lifting, guard, value, slot.fields[at] as Summary))
    for (const { control, guard: here, saved } of run.rested) {
      slot.control = diagrams.ite(here, diagrams.leaf(control), slot.control)
      const before = slot.saved.get(control)
      slot.saved.set(
        control,
        before === undefined ? saved : saved.map((value, at) => ite(lifting, here, value, before[at] as Summary)),
      )
    }
    this.#halt(slot, run.halted)
    settle(this.state, this.deliveries, slot, guard)
  }

  /** What is under way to a machine that has halted is gone. */
  #halt(slot: Slot, guard: Diagram): void {
    if (this.state.isVacuous(guard)) return
    const { diagrams } = this
    slot.phase = diagrams.ite(guard, diagrams.leaf(phases.halted), slot.phase)
    const self = diagrams.valueOf(slot.self)
    for (const other of this.state.slots)
      for (const [key, line] of other.lines)
        other.lines.set(
          key,
          without(this.state, line, (item, at) => {
            const to = (item as TupleSummary).items[0] as Summary
            const gone = diagrams.and(guard, to.kind === 'scalar' ? diagrams.guardOf(to.of, self) : diagrams.never)
            // What is taken from a line depends on who made room for it, and on nobody behind.
            const name = lineName(other, key)
            if (at === 0) this.#purged.set(name, diagrams.or(this.#purged.get(name) ?? diagrams.never, gone))
            return gone
          }),
        )
  }

  /** Makes diagrams smaller where no execution is. */
  *simplify(): Generator<undefined, void> {
    if (this.state.alive === this.diagrams.never) return
    yield* this.#patience.with(() => this.#rounds?.simplify())
    yield* this.#patience.with(() => this.filter?.simplify())
    yield* simplifyState(this.state, this.#patience)
  }
}
