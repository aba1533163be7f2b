import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { NotInProcessError, Operation, SettledOperation } from '../../../src/core/operation.ts'
import { loopLimit, running } from '../../../src/core/running.ts'
import { arrow, awaited, call, methods, recursive, refuse, tick, wrapped } from '../../../src/model/coroutine.ts'

type Steps = Generator<unknown, any, unknown>
const wait = (value: unknown) => awaited(value) as Iterable<unknown> & Iterator<unknown, unknown>
const ask = (answer: unknown) => new Operation('choose', undefined, answer, undefined, undefined)

/** Answers every operation with its payload, as a process would be driven. */
function drive(process: unknown): unknown {
  const iterator = process as Iterator<unknown, unknown, unknown>
  let result: unknown = iterator.next(undefined)
  while (result instanceof Operation) result = iterator.next(result.payload)
  return (result as { readonly value: unknown }).value
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof DiagnosticError ? error.diagnostic.code : String(error)
  }
}

beforeEach(() => {
  running.process = 'main'
  running.fuel = loopLimit
})

afterEach(() => {
  running.process = undefined
  running.unawaited = 0
  running.mistake = undefined
})

const double = wrapped(function* (n: number): Steps {
  return ((yield* wait(ask(n))) as number) * 2
}, 'double')

describe('an async call in a process', () => {
  test('runs to its first operation at once and goes on when it is awaited', () => {
    const log: string[] = []
    const body = wrapped(function* (): Steps {
      log.push('began')
      yield* wait(ask(1))
      log.push('went on')
    })
    const begun = body()
    expect(log).toEqual(['began'])
    drive(begun)
    expect(log).toEqual(['began', 'went on'])
  })

  test('counts as unawaited until it is awaited', () => {
    const begun = double(4)
    expect(running.unawaited).toBe(1)
    expect(drive(begun)).toBe(8)
    expect(running.unawaited).toBe(0)
  })

  test('does not count when it has completed without an operation', () => {
    wrapped(function* (): Steps {
      return 1
    })()
    expect(running.unawaited).toBe(0)
  })

  test('counts when it has failed, because its error is still to be seen', () => {
    const failing = wrapped(function* (): Steps {
      throw new Error('early')
    })
    const begun = failing()
    expect(running.unawaited).toBe(1)
    expect(() => drive(begun)).toThrow('early')
    expect(running.unawaited).toBe(0)
    expect(() => drive(begun)).toThrow('early')
  })

  test('gives the same result to whoever awaits it again', () => {
    const outer = wrapped(function* (): Steps {
      const begun = double(2)
      return [yield* wait(begun), yield* wait(begun)]
    })
    expect(drive(outer())).toEqual([4, 4])
  })

  test('goes on with what it returns, as a promise would', () => {
    const returnsCall = wrapped(function* (): Steps {
      return double(3)
    })
    const returnsOperation = wrapped(function* (): Steps {
      return ask('answer')
    })
    expect(drive(returnsCall())).toBe(6)
    expect(drive(returnsOperation())).toBe('answer')
  })

  test('does not catch in its own try what it merely returns', () => {
    const failing = wrapped(function* (): Steps {
      yield* wait(ask(1))
      throw new Error('late')
    })
    const outer = wrapped(function* (): Steps {
      try {
        return failing()
      } catch {
        return 'caught'
      }
    })
    expect(() => drive(outer())).toThrow('late')
  })

  test('is E211 when the process goes on with another operation first', () => {
    const outer = wrapped(function* (): Steps {
      const begun = double(1)
      yield* wait(ask(2))
      yield* wait(begun)
    })
    expect(codeOf(() => drive(outer()))).toBe('E211')
  })

  test('is E211 when a second one is begun beside it', () => {
    const outer = wrapped(function* (): Steps {
      const both = [double(1), double(2)]
      return [yield* wait(both[0]), yield* wait(both[1])]
    })
    expect(codeOf(() => drive(outer()))).toBe('E211')
  })

  test('may wait while a passed assertion is awaited, which is no step', () => {
    const outer = wrapped(function* (): Steps {
      const begun = double(1)
      yield* wait(new SettledOperation('assert', undefined))
      return yield* wait(begun)
    })
    expect(drive(outer())).toBe(2)
  })

  test.each(['then', 'catch', 'finally'])('is E208 when .%s is called on it', (method) => {
    const begun = double(1) as { readonly [name: string]: () => void }
    expect(codeOf(() => begun[method]?.())).toBe('E208')
  })
})

