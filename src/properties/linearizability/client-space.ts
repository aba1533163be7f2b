/** Which clients are to be made: operations with the arguments they may be called with, and bounds. */
import { encodeValue, type Value } from '../../core/value.ts'
import type { ClientArgument, ClientCall, ValueArgument } from './client.ts'

/** Stands for the result of each earlier call of `operation` by the same process that no call has been given yet. */
export interface ResultOf {
  readonly kind: 'resultOf'
  readonly operation: string
}

/** As in `release: [[resultOf('acquire')]]`: what `acquire` returned is given to `release` once. */
export function resultOf(operation: string): ResultOf {
  return { kind: 'resultOf', operation }
}

export type PoolArgument = ValueArgument | ResultOf

export interface ClientSpace {
  /** For each operation, the lists of arguments it may be called with; `[[]]` if it takes none. */
  readonly operations: ReadonlyMap<string, readonly (readonly PoolArgument[])[]>
  /** Operations of which any number can run at once without anything going wrong. */
  readonly readonly?: ReadonlySet<string> | undefined
  readonly maxProcesses: number
  readonly maxCallsPerProcess: number
  /** Of all processes together; by default as many as the other bounds allow. */
  readonly maxCalls?: number | undefined
  /** Part of every client. */
  readonly setup?: readonly ClientCall[] | undefined
  /**
   * Groups of values that the object treats alike, such as keys of a map: clients that differ by an exchange of them
   * are made once. Values are exchanged where they are whole arguments, and only as far as this maps the pools and the
   * setup to themselves.
   */
  readonly interchangeable?: readonly (readonly Value[])[] | undefined
}

/** One way to call an operation. A client's order among all clients follows the order of its templates. */
export interface Template {
  readonly operation: string
  readonly args: readonly PoolArgument[]
  readonly isReadonly: boolean
}

/** Each once, in the order of the pools. */
export function templatesOf(space: ClientSpace): readonly Template[] {
  const templates = new Map<string, Template>()
  for (const [operation, pool] of space.operations) {
    const isReadonly = space.readonly?.has(operation) ?? false
    for (const args of pool) {
      const key = templateKey({ operation, args })
      if (!templates.has(key)) templates.set(key, { operation, args, isReadonly })
    }
  }
  return [...templates.values()]
}

interface AnyCall {
  readonly operation: string
  readonly args: readonly (PoolArgument | ClientArgument)[]
}

/** Equal for equal calls only. */
export function templateKey({ operation, args }: AnyCall): string {
  return JSON.stringify([operation, ...args.map(argumentKey)])
}

function argumentKey(argument: PoolArgument | ClientArgument): string {
  switch (argument.kind) {
    case 'value':
      return encodeValue(argument.value)
    case 'result':
      return `$${argument.call}`
    case 'resultOf':
      return `of ${argument.operation}`
  }
}
