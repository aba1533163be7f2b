/** `yield*` (ECMA-262 §15.5.5): what asks the generator asks what it iterates. */
import { isObject } from '../../core/is-object.ts'
import { type Resumption, Yielded } from './generator-objects.ts'
import { close, notAResult } from './hand-written.ts'
import { go } from './invoke.ts'
import { iterate, next } from './iteration.ts'
import { apply, get } from './operate.ts'
import { stop } from './process.ts'
import { HandWritten, type Iteration } from './views.ts'

type Live = readonly unknown[]
type Steps = Generator<unknown, unknown, unknown>

const ownSite = -800

export function* delegate(site: number, live: Live, iterable: unknown): Steps {
  let iteration = iterate(ownSite, [...live, iterable], iterable)
  if (iteration === stop) iteration = yield* go()
  const goes = iteration instanceof HandWritten ? handedOn : ofCollection
  return yield* goes(site, [...live, iteration], iteration as never)
}

/** Iterators of collections have neither `return` nor `throw`. */
function* ofCollection(site: number, live: Live, iteration: Iteration): Steps {
  for (;;) {
    let more = next(ownSite - 1, live, iteration)
    if (more === stop) more = yield* go()
    if (more !== true) return undefined
    const given = { value: iteration.value, done: false }
    const { kind, value } = (yield new Yielded('delegated', given, site, live)) as Resumption
    if (kind === 'return') yield new Yielded('leaves', value, site, live)
    if (kind === 'throw') throw withoutThrow()
  }
}

/** `next` was looked up when the iterator was made; the others are each time. */
function* handedOn(site: number, live: Live, iteration: HandWritten): Steps {
  const { iterator } = iteration
  let received: Resumption = { kind: 'next', value: undefined }
  for (;;) {
    const { kind, value } = received
    const around = [...live, kind, value]
    const method = kind === 'next' ? iteration.next : yield* methodOf(around, iterator, kind)
    if (kind === 'throw' && isMissing(method)) yield* closedWithoutThrow(around, iteration)
    if (kind === 'return' && isMissing(method)) yield new Yielded('leaves', value, site, live)
    let result = apply(ownSite - 2, around, method, iterator, [value])
    if (result === stop) result = yield* go()
    if (!isObject(result)) throw notAResult(result)
    let done = get(ownSite - 3, [...around, result], result, 'done')
    if (done === stop) done = yield* go()
    if (!done) {
      received = (yield new Yielded('delegated', result, site, live)) as Resumption
      continue
    }
    let given = get(ownSite - 4, [...around, result], result, 'value')
    if (given === stop) given = yield* go()
    if (kind !== 'return') return given
    yield new Yielded('leaves', given, site, live)
  }
}

function* methodOf(live: Live, iterator: object, name: string): Steps {
  const method = get(ownSite - 5, live, iterator, name)
  return method === stop ? yield* go() : method
}

function isMissing(method: unknown): boolean {
  return method === undefined || method === null
}

function* closedWithoutThrow(live: Live, iteration: HandWritten): Generator<unknown, never, unknown> {
  const ended = close(ownSite - 6, live, iteration, false)
  if (ended === stop) yield* go()
  throw withoutThrow()
}

function withoutThrow(): TypeError {
  return new TypeError("The iterator does not provide a 'throw' method.")
}
