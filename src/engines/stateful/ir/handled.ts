/**
 * What machines do, each time it is new: by local state and input the outcomes, one for each way to choose. A handler sees its own machine and its
 * message alone, so a step of the whole system is mostly a look into this table ("overlapping transitions" of PSym, §4.1, for single states).
 */
import { PairMap } from '../../../collections/pair-map.ts'
import { Activity, type Outcome as Stop, type Surroundings } from '../../../semantics/ir/activity.ts'
import {
  haltedMachine,
  isChoice,
  isHeard,
  restedMachine,
  settledMachine,
} from '../../../semantics/ir/after-activity.ts'
import type { Code } from '../../../semantics/ir/code.ts'
import type { MachineState, Message, Waits } from '../../../semantics/ir/configuration.ts'
import { choosingMachine } from '../../../semantics/ir/endless-choices.ts'
import type { Environment } from '../../../semantics/ir/expression.ts'
import { Failed } from '../../../semantics/ir/failed.ts'
import { noFairChoices, withOption } from '../../../semantics/ir/fair-choices.ts'
import { machineViolation } from '../../../semantics/ir/ir-violations.ts'
import { fairOptions, nextInInbox, type Rules, stateOf } from '../../../semantics/ir/moves.ts'
import { createdBy, newMachine, sentBy } from '../../../semantics/ir/sent-and-created.ts'
import type { IrValue, MachineRef } from '../../../semantics/ir/value.ts'
import { type AtChoice, ChoiceGraph, type Way } from './choice-graph.ts'
import { CompiledHandlers } from './compiled-handlers.ts'
import { inputs, LocalStates, type Observation } from './local-states.ts'
import { type Effect, type Ending, Outcomes } from './outcomes.ts'
import { RememberedRuns } from './remembered-runs.ts'

interface Handled {
  readonly local: number
  readonly ending: Ending
}

export interface HandlerOptions {
  /** Whether handlers become JavaScript, where that is possible; otherwise the reference semantics runs them. */
  readonly generates?: boolean | undefined
  /** How often a handler is run before it is remembered by what it looks at. */
  readonly runsBefore?: number | undefined
  /** Whether it is told how handlers may go on for ever by what they choose. */
  readonly followsRounds?: boolean | undefined
}

/** Runs, and ways on from a choice within one run, between two looks at the clock: a way on is gone once more by who looks for an end. */
const [runsInBreath, waysInBreath] = [64, 16]

export class HandlerTable {
  readonly #rules: Rules
  readonly #locals: LocalStates
  readonly #compiled: CompiledHandlers | undefined
  readonly #known = new RememberedRuns<Outcomes>()
  /** By local state and message: the local state with that message in its inbox. */
  readonly #enqueued = new PairMap()
  #runs = 0
  #referenceRuns = 0
  /** Since the last breath. */
  #runsInTurn = 0
  /** Where the run under way comes to choose. */
  #graph: ChoiceGraph | undefined
  readonly #followsRounds: boolean
  /** The run that was last asked for, if generated code does not cover it. */
  #uncovered: readonly [local: number, input: number] = [0, 0]

  constructor(rules: Rules, options: HandlerOptions = {}) {
    this.#rules = rules
    this.#followsRounds = options.followsRounds === true
    this.#locals = new LocalStates(rules.code)
    this.#compiled = options.generates === false ? undefined : this.#compiledHandlers(options.runsBefore)
  }

  /** Nothing where no code may be made from text. */
  #compiledHandlers(runsBefore: number | undefined): CompiledHandlers | undefined {
    try {
      const isObserved = (event: number, by: number): boolean => this.isObserved(event, by)
      return new CompiledHandlers(this.#rules, this.#locals, { isObserved, runsBefore })
    } catch (error) {
      if (error instanceof EvalError) return undefined
      throw error
    }
  }

  get code(): Code {
    return this.#rules.code
  }

  /** By slot. */
  get refs(): readonly MachineRef[] {
    return this.#locals.refs
  }

  /** How often a handler was run. */
  get runs(): number {
    return this.#runs
  }

  /** How many of these the reference semantics did. */
  get referenceRuns(): number {
    return this.#referenceRuns
  }

  /** How many were told by what the handler looks at. */
  get rememberedRuns(): number {
    return this.#compiled?.remembered ?? 0
  }

  get bytes(): number {
    return this.#locals.bytes
  }

  slotOf(ref: MachineRef): number {
    return this.#locals.slotOf(ref)
  }

  /** Number 0 is no machine. */
  localOf(machine: MachineState): number {
    return this.#locals.localOf(machine)
  }

  local(number: number): MachineState {
    return this.#locals.local(number)
  }

  /** What a machine in this local state can do. */
  phase(local: number): number {
    return this.#locals.phase(local)
  }

  targetOf = (entry: number): number => this.#locals.targetOf(entry)

  inputOf(entry: number): number {
    return this.#locals.inputOf(entry)
  }

  /** A message or a creation on its way. */
  entryFor(slot: number, input: number): number {
    return this.#locals.entryFor(slot, input)
  }

