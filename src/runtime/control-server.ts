/**
 * `allways-control/1`: how a running machine is asked for snapshots, counters and its state, and told to make a request or to
 * stop. JSON lines over TCP, for the loopback interface. The server speaks first; with a key every line carries an HMAC-SHA256
 * over the server's challenge and the line, and numbers must grow, so that nothing can be replayed.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type Diagnostic, type Result, success } from '../core/diagnostic.ts'
import type { Json } from '../core/value-json.ts'
import type { HostAddress } from './address.ts'
import { fieldsOf, isCount, jsonOfText, strangersJson, valueOfJson } from './body.ts'
import { localStateToJson } from './local-state.ts'
import type { MachineHost } from './machine-host.ts'
import { snapshotToJson } from './snapshot.ts'
import { notBound } from './transport.ts'

export const controlFormat = 'allways-control/1'

const longestLine = 1 << 20
const mostConnections = 32
/** Requests of a connection that are not answered yet, and bytes of answers that it has not read: beyond, it is cut. */
const mostAsked = 64
const mostUnread = 16 << 20
/** A client that connects and asks for nothing takes the place of one that would. */
const silenceMilliseconds = 10_000

export interface ControlOptions {
  readonly listen: HostAddress
  readonly key: Buffer | undefined
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
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      if (sockets.size >= mostConnections) socket.destroy()
      else {
        sockets.add(socket)
        serve(socket, options)
      }
    })
    try {
      server.listen({ host: options.listen.host, port: options.listen.port, exclusive: true })
      await once(server, 'listening')
    } catch (error) {
      return notBound(options.listen, error as NodeJS.ErrnoException)
    }
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

/** What a client proves that it has the key with. */
export function controlMac(key: Buffer, challenge: string, payload: string): string {
  return createHmac('sha256', key).update(`${challenge}\n${payload}`).digest('hex')
}

function serve(socket: Socket, options: ControlOptions): void {
  const { key, system, host } = options
  const challenge = randomBytes(16).toString('hex')
  const say = (json: Json): void => {
    if (socket.writableLength > mostUnread) socket.destroy()
    if (!socket.destroyed) socket.write(`${JSON.stringify(json)}\n`)
  }
  say({ format: controlFormat, system, machine: host.name, challenge, authenticated: key !== undefined })
  const silence = setTimeout(() => socket.destroy(), options.silenceMilliseconds ?? silenceMilliseconds)
  socket.on('close', () => clearTimeout(silence))
  let last = 0
  let unanswered = 0
  readLines(socket, (line) => {
    const asked = requestOf(line, challenge, key)
    if (asked === undefined || asked.id <= last || unanswered >= mostAsked) {
      const isTooMany = asked !== undefined && unanswered >= mostAsked
      const message = isTooMany ? `more than ${mostAsked} requests at a time` : 'not a request, or the key is wrong'
      say({ error: { code: 'E607', message } })
      // Half a connection would keep its place for as long as the other side likes.
      socket.destroySoon()
      return
    }
    clearTimeout(silence)
    last = asked.id
    unanswered++
    void answer(asked, options).then((reply) => {
      unanswered--
      say({ id: asked.id, ...reply })
    })
  })
}

/** A line without end closes the connection. */
function readLines(socket: Socket, take: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (!socket.destroyed && !socket.writableEnded) take(line)
    if (rest.length > longestLine) socket.destroy()
  })
}

interface ControlRequest {
  readonly id: number
  readonly command: string
  readonly fields: { readonly [name: string]: unknown }
}

/** `{ payload, mac }`, where the payload is the text of `{ id, command, … }`. */
function requestOf(line: string, challenge: string, key: Buffer | undefined): ControlRequest | undefined {
  const { payload, mac } = fieldsOf(jsonOfText(line)?.json) ?? {}
  if (typeof payload !== 'string') return undefined
  if (key !== undefined) {
    const expected = Buffer.from(controlMac(key, challenge, payload))
    const given = Buffer.from(typeof mac === 'string' ? mac : '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  }
  const fields = fieldsOf(strangersJson(payload)?.json) ?? {}
  const { id, command } = fields
  return isCount(id) && typeof command === 'string' ? { id, command, fields } : undefined
}

type Reply = { readonly result: Json } | { readonly error: Json }

async function answer({ command, fields }: ControlRequest, { host, onStop }: ControlOptions): Promise<Reply> {
  switch (command) {
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
      return wrong(`there is no command "${command}"; there are snapshot, counters, state, request, stop`)
  }
}

function wrong(message: string): Reply {
  return { error: { code: 'E607', message } }
}

function errorJson([first]: readonly Diagnostic[]): Json {
  return { code: first?.code ?? 'E607', message: first?.message ?? 'it failed' }
}
