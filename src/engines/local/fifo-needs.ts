/**
 * Needs in a network that keeps the order between two machines: for each channel the messages still to be sent, in order.
 *
 * Read backwards, a consumption goes to the front of its channel and a sending serves the end of it. With loss, a message that
 * serves nothing was lost, and serving as much as possible is never worse. Without loss, what is consumed is a beginning of
 * what is sent: messages may be left under way only at the end, so once one has served (`settled`), all before it must. What a
 * machine sends to itself does not get lost.
 */

import { PairMap } from '../../collections/pair-map.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { anywhere, type Needs } from './needs.ts'

/** By channel. */
type Channels = ReadonlyMap<number, Channel>

interface Channel {
  /** Whether a message that was sent later has been consumed; without loss, all before it must be. */
  readonly settled: boolean
  /** Consumed after this point and not yet sent, in the order of sending. */
  readonly queue: readonly number[]
}

const untouched: Channel = { settled: false, queue: [] }

export class FifoNeeds implements Needs {
  readonly #interner = new SequenceInterner()
  /** By number of needs: what the interned sequence stands for. */
  readonly #decoded: Channels[] = []
  readonly #messages: Messages
  readonly #loses: boolean

  readonly ignoredMatter: boolean
  readonly #spaces: readonly LocalSpace[]
  /** Numbers of channels with what is needed of them; then by machine, state and such a number: can it be sent? */
  readonly #contents = new SequenceInterner()
  readonly #sendable: readonly PairMap[]

  constructor(spaces: readonly LocalSpace[], messages: Messages, loses: boolean) {
    this.#spaces = spaces
    this.#sendable = spaces.map(() => new PairMap())
    this.#messages = messages
    this.#loses = loses
    this.ignoredMatter = !messages.envelopes.every((_, message) => this.#mayLose(messages.channelOf(message)))
    this.#numberOf(new Map())
  }

  consumed(needs: number, message: number): number {
    return this.#numberOf(this.#withConsumed(this.#channels(needs), message))
  }

  before(needs: number, { consumed, sent }: Transition): readonly number[] {
    return this.#beforeAll(this.#channels(needs), sent).map((channels) =>
      this.#numberOf(consumed === noMessage ? channels : this.#withConsumed(channels, consumed)),
    )
  }

  metAtStart(needs: number): boolean {
    return this.#beforeAll(this.#channels(needs), this.#messages.atStart).some((channels) =>
      [...channels.values()].every(({ queue }) => queue.length === 0),
    )
  }

  within(smaller: number, larger: number): boolean {
    if (smaller === larger) return true
    const [less, more] = [this.#channels(smaller), this.#channels(larger)]
    const touched = new Set([...less.keys(), ...more.keys()])
    return [...touched].every((channel) => {
      const [left, right] = [less.get(channel) ?? untouched, more.get(channel) ?? untouched]
      if (this.#mayLose(channel)) return isSubsequence(left.queue, right.queue)
      return left.settled === right.settled && sameQueue(left.queue, right.queue)
    })
  }

  messages(needs: number): readonly number[] {
    return [...this.#channels(needs).values()].flatMap(({ queue }) => queue)
  }

  canBeInOrder(needs: number, states: readonly number[]): boolean {
    for (const [channel, content] of this.#channels(needs)) {
      const machine = this.#messages.senders[content.queue[0] ?? -1] ?? -1
      const state = states[machine] ?? anywhere
      if (state !== anywhere && !this.#canSend(machine, state, channel, content)) return false
    }
    return true
  }

  #canSend(machine: number, state: number, channel: number, content: Channel): boolean {
    const number = this.#contents.intern([channel, content.settled ? 1 : 0, ...content.queue])
    const sendable = this.#sendable[machine] as PairMap
    const known = sendable.get(state, number)
    if (known !== undefined) return known === 1
    const result = this.#findSending(machine, state, channel, content)
    sendable.set(state, number, result ? 1 : 0)
    return result
  }

  /** Goes back through the states of the sender alone, until all that is needed was sent. */
  #findSending(machine: number, from: number, channel: number, content: Channel): boolean {
    const space = this.#spaces[machine] as LocalSpace
    const waiting: { readonly state: number; readonly content: Channel }[] = []
    const met = new Set<string>()
    const enter = (state: number, next: Channel) => {
      const key = `${state} ${next.queue.length} ${next.settled}`
      if (met.has(key)) return
      met.add(key)
      waiting.push({ state, content: next })
    }
    enter(from, content)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.content.queue.length === 0) return true
      if (next.state === startState && this.#servedBy(channel, [next.content], this.#messages.atStart).some(isServed))
        return true
      for (const { from: before, sent } of space.into[next.state] ?? [])
        for (const rest of this.#servedBy(channel, [next.content], sent)) enter(before, rest)
    }
    return false
  }

  /** What is needed of the channel before these are sent; once that is nothing, what was sent still earlier is another question. */
  #servedBy(channel: number, contents: readonly Channel[], sent: readonly number[]): readonly Channel[] {
    let found = contents
    for (let at = sent.length - 1; at >= 0; at--) {
      const message = sent[at] as number
      if (this.#messages.channelOf(message) === channel) found = found.flatMap((each) => this.#beforeOne(each, message))
      if (found.some(isServed)) return found
    }
    return found
  }

  #withConsumed(channels: Channels, message: number): Channels {
    const channel = this.#messages.channelOf(message)
    const { settled, queue } = channels.get(channel) ?? untouched
    return new Map(channels).set(channel, { settled, queue: [message, ...queue] })
  }

  #beforeAll(channels: Channels, sent: readonly number[]): readonly Channels[] {
    let found: readonly Channels[] = [channels]
    for (let at = sent.length - 1; at >= 0; at--) {
      const message = sent[at] as number
      const channel = this.#messages.channelOf(message)
      found = found.flatMap((each) =>
        this.#beforeOne(each.get(channel) ?? untouched, message).map((before) => new Map(each).set(channel, before)),
      )
    }
    return found
  }

  #beforeOne({ settled, queue }: Channel, message: number): readonly Channel[] {
    const serves = queue.at(-1) === message
    if (this.#mayLose(this.#messages.channelOf(message)))
      return [{ settled, queue: serves ? queue.slice(0, -1) : queue }]
    const found: Channel[] = settled ? [] : [{ settled, queue }]
    return serves ? [...found, { settled: true, queue: queue.slice(0, -1) }] : found
  }

  #mayLose(channel: number): boolean {
    return this.#loses && !this.#messages.isToItself(channel)
  }

  #channels(needs: number): Channels {
    return this.#decoded[needs] as Channels
  }

  #numberOf(channels: Channels): number {
    const kept = [...channels].filter(([, { settled, queue }]) => settled || queue.length > 0)
    kept.sort(([left], [right]) => left - right)
    const number = this.#interner.intern(
      kept.flatMap(([channel, { settled, queue }]) => [channel, settled ? 1 : 0, queue.length, ...queue]),
    )
    this.#decoded[number] ??= new Map(kept)
    return number
  }
}

function isServed({ queue }: Channel): boolean {
  return queue.length === 0
}

function isSubsequence(short: readonly number[], long: readonly number[]): boolean {
  let at = 0
  for (const element of long) if (short[at] === element) at++
  return at === short.length
}

function sameQueue(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((element, at) => element === right[at])
}
