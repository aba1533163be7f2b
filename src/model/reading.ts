/** The arguments of `receive` and `poll`: which messages, from whom, and what withdraws a receive. */
import { Operation, type Where } from '../core/operation.ts'
import { checkNoMore, checkShape, type Shapes, shapes } from '../core/option-shape.ts'
import { mistake, running } from '../core/running.ts'
import { Address } from '../core/value.ts'
import { describe } from './describe.ts'
import type { Receive } from './process.ts'

/** From whom a receive takes messages; those of others stay in the inbox. */
export interface From {
  readonly from: Address<never>
}

/** What an `AbortSignal` is to a receive. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** From whom a receive takes messages, and a signal with which an async process withdraws it: it is then rejected. */
export interface Receiving extends Partial<From> {
  readonly signal?: Signal
}

/** Withdraws the receive after so many milliseconds: it then gives `undefined`. */
export interface Within extends Receiving {
  readonly within: number
}

export function reading(
  kind: 'receive' | 'poll',
  first: unknown,
  second: unknown,
  extra: readonly unknown[],
): Receive<unknown> {
  const isWhere = first === undefined || typeof first === 'string' || typeof first === 'function'
  if (extra.length > 0 || (!isWhere && second !== undefined))
    checkNoMore(isWhere ? extra : [second, ...extra], isWhere ? `${kind}(which, { from })` : `${kind}({ from })`)
  const where = isWhere ? (first as Where) : undefined
  const options = isWhere ? second : first
  if (kind === 'receive' && isLimited(options)) return limited(where, options)
  const sender = options === undefined ? undefined : senderIn(options, kind)
  return new Operation(kind, undefined, undefined, where, sender) as Receive<unknown>
}

function isLimited(options: unknown): options is Receiving & Partial<Within> {
  return typeof options === 'object' && options !== null && ('signal' in options || 'within' in options)
}

const limitShapes: Shapes<Receiving & Partial<Within>> = {
  from: shapes.anything,
  signal: shapes.anything,
  within: shapes.anything,
}

/** A receive that is withdrawn by a signal or after some time. In a generator the latter is a poll, which may find nothing at any time. */
function limited(where: Where, options: Receiving & Partial<Within>): Receive<unknown> {
  const { from, signal, within } = options
  checkShape(options, limitShapes, { of: 'receive(…)' })
  const sender = from === undefined ? undefined : senderIn({ from }, 'receive')
  if (within !== undefined && !(typeof within === 'number' && within >= 0)) {
    mistake({
      code: 'E208',
      message: `receive() needs milliseconds as "within" and got ${describe(within)}`,
      hint: "write receive('ack', { within: 1000 })",
    })
  }
  if (signal !== undefined && typeof (signal as Partial<Signal>)?.addEventListener !== 'function') {
    mistake({
      code: 'E208',
      message: `receive() needs an AbortSignal as "signal" and got ${describe(signal)}`,
      hint: 'write const controller = new AbortController() and { signal: controller.signal }',
    })
  }
  const host = running.async
  if (host === undefined && signal !== undefined) {
    mistake({
      code: 'E208',
      message: 'receive() was given a signal in a generator, where nothing else goes on that could abort it',
      hint: 'make the process an async function, or give { within: milliseconds }',
    })
  }
  const kind = host === undefined && within !== undefined ? 'poll' : 'receive'
  const operation = new Operation(kind, undefined, undefined, where, sender) as Receive<unknown>
  host?.limit(operation, { signal, within })
  return operation
}

const fromShapes: Shapes<From> = { from: shapes.anything }

/** As good as always, and found out faster than by a table: these options are looked at each time a process sends or receives. */
export function hasOnly(options: unknown, name: string): boolean {
  if (typeof options !== 'object' || options === null) return false
  for (const key in options) if (key !== name) return false
  return name in options
}

/** A sender that is not there must not mean "from anyone". */
function senderIn(options: unknown, operation: string): Address<never> {
  const isRecord = typeof options === 'object' && options !== null
  if (isRecord && 'from' in options) {
    const { from } = options
    if (!hasOnly(options, 'from')) checkShape(options, fromShapes, { of: `${operation}(…)` })
    if (from instanceof Address) return from
    return mistake({
      code: 'E204',
      message: `${operation}() needs the address of a process as "from" and got ${describe(from)}`,
      hint: 'spawn(…), spawnAll(…), self() and messages give addresses',
    })
  }
  return mistake({
    code: 'E208',
    message: `${operation}() takes a kind or a predicate, and { from: address }, and got ${describe(options)}`,
    hint: `write ${operation}('ack'), ${operation}((message) => …), ${operation}({ from: address }) or ${operation}('ack', { from: address })`,
  })
}
