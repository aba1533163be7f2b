/** Handlers that have not run yet, by the words of reports. */
import { nearestName } from '../../core/did-you-mean.ts'
import type { Witness } from '../../core/witness.ts'
import type { Handler, MachineDefinition } from '../../program/system-definition.ts'

interface Waiting {
  readonly machine: string
  /** Of a handler of messages: their kind. */
  readonly kind: string | undefined
  words: string
}

export class HandlersRan {
  readonly #witness: Witness
  readonly #waiting = new Map<Handler, Waiting[]>()
  /** Of handlers for whatever else comes: the machine. */
  readonly #others = new Map<Handler, string>()
  readonly #compared = new Set<string>()

  constructor(witness: Witness, definitions: Iterable<MachineDefinition>) {
    this.#witness = witness
    for (const definition of definitions) this.expect(definition)
  }

  /** A handler for whatever else comes is there in case, and may well never run. */
  expect({ name: machine, on, timers, requests }: MachineDefinition): void {
    for (const [what, handlers] of Object.entries({ handler: on, timer: timers, request: requests })) {
      for (const [name, handler] of handlers) {
        if (what === 'handler' && name === '*') this.#others.set(handler, machine)
        else
          this.#await(handler, {
            machine,
            kind: what === 'handler' ? name : undefined,
            words: words(what, name, machine),
          })
      }
    }
  }

  #await(handler: Handler, one: Waiting): void {
    this.#waiting.set(handler, [...(this.#waiting.get(handler) ?? []), one])
    this.#witness.ask('handler-never-run', one.words, 0)
  }

  /** Of a message also its kind. */
  note(handler: Handler, kind: string | undefined): void {
    const machine = this.#others.get(handler)
    if (machine !== undefined && kind !== undefined) this.#compare(machine, kind)
    const waiting = this.#waiting.get(handler)
    if (waiting === undefined) return
    this.#waiting.delete(handler)
    for (const one of waiting) this.#witness.answer('handler-never-run', one.words)
  }

  /** What a handler for whatever else comes takes may be meant for one whose name is misspelt: nothing else would show it. */
  #compare(machine: string, kind: string): void {
    const key = JSON.stringify([machine, kind])
    if (this.#compared.has(key)) return
    this.#compared.add(key)
    for (const one of [...this.#waiting.values()].flat()) {
      if (one.machine !== machine || one.kind === undefined || nearestName(kind, [one.kind]) === undefined) continue
      const near = `${words('handler', one.kind, machine)}, whose name is like "${kind}", which its handler "*" takes,`
      if (one.words === near) continue
      this.#witness.answer('handler-never-run', one.words)
      one.words = near
      this.#witness.ask('handler-never-run', near, 0)
    }
  }
}

function words(what: string, name: string, machine: string): string {
  return `${what} "${name}" of machine "${machine}"`
}
