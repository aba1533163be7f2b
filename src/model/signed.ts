/** `signed`, `isSigned`: messages that others can pass on and nobody else can make. */
import { takenCopy } from '../core/copy-value.ts'
import { checkNoMore, shown } from '../core/option-shape.ts'
import { mistake, running } from '../core/running.ts'
import { isSignature, type Signed, signing } from '../core/signed.ts'

/**
 * The message with the signature of the machine `by`, which alone can make it: `signed(context.self, { … })` in its handlers. What a Byzantine
 * machine `says` may hold signatures of others; it says them once those have sent them.
 */
export function signed<const Message>(by: string, message: Message): Signed<Message>
export function signed<const Message>(by: string, message: Message, ...extra: readonly unknown[]): Signed<Message> {
  checkNoMore(extra, 'signed(by, message)', 'E237')
  if (typeof by !== 'string' || by === '')
    mistake({ code: 'E237', message: `signed() needs the name of a machine and got ${shown(by)}`, hint })
  const { process } = running
  if (process !== undefined && process !== by && !signing.isFree)
    mistake({ code: 'E237', message: `"${process}" signs for "${by}"`, hint })
  const taken = message === undefined ? { problem: { path: '', found: 'undefined' } } : takenCopy(message)
  if ('problem' in taken) {
    const what = `what "${by}" signs is not a value: message${taken.problem.path} is ${taken.problem.found}`
    return mistake({ code: 'E237', message: what, hint: 'plain data: objects, arrays, Map, Set, bigint' })
  }
  signing.isUsed = true
  return Object.freeze({ signed: true, by, message: taken.value as Message })
}

const hint = 'a machine signs for itself: signed(context.self, { … }); of others it passes on what it was sent'

/** Whether a value is signed; with `by`, by that machine. */
export function isSigned(value: unknown, by?: string): value is Signed
export function isSigned(value: unknown, by?: string, ...extra: readonly unknown[]): value is Signed {
  checkNoMore(extra, 'isSigned(value, by)', 'E237')
  if (by !== undefined && typeof by !== 'string')
    mistake({
      code: 'E237',
      message: `isSigned() needs the name of a machine and got ${shown(by)}`,
      hint: 'in filter(…) write (message) => isSigned(message)',
    })
  return isSignature(value) && (by === undefined || value.by === by)
}
