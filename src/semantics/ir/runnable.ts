/**
 * An IR program as processes that are told what happens one by one. Every machine is a process: it waits for a message, chooses, and then does to others what
 * its turn does (`local-turn.ts`). Nobody sees what lies between the parts of a turn, so the executions are those of the reference
 * semantics, up to the order of turns that have nothing to do with each other. Four things make that exact:
 * - what a turn does happens after all it chooses and only if it does not fail, because a turn that fails ends the execution;
 * - a creation is a message that the created machine waits for, as it is there (`delivery.ts`);
 * - monitors are one process. Each turn that they are told of sends it one message, over a network that keeps the order of sending; so every
 *   order in which they may be told is one class of executions. What fails is told to it as well: after a monitor has found something,
 *   nothing else is found;
 * - a machine has no end, but a halted one has: what is sent to it makes room for what comes behind (`Reference`).
 *
 * With `mailbox` a turn is also told to others in the middle of handlers, and then monitors would have to be told together with the send.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Operation } from '../../core/operation.ts'
import type { IrView, Runnable } from '../../program/program.ts'
import type { CalledByEvents } from '../../program/refinement.ts'
import { ViolatedError } from '../violated-error.ts'
import type { MachineState, MonitorState } from './configuration.ts'
import { firstConfiguration } from './first-configuration.ts'
import { type Carried, type LocalTurn, localTurn, type Occasion, withMessage } from './local-turn.ts'
import { Broken, begunMonitors, toldMonitors } from './monitors.ts'
import { nextInInbox, type Rules, stateOf } from './moves.ts'
import { irRules } from './paths.ts'
import { choosing, nextTurn, receiving, sending, spawning, stopping } from './process-operations.ts'
import { irReference } from './reference.ts'
import { keyOf, type MachineRef } from './value.ts'

/** A machine that does more than this in one execution is taken for unbounded. */
const defaultMaxSteps = 1_000

export function irRunnable({ program: ir, setting, witness, refines = [] }: IrView): Runnable {
  const [refined] = refines
  if (refined !== undefined) throw new DiagnosticError(uncalled(refined))
  const rules = irRules(ir, setting, { witness })
  refuseInexact(rules)
  const subject = new IrProcesses(rules)
  const main = { body: first, args: [subject] }
  return {
    main,
    monitors: [],
    network: setting.network,
    properties: [],
    maxSteps: defaultMaxSteps,
    // What a machine may do is bounded by its turns, which it counts itself.
    boundedByUser: false,
    endlessHint:
      'this engine follows every execution to its end: --engine stateful remembers states instead, and --max-steps n is a bound',
    reference: irReference({ ir, setting, main, processes: subject, monitors: monitorsId }),
  }
}

function uncalled({ object: { name } }: CalledByEvents): Diagnostic {
  return {
    code: 'E309',
    message: `of P programs this engine does not decide whether they refine a specification, such as "${name}"`,
    hint: 'use --engine stateful, exhaustive, random or pct',
  }
}

function refuseInexact({ code: { ir }, delivery }: Rules): void {
  if (!delivery.interleaves) return
  const [monitor] = ir.monitors.map(({ machine }) => ir.machines[machine])
  if (monitor !== undefined)
    throw new DiagnosticError(inexact(`the monitor ${monitor.name}, which sees every send where it is made`, monitor))
  const restless = ir.machines.flatMap(({ states }) => states).find(({ onNull }) => onNull !== undefined)
  if (restless !== undefined)
    throw new DiagnosticError(inexact(`what state ${restless.name} does when its inbox is empty`, restless))
}

function inexact(what: string, { place }: Pick<Diagnostic, 'place'>): Diagnostic {
  return {
    code: 'E309',
    message: `on "mailbox" this engine does not see ${what}`,
    hint: 'use another network, or --engine stateful, exhaustive, random or pct',
    place,
  }
}

/** What all processes of a program share; none of it changes what they do. */
class IrProcesses {
  readonly rules: Rules
  readonly hasMonitors: boolean
  readonly #messages = new Map<string, Carried>()
  readonly #notices = new Map<string, Notice>()
  readonly #refs = new Map<string, MachineRef>()

  constructor(rules: Rules) {
    this.rules = rules
    this.hasMonitors = rules.code.ir.monitors.length > 0
  }

  /** The process of a machine. No machine has a space in its name. */
  idOf(ref: MachineRef): string {
    const id = ref.process === 'main' ? 'the machine main' : ref.process
    this.#refs.set(id, ref)
    return id
  }

  /** Undefined: this process is none of a machine. */
  machineOf(id: string): MachineRef | undefined {
    return this.#refs.get(id)
  }

