/**
 * Frames over TCP, each behind its length in four bytes; one connection per direction, made when there is something to send and
 * made again after it broke. Order is kept; what was in a connection that broke is lost without a word.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type Result, success } from '../core/diagnostic.ts'
import { addressText, type HostAddress } from './address.ts'
import { notBound, type Transport, type TransportEvents, type TransportOptions } from './transport.ts'
import { UnreadBytes } from './unread-bytes.ts'

/** A peer that does not read: what waits for it beyond this is lost. */
const mostWaiting = 16 << 20
/** After a connection could not be made; sends until then are lost, as they would be anyway. */
const pauseMilliseconds = 50

export async function openTcp(options: TransportOptions): Promise<Result<Transport>> {
  const { listen, connections, events } = options
  /** At most `connections`. */
  const incoming = new Set<Socket>()
  /** Those that have not brought a new message. The first of them makes room: machines come through, and connect again. */
  const strangers = new Set<Socket>()
  const server = createServer((socket) => {
    strangers.add(socket)
    if (incoming.size >= connections) {
      events.refused('foreign')
      const [first = socket] = strangers
      first.destroy()
      for (const set of [incoming, strangers]) set.delete(first)
      if (first === socket) return
    }
    incoming.add(socket)
    socket.on('close', () => {
      for (const set of [incoming, strangers]) set.delete(socket)
    })
    const frame = (bytes: Buffer): boolean => {
      const isKnown = events.frame(bytes)
      if (isKnown) strangers.delete(socket)
      return isKnown
    }
    readFrames(socket, options.longest, { ...events, frame })
  })
  try {
    server.listen({ host: listen.host, port: listen.port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    return notBound(listen, error as NodeJS.ErrnoException)
  }
  server.on('error', () => {})
  return success(new TcpTransport(server, incoming, () => events.unsent()))
}

/** A length that cannot be one ends the connection: there is no telling where the next frame begins. */
function readFrames(socket: Socket, longest: number, events: TransportEvents): void {
  const reader = new FrameReader(longest)
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    for (const frame of reader.frames(bytes)) events.frame(frame)
    if (!reader.isBroken) return
    events.refused('oversized')
    socket.destroy()
  })
}

/** Cuts a stream of bytes into frames, however it comes in pieces. Of one connection, no more is kept than the longest frame. */
export class FrameReader {
  readonly #longest: number
  readonly #unread = new UnreadBytes()
  /** After a length that cannot be one. Nothing more is read. */
  isBroken = false

  constructor(longest: number) {
    this.#longest = longest
  }

  frames(bytes: Buffer): readonly Buffer[] {
    if (this.isBroken) return []
    const unread = this.#unread
    unread.add(bytes)
    const frames: Buffer[] = []
    for (let length = unread.firstNumber(); length !== undefined; length = unread.firstNumber()) {
      if (length > this.#longest) {
        this.isBroken = true
        unread.clear()
        break
      }
      if (unread.size < 4 + length) break
      frames.push(unread.take(4 + length).subarray(4))
    }
    return frames
  }
}

class TcpTransport implements Transport {
  readonly keepsOrder = true
  readonly address: HostAddress
  readonly #server: Server
  /** Connections that others made. They are only read; answers go over connections of our own. */
  readonly #incoming: ReadonlySet<Socket>
  /** By address. At most one to each, which is what keeps the order; addresses are those of peers, which nobody else adds to. */
  readonly #outgoing = new Map<string, Socket>()
  /** By address of a peer: when to try again after a failure, on the clock of `performance`. */
  readonly #notBefore = new Map<string, number>()
  readonly #unsent: () => void
  #isClosed = false

  constructor(server: Server, incoming: ReadonlySet<Socket>, unsent: () => void) {
    const bound = server.address() as { readonly address: string; readonly port: number }
    this.address = { host: bound.address, port: bound.port }
    this.#server = server
    this.#incoming = incoming
    this.#unsent = unsent
  }

  send(to: HostAddress, bytes: Buffer): void {
    const socket = this.#isClosed ? undefined : this.#connection(to)
    if (socket === undefined || socket.writableLength > mostWaiting) {
      this.#unsent()
      return
    }
    const length = Buffer.allocUnsafe(4)
    length.writeUInt32BE(bytes.length)
    socket.cork()
    socket.write(length)
    socket.write(bytes)
    // Everything sent in one turn of the event loop leaves together.
    process.nextTick(() => socket.uncork())
  }

  /** A connection to a process that died looks alive until something is sent, and that would be lost. */
  renew(to: HostAddress): void {
    const key = addressText(to)
    this.#outgoing.get(key)?.destroy()
    this.#outgoing.delete(key)
    this.#notBefore.delete(key)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    await Promise.all([...this.#outgoing.values()].map(ended))
    for (const socket of this.#incoming) socket.destroy()
    await closed
  }

  #connection(to: HostAddress): Socket | undefined {
    const key = addressText(to)
    const known = this.#outgoing.get(key)
    if (known !== undefined) return known
    if (performance.now() < (this.#notBefore.get(key) ?? 0)) return undefined
    const socket = connect({ host: to.host, port: to.port, noDelay: true })
    this.#outgoing.set(key, socket)
    // Nothing comes back over it; reading is how its end is noticed.
    socket.resume()
    socket.on('error', () => this.#notBefore.set(key, performance.now() + pauseMilliseconds))
    socket.on('close', () => {
      if (this.#outgoing.get(key) === socket) this.#outgoing.delete(key)
    })
    return socket
  }
}

/** Waits for what was written, but not for a peer that does not read it. */
async function ended(socket: Socket): Promise<void> {
  if (socket.connecting) {
    socket.destroy()
    return
  }
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(() => socket.destroy(), 500)
    socket.on('close', () => {
      clearTimeout(giveUp)
      resolve()
    })
    socket.end(() => socket.destroy())
  })
}
