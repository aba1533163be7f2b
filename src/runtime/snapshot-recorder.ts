/**
 * One machine's part in a consistent snapshot: Chandy and Lamport, "Distributed Snapshots" (TOCS 1985), for channels that lose
 * and reorder. LMC §3.3 needs one: the checker restarts from the live state of the system.
 *
 * Where it departs, and why. Markers cannot separate messages that overtake them, so every message carries the latest
 * snapshot that its sender has recorded (Lai and Yang, "On Distributed Snapshots", IPL 1987): a machine that gets one from
 * beyond a snapshot records its own state first. The marker says how many messages were sent before it; the channel is empty
 * when all of those have come. Markers are repeated until they are answered. A message that is lost would be waited for in
 * vain: after a grace the channel counts as empty, and the snapshot says how many were missing. A machine that begins a new
 * life has forgotten that it took part, unless it keeps its state: each part says which lives it speaks of, and all parts
 * must agree.
 *
 * Guaranteed: no state in the snapshot knows of a message that its sender has not yet sent in it, and none like that is under
 * way. Every message sent and not received in the snapshot is under way in it, or was missing in it or in an earlier one,
 * complete or not; or it was sent by or to an earlier life, or could not be sent and was counted as `unsendable`. What is not
 * under way counts as lost: the snapshot is a state that a network which loses it can reach.
 */
import type { Value } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { LocalState } from '../program/machines.ts'
import { fieldsOf, isCount, jsonOfBytes } from './body.ts'
import type { Mark } from './channel.ts'
import type { ArrivedMessage, RuntimeNetwork } from './network.ts'
import { type PartCalls, partBytes, type SnapshotPart } from './snapshot.ts'
import { initiatorOf } from './snapshot-id.ts'
import { largestPart, OutgoingParcel } from './snapshot-parcel.ts'
import type { Frame } from './wire.ts'

export interface RecorderOptions {
  readonly self: number
  readonly machines: number
  readonly network: Pick<
    RuntimeNetwork,
    'mark' | 'cutOf' | 'incarnationOf' | 'awaited' | 'missing' | 'giveUp' | 'sendControl' | 'limit'
  >
  /** The latest snapshot that an earlier life of the machine took part in. */
  readonly earlier: number
  /** How long a channel waits for messages that its marker speaks of. */
  readonly graceMilliseconds: number
  /** How long markers are repeated to a machine that does not answer. */
  readonly patienceMilliseconds: number
  state(): LocalState
  /** Messages to oneself that have not been handled. */
  local(): readonly Value[]
  /** What was announced until now, if somebody asks for it. */
  calls?(): PartCalls | undefined
  /** Called before other machines are told that the state was recorded; false if they must not be told. */
  recorded(id: number): boolean
  /** Called at the initiator, when its own part is done. */
  done(id: number, part: Buffer): void
}

interface OpenChannel {
  /** Number of the last message before the marker; undefined until the marker comes. */
  cut: number | undefined
  /** Runs from the marker on; cleared when the channel or the recording ends. */
  grace: NodeJS.Timeout | undefined
}

interface Recording {
  readonly id: number
  readonly state: LocalState
  readonly calls: PartCalls | undefined
  readonly underWay: SnapshotPart['underWay'][number][]
  /** Bytes of what has come under way. A part that would be too large to be sent is given up. */
  underWayBytes: number
  /** Incoming channels that may still hold messages. */
  readonly open: Map<number, OpenChannel>
  /** Outgoing channels whose marker has not been answered. */
  readonly unanswered: Map<number, Mark>
  readonly retry: NodeJS.Timeout
  readonly giveUp: NodeJS.Timeout
  /** Of all machines: this one's, and those of others when their channels were found empty. */
  readonly incarnations: number[]
  /** Messages that were sent before the snapshot and given up. */
  missing: number
  /** Made once all channels are empty; sent until the initiator has all of it. */
  parcel: OutgoingParcel | undefined
}

const retryMilliseconds = 40

