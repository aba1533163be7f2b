/** Calls as people read them: `push(1)`, `pop() → 2`. */
import type { CallResult } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Invocation } from './specification.ts'

const width = 24

export function showCall({ operation, args, result }: Invocation): string {
  const shown = args.map((arg) => showValue(arg, width)).join(', ')
  return `${operation}(${shown})${showResult(result)}`
}

function showResult(result: CallResult): string {
  switch (result.kind) {
    case 'returned':
      return result.value === undefined ? '' : ` → ${showValue(result.value, width)}`
    case 'threw':
      return ` threw ${result.error}`
    case 'unknown':
      return ' → ?'
    default:
      return ' …'
  }
}

/** One of several values that are the only ones possible: `1, 2 or 3`. */
export function eitherOf(values: readonly Value[], most = 4): string {
  const shown = values.slice(0, most).map((value) => (value === undefined ? 'nothing' : showValue(value, width)))
  const more = values.length - shown.length
  return alternatives(more > 0 ? [...shown, `${more} others`] : shown)
}

export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
