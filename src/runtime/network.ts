/**
 * One machine's side of the network: sessions with all others, frames out and in. Everything that arrives is checked in the
 * order form, key, system, incarnation, number; what fails is counted and dropped.
 */
import { type Result, success } from '../core/diagnostic.ts'
import type { Params } from '../core/setting.ts'
import type { Value } from '../core/value.ts'
import type { HostAddress } from './address.ts'
import { valueOfBytes } from './body.ts'
import { Channel, type Mark, type OutgoingMessage } from './channel.ts'
import type { Counters } from './counters.ts'
import { type FaultOptions, FaultyLink } from './faults.ts'
import { isFutureLife } from './incarnation.ts'
import { snapshotTime } from './snapshot-id.ts'
import { openTcp } from './tcp.ts'
import type { Transport, TransportName } from './transport.ts'
import { openUdp } from './udp.ts'
import { ReceiveWindow } from './window.ts'
import { Codec, type Frame, type FrameKind, largestDatagramBody } from './wire.ts'

interface NetworkEvents {
  message(arrived: ArrivedMessage): void
  control(frame: Frame): void
  /** A machine that was there before has begun a new life; what was said about the one before holds no more. */
  renewed(from: number): void
}

export interface ArrivedMessage {
  readonly from: number
  /** Of the sender. */
  readonly incarnation: number
  /** Over all channels of the sender. */
  readonly number: number
  /** In its session. */
  readonly sequence: number
  /** The latest that the sender had recorded. */
  readonly snapshot: number
  readonly message: Value
  /** Of the message, in bytes. */
  readonly size: number
}

export interface NetworkOptions {
  readonly system: string
  readonly machines: readonly string[]
  readonly params: Params | undefined
  readonly self: number
  readonly incarnation: number
  readonly transport: TransportName
  readonly listen: HostAddress
  readonly key: Buffer | undefined
  /** Of a message, in bytes. */
  readonly limit: number | undefined
  readonly faults: FaultOptions
  readonly seed: number
  readonly counters: Counters
  readonly events: NetworkEvents
}

const streamLimit = 1 << 20
/**
 * How far the clock of another machine may be ahead of ours. Numbers of snapshots are times and only grow: after a number from
 * the far future no other snapshot could follow.
 */
const mostAhead = 366 * 24 * 3600 * 1000
const helloFirst = 20
const helloMost = 1000
/**
 * Hellos that answer others are at least so far apart: whoever repeats frames that he overheard must not make us send as many.
 * If the answer is lost, the other side asks again.
 */
const helloPause = 5

interface Peer {
  readonly number: number
  readonly channel: Channel
  /** One for messages and one for all else, so that retries do not shift the fate of messages. */
  readonly links: { readonly messages: FaultyLink; readonly control: FaultyLink }
  address: HostAddress | undefined
  /** Of the other side, as far as it has been heard of. */
  incarnation: number
  /** Of the session with that incarnation; another life gets a new one. */
  window: ReceiveWindow
  /** When the last hello left, on the clock of `performance`. */
  greetedAt: number
}

export class RuntimeNetwork {
  readonly #options: NetworkOptions
  readonly #codec: Codec
  /** By number of the machine; undefined for this one. No frame adds to them: one from an unknown machine is foreign. */
  readonly #peers: readonly (Peer | undefined)[]
  /** Those that run, one for each peer at most: `close` clears them, so that none fires later. */
  readonly #timeouts = new Set<NodeJS.Timeout>()
  #transport: Transport | undefined
  #isClosed = false

  static async open(options: NetworkOptions): Promise<Result<RuntimeNetwork>> {
    const network = new RuntimeNetwork(options)
    const opened = await (options.transport === 'udp' ? openUdp : openTcp)({
      listen: options.listen,
      longest: network.#codec.longest,
      connections: 4 * options.machines.length + 16,
      events: {
        frame: (bytes) => network.#arrive(bytes),
        refused: (problem) => {
          options.counters.received++
          options.counters[problem]++
        },
        unsent: () => options.counters.unsendable++,
      },
    })
    if (!opened.ok) return opened
    network.#transport = opened.value
    return success(network)
  }

