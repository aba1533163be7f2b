/** Asks a running machine over its control channel. With a key, only answers are believed that prove to come from one that has it. */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { longestArtifact } from '../artifact/artifact.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Value } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { LocalState } from '../program/machines.ts'
import { addressText, type HostAddress } from './address.ts'
import { fieldsOf, jsonOfText } from './body.ts'
import { controlFormat, signedLine, signedPayload } from './control-line.ts'
import type { CounterName } from './counters.ts'
import { localStateFromJson } from './local-state.ts'
import { needsAll, snapshotFromJson } from './snapshot.ts'

const sameVersion = 'run the machine and this command from one version of the file'

interface Greeting {
  readonly system: string
  readonly machine: string
  readonly challenge: string
  readonly authenticated: boolean
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
  /** Of the server, and ours. */
  readonly #challenges: readonly [string, string]
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
        if (key !== undefined && !greeting.authenticated) return refuse('the machine was started without a key')
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
    this.#challenges = [greeting.challenge, randomBytes(16).toString('hex')]
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
    const payload = signedPayload('control answers', { key: this.#key, challenges: this.#challenges }, line)
    if (payload === undefined) return this.#doubt()
    const { id, result, error } = fieldsOf(jsonOfText(payload)?.json) ?? {}
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

  /** Whoever cannot prove to have the key is not listened to any longer. */
  #doubt(): void {
    this.fail(this.#key === undefined ? 'the answer cannot be read' : 'the answer does not prove that it has the key')
    this.close()
  }

  #stateIn(reply: Result<unknown>): Result<LocalState> {
    if (!reply.ok) return reply
    const state = localStateFromJson(reply.value)
    return state !== undefined
      ? success(state)
      : failure({ code: 'E607', message: `${this.#shown} sent no state`, hint: sameVersion })
  }

  async #ask(command: string, fields: object): Promise<Result<unknown>> {
    if (this.#socket.destroyed) return failure(noConnection(this.#shown, 'the connection is closed'))
    const id = ++this.#asked
    const [challenge, nonce] = this.#challenges
    const payload = JSON.stringify({ id, command, nonce, ...fields })
    const line = signedLine('control requests', { key: this.#key, challenges: [challenge] }, payload)
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket.write(`${line}\n`)
    })
  }
}

/** Answers may be as large as the snapshot of a system, and no larger than what is read of one in a file. */
function readAllLines(socket: Socket, take: (line: string) => void): void {
  let pieces: string[] = []
  let length = 0
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = text.split('\n')
    for (const line of lines.slice(0, -1)) {
      if (socket.destroyed) return
      take([...pieces, line].join(''))
      pieces = []
      length = 0
    }
    const rest = lines.at(-1) ?? ''
    pieces.push(rest)
    length += rest.length
    if (length > longestArtifact) socket.destroy(new Error('the answer is too long'))
  })
}

function greetingOf(line: string): Greeting | undefined {
  const { format, system, machine, challenge, authenticated } = fieldsOf(jsonOfText(line)?.json) ?? {}
  const isGreeting = typeof system === 'string' && typeof machine === 'string' && typeof challenge === 'string'
  return format === controlFormat && isGreeting
    ? { system, machine, challenge, authenticated: authenticated === true }
    : undefined
}

function diagnosticOf(error: unknown, shown: string): Diagnostic {
  const { code, message } = fieldsOf(error) ?? {}
  const known = code === 'E605' || code === 'E606' ? code : 'E607'
  const told = known === 'E605' ? String(message) : `${shown}: ${String(message)}`
  return { code: known, message: told, hint: known === 'E605' ? needsAll : sameVersion }
}
