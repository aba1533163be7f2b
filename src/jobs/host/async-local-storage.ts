/** `AsyncLocalStorage` and `AsyncResource.bind` of `node:async_hooks`, over the context that a loop keeps for its jobs. */
import { currentLoop } from '../loop.ts'

type Code<Result> = (...args: never[]) => Result
type Stores = ReadonlyMap<AsyncLocalStorage, unknown>

export class AsyncLocalStorage<Store = unknown> {
  getStore(): Store | undefined {
    return stores().get(this as AsyncLocalStorage) as Store | undefined
  }

  run<Result>(store: Store, code: Code<Result>, ...args: unknown[]): Result {
    return withContext(new Map(stores()).set(this as AsyncLocalStorage, store), code, args)
  }

  exit<Result>(code: Code<Result>, ...args: unknown[]): Result {
    const without = new Map(stores())
    without.delete(this as AsyncLocalStorage)
    return withContext(without, code, args)
  }

  /** From here on, and in all that begins from here. */
  enterWith(store: Store): void {
    currentLoop.context = new Map(stores()).set(this as AsyncLocalStorage, store)
  }

  disable(): void {
    const without = new Map(stores())
    without.delete(this as AsyncLocalStorage)
    currentLoop.context = without
  }

  static bind<Args extends unknown[], Result>(code: (...args: Args) => Result): (...args: Args) => Result {
    const context = stores()
    return (...args) => withContext(context, code as unknown as Code<Result>, args)
  }

  static snapshot(): <Result>(code: Code<Result>, ...args: unknown[]) => Result {
    const context = stores()
    return (code, ...args) => withContext(context, code, args)
  }
}

function stores(): Stores {
  return (currentLoop.context as Stores | undefined) ?? new Map()
}

function withContext<Result>(context: Stores, code: Code<Result>, args: readonly unknown[]): Result {
  const loop = currentLoop
  const before = loop.context
  loop.context = context
  try {
    return code(...(args as never[]))
  } finally {
    loop.context = before
  }
}
