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
  /** Of a machine that another one created. */
  readonly origin?: Origin | undefined
  /** How many machines it has created, by name. */
  readonly created?: { readonly [name: string]: number } | undefined
}

/** What a created machine is, beside its state: the same name may stand for another machine in another execution. */
export interface Origin {
  readonly name: string
  /** Number of its kind, in the order in which kinds were met. */
  readonly kind: number
  readonly args: Value
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
  /** Calls of abstract objects that machines have announced, in an order that they can have had. Of a system that refines one. */
  readonly calls?: readonly { readonly by: string; readonly call: Value }[] | undefined
  /** Why there are none, though the system refines an object. */
  readonly callsUnknown?: string | undefined
  /** ISO 8601. */
  readonly takenAt: string
}
