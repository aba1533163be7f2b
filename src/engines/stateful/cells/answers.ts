/**
 * What a rule or an invariant says of states: asked with all care where it has not looked at such a state before, and taken from the tree of what it said otherwise.
 * That it depends on nothing but what it looked at is tried: in some of the states in which an answer is taken from the tree, it is asked again.
 */

import type { Layout } from '../../../semantics/machines/layout.ts'
import { CellTree } from './cell-tree.ts'

/** Each time that so many more answers are known, it is looked up whether they were of use. */
const askedOften = 1024
/** What it costs to ask, in steps of the search. */
const costOfAsking = 30

/** Thrown where a search on numbers cannot go on. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

/** About states, by the values in their cells. Nothing where something is wrong. */
export interface Question<Said> {
  /** What is said, and all that it depends on, in the order in which it was looked at. */
  ask(values: Int32Array): { readonly said: Said; readonly looks: ReadonlySet<number> } | undefined
  /** What is said without more. */
  again(values: Int32Array): Said | undefined
  /** Whether it makes no difference of which of them a state is told. */
  isSame(values: Int32Array, one: Said, other: Said): boolean
}

/** What was spent, in steps of the search. */
export interface Effort {
  steps: number
}

export class Answers<Said> {
  readonly #question: Question<Said>
  readonly #layout: Layout
  /** Nothing if answers are not kept. */
  #tree: CellTree<Said> | undefined
  /** By number of what was said: how often it was taken from the tree. */
  readonly #uses: number[] = []
  readonly #effort: Effort
  #heard: (looks: ReadonlySet<number>) => void = () => {}

  constructor(question: Question<Said>, layout: Layout, effort: Effort) {
    this.#question = question
    this.#layout = layout
    this.#effort = effort
    this.#tree = new CellTree(layout)
  }

  get isKept(): boolean {
    return this.#tree !== undefined
  }

  /** Of a state with these values in its cells. */
  said(values: Int32Array): Said {
    return this.withNumber(this.numberOf(values)) ?? this.#askedAgain(values)
  }

  /** The number of what is said; -1 if answers are not kept. It may be asked for. */
  numberOf(values: Int32Array): number {
    const tree = this.#tree
    if (tree === undefined) return -1
    const number = tree.find(values)
    if (number < 0) return this.#learned(tree, values)
    const uses = (this.#uses[number] as number) + 1
    this.#uses[number] = uses
    if (isPowerOfSixteen(uses) && !this.#question.isSame(values, tree.said(number), this.#askedAgain(values)))
      throw new GivenUpError()
    return number
  }

  /** Nothing if answers are not kept any more. */
  withNumber(number: number): Said | undefined {
    return this.#tree?.said(number)
  }

  /** Told of all that those look at who give the answers that are kept. */
  hear(listener: (looks: ReadonlySet<number>) => void): void {
    this.#heard = listener
  }

  #learned(tree: CellTree<Said>, values: Int32Array): number {
    this.#effort.steps += costOfAsking
    const asked = this.#question.ask(values)
    if (asked === undefined || this.#layout.hasStrayed || !tree.learn(values, asked.looks, asked.said))
      throw new GivenUpError()
    this.#heard(asked.looks)
    const known = this.#uses.push(0)
    if (known % askedOften > 0 || this.#uses.reduce((sum, uses) => sum + uses, 0) >= known) return known - 1
    this.#tree = undefined
    return -1
  }

  #askedAgain(values: Int32Array): Said {
    this.#effort.steps += costOfAsking
    const said = this.#question.again(values)
    if (said === undefined || this.#layout.hasStrayed) throw new GivenUpError()
    return said
  }
}

function isPowerOfSixteen(number: number): boolean {
  return (number & (number - 1)) === 0 && (number & 0x11111111) !== 0
}
