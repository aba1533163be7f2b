/**
 * What rules say of states that are still to be expanded, as far as it is known: a state differs from the one that it came of in a few cells, and a rule that has
 * looked at none of them says what it said there. So a rule is asked only where something that it looks at has changed.
 */

import { cellOf } from '../../../semantics/machines/layout.ts'
import type { Answers } from './answers.ts'

/** Beyond, there is more to copy from state to state than it saves. */
const mostRules = 128
const fewestStates = 64

/** For a rule and a state: it has to be asked; it says nothing; or, and this and more, the number of its answer. */
const unknown = 0
const nothing = 1
const firstAnswer = 2
const mostHeld = 0xffff

export class HeldAnswers<Said> {
  readonly #rules: readonly Answers<readonly Said[]>[]
  readonly #isOn: boolean
  readonly #order: 'depth' | 'breadth'
  /** By rule, of the state that is expanded. */
  readonly #numbers: Uint16Array
  /** By cell: the rules that have looked at it in some state. */
  readonly #readers: readonly Set<number>[]
  /** The numbers of states that wait, in a ring. Invariant: it has room for `#room` states, a power of two. */
  #waiting: Uint16Array
  #room = fewestStates
  #first = 0
  #count = 0

  constructor(rules: readonly Answers<readonly Said[]>[], cells: number, order: 'depth' | 'breadth') {
    this.#rules = rules
    this.#isOn = rules.length <= mostRules
    this.#order = order
    this.#numbers = new Uint16Array(rules.length)
    this.#readers = Array.from({ length: cells }, () => new Set<number>())
    this.#waiting = new Uint16Array(this.#isOn ? this.#room * rules.length : 0)
    for (const [rule, answers] of rules.entries()) answers.hear((looks) => this.#hear(rule, looks))
  }

  /** A new state waits, which differs from the one that is expanded in these cells, or in any if they are not told. */
  push(changed?: readonly number[]): void {
    if (!this.#isOn) return
    if (this.#count === this.#room) this.#grow()
    const [width, waiting, from] = [this.#numbers.length, this.#waiting, this.#place(this.#count++)]
    for (let rule = 0; rule < width; rule++)
      waiting[from + rule] = changed === undefined ? unknown : (this.#numbers[rule] as number)
    for (const cell of changed ?? [])
      for (const rule of this.#readers[cell] as Set<number>) waiting[from + rule] = unknown
  }

  /** The next state is expanded, the last that came if the search goes into depth, and the first otherwise: what is said of it, rule by rule, where something is. */
  said(values: Int32Array): readonly (readonly Said[])[] {
    this.#take()
    const all: (readonly Said[])[] = []
    for (let rule = 0; rule < this.#numbers.length; rule++) {
      const number = this.#numbers[rule] as number
      if (number === nothing) continue
      const answers = this.#rules[rule] as Answers<readonly Said[]>
      const held = number === unknown ? undefined : answers.withNumber(number - firstAnswer)
      const said = held ?? this.#asked(rule, values)
      if (said.length > 0) all.push(said)
    }
    return all
  }

  #asked(rule: number, values: Int32Array): readonly Said[] {
    const answers = this.#rules[rule] as Answers<readonly Said[]>
    const number = answers.numberOf(values)
    const said = answers.withNumber(number) ?? answers.said(values)
    const isHeld = this.#isOn && number >= 0 && number + firstAnswer <= mostHeld
    if (isHeld) this.#numbers[rule] = said.length === 0 ? nothing : number + firstAnswer
    else this.#numbers[rule] = unknown
    return said
  }

  #hear(rule: number, looks: Iterable<number>): void {
    for (const look of looks) this.#readers[cellOf(look)]?.add(rule)
  }

  #take(): void {
    if (!this.#isOn) return
    this.#count--
    const from = this.#place(this.#order === 'depth' ? this.#count : 0)
    for (let rule = 0; rule < this.#numbers.length; rule++) this.#numbers[rule] = this.#waiting[from + rule] as number
    if (this.#order === 'breadth') this.#first = (this.#first + 1) & (this.#room - 1)
  }

  /** Where the numbers of a state that waits begin. */
  #place(state: number): number {
    return ((this.#first + state) & (this.#room - 1)) * this.#numbers.length
  }

  #grow(): void {
    const [before, from] = [this.#waiting, this.#first * this.#numbers.length]
    this.#room *= 2
    this.#waiting = new Uint16Array(before.length * 2)
    this.#waiting.set(before.subarray(from))
    this.#waiting.set(before.subarray(0, from), before.length - from)
    this.#first = 0
  }
}