  /** Messages are texts, so that equal ones are seen to be equal. */
  textOf(message: Carried): string {
    const text = `${message.event}(${keyOf(message.payload)})`
    if (!this.#messages.has(text)) this.#messages.set(text, message)
    return text
  }

  /** Undefined: it is no message of a machine to another. */
  carriedBy(text: string): Carried | undefined {
    return this.#messages.get(text)
  }

  noticeText(notice: Notice): string {
    const told = notice.told.map(({ by, event, payload }) => `${by}:${event}(${keyOf(payload)})`).join(' ')
    const text = `${told}|${notice.violation === undefined ? '' : JSON.stringify(notice.violation)}`
    if (!this.#notices.has(text)) this.#notices.set(text, notice)
    return text
  }

  noticeIn(text: string): Notice {
    return this.#notices.get(text) as Notice
  }
}

/** What the process of the monitors learns of one turn. */
type Notice = Pick<LocalTurn, 'told' | 'violation'>

type Steps<Result = void> = Generator<unknown, Result, unknown>

/** No machine has a space in its name. */
const monitorsId = 'the monitors'
const creation = 'created'

function* first(processes: IrProcesses): Steps {
  const { configuration } = firstConfiguration(processes.rules)
  if (processes.hasMonitors) yield* spawning({ id: monitorsId, body: monitorsBody, args: [processes] })
  for (const machine of configuration.machines.values()) yield* spawningMachine(processes, machine, 'first')
}

function spawningMachine(processes: IrProcesses, machine: MachineState, isFirst?: 'first'): Operation {
  return spawning({ id: processes.idOf(machine.ref), body: machineBody, args: [processes, machine, isFirst] })
}

function* monitorsBody(processes: IrProcesses): Steps {
  const { rules } = processes
  let states = unbroken(() => begunMonitors(rules))
  for (;;) {
    const { told, violation } = processes.noticeIn((yield* receiving('receive')) as string)
    states = unbroken(() => told.reduce((before, one) => toldMonitors(before, one, rules), states))
    if (violation !== undefined) throw new ViolatedError(violation)
  }
}

function unbroken(told: () => readonly MonitorState[]): readonly MonitorState[] {
  try {
    return told()
  } catch (error) {
    throw error instanceof Broken ? new ViolatedError(error.violation) : error
  }
}

function* machineBody(processes: IrProcesses, created: MachineState, isFirst: 'first' | undefined): Steps {
  const { delivery, turns } = processes.rules
  if (isFirst === undefined && !delivery.interleaves) yield* receiving('receive', itsCreation)
  else yield* nextTurn()
  let machine = yield* turn(processes, created, { kind: 'begin' })
  while (machine.phase !== 'halted') {
    if (turns !== undefined && machine.turns >= turns) yield* stopping()
    const next = yield* occasionFor(processes, machine)
    machine = yield* turn(processes, next.machine, next.occasion)
  }
}

const itsCreation = { waitsFor: 'its creation', takes: (message: unknown): boolean => message === creation }

/** Until it is the machine's turn. Messages that it does not take have come by then on `mailbox`, where they come by themselves. */
function* occasionFor(
  processes: IrProcesses,
  before: MachineState,
): Steps<{ readonly machine: MachineState; readonly occasion: Occasion }> {
  const { rules } = processes
  const { code, delivery } = rules
  let machine = before
  const received = function* (): Steps<Carried> {
    return processes.carriedBy((yield* receiving('receive')) as string) as Carried
  }
  const waits = machine.paused?.waits.kind
  const isInterrupted = waits === 'send' || waits === 'new'
  if (delivery.interleaves && !isInterrupted)
    while (nextInInbox(machine, code) === undefined) ({ machine } = withMessage(machine, yield* received(), rules))
  if (isInterrupted || nextInInbox(machine, code) !== undefined) {
    yield* nextTurn()
    return { machine, occasion: { kind: isInterrupted ? 'goOn' : 'inbox' } }
  }
  const isRestless = machine.paused === undefined && stateOf(machine, code).onNull !== undefined
  if (!isRestless) return { machine, occasion: { kind: 'message', message: yield* received() } }
  const text = (yield* receiving('poll')) as string | undefined
  const message = text === undefined ? undefined : processes.carriedBy(text)
  return { machine, occasion: message === undefined ? { kind: 'nothing' } : { kind: 'message', message } }
}

/** All that it chooses, then what others learn of it. */
function* turn(processes: IrProcesses, before: MachineState, occasion: Occasion): Steps<MachineState> {
  const work = localTurn(before, occasion, processes.rules)
  let worked = work.next()
  while (worked.done !== true) worked = work.next((yield* choosing(worked.value.length)) as number)
  const { machine, effects, told, violation } = worked.value
  const isTold = processes.hasMonitors && (told.length > 0 || violation !== undefined)
  if (isTold) yield* sending(monitorsId, processes.noticeText({ told, violation }), 'mailbox')
  if (violation !== undefined) {
    if (!isTold) throw new ViolatedError(violation)
    yield* stopping()
  }
  for (const effect of effects) {
    if (effect.kind === 'send') yield* sending(processes.idOf(effect.to), processes.textOf(effect.message))
    else {
      yield* spawningMachine(processes, effect.machine)
      if (!processes.rules.delivery.interleaves) yield* sending(processes.idOf(effect.machine.ref), creation)
    }
  }
  return machine
}
