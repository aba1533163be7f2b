/** What a check file says about a class: how to make an instance, which operations clients may call, what is right. */
import type { Place } from '../core/diagnostic.ts'
import type { Value } from '../core/value.ts'
import type { Criterion, PromiseOrder } from '../core/verdict.ts'

/** An argument that is what an earlier call of the same process returned. */
export interface ResultOf {
  readonly resultOf: string
}

export type PoolArgument = Value | ResultOf

interface TriedCalls {
  readonly operations: ReadonlyMap<string, readonly (readonly Value[])[]>
  readonly clients: readonly string[]
}

export interface ObjectCheck {
  readonly name: string
  readonly create: () => object
  /** The argument lists each operation is called with. */
  readonly operations: ReadonlyMap<string, readonly (readonly PoolArgument[])[]>
  /** What is called, where only clients were typed, to see what operations return: those that the source tells, and what the clients call. */
  readonly tried?: TriedCalls | undefined
  /** Operations that change nothing: clients made of these alone are left out. */
  readonly readonly: readonly string[]
  readonly processes: number
  readonly calls: number
  /** Clients as text; if there are any, no others are made. */
  readonly clients: readonly string[]
  readonly criterion: Criterion
  /** A built-in one by name, or one of the user's; without, the class run sequentially says what is right. */
  readonly specification: unknown
  readonly granularity: 'access' | 'await' | undefined
  readonly deadlock: 'error' | 'allow'
  /** `any`: what is awaited may take any time. `jobs`: promises are resolved at once, in JavaScript's own job order. */
  readonly order: PromiseOrder
  /** JavaScript stack at the place that declared it. */
  readonly stack: string | undefined
  /** Where the class stands, if nobody declared the check. */
  readonly place?: Place | undefined
}
