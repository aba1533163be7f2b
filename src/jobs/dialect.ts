/** Where versions of Node differ in what ECMA-262 changed: asked of the Node that runs, not of its version. */

export interface Dialect {
  /**
   * Since ES2025 a rejected value closes the sync iterator under `for await` and `yield*`, and `throw()` into one without `throw` closes it
   * and is a TypeError (§27.1.4.2.3, §27.1.4.4). Before, the iterator stays open, and what was thrown is what rejects.
   */
  readonly closesSyncIterators: boolean
  /**
   * Signals of `AbortSignal.any` abort before the one that they depend on tells anybody (DOM, since 2024), and depend on it since somebody
   * listens to them. Before, they abort after that, in the order in which they were made.
   */
  readonly signalsAbortTogether: boolean
}

export const dialect: Dialect = { closesSyncIterators: probe(), signalsAbortTogether: probeSignals() }

/** A value whose `constructor` cannot be read rejects while `for await` still runs synchronously. */
function probe(): boolean {
  let isClosed = false
  const value = Object.defineProperty(Promise.resolve(), 'constructor', {
    get: () => {
      throw new Error('read by the probe')
    },
  })
  const iterator = {
    next: () => ({ value, done: false }),
    return: () => {
      isClosed = true
      return { value, done: true }
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
