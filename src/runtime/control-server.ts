/**
 * `allways-control/3`: how a running machine is asked for snapshots, counters and its state, and told to make a request or to
 * stop. JSON lines over TCP, for the loopback interface. The server speaks first and says no more than a challenge; every line
 * after that carries an HMAC-SHA256 over both sides' challenges and the line, each direction with a key of its own, and numbers
 * must grow: nothing can be replayed, and neither side believes one that does not have the key. There is no control without one.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { cutText } from '../core/cut-text.ts'
import { type Diagnostic, type Result, success } from '../core/diagnostic.ts'
import type { Json } from '../core/value-json.ts'
import type { HostAddress } from './address.ts'
import { fieldsOf, isCount, strangersJson, valueOfJson } from './body.ts'
import { controlFormat, LineReader, signedLine, signedPayload } from './control-line.ts'
import type { CounterName } from './counters.ts'
import { localStateToJson } from './local-state.ts'
import type { MachineHost } from './machine-host.ts'
import { snapshotToJson } from './snapshot.ts'
import { notBound } from './transport.ts'

const longestLine = 1 << 20
/** Of those who have not proved that they have the key; the first request has no argument. */
const longestOfStranger = 1 << 12
const mostConnections = 32
/** Requests of a connection that are not answered yet, and bytes of answers that it has not read: beyond, it is cut. */
const mostAsked = 64
const mostUnread = 16 << 20
/** A client that connects and asks for nothing takes the place of one that would. */
const silenceMilliseconds = 10_000

export interface ControlOptions {
  readonly listen: HostAddress
  readonly key: Buffer
  readonly system: string
  readonly host: MachineHost
  /** How long a connection may be open before its first request. */
  readonly silenceMilliseconds?: number | undefined
  /** A client asked the machine to stop. */
  readonly onStop: () => void
}

export class ControlServer {
  readonly address: HostAddress
  readonly #server: Server
  readonly #sockets: ReadonlySet<Socket>

  static async open(options: ControlOptions): Promise<Result<ControlServer>> {
    /** At most `mostConnections`; those that have proved to have the key are asking too. */
    const sockets = new Set<Socket>()
    const asking = new Set<Socket>()
    const { counters } = options.host
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        asking.delete(socket)
      })
      if (sockets.size >= mostConnections) {
        makeRoom(sockets, asking)
        counters.silent++
      }
      if (sockets.size >= mostConnections) socket.destroy()
      else {
        sockets.add(socket)
        serve(socket, options, () => asking.add(socket))
      }
    })
    try {
      server.listen({ host: options.listen.host, port: options.listen.port, exclusive: true })
      await once(server, 'listening')
    } catch (error) {
      return notBound(options.listen, error as NodeJS.ErrnoException)
    }
    // A connection that could not be accepted, because the process has no more files to open.
    server.on('error', () => options.host.counters.excessive++)
    return success(new ControlServer(server, sockets))
  }

  private constructor(server: Server, sockets: ReadonlySet<Socket>) {
    const bound = server.address() as { readonly address: string; readonly port: number }
    this.address = { host: bound.address, port: bound.port }
    this.#server = server
    this.#sockets = sockets
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

function serve(socket: Socket, options: ControlOptions, onRequest: () => void): void {
  const { key, host } = options
  const challenge = randomBytes(16).toString('hex')
  const cut = (why: Extract<CounterName, 'silent' | 'excessive'>): void => {
    if (!socket.destroyed) host.counters[why]++
    socket.destroy()
  }
  const write = (line: string): void => {
    if (socket.writableLength > mostUnread) cut('excessive')
    if (!socket.destroyed) socket.write(`${line}\n`)
  }
  write(JSON.stringify({ format: controlFormat, challenge }))
  const silence = setTimeout(() => cut('silent'), options.silenceMilliseconds ?? silenceMilliseconds)
  socket.on('close', () => clearTimeout(silence))
  let last = 0
  let unanswered = 0
  const say = (json: Json, nonce: string): void =>
    write(signedLine('control answers', { key, challenges: [challenge, nonce] }, JSON.stringify(json)))
  const take = (line: string): void => {
    const asked = requestOf(line, challenge, key)
    const nonce = asked?.nonce ?? ''
    if (asked === undefined || asked.id <= last || unanswered >= mostAsked) {
      const isTooMany = asked !== undefined && unanswered >= mostAsked
      const message = isTooMany ? `more than ${mostAsked} requests at a time` : 'not a request, or the key is wrong'
      host.counters[isTooMany ? 'excessive' : 'unproved']++
      say({ error: { code: 'E607', message } }, nonce)
      // Half a connection would keep its place for as long as the other side likes.
      socket.destroySoon()
      return
    }
    clearTimeout(silence)
    onRequest()
    reader.longest = longestLine
    last = asked.id
    unanswered++
    void answer(asked, options).then((reply) => {
      unanswered--
      say({ id: asked.id, ...reply }, nonce)
    })
  }
  const reader = new LineReader(longestOfStranger)
  socket.on('data', (bytes: Buffer) => {
    for (const line of reader.lines(bytes)) if (!socket.destroyed && !socket.writableEnded) take(line)
    if (reader.isBroken) cut('excessive')
  })
}

/** Whoever has been silent for longest. */
function makeRoom(sockets: Set<Socket>, asking: ReadonlySet<Socket>): void {
  const silent = [...sockets].find((socket) => !asking.has(socket))
  if (silent === undefined) return
  sockets.delete(silent)
  silent.destroy()
}

interface ControlRequest {
  readonly id: number
  readonly command: string
  /** The challenge of the client. */
  readonly nonce: string
  readonly fields: { readonly [name: string]: unknown }
}

/** The payload is the text of `{ id, command, nonce, … }`. */
function requestOf(line: string, challenge: string, key: Buffer): ControlRequest | undefined {
  const payload = signedPayload('control requests', { key, challenges: [challenge] }, line)
  if (payload === undefined) return undefined
  const fields = fieldsOf(strangersJson(payload)?.json) ?? {}
  const { id, command, nonce } = fields
  const isRequest = isCount(id) && typeof command === 'string' && typeof nonce === 'string'
  return isRequest ? { id, command, nonce, fields } : undefined
}

type Reply = { readonly result: Json } | { readonly error: Json }

async function answer({ command, fields }: ControlRequest, options: ControlOptions): Promise<Reply> {
  const { host, system, onStop } = options
  switch (command) {
    case 'hello':
      return { result: { system, machine: host.name } }
    case 'snapshot': {
      const taken = await host.snapshot()
      return taken.ok ? { result: snapshotToJson(taken.value) } : { error: errorJson(taken.diagnostics) }
    }
    case 'counters':
      return { result: { ...host.counters } }
    case 'state':
      return { result: localStateToJson(host.state) }
    case 'request': {
      const argument = fields.argument === undefined ? { value: undefined } : valueOfJson(fields.argument)
      if (typeof fields.name !== 'string' || argument === undefined) return wrong('a request needs a name and a value')
      host.request(fields.name, argument.value)
      return { result: localStateToJson(host.state) }
    }
    case 'stop':
      setImmediate(onStop)
      return { result: null }
    default:
      return wrong(
        `there is no command "${cutText(command)}"; there are hello, snapshot, counters, state, request, stop`,
      )
  }
}

function wrong(message: string): Reply {
  return { error: { code: 'E607', message } }
}

function errorJson([first]: readonly Diagnostic[]): Json {
  return { code: first?.code ?? 'E607', message: first?.message ?? 'it failed' }
}
