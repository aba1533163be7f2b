/**
 * What comes of an operation, whatever asks for it, and however often: one that remembers something would give each engine its own answer. What was never
 * asked is asked twice, and with it, now and then, something that was asked before.
 */
import { encodeInOrder, type Value } from '../../core/value.ts'
import type { AbstractCall } from '../../program/refinement.ts'

/** Answers that are remembered; beyond, an operation is asked twice each time. */
const mostRemembered = 65_536
/** With each of the first new questions, and then with one of so many, an old one is asked again. */
const lookedBackFirst = 2_048
const lookedBackEvery = 17

interface Answered {
  readonly state: Value
  readonly call: AbstractCall
  readonly said: string
}

export class SameAnswers {
  /** What comes of a call in a state, as text. */
  readonly #ask: (state: Value, call: AbstractCall) => string
  /** By state and call as text; an operation may look at the order of fields. */
  readonly #answered = new Map<string, Answered>()
  readonly #list: Answered[] = []

  constructor(ask: (state: Value, call: AbstractCall) => string) {
    this.#ask = ask
  }

  /** A call that was answered in two ways in one state, if there is one. */
  differing({ state, call, said }: Answered): AbstractCall | undefined {
    const text = keyOf(state, call)
    const known = this.#answered.get(text)
    if ((known?.said ?? this.#ask(state, call)) !== said) return call
    if (known !== undefined || this.#list.length === mostRemembered) return undefined
    const before = this.#old()
    const answered = { state, call, said }
    this.#answered.set(text, answered)
    this.#list.push(answered)
    return before !== undefined && this.#ask(before.state, before.call) !== before.said ? before.call : undefined
  }

  #old(): Answered | undefined {
    const count = this.#list.length
    if (count === 0 || (count > lookedBackFirst && count % lookedBackEvery > 0)) return undefined
    // A step that goes through all of them, the first ones most often.
    return this.#list[(count * 7) % Math.max(1, count >> 1)]
  }
}

function keyOf(state: Value, call: AbstractCall): string {
  return encodeInOrder([state, call] as unknown as Value)
}