  private constructor(options: NetworkOptions) {
    this.#options = options
    const { transport, limit, machines, self } = options
    const most = transport === 'udp' ? largestDatagramBody : streamLimit
    this.#codec = new Codec({ ...options, limit: Math.min(limit ?? most, transport === 'udp' ? most : 2 ** 30) })
    this.#peers = machines.map((_, number) => (number === self ? undefined : this.#peer(number)))
  }

  get address(): HostAddress {
    return (this.#transport as Transport).address
  }

  /** Of a message, in bytes. */
  get limit(): number {
    return this.#codec.limit
  }

  /** Says hello to all peers until they answer. */
  start(addresses: ReadonlyMap<number, HostAddress>): void {
    for (const peer of this.#peers) {
      if (peer === undefined) continue
      peer.address = addresses.get(peer.number)
      this.#greet(peer, helloFirst)
    }
  }

  send(to: number, message: OutgoingMessage): void {
    const peer = this.#peers[to]
    if (peer === undefined || message.body.length > this.#codec.limit) this.#options.counters.unsendable++
    else peer.channel.send(message)
  }

  sendControl(to: number, kind: FrameKind, snapshot: number, body: Buffer): void {
    const peer = this.#peers[to]
    if (peer === undefined || peer.channel.receiver === 0) return
    const frame = this.#frame(peer, kind, { snapshot, body, sequence: 0, number: 0 })
    if (peer.links.control.copies() > 0) peer.links.control.pass(() => this.#transmit(peer, frame))
  }

  mark(to: number): Mark {
    return (this.#peers[to] as Peer).channel.mark()
  }

  /** The cut of a mark, for the session there is now. */
  cutOf(to: number, mark: Mark): number | undefined {
    if (mark.cut === undefined) return undefined
    // For an earlier life of the receiver: what was sent to that is lost, and nothing is under way.
    return mark.incarnation === this.#peers[to]?.channel.receiver ? mark.cut : 0
  }

  /** Which life of the other side there is a session with; 0 if it has not been heard of. */
  incarnationOf(from: number): number {
    return this.#peers[from]?.incarnation ?? this.#options.incarnation
  }

  /** How many of the first `cut` messages of the session may still come. */
  awaited(from: number, cut: number): number {
    return this.#peers[from]?.window.awaitedUpTo(cut) ?? 0
  }

  /** How many of the first `cut` messages of the session have not come. */
  missing(from: number, cut: number): number {
    return this.#peers[from]?.window.missingUpTo(cut) ?? 0
  }

  /** Those that have not come need not be waited for again. */
  giveUp(from: number, cut: number): void {
    this.#peers[from]?.window.giveUp(cut)
  }

  async close(): Promise<void> {
    for (const peer of this.#peers) {
      peer?.links.messages.flush()
      peer?.links.control.flush()
    }
    this.#isClosed = true
    for (const timeout of this.#timeouts) clearTimeout(timeout)
    await this.#transport?.close()
  }

  #peer(number: number): Peer {
    const { self, seed, faults, counters, transport, machines } = this.#options
    const keepsOrder = transport === 'tcp'
    const name = JSON.stringify([seed, machines[self], machines[number]])
    const peer: Peer = {
      number,
      channel: new Channel(
        (message, sequence) => this.#transmitMessage(peer, message, sequence),
        () => counters.unsendable++,
      ),
      links: {
        messages: new FaultyLink(faults, `messages ${name}`, { counters, keepsOrder }),
        control: new FaultyLink({ ...faults, duplication: 0 }, `control ${name}`, {
          counters: { ...counters },
          keepsOrder,
        }),
      },
      address: undefined,
      incarnation: 0,
      window: new ReceiveWindow(keepsOrder),
      greetedAt: Number.NEGATIVE_INFINITY,
    }
    return peer
  }

  #greet(peer: Peer, pause: number): void {
    if (this.#isClosed || peer.channel.receiver !== 0) return
    this.#hello(peer)
    const timeout = setTimeout(() => {
      this.#timeouts.delete(timeout)
      this.#greet(peer, Math.min(2 * pause, helloMost))
    }, pause)
    this.#timeouts.add(timeout)
  }

  #answerHello(peer: Peer): void {
    if (performance.now() >= peer.greetedAt + helloPause) this.#hello(peer)
  }

  #hello(peer: Peer): void {
    peer.greetedAt = performance.now()
    const frame = this.#frame(peer, 'hello', { snapshot: 0, body: Buffer.alloc(0), sequence: 0, number: 0 })
    if (peer.links.control.copies() > 0) peer.links.control.pass(() => this.#transmit(peer, frame))
  }

  #transmitMessage(peer: Peer, message: OutgoingMessage, sequence: number): void {
    const { links, channel } = peer
    const copies = links.messages.copies()
    const frame = this.#frame(peer, 'message', { ...message, sequence })
    if (copies > 0) links.messages.pass(() => this.#transmit(peer, frame))
    if (copies < 2) return
    const again = this.#frame(peer, 'message', { ...message, sequence: channel.nextSequence() })
    links.messages.pass(() => this.#transmit(peer, again))
  }

  #frame(peer: Peer, kind: FrameKind, content: Pick<Frame, 'sequence' | 'number' | 'snapshot' | 'body'>): Buffer {
    const { self, incarnation } = this.#options
    const sessions = { fromIncarnation: incarnation, toIncarnation: peer.channel.receiver }
    return this.#codec.encode({ kind, from: self, to: peer.number, ...sessions, ...content })
  }

  #transmit(peer: Peer, bytes: Buffer): void {
    if (this.#isClosed) return
    if (peer.address === undefined) this.#options.counters.unsendable++
    else this.#transport?.send(peer.address, bytes)
  }

  /** Whether it brought a message that nobody else can have: all other frames may be repetitions of what was overheard. */
  #arrive(bytes: Buffer): boolean {
    if (this.#isClosed) return false
    const { counters } = this.#options
    counters.received++
    const decoded = this.#codec.decode(bytes)
    if (!decoded.ok) {
      counters[decoded.problem]++
      return false
    }
    return this.#sort(decoded.frame)
  }

  #sort(frame: Frame): boolean {
    const { counters, self, incarnation } = this.#options
    const peer = this.#peers[frame.from]
    if (peer === undefined || frame.to !== self) {
      counters.foreign++
    } else if (isFromTheFuture(frame)) {
      counters.malformed++
    } else if (frame.fromIncarnation < peer.incarnation) {
      counters.replayed++
    } else if (frame.toIncarnation === incarnation || frame.kind === 'hello') {
      this.#meet(peer, frame.fromIncarnation)
      if (frame.kind !== 'hello') return this.#accept(peer, frame)
      if (frame.toIncarnation !== incarnation) this.#answerHello(peer)
    } else {
      // For an earlier life of ours: the sender has to learn of this one.
      counters.replayed++
      this.#answerHello(peer)
    }
    return false
  }

  #meet(peer: Peer, incarnation: number): void {
    if (incarnation === peer.incarnation) return
    const isRenewed = peer.incarnation !== 0
    if (isRenewed && peer.address !== undefined) this.#transport?.renew(peer.address)
    peer.incarnation = incarnation
    peer.window = new ReceiveWindow(this.#options.transport === 'tcp')
    peer.channel.begin(incarnation)
    if (isRenewed) this.#options.events.renewed(peer.number)
  }

  #accept(peer: Peer, frame: Frame): boolean {
    const { counters, events } = this.#options
    if (frame.kind !== 'message') {
      events.control(frame)
      return false
    }
    const body = valueOfBytes(frame.body)
    if (body === undefined) {
      counters.malformed++
      return false
    }
    const arrival = peer.window.take(frame.sequence)
    if (arrival !== 'fresh') {
      counters[arrival === 'late' ? 'late' : 'replayed']++
      return false
    }
    const { from, fromIncarnation: incarnation, number, sequence, snapshot } = frame
    const size = frame.body.length
    events.message({ from, incarnation, number, sequence, snapshot, message: body.value, size })
    return true
  }
}

function isFromTheFuture({ snapshot, fromIncarnation }: Frame): boolean {
  const now = Date.now()
  return snapshotTime(snapshot) > now + mostAhead || isFutureLife(fromIncarnation, now)
}
