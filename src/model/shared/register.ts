/**
 * A register: one shared variable. Writes are answered as reads are, because a write must have happened before its process goes
 * on and tells others about it.
 */
import { CompositeOperation } from '../../core/operation.ts'
import { sameValue } from '../../core/value.ts'
import { asking, created, Handle, nextRequest, type Request, reply, type Steps, telling } from './protocol.ts'

/** A shared variable with atomic operations. */
export class Register<in out T> extends Handle {
  /** The current value. */
  read(): CompositeOperation<T> {
    return asking(this, { kind: 'register.read' }, `register "${this.id}"`)
  }

  /** Replaces the value. */
  write(value: T): CompositeOperation<void> {
    return asking(this, { kind: 'register.write', value }, `register "${this.id}"`)
  }

  /** Replaces the value by what `change` makes of it, with nothing in between, and gives the new value. */
  update(change: (value: T) => T): CompositeOperation<T> {
    const asked = asking<T>(this, { kind: 'register.update' }, `register "${this.id}"`)
    const register = this
    return new CompositeOperation(asked.name, function* (): Steps<T> {
      let value = yield* asked
      // The server waits for the new value alone; when `change` throws it gets the old one.
      try {
        value = change(value)
      } finally {
        yield* telling(register, { kind: 'register.replace', value })
      }
      return value
    })
  }

  /** Replaces the value if it equals `expected`, and tells whether it did. Values are compared by content. */
  compareAndSet(expected: T, next: T): CompositeOperation<boolean> {
    return asking(this, { kind: 'register.compareAndSet', expected, next }, `register "${this.id}"`)
  }
}

/** Creates a shared variable. */
export function register<T>(name: string, initial: T): CompositeOperation<Register<T>> {
  return created(Register<T>, name, serve<T>, initial)
}

interface Replacement<T> extends Request {
  readonly kind: 'register.write' | 'register.replace'
  readonly value: T
}

type RegisterRequest<T> =
  | (Request & { readonly kind: 'register.read' | 'register.update' })
  | (Request & { readonly kind: 'register.compareAndSet'; readonly expected: T; readonly next: T })
  | Replacement<T>

function* serve<T>(initial: T): Steps<void> {
  let value = initial
  for (;;) {
    const request = yield* nextRequest<RegisterRequest<T>>()
    switch (request.kind) {
      case 'register.write':
        value = request.value
        yield* reply(request.from, 'register.written')
        break
      case 'register.compareAndSet': {
        const isExpected = sameValue(value, request.expected)
        if (isExpected) value = request.next
        yield* reply(request.from, 'register.compared', isExpected)
        break
      }
      case 'register.update':
        yield* reply(request.from, 'register.value', value)
        value = (yield* nextRequest<Replacement<T>>('register.replace')).value
        break
      default:
        yield* reply(request.from, 'register.value', value)
    }
  }
}
