/**
 * Programs of any size: `every` declares a parameter that stands for a size, `spawnAll` starts that many processes, `repeat` does
 * something that many times. Under `check` they are a number, a loop over `spawn` and a loop.
 */

import { DiagnosticError } from '../core/diagnostic.ts'
import { isNativePromise } from '../core/native-promise.ts'
import { CompositeOperation, Operation, prototypeName } from '../core/operation.ts'
import { checkNoMore, checkShape, isFunction, type Shapes, shapes, shown } from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import { unheeded } from '../core/unheeded.ts'
import { type Address, freezeValue } from '../core/value.ts'
import { awaited, tick } from './coroutine.ts'
import { describe } from './describe.ts'
import { type AsyncBody, type Body, checkSpawn, type Received, spawn, splitSpawn, type Unchecked } from './process.ts'

/** A parameter that stands for every size; what `every` gives and `params` takes. */
export class Every {
  /** The size under `check`. */
  readonly size: number
  /** `prove` speaks of all sizes from here on. */
  readonly least: number

  constructor(size: number, least: number) {
    this.size = size
    this.least = least
    Object.freeze(this)
  }
}

const everyShapes: Shapes<{ readonly from: number }> = { from: shapes.anything }

/** A parameter is data: what it holds is part of every trace. */
export function checkParameter(whose: string, name: string, value: unknown): void {
  if (name === prototypeName)
    mistake({
      code: 'E107',
      message: `a parameter of ${whose} cannot be named "${name}"`,
      hint: 'choose another name: an object cannot hold this one as it holds others',
    })
  const problem = freezeValue(value)
  if (problem === undefined) return
  mistake({
    code: 'E107',
    message: `parameter "${name}" of ${whose} is not a value: ${problem.path || 'it'} is ${problem.found}`,
    hint: 'parameters are plain data with their defaults: { clients: 2 }',
  })
}

/** A parameter for `params`: `check` takes this size unless told otherwise, `prove` every size, or every size from `from` on. */
export function every(size: number, options?: { readonly from?: number }): Every
export function every(size: number, options: { readonly from?: number } = {}, ...extra: readonly unknown[]): Every {
  checkNoMore(extra, 'every(size, { from })')
  checkShape(options, everyShapes, { of: 'every(…)' })
  const { from: least = 0 } = options
  if (!isCount(size)) wrongSize(`every() needs a whole number, 0 or more, and got ${describe(size)}`)
  if (!isCount(least)) wrongSize(`every() needs a whole number, 0 or more, as "from" and got ${describe(least)}`)
  if (size < least) wrongSize(`every(${size}, { from: ${least} }) starts at a size that it excludes`)
  return new Every(size, least)
}

/** Thrown, not noted as the mistake of a process: parameters are declared where none runs. */
function wrongSize(message: string): never {
  throw new DiagnosticError({
    code: 'E107',
    message,
    hint: 'every(3) is 3 under check and any size under prove; every(3, { from: 1 }) leaves out 0',
    stack: new Error().stack,
  })
}

/** Starts `count` processes with equal bodies and arguments, named `name 0`, `name 1`, …, and returns their addresses. */
export function spawnAll<Args extends readonly unknown[], Yielded>(
  count: number,
  name: string,
  body: Body<Args, Yielded>,
  ...args: Args
): CompositeOperation<readonly Address<Received<Yielded>>[]>
export function spawnAll<Args extends readonly unknown[], Yielded>(
  count: number,
  name: string,
  options: SpawnAllOptions,
  body: Body<Args, Yielded>,
  ...args: Args
): CompositeOperation<readonly Address<Received<Yielded>>[]>
export function spawnAll<Message = unknown, Args extends readonly unknown[] = Unchecked>(
  count: number,
  name: string,
  body: AsyncBody<Args>,
  ...args: Args
): CompositeOperation<readonly Address<Message>[]>
export function spawnAll<Message = unknown, Args extends readonly unknown[] = Unchecked>(
  count: number,
  name: string,
  options: SpawnAllOptions,
  body: AsyncBody<Args>,
  ...args: Args
): CompositeOperation<readonly Address<Message>[]>
export function spawnAll(
  count: number,
  name: string,
  ...rest: readonly unknown[]
): CompositeOperation<readonly Address<unknown>[]> {
  const { options, body, args } = splitSpawn(rest)
  checkCount(count, 'spawnAll')
  // Also when there is nobody to start: a mistake should not wait for a larger size.
  checkSpawn(name, body, args)
  checkShape(options, spawnAllShapes, { of: `spawnAll(${shown(name)}, …)` })
  return new CompositeOperation('spawnAll', function* () {
    const addresses: Address<unknown>[] = []
    for (let index = 0; index < count; index++) {
      addresses.push(
        yield* spawn(`${name} ${index}`, { ...options, replica: name }, body as Body<unknown[], unknown>, ...args),
      )
    }
    return Object.freeze(addresses)
  })
}

/** All are interchangeable, so there is no tag to choose. */
interface SpawnAllOptions {
  /** Daemons may wait for ever without that being a deadlock. */
  readonly daemon?: boolean
  /** False: faults never crash them. */
  readonly crashes?: boolean
}

const spawnAllShapes: Shapes<SpawnAllOptions> = { daemon: shapes.flag, crashes: shapes.flag }

/** Performs the body `count` times, one after the other; it is given 0, 1, …. */
export function repeat<Yielded>(
  count: number,
  body: (index: number) => Generator<Yielded, unknown, unknown>,
): CompositeOperation<void, Yielded | Operation<never>>
export function repeat(count: number, body: (index: number) => Promise<unknown>): CompositeOperation<void>
export function repeat(
  count: number,
  body: (index: number) => unknown,
  ...extra: readonly unknown[]
): CompositeOperation<void, unknown> {
  checkNoMore(extra, 'repeat(count, body)')
  checkCount(count, 'repeat')
  if (!isFunction(body)) notABody(`is ${describe(body)}`)
  return new CompositeOperation('repeat', function* () {
    for (let index = 0; index < count; index++) {
      tick()
      yield* stepsOf(body(index))
    }
  })
}

/** What the body gave, to be performed: a generator, or the call of an async function. */
function stepsOf(begun: unknown): Iterable<unknown> {
  if (Object.prototype.toString.call(begun) === '[object Generator]') return begun as Iterable<unknown>
  if (isNativePromise(begun)) {
    // Whatever the promise comes to, the diagnostic says what is wrong.
    unheeded(begun)
    notABody('returned a promise', 'async functions work in files loaded by allways; here write function* and yield*')
  }
  const isOperation = begun instanceof Operation || begun instanceof CompositeOperation
  const isAwaitable = typeof begun === 'object' && begun !== null && 'then' in begun
  if (isOperation || !isAwaitable) notABody(`returned ${describe(begun)} instead of performing operations`)
  return awaited(begun) as Iterable<unknown>
}

function notABody(
  what: string,
  hint = 'write yield* repeat(count, function* (index) { … }) or await repeat(count, async (index) => { … })',
): never {
  return mistake({ code: 'E212', message: `the body of repeat() ${what}`, hint })
}

function checkCount(count: unknown, operation: string): void {
  if (isCount(count)) return
  const hint =
    count instanceof Every
      ? 'every(…) stands in params: program(name, { params: { clients: every(3) } }, function* ({ clients }) { … })'
      : 'a count is 0, 1, 2, …; round what is computed: Math.floor(clients / 2)'
  mistake({ code: 'E216', message: `${operation}() needs a whole number, 0 or more, and got ${describe(count)}`, hint })
}

function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 0
}
