/** Needs in a network without order: a multiset. Each copy sent serves one consumption. */
import type { Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { Multisets } from './multisets.ts'
import type { Needs } from './needs.ts'

export class BagNeeds implements Needs {
  readonly #multisets = new Multisets()
  readonly ignoredMatter = false
  readonly #messages: Messages

  constructor(messages: Messages) {
    this.#messages = messages
  }

  consumed(needs: number, message: number): number {
    return this.#multisets.plus(needs, message)
  }

  before(needs: number, { consumed, sent }: Transition): readonly number[] {
    const lacking = this.#without(needs, sent)
    return [consumed === noMessage ? lacking : this.#multisets.plus(lacking, consumed)]
  }

  metAtStart(needs: number): boolean {
    return this.#multisets.elements(this.#without(needs, this.#messages.atStart)).length === 0
  }

  within(smaller: number, larger: number): boolean {
    return this.#multisets.includes(larger, smaller)
  }

  messages(needs: number): readonly number[] {
    return this.#multisets.elements(needs)
  }

  canBeInOrder(): boolean {
    return true
  }

  #without(needs: number, sent: readonly number[]): number {
    const elements = this.#multisets.elements(needs)
    if (!sent.some((message) => elements.includes(message))) return needs
    const lacking = [...elements]
    for (const message of sent) {
      const at = lacking.indexOf(message)
      if (at >= 0) lacking.splice(at, 1)
    }
    return this.#multisets.of(lacking)
  }
}
