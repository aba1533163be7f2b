/**
 * Nobody signs for another: what a handler sends or keeps may hold a signature of another machine only if the handler found it in its state or in the
 * message. So a signature is first sent by whoever made it, wherever handlers got it from: a variable outside, or an object written out by hand.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { mistake } from '../../core/running.ts'
import { foreignIn, type Signed, signaturesIn, signatureText, signing } from '../../core/signed.ts'
import type { Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Member } from './context.ts'

export class KnownSignatures {
  readonly #values: readonly unknown[]
  #texts: ReadonlySet<string> | undefined

  /** Where a handler may have them from. */
  constructor(...values: readonly unknown[]) {
    this.#values = values
  }

  /** What is wrong with something that a machine sends or keeps, if it holds signatures that the machine cannot have. */
  problemIn(
    value: unknown,
    { setup, names, liars }: Pick<Member, 'setup' | 'names' | 'liars'>,
  ): Diagnostic | undefined {
    if (!signing.isUsed && liars.size === 0) return undefined
    for (const signature of foreignIn(value, (by) => by === setup.self || !names.has(by))) {
      this.#texts ??= new Set(this.#values.flatMap((one) => [...signaturesIn(one)].map(signatureText)))
      if (!this.#texts.has(signatureText(signature))) return forged(setup.self, signature)
    }
    return undefined
  }

  /** The same, at the line that sends it. */
  refuse(value: unknown, member: Member): void {
    const problem = this.problemIn(value, member)
    if (problem !== undefined) mistake(problem)
  }
}

function forged(self: string, signature: Signed): Diagnostic {
  return {
    code: 'E237',
    message: `machine "${self}" has ${showValue(signature as unknown as Value, 80)}, which it was never sent`,
    hint: 'a machine signs for itself: signed(context.self, { … }); of others it passes on what it was sent',
  }
}
