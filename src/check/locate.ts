/** Gives diagnostics their place in the user's file and the source text around it. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { placeCapture } from '../core/operation.ts'
import type { CheckRequest } from './request.ts'
import { codeFrame, placeOf } from './source-places.ts'

/** Executions and milliseconds a second search may take to meet the same mistake with places captured. */
const searchedExecutions = 20_000
const searchedMilliseconds = 3_000

/** Fills in what the stack tells. */
export function located(diagnostic: Diagnostic): Diagnostic {
  const place = diagnostic.place ?? (diagnostic.stack === undefined ? undefined : placeOf(diagnostic.stack))
  if (place === undefined) return diagnostic
  return { ...diagnostic, place, frame: diagnostic.frame ?? codeFrame(place) }
}

/**
 * Operations carry no stack while an engine runs, because a stack costs microseconds. So a mistake without a place is looked
 * for again with places captured; the place of the program's declaration is the last resort.
 */
export function locatedInSearch(diagnostic: Diagnostic, request: CheckRequest, now: () => number): Diagnostic {
  const direct = located(diagnostic)
  const isInProcess = diagnostic.code.startsWith('E2')
  if (direct.place !== undefined || !isInProcess) return direct
  const again = metAgain(diagnostic, request, now)
  const stack = again?.stack ?? request.program.stack
  return located({ ...diagnostic, stack })
}

function metAgain(diagnostic: Diagnostic, request: CheckRequest, now: () => number): Diagnostic | undefined {
  const { engine, subject, options } = request
  const until = now() + searchedMilliseconds
  const before = placeCapture.enabled
  placeCapture.enabled = true
  try {
    let executions = 0
    for (const event of engine.explore(subject, options)) {
      if (event.kind === 'diagnostic' && event.diagnostic.code === diagnostic.code) return event.diagnostic
      if (event.kind === 'execution') executions++
      if (executions > searchedExecutions || now() > until) return undefined
    }
    return undefined
  } catch (error) {
    if (error instanceof DiagnosticError && error.diagnostic.code === diagnostic.code) return error.diagnostic
    return undefined
  } finally {
    placeCapture.enabled = before
  }
}
