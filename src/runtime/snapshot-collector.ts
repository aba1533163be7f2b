/** The initiator of a snapshot: starts it, collects the parts of all machines, and starts again if another one got in between. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Params } from '../core/setting.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { RuntimeNetwork } from './network.ts'
import { assembled, isOfSameLives, needsAll, partOf, type SnapshotPart } from './snapshot.ts'
import { snapshotId, snapshotTime } from './snapshot-id.ts'
import { IncomingParcel, largestPart } from './snapshot-parcel.ts'
import type { SnapshotRecorder } from './snapshot-recorder.ts'
import type { Frame } from './wire.ts'

export interface CollectorOptions {
  readonly self: number
  readonly system: string
  readonly params: Params
  readonly machines: readonly string[]
  readonly network: Pick<RuntimeNetwork, 'sendControl'>
  readonly recorder: Pick<SnapshotRecorder, 'record' | 'latest' | 'isBusy' | 'silent'>
  readonly patienceMilliseconds: number
}

type End = 'complete' | 'superseded' | 'timeout' | 'stopped'

interface Collection {
  readonly id: number
  /** By machine: pieces that have come, until the part is whole. All of them together have `bytes`, and at most `largestPart`. */
  readonly parcels: Map<number, IncomingParcel>
  bytes: number
  /** By machine. The snapshot is complete when all have one, about the same lives. */
  readonly parts: Map<number, SnapshotPart>
  readonly end: (why: End) => void
}

const mostAttempts = 20

export class SnapshotCollector {
  readonly #options: CollectorOptions
  /** The snapshot that is being collected. */
  #collection: Collection | undefined
  /** Settles when the last request does; the next one waits for it. Requests come over control channels, which bound them. */
  #queue: Promise<unknown> = Promise.resolve()
  #isStopped = false

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /** One after the other: a second request during the first must see what happened since. */
  take(): Promise<Result<Snapshot>> {
    const taken = this.#queue.then(() => this.#attempt(1))
    this.#queue = taken
    return taken
  }

  /** The machine's own part. */
  own(id: number, bytes: Buffer): void {
    this.#add(this.#options.self, id, bytes)
  }

  control({ from, snapshot, body }: Frame): void {
    const collection = this.#collection?.id === snapshot ? this.#collection : undefined
    const parcel = collection?.parcels.get(from) ?? new IncomingParcel()
    if ((collection?.bytes ?? 0) + body.length > largestPart) return
    const before = parcel.size
    const answer = parcel.take(body)
    if (answer === undefined) return
    if (collection !== undefined) collection.bytes += parcel.size - before
    this.#options.network.sendControl(from, 'reported', snapshot, answer)
    if (collection === undefined || collection.parts.has(from)) return
    collection.parcels.set(from, parcel)
    const { content } = parcel
    if (content !== undefined) this.#add(from, snapshot, content)
  }

  /** To be called when the recorder may have gone on to another snapshot. */
  notice(): void {
    if (this.#collection !== undefined && this.#options.recorder.latest > this.#collection.id)
      this.#collection.end('superseded')
  }

  /** A machine has begun a new life: it does not take part in a snapshot again, or has forgotten that it did. */
  renewed(): void {
    this.#collection?.end('superseded')
  }

  stop(): void {
    this.#isStopped = true
    this.#collection?.end('stopped')
  }

  async #attempt(count: number): Promise<Result<Snapshot>> {
    if (this.#isStopped) return failure(stopped)
    const { self, recorder, machines, patienceMilliseconds } = this.#options
    const id = snapshotId(Math.max(Date.now(), snapshotTime(recorder.latest) + 1), self)
    const parts = new Map<number, SnapshotPart>()
    const why = await new Promise<End>((resolve) => {
      const timeout = setTimeout(() => end('timeout'), patienceMilliseconds)
      const end = (reason: End): void => {
        clearTimeout(timeout)
        this.#collection = undefined
        resolve(reason)
      }
      this.#collection = { id, parcels: new Map(), bytes: 0, parts, end }
      recorder.record(id)
    })
    if (why === 'complete') return success(this.#assembled(parts))
    if (why === 'stopped') return failure(stopped)
    if (why === 'superseded' && count < mostAttempts) {
      await this.#turn()
      return await this.#attempt(count + 1)
    }
    // The parts of others are late because of those who do not even answer.
    const late = machines.filter((_, machine) => !parts.has(machine))
    const silent = recorder.silent.map((machine) => machines[machine] as string)
    return failure(why === 'timeout' ? noAnswer(silent.length > 0 ? silent : late, patienceMilliseconds) : crowded)
  }

  /** After the snapshot that got in between, and not at the same moment as others who wait for that. */
  async #turn(): Promise<void> {
    const { self, recorder, patienceMilliseconds } = this.#options
    const end = performance.now() + patienceMilliseconds
    do {
      await new Promise((resolve) => setTimeout(resolve, 10 + 5 * self))
    } while (recorder.isBusy && !this.#isStopped && performance.now() < end)
  }

  #add(machine: number, id: number, bytes: Buffer): void {
    const collection = this.#collection
    if (collection === undefined || collection.id !== id || collection.parts.has(machine)) return
    const part = partOf(bytes, this.#options.machines.length)
    if (part === undefined) return
    collection.parts.set(machine, part)
    if (collection.parts.size < this.#options.machines.length) return
    collection.end(isOfSameLives(this.#ordered(collection.parts)) ? 'complete' : 'superseded')
  }

  #assembled(parts: ReadonlyMap<number, SnapshotPart>): Snapshot {
    const { system, params, machines } = this.#options
    return assembled(this.#ordered(parts), { system, params, machines, takenAt: new Date().toISOString() })
  }

  #ordered(parts: ReadonlyMap<number, SnapshotPart>): readonly SnapshotPart[] {
    return this.#options.machines.map((_, machine) => parts.get(machine) as SnapshotPart)
  }
}

const stopped: Diagnostic = {
  code: 'E605',
  message: 'the machine was stopped before the snapshot was complete',
  hint: 'ask again while all machines run',
}
const crowded: Diagnostic = {
  code: 'E605',
  message: `${mostAttempts} times another machine began a snapshot, or came back, before this one was complete`,
  hint: 'let one machine take all snapshots',
}

function noAnswer(silent: readonly string[], milliseconds: number): Diagnostic {
  return {
    code: 'E605',
    message: `no part of the snapshot came from ${silent.join(', ')} within ${milliseconds} ms`,
    hint: needsAll,
  }
}
