/** Handlers as generated code: the outcomes that `HandlerTable` would find through the reference semantics, as far as that code covers them. */
import { OperationCache } from '../../../collections/operation-cache.ts'
import { invariant } from '../../../core/invariant.ts'
import type { IrHandler, IrState } from '../../../ir/ir.ts'
import { HandlerRun, type Sink } from '../../../semantics/ir/compiled/handler-run.ts'
import { leaveToReference, NotCovered, nodeKinds, packedNull } from '../../../semantics/ir/compiled/packed-values.ts'
import { Failed } from '../../../semantics/ir/failed.ts'
import { noFairChoices } from '../../../semantics/ir/fair-choices.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { createdBy, newMachine } from '../../../semantics/ir/sent-and-created.ts'
import { permits } from '../../../semantics/ir/typed-value.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'
import { GatheredOutcomes } from './gathered-outcomes.ts'
import { HandlerTrees, type Over, type Runs } from './handler-trees.ts'
import { type Head, inputs, type LocalStates } from './local-states.ts'
import { ChoicePath, type Effect, type Ending, Outcomes } from './outcomes.ts'

/** In what a run writes. */
const [sent, told, created] = [0, 1, 2]
const nothing: readonly never[] = []
/** A handler with more outcomes is left to the reference semantics, which can be interrupted between them. */
const mostOutcomes = 4096

/** Handlers that are run although they are remembered: the first so many, and then one of so many. */
const [auditedFirst, auditEvery] = [64, 1024]

export interface CompiledOptions {
  isObserved(event: number, by: number): boolean
  /** How often a handler is run before it is remembered by what it looks at. */
  readonly runsBefore: number | undefined
}

interface Taken {
  readonly input: number
  readonly rest: readonly number[]
}

export class CompiledHandlers implements Sink, Runs {
  readonly #rules: Rules
  readonly #locals: LocalStates
  readonly #run: HandlerRun
  readonly #trees: HandlerTrees
  /** Handlers that were remembered by what they look at. */
  #told = 0
  readonly #effectLists = new Map<number, readonly Effect[]>()
  readonly #observed: readonly (readonly boolean[])[]
  /** What is sent, by who and where it is sent: its entry. */
  readonly #sends = new OperationCache(10)
  readonly #noChoices = new ChoicePath()
  /** Of the run under way, and of one that is told. */
  #outcomes = new Outcomes()
  readonly #gathered: GatheredOutcomes
  #slot = 0
  #inbox: readonly number[] = nothing
  /** Of the outcome before, if its inbox was empty. */
  #knownHead = 0
  #knownState = -1
  #knownCreated = -1
  #knownKey = -1
  #knownEffects: readonly Effect[] = nothing

  constructor(rules: Rules, locals: LocalStates, { isObserved, runsBefore }: CompiledOptions) {
    this.#rules = rules
    this.#locals = locals
    this.#gathered = new GatheredOutcomes(locals)
    const { code, blocks, delivery } = rules
    this.#run = new HandlerRun(code, locals.values, this, { blocks, interleaves: delivery.interleaves })
    this.#trees = new HandlerTrees(this.#run, locals.values, this, runsBefore)
    const { machines, events } = code.ir
    this.#observed = machines.map((_, by) => events.map((_event, event) => isObserved(event, by)))
  }

  /** How many runs were not needed, because of what the handler looks at. */
  get remembered(): number {
    return this.#told
  }

  /** Undefined: the reference semantics has to say it. */
  outcomes(local: number, input: number): Outcomes | undefined {
    const known = this.#byTrees(local, input)
    if (known !== undefined) return known
    const head = this.#locals.headOf(local)
    if (head.paused !== 0 || input === inputs.goOn) return undefined
    return this.#byCode(local, head, input)
  }

