/**
 * Which message each delivery of an execution delivers, and how many copies of each message arrive. Equal messages are told apart
 * here, and which of them it was may show only later: so ways to deliver are tried until one goes through to the end.
 */
import type { Envelope, Machines } from '../../program/machines.ts'
import { type Act, type Channels, channelsOf, type Delivery, performed } from './channels/channels.ts'
import { saidBy } from './sayings.ts'

/** A message that was sent; its place in the list of all is its number. */
export interface Sending {
  /** Equal for equal messages between the same machines. */
  readonly key: string
  readonly from: number
  readonly to: number
  readonly envelope: Envelope
}

/** What passes the network by one event of a machine. */
export interface Passage {
  /** The key of what it receives. */
  readonly received: string | undefined
  /** What it sends and begins afterwards, and what is sent by those that it began. */
  readonly acts: readonly Act[]
}

export interface Matched {
  /** In the order of deliveries: which message, and which of its copies. */
  readonly received: readonly { readonly sending: number; readonly copy: number }[]
  /** How many copies of each message are decided to arrive. */
  readonly arriving: readonly number[]
}

export interface MatchedExecution {
  readonly machines: Pick<Machines, 'network' | 'faults' | 'byzantine'>
  /** First those of what Byzantine machines may say, in order; then what was sent. */
  readonly sendings: readonly Sending[]
  /** Numbers of what is under way at the start. */
  readonly begun: readonly number[]
  readonly passages: readonly Passage[]
}

/** Nothing, if the network does not deliver like this. */
export function matched({ machines, sendings, begun, passages }: MatchedExecution): Matched | undefined {
  const contents = new Map<string, number>()
  for (const { key } of sendings) if (!contents.has(key)) contents.set(key, contents.size)
  const carried = {
    from: (message: number) => (sendings[message] as Sending).from,
    to: (message: number) => (sendings[message] as Sending).to,
    content: (message: number) => contents.get((sendings[message] as Sending).key) as number,
  }
  const { byzantine } = machines
  const said = saidBy(
    byzantine,
    (saying) => byzantine?.sayings.indexOf(saying) as number,
    (message) => (sendings[message] as Sending).envelope,
  )
  const channels = channelsOf(machines, carried, said)
  const ways = wayThrough(channels, passages, {
    start: channels.put(channels.nothing, begun),
    isWanted: (message, key) => sendings[message]?.key === key,
  })
  if (ways === undefined) return undefined
  const delivered = sendings.map(() => 0)
  const received = ways.delivered.map((sending) => {
    const copy = delivered[sending] as number
    delivered[sending] = copy + 1
    return { sending, copy }
  })
  const left = channels.messages(ways.left)
  // One that no machine received is still under way, unless it vanished.
  const arriving = delivered.map((count, sending) => Math.max(count, left.has(sending) ? 1 : 0))
  return { received, arriving }
}

interface Attempt {
  readonly start: unknown
  readonly isWanted: (message: number, key: string) => boolean
}

interface Ways {
  readonly delivered: readonly number[]
  readonly left: unknown
}

/** One event of the way, with what else could have been delivered by it. */
interface Crossing {
  readonly before: unknown
  readonly options: readonly Pick<Delivery<unknown>, 'message' | 'after'>[]
  next: number
}

const noMessage = -1

function wayThrough(channels: Channels, passages: readonly Passage[], { start, isWanted }: Attempt): Ways | undefined {
  /** Where no way leads to the end. */
  const hopeless = new Set<string>()
  const crossings: Crossing[] = []
  let underWay = start
  const keyAt = (value: unknown) => `${crossings.length}|${channels.key(value)}`
  while (crossings.length < passages.length) {
    const { received } = passages[crossings.length] as Passage
    const options =
      received === undefined
        ? [{ message: noMessage, after: underWay }]
        : channels.deliveries(underWay).filter(({ message }) => isWanted(message, received))
    const isHopeless = hopeless.size > 0 && hopeless.has(keyAt(underWay))
    crossings.push({ before: underWay, options: isHopeless ? [] : options, next: 0 })
    for (
      let crossing = crossings.at(-1);
      crossing !== undefined && crossing.next >= crossing.options.length;
      crossing = crossings.at(-1)
    ) {
      crossings.pop()
      hopeless.add(keyAt(crossing.before))
    }
    const crossing = crossings.at(-1)
    if (crossing === undefined) return undefined
    const taken = crossing.options[crossing.next++] as Crossing['options'][number]
    underWay = performed(channels, taken.after, (passages[crossings.length - 1] as Passage).acts)
  }
  const delivered = crossings.map(({ options, next }) => options[next - 1]?.message ?? noMessage)
  return { delivered: delivered.filter((message) => message !== noMessage), left: underWay }
}
