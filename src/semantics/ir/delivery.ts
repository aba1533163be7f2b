/**
 * How messages travel between the machines of an IR program.
 *
 * With `mailbox` a send puts the message into the target's inbox, and others may come before each send and each creation: what PChecker
 * does. With the others handlers are atomic, and messages are under way between sending and arrival. Creations travel like messages
 * with them, so a created machine begins when its turn comes. Nothing makes creations go first: a monitor would notice.
 */
import type { NetworkName } from '../../core/operation.ts'
import { type Configuration, type Message, messageKey } from './configuration.ts'

export interface Delivery {
  readonly network: NetworkName
  /** Others may come before each send and each creation, and messages are never under way. */
  readonly interleaves: boolean
  /** Whether who knows of which messages decides what arrives. */
  readonly isCausal: boolean
  /** Messages that the network lets arrive now. */
  arriving(underWay: readonly Message[]): readonly Message[]
  /** What fairness asks to be served. */
  line(message: Message): string
  /** Messages under way, up to their numbers and to what does not matter to this network. */
  key(configuration: Configuration): string
}

export function deliveryOf(network: NetworkName): Delivery {
  switch (network) {
    case 'mailbox':
      return { ...inLines(network, () => ''), interleaves: true }
    case 'sender-queue':
      return inLines(network, bySender)
    case 'fifo':
      return inLines(network, byChannel)
    case 'bag':
      return bag
    case 'causal':
      return causal
  }
}

function bySender({ from }: Message): string {
  return `${from?.process ?? ''} sends`
}

function byChannel({ from, to }: Message): string {
  return `${from?.process ?? ''} sends to ${to.process}`
}

/** The first message of each line arrives next. */
function inLines(network: NetworkName, line: (message: Message) => string): Delivery {
  return {
    network,
    interleaves: false,
    isCausal: false,
    arriving: (underWay) => [...firstOfLines(underWay, line).values()],
    line,
    key: ({ underWay }) => linesText(underWay, line, messageKey),
  }
}

function firstOfLines(underWay: readonly Message[], line: (message: Message) => string): Map<string, Message> {
  const first = new Map<string, Message>()
  for (const message of underWay) {
    const name = line(message)
    if (!first.has(name)) first.set(name, message)
  }
  return first
}

/** Lines in the order of their names, each in its own order. */
function linesText(
  underWay: readonly Message[],
  line: (message: Message) => string,
  text: (message: Message) => string,
): string {
  const lines = new Map<string, string>()
  for (const message of underWay) lines.set(line(message), `${lines.get(line(message)) ?? ''}${text(message)} `)
  return [...lines.entries()]
    .map(([name, messages]) => `${name}: ${messages}`)
    .sort()
    .join(';')
}

/** Any message arrives next. */
const bag: Delivery = {
  network: 'bag',
  interleaves: false,
  isCausal: false,
  arriving: (underWay) => underWay,
  line: messageKey,
  key: ({ underWay }) => underWay.map(messageKey).sort().join(' '),
}

/** No message arrives before one to the same machine that its sender knew of when it sent. */
const causal: Delivery = {
  network: 'causal',
  interleaves: false,
  isCausal: true,
  arriving: (underWay) =>
    underWay.filter(
      (message) => !underWay.some(({ to, number }) => to === message.to && message.past.includes(number)),
    ),
  line: byChannel,
  key({ underWay, known }) {
    // A sender's messages under way are ordered, so a place among them names each.
    const names = new Map<number, string>()
    const counts = new Map<string, number>()
    for (const message of underWay) {
      const count = counts.get(bySender(message)) ?? 0
      counts.set(bySender(message), count + 1)
      names.set(message.number, `${message.from?.id ?? ''}.${count}`)
    }
    const named = (numbers: readonly number[]): string =>
      `{${numbers
        .map((one) => names.get(one))
        .sort()
        .join()}}`
    const messages = linesText(underWay, bySender, (message) => `${messageKey(message)}${named(message.past)}`)
    const knowing = [...known].filter(([, numbers]) => numbers.length > 0)
    return `${messages}|${knowing
      .map(([{ id }, numbers]) => `${id}${named(numbers)}`)
      .sort()
      .join()}`
  },
}
