/** The states of all machines of a running system and the messages under way between them, as plain data. */
import type { Params } from './setting.ts'
import type { Value } from './value.ts'

/** All that a machine knows; plain data, frozen. */
export interface LocalState {
  /** As the user's handlers see it. */
  readonly data: Value
  /** Timers that are set, sorted. */
  readonly timers: readonly string[]
  /** How many requests of the driver it has been given. */
  readonly requests: number
  /** How often it has crashed and come back. */
  readonly crashes: number
}

export interface Envelope {
  readonly from: string
  readonly to: string
  readonly message: Value
}

export const snapshotFormat = 'allways-snapshot/1'

/** `states` and `underWay` are what `Machines.from` takes. */
export interface Snapshot {
  readonly format: typeof snapshotFormat
  readonly system: string
  readonly params: Params
  /** Names, in the order of the states. */
  readonly machines: readonly string[]
  readonly states: readonly LocalState[]
  /** By sender and receiver, in the order they were sent. */
  readonly underWay: readonly Envelope[]
  /**
   * Messages that were sent before the snapshot and had come neither before nor until it was closed. They are not in `underWay`:
   * lost, or so slow that the snapshot treats them as lost. Each is counted once, in the first snapshot that it is missing in.
   */
  readonly missing: number
  /** ISO 8601. */
  readonly takenAt: string
}
