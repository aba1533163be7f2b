/** An operation that turned out to concern others. */
import type { Heap } from './heap.ts'
import type { AccessOperation, ObjectProcess } from './process.ts'

export class NoticedOperation implements AccessOperation {
  readonly visible = true
  readonly waits = false
  readonly text: string
  readonly operands: readonly unknown[]
  readonly #operation: AccessOperation

  constructor(operation: AccessOperation) {
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
