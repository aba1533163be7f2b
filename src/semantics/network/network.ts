/**
 * The contract of networks, operationally: messages to a process wait in sending order, and a receive may take a matching
 * message unless an earlier unread matching message *of the same network* holds it back (Must, Definitions 3.4–3.8).
 */
import type { NetworkName } from '../../core/operation.ts'
import type { Value } from '../../core/value.ts'
import { bag } from './bag.ts'
import { causal } from './causal.ts'
import { fifo } from './fifo.ts'
import { mailbox } from './mailbox.ts'
import { senderQueue } from './sender-queue.ts'

export interface Message {
  /** In sending order, from 0. */
  readonly number: number
  readonly from: string
  readonly to: string
  readonly value: Value
  readonly network: NetworkName
  /** Position of the sender in the execution's list of processes. */
  readonly sender: number
  /** How many events of each process happened before the send, itself included. */
  readonly clock: readonly number[]
  readonly notification: boolean
  /** Whether faults of the network concern it. */
  readonly travels: boolean
}

export interface Network {
  readonly name: NetworkName
  /** Both are unread, match, go to the same process over this network, and `earlier` was sent first. */
  holdsBack(earlier: Message, later: Message): boolean
  /** Also messages to other processes hold back, and those that a receive would not take. */
  readonly spansReceivers?: true
}

const networks: { readonly [name in NetworkName]: Network } = {
  bag,
  fifo,
  causal,
  mailbox,
  'sender-queue': senderQueue,
}

/** The matching messages that may be taken; `inbox` holds the unread messages of one process in sending order, `unread` those of all. */
export function deliverable(
  inbox: readonly Message[],
  matching: (message: Message) => boolean,
  unread: () => readonly Message[],
): Message[] {
  const candidates = inbox.filter(matching)
  return candidates.filter((later) => {
    const network = networks[later.network]
    const rivals = network.spansReceivers === true ? unread() : candidates
    return !rivals.some(
      (earlier) =>
        earlier.number < later.number && earlier.network === later.network && network.holdsBack(earlier, later),
    )
  })
}
