/**
 * Fields of what Byzantine machines say: one that no handler reads, and one that a handler reads and no such message has, are noted, because a liar with a slip
 * in its messages does no harm, and a protocol that is wrong passes for one that is not. Handlers are run once more with views of the message, which tell; what
 * comes of that is ignored, but for reading all that it keeps or sends.
 */
import { copyValue } from '../../core/copy-value.ts'
import { type LackedField, telling } from '../../core/lacking-fields.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { Byzantine } from '../../program/machines.ts'
import type { SystemDefinition } from '../../program/system-definition.ts'
import { kindOf } from './context.ts'

/** After so many runs fewer would have to be looked at, and whether a field is never read would not be known. */
const lookedAtMost = 4_096

/** What asks whether a value is a signature reads these of whatever it is. */
const signatureFields: readonly string[] = ['signed', 'by', 'message']

export class FieldsSaid {
  readonly #witness: Witness
  readonly #read = new Set<string>()
  readonly #unread = new Set<string>()
  /** Subjects of fields that some message has. */
  readonly #there = new Set<string>()
  /** By liar: where it is declared. */
  readonly #stacks = new Map<string, string | undefined>()
  #runs = 0

  constructor(witness: Witness) {
    this.#witness = witness
  }

  expect({ sayings }: Byzantine, { byzantine }: SystemDefinition): void {
    for (const { from, message } of sayings.map(({ envelope }) => envelope)) {
      this.#stacks.set(from, byzantine.get(from)?.stack)
      for (const field of fieldsOf(message)) this.#there.add(subjectOf(from, message, field))
    }
  }

  /** A message, if it is from a liar, that a handler takes, which `run` lets it do once more. */
  look(from: string, message: Value, run: (message: Value) => unknown): void {
    if (!this.#stacks.has(from) || this.#runs++ > lookedAtMost) return
    if (this.#runs > lookedAtMost) return this.#forget()
    const lacked: LackedField[] = []
    const read = new Set<string>()
    run(
      telling(
        copyValue(message),
        (one) => lacked.push(one),
        ([field]) => read.add(field as string),
      ) as Value,
    )
    for (const field of fieldsOf(message)) this.#met(subjectOf(from, message, field), read.has(field), from)
    const asksForSignature = signatureFields.every((field) => lacked.some(({ way: [one] }) => one === field))
    for (const { way } of lacked) {
      const [field, ...below] = way as readonly [string, ...string[]]
      const isAsked = asksForSignature && signatureFields.includes(field)
      if (below.length === 0 && !isAsked) this.#lacks(subjectOf(from, message, field), from)
    }
  }

  #met(subject: string, isRead: boolean, from: string): void {
    if (this.#read.has(subject)) return
    if (!isRead) {
      if (!this.#unread.has(subject)) this.#witness.ask('field-never-read', subject, 0, this.#stacks.get(from))
      this.#unread.add(subject)
      return
    }
    this.#read.add(subject)
    this.#unread.delete(subject)
    this.#witness.answer('field-never-read', subject)
  }

  #lacks(subject: string, from: string): void {
    if (!this.#there.has(subject)) this.#witness.ask('field-never-there', subject, 0, this.#stacks.get(from))
  }

  #forget(): void {
    for (const subject of this.#unread) this.#witness.answer('field-never-read', subject)
    this.#unread.clear()
  }
}

function fieldsOf(message: Value): readonly string[] {
  return Object.keys(message as object).filter((field) => field !== 'kind')
}

function subjectOf(from: string, message: Value, field: string): string {
  return `field "${field}" of messages "${kindOf(message)}" of Byzantine machine "${from}"`
}
