/** All machines of a system in this process, each with sockets of its own on the loopback interface. */

import { afterEach } from 'vitest'
import type { Params } from '../../src/core/setting.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Machines } from '../../src/program/machines.ts'
import type { Program } from '../../src/program/program.ts'
import type { HostAddress } from '../../src/runtime/address.ts'
import type { HostOptions } from '../../src/runtime/host-options.ts'
import { MachineHost } from '../../src/runtime/machine-host.ts'

export interface Cluster {
  readonly machines: Machines
  host(name: string): MachineHost
  readonly peers: ReadonlyMap<string, HostAddress>
}

const running: MachineHost[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.stop()))
})

export type ClusterOptions = Partial<Omit<HostOptions, 'machine' | 'machines' | 'system'>>

export function machinesIn(program: Program, params: Params = {}): Machines {
  const view = program.views.machines
  if (view === undefined) throw new Error('the program has no machines')
  return view(
    settingFrom({ params: { ...program.params, ...params }, network: program.network, faults: program.faults ?? {} }),
  )
}

export async function opened(options: HostOptions): Promise<MachineHost> {
  const host = await MachineHost.open(options)
  if (!host.ok) throw new Error(JSON.stringify(host.diagnostics))
  running.push(host.value)
  return host.value
}

/** Where it was before: somebody else may have been given a port that was free for a moment. */
export async function openedAgain(options: HostOptions): Promise<MachineHost> {
  for (;;) {
    const host = await MachineHost.open(options)
    if (host.ok) running.push(host.value)
    if (host.ok) return host.value
    if (!host.diagnostics.some(({ message }) => message.includes('in use')))
      throw new Error(JSON.stringify(host.diagnostics))
  }
}

export async function cluster(program: Program, options: ClusterOptions = {}, params: Params = {}): Promise<Cluster> {
  const machines = machinesIn(program, params)
  const hosts = new Map<string, MachineHost>()
  for (const machine of machines.machines) {
    hosts.set(machine, await opened({ ...options, system: program.name, machines, machine }))
  }
  const peers = new Map([...hosts].map(([name, host]) => [name, host.address]))
  for (const host of hosts.values()) host.start(peers)
  return { machines, peers, host: (name) => hosts.get(name) as MachineHost }
}

/** Waits until it is so; that it never becomes so is for the time limit of the test to say. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

export function dataOf<Data>(host: MachineHost): Data {
  return host.state.data as unknown as Data
}
