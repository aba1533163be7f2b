/** What one decision does to a configuration: the next one, and what happened on the way. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Ir, IrType } from '../../ir/ir.ts'
import { Activity, type Outcome, type Surroundings } from './activity.ts'
import { haltedMachine, isChoice } from './after-activity.ts'
import type { IrStep } from './code.ts'
import type { Configuration, MachineState, Message, MonitorState, Paused, Waits } from './configuration.ts'
import { choosingMachine } from './endless-choices.ts'
import type { EventDraft } from './event-draft.ts'
import type { Environment } from './expression.ts'
import { Failed } from './failed.ts'
import { machineViolation } from './ir-violations.ts'
import { afterDecision, Broken, type MonitorWitness, toldMonitors } from './monitors.ts'
import { type Move, nextInInbox, type Rules, settledInbox, stateOf } from './moves.ts'
import { createdBy, newMachine, sentBy } from './sent-and-created.ts'
import { messageValue, toValue } from './typed-value.ts'
import type { IrValue, MachineRef } from './value.ts'

export interface Turned {
  readonly configuration: Configuration
  readonly events: readonly EventDraft[]
}

export function afterMove(before: Configuration, move: Move, rules: Rules): Turned {
  return new Turn(before, rules).take(move)
}

class Turn {
  readonly #rules: Rules
  readonly #machines: Map<MachineRef, MachineState>
  readonly #known: Map<MachineRef, readonly number[]>
  readonly #events: EventDraft[] = []
  #underWay: Message[]
  #monitors: readonly MonitorState[]
  #refined: number
  #sent: number
  #choosing: MachineRef | undefined
  #chosen: number
  #violation: Violation | undefined

  constructor(before: Configuration, rules: Rules) {
    this.#rules = rules
    this.#machines = new Map(before.machines)
    this.#known = new Map(before.known)
    this.#underWay = [...before.underWay]
    this.#monitors = afterDecision(before.monitors, rules.code)
    this.#refined = before.refined
    this.#sent = before.sent
    this.#chosen = before.chosen
  }

  take(move: Move): Turned {
    const { ref } = move.machine
    this.#chosen = move.kind === 'choose' ? this.#chosen + 1 : 0
    if (this.#rules.turns !== undefined && move.kind !== 'choose') this.#change(ref, { turns: move.machine.turns + 1 })
    this.#perform(move)
    this.#underWay = this.#underWay.filter(({ to }) => this.#machine(to).phase !== 'halted')
    return { configuration: this.#configuration(), events: this.#events }
  }

  #configuration(): Configuration {
    const { isCausal } = this.#rules.delivery
    const numbers = new Set(isCausal ? this.#underWay.map(({ number }) => number) : [])
    const stillUnderWay = (known: readonly number[]): readonly number[] => known.filter((one) => numbers.has(one))
    return {
      machines: this.#machines,
      underWay: isCausal
        ? this.#underWay.map((message) => ({ ...message, past: stillUnderWay(message.past) }))
        : this.#underWay,
      monitors: this.#monitors,
      refined: this.#refined,
      choosing: this.#choosing,
      chosen: this.#chosen,
      known: isCausal ? new Map([...this.#known].map(([ref, known]) => [ref, stillUnderWay(known)])) : this.#known,
      sent: this.#sent,
      violation: this.#violation,
    }
  }

  #perform(move: Move): void {
    const { ref } = move.machine
    switch (move.kind) {
      case 'begin': {
        if (move.message !== undefined) this.#leaveNetwork(move.message)
        const { argument } = move.machine
        this.#change(ref, { phase: 'begun', argument: null })
        // Where it begins is known.
        return this.#work(ref, (activity) => activity.begin(argument), 1)
      }
      case 'nothing': {
        const handler = stateOf(move.machine, this.#rules.code).onNull
        invariant(handler !== undefined, 'the state does something when nothing can be received')
        this.#events.push({ kind: 'timeout', process: ref.process })
        return this.#work(ref, (activity) => activity.handleNothing(handler))
      }
      case 'goOn':
        return this.#goOn(move.machine)
      case 'choose': {
        const { decision, option } = move
        const { paused } = move.machine
        invariant(decision.kind === 'choose' && paused?.waits.kind === 'choose', 'who chooses has options')
        const { options, place } = paused.waits
        const value = toValue(option, this.#rules.code.ir, chosenType(paused, this.#rules.code.ir))
        const told = { process: ref.process, option: decision.option, options: options.length, value, place }
        this.#events.push({ kind: 'choose', ...told })
        return this.#work(ref, (activity) => activity.choose(option))
      }
      case 'arrive':
        return this.#arrive(move.message)
      case 'take':
        return this.#takeFromInbox(move.message)
    }
  }

  #machine(ref: MachineRef): MachineState {
    const machine = this.#machines.get(ref)
    invariant(machine !== undefined, 'a machine that is spoken of exists')
    return machine
  }

  #change(ref: MachineRef, change: Partial<MachineState>): MachineState {
    const changed = { ...this.#machine(ref), ...change }
    this.#machines.set(ref, changed)
    return changed
  }

  /** What its sender knew of when it sent, the target knows of from the arrival on. */
  #leaveNetwork(message: Message): void {
    this.#underWay.splice(this.#underWay.indexOf(message), 1)
    if (this.#rules.delivery.isCausal) this.#learn(message.to, message.past)
  }

  #learn(ref: MachineRef, numbers: readonly number[]): void {
    const known = this.#known.get(ref) ?? []
    this.#known.set(
      ref,
      [...new Set([...known, ...numbers])].sort((left, right) => left - right),
    )
  }

  #arrive(message: Message): void {
    this.#leaveNetwork(message)
    const arrived = this.#putIntoInbox(message)
    if (nextInInbox(arrived, this.#rules.code) === message) this.#takeFromInbox(message)
  }

  #putIntoInbox(message: Message): MachineState {
    const { inbox } = this.#machine(message.to)
    return this.#settle(this.#change(message.to, { inbox: [...inbox, message] }))
  }

  #settle(machine: MachineState): MachineState {
    const inbox = settledInbox(machine, this.#rules.code)
    return inbox.length === machine.inbox.length ? machine : this.#change(machine.ref, { inbox })
  }

  #takeFromInbox(message: Message): void {
    const { to, from, number, payload } = message
    const event = message.event as number
    const { inbox, paused } = this.#machine(to)
    const value = messageValue(event, payload, this.#rules.code.ir)
    const place = paused?.waits.place ?? stateOf(this.#machine(to), this.#rules.code).place
    this.#events.push({
      kind: 'receive',
      process: to.process,
      message: number,
      from: from?.process ?? '',
      value,
      place,
    })
    this.#change(to, { inbox: inbox.filter((one) => one !== message) })
    this.#work(to, (activity) =>
      paused === undefined ? activity.handle(event, payload) : activity.receive(event, payload),
    )
  }

  #goOn({ ref, paused }: MachineState): void {
    const waits = paused?.waits
    if (waits?.kind !== 'send') return this.#work(ref, (activity) => activity.afterPauseBeforeNew())
    this.#dispatch(ref, waits)
    this.#work(ref, (activity) => activity.afterSend())
  }

  #work(ref: MachineRef, begin: (activity: Activity) => Outcome, untold = 0): void {
    const { code } = this.#rules
    const { state, fields, paused } = this.#machine(ref)
    const activity = new Activity(code, { machine: ref.machine, self: ref }, this.#around(ref, untold))
    activity.at({ state, fields, paused })
    try {
      const outcome = begin(activity)
      if (isChoice(outcome))
        this.#rules.choosing.look(choosingMachine(this.#machine(ref), activity, outcome), this.#chosen + 1)
      this.#rest(ref, activity, outcome)
    } catch (error) {
      this.#violation = this.#violationBy(error, ref)
      const { process = ref.process, place, kind } = this.#violation
      // A call that is refused is an event already.
      if (kind !== 'refinement') this.#events.push({ kind: 'fail', process, violation: this.#violation, place })
      this.#change(ref, { state: activity.state, fields: activity.fields, paused: undefined })
    }
  }

  #violationBy(error: unknown, { process }: MachineRef): Violation {
    if (error instanceof Broken) return error.violation
    if (error instanceof Failed) return machineViolation(error, process)
    throw error
  }

  #rest(ref: MachineRef, activity: Activity, outcome: Outcome): void {
    if (outcome === 'halted') {
      this.#machines.set(ref, haltedMachine({ ref }))
      this.#events.push({ kind: 'stop', process: ref.process, halts: true })
      return
    }
    const { state, fields } = activity
    const paused = outcome === 'done' ? undefined : activity.paused(outcome)
    if (paused?.waits.kind === 'choose') this.#choosing = ref
    this.#settle(this.#change(ref, { state, fields, paused }))
  }

  /** The first so many states that it enters are not told. */
  #around(self: MachineRef, untold: number): Surroundings {
    const { interleaves } = this.#rules.delivery
    const { states = [] } = this.#rules.code.ir.machines[self.machine] ?? {}
    let entered = 0
    return {
      blocks: this.#rules.blocks,
      pausesBeforeNew: interleaves,
      send: (step, environment) => this.#send(self, step, environment),
      announce: (event, payload, place) => this.#announce(self, { event, payload, place }),
      create: (step, payload) => this.#create(self, step, payload),
      entered: (state) => {
        const { name = '', place } = states[state] ?? {}
        if (entered++ >= untold) this.#detail({ kind: 'enter', process: self.process, state: name, place })
      },
      print: (text, place) => this.#detail({ kind: 'print', process: self.process, text, place }),
    }
  }

  #detail(event: EventDraft): void {
    if (this.#rules.details === true) this.#events.push(event)
  }

  #announce(self: MachineRef, { event, payload, place }: Announced): void {
    // As a call it is told by that.
    if (this.#rules.refined?.isCall(event) !== true) {
      const value = messageValue(event, payload, this.#rules.code.ir)
      this.#detail({ kind: 'announce', process: self.process, value, place })
    }
    this.#tell(self, { event, payload, place })
  }

  #tell(self: MachineRef, { event, payload, place }: Announced): void {
    const witness = this.#rules.details === true ? this.#witness(self, event, payload) : undefined
    const told = { by: self.machine, event, payload }
    this.#monitors = toldMonitors(this.#monitors, told, { ...this.#rules, witness })
    const { refined } = this.#rules
    if (refined === undefined) return
    for (const value of refined.calls({ event, payload, place }))
      this.#events.push({ kind: 'announce', process: self.process, value, isCall: true, place })
    this.#refined = refined.after(this.#refined, { event, payload, place })
  }

  #witness(self: MachineRef, event: number, payload: IrValue): MonitorWitness {
    const value = messageValue(event, payload, this.#rules.code.ir)
    return {
      observed: (process) => this.#detail({ kind: 'observe', process, from: self.process, value }),
      entered: (process, { name, place }) => this.#detail({ kind: 'enter', process, state: name, place }),
      printed: (process, text, place) => this.#detail({ kind: 'print', process, text, place }),
    }
  }

  #send(self: MachineRef, step: SendStep, environment: Environment): Waits | undefined {
    const { code, delivery } = this.#rules
    const { to, event, payload } = sentBy(self, step, environment, code)
    const waits = { kind: 'send', to, event, payload, place: step.place } as const
    const before = this.#events.length
    try {
      this.#tell(self, waits)
    } catch (error) {
      // What breaks a monitor is not sent any more, and yet it is what happened.
      if (this.#rules.details === true) this.#events.splice(before, 0, this.#sending(self, waits))
      throw error
    }
    if (delivery.interleaves) return waits
    // Monitors are told before; for people, what they observe follows what is sent.
    const observed = this.#events.splice(before)
    this.#dispatch(self, waits)
    this.#events.push(...observed)
    return undefined
  }

  /** The next message, as an event. */
  #sending(from: MachineRef, { to, event, payload, place }: Extract<Waits, { readonly kind: 'send' }>): EventDraft {
    const { code, delivery } = this.#rules
    const value = messageValue(event, payload, code.ir)
    const told = { process: from.process, message: this.#sent, to: to.process, value, network: delivery.network, place }
    return { kind: 'send', ...told, notification: false }
  }

  #dispatch(from: MachineRef, waits: Extract<Waits, { readonly kind: 'send' }>): void {
    const { to, event, payload } = waits
    this.#events.push(this.#sending(from, waits))
    const message = { number: this.#sent++, from, to, event, payload, past: this.#known.get(from) ?? [] }
    if (this.#rules.delivery.interleaves) {
      if (this.#machine(to).phase !== 'halted') this.#putIntoInbox(message)
    } else this.#underWayIs(message)
  }

  #underWayIs(message: Message): void {
    this.#underWay.push(message)
    if (this.#rules.delivery.isCausal && message.from !== undefined) this.#learn(message.from, [message.number])
  }

  #create(creator: MachineRef, step: Extract<IrStep, { readonly kind: 'new' }>, argument: IrValue): MachineRef {
    const { code, delivery } = this.#rules
    const { ref, created } = createdBy(this.#machine(creator), step, code)
    this.#change(creator, { created })
    this.#machines.set(ref, newMachine(ref, argument, this.#rules))
    this.#events.push({ kind: 'spawn', process: creator.process, child: ref.process, daemon: false, place: step.place })
    if (!delivery.interleaves) {
      const past = this.#known.get(creator) ?? []
      const number = -this.#machines.size
      this.#underWayIs({ number, from: creator, to: ref, event: undefined, payload: null, past })
    }
    return ref
  }
}

interface Announced {
  readonly event: number
  readonly payload: IrValue
  readonly place: Place
}

type SendStep = Extract<IrStep, { readonly kind: 'send' }>

/** Of the variable that a choice is for, so that elements of enums have their names. */
function chosenType({ frame }: Paused, { functions }: Ir): IrType | undefined {
  const declared = functions[frame.function]
  const chooses = declared?.blocks[frame.block]?.instructions[frame.at]
  return chooses?.kind === 'choose' ? declared?.locals[chooses.into]?.type : undefined
}
