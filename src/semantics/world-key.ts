/**
 * The state of a world as text. A process is a function of its answers, so its answers are its state; who spawned it with which
 * arguments is in the answers of its parent. Beside them count the messages that nobody has received, and what each network
 * remembers of their order.
 *
 * Processes that expose all they know are known by that while they wait for a message, and messages by what they say and by their order:
 * so a state can be met again.
 */
import type { Operation } from '../core/operation.ts'
import { encodeInOrder, type Value } from '../core/value.ts'
import type { Message } from './network/network.ts'
import type { ProcessHistory } from './process-in-world.ts'
import type { World } from './world.ts'

export function worldKey(world: World, isExposing: boolean): string {
  const { unread, clocks } = world.underWay()
  const exposed = isExposing ? world.announcements() : new Map()
  const processes = world.histories().map((history) => processText(history, exposed.get(history.start.id)))
  const nameOf = isExposing ? namesByContent(unread) : nameBySend
  const messages = unread.map((message) => `${nameOf(message)}>${JSON.stringify(message.to)}`)
  const order = [queuesOf(unread, nameOf), knowledge(unread, clocks, nameOf)]
  return [processes.sort(), messages.sort(), ...order].map(String).join('|')
}

/** Whether a process waits for a message, so that it is known by what it exposed. */
export function isAtRest({ pending }: Pick<ProcessHistory, 'pending'>): boolean {
  return pending?.kind === 'receive' || pending?.kind === 'poll'
}

function processText(history: ProcessHistory, exposed: Value | undefined): string {
  const { start, performed } = history
  if (exposed !== undefined && isAtRest(history)) return `${JSON.stringify(start.id)}=${encodeInOrder(exposed)}`
  return `${JSON.stringify(start.id)}(${performed.map(({ operation, answer }) => answerText(operation, answer)).join()})`
}

/** Options may be anything, so that those are told apart by position. */
function answerText({ kind, payload }: Operation, answer: unknown): string {
  if (kind !== 'choose') return encodeInOrder(answer as Value)
  return String((payload as readonly unknown[]).findIndex((option) => Object.is(option, answer)))
}

type NameOf = (message: Message) => string

/** By what it says, and where order shows by how many of its kind come before it. */
function namesByContent(unread: readonly Message[]): NameOf {
  const names = new Map<Message, string>()
  const counts = new Map<string, number>()
  for (const message of unread) {
    const { from, to, network, value } = message
    const isPairwise = network === 'fifo' || network === 'mailbox'
    const queue = JSON.stringify(isPairwise ? [network, from, to] : [network, from])
    const before = counts.get(queue) ?? 0
    counts.set(queue, before + 1)
    names.set(message, `${queue}${network === 'bag' ? '' : before}${encodeInOrder(value)}`)
  }
  return (message) => names.get(message) as string
}

/** A message is named by its send, which is the same event in every order; its value follows from the sender's answers. */
function nameBySend({ from, sender, clock }: Message): string {
  return `${JSON.stringify(from)}.${clock[sender]}`
}

/** Mailboxes keep the order of sending; among messages of one process it follows from the names. */
function queuesOf(unread: readonly Message[], nameOf: NameOf): readonly string[] {
  const queues = new Map<string, string>()
  for (const message of unread.filter(({ network }) => network === 'mailbox')) {
    queues.set(message.to, `${queues.get(message.to) ?? JSON.stringify(message.to)}<${nameOf(message)}`)
  }
  return [...queues.values()].sort()
}

/**
 * Which processes and messages come after an unread message of the causal network: it may hold back what they lead to. What
 * comes after messages that have been received makes no difference any more.
 */
function knowledge(
  unread: readonly Message[],
  clocks: ReadonlyMap<string, readonly number[]>,
  nameOf: NameOf,
): readonly string[] {
  const causal = unread.filter(({ network }) => network === 'causal')
  return causal
    .map((message) => {
      const isKnown = (clock: readonly number[]): boolean =>
        (clock[message.sender] ?? 0) >= (message.clock[message.sender] ?? 0)
      const processes = [...clocks].filter(([, clock]) => isKnown(clock)).map(([process]) => JSON.stringify(process))
      const messages = unread.filter(({ clock }) => isKnown(clock)).map(nameOf)
      return `${nameOf(message)}:${[...processes, ...messages].sort()}`
    })
    .sort()
}
