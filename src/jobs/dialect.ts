/** Where versions of Node differ in what ECMA-262 changed: asked of the Node that runs, not of its version. */

export interface Dialect {
  /**
   * Since ES2025 a rejected value closes the sync iterator under `for await` and `yield*`, and `throw()` into one without `throw` closes it
   * and is a TypeError (§27.1.4.2.3, §27.1.4.4). Before, the iterator stays open, and what was thrown is what rejects.
   */
  readonly closesSyncIterators: boolean
  /** V8 since then closes it as well when `next` or `throw` fail themselves, or give no result, where the specification leaves it open. */
  readonly closesFailedIterators: boolean
  /**
   * V8 since then goes on with `next(reason)` when `return(value)` comes to a `yield*` in an async generator and the value rejects, where
   * the specification throws the reason. What tells is asynchronous, so it is known only when the module has been loaded for some jobs.
   */
  goesOnAfterRejectedReturn: boolean
  /**
   * Signals of `AbortSignal.any` abort before the one that they depend on tells anybody (DOM, since 2024), and depend on it since somebody
   * listens to them. Before, they abort after that, in the order in which they were made.
   */
  readonly signalsAbortTogether: boolean
}

export const dialect: Dialect = {
  closesSyncIterators: closesAfter(() => ({ value: unreadable(), done: false })),
  closesFailedIterators: closesAfter(() => undefined as never),
  goesOnAfterRejectedReturn: false,
  signalsAbortTogether: probeSignals(),
}
probeReturn()

/** Awaiting it fails while `for await` still runs synchronously, so that the probe has its answer at once. */
function unreadable(): Promise<void> {
  return Object.defineProperty(Promise.resolve(), 'constructor', {
    get: () => {
      throw new Error('read by the probe')
    },
  })
}

function closesAfter(next: () => IteratorResult<unknown>): boolean {
  let isClosed = false
  const iterator = {
    next,
    return: () => {
      isClosed = true
      return { value: undefined, done: true }
    },
  }
  const loop = async (): Promise<void> => {
    for await (const _ of { [Symbol.iterator]: () => iterator });
  }
  loop().catch(() => {})
  return isClosed
}

function probeSignals(): boolean {
  const controller = new AbortController()
  const any = AbortSignal.any([controller.signal])
  let isTogether = false
  controller.signal.addEventListener('abort', () => {
    isTogether = any.aborted
  })
  controller.abort()
  return isTogether
}

function probeReturn(): void {
  const next = async (reason?: unknown): Promise<IteratorResult<unknown>> => {
    if (reason === 'rejected') dialect.goesOnAfterRejectedReturn = true
    return { value: undefined, done: reason === 'rejected' }
  }
  const iterable: AsyncIterable<unknown> = { [Symbol.asyncIterator]: () => ({ next }) }
  const probed = (async function* () {
    yield* iterable
  })()
  probed
    .next()
    .then(() => probed.return(Promise.reject('rejected')))
    .catch(() => {})
}
