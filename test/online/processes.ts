/** Machines and checkers in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { Ajv } from 'ajv'
import { afterEach, beforeEach } from 'vitest'
import { keyIn } from '../../src/cli/key-file.ts'
import { addressText, type HostAddress, parseAddress } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { reservedPorts } from '../reserved-ports.ts'

export const logSystem = resolve('test/online/fixtures/log.check.ts')

let folder = ''
const children: ChildProcess[] = []
const relays: Relay[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-online-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const relay of relays.splice(0)) relay.cut()
  rmSync(folder, { recursive: true, force: true })
})

export function inFolder(name: string): string {
  return join(folder, name)
}

export interface Started {
  readonly child: ChildProcess
  readonly text: { stdout: string; stderr: string }
  /** Waits for its end. */
  ended(): Promise<number | null>
}

export function allways(...argv: readonly string[]): Started {
  const child = spawn(execPath, [resolve('bin/allways.mjs'), ...argv], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const text = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (more: string) => (text.stdout += more))
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text.stderr += more))
  const exit = once(child, 'close')
  return { child, text, ended: async () => (await exit)[0] as number | null }
}

/** Waits until it is so; that it never becomes so is for the time limit of the test to say. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((next) => setTimeout(next, 10))
}

export interface RunningMachine extends Started {
  readonly control: HostAddress
}

export interface SystemToRun {
  readonly file: string
  /** The name, in a file that exports several. */
  readonly name?: string
  readonly machines: readonly string[]
  /** Of all machines, and of some. */
  readonly flags: readonly string[]
  readonly own?: Readonly<Record<string, readonly string[]>>
}

/** Every machine in a process of its own, over datagrams of the loopback interface. */
export class RunningSystem {
  readonly #system: SystemToRun
  readonly #peers: string
  readonly #controls: readonly number[]
  readonly #machines = new Map<string, RunningMachine>()

  static async start(system: SystemToRun): Promise<RunningSystem> {
    const ports = await reservedPorts(system.machines.length, 'udp')
    const peers = system.machines.map((name, at) => `${name}=127.0.0.1:${ports[at]}`).join()
    const running = new RunningSystem(system, peers, await reservedPorts(system.machines.length, 'tcp'))
    await Promise.all(system.machines.map((machine) => running.begin(machine)))
    return running
  }

  private constructor(system: SystemToRun, peers: string, controls: readonly number[]) {
    this.#system = system
    this.#peers = peers
    this.#controls = controls
  }

  machine(name: string): RunningMachine {
    return this.#machines.get(name) as RunningMachine
  }

  /** All control channels, for `--attach`. */
  get controls(): string {
    return this.#system.machines.map((name) => addressText(this.machine(name).control)).join()
  }

  /** Starts it, or starts it again where it was, control channel included. */
  async begin(machine: string): Promise<void> {
    const { file, name, machines, flags, own = {} } = this.#system
    const control = `127.0.0.1:${this.#controls[machines.indexOf(machine)]}`
    const named = name === undefined ? [] : ['-t', name]
    const at = ['--as', machine, '--peers', this.#peers, '--control', control]
    const started = allways('run', file, ...named, ...at, ...flags, ...(own[machine] ?? []))
    this.#machines.set(machine, { ...started, control: await controlOf(started) })
  }

  /** Without notice. */
  async kill(machine: string): Promise<void> {
    const { child, ended } = this.machine(machine)
    child.kill('SIGKILL')
    await ended()
  }
}

/** The three replicas of the log; the right one makes no requests of its own. */
export async function startLog(
  flags: readonly string[],
): Promise<Readonly<Record<'left' | 'middle' | 'right', RunningMachine>>> {
  const machines = ['left', 'middle', 'right']
  const running = await RunningSystem.start({ file: logSystem, machines, flags, own: { right: ['--no-requests'] } })
  return { left: running.machine('left'), middle: running.machine('middle'), right: running.machine('right') }
}

async function controlOf({ child, text }: Started): Promise<HostAddress> {
  await until(() => {
    if (child.exitCode !== null) throw new Error(`ended early: ${text.stderr}`)
    return text.stderr.includes('control is at ')
  })
  const parsed = parseAddress(/control is at (\S+)\n/.exec(text.stderr)?.[1] ?? '', 'control')
  if (!parsed.ok) throw new Error(text.stderr)
  return parsed.value
}

export async function connected(address: HostAddress): Promise<ControlClient> {
  const key = keyIn(undefined, folder)
  if (!key.ok) throw new Error(JSON.stringify(key.diagnostics))
  const client = await ControlClient.connect(address, key.value.bytes)
  if (!client.ok) throw new Error(JSON.stringify(client.diagnostics))
  return client.value
}

export interface Line {
  readonly kind: string
  readonly [field: string]: unknown
}

const schema = JSON.parse(readFileSync(resolve('schema/allways-online-1.json'), 'utf8')) as object
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema)

/** Every line is as the schema says, or this throws. */
export function linesOf(stdout: string): readonly Line[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => {
      const line = JSON.parse(text) as Line
      if (!validate(line)) throw new Error(`${text}\n${JSON.stringify(validate.errors)}`)
      return line
    })
}

/** A stand-in for the network between checker and machine, which can be cut and overheard. */
export class Relay {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  /** What the checker says is told to whoever listens. */
  static async open(to: HostAddress, port: number, hear: (said: string) => void = () => {}): Promise<Relay> {
    const sockets = new Set<Socket>()
    const server = createServer((near) => {
      const far = connect(to)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far).pipe(near)
      near.on('data', (bytes: Buffer) => hear(bytes.toString()))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const relay = new Relay(server, sockets)
    relays.push(relay)
    return relay
  }

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.port = (server.address() as AddressInfo).port
  }

  cut(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
