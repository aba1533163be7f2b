/**
 * One turn of one machine, apart from all others: what it does to them is written down, and happens when its turn has come. A handler sees
 * its own machine and its message alone, so the same turn has the same outcome wherever it is taken.
 */
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import { Activity, type Outcome, type Surroundings } from './activity.ts'
import { haltedMachine, isChoice, isHeard, restedMachine, settledMachine } from './after-activity.ts'
import type { MachineState, Message, Waits } from './configuration.ts'
import { choosingMachine } from './endless-choices.ts'
import type { Environment } from './expression.ts'
import { Failed } from './failed.ts'
import { machineViolation } from './ir-violations.ts'
import { nextInInbox, type Rules, stateOf } from './moves.ts'
import { createdBy, newMachine, sentBy } from './sent-and-created.ts'
import type { IrValue, MachineRef } from './value.ts'

/** Why it is the machine's turn. */
export type Occasion =
  | { readonly kind: 'begin' }
  /** There is nothing to receive, and its state does something then. */
  | { readonly kind: 'nothing' }
  /** It takes what waits in its inbox. */
  | { readonly kind: 'inbox' }
  /** Others came first, and now it sends or creates what it was about to. */
  | { readonly kind: 'goOn' }
  /** A message arrives: it is handled, or waits in the inbox. */
  | { readonly kind: 'message'; readonly message: Carried }

/** What a message carries. */
export interface Carried {
  readonly event: number
  readonly payload: IrValue
}

export type LocalEffect =
  | { readonly kind: 'send'; readonly to: MachineRef; readonly message: Carried }
  | { readonly kind: 'create'; readonly machine: MachineState }

export interface LocalTurn {
  readonly machine: MachineState
  /** In order. */
  readonly effects: readonly LocalEffect[]
  /** What some monitor is told, in order. */
  readonly told: readonly Observed[]
  /** What went wrong, after everything that was told. */
  readonly violation: Violation | undefined
}

/** What a monitor sees of a send or an announcement. */
interface Observed extends Carried {
  /** Which machine says it, by its place in the program. */
  readonly by: number
}

/** Yields the options wherever the machine chooses, and is given the position of the one that is taken. */
export function* localTurn(
  before: MachineState,
  occasion: Occasion,
  rules: Rules,
): Generator<readonly IrValue[], LocalTurn, number> {
  const run = new Run(before, rules)
  const begun = beginning(counted(before, rules), occasion, { run, rules })
  let { machine, begin } = begun
  if (begin === undefined) return { machine, effects: [], told: [], violation: undefined }
  for (let choices = 1; ; choices++) {
    const worked = run.worked(machine, begin, choices)
    machine = worked.machine
    const { options, violation } = worked
    if (options === undefined) return { machine, effects: run.effects, told: run.told, violation }
    const option = options[yield options] as IrValue
    begin = (activity) => activity.choose(option)
  }
}

/** A message has come into the inbox of a machine; what its state ignores is gone. */
export function withMessage(machine: MachineState, carried: Carried, rules: Rules): Arrived {
  const { inbox, ref } = machine
  const message = { number: 0, from: undefined, to: ref, ...carried, past: [] }
  return { machine: settledMachine({ ...machine, inbox: [...inbox, message] }, rules.code), message }
}

interface Arrived {
  readonly machine: MachineState
  readonly message: Message
}

function counted(machine: MachineState, { turns }: Rules): MachineState {
  return turns === undefined ? machine : { ...machine, turns: machine.turns + 1 }
}

type Begin = (activity: Activity) => Outcome

interface Beginning {
  readonly machine: MachineState
  /** Undefined: nothing is handled. */
  readonly begin: Begin | undefined
}

