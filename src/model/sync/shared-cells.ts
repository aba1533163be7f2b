/**
 * Memory that several worker threads see, and waiting for one of its cells to change.
 *
 * Cells that are not shared are the same thing on one thread: `Atomics` works on them, and only waiting differs.
 */

/** Where a primitive lives when several threads use it. */
export interface SharedOptions {
  /**
   * A view of a `SharedArrayBuffer`, all zero before its first use; every thread makes its own object over the same place. The
   * first `Mutex.cells` (or `ReadWriteLock.cells`, `Semaphore.cells`) elements are used.
   */
  readonly shared?: Int32Array
}

/** The first `count` cells of the shared view, or fresh ones of this thread. */
export function cellsOf(view: Int32Array | undefined, count: number, what: string): Int32Array {
  if (view === undefined) return new Int32Array(count)
  if (!(view instanceof Int32Array) || !isShared(view)) {
    throw new TypeError(`${what}: shared memory must be an Int32Array over a SharedArrayBuffer`)
  }
  if (view.length < count) {
    throw new RangeError(`${what}: needs ${count} cells of shared memory, and the view has ${view.length}`)
  }
  return view.subarray(0, count)
}

export function isShared(cells: Int32Array): boolean {
  return cells.buffer instanceof SharedArrayBuffer
}

/** The main thread of a browser may not block. Asked before a place in a line is taken, which could not be given back. */
export function canBlock(): boolean {
  try {
    // The cell does not hold this value, so nothing waits.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1)
    return true
  } catch {
    return false
  }
}

/** Old browsers cannot wait without blocking. */
export function canPause(): boolean {
  return waitAsync !== undefined
}

/** Waits, without blocking the thread, while the shared cell holds `seen`. It may return early: look again. */
export async function pauseWhile(cells: Int32Array, index: number, seen: number): Promise<void> {
  const waiting = waitAsync?.(cells, index, seen)
  if (waiting?.async !== true) return
  const awake = keepAwake()
  try {
    await waiting.value
  } finally {
    awake.close()
  }
}

/** Not yet in the library of ES2023. */
const { waitAsync } = Atomics as {
  readonly waitAsync?: (
    cells: Int32Array,
    index: number,
    seen: number,
  ) => { readonly async: false } | { readonly async: true; readonly value: Promise<string> }
}

/** A thread that waits for nothing but shared memory counts as idle in Node, and ends; one with an open port does not. */
function keepAwake(): { close(): void } {
  return Object.assign(new MessageChannel().port1, { onmessage: () => {} })
}
