/** Monitors: told at once what machines send and announce, one after the other; each goes as far as it gets before anything else. */

import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { OwnError } from '../../core/own-error.ts'
import type { Violation } from '../../core/property.ts'
import type { IrMachine, IrMonitor, IrState } from '../../ir/ir.ts'
import { Activity, type Surroundings } from './activity.ts'
import type { Code } from './code.ts'
import type { MonitorState } from './configuration.ts'
import { Failed } from './failed.ts'
import { monitorViolation } from './ir-violations.ts'
import type { IrValue } from './value.ts'

/** Carries what a monitor found out of the machine that was about to send. */
export class Broken extends OwnError {
  override readonly name = 'Broken'
  readonly violation: Violation

  constructor(violation: Violation) {
    super(violation.message)
    this.violation = violation
  }
}

interface Limits {
  readonly code: Code
  readonly blocks: number
  /** Is told what monitors do, if somebody asks. */
  readonly witness?: MonitorWitness | undefined
}

export interface MonitorWitness {
  observed(monitor: string): void
  entered(monitor: string, state: IrState): void
  printed(monitor: string, text: string, place: Place): void
}

interface Told {
  /** Which machine says it, by its place in the program. */
  readonly by: number
  readonly event: number
  readonly payload: IrValue
}

/** As they are before the first machine begins. Throws what is broken by then. */
export function begunMonitors(limits: Limits): readonly MonitorState[] {
  const { code } = limits
  return code.ir.monitors.map((monitor) => {
    const { start } = machineOf(monitor, code)
    const fields = code.machines[monitor.machine]?.fields ?? []
    const before = { state: start, fields, wasHot: false, wasCold: false }
    return worked(monitor, before, { ...limits, work: (activity) => activity.begin(null) })
  })
}

export function toldMonitors(
  states: readonly MonitorState[],
  { by, event, payload }: Told,
  limits: Limits,
): readonly MonitorState[] {
  const { code } = limits
  return states.map((state, at) => {
    const monitor = code.ir.monitors[at] as IrMonitor
    const isTold = monitor.over.includes(by) && machineOf(monitor, code).observes.includes(event)
    if (isTold) code.coverage?.told(monitor.machine)
    return isTold ? worked(monitor, state, { ...limits, work: (activity) => activity.handle(event, payload) }) : state
  })
}

/** A decision begins: what happened before is of no account, but the state that it left. */
export function afterDecision(states: readonly MonitorState[], code: Code): readonly MonitorState[] {
  return states.map((state, at) => {
    const [wasHot, wasCold] = temperatures(code.ir.monitors[at] as IrMonitor, state.state, code)
    return wasHot === state.wasHot && wasCold === state.wasCold ? state : { ...state, wasHot, wasCold }
  })
}

function machineOf({ machine }: IrMonitor, { ir }: Code): IrMachine {
  return ir.machines[machine] as IrMachine
}

/** Whether executions without end are judged by it. */
export function isAboutLiveness(monitor: IrMonitor, code: Code): boolean {
  const { kind, states } = machineOf(monitor, code)
  return kind === 'monitor' && states.some(({ temperature }) => temperature === 'hot')
}

/** Hot and cold count only where it is asked for both, so that states that differ in nothing else are one. */
function temperatures(monitor: IrMonitor, state: number, code: Code): readonly [isHot: boolean, isCold: boolean] {
  if (!isAboutLiveness(monitor, code)) return [false, false]
  const temperature = machineOf(monitor, code).states[state]?.temperature
  return [temperature === 'hot', temperature === 'cold']
}

function worked(
  monitor: IrMonitor,
  before: MonitorState,
  { code, blocks, witness: anybody, work }: Limits & { readonly work: (activity: Activity) => unknown },
): MonitorState {
  let { wasHot, wasCold } = before
  const { kind, name, states } = machineOf(monitor, code)
  // What scenarios have seen is told by whether they are covered.
  const witness = kind === 'monitor' ? anybody : undefined
  witness?.observed(name)
  const around: Surroundings = {
    blocks,
    pausesBeforeNew: false,
    send: () => invariant(false, 'a monitor sends nothing') as never,
    announce: () => invariant(false, 'a monitor announces nothing'),
    create: () => invariant(false, 'a monitor creates nothing') as never,
    entered(state) {
      const [isHot, isCold] = temperatures(monitor, state, code)
      wasHot ||= isHot
      wasCold ||= isCold
      witness?.entered(name, states[state] as IrState)
    },
    print: (text, place) => witness?.printed(name, text, place),
  }
  const activity = new Activity(code, { machine: monitor.machine, self: null }, around)
  activity.at({ state: before.state, fields: before.fields, paused: undefined })
  try {
    const outcome = work(activity)
    invariant(outcome === 'done', 'a monitor neither chooses nor receives')
  } catch (error) {
    throw error instanceof Failed ? new Broken(monitorViolation(error, name)) : error
  }
  return { state: activity.state, fields: activity.fields, wasHot, wasCold }
}
