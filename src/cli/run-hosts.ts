/** Opens and closes the machines that `run` runs here. */
import type { ChosenSystem } from '../check/system.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Violation } from '../core/property.ts'
import type { HostAddress } from '../runtime/address.ts'
import { ControlServer } from '../runtime/control-server.ts'
import { type LogSink, openLog } from '../runtime/log.ts'
import { MachineHost } from '../runtime/machine-host.ts'
import type { RunFlags } from './run-flags.ts'

export interface RunEvents {
  violation(machine: string, violation: Violation): void
  failure(diagnostic: Diagnostic): void
  /** The log has ended, and the machines go on. */
  unlogged(diagnostic: Diagnostic): void
  /** See `HostOptions`. */
  takeOver(machine: string, process: number): void
  /** Somebody asked over the control channel. */
  stop(): void
}

export interface RunningHosts {
  readonly hosts: readonly MachineHost[]
  readonly control: HostAddress | undefined
  stop(): Promise<void>
}

/** All sockets are bound before the first machine starts; if one cannot be, none stays. */
export async function startHosts(
  system: ChosenSystem,
  flags: RunFlags,
  events: RunEvents,
): Promise<Result<RunningHosts>> {
  const opened: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close()
  }
  const refuse = async (diagnostics: readonly Diagnostic[]): Promise<Result<never>> => {
    await close()
    return failure(...diagnostics)
  }
  const log = flags.log === undefined ? success(undefined) : openLog(flags.log, events.unlogged)
  if (!log.ok) return log
  if (log.value !== undefined) opened.push(log.value)
  const hosts: MachineHost[] = []
  for (const machine of flags.one === undefined ? system.machines.machines : [flags.one.machine]) {
    const host = await MachineHost.open(hostOptions(system, flags, { machine, log: log.value, events }))
    if (!host.ok) return await refuse(host.diagnostics)
    opened.push({ close: () => host.value.stop() })
    hosts.push(host.value)
  }
  const control = await controlOf(system, flags, hosts, events)
  if (!control.ok) return await refuse(control.diagnostics)
  if (control.value !== undefined) opened.push(control.value)
  const here = hosts.map((host) => [host.name, host.address] as const)
  const peers = new Map([...flags.peers, ...here])
  for (const host of hosts) host.start(peers)
  return success({ hosts, control: control.value?.address, stop: close })
}

async function controlOf(
  { name: system }: ChosenSystem,
  { control: listen, key }: RunFlags,
  hosts: readonly MachineHost[],
  { stop: onStop }: RunEvents,
): Promise<Result<ControlServer | undefined>> {
  const [host] = hosts
  if (listen === undefined || host === undefined) return success(undefined)
  return await ControlServer.open({ listen, key: key.bytes, system, host, onStop })
}

interface OneMachine {
  readonly machine: string
  readonly log: LogSink | undefined
  readonly events: RunEvents
}

function hostOptions({ name, params, machines }: ChosenSystem, flags: RunFlags, { machine, log, events }: OneMachine) {
  const { transport, one, key, stateFolder, faults, seed, requests } = flags
  return {
    system: name,
    params,
    machines,
    machine,
    transport,
    listen: one?.listen,
    key: key.bytes,
    stateFolder,
    // Shared by all machines here, and closed after the last.
    log: log === undefined ? undefined : { write: (line: never) => log.write(line), close: async () => {} },
    faults,
    seed,
    requests,
    onViolation: (violation: Violation) => events.violation(machine, violation),
    onFailure: (diagnostic: Diagnostic) => events.failure(diagnostic),
    onTakeOver: (process: number) => events.takeOver(machine, process),
  }
}