  #byCode(local: number, head: Head, input: number): Outcomes | undefined {
    const made = new Outcomes()
    this.#outcomes = made
    try {
      this.#handle(local, head, input)
      return made
    } catch (error) {
      // Calls may be nested deeper than functions of our own can be, and the reference semantics minds neither that nor what fails.
      if (error instanceof NotCovered || error instanceof Failed || error instanceof RangeError) return undefined
      throw error
    } finally {
      // A run that is recorded must not add to what was told.
      this.#outcomes = new Outcomes()
    }
  }

  /** By what handlers look at, as far as they are remembered so. */
  #byTrees(local: number, input: number): Outcomes | undefined {
    try {
      this.#gathered.begin(this.#locals.values.heap.lengthOf(local) - 1)
      if (!this.#trees.tell(local, input)) return undefined
      const found = this.#gathered.outcomes
      const isAudited = this.#told < auditedFirst || this.#told % auditEvery === 0
      this.#told++
      if (isAudited) this.#audit(local, input, found)
      return found
    } catch (error) {
      if (error instanceof NotCovered) return undefined
      throw error
    }
  }

  /** What is remembered must be what comes of running the handler. */
  #audit(local: number, input: number, found: Outcomes): void {
    const run = this.#byCode(local, this.#locals.headOf(local), input)
    const isSame =
      run?.locals.join() === found.locals.join() &&
      run.endings.every((one, at) => isAlike(one, found.endings[at] as Ending))
    invariant(isSame, 'a handler does what it has done where it saw the same')
  }

  #handle(local: number, head: Head, input: number): void {
    const { slot, state, inbox, argument } = head
    const locals = this.#locals
    const here = locals.stateIn(slot, state)
    if (input === inputs.begin) return this.#start(local, head, inbox).begin(argument)
    if (input === inputs.nothing) {
      const { onNull } = here
      if (onNull !== undefined) this.#start(local, head, inbox).handleNothing(onNull)
      return
    }
    const taken = this.#taken(head, here, input)
    if (taken !== undefined)
      this.#start(local, head, taken.rest).handle(locals.eventOf(taken.input), locals.payloadOf(taken.input))
    else if (input !== inputs.inbox) this.#arrive(local, head, here, input)
  }

  /** The message that it takes now, and what is in its inbox then. */
  #taken({ inbox }: Head, here: IrState, input: number): Taken | undefined {
    const locals = this.#locals
    if (input === inputs.inbox) return takenFrom(inbox, locals.nextIn(inbox, here))
    if (inbox.length === 0 && isHandled(here.handlers.get(locals.eventOf(input)))) return { input, rest: nothing }
    const arrived = locals.settled([...inbox, input], here)
    // It is taken at once, unless something else is to be taken before it.
    const next = locals.nextIn(arrived, here)
    return next === arrived.length - 1 ? takenFrom(arrived, next) : undefined
  }

  #arrive(local: number, head: Head, here: IrState, input: number): void {
    const locals = this.#locals
    const arrived = locals.settled([...head.inbox, input], here)
    const after = locals.headNumber({ ...head, inbox: arrived, phase: locals.restingPhase(arrived, here) })
    const fields = locals.values.heap.parts(local).slice(1)
    this.#outcomes.add(locals.localWith(after, fields, fields.length), arrival)
  }

  #start(local: number, { slot, state, created: number }: Head, inbox: readonly number[]): HandlerRun {
    const { heap } = this.#locals.values
    const run = this.#run
    const count = heap.lengthOf(local) - 1
    for (let at = 0; at < count; at++) run.fields[at] = heap.part(local, at + 1)
    if (slot !== this.#slot) this.#knownState = -1
    this.#slot = slot
    this.#inbox = inbox
    const { machine, process } = this.#locals.refs[slot] as MachineRef
    return run.start({ machine, self: this.#locals.selfOf(slot), process, state, created: number })
  }

  // What the run does

  send(site: number, to: number, event: number, payload: number): void {
    const run = this.#run
    const operation = (site + 1) * this.#observed.length + run.machine
    const known = this.#sends.get(operation, to, event, payload)
    const entry = known >= 0 ? known : this.#entryOf(site, to, event, payload)
    if (known < 0) this.#sends.set(operation, [to, event, payload], entry)
    this.announce(event, payload)
    run.write(sent)
    run.write(entry)
  }

  #entryOf(site: number, to: number, event: number, payload: number): number {
    const ref = this.#locals.values.machineOf(to)
    if (!this.#mayBeSent(site, ref, event)) leaveToReference()
    return this.#locals.entryFor(this.#locals.slotOf(ref), this.#locals.inputFor(event, payload))
  }

  #mayBeSent(site: number, ref: MachineRef, event: number): boolean {
    const { ir } = this.#rules.code
    return (
      permits(ref, [event], ir) &&
      this.#run.permitted(site)?.includes(event) !== false &&
      ir.machines[this.#run.machine]?.sends?.includes(event) !== false
    )
  }

  announce(event: number, payload: number): void {
    const by = this.#run.machine
    if (this.#observed[by]?.[event] !== true) return
    this.#run.write(told)
    this.#run.write(this.#locals.observationOf(by, event, payload))
  }

  create(creates: string, payload: number): number {
    const locals = this.#locals
    const { code } = this.#rules
    const creator = { ref: locals.refs[this.#slot] as MachineRef, created: locals.createdBy(this.#run.created) }
    const { ref, created: after } = createdBy(creator, { creates }, code)
    this.#run.created = locals.createdNumber(after)
    const slot = locals.slotOf(ref)
    const local = locals.localOf(newMachine(ref, locals.values.unpacked(payload), this.#rules))
    for (const one of [created, slot, local, locals.entryFor(slot, inputs.begin)]) this.#run.write(one)
    return locals.selfOf(slot)
  }

  done(isHalted: boolean): void {
    if (this.#run.isRecorded) return this.#trees.recorded(isHalted)
    if (this.#outcomes.size === mostOutcomes) leaveToReference()
    const { fair } = this.#run
    const local = isHalted ? this.#locals.halted(this.#slot) : this.#rested()
    const choices = this.#choices()
    this.#outcomes.add(local, { choices, fair, effects: this.#effects(), violation: undefined, isHalted })
  }

  // What the trees do

  handle(local: number, input: number): void {
    const head = this.#locals.headOf(local)
    if (head.paused !== 0 || input === inputs.goOn) leaveToReference()
    this.#handle(local, head, input)
  }

  start(local: number, input: number): void {
    const head = this.#locals.headOf(local)
    const isMessage = input !== inputs.begin && input !== inputs.nothing
    const taken = isMessage ? this.#taken(head, this.#locals.stateIn(head.slot, head.state), input) : undefined
    this.#start(local, head, taken?.rest ?? head.inbox)
  }

  over(isHalted: boolean): Over {
    const { fair, state, created: number } = this.#run
    const [head, halted] = isHalted ? [0, this.#locals.halted(this.#slot)] : [this.#headOf(state, number), 0]
    return { head, halted, effects: this.#effects(), fair, endings: [] }
  }

  ended(over: Over, path: ChoicePath, fields: Int32Array): void {
    const gathered = this.#gathered
    if (gathered.size === mostOutcomes) leaveToReference()
    const { head, halted, endings } = over
    const ending = endings[path.number] ?? endingOf(over, path)
    if (halted === 0) gathered.add(head, fields, ending)
    else gathered.addHalted(halted, ending)
  }

  /** Most handlers choose once or never: their lists are shared. */
  #choices(): readonly number[] {
    const { made, choices } = this.#run
    if (made === 0) return nothing
    if (made > 2) return choices.slice(0, made)
    const first = this.#noChoices.after(choices[0] as number)
    return (made === 1 ? first : first.after(choices[1] as number)).choices
  }

  #rested(): number {
    const { state, created: number, fields, fieldCount } = this.#run
    const isKnown = this.#inbox.length === 0 && number === this.#knownCreated && state === this.#knownState
    return this.#locals.localWith(isKnown ? this.#knownHead : this.#headOf(state, number), fields, fieldCount)
  }

  #headOf(state: number, number: number): number {
    const here = this.#locals.stateIn(this.#slot, state)
    const inbox = this.#locals.settled(this.#inbox, here)
    const phase = this.#locals.restingPhase(inbox, here)
    const slot = this.#slot
    const head = this.#locals.headNumber({
      phase,
      slot,
      state,
      argument: packedNull,
      inbox,
      created: number,
      paused: 0,
    })
    if (this.#inbox.length > 0) return head
    this.#knownHead = head
    this.#knownState = state
    this.#knownCreated = number
    return head
  }

  /** Outcomes that do the same to others share the list. */
  #effects(): readonly Effect[] {
    const { effects, written } = this.#run
    if (written === 0) return nothing
    const { heap } = this.#locals.values
    const first = heap.open(written)
    for (let at = 0; at < written; at++) heap.cells[first + at] = effects[at] as number
    const key = heap.close(nodeKinds.list, written)
    if (key === this.#knownKey) return this.#knownEffects
    const made = this.#effectLists.get(key) ?? [...effectsIn(effects.slice(0, written))]
    this.#effectLists.set(key, made)
    this.#knownKey = key
    this.#knownEffects = made
    return made
  }
}

function* effectsIn(written: readonly number[]): Generator<Effect> {
  for (let at = 0; at < written.length; ) {
    const [kind, first, local, entry] = written.slice(at, at + 4) as [number, number, number, number]
    if (kind === sent) yield { kind: 'send', entry: first }
    if (kind === told) yield { kind: 'tell', observation: first }
    if (kind === created) yield { kind: 'create', slot: first, local, entry }
    at += kind === created ? 4 : 2
  }
}

/** Nothing comes of it. */
const arrival: Ending = {
  choices: nothing,
  fair: noFairChoices,
  effects: nothing,
  violation: undefined,
  isHalted: false,
}

function takenFrom(inbox: readonly number[], at: number): Taken | undefined {
  return at < 0 ? undefined : { input: inbox[at] as number, rest: inbox.toSpliced(at, 1) }
}

function endingOf({ halted, effects, fair, endings }: Over, { choices, number }: ChoicePath): Ending {
  const made: Ending = { choices, fair, effects, violation: undefined, isHalted: halted !== 0 }
  endings[number] = made
  return made
}

function isAlike(one: Ending, other: Ending): boolean {
  if (one.effects !== other.effects || one.isHalted !== other.isHalted) return false
  const isFairAlike = one.fair.taken.join() === other.fair.taken.join()
  return isFairAlike && one.fair.offered.join() === other.fair.offered.join() && `${one.choices}` === `${other.choices}`
}

function isHandled(handler: IrHandler | undefined): boolean {
  return handler === undefined || handler.kind === 'do' || handler.kind === 'goto'
}
