/** What code of the user's answers that is asked for a yes or no. */
import { CompositeOperation, Operation } from './operation.ts'
import { shown } from './option-shape.ts'
import { isForeignProxy } from './plain-value.ts'
import { unheeded } from './unheeded.ts'

/**
 * Of a filter, whose answer counts as it does in `Array.prototype.filter`: a text, a number, or nothing. What would always be true is no
 * answer: an object, be it a promise or what was meant to be compared, a function that was not called, a symbol.
 */
export function yesOrNo(answer: unknown): boolean | undefined {
  if (typeof answer === 'boolean') return answer
  const isAlwaysTrue = typeof answer === 'function' || typeof answer === 'symbol' || Object(answer) === answer
  return isAlwaysTrue ? undefined : Boolean(answer)
}

/** An answer that is none, in the words of a diagnostic. Whatever a promise comes to, nobody looks at it again. */
export function answerText(answer: unknown): string {
  if (isForeignProxy(answer)) return 'a Proxy'
  if (answer instanceof Operation) return `the operation ${answer.kind}(…) itself`
  if (answer instanceof CompositeOperation) return `the operation ${answer.name}(…) itself`
  if (isPromiseLike(unheeded(answer))) return 'a promise'
  return has(answer, 'next') ? 'a generator' : shown(answer)
}

/** What an async function or a generator returns: it says nothing yet. */
export function isLater(answer: unknown): boolean {
  return isPromiseLike(answer) || has(answer, 'next')
}

export function isPromiseLike(answer: unknown): boolean {
  return has(answer, 'then')
}

/** To read it may run code of the user's. */
function has(answer: unknown, method: 'then' | 'next'): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  try {
    return typeof (answer as { readonly [name: string]: unknown })[method] === 'function'
  } catch {
    return false
  }
}
