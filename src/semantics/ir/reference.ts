/**
 * From decisions of processes that an IR program was made into back to decisions of the program. The processes are run again to see which turns
 * they take; turns are then taken one by one in the reference semantics, each where monitors learn of it, or else where it has chosen.
 */
import { invariant } from '../../core/invariant.ts'
import { Operation, type SpawnDetail } from '../../core/operation.ts'
import { running } from '../../core/running.ts'
import type { Setting } from '../../core/setting.ts'
import type { Decision } from '../../core/trace.ts'
import type { Address } from '../../core/value.ts'
import type { Ir } from '../../ir/ir.ts'
import type { Paths } from '../../program/path.ts'
import type { Reference, Runnable } from '../../program/program.ts'
import { ViolatedError } from '../violated-error.ts'
import type { Carried } from './local-turn.ts'
import { isAboutLiveness } from './monitors.ts'
import type { Rules } from './moves.ts'
import { hasReceives, irPaths } from './paths.ts'
import { isNextTurn } from './process-operations.ts'
import { type RetracedStep, retraced } from './retraced.ts'
import type { MachineRef } from './value.ts'

/** What the processes know of each other. */
interface Known {
  readonly rules: Rules
  /** The machine that a process is; undefined: it is none. */
  machineOf(id: string): MachineRef | undefined
  /** Undefined: it is no message of a machine to another. */
  carriedBy(text: string): Carried | undefined
}

interface Origin {
  readonly ir: Ir
  readonly setting: Setting
  readonly main: Runnable['main']
  readonly processes: Known
  /** The process that learns of turns in the order in which they are taken. */
  readonly monitors: string
}

export function irReference(origin: Origin): Reference {
  const { ir, setting, processes } = origin
  const { rules } = processes
  const decisions = (own: readonly Decision[]): readonly Decision[] =>
    retraced(new Rerun(origin).turns(own), rules).decisions
  let paths: Paths | undefined
  return {
    decisions,
    judgesEndings:
      rules.turns !== undefined || hasReceives(ir) || ir.monitors.some((one) => isAboutLiveness(one, rules.code)),
    ending(own) {
      paths ??= irPaths(ir, setting)
      const path = paths.begin()
      for (const decision of decisions(own)) path.take(decision)
      invariant(path.enabled().length === 0, 'an execution of the processes has ended where the program has')
      return { isBlocked: path.isBlocked(), violations: path.violations() }
    },
  }
}

interface Turn {
  readonly step: RetracedStep & { readonly choices: number[] }
  /** Where it is taken, among the decisions. */
  at: number
  /** Whether it has been told to others, so that its place is known. */
  isTold: boolean
}

interface Process {
  readonly id: string
  readonly generator: Iterator<unknown, unknown, unknown>
  readonly machine: MachineRef | undefined
  /** Undefined: it has ended. */
  pending: Operation | undefined
  /** The one under way, or the last one. */
  turn: Turn | undefined
}

interface Sent {
  readonly from: Process
  readonly text: string
}

class Rerun {
  readonly #origin: Origin
  readonly #processes = new Map<string, Process>()
  readonly #sent: Sent[] = []
  readonly #turns: Turn[] = []

  constructor(origin: Origin) {
    this.#origin = origin
    this.#begin('main', origin.main.body, origin.main.args)
  }

  turns(decisions: readonly Decision[]): readonly RetracedStep[] {
    for (const [at, decision] of decisions.entries()) this.#take(decision, at)
    // Equal places are those of one process, in order.
    return this.#turns.sort((left, right) => left.at - right.at).map(({ step }) => step)
  }

  #begin(id: string, body: Runnable['main']['body'], args: readonly unknown[]): void {
    const generator = body(...args) as Iterator<unknown, unknown, unknown>
    const machine = this.#origin.processes.machineOf(id)
    const process = { id, generator, machine, pending: undefined, turn: undefined }
    this.#processes.set(id, process)
    this.#resume(process, undefined)
  }

  #resume(process: Process, answer: unknown): void {
    const before = running.process
    running.process = process.id
    try {
      const asked = process.generator.next(answer)
      process.pending = asked instanceof Operation ? asked : undefined
    } catch (error) {
      if (!(error instanceof ViolatedError)) throw error
      process.pending = undefined
    } finally {
      running.process = before
    }
  }

  #take(decision: Decision, at: number): void {
    const process = this.#processes.get(decision.process)
    const operation = process?.pending
    invariant(process !== undefined && operation !== undefined, 'a process that decides is there')
    switch (operation.kind) {
      case 'send':
        return this.#send(process, operation, at)
      case 'spawn': {
        const { id, body, args } = operation.detail as SpawnDetail
        if (this.#origin.processes.rules.delivery.interleaves) tell(process, at)
        this.#begin(id as string, body, args)
        return this.#resume(process, undefined)
      }
      case 'choose':
        return this.#choose(process, decision, at)
      default:
        return this.#receive(process, decision, at)
    }
  }

  #send(process: Process, { target, payload }: Operation, at: number): void {
    const { processes, monitors } = this.#origin
    this.#sent.push({ from: process, text: payload as string })
    if (processes.rules.delivery.interleaves || (target as Address).id === monitors) tell(process, at)
    this.#resume(process, undefined)
  }

  #choose(process: Process, decision: Decision, at: number): void {
    const option = decision.kind === 'choose' ? decision.option : 0
    if (isNextTurn(process.pending as Operation)) this.#turn(process, at)
    else if (process.turn !== undefined) {
      process.turn.step.choices.push(option)
      process.turn.at = at
    }
    this.#resume(process, option)
  }

  /** Where others come between, messages that arrive are nobody's turn. */
  #receive(process: Process, decision: Decision, at: number): void {
    const sent = decision.kind === 'deliver' ? this.#sent[decision.message] : undefined
    const { processes } = this.#origin
    if (process.machine !== undefined && !processes.rules.delivery.interleaves) this.#turn(process, at, sent)
    this.#resume(process, sent?.text)
  }

  #turn(process: Process, at: number, sent?: Sent): void {
    const { machine } = process
    invariant(machine !== undefined, 'machines take turns')
    const message = sent && this.#origin.processes.carriedBy(sent.text)
    const from = message && sent?.from.machine
    process.turn = { step: { machine, from, message, choices: [] }, at, isTold: false }
    this.#turns.push(process.turn)
  }
}

/** The first time that others learn of a turn is when it is taken. */
function tell({ turn }: Process, at: number): void {
  if (turn === undefined || turn.isTold) return
  turn.at = at
  turn.isTold = true
}
