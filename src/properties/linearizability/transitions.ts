/**
 * The specification as a transition system of small numbers, built as far as the search needs it: states are numbered by
 * key, calls with the same operation, arguments and observed result share a number, and every answer of the specification is
 * asked for once. The search itself then touches integers only.
 */
import type { CallResult } from '../../core/history.ts'
import { encodeValue } from '../../core/value.ts'
import type { Effect } from '../../program/specification.ts'
import { fits, type Invocation, type Specification } from './specification.ts'
import { asking } from './specification-threw.ts'

/** No state: the call cannot happen with this result. */
export const impossible = -1
const unasked = 0
const noKind = -1

/** Calls that do the same. */
interface Kind {
  readonly invocation: Invocation
  readonly observed: CallResult
}

export class Transitions {
  readonly specification: Specification
  /** For every call the number of its kind. */
  readonly kindOf: Int32Array
  /** For every kind, whether it only looks at the state. */
  readonly observes: Uint8Array
  readonly #calls: readonly Invocation[]
  readonly #kinds: Kind[] = []
  /** By number; `#numbers` has the same states by key. */
  #states: unknown[] = []
  #numbers = new Map<string | number, number>()
  /** By state and kind. */
  #answers = new PairTable()
  /** Lists of successors, for calls with several effects. */
  #lists: (readonly number[])[] = []
  #stateBytes = 0

  constructor(calls: readonly Invocation[], specification: Specification) {
    this.specification = specification
    this.#calls = calls
    this.kindOf = this.#numberKinds()
    this.observes = Uint8Array.from(this.#kinds, ({ invocation: { operation, args }, observed }, kind) =>
      Number(this.#asking(kind, () => specification.observes(operation, args, observed))),
    )
    this.#numberOf(
      this.#asking(noKind, () => specification.initial()),
      noKind,
    )
  }

  /** The number of the initial state. */
  get initial(): number {
    return 0
  }

  get stateCount(): number {
    return this.#states.length
  }

  /** About how much memory is taken by what was asked so far. */
  get bytes(): number {
    return this.#stateBytes + this.#answers.bytes
  }

  /** Forgets all states but these and the initial one, and numbers those anew: by old number the new one, else -1. */
  forgetAllBut(live: Iterable<number>): Int32Array {
    const renumbering = new Int32Array(this.#states.length).fill(-1)
    const before = this.#states
    this.#states = []
    this.#numbers = new Map()
    this.#answers = new PairTable()
    this.#lists = []
    this.#stateBytes = 0
    const kept = [...new Set([0, ...live])]
    const states = kept.map((old) => before[old])
    const copies = this.specification.copies?.(states) ?? states
    for (const [at, old] of kept.entries()) renumbering[old] = this.#numberOf(copies[at], noKind)
    return renumbering
  }

  stateOf(number: number): unknown {
    return this.#states[number]
  }

  /** The only state after a call of this kind, `impossible`, or less: `-2 - list` where `successors(list)` are several. */
  next(state: number, kind: number): number {
    const known = this.#answers.get(state, kind)
    if (known !== unasked) return known > unasked ? known - 1 : known
    const found = this.#ask(state, kind)
    this.#answers.set(state, kind, found >= 0 ? found + 1 : found)
    return found
  }

  successors(list: number): readonly number[] {
    return this.#lists[list] ?? []
  }

  /** What the specification would do in this state, whatever was observed. */
  effects(state: number, call: number): readonly Effect[] {
    const kind = this.kindOf[call] as number
    const { operation, args } = this.#calls[call] as Invocation
    return this.#asking(kind, () => this.specification.apply(this.#states[state], operation, args, { kind: 'unknown' }))
  }

  #numberKinds(): Int32Array {
    const names = new Map<string, number>()
    return Int32Array.from(this.#calls, (invocation) => {
      const { operation, args, result } = invocation
      const observed = asking(this.specification, invocation, () =>
        this.specification.observation(operation, args, optional(result)),
      )
      const name = `${operation}|${encodeValue(args)}|${resultName(observed)}`
      let kind = names.get(name)
      if (kind === undefined) {
        kind = names.size
        names.set(name, kind)
        this.#kinds.push({ invocation, observed })
      }
      return kind
    })
  }

  #ask(state: number, kind: number): number {
    const { invocation, observed } = this.#kinds[kind] as Kind
    const { operation, args } = invocation
    const effects = this.#asking(kind, () => this.specification.apply(this.#states[state], operation, args, observed))
    const states = new Set<number>()
    for (const effect of effects) if (fits(observed, effect)) states.add(this.#numberOf(effect.state, kind))
    if (states.size === 0) return impossible
    const [first] = states
    if (states.size === 1) return first as number
    this.#lists.push([...states])
    return -1 - this.#lists.length
  }

  #numberOf(state: unknown, kind: number): number {
    const key = this.#asking(kind, () => this.specification.key(state))
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#states.length
      this.#numbers.set(key, number)
      this.#states.push(state)
      // A state is about as large as its key, and both are kept.
      this.#stateBytes += 100 + (typeof key === 'string' ? 3 * key.length : 0)
    }
    return number
  }

  /** Runs code of the specification for calls of a kind. */
  #asking<T>(kind: number, ask: () => T): T {
    return asking(this.specification, this.#kinds[kind]?.invocation, ask)
  }
}

/** A call that did not return may have returned anything. */
function optional(result: CallResult): CallResult {
  return result.kind === 'pending' ? { kind: 'unknown' } : result
}

function resultName(result: CallResult): string {
  switch (result.kind) {
    case 'returned':
      return `r${encodeValue(result.value ?? null)}`
    case 'threw':
      return `t${result.error}`
    default:
      return '?'
  }
}

/** From pairs of numbers to numbers other than 0, in one flat array. A value of 0 marks a free place. At most half full. */
class PairTable {
  #cells = new Int32Array(64 * 3)
  #mask = 63
  #size = 0

  get bytes(): number {
    return this.#cells.length * 4
  }

  get(left: number, right: number): number {
    return this.#cells[this.#place(left, right) + 2] as number
  }

  set(left: number, right: number, value: number): void {
    if (this.#size * 2 > this.#mask) this.#grow()
    const at = this.#place(left, right)
    if (this.#cells[at + 2] === 0) this.#size++
    this.#cells[at] = left
    this.#cells[at + 1] = right
    this.#cells[at + 2] = value
  }

  #place(left: number, right: number): number {
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
    hash ^= hash >>> 15
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const cell = at * 3
      if (this.#cells[cell + 2] === 0 || (this.#cells[cell] === left && this.#cells[cell + 1] === right)) return cell
    }
  }

  #grow(): void {
    const old = this.#cells
    this.#cells = new Int32Array(old.length * 4)
    this.#mask = this.#cells.length / 3 - 1
    this.#size = 0
    for (let cell = 0; cell < old.length; cell += 3) {
      if (old[cell + 2] !== 0) this.set(old[cell] as number, old[cell + 1] as number, old[cell + 2] as number)
    }
  }
}
