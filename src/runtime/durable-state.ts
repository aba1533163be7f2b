/** Keeps on the disk what a crash must not take away, and skips what would make no difference to it. */
import { valueToJson } from '../core/value-json.ts'
import type { LocalState, Machines } from '../program/machines.ts'
import type { CallHistory } from './call-history.ts'
import type { StateFile } from './state-file.ts'

interface Life {
  readonly self: number
  readonly incarnation: number
  readonly calls: CallHistory
}

export class DurableState {
  readonly #file: StateFile
  readonly #machines: Machines
  readonly #self: number
  readonly #incarnation: number
  readonly #calls: CallHistory
  /** What a crash would lead to with the state on the disk; undefined before the first save of this life. */
  #savedKey: string | undefined

  constructor(file: StateFile, machines: Machines, { self, incarnation, calls }: Life) {
    this.#file = file
    this.#machines = machines
    this.#self = self
    this.#incarnation = incarnation
    this.#calls = calls
  }

  /** Unless a crash would lead to the same as with what is there already. Throws what the file system throws. */
  save(state: LocalState, snapshot: number): void {
    const key = this.#keyAfterCrash(state)
    if (key !== this.#savedKey || this.#calls.isUnsaved) this.write(state, snapshot)
    this.#savedKey = key
  }

  write(state: LocalState, snapshot: number): void {
    this.#file.write({ incarnation: this.#incarnation, state, snapshot, called: this.#calls.toSave() })
  }

  /** The whole state is written: which fields matter is for the crash to say, and it says so here too. */
  #keyAfterCrash(state: LocalState): string {
    const outcomes = this.#machines.handle(this.#self, state, { kind: 'crash' })
    return JSON.stringify(
      outcomes.map(({ state: after, violation, sent }) => [
        this.#machines.key(after),
        violation?.message ?? null,
        sent.map(({ to, message }) => [to, valueToJson(message)]),
      ]),
    )
  }
}
