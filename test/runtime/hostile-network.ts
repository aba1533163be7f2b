/**
 * Two machines that play ping-pong, with a control channel, under attack: over datagrams and streams, with and without a key. After
 * every batch the game must go on and the control channel must answer those who have its key; at the end memory is what it was.
 */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { orThrow } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { anyLoopbackPort, type HostAddress } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { ControlServer } from '../../src/runtime/control-server.ts'
import type { CounterName } from '../../src/runtime/counters.ts'
import { MachineHost } from '../../src/runtime/machine-host.ts'
import type { TransportName } from '../../src/runtime/transport.ts'
import { connectionAttacks, hostileConnection, rogueAnswers, rogueServer } from './hostile-connections.ts'
import { frameAttacks, hostileFrame, type Victim } from './hostile-frames.ts'
import { pingPong } from './systems.ts'

export interface NetworkTally {
  frames: number
  connections: number
  rogueServers: number
  /** Requests of real peers that were answered, each after a batch of attacks. */
  served: number
  /** Megabytes: at the beginning of the attacks, at their end, and the most there was. In a thread, resident is what is outside its heap. */
  heap: readonly [number, number]
  resident: readonly [number, number]
  mostResident: number
  /** By reason, of both machines. */
  refused: Partial<Record<CounterName, number>>
}

export interface SoakOptions {
  /** How many frames, connections and servers. */
  readonly programs: number
  readonly seed: number
}

const secret = Buffer.from('a secret of sixteen bytes or more')
const frameBatch = 250
const connectionBatch = 40
/** Longer than any answer takes, on a computer that does other things as well. */
const patience = 60_000
/** Generous: what is compared is a leak of one frame in a hundred with nothing. */
const mostGrown = { heap: 32, resident: 256 }

const settings: readonly { readonly transport: TransportName; readonly hasKey: boolean }[] = [
  { transport: 'udp', hasKey: true },
  { transport: 'udp', hasKey: false },
  { transport: 'tcp', hasKey: true },
  { transport: 'tcp', hasKey: false },
]

/** Yields after every batch; returns what went wrong. */
export async function* soakNetwork({ programs, seed }: SoakOptions): AsyncGenerator<NetworkTally, string | undefined> {
  const tally: NetworkTally = {
    frames: 0,
    connections: 0,
    rogueServers: 0,
    served: 0,
    heap: [0, 0],
    resident: [0, 0],
    mostResident: 0,
    refused: {},
  }
  for (const [at, setting] of settings.entries()) {
    const arena = await Arena.open(setting, new Random(seed * 31 + at), tally)
    try {
      const most = Math.floor(((at + 1) * programs) / settings.length)
      for (let batch = 0; attacks(tally) < most; batch++) {
        const problem = await arena.attack(batch, most - attacks(tally))
        if (problem !== undefined) return `${JSON.stringify(setting)}: ${problem}`
        noteMemory(tally, tally.heap[0] === 0 && tally.served >= warmUp)
        yield tally
      }
    } finally {
      arena.note()
      await arena.close()
    }
  }
  return grown(tally)
}

/** Batches until code is compiled and buffers have their size. */
const warmUp = 6

function attacks({ frames, connections, rogueServers }: NetworkTally): number {
  return frames + connections + rogueServers
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function noteMemory(tally: NetworkTally, isBeginning: boolean): void {
  const isTime = isBeginning || tally.served % 20 === 0
  if (isTime) collectGarbage()
  const { heapUsed, rss, external } = process.memoryUsage()
  // What is resident is also that of other threads, which take what they like.
  const [heap, resident] = [Math.round(heapUsed / 1e6), Math.round((isMainThread ? rss : external) / 1e6)]
  tally.mostResident = Math.max(tally.mostResident, resident)
  if (!isTime) return
  tally.heap = [isBeginning ? heap : tally.heap[0], heap]
  tally.resident = [isBeginning ? resident : tally.resident[0], resident]
}

function grown(tally: NetworkTally): string | undefined {
  collectGarbage()
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6)
  tally.heap = [tally.heap[0], heap]
  if (heap - tally.heap[0] > mostGrown.heap) return `the heap grew from ${tally.heap[0]} MB to ${heap} MB`
  const resident = tally.mostResident - tally.resident[0]
  return resident > mostGrown.resident ? `${resident} MB more than at the beginning were in use` : undefined
}

