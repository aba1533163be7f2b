/** Critical sections: enter, do something, leave, also when what is done throws. */
import type { Performable } from '../../core/lock.ts'
import { CompositeOperation } from '../../core/operation.ts'
import { awaited } from '../coroutine.ts'

/** What is done inside, by a generator function or an async function. */
export type SectionBody = () => Performable<unknown, unknown> | Promise<unknown>

interface Doors {
  enter(): CompositeOperation<void>
  leave(): CompositeOperation<void>
}

export function criticalSection(name: string, doors: Doors, body: SectionBody): CompositeOperation<unknown, unknown> {
  return new CompositeOperation(name, function* () {
    yield* doors.enter()
    try {
      return yield* performed(body())
    } finally {
      yield* doors.leave()
    }
  })
}

/** A generator is performed as it is; what an async function gives goes the way of `await`, and so do mistakes. */
export function performed(begun: unknown): Generator<unknown, unknown, unknown> {
  const isGenerator = Object.prototype.toString.call(begun) === '[object Generator]'
  return (isGenerator ? begun : awaited(begun)) as Generator<unknown, unknown, unknown>
}
