/**
 * Values that carry who made them. A signature is plain data, so that it travels, is compared and is kept like any other value; that nobody makes one
 * in the name of another is a rule about handlers (`semantics/machines/signatures.ts`), and about what Byzantine machines say (`sayings.ts`).
 */
import { encodeValue, type Value } from './value.ts'

/** A message with the name of the machine that vouches for it. */
export interface Signed<Message = Value> {
  readonly signed: true
  readonly by: string
  readonly message: Message
}

/** Whether anything was signed so far, which spares others the search; and whether signatures of others may be written down just now. */
export const signing = { isUsed: false, isFree: false }

export function isSignature(value: unknown): value is Signed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { signed, by, message } = value as { readonly [field: string]: unknown }
  return signed === true && typeof by === 'string' && message !== undefined && Object.keys(value).length === 3
}

/** Equal for equal signatures, whatever the order of fields, and only for those. */
export function signatureText(signature: Signed): string {
  return encodeValue(signature as unknown as Value)
}

/** All signatures in a value, those within others after them. */
export function* signaturesIn(value: unknown): Generator<Signed, void> {
  if (isSignature(value)) yield value
  for (const part of partsOf(value)) yield* signaturesIn(part)
}

/** Signatures of those who are not `own`: the outermost, which those within them come with. */
export function* foreignIn(value: unknown, own: (by: string) => boolean): Generator<Signed, void> {
  if (isSignature(value) && !own(value.by)) {
    yield value
    return
  }
  for (const part of partsOf(value)) yield* foreignIn(part, own)
}

function partsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value
  if (value instanceof Set) return [...value]
  return value instanceof Map ? [...value].flat() : Object.values(value)
}
