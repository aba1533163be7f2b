/** Asks a running machine over its control channel. Only answers are believed that prove to come from one that has the key. */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { longestArtifact } from '../artifact/artifact.ts'
import { cutText } from '../core/cut-text.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Value } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { LocalState } from '../program/machines.ts'
import { addressText, type HostAddress } from './address.ts'
import { fieldsOf, jsonOfText } from './body.ts'
import { controlFormat, LineReader, signedLine, signedPayload } from './control-line.ts'
import type { CounterName } from './counters.ts'
import { localStateFromJson } from './local-state.ts'
import { needsAll, snapshotFromJson } from './snapshot.ts'

const sameVersion = 'run the machine and this command from one version of the file'

/** Until the machine has proved that it has the key. A server that sends a byte now and then must not keep us either. */
const greetingMilliseconds = 5_000
const longestGreeting = 1 << 12

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
    ? 'a machine answers those who have its key: that of --key-file, or .allways/key where it was started'
    : 'is the machine running, started with --control, and is this the address that it printed?'
  return { code: 'E607', message: `${shown}: ${why}`, hint }
}

function wordsFor(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException
  const meaning = meanings[code]
  return meaning === undefined ? error.message : `${meaning} (${code})`
}

/** Whom the control channel belongs to. */
interface Identity {
  readonly system: string
  readonly machine: string
}

export class ControlClient implements Identity {
  readonly #socket: Socket
  readonly #shown: string
  readonly #key: Buffer
  readonly #nonce = randomBytes(16).toString('hex')
  readonly #reader = new LineReader(longestGreeting)
  /** Of the server; undefined until its greeting. */
  #challenge: string | undefined
  /** By number of our own request: settles its promise. Invariant: every request ends, by `#take` or by `#end`. */
  readonly #waiting = new Map<number, (reply: Result<unknown>) => void>()
  /** Requests that wait for the greeting: one at most, because nobody is given a client before the first answer. */
  readonly #unsaid: string[] = []
  /** Number of the last request. The server refuses numbers that do not grow. */
  #asked = 0
  /** Why there are no more answers. */
  #ended: string | undefined
  /** Set by `connect`, before it gives the client away. */
  #identity: Identity = { system: '', machine: '' }

  static async connect(address: HostAddress, key: Buffer, signal?: AbortSignal): Promise<Result<ControlClient>> {
    const client = new ControlClient(address, key)
    const late = (): void => client.#end(`the machine does not answer within ${greetingMilliseconds} ms`)
    const timeout = setTimeout(late, greetingMilliseconds)
    const abort = (): void => client.#end('the machine had not answered so far')
    signal?.addEventListener('abort', abort)
    const hello = await client.#ask('hello', {})
    clearTimeout(timeout)
    signal?.removeEventListener('abort', abort)
    const { system, machine } = fieldsOf(hello.ok ? hello.value : undefined) ?? {}
    if (hello.ok && typeof system === 'string' && typeof machine === 'string') {
      client.#identity = { system, machine }
      return success(client)
    }
    client.close()
    return hello.ok ? failure(noConnection(client.#shown, 'the machine does not say who it is')) : hello
  }

  private constructor(address: HostAddress, key: Buffer) {
    this.#shown = addressText(address)
    this.#key = key
    this.#socket = connect({ host: address.host, port: address.port })
    this.#socket.on('error', (error) => this.#end(wordsFor(error)))
    this.#socket.on('close', () => this.#end('the connection was closed'))
    this.#socket.on('data', (bytes: Buffer) => {
      for (const line of this.#reader.lines(bytes)) {
        if (this.#ended !== undefined) return
        this.#take(line)
      }
      if (this.#reader.isBroken) this.#end('the answer is too long')
    })
  }

  get system(): string {
    return this.#identity.system
  }

  get machine(): string {
    return this.#identity.machine
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
    this.#end('the connection is closed')
  }

  #take(line: string): void {
    if (this.#challenge === undefined) return this.#greeted(line)
    const challenges = [this.#challenge, this.#nonce]
    const payload = signedPayload('control answers', { key: this.#key, challenges }, line)
    // Whoever cannot prove to have the key is not listened to any longer.
    if (payload === undefined) return this.#end('the answer does not prove that it has the key')
    // Answers may be as large as the snapshot of a system, and no larger than what is read of one in a file.
    this.#reader.longest = longestArtifact
    const { id, result, error } = fieldsOf(jsonOfText(payload)?.json) ?? {}
    if (typeof id !== 'number') return this.#end(wordsOf(error) ?? 'the answer cannot be read')
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    settle?.(error === undefined ? success(result) : failure(diagnosticOf(error, this.#shown)))
  }

  #greeted(line: string): void {
    const { format, challenge } = fieldsOf(jsonOfText(line)?.json) ?? {}
    if (format !== controlFormat || typeof challenge !== 'string')
      return this.#end(`what listens there does not speak ${controlFormat}`)
    this.#challenge = challenge
    for (const payload of this.#unsaid.splice(0)) this.#say(payload)
  }

  /** There will be no more answers. */
  #end(why: string): void {
    this.#ended ??= why
    this.#socket.destroy()
    for (const settle of this.#waiting.values()) settle(failure(noConnection(this.#shown, this.#ended)))
    this.#waiting.clear()
  }

  #stateIn(reply: Result<unknown>): Result<LocalState> {
    if (!reply.ok) return reply
    const state = localStateFromJson(reply.value)
    return state !== undefined
      ? success(state)
      : failure({ code: 'E607', message: `${this.#shown} sent no state`, hint: sameVersion })
  }

  async #ask(command: string, fields: object): Promise<Result<unknown>> {
    if (this.#ended !== undefined) return failure(noConnection(this.#shown, this.#ended))
    const id = ++this.#asked
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#say(JSON.stringify({ id, command, nonce: this.#nonce, ...fields }))
    })
  }

  #say(payload: string): void {
    if (this.#challenge === undefined) this.#unsaid.push(payload)
    else {
      const line = signedLine('control requests', { key: this.#key, challenges: [this.#challenge] }, payload)
      this.#socket.write(`${line}\n`)
    }
  }
}

/** What the server says is wrong, if it says so in words. */
function wordsOf(error: unknown): string | undefined {
  const { message } = fieldsOf(error) ?? {}
  return typeof message === 'string' ? cutText(message) : undefined
}

function diagnosticOf(error: unknown, shown: string): Diagnostic {
  const { code } = fieldsOf(error) ?? {}
  const message = wordsOf(error) ?? 'the answer cannot be read'
  const known = code === 'E605' || code === 'E606' ? code : 'E607'
  const told = known === 'E605' ? message : `${shown}: ${message}`
  return { code: known, message: told, hint: known === 'E605' ? needsAll : sameVersion }
}
