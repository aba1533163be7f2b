/** Calls that come to no end, as diagnostics. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { ClientProcess } from './client-process.ts'

export function neverEnds(): DiagnosticError {
  return new DiagnosticError({
    code: 'E304',
    message: 'what the calls in brackets begin does not end before the other calls are made',
    hint: 'make calls that begin something which waits for others a part of a process, { … }',
  })
}

export function neverReturns({ process, calls, returned }: ClientProcess): DiagnosticError {
  const name = calls[returned.length]?.operation ?? process.name
  return new DiagnosticError({
    code: 'E304',
    message: `${name}() does not return`,
    hint: 'every operation must come to an end when it runs alone: bound its loops',
  })
}
