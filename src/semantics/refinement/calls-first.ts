/** When calls of abstract objects take effect, among what a handler announces. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Announced } from '../../program/machines.ts'
import { type AbstractObject, callOf } from '../../program/refinement.ts'

/**
 * A machine that makes calls when it starts must be alone: it is not known which of several machines start first, nor what others have
 * done by then, and engines would not say the same.
 */
export function refuseCallsAtStart(
  beginnings: readonly { readonly member: Starting; readonly announced: readonly Announced[] }[],
  refines: readonly AbstractObject[],
): void {
  if (beginnings.length < 2) return
  for (const { member, announced } of beginnings) {
    const object = refines.find((one) => announced.some(({ event }) => callOf(one, event) !== undefined))
    if (object !== undefined) throw new DiagnosticError(callsAtStart(member, object))
  }
}

interface Starting {
  readonly setup: { readonly self: string }
  readonly definition: { readonly stack?: string | undefined }
}

function callsAtStart({ setup, definition }: Starting, { name }: AbstractObject): Diagnostic {
  return {
    code: 'E222',
    message: `machine "${setup.self}" announces a call of "${name}" when it starts, and which machines have started before is not known`,
    hint: 'announce it in a handler, such as one of a request, or let the object begin in the state that the call leads to',
    stack: definition.stack,
  }
}

/** Calls of abstract objects take effect with the handler, and not between two of its messages. */
export function callsFirst(announced: readonly Announced[], refines: readonly AbstractObject[]): readonly Announced[] {
  const isCall = ({ event }: Announced) => refines.some((object) => callOf(object, event) !== undefined)
  if (announced.length === 0 || !announced.some(isCall)) return announced
  const calls = announced.filter(isCall).map(({ event }) => ({ event, after: 0 }))
  return [...calls, ...announced.filter((one) => !isCall(one))]
}