function beginning(
  machine: MachineState,
  occasion: Occasion,
  { run, rules }: { readonly run: Run; readonly rules: Rules },
): Beginning {
  switch (occasion.kind) {
    case 'begin': {
      const { argument } = machine
      return { machine: { ...machine, phase: 'begun', argument: null }, begin: (activity) => activity.begin(argument) }
    }
    case 'nothing': {
      const { onNull } = stateOf(machine, rules.code)
      invariant(onNull !== undefined, 'the state does something when nothing can be received')
      return { machine, begin: (activity) => activity.handleNothing(onNull) }
    }
    case 'inbox': {
      const next = nextInInbox(machine, rules.code)
      invariant(next !== undefined, 'there is something in the inbox to take')
      return taking(machine, next)
    }
    case 'goOn': {
      const waits = machine.paused?.waits
      if (waits?.kind !== 'send') return { machine, begin: (activity) => activity.afterPauseBeforeNew() }
      const { to, event, payload } = waits
      run.effects.push({ kind: 'send', to, message: { event, payload } })
      return { machine, begin: (activity) => activity.afterSend() }
    }
    case 'message': {
      const { machine: arrived, message } = withMessage(machine, occasion.message, rules)
      const isTaken = nextInInbox(arrived, rules.code) === message
      return isTaken ? taking(arrived, message) : { machine: arrived, begin: undefined }
    }
  }
}

function taking(machine: MachineState, message: Message): Beginning {
  const { paused, inbox } = machine
  const { payload } = message
  const event = message.event as number
  return {
    machine: { ...machine, inbox: inbox.filter((one) => one !== message) },
    begin: (activity) => (paused === undefined ? activity.handle(event, payload) : activity.receive(event, payload)),
  }
}

interface Worked {
  readonly machine: MachineState
  /** If it chooses. */
  readonly options?: readonly IrValue[]
  readonly violation?: Violation
}

/** What is done to others, written down. */
class Run implements Surroundings {
  readonly blocks: number
  readonly pausesBeforeNew: boolean
  readonly effects: LocalEffect[] = []
  readonly told: Observed[] = []
  readonly #ref: MachineRef
  readonly #rules: Rules
  #created: MachineState['created']

  constructor({ ref, created }: MachineState, rules: Rules) {
    this.blocks = rules.blocks
    this.pausesBeforeNew = rules.delivery.interleaves
    this.#ref = ref
    this.#rules = rules
    this.#created = created
  }

  /** Until the machine is at rest, or has to choose. */
  worked(before: MachineState, begin: Begin, choices: number): Worked {
    const { code } = this.#rules
    const self = this.#ref
    const activity = new Activity(code, { machine: self.machine, self }, this).at(before)
    try {
      const outcome = begin(activity)
      if (outcome === 'halted') return { machine: haltedMachine(before) }
      const machine = restedMachine(before, activity, this.#created, outcome)
      if (!isChoice(outcome)) return { machine: settledMachine(machine, code) }
      this.#rules.choosing.look(choosingMachine({ ref: self, created: this.#created }, activity, outcome), choices)
      return { machine, options: outcome.options }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return { machine: before, violation: machineViolation(error, self.process) }
    }
  }

  send(step: Parameters<Surroundings['send']>[0], environment: Environment): Waits | undefined {
    const { to, event, payload } = sentBy(this.#ref, step, environment, this.#rules.code)
    this.announce(event, payload)
    if (this.#rules.delivery.interleaves) return { kind: 'send', to, event, payload, place: step.place }
    this.effects.push({ kind: 'send', to, message: { event, payload } })
    return undefined
  }

  announce(event: number, payload: IrValue): void {
    const by = this.#ref.machine
    if (isHeard(this.#rules.code, event, by)) this.told.push({ by, event, payload })
  }

  create(step: Parameters<Surroundings['create']>[0], payload: IrValue): MachineRef {
    const { ref, created } = createdBy({ ref: this.#ref, created: this.#created }, step, this.#rules.code)
    this.#created = created
    this.effects.push({ kind: 'create', machine: newMachine(ref, payload, this.#rules) })
    return ref
  }

  entered(): void {}
}
