/** Where live states come from: a running system, asked over its control channels, or a file. */

import { longestArtifact } from '../../artifact/artifact.ts'
import { namedText } from '../../artifact/named-file.ts'
import { cutText } from '../../core/cut-text.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Snapshot } from '../../core/snapshot.ts'
import { addressText, type HostAddress } from '../../runtime/address.ts'
import { ControlClient } from '../../runtime/control-client.ts'
import { readSnapshot, snapshotToJson } from '../../runtime/snapshot.ts'

export interface Taken {
  readonly snapshot: Snapshot
  /** Who was asked. */
  readonly shown: string
  /** Undefined for a file, which costs the system nothing. */
  readonly overhead: Overhead | undefined
}

/** What the snapshot cost the system. */
export interface Overhead {
  readonly milliseconds: number
  /** Of the snapshot as JSON. */
  readonly bytes: number
  /** Messages that the attached machines handled per second: while it was taken, and since the one before. */
  readonly during: number | undefined
  readonly between: number | undefined
}

export interface SnapshotSource {
  /** Whether asking again may help. */
  readonly isLive: boolean
  take(signal: AbortSignal): Promise<Result<Taken>>
  close(): void
}

export function fileSource(path: string, shown: string): SnapshotSource {
  return {
    isLive: false,
    take: async () => {
      const text = namedText(path, snapshotFile, shown)
      if (!text.ok) return text
      const snapshot = readSnapshot(text.value, shown)
      return snapshot.ok ? success({ snapshot: snapshot.value, shown, overhead: undefined }) : snapshot
    },
    close: () => {},
  }
}

const snapshotFile = {
  what: 'snapshot',
  longest: longestArtifact,
  hint: 'snapshots behind predictions are in .allways/snapshots, unless --snapshot-dir says otherwise',
}

/** A machine answers after its own patience with others, which is shorter. */
const answerMilliseconds = 20_000

interface Reading {
  readonly at: number
  /** Messages handled so far, by machine. */
  readonly delivered: ReadonlyMap<string, number>
  readonly problems: readonly Diagnostic[]
}

/** Any of the machines can take a snapshot of all; the others are asked if one does not answer. */
export class AttachedSource implements SnapshotSource {
  readonly isLive = true
  readonly #addresses: readonly HostAddress[]
  readonly #key: Buffer
  readonly #system: string
  readonly #clients = new Map<string, ControlClient>()
  #last: Reading | undefined

  constructor(system: string, addresses: readonly HostAddress[], key: Buffer) {
    this.#system = system
    this.#addresses = addresses
    this.#key = key
  }

  async take(signal: AbortSignal): Promise<Result<Taken>> {
    const connected = await Promise.all(this.#addresses.map((address) => this.#connect(address, signal)))
    const problems = connected.flatMap((one) => (one.ok ? [] : one.diagnostics))
    const foreign = problems.filter(({ code }) => code === 'E608')
    if (foreign.length > 0) return failure(...foreign)
    const before = await this.#reading(signal)
    problems.push(...before.problems)
    for (const [shown, client] of [...this.#clients]) {
      const startedAt = performance.now()
      const snapshot = await this.#answer(shown, client, client.snapshot(), signal)
      if (signal.aborted) return failure(cutShort(shown))
      if (!snapshot.ok) {
        problems.push(...snapshot.diagnostics)
        // A snapshot needs all machines, whoever takes it: others would wait for the same one, as long again.
        if (snapshot.diagnostics.some(({ code }) => code === 'E605')) break
        continue
      }
      const milliseconds = performance.now() - startedAt
      const overhead = await this.#overhead(snapshot.value, { before, milliseconds, signal })
      return success({ snapshot: snapshot.value, shown: `the snapshot of ${shown}`, overhead })
    }
    return failure(...problems)
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
    this.#clients.clear()
  }

  async #connect(address: HostAddress, signal: AbortSignal): Promise<Result<unknown>> {
    const shown = addressText(address)
    if (this.#clients.has(shown)) return success(undefined)
    const client = await ControlClient.connect(address, this.#key, signal)
    if (!client.ok) return client
    const { system } = client.value
    if (system !== this.#system) {
      client.value.close()
      const message = `${shown} belongs to system "${cutText(system)}", and "${this.#system}" is checked`
      return failure({ code: 'E608', message, hint: 'check with the file that the system was started from' })
    }
    this.#clients.set(shown, client.value)
    return client
  }

  /** Whoever does not answer is let go; there will be a new connection for the next snapshot. */
  async #answer<T>(
    shown: string,
    client: ControlClient,
    asked: Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    const giveUp = (): void => client.close()
    const timeout = setTimeout(giveUp, answerMilliseconds)
    signal.addEventListener('abort', giveUp)
    const answer = await asked
    clearTimeout(timeout)
    signal.removeEventListener('abort', giveUp)
    // A machine that says why it cannot has answered.
    if (answer.ok || answer.diagnostics.every(({ code }) => code === 'E605')) return answer
    client.close()
    this.#clients.delete(shown)
    return answer
  }

  async #reading(signal: AbortSignal): Promise<Reading> {
    const delivered = new Map<string, number>()
    const problems: Diagnostic[] = []
    const asked = [...this.#clients].map(async ([shown, client]) => {
      const counters = await this.#answer(shown, client, client.counters(), signal)
      if (counters.ok) delivered.set(client.machine, counters.value.delivered)
      else problems.push(...counters.diagnostics)
    })
    await Promise.all(asked)
    return { at: performance.now(), delivered, problems }
  }

  async #overhead(
    snapshot: Snapshot,
    { before, milliseconds, signal }: { before: Reading; milliseconds: number; signal: AbortSignal },
  ): Promise<Overhead> {
    const after = await this.#reading(signal)
    const between = this.#last && rate(this.#last, before)
    this.#last = after
    const bytes = JSON.stringify(snapshotToJson(snapshot)).length
    return { milliseconds, bytes, during: rate(before, after), between }
  }
}

function cutShort(shown: string): Diagnostic {
  return {
    code: 'E605',
    message: `${shown} had not completed a snapshot when the time was over`,
    hint: 'a snapshot waits 10 s for machines that do not answer: are all of them running? --time may be longer',
  }
}

/** Unknown if the machines are not the same, or one began anew. */
function rate(from: Reading, to: Reading): number | undefined {
  const seconds = (to.at - from.at) / 1000
  let handled = 0
  for (const [machine, count] of to.delivered) {
    const earlier = from.delivered.get(machine)
    if (earlier === undefined || earlier > count) return undefined
    handled += count - earlier
  }
  return to.delivered.size === 0 || to.delivered.size !== from.delivered.size || seconds <= 0
    ? undefined
    : handled / seconds
}
