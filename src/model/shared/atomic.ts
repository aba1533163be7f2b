/**
 * An atomic: one shared variable. Stores are answered as loads are, because a store must have happened before its process goes
 * on and tells others about it.
 */
import type { AtomicVariable } from '../../core/lock.ts'
import { CompositeOperation, finishing } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { freezeValue, sameValue } from '../../core/value.ts'
import { notAValue } from '../process.ts'
import { asking, created, Handle, nextRequest, type Request, reply, type Steps, telling } from './protocol.ts'

/** A shared variable whose operations nothing can interrupt. */
export class Atomic<in out T> extends Handle implements AtomicVariable<'process', T> {
  /** The current value. */
  load(): CompositeOperation<T> {
    return asking(this, { kind: 'atomic.load' }, `atomic "${this.id}"`)
  }

  /** Replaces the value. */
  store(value: T): CompositeOperation<void> {
    return asking(this, { kind: 'atomic.store', value }, `atomic "${this.id}"`)
  }

  /** Replaces the value, and gives the one before. */
  exchange(value: T): CompositeOperation<T> {
    return asking(this, { kind: 'atomic.exchange', value }, `atomic "${this.id}"`)
  }

  /** Replaces the value if it equals `expected`, and tells whether it did. Values are compared by content. */
  compareAndSet(expected: T, value: T): CompositeOperation<boolean> {
    return asking(this, { kind: 'atomic.compareAndSet', expected, value }, `atomic "${this.id}"`)
  }

  /** Replaces the value by what `change` makes of it, with nothing in between, and gives the new value. */
  update(change: (value: T) => T): CompositeOperation<T> {
    const atomic = this
    return new CompositeOperation('atomic.update', function* (): Steps<T> {
      let value = yield* asking<T>(atomic, { kind: 'atomic.update' }, `atomic "${atomic.id}"`)
      // The server waits for the new value alone; when `change` throws it gets the old one.
      try {
        value = change(value)
      } finally {
        yield* telling(atomic, { kind: 'atomic.replace', value }, finishing)
      }
      return value
    })
  }

  /** Adds to the number, and gives the one before. */
  getAndAdd(this: Atomic<number>, amount: number): CompositeOperation<number> {
    return asking(this, { kind: 'atomic.getAndAdd', amount }, `atomic "${this.id}"`)
  }
}

takingOnly(Atomic, 'atomic', {
  load: '',
  store: 'value',
  exchange: 'value',
  compareAndSet: 'expected, value',
  update: 'change',
  getAndAdd: 'amount',
})

/** Creates a shared variable. */
export function atomic<T>(name: string, initial: T): CompositeOperation<Atomic<T>>
export function atomic<T>(name: string, initial: T, ...extra: readonly unknown[]): CompositeOperation<Atomic<T>> {
  checkNoMore(extra, `atomic(${shown(name)}, initial)`)
  const problem = freezeValue(initial)
  if (problem !== undefined) notAValue(`the initial value of atomic ${shown(name)}`, problem)
  return created(Atomic<T>, name, serve<T>, initial)
}

interface Replacement<T> extends Request {
  readonly kind: 'atomic.store' | 'atomic.exchange' | 'atomic.replace'
  readonly value: T
}

type AtomicRequest<T> =
  | (Request & { readonly kind: 'atomic.load' | 'atomic.update' })
  | (Request & { readonly kind: 'atomic.compareAndSet'; readonly expected: T; readonly value: T })
  | (Request & { readonly kind: 'atomic.getAndAdd'; readonly amount: number })
  | Replacement<T>

function* serve<T>(initial: T): Steps<void> {
  let value: unknown = initial
  for (;;) {
    const request = yield* nextRequest<AtomicRequest<T>>()
    const { kind } = request
    const before = value
    switch (kind) {
      case 'atomic.store':
        value = request.value
        yield* reply(request, 'atomic.stored')
        break
      case 'atomic.compareAndSet': {
        const isExpected = sameValue(value, request.expected)
        if (isExpected) value = request.value
        yield* reply(request, 'atomic.compared', isExpected)
        break
      }
      case 'atomic.exchange':
        value = request.value
        yield* reply(request, 'atomic.value', before)
        break
      case 'atomic.getAndAdd':
        value = (before as number) + request.amount
        yield* reply(request, 'atomic.value', before)
        break
      case 'atomic.update':
        yield* reply(request, 'atomic.value', before)
        value = (yield* nextRequest<Replacement<T>>('atomic.replace')).value
        break
      default:
        yield* reply(request, 'atomic.value', before)
    }
  }
}
