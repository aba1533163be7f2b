/**
 * Mistakes of the user's in handlers and invariants. They come to light where a handler runs, and under a search that also
 * tries what can never happen that proves nothing: so they travel as violations, and become diagnostics where the
 * execution that leads to them is known.
 */

import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { isOutsideHint } from '../../core/outside.ts'
import { isInstance } from '../../core/own-error.ts'
import type { Violation } from '../../core/property.ts'

const diagnostics = new WeakMap<Violation, Diagnostic>()

export function mistakenViolation(
  kind: 'exception' | 'invariant',
  diagnostic: Diagnostic,
  process: string | undefined,
  isOfActions = false,
): Violation {
  const words = isOfActions ? inWordsOfActions : inWordsOfMachines
  const told = kind === 'invariant' ? diagnostic : words(diagnostic)
  const { message, stack } = told
  const violation: Violation = { kind, property: message, message, process, stack }
  diagnostics.set(violation, told)
  return violation
}

/** What is found in processes and machines alike speaks of processes, and of operations that machines do not have. */
function inWordsOfMachines(diagnostic: Diagnostic): Diagnostic {
  const { code, message } = diagnostic
  const words = message.replace(/^process "/, 'machine "')
  if (code === 'E207' || code === 'E208' || code === 'E211') {
    const hint =
      'handlers are plain functions that run to their end: what comes later is a message, a timer or a request of its own'
    return { ...diagnostic, code: 'E225', message: `a handler cannot wait: ${words}`, hint }
  }
  if (code === 'E202')
    return {
      ...diagnostic,
      message: words,
      hint: 'a handler runs to its end: what comes later is a message or a timer',
    }
  if (code !== 'E209' || isOutsideHint(diagnostic.hint)) return { ...diagnostic, message: words }
  const hint = /random/i.test(message)
    ? 'let context.choose([…]) pick the value: every option is explored'
    : "a handler has no clock: set a timer, context.setTimer('retry', { milliseconds: 50 }), or let context.choose([…]) pick"
  return { ...diagnostic, message: words, hint }
}

/** The same for `next` of a protocol by its actions, which has no context to act with. */
function inWordsOfActions(diagnostic: Diagnostic): Diagnostic {
  const { code } = diagnostic
  const message = diagnostic.message.replace(/^process "/, 'machine "')
  if (code === 'E207' || code === 'E208' || code === 'E211')
    return { ...diagnostic, code: 'E225', message: `"next" cannot wait: ${message}`, hint: laterActions }
  if (code === 'E202') return { ...diagnostic, message, hint: laterActions }
  const hint = '"next" has neither clock nor randomness: list an action for each thing that may happen'
  return code === 'E209' && !isOutsideHint(diagnostic.hint)
    ? { ...diagnostic, message, hint }
    : { ...diagnostic, message }
}

const laterActions = '"next" lists what may happen in one state: what comes later is an action of a later state'

/** Whether an error says that a frozen value was to be changed, in the words of V8 and of `core/value.ts`. */
export function isAboutFrozen(error: unknown): boolean {
  return (
    isInstance(error, TypeError) &&
    /read only property|object is not extensible|^Cannot (delete|redefine|define) property|and is frozen$/.test(
      (error as TypeError).message,
    )
  )
}

/** The diagnostic behind a violation that is really a mistake. */
export function mistakeBehind(violation: Violation): Diagnostic | undefined {
  return diagnostics.get(violation)
}

/** For those who know that the violation can happen. */
export function refuseMistakes(violation: Violation): void {
  const diagnostic = diagnostics.get(violation)
  if (diagnostic !== undefined) throw new DiagnosticError(diagnostic)
}
