/** How to run a machine, and what cannot be run. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { NetworkName } from '../core/operation.ts'
import type { Violation } from '../core/property.ts'
import type { Params } from '../core/setting.ts'
import type { MachineEvent, Machines } from '../program/machines.ts'
import type { HostAddress } from './address.ts'
import type { FaultOptions } from './faults.ts'
import type { LogSink } from './log.ts'
import type { TransportName } from './transport.ts'

export interface HostOptions {
  readonly system: string
  readonly params?: Params | undefined
  readonly machines: Machines
  /** Its name. */
  readonly machine: string
  readonly transport?: TransportName | undefined
  /** Any port of the loopback interface, unless told otherwise. */
  readonly listen?: HostAddress | undefined
  /** Shared by all machines; without it every message that reaches the port is believed. */
  readonly key?: Buffer | undefined
  /** Of a message, in bytes. */
  readonly messageLimit?: number | undefined
  /** Where what is durable is kept; without it a crash forgets everything. */
  readonly stateFolder?: string | undefined
  readonly log?: LogSink | undefined
  readonly faults?: FaultOptions | undefined
  /** Of faults and choices. */
  readonly seed?: number | undefined
  /** Whether to make the requests that the system declares, each after a pause of up to so many milliseconds. */
  readonly requests?: { readonly mostMilliseconds: number } | undefined
  /** How long a snapshot waits for messages that were sent before it. */
  readonly graceMilliseconds?: number | undefined
  /** How long a snapshot waits for other machines. */
  readonly patienceMilliseconds?: number | undefined
  /** A handler failed. The event is dropped: the state is the one before, and nothing was sent. */
  readonly onViolation?: ((violation: Violation, event: MachineEvent) => void) | undefined
  /** A process that ended without a word had the state; the machine goes on from there. */
  readonly onTakeOver?: ((process: number) => void) | undefined
  /** The machine has stopped, because it could not keep its state. */
  readonly onFailure?: ((diagnostic: Diagnostic) => void) | undefined
}

/** What a snapshot's identity has room for. */
export const mostMachines = 1024

export function optionMistake(options: HostOptions): Diagnostic | undefined {
  const { length } = options.machines.machines
  if (length > mostMachines)
    return {
      code: 'E606',
      message: `system "${options.system}" has ${length} machines, and ${mostMachines} can be run`,
      hint: 'run it with smaller parameters',
    }
  if (isByActions(options)) return byActions(options)
  return options.machines.machines.includes(options.machine) ? orderMismatch(options) : unknownMachine(options)
}

function isByActions({ machines }: HostOptions): boolean {
  return machines.start.states.some((state, machine) =>
    machines.internal(machine, state).some((event) => event.kind === 'timer' && event.isAction === true),
  )
}

/** Which of its actions happens, only a check can choose. */
function byActions({ system }: HostOptions): Diagnostic {
  return {
    code: 'E606',
    message: `system "${system}" has a machine that is declared by its actions, and nobody chooses among them where it runs`,
    hint: 'run machines with handlers; actions are for checks',
  }
}

function unknownMachine({ machine, machines, system }: HostOptions): Diagnostic {
  return {
    code: 'E606',
    message: `system "${system}" has no machine "${machine}"`,
    hint: `machines are ${machines.machines.map((name) => `"${name}"`).join(', ')}`,
  }
}

const keptBy: { readonly [name in NetworkName]?: readonly TransportName[] } = { bag: ['udp', 'tcp'], fifo: ['tcp'] }

/** Running under weaker promises than were checked would make the check worthless. */
function orderMismatch({ machines, transport, system }: HostOptions): Diagnostic | undefined {
  const keeping = keptBy[machines.network]
  if (keeping === undefined)
    return {
      code: 'E606',
      message: `system "${system}" relies on the network "${machines.network}", and no transport keeps that much order`,
      hint: 'check the system with network: "fifo" and run it over TCP, or with network: "bag"',
    }
  if (keeping.includes(transport ?? 'udp')) return undefined
  return {
    code: 'E606',
    message: `system "${system}" relies on messages between two machines keeping their order, and UDP does not keep it`,
    hint: 'use TCP, or check the system with network: "bag"',
  }
}
