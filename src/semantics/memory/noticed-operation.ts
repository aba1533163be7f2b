/** An operation that turned out to concern others. */
import type { Heap } from './heap.ts'
import type { ObjectProcess, Operation } from './process.ts'

export class NoticedOperation implements Operation {
  readonly visible = true
  readonly waits = false
  readonly text: string
  readonly operands: readonly unknown[]
  readonly #operation: Operation

  constructor(operation: Operation) {
    this.text = operation.text
    this.operands = operation.operands
    this.#operation = operation
  }

  isEnabled(): boolean {
    return true
  }

  /** The code that it calls touches further things itself. */
  touch(heap: Heap, process: ObjectProcess): void {
    this.#operation.touch(heap, process)
  }

  perform(heap: Heap, process: ObjectProcess): unknown {
    return this.#operation.perform(heap, process)
  }
}
