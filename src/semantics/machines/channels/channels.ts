/**
 * What is under way between machines, as a value, for each network: all that searches and traces know of a network.
 *
 * Loss and duplicates need no steps of their own. A message that is lost is one that stays under way for ever or, where order
 * shows it, one that vanishes when something is delivered that it would hold back; a duplicate is delivered or was never sent. What
 * machines can come to is the same as if faults had struck when messages were sent (`runnable.ts`), with fewer states.
 */
import { mostOf } from '../../../core/faults.ts'
import type { NetworkName } from '../../../core/operation.ts'
import type { Machines } from '../../../program/machines.ts'
import { BagChannels } from './bag.ts'
import { BudgetedChannels } from './budgeted.ts'
import { ByzantineChannels, type Said } from './byzantine.ts'
import { CausalChannels } from './causal.ts'
import { MailboxChannels } from './mailbox.ts'
import { QueueChannels } from './queues.ts'

/** Messages are small numbers to those who carry them; so are machines. */
export interface Carried {
  from(message: number): number
  to(message: number): number
  /** Equal for messages that cannot be told apart. */
  content(message: number): number
}

/** How many messages got lost and were duplicated; losses are counted only where they are bounded. */
export interface Spending {
  readonly losses: number
  readonly duplicates: number
}

export interface Delivery<UnderWay> {
  readonly message: number
  /** What is under way afterwards, before the receiver has sent anything. */
  readonly after: UnderWay
  readonly spends: Spending
  /** Whether a liar says it, which could be left unsaid: all that can follow can follow without it, unless the receiver takes notice. */
  readonly isSaid?: boolean
}

/** `UnderWay` is the network's own and never changed; equal keys say that equal things can follow. */
export interface Channels<UnderWay = unknown> {
  readonly nothing: UnderWay
  /** After these were sent, in this order. */
  put(underWay: UnderWay, messages: readonly number[]): UnderWay
  /** After a machine has begun another: it knows what its creator knows. */
  begun(underWay: UnderWay, creator: number, created: number): UnderWay
  /** What can be delivered next; of messages that cannot be told apart, and leave the same behind, one. */
  deliveries(underWay: UnderWay): readonly Delivery<UnderWay>[]
  /** Messages of which a copy is under way. */
  messages(underWay: UnderWay): ReadonlySet<number>
  key(underWay: UnderWay): string
  /** The same with machines that have changed places. */
  renamed(underWay: UnderWay, to: Renamed): UnderWay
}

/** What becomes of the numbers of machines and of messages where machines change places. */
export interface Renamed {
  machine(machine: number): number
  message(message: number): number
}

/** A machine that another one began. */
interface Beginning {
  readonly creator: number
  readonly created: number
}

/** What an event brings about: messages and machines, in order. */
export type Act = number | Beginning

export function performed(channels: Channels, underWay: unknown, acts: readonly Act[]): unknown {
  return acts.reduce<unknown>((before, act) => {
    return typeof act === 'number' ? channels.put(before, [act]) : channels.begun(before, act.creator, act.created)
  }, underWay)
}

interface NetworkOfMachines {
  /** Whether something may have to wait for a message: only then can a lost one be told from one that is slow. */
  readonly holdsBack: boolean
  /** Whether it shows in which order different machines sent. */
  readonly sendingOrderShows: boolean
  readonly channels: (carried: Carried, machines: Pick<Machines, 'faults'>) => Channels
}

const networks: { readonly [name in NetworkName]: NetworkOfMachines } = {
  bag: {
    holdsBack: false,
    sendingOrderShows: false,
    channels: (carried, machines) => new BagChannels(carried, machines),
  },
  fifo: {
    holdsBack: true,
    sendingOrderShows: false,
    channels: (carried, machines) =>
      new QueueChannels(carried, machines, (message) => `${carried.from(message)}>${carried.to(message)}`),
  },
  causal: {
    holdsBack: true,
    sendingOrderShows: false,
    channels: (carried, machines) => new CausalChannels(carried, machines),
  },
  mailbox: {
    holdsBack: true,
    sendingOrderShows: true,
    channels: (carried, machines) => new MailboxChannels(carried, machines),
  },
  'sender-queue': {
    holdsBack: true,
    sendingOrderShows: false,
    channels: (carried, machines) => new QueueChannels(carried, machines, (message) => String(carried.from(message))),
  },
}

export function networkOf(name: NetworkName): NetworkOfMachines {
  return networks[name]
}

export function channelsOf(
  machines: Pick<Machines, 'network' | 'faults'>,
  carried: Carried,
  said?: Said | undefined,
): Channels {
  const { network, faults } = machines
  const channels = networks[network].channels(carried, machines)
  const losses = mostOf(faults, 'losses')
  const isBounded = (losses > 0 && Number.isFinite(losses)) || mostOf(faults, 'duplicates') > 0
  const bounded = isBounded ? new BudgetedChannels(channels, machines) : channels
  return said === undefined ? bounded : new ByzantineChannels(bounded, said)
}
