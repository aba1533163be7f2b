/**
 * Async generators, `for await` and `await using` of user code: on the event loop of the process that runs them, and outside of processes on
 * those of Node.
 */
import { mistake, running } from '../../core/running.ts'
import type { GeneratorBody } from '../../jobs/async-functions.ts'
import * as jobs from '../../jobs/async-generator.ts'
import * as iteration from '../../jobs/async-iteration.ts'
import { Disposals, disposals as disposalsOnLoop } from '../../jobs/disposal.ts'

/** Calls an async generator function, given as its generator. */
export function generate(body: GeneratorBody, owner: object, self: unknown, args: ArrayLike<unknown>): object {
  if (usesJobs('an async generator')) return jobs.generate(body, owner, self, args)
  const generator = Reflect.apply(body, self, args) as Generator
  return natively(generator, () => generator.next())
}

/** What an async generator awaits. */
export function promised(value: unknown): unknown {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject && running.async !== undefined ? running.async.promised(value) : value
}

/** `yield* iterable` in an async generator. */
export function* delegate(iterable: unknown): Generator<unknown, unknown, unknown> {
  if (running.process === undefined) return yield new Delegation(iterable)
  return yield* iteration.delegate(iterable)
}

export function awaitLoop(iterable: unknown, text: string): iteration.AwaitLoop {
  if (usesJobs('for await')) return iteration.awaitLoop(iterable, text)
  const iterator = each(iterable as AsyncIterable<unknown>)
  return new iteration.AwaitLoop({ iterator, next: iterator.next })
}

export function disposals(): Disposals {
  return usesJobs('await using') ? disposalsOnLoop() : new Disposals(async (dispose) => void dispose())
}

/** False outside of processes. A process that is a generator has no event loop. */
function usesJobs(construct: string): boolean {
  if (running.process === undefined) return false
  if (running.async === undefined) refuseInGenerator(construct)
  running.async.jobs
  return true
}

function refuseInGenerator(construct: string): never {
  if (running.inert === 'question')
    mistake({
      code: 'E215',
      message: `${construct} cannot be used where an answer is needed at once`,
      hint: 'write a plain function, which returns what it answers',
    })
  return mistake({
    code: 'E215',
    message: `${construct} cannot be used in a process that is a generator`,
    hint: 'make the process an async function, with await in the place of yield*',
  })
}

/** To Node: an iterable that stands for the rest of the generator for a while. */
class Delegation {
  readonly iterable: AsyncIterable<unknown>

  constructor(iterable: unknown) {
    this.iterable = iterable as AsyncIterable<unknown>
  }
}

async function* each(iterable: AsyncIterable<unknown>): AsyncGenerator {
  yield* iterable
}

async function* natively(body: Generator, first: () => IteratorResult<unknown>): AsyncGenerator {
  let step = first
  let isOver = false
  const next = (): IteratorResult<unknown> => {
    isOver = true
    const result = step()
    isOver = result.done === true
    return result
  }
  try {
    for (let result = next(); ; result = next()) {
      const { value } = result
      if (result.done) return value
      try {
        const given =
          value instanceof jobs.Yielded
            ? yield value.value
            : value instanceof Delegation
              ? yield* value.iterable
              : await value
        step = () => body.next(given)
      } catch (error) {
        step = () => body.throw(error)
      }
    }
  } finally {
    // It was told to return where it stood.
    if (!isOver) yield* natively(body, () => body.return(undefined))
  }
}
