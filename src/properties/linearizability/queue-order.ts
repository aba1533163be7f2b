/**
 * A likely order of the values of a queue: one in which both enqueues and dequeues can follow each other. A search that tries
 * enqueues in this order rarely has to come back; in any other it notices a wrong guess only when the value comes out, and has
 * then to go through all that happened in between.
 *
 * Values are taken one by one: next is any that no remaining value must precede, neither going in nor coming out. Where values
 * are repeated the first to go in is taken to be the first to come out. If there is no next value, time of leaving decides.
 */
import type { Call } from '../../core/history.ts'
import { encodeValue } from '../../core/value.ts'

/** Ranks of calls for a search: dequeues first, then enqueues in the likely order of their values. */
export function queueRanks(calls: readonly Call[]): readonly number[] {
  const ranks = calls.map(() => -1)
  for (const [rank, { put }] of likelyOrder(passagesOf(calls)).entries()) ranks[put] = rank
  return ranks
}

/** A value on its way through: when it can have gone in and come out. */
interface Passage {
  readonly put: number
  readonly in: Span
  readonly out: Span
  obstacles: number
}

interface Span {
  readonly from: number
  readonly to: number
}

const never: Span = { from: Number.MAX_VALUE, to: Number.POSITIVE_INFINITY }

function passagesOf(calls: readonly Call[]): readonly Passage[] {
  const taken = new Map<string, Span[]>()
  for (const { operation, result, invoked, returned } of calls) {
    if (operation !== 'dequeue' || result.kind !== 'returned') continue
    const name = encodeValue(result.value)
    const spans = taken.get(name) ?? []
    spans.push({ from: invoked, to: returned })
    taken.set(name, spans)
  }
  for (const spans of taken.values()) spans.sort((left, right) => right.to - left.to)
  return [...calls.entries()]
    .filter(([, { operation }]) => operation === 'enqueue')
    .map(([put, { args, invoked, returned }]) => {
      const out = taken.get(encodeValue(args[0]))?.pop() ?? never
      return { put, in: { from: invoked, to: returned }, out, obstacles: 2 }
    })
}

function likelyOrder(passages: readonly Passage[]): readonly Passage[] {
  const placed = new Set<Passage>()
  const ready: Passage[] = []
  const admit = (passage: Passage): void => {
    passage.obstacles--
    if (passage.obstacles === 0) ready.push(passage)
  }
  const entering = new Sweep(passages, (passage) => passage.in, admit)
  const leaving = new Sweep(passages, (passage) => passage.out, admit)
  while (placed.size < passages.length) {
    entering.advance(placed)
    leaving.advance(placed)
    let next = ready.pop()
    while (next !== undefined && placed.has(next)) next = ready.pop()
    next ??= leaving.firstToEnd(placed)
    if (next !== undefined) placed.add(next)
  }
  return [...placed]
}

/** Admits spans that begin before every remaining one has ended. */
class Sweep {
  /** The same passages, sorted twice. `#started` and `#ended` are positions in them, and only ever move forward. */
  readonly #byStart: readonly Passage[]
  readonly #byEnd: readonly Passage[]
  readonly #spanOf: (passage: Passage) => Span
  readonly #admit: (passage: Passage) => void
  #started = 0
  #ended = 0

  constructor(passages: readonly Passage[], spanOf: (passage: Passage) => Span, admit: (passage: Passage) => void) {
    this.#byStart = [...passages].sort((left, right) => spanOf(left).from - spanOf(right).from)
    this.#byEnd = [...passages].sort((left, right) => compare(spanOf(left).to, spanOf(right).to))
    this.#spanOf = spanOf
    this.#admit = admit
  }

  firstToEnd(placed: ReadonlySet<Passage>): Passage | undefined {
    while (this.#ended < this.#byEnd.length && placed.has(this.#byEnd[this.#ended] as Passage)) this.#ended++
    return this.#byEnd[this.#ended]
  }

  advance(placed: ReadonlySet<Passage>): void {
    const first = this.firstToEnd(placed)
    const end = first === undefined ? Number.POSITIVE_INFINITY : this.#spanOf(first).to
    for (let next = this.#byStart[this.#started]; next !== undefined; next = this.#byStart[this.#started]) {
      if (this.#spanOf(next).from > end) return
      this.#started++
      this.#admit(next)
    }
  }
}

function compare(left: number, right: number): number {
  return left === right ? 0 : left - right
}
