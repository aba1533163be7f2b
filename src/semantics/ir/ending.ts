/** Executions in which nothing more can happen: how machines ended, and what is wrong with that. */
import type { EndedProcess, Ending, ProcessStatus, Resting, Violation, Waiting } from '../../core/property.ts'
import type { IrMachine } from '../../ir/ir.ts'
import type { Code } from './code.ts'
import type { Configuration, MachineState } from './configuration.ts'
import { stateOf } from './moves.ts'
import { eventName, messageText } from './typed-value.ts'

export function endingOf(configuration: Configuration, code: Code, stopped: readonly MachineState[]): Ending {
  const failed = configuration.violation?.process
  return {
    processes: [...configuration.machines.values()].map((machine): EndedProcess => {
      const waiting = waitingIn(machine, configuration, code)
      const isFailed = machine.ref.process === failed
      const status = isFailed ? 'failed' : stopped.includes(machine) ? 'stopped' : statusOf(machine)
      // A machine is there for whoever may need it, unless it waits for something in particular.
      const resting =
        status === 'waiting' && waiting === undefined ? restingIn(machine, configuration, code) : undefined
      return { id: machine.ref.process, daemon: waiting === undefined, status, value: undefined, waiting, resting }
    }),
  }
}

function statusOf({ phase }: MachineState): ProcessStatus {
  return phase === 'halted' ? 'returned' : 'waiting'
}

function restingIn(machine: MachineState, { underWay }: Configuration, code: Code): Resting | undefined {
  if (machine.phase !== 'begun') return undefined
  const { name, handlers } = stateOf(machine, code)
  const held = [...machine.inbox, ...underWay.filter(({ to }) => to === machine.ref)]
  const deferred = held.flatMap(({ event, payload }) =>
    event !== undefined && handlers.get(event)?.kind === 'defer' ? [messageText(event, payload, code.ir)] : [],
  )
  return { inState: name, deferred }
}

/** Of a machine that waits in the middle of a handler. */
function waitingIn(machine: MachineState, { underWay }: Configuration, code: Code): Waiting | undefined {
  const waits = machine.paused?.waits
  if (waits?.kind !== 'receive') return undefined
  const { ref, inbox } = machine
  const heldBack = underWay.filter(({ to, event }) => to === ref && event !== undefined && waits.events.includes(event))
  const text = ({ event, payload }: MachineState['inbox'][number]): string =>
    messageText(event as number, payload, code.ir)
  return {
    process: ref.process,
    inState: stateOf(machine, code).name,
    forWhat: waits.events.map((event) => eventName(event, code.ir)).join(' or '),
    inbox: inbox.map(text),
    ...(heldBack.length === 0 ? {} : { heldBack: heldBack.map(text) }),
    place: waits.place,
  }
}

/** Machines that wait in the middle of a handler, and monitors that ask for more. */
export function endViolations(configuration: Configuration, code: Code, allowsWaiting: boolean): readonly Violation[] {
  const found = allowsWaiting ? undefined : deadlock(configuration, code)
  return [...(found === undefined ? [] : [found]), ...hotMonitors(configuration, code)]
}

function deadlock(configuration: Configuration, code: Code): Violation | undefined {
  const waiting = [...configuration.machines.values()].flatMap((machine) => {
    const found = waitingIn(machine, configuration, code)
    return found === undefined ? [] : [found]
  })
  if (waiting.length === 0) return undefined
  // Sorted, because the order of machines depends on the interleaving.
  waiting.sort((left, right) => (left.process < right.process ? -1 : 1))
  const message = waiting
    .map(({ process, forWhat, inState }) => `${process} waits for ${forWhat} in state ${inState}`)
    .join('; ')
  return {
    kind: 'deadlock',
    property: 'no deadlock',
    message,
    waiting,
    place: waiting[0]?.place,
  }
}

function hotMonitors({ monitors }: Configuration, { ir }: Code): readonly Violation[] {
  return monitors.flatMap((monitor, at) => {
    const { kind, name, states } = ir.machines[ir.monitors[at]?.machine ?? -1] as IrMachine
    const state = states[monitor.state]
    if (kind !== 'monitor' || state?.temperature !== 'hot') return []
    const message = `${name}: in hot state ${state.name} when nothing more can happen`
    return [{ kind: 'liveness', property: name, message, process: name, place: state.place }]
  })
}