  message(input: number): Pick<Message, 'event' | 'payload'> | undefined {
    return this.#locals.message(input)
  }

  observation(number: number): Observation {
    return this.#locals.observation(number)
  }

  handled(local: number, input: number): Outcomes {
    const known = this.#known.get(local, input)
    if (known !== undefined) return known
    for (const _ of this.preparing(local, input));
    return this.#known.get(local, input) as Outcomes
  }

  /** Outcomes that are found without a breath, if they are; asked once for each state in which they count, and `preparing` otherwise. */
  atOnce(local: number, input: number): Outcomes | undefined {
    const known = this.#known.spared(local, input)
    if (known !== undefined || this.#runsInTurn === runsInBreath) return known
    const made = this.#compiled?.outcomes(local, input)
    if (made === undefined) this.#uncovered = [local, input]
    else this.#note(local, input, made)
    return made
  }

  /** Runs the handler, unless what it does is known. A handler that chooses again and again has many outcomes: it takes breaths. */
  *preparing(local: number, input: number): Generator<undefined, void> {
    if (this.#known.get(local, input) !== undefined) return
    const isCovered = this.#uncovered[0] !== local || this.#uncovered[1] !== input
    const made = isCovered ? this.#compiled?.outcomes(local, input) : undefined
    this.#note(local, input, made ?? (yield* this.#byReference(local, input)))
    if (this.#runsInTurn < runsInBreath) return
    this.#runsInTurn = 0
    yield
  }

  #note(local: number, input: number, made: Outcomes): void {
    this.#runs++
    if (this.#runsInTurn < runsInBreath) this.#runsInTurn++
    this.#known.set(local, input, made)
  }

  *#byReference(local: number, input: number): Generator<undefined, Outcomes> {
    this.#referenceRuns++
    const made = new Outcomes()
    for (const one of this.#outcomes(this.local(local), input)) {
      if (one === undefined) yield
      else made.add(one.local, one.ending)
    }
    const graph = this.#graph
    this.#graph = undefined
    if (this.#followsRounds && graph?.goesRound === true) made.rounds = graph
    if (!this.#followsRounds && graph?.goesRoundUnfairly === true) this.#tellRound(this.local(local))
    return made
  }

  #tellRound({ ref, state }: MachineState): void {
    this.code.coverage?.goesRound(ref.machine, state)
  }

  /** Before a state is left: what is asked for until the next one stays known. */
  makeRoom(): void {
    this.#known.makeRoom()
  }

  *#outcomes(machine: MachineState, input: number): Generator<Handled | undefined> {
    if (input === inputs.begin) {
      const begun = { ...machine, phase: 'begun' as const, argument: null }
      yield* this.#work(begun, (activity) => activity.begin(machine.argument))
    } else if (input === inputs.nothing) {
      const { onNull } = stateOf(machine, this.code)
      if (onNull !== undefined) yield* this.#work(machine, (activity) => activity.handleNothing(onNull))
    } else if (input === inputs.goOn) {
      yield* this.#goOn(machine)
    } else if (input === inputs.inbox) {
      const next = nextInInbox(machine, this.code)
      if (next !== undefined) yield* this.#take(machine, next)
    } else {
      const message = this.#locals.messageTo(machine.ref, input)
      const arrived = this.#settled({ ...machine, inbox: [...machine.inbox, message] })
      if (nextInInbox(arrived, this.code) === message) yield* this.#take(arrived, message)
      else yield { local: this.localOf(arrived), ending: arrival }
    }
  }

  /** With a message in its inbox, whatever the machine is in the middle of. */
  enqueued(local: number, input: number): number {
    const known = this.#enqueued.get(local, input)
    if (known !== undefined) return known
    const machine = this.local(local)
    const inbox = [...machine.inbox, this.#locals.messageTo(machine.ref, input)]
    const after = this.localOf(this.#settled({ ...machine, inbox }))
    this.#enqueued.set(local, input, after)
    return after
  }

  /** After others came first: what was to be sent is, and the handler goes on. */
  *#goOn(machine: MachineState): Generator<Handled | undefined> {
    const waits = machine.paused?.waits
    if (waits?.kind !== 'send') {
      yield* this.#work(machine, (activity) => activity.afterPauseBeforeNew())
      return
    }
    const { to, event, payload } = waits
    const entry = this.sends(to, event, payload)
    const isOwn = to === machine.ref
    const inbox = isOwn ? [...machine.inbox, this.#locals.messageTo(to, this.inputOf(entry))] : machine.inbox
    const effects: readonly Effect[] = isOwn ? [] : [{ kind: 'send', entry }]
    yield* this.#work({ ...machine, inbox }, (activity) => activity.afterSend(), effects)
  }

  *#take(machine: MachineState, message: Message): Generator<Handled | undefined> {
    const event = message.event as number
    const { paused } = machine
    const without = { ...machine, inbox: machine.inbox.filter((one) => one !== message) }
    yield* this.#work(without, (activity) =>
      paused === undefined ? activity.handle(event, message.payload) : activity.receive(event, message.payload),
    )
  }

  #settled(machine: MachineState): MachineState {
    return settledMachine(machine, this.code)
  }

  /** Every way to choose, depth first: from each choice on the machine is run once for each option. Breaths are `undefined`. */
  *#work(
    machine: MachineState,
    begin: (activity: Activity) => Stop,
    effects: readonly Effect[] = [],
  ): Generator<Handled | undefined> {
    const graph = new ChoiceGraph()
    const open: Pending[] = [{ machine, effects, choices: [], fair: noFairChoices, way: undefined, begin }]
    let ways = 0
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (++ways % waysInBreath === 0) yield undefined
      const reached = this.#run(one)
      if ('local' in reached) {
        yield reached
        continue
      }
      // A handler that chooses in a loop comes back to where it was: nothing new follows from there.
      const fairly = fairOptions(reached.machine)
      const place = graph.reached(reached, one.way, fairly)
      if (place === undefined) continue
      for (const [at, option] of [...reached.options.entries()].reverse()) {
        const chosen = { choices: [...reached.choices, at], fair: withOption(reached.fair, fairly, at) }
        const way = { place, option: at }
        open.push({ ...reached, ...chosen, way, begin: (activity) => activity.choose(option) })
      }
    }
    this.#graph = graph
  }

  /** Until the machine is at rest, or has to choose. */
  #run({ machine, effects, choices, fair, begin }: Pending): Handled | Choosing {
    const { ref } = machine
    const run = new Run(this, machine, this.#rules, effects)
    const activity = new Activity(this.code, { machine: ref.machine, self: ref }, run)
    activity.at(machine)
    let stop: Stop
    try {
      stop = begin(activity)
      if (isChoice(stop))
        this.#rules.choosing.look(choosingMachine({ ref, created: run.created }, activity, stop), choices.length + 1)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      const violation = machineViolation(error, ref.process)
      return { local: 0, ending: { choices, fair, effects: run.effects, violation, isHalted: false } }
    }
    const { effects: made } = run
    const after =
      stop === 'halted' ? haltedMachine(machine) : this.#settled(restedMachine(machine, activity, run.created, stop))
    if (isChoice(stop)) return { machine: after, effects: made, choices, fair, options: stop.options }
    const ending = { choices, fair, effects: made, violation: undefined, isHalted: stop === 'halted' }
    return { local: this.localOf(after), ending }
  }

  /** Whether some monitor or abstract object is told. */
  isObserved(event: number, by: number): boolean {
    if (this.#rules.refined?.isCall(event) === true) return true
    return isHeard(this.code, event, by)
  }

  sends(to: MachineRef, event: number, payload: IrValue): number {
    return this.entryFor(this.slotOf(to), this.#locals.inputFor(event, this.#locals.values.packed(payload)))
  }

  tells(by: number, event: number, payload: IrValue): number {
    return this.#locals.observationOf(by, event, this.#locals.values.packed(payload))
  }
}

/** Nothing comes of it. */
const arrival: Ending = { choices: [], fair: noFairChoices, effects: [], violation: undefined, isHalted: false }

/** A handler under way. */
interface Pending extends AtChoice {
  /** The choice that it has just made. */
  readonly way: Way | undefined
  readonly begin: (activity: Activity) => Stop
}

type Choosing = AtChoice & { readonly options: readonly IrValue[] }

/** What is done to others, written down. */
class Run implements Surroundings {
  readonly blocks: number
  readonly pausesBeforeNew: boolean
  readonly effects: Effect[]
  readonly #table: HandlerTable
  readonly #machine: MachineState
  readonly #rules: Rules
  created: MachineState['created']

  constructor(table: HandlerTable, machine: MachineState, rules: Rules, before: readonly Effect[]) {
    this.#table = table
    this.#machine = machine
    this.#rules = rules
    this.blocks = rules.blocks
    this.pausesBeforeNew = rules.delivery.interleaves
    this.effects = [...before]
    this.created = machine.created
  }

  send(step: Parameters<Surroundings['send']>[0], environment: Environment): Waits | undefined {
    const { to, event, payload } = sentBy(this.#machine.ref, step, environment, this.#rules.code)
    this.announce(event, payload)
    if (this.#rules.delivery.interleaves) return { kind: 'send', to, event, payload, place: step.place }
    this.effects.push({ kind: 'send', entry: this.#table.sends(to, event, payload) })
    return undefined
  }

  announce(event: number, payload: IrValue): void {
    const { ref } = this.#machine
    if (this.#table.isObserved(event, ref.machine))
      this.effects.push({ kind: 'tell', observation: this.#table.tells(ref.machine, event, payload) })
  }

  create(step: Parameters<Surroundings['create']>[0], payload: IrValue): MachineRef {
    const { ref, created } = createdBy({ ref: this.#machine.ref, created: this.created }, step, this.#rules.code)
    this.created = created
    const slot = this.#table.slotOf(ref)
    const local = this.#table.localOf(newMachine(ref, payload, this.#rules))
    this.effects.push({ kind: 'create', slot, local, entry: this.#table.entryFor(slot, inputs.begin) })
    return ref
  }

  entered(): void {}
}
