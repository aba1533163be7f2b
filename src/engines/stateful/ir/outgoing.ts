/**
 * What a machine has sent and nobody has received yet, as one number per sender, 0 for nothing: equal numbers for equal contents. Which of it may arrive
 * next is a matter of the network, and of that sender alone. Entries are numbers of (target, message).
 */
import { PairTable } from '../../../collections/pair-table.ts'
import { SequenceInterner } from '../../../collections/sequence-interner.ts'

export interface Outgoing {
  add(outgoing: number, entry: number): number
  /** What may arrive next, and what is left then: entry, rest, entry, rest … */
  arriving(outgoing: number): readonly number[]
  /** Without what is for a machine that has halted. */
  without(outgoing: number, isFor: (entry: number) => boolean): number
  /** All of it; in the order of sending, where that decides what arrives. */
  entries(outgoing: number): readonly number[]
}

const nothing: readonly number[] = []

/** One queue, whoever its messages are for. */
export class SenderQueues implements Outgoing {
  /** A queue is the queue before its last entry and that entry; number 0 is none. */
  readonly #queues = new PairTable()
  /** By queue: its first entry and the rest, as they are asked for. */
  readonly #arriving: (readonly number[])[] = [nothing]

  constructor() {
    this.#queues.intern(-1, -1)
  }

  add(outgoing: number, entry: number): number {
    const queue = this.#queues.intern(outgoing, entry)
    if (queue === this.#arriving.length) {
      const [first = entry, rest] = this.#arriving[outgoing] as readonly number[]
      // Reserved first: what is left of it may be a queue that is met here for the first time.
      this.#arriving.push(nothing)
      this.#arriving[queue] = [first, rest === undefined ? 0 : this.add(rest, entry)]
    }
    return queue
  }

  arriving(outgoing: number): readonly number[] {
    return this.#arriving[outgoing] as readonly number[]
  }

  without(outgoing: number, isFor: (entry: number) => boolean): number {
    let kept = 0
    for (const entry of this.entries(outgoing)) if (!isFor(entry)) kept = this.add(kept, entry)
    return kept
  }

  entries(outgoing: number): readonly number[] {
    const entries: number[] = []
    for (let queue = outgoing; queue !== 0; queue = this.#queues.left(queue)) entries.push(this.#queues.right(queue))
    return entries.reverse()
  }
}

/** Entries in an order that says nothing: of what arrives in any order all entries that differ may come next. */
export class Bags implements Outgoing {
  readonly #bags = new SequenceInterner()
  readonly #arriving: (readonly number[] | undefined)[] = []

  constructor() {
    this.#bags.intern([])
  }

  add(outgoing: number, entry: number): number {
    return this.#bags.intern([...this.#bags.at(outgoing), entry].sort((left, right) => left - right))
  }

  arriving(outgoing: number): readonly number[] {
    const known = this.#arriving[outgoing]
    if (known !== undefined) return known
    const entries = this.#bags.at(outgoing)
    const found = entries.flatMap((entry, at) =>
      entry === entries[at - 1] ? [] : [entry, this.#bags.intern(entries.toSpliced(at, 1))],
    )
    this.#arriving[outgoing] = found
    return found
  }

  without(outgoing: number, isFor: (entry: number) => boolean): number {
    return this.#bags.intern(this.#bags.at(outgoing).filter((entry) => !isFor(entry)))
  }

  entries(outgoing: number): readonly number[] {
    return this.#bags.at(outgoing)
  }
}

/** A queue for each target: entries in sending order, of which only the order among those of one target counts. */
export class Channels implements Outgoing {
  readonly #channels = new SequenceInterner()
  readonly #arriving: (readonly number[] | undefined)[] = []
  readonly #targetOf: (entry: number) => number

  constructor(targetOf: (entry: number) => number) {
    this.#targetOf = targetOf
    this.#channels.intern([])
  }

  add(outgoing: number, entry: number): number {
    const entries = this.#channels.at(outgoing)
    const target = this.#targetOf(entry)
    const behind = entries.findIndex((one) => this.#targetOf(one) > target)
    return this.#channels.intern(entries.toSpliced(behind < 0 ? entries.length : behind, 0, entry))
  }

  arriving(outgoing: number): readonly number[] {
    const known = this.#arriving[outgoing]
    if (known !== undefined) return known
    const entries = this.#channels.at(outgoing)
    const found = entries.flatMap((entry, at) => {
      const before = entries[at - 1]
      const isFirst = before === undefined || this.#targetOf(before) !== this.#targetOf(entry)
      return isFirst ? [entry, this.#channels.intern(entries.toSpliced(at, 1))] : []
    })
    this.#arriving[outgoing] = found
    return found
  }

  without(outgoing: number, isFor: (entry: number) => boolean): number {
    return this.#channels.intern(this.#channels.at(outgoing).filter((entry) => !isFor(entry)))
  }

  entries(outgoing: number): readonly number[] {
    return this.#channels.at(outgoing)
  }
}
