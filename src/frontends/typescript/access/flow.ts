/**
 * Which values a frame still needs at each of its operations: backward liveness over the control flow of one function
 * (Aho, Lam, Sethi, Ullman, "Compilers", §9.2.5). The flow is built in the order of evaluation, like assembly code: a
 * current point, labels, jumps. Values that wait on the stack while an operand behind them is evaluated are variables as
 * well (temporaries), so pending operands need no rule of their own.
 *
 * Too much is harmless (states that could be one stay two), too little is not. Hence any point inside `try` may jump to
 * its handler, and a `finally` block may continue wherever one of the jumps through it leads.
 */
import type { Binding } from './bindings.ts'
import type { Late } from './output.ts'

/** Something that holds a value: a variable of the user's, `this`, a temporary. */
export interface Variable {
  readonly code: string
  /** Orders the lists of live values. */
  readonly rank: number
  readonly binding: Binding | undefined
}

export interface OperationPoint {
  readonly uses: readonly Variable[]
  readonly result: Variable | undefined
  /** Receives the list of live values. */
  readonly live: Late
  /** Whether the variable has been initialised at the operation and its name means it there. */
  isVisible(variable: Variable): boolean
}

/** A point that can be jumped to. */
export type Label = number

interface Point {
  readonly uses: bigint
  readonly defines: bigint
  readonly next: Label[]
  readonly handler: Label | undefined
  readonly operation: OperationPoint | undefined
}

export class Flow {
  /** By label. The first is the beginning of the function. */
  readonly #points: Point[] = []
  /** By number of the bit that stands for it; sets of variables are big integers, which have no limit at 32. */
  readonly #variables: Variable[] = []
  readonly #bits = new Map<Variable, bigint>()
  /** Of the `try` statements around the current point, innermost last. */
  readonly #handlers: Label[] = []
  /** Undefined behind a jump. */
  #current: number | undefined

  constructor() {
    this.#append({ uses: 0n, defines: 0n })
  }

  use(...variables: readonly (Variable | undefined)[]): void {
    const uses = this.#mask(variables)
    if (uses !== 0n) this.#append({ uses, defines: 0n })
  }

  define(...variables: readonly Variable[]): void {
    this.#append({ uses: 0n, defines: this.#mask(variables) })
  }

  operation(operation: OperationPoint): void {
    this.#append({ uses: this.#mask(operation.uses), defines: this.#mask([operation.result]), operation })
  }

  label(): Label {
    return this.#add({ uses: 0n, defines: 0n })
  }

  place(label: Label): void {
    this.branch(label)
    this.#current = label
  }

  /** May go on at the label. */
  branch(label: Label): void {
    if (this.#current !== undefined) this.#points[this.#current]?.next.push(label)
  }

  jump(label: Label): void {
    this.branch(label)
    this.#current = undefined
  }

  /** Leaves the function, or an exception leaves this point. */
  end(): void {
    this.#append({ uses: 0n, defines: 0n })
    this.#current = undefined
  }

  /** Exceptions inside the body go to the handler. */
  guarded(handler: Label, body: () => void): void {
    this.#handlers.push(handler)
    body()
    this.#handlers.pop()
  }

  /** Fills the lists of live values. */
  solve(): void {
    const before = this.#liveBefore()
    for (const point of this.#points) {
      if (point.operation === undefined) continue
      const after = this.#liveAfter(point, before) | this.#handled(point, before)
      const { live, isVisible } = point.operation
      const listed = this.#variables
        .filter((variable) => (after & ~point.defines & this.#bit(variable)) !== 0n && isVisible(variable))
        .sort((left, right) => left.rank - right.rank)
      live.text = `[${listed.map(({ code }) => code).join(', ')}]`
    }
  }

  /** Backwards until nothing changes; points are about in the order of evaluation, so few rounds are needed. */
  #liveBefore(): bigint[] {
    const before = this.#points.map(() => 0n)
    for (let changed = true; changed; ) {
      changed = false
      for (let index = this.#points.length - 1; index >= 0; index--) {
        const point = this.#points[index]
        if (point === undefined) continue
        const live = point.uses | (this.#liveAfter(point, before) & ~point.defines) | this.#handled(point, before)
        if (live === before[index]) continue
        before[index] = live
        changed = true
      }
    }
    return before
  }

  #liveAfter(point: Point, before: readonly bigint[]): bigint {
    return point.next.reduce((live, next) => live | (before[next] ?? 0n), 0n)
  }

  #handled(point: Point, before: readonly bigint[]): bigint {
    return point.handler === undefined ? 0n : (before[point.handler] ?? 0n)
  }

  #append(point: { uses: bigint; defines: bigint; operation?: OperationPoint }): void {
    const index = this.#add(point)
    if (this.#current !== undefined) this.#points[this.#current]?.next.push(index)
    this.#current = index
  }

  #add({ uses, defines, operation }: { uses: bigint; defines: bigint; operation?: OperationPoint }): number {
    this.#points.push({ uses, defines, operation, next: [], handler: this.#handlers.at(-1) })
    return this.#points.length - 1
  }

  #mask(variables: readonly (Variable | undefined)[]): bigint {
    return variables.reduce((mask, variable) => (variable === undefined ? mask : mask | this.#bit(variable)), 0n)
  }

  #bit(variable: Variable): bigint {
    const known = this.#bits.get(variable)
    if (known !== undefined) return known
    const bit = 1n << BigInt(this.#variables.length)
    this.#variables.push(variable)
    this.#bits.set(variable, bit)
    return bit
  }
}