export class SnapshotRecorder {
  readonly #options: RecorderOptions
  /** Only ever grows, also over lives of the machine if it keeps its state. */
  #latest: number
  /** Invariant: its timers run if and only if it is set here; `stop` ends both. */
  #recording: Recording | undefined
  /** Of the latest recording, kept after its end for `silent`. */
  #unanswered: ReadonlyMap<number, unknown> = new Map()

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#latest = options.earlier
  }

  /** The latest snapshot for which the state was recorded; messages carry it. */
  get latest(): number {
    return this.#latest
  }

  /** Part of a snapshot that is not complete, as far as is known here. */
  get isBusy(): boolean {
    return this.#recording !== undefined
  }

  /** Machines that have not answered the marker of the latest snapshot; known also after it was given up. */
  get silent(): readonly number[] {
    return [...this.#unanswered.keys()]
  }

  /** To be called before the message is handled. */
  arriving({ from, sequence, snapshot, message, size }: ArrivedMessage): void {
    if (snapshot > this.#latest) this.record(snapshot)
    const recording = this.#recording
    if (recording === undefined || !recording.open.has(from)) return
    if (snapshot < recording.id) {
      recording.underWay.push({ from, sequence, message: valueToJson(message) })
      recording.underWayBytes += size
      if (recording.underWayBytes > largestPart) return this.stop()
    }
    this.#settle(recording, from)
  }

  /** Records the state and tells all machines. A later snapshot ends an earlier one that is not complete. */
  record(id: number): void {
    const { self, machines, network, patienceMilliseconds } = this.#options
    this.stop()
    this.#latest = id
    if (!this.#options.recorded(id)) return
    const others = Array.from({ length: machines }, (_, number) => number).filter((number) => number !== self)
    const recording: Recording = {
      id,
      state: this.#options.state(),
      calls: this.#options.calls?.(),
      underWay: this.#options
        .local()
        .map((message, at) => ({ from: self, sequence: at, message: valueToJson(message) })),
      underWayBytes: 0,
      open: new Map(others.map((from) => [from, { cut: undefined, grace: undefined }])),
      unanswered: new Map(others.map((to) => [to, network.mark(to)])),
      retry: setInterval(() => this.#repeat(recording), retryMilliseconds),
      giveUp: setTimeout(() => this.stop(), patienceMilliseconds),
      incarnations: Array.from({ length: machines }, (_, number) => network.incarnationOf(number)),
      missing: 0,
      parcel: undefined,
    }
    this.#recording = recording
    this.#unanswered = recording.unanswered
    this.#repeat(recording)
    this.#finish(recording)
  }

  control(frame: Frame): void {
    const recording = this.#recording?.id === frame.snapshot ? this.#recording : undefined
    switch (frame.kind) {
      case 'marker':
        this.#marker(frame)
        break
      case 'marked':
        recording?.unanswered.delete(frame.from)
        if (recording !== undefined) this.#rest(recording)
        break
      case 'reported':
        recording?.parcel?.received(frame.body)
        if (recording !== undefined) this.#rest(recording)
        break
    }
  }

  /** A machine has begun a new life. What its earlier one said about its channel does not hold for the new one. */
  renewed(from: number): void {
    const recording = this.#recording
    if (
      recording?.open.has(from) === true ||
      (recording !== undefined && initiatorOf(recording.id) === this.#options.self)
    )
      this.stop()
  }

  stop(): void {
    const recording = this.#recording
    if (recording === undefined) return
    clearInterval(recording.retry)
    clearTimeout(recording.giveUp)
    for (const { grace } of recording.open.values()) clearTimeout(grace)
    this.#recording = undefined
  }

  #marker({ from, snapshot, body }: Frame): void {
    const cut = fieldsOf(jsonOfBytes(body)?.json)?.cut
    if (!isCount(cut)) return
    if (snapshot > this.#latest) this.record(snapshot)
    this.#options.network.sendControl(from, 'marked', snapshot, Buffer.alloc(0))
    const recording = this.#recording
    const channel = recording?.id === snapshot ? recording.open.get(from) : undefined
    if (recording === undefined || channel === undefined || channel.cut !== undefined) return
    channel.cut = cut
    channel.grace = setTimeout(() => this.#close(recording, from), this.#options.graceMilliseconds)
    this.#settle(recording, from)
  }

  #settle(recording: Recording, from: number): void {
    const cut = recording.open.get(from)?.cut
    if (cut !== undefined && this.#options.network.awaited(from, cut) === 0) this.#close(recording, from)
  }

  #close(recording: Recording, from: number): void {
    const channel = recording.open.get(from)
    if (channel === undefined || recording !== this.#recording) return
    clearTimeout(channel.grace)
    const { network } = this.#options
    recording.missing += network.missing(from, channel.cut ?? 0)
    network.giveUp(from, channel.cut ?? 0)
    recording.incarnations[from] = network.incarnationOf(from)
    recording.open.delete(from)
    this.#finish(recording)
  }

  #finish(recording: Recording): void {
    if (recording.open.size > 0 || recording.parcel !== undefined) return
    const { self, network, done } = this.#options
    const part = partBytes(recording)
    if (part.length > largestPart) return this.stop()
    const initiator = initiatorOf(recording.id)
    const isInitiator = initiator === self
    const send = (body: Buffer): void => network.sendControl(initiator, 'report', recording.id, body)
    recording.parcel = new OutgoingParcel(isInitiator ? Buffer.alloc(0) : part, network.limit, send)
    if (isInitiator) done(recording.id, part)
    else recording.parcel.send()
    this.#rest(recording)
  }

  #repeat(recording: Recording): void {
    const { network } = this.#options
    for (const [to, mark] of recording.unanswered) {
      const cut = network.cutOf(to, mark)
      if (cut !== undefined) network.sendControl(to, 'marker', recording.id, Buffer.from(JSON.stringify({ cut })))
    }
    recording.parcel?.send()
  }

  /** Nothing more to do for this one. */
  #rest(recording: Recording): void {
    if (recording.unanswered.size === 0 && recording.parcel?.isReceived === true && recording === this.#recording)
      this.stop()
  }
}
