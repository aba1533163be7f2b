/** What a service is told when a process crashes that has asked it something. */
import type { Address } from './value.ts'

export interface ConnectionLost {
  readonly kind: typeof connectionLost
  readonly from: Address<never>
  /** How many requests the process had sent to the service, in all its lives: those are of a process that is gone. */
  readonly asked: number
  /** In its last life, what it was given and has settled. */
  readonly settled?: readonly number[]
}

export const connectionLost = 'connection.lost'