describe('awaiting in a process', () => {
  test('a plain value completes at once', () => {
    const outer = wrapped(function* (): Steps {
      return [yield* wait(1), yield* wait(null), yield* wait({ a: 1 })]
    })
    expect(drive(outer())).toEqual([1, null, { a: 1 }])
  })

  test.each([
    ['a promise', () => Promise.resolve(1)],
    ['a promise that rejects', () => Promise.reject(new Error('nobody sees this'))],
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
    ['something like a promise', () => ({ then: () => undefined })],
    ['a generator', () => (function* () {})()],
  ])('%s is E208', (_, make) => {
    expect(codeOf(() => awaited(make()))).toBe('E208')
    expect(running.mistake?.hint).toBeDefined()
  })

  test('Promise.all over operations or calls is a mistake and leaves no rejection behind', async () => {
    const both = (items: readonly unknown[]) =>
      wrapped(function* (): Steps {
        return yield* wait(Promise.all(items))
      })
    expect(codeOf(() => drive(both([ask(1), ask(2)])()))).toBe('E208')
    expect(codeOf(() => drive(both([double(1)])()))).toBe('E208')
    running.process = undefined
    // A rejection that nobody handles is reported before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  })

  test('returning a promise is E208 too', () => {
    const outer = wrapped(function* (): Steps {
      return Promise.resolve(1)
    })
    expect(codeOf(() => drive(outer()))).toBe('E208')
  })
})

describe('outside a process', () => {
  beforeEach(() => {
    running.process = undefined
  })

  test('an async function gives a real promise and awaits real promises', async () => {
    const slow = wrapped(function* (): Steps {
      return ((yield* wait(Promise.resolve(2))) as number) + 1
    })
    expect(slow()).toBeInstanceOf(Promise)
    expect(await Promise.all([slow(), slow()])).toEqual([3, 3])
    expect(running.unawaited).toBe(0)
  })

  test('a rejection is thrown at the await', async () => {
    const careful = wrapped(function* (): Steps {
      try {
        return yield* wait(Promise.reject(new Error('no')))
      } catch (error) {
        return String(error)
      }
    })
    expect(await careful()).toBe('Error: no')
  })

  test('an error in a default parameter rejects', async () => {
    const faulty = wrapped(function* (
      _n = (() => {
        throw new Error('default')
      })(),
    ): Steps {})
    await expect(faulty()).rejects.toThrow('default')
  })

  test('an operation rejects with what to do about it', async () => {
    await expect(double(1)).rejects.toBeInstanceOf(NotInProcessError)
  })

  test('a call that began in a process is refused', () => {
    running.process = 'main'
    const begun = double(1)
    running.process = undefined
    expect(() => awaited(begun)).toThrow('began in a process')
  })
})

describe('the wrappers', () => {
  test('pass on this and all arguments', () => {
    const body = function* (this: unknown, ...args: unknown[]): Steps {
      return [this, args]
    }
    const object = { method: wrapped(body as never) }
    expect(drive(object.method(1, 2))).toEqual([object, [1, 2]])
    expect(drive(call(body as never, 'self', [3]))).toEqual(['self', [3]])
    expect(drive(arrow(body as never, () => 'around')(4))).toEqual(['around', [4]])
    expect(drive(arrow(body as never, undefined)(5))).toEqual([undefined, [5]])
  })

  test('carry the name and the number of parameters', () => {
    const body = function* inner(_a: unknown, _b: unknown): Steps {}
    expect([wrapped(body), arrow(body, undefined, 'shown')].map(({ name, length }) => [name, length])).toEqual([
      ['inner', 2],
      ['shown', 2],
    ])
    expect(wrapped(body, Symbol('key')).name).toBe('[key]')
  })

  test('let a function call itself by its own name', () => {
    const factorial = recursive(
      (self) =>
        function* (n: number): Steps {
          return n < 2 ? 1 : n * ((yield* wait(self(n - 1))) as number)
        },
      'factorial',
    )
    expect(drive(factorial(5))).toBe(120)
    expect(factorial.name).toBe('factorial')
  })

  test('replace methods in place, not enumerable, callable through subclasses', () => {
    class Base {
      *size(): Steps {
        return this.constructor.name
      }
    }
    methods(Base.prototype, ['size'])
    class Derived extends Base {}
    expect(drive(new Derived().size())).toBe('Derived')
    expect(Object.keys(Base.prototype)).toEqual([])
  })
})

describe('the loop counter', () => {
  test('is E202 when the process has used up its iterations', () => {
    running.fuel = 2
    tick()
    tick()
    expect(codeOf(tick)).toBe('E202')
    expect(running.mistake?.message).toContain('process "main"')
  })

  test('stays spent, so that a loop around a caught mistake ends as well', () => {
    running.fuel = 0
    expect([codeOf(tick), codeOf(tick)]).toEqual(['E202', 'E202'])
  })

  test('does not concern code outside processes', () => {
    running.process = undefined
    running.fuel = 0
    expect(codeOf(tick)).toBeUndefined()
    expect(running.mistake).toBeUndefined()
  })
})

describe('a construct that had to stay native', () => {
  test('is E215 in a process, without throwing into a promise that nobody watches', () => {
    expect(refuse('for await', 'a.ts', 3, 5)).toBe(true)
    expect(running.mistake).toMatchObject({ code: 'E215', place: { file: 'a.ts', line: 3, column: 5 } })
  })

  test('is allowed everywhere else', () => {
    running.process = undefined
    expect(refuse('for await', 'a.ts', 3, 5)).toBe(false)
    expect(running.mistake).toBeUndefined()
  })
})
