/** The message filter of a receive, applied. */
import { answerText, yesOrNo } from './answer.ts'
import { DiagnosticError } from './diagnostic.ts'
import { functionText } from './function-text.ts'
import type { Operation } from './operation.ts'

type Filtering = Pick<Operation, 'where'> & Partial<Pick<Operation, 'stack'>>

export function matches(receive: Filtering, message: unknown, sender?: string): boolean {
  const { where } = receive
  if (where === undefined) return true
  if (typeof where === 'string') return isOfKind(message, where)
  if (typeof where === 'object') return where.takes(message, sender)
  const answer: unknown = (where as (message: unknown, sender?: string) => unknown)(message, sender)
  return yesOrNo(answer) ?? refuseAnswer(answer, receive.stack)
}

export function isOfKind(message: unknown, kind: string): boolean {
  return typeof message === 'object' && message !== null && (message as { readonly kind?: unknown }).kind === kind
}

/** What a filter is, on one line that is not too long. */
export function filterText(filter: unknown): string {
  const source = (typeof filter === 'function' ? functionText(filter) : String(filter)).replace(/\s+/g, ' ')
  return source.length > 60 ? `${source.slice(0, 59)}…` : source
}

function refuseAnswer(answer: unknown, stack: string | undefined): never {
  throw new DiagnosticError({ ...noAnswer('a filter', answer), stack })
}

/** A filter returned what would be true of everything. */
export function noAnswer(filter: string, answer: unknown): { code: 'E214'; message: string; hint: string } {
  return {
    code: 'E214',
    message: `${filter} returned ${answerText(answer)}`,
    hint: 'return true for what is wanted, and false for everything else; a filter cannot be async',
  }
}
