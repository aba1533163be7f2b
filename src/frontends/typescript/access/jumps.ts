/**
 * Where `return`, `break` and `continue` lead, and which `finally` blocks they pass. While such a block suspends, what it
 * will do at its end is a part of the state: how it was entered, and the value to return or throw. Both are kept in
 * variables, which are live throughout the block.
 */
import { invariant } from '../../../core/invariant.ts'
import type { Flow, Label, Variable } from './flow.ts'

/** How a `finally` block was entered; jumps have the numbers from 3. */
export const completions = { normal: 0, return: 1, throw: 2 } as const

/** What a `finally` block that suspends will do at its end. */
export interface Pending {
  readonly kind: Variable
  readonly value: Variable
}

export interface Finalizer {
  readonly entry: Label
  /** Where the block may go on. */
  readonly exits: Set<Label>
  /** Undefined if the block never suspends. */
  readonly pending: Pending | undefined
}

export interface Target {
  readonly labels: readonly string[]
  /** Also without a label. */
  readonly isPlain: boolean
  readonly onBreak: Label
  readonly onContinue: Label | undefined
}

/** A `finally` block that a jump passes, and the number of the jump for it. */
interface Passed {
  readonly finalizer: Finalizer
  readonly completion: number
}

export interface Jump {
  readonly passes: readonly Passed[]
  /** Ends the flow here. */
  go(): void
}

export class Jumps {
  readonly #flow: Flow
  /** Innermost last: a jump looks from the end for its target, and passes the `finally` blocks on the way. */
  readonly #around: (Target | Finalizer)[] = []
  /** By block: where its jumps lead; the number of a jump is 3 and its position here. */
  readonly #numbers = new Map<Finalizer, Label[]>()
  /** Read in front of the next statement, and not yet taken by it. */
  #labels: string[] = []
  /** How many guarded parts are around. */
  #guards = 0

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** The next statement has this label. */
  label(name: string): void {
    this.#labels.push(name)
  }

  /** Labels of the statement that begins. */
  takeLabels(): readonly string[] {
    const labels = this.#labels
    this.#labels = []
    return labels
  }

  within(context: Target | Finalizer, body: () => void): void {
    this.#around.push(context)
    body()
    this.#around.pop()
  }

  /** In code whose exceptions a `try` statement sees. */
  guarded(body: () => void): void {
    this.#guards++
    body()
    this.#guards--
  }

  get isGuarded(): boolean {
    return this.#guards > 0
  }

  return(): Jump {
    const finalizers = this.#finalizersInside(-1)
    return {
      passes: finalizers.map((finalizer) => ({ finalizer, completion: completions.return })),
      go: () => {
        if (finalizers.length === 0) this.#flow.end()
        else this.#pass(finalizers, undefined)
      },
    }
  }

  break(label: string | undefined): Jump {
    const fits = (target: Target) => (label === undefined ? target.isPlain : target.labels.includes(label))
    return this.#leave(fits, ({ onBreak }) => onBreak)
  }

  continue(label: string | undefined): Jump {
    const fits = ({ onContinue, labels }: Target) =>
      onContinue !== undefined && (label === undefined || labels.includes(label))
    return this.#leave(fits, ({ onContinue }) => onContinue)
  }

  #leave(fits: (target: Target) => boolean, leadsTo: (target: Target) => Label | undefined): Jump {
    const index = this.#around.findLastIndex((context) => 'labels' in context && fits(context))
    const context = this.#around[index]
    const target = context !== undefined && 'labels' in context ? leadsTo(context) : undefined
    invariant(target !== undefined, 'the parser has refused jumps that lead nowhere')
    const finalizers = this.#finalizersInside(index)
    return {
      passes: finalizers.map((finalizer) => ({ finalizer, completion: this.numberOf(finalizer, target) })),
      go: () => this.#pass(finalizers, target),
    }
  }

  /** Innermost first. */
  #finalizersInside(index: number): readonly Finalizer[] {
    return this.#around.filter((context, position) => position > index && 'exits' in context).reverse() as Finalizer[]
  }

  #pass(finalizers: readonly Finalizer[], target: Label | undefined): void {
    finalizers.forEach((finalizer, index) => {
      const next = finalizers[index + 1]?.entry ?? target
      if (next !== undefined) finalizer.exits.add(next)
    })
    const first = finalizers[0]?.entry ?? target
    if (first !== undefined) this.#flow.jump(first)
  }

  /** How a `finally` block is entered that goes on there. */
  numberOf(finalizer: Finalizer, target: Label): number {
    const known = this.#numbers.get(finalizer) ?? []
    this.#numbers.set(finalizer, known)
    if (!known.includes(target)) known.push(target)
    return 3 + known.indexOf(target)
  }
}
