/** What a trace file calls its steps, which says again what their order says: written so, and read only if it is so. */
import { type Event, isStep } from '../core/event.ts'
import type { Field } from './trace-fields.ts'

interface Named {
  /** Numbers of steps count from 1; what is told between steps has none. */
  readonly i: number | undefined
  readonly id: string
  /** What it directly depends on, in another process. */
  readonly causes: readonly string[] | undefined
}

/** Of the events of an execution, one after the other. Steps are named (process, index): stable in every interleaving, unlike positions. */
export class EventNames {
  #numbered = 0
  readonly #senders = new Map<number, string>()

  of(event: Event): Named {
    const hasNumber = isStep(event)
    if (hasNumber) this.#numbered++
    const id = `${event.process}#${event.index}`
    if (event.kind === 'send') this.#senders.set(event.message, id)
    const cause = event.kind === 'receive' ? this.#senders.get(event.message) : undefined
    return { i: hasNumber ? this.#numbered : undefined, id, causes: cause === undefined ? undefined : [cause] }
  }
}

/** Of the steps of a client, one after the other. */
export class CodeStepNames {
  #numbered = 0
  readonly #counts = new Map<string, number>()

  of({ process }: { readonly process: string }): Named {
    const index = this.#counts.get(process) ?? 0
    this.#counts.set(process, index + 1)
    return { i: ++this.#numbered, id: `${process}#${index}`, causes: undefined }
  }
}

/** Notes what a file says otherwise. */
export function checkNames(field: Field, named: Named): void {
  for (const name of ['i', 'id', 'causes'] as const) {
    const expected = named[name]
    const found = field.at(name)
    if (JSON.stringify(found.raw) === JSON.stringify(expected)) continue
    found.wrong(expected === undefined ? 'left out' : JSON.stringify(expected), undefined)
  }
}
