/** Asks a running machine over its control channel. */
import { connect, type Socket } from 'node:net'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Value } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { LocalState } from '../program/machines.ts'
import { addressText, type HostAddress } from './address.ts'
import { fieldsOf, jsonOfText } from './body.ts'
import { controlFormat, controlMac } from './control-server.ts'
import type { CounterName } from './counters.ts'
import { localStateFromJson } from './local-state.ts'
import { needsAll, snapshotFromJson } from './snapshot.ts'

interface Greeting {
  readonly system: string
  readonly machine: string
  readonly challenge: string
}

const greetingMilliseconds = 5_000

/** What the operating system means, where it is short of words. */
const meanings: { readonly [code: string]: string } = {
  ECONNREFUSED: 'no process listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

function noConnection(shown: string, why: string): Diagnostic {
  const hint = /\bkey\b/.test(why)
    ? 'a machine that was started with --key-file answers those who give the same one'
    : 'is the machine running, started with --control, and is this the address that it printed?'
  return { code: 'E607', message: `${shown}: ${why}`, hint }
}

function wordsFor(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException
  const meaning = meanings[code]
  return meaning === undefined ? error.message : `${meaning} (${code})`
}

export class ControlClient {
  readonly system: string
  readonly machine: string
  readonly #socket: Socket
  readonly #shown: string
  readonly #challenge: string
  readonly #key: Buffer | undefined
  /** By number of the request: settles its promise. Invariant: every request ends, by `take` or by `fail`. */
  readonly #waiting = new Map<number, (reply: Result<unknown>) => void>()
  /** Number of the last request. The server refuses numbers that do not grow. */
  #asked = 0

  static async connect(address: HostAddress, key?: Buffer, signal?: AbortSignal): Promise<Result<ControlClient>> {
    const shown = addressText(address)
    return await new Promise((resolve) => {
      const socket = connect({ host: address.host, port: address.port })
      let client: ControlClient | undefined
      const refuse = (why: string): void => {
        client?.fail(why)
        signal?.removeEventListener('abort', abort)
        resolve(failure(noConnection(shown, why)))
        socket.destroy()
      }
      const abort = (): void => refuse('the machine had not answered so far')
      signal?.addEventListener('abort', abort)
      // A server that accepts the connection and says nothing must not keep us.
      socket.setTimeout(greetingMilliseconds, () =>
        refuse(`the machine does not answer within ${greetingMilliseconds} ms`),
      )
      socket.on('error', (error) => refuse(wordsFor(error)))
      socket.on('close', () => refuse('the connection was closed'))
      readAllLines(socket, (line) => {
        if (client !== undefined) return client.take(line)
        const greeting = greetingOf(line)
        if (greeting === undefined) return refuse(`what listens there does not speak ${controlFormat}`)
        socket.setTimeout(0)
        signal?.removeEventListener('abort', abort)
        client = new ControlClient(socket, greeting, { key, shown })
        resolve(success(client))
      })
    })
  }

  private constructor(socket: Socket, greeting: Greeting, { key, shown }: { key: Buffer | undefined; shown: string }) {
    this.#socket = socket
    this.#shown = shown
    this.#key = key
    this.#challenge = greeting.challenge
    this.system = greeting.system
    this.machine = greeting.machine
  }

  /** A consistent state of the whole system. */
  async snapshot(): Promise<Result<Snapshot>> {
    const reply = await this.#ask('snapshot', {})
    return reply.ok ? snapshotFromJson(reply.value, `the answer of ${this.#shown}`) : reply
  }

  async counters(): Promise<Result<Readonly<Record<CounterName, number>>>> {
    const reply = await this.#ask('counters', {})
    return reply.ok ? success(reply.value as Readonly<Record<CounterName, number>>) : reply
  }

  async state(): Promise<Result<LocalState>> {
    return this.#stateIn(await this.#ask('state', {}))
  }

  /** Makes the machine handle a request; its state afterwards. */
  async request(name: string, argument: Value): Promise<Result<LocalState>> {
    return this.#stateIn(await this.#ask('request', { name, argument: valueToJson(argument) }))
  }

  async stop(): Promise<Result<unknown>> {
    return await this.#ask('stop', {})
  }

  close(): void {
    this.#socket.destroy()
  }

  /** For `connect`: a line of the server. */
  take(line: string): void {
    const { id, result, error } = fieldsOf(jsonOfText(line)?.json) ?? {}
    if (typeof id !== 'number') return this.fail(String(fieldsOf(error)?.message ?? 'the answer cannot be read'))
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    settle?.(error === undefined ? success(result) : failure(diagnosticOf(error, this.#shown)))
  }

  /** For `connect`: there will be no more answers. */
  fail(why: string): void {
    for (const settle of this.#waiting.values()) settle(failure(noConnection(this.#shown, why)))
    this.#waiting.clear()
  }

  #stateIn(reply: Result<unknown>): Result<LocalState> {
    if (!reply.ok) return reply
    const state = localStateFromJson(reply.value)
    return state !== undefined ? success(state) : failure({ code: 'E607', message: `${this.#shown} sent no state` })
  }

  async #ask(command: string, fields: object): Promise<Result<unknown>> {
    if (this.#socket.destroyed) return failure(noConnection(this.#shown, 'the connection is closed'))
    const id = ++this.#asked
    const payload = JSON.stringify({ id, command, ...fields })
    const mac = this.#key === undefined ? {} : { mac: controlMac(this.#key, this.#challenge, payload) }
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket.write(`${JSON.stringify({ payload, ...mac })}\n`)
    })
  }
}

/** Answers may be as large as the system is; they come from a machine that was asked. */
function readAllLines(socket: Socket, take: (line: string) => void): void {
  let pieces: string[] = []
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = text.split('\n')
    for (const line of lines.slice(0, -1)) {
      take([...pieces, line].join(''))
      pieces = []
    }
    pieces.push(lines.at(-1) ?? '')
  })
}

function greetingOf(line: string): Greeting | undefined {
  const { format, system, machine, challenge } = fieldsOf(jsonOfText(line)?.json) ?? {}
  const isGreeting = typeof system === 'string' && typeof machine === 'string' && typeof challenge === 'string'
  return format === controlFormat && isGreeting ? { system, machine, challenge } : undefined
}

function diagnosticOf(error: unknown, shown: string): Diagnostic {
  const { code, message } = fieldsOf(error) ?? {}
  const known = code === 'E605' || code === 'E606' ? code : 'E607'
  const told = known === 'E605' ? String(message) : `${shown}: ${String(message)}`
  return known === 'E605' ? { code: known, message: told, hint: needsAll } : { code: known, message: told }
}