class Arena {
  readonly #hosts: readonly [MachineHost, MachineHost]
  readonly #control: ControlServer
  readonly #transport: TransportName
  readonly #random: Random
  readonly #tally: NetworkTally
  readonly #victim: Victim
  /** One connection that is there throughout. */
  #friend!: ControlClient
  readonly #datagrams: DatagramSocket
  #goal = 0

  static async open(
    { transport, hasKey }: (typeof settings)[number],
    random: Random,
    tally: NetworkTally,
  ): Promise<Arena> {
    const machines = pingPong.views.machines?.(settingFrom({ params: {}, network: pingPong.network, faults: {} }))
    if (machines === undefined) throw new Error('the program has no machines')
    const key = hasKey ? secret : undefined
    const options = { system: pingPong.name, machines, transport, key, listen: anyLoopbackPort }
    const left = orThrow(await MachineHost.open({ ...options, machine: 'left' }))
    const right = orThrow(await MachineHost.open({ ...options, machine: 'right' }))
    const about = { listen: anyLoopbackPort, key: secret, system: pingPong.name, host: left }
    const onStop = (): void => {
      throw new Error('a stranger stopped the machine')
    }
    const control = orThrow(await ControlServer.open({ ...about, onStop, silenceMilliseconds: 2_000 }))
    left.start(new Map([['right', right.address]]))
    right.start(new Map([['left', left.address]]))
    const datagrams = createSocket('udp4').bind(0, '127.0.0.1')
    await once(datagrams, 'listening')
    const arena = new Arena([left, right], control, { transport, key, random, tally, datagrams })
    arena.#friend = orThrow(await ControlClient.connect(control.address, secret))
    const problem = await arena.#served()
    if (problem !== undefined) throw new Error(problem)
    return arena
  }

  private constructor(
    hosts: readonly [MachineHost, MachineHost],
    control: ControlServer,
    options: Pick<Victim, 'key' | 'random'> & {
      readonly transport: TransportName
      readonly tally: NetworkTally
      readonly datagrams: DatagramSocket
    },
  ) {
    const [from, to] = hosts
    this.#hosts = hosts
    this.#control = control
    this.#transport = options.transport
    this.#random = options.random
    this.#tally = options.tally
    this.#datagrams = options.datagrams
    this.#victim = { from, to, key: options.key, random: options.random, seen: () => to.counters.delivered }
  }

  /** Three batches of frames, one of connections to each port, and now and then a rogue server. */
  async attack(batch: number, most: number): Promise<string | undefined> {
    if (batch % 5 < 3) return (await this.#frames(Math.min(frameBatch, most))) ?? (await this.#served())
    const isStream = this.#transport === 'tcp' && batch % 5 === 4
    const address = isStream ? this.#hosts[1].address : this.#control.address
    const held = await this.#connections(Math.min(connectionBatch, most), address, batch % 10 === 3)
    const problem = (await this.#served()) ?? (batch % 25 === 4 ? await this.#rogues() : undefined)
    for (const socket of held) socket.resetAndDestroy()
    return problem
  }

  /** What was refused, added up. */
  note(): void {
    const { refused } = this.#tally
    for (const { counters } of this.#hosts)
      for (const name of refusals) refused[name] = (refused[name] ?? 0) + counters[name]
  }

  async close(): Promise<void> {
    this.#friend.close()
    this.#datagrams.close()
    await this.#control.close()
    for (const host of this.#hosts) await host.stop()
  }

  /** Every frame is counted as refused, whatever is wrong with it. */
  async #frames(count: number): Promise<string | undefined> {
    const [, right] = this.#hosts
    let [sent, waiting] = [0, 0]
    const before = refusedBy(right)
    const stream = this.#transport === 'tcp' ? await connected(right.address) : undefined
    while (sent < count) {
      const frame = hostileFrame(this.#random.pick(frameAttacks), this.#victim)
      if (stream === undefined) this.#datagrams.send(frame, right.address.port, right.address.host)
      else stream.write(Buffer.concat([lengthOf(frame), frame]))
      sent++
      waiting += frame.length + 1000
      // The socket's buffer must hold them all: none may be lost, for they are counted.
      if (waiting < 60_000 && sent < count) continue
      waiting = 0
      const isCounted = await eventually(() => refusedBy(right) >= before + sent)
      if (!isCounted) return `${refusedBy(right) - before} of ${sent} hostile frames were refused`
    }
    stream?.resetAndDestroy()
    this.#tally.frames += count
    // Over streams, connections that made room are counted as well.
    const isExact = this.#transport === 'tcp' || refusedBy(right) === before + sent
    return isExact ? undefined : 'something was refused that was not sent by a stranger'
  }

  /** Those that only take places are more than there are. */
  async #connections(count: number, address: HostAddress, isCrowd: boolean): Promise<readonly Socket[]> {
    const listener = { address, key: secret, random: this.#random }
    const isControl = address === this.#control.address
    const fitting = connectionAttacks.filter((attack) => isControl || !needsGreeting.has(attack))
    const attacks = isCrowd ? (['silent'] as const) : fitting
    const opened = Array.from({ length: count }, () => hostileConnection(this.#random.pick(attacks), listener))
    const sockets = await Promise.all(opened)
    this.#tally.connections += count
    return sockets
  }

  async #rogues(): Promise<string | undefined> {
    for (const answers of rogueAnswers) {
      const server = await rogueServer(answers)
      const client = await ControlClient.connect(server.address, secret)
      server.close()
      this.#tally.rogueServers++
      if (client.ok) return `a server that answers with ${answers} was believed`
    }
    return undefined
  }

  /** The game goes on by one more hit, and the control channel answers over the old connection and over a new one. */
  async #served(): Promise<string | undefined> {
    const [left] = this.#hosts
    const hits = (): number => (left.state.data as unknown as { readonly hits: number }).hits
    this.#goal++
    const asked = await this.#friend.request('play', this.#goal)
    if (!asked.ok) return `the control channel refused a friend: ${asked.diagnostics[0]?.message}`
    if (!(await eventually(() => hits() === this.#goal)))
      return `the ball did not come back for the ${this.#goal}th time`
    const another = await ControlClient.connect(this.#control.address, secret)
    if (!another.ok) return `the control channel did not let a friend in: ${another.diagnostics[0]?.message}`
    const state = await another.value.state()
    another.value.close()
    if (!state.ok) return `the control channel did not answer a friend: ${state.diagnostics[0]?.message}`
    this.#tally.served++
    return undefined
  }
}

const needsGreeting: ReadonlySet<string> = new Set(['other key', 'other purpose', 'flipped line'])
const refusals = [
  'malformed',
  'oversized',
  'unauthenticated',
  'foreign',
  'replayed',
  'late',
  'unproved',
  'silent',
  'excessive',
] as const satisfies readonly CounterName[]

function refusedBy({ counters }: MachineHost): number {
  const { malformed, oversized, unauthenticated, foreign, replayed, late } = counters
  return malformed + oversized + unauthenticated + foreign + replayed + late
}

function lengthOf(frame: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(frame.length)
  return length
}

async function connected({ host, port }: HostAddress): Promise<Socket> {
  const socket = connect({ host, port })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function eventually(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + patience
  while (!condition()) {
    if (performance.now() > end) return false
    await new Promise((next) => setTimeout(next, 1))
  }
  return true
}
