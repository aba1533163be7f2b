/** Gives diagnostics their place in the user's file and the source text around it. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { placeCapture } from '../core/operation.ts'
import type { Host } from '../distribute/driver.ts'
import { driveInline } from '../distribute/inline.ts'
import { declaredAt } from './objects/declared-at.ts'
import type { CheckRequest } from './request.ts'
import { codeFrame, placeOf } from './source-places.ts'

/** Executions and milliseconds a second search may take to meet the same mistake with places captured. */
const searchedExecutions = 20_000
const searchedMilliseconds = 10_000

/** What is wrong between Redis and workers is at no line of the program. */
const isElsewhere = /^E80[134]$/

/** Fills in what the stack tells. */
export function located(diagnostic: Diagnostic): Diagnostic {
  const place = diagnostic.place ?? placeOf(withoutCaller(diagnostic.stack))
  if (place === undefined) return diagnostic
  return { ...diagnostic, place, frame: diagnostic.frame ?? codeFrame(place) }
}

/** Whoever has called the check, as a test does, is on the stack of what goes wrong in it, and is not where it goes wrong. */
export function withoutCaller(stack: string | undefined): string | undefined {
  return stack?.split(/\n\s+at (?:async )?(?:runCheck|swept|driveInline)\d* \(/)[0]
}

/**
 * Operations carry no stack while an engine runs, because a stack costs microseconds. So a mistake without a place is looked
 * for again with places captured; the place of the program's declaration is the last resort.
 */
export async function locatedInSearch(diagnostic: Diagnostic, request: CheckRequest, host: Host): Promise<Diagnostic> {
  if (request.sweep !== undefined) return located(declaredAt(diagnostic, request.program))
  const direct = located(diagnostic)
  // A call that an abstract object cannot take is looked at when the process that made it has gone on.
  const isInProcess = diagnostic.code.startsWith('E2') || diagnostic.code === 'E107'
  if (direct.place !== undefined || isElsewhere.test(diagnostic.code)) return direct
  if (!isInProcess) return located({ ...diagnostic, stack: request.program.stack })
  const again = await metAgain(diagnostic, request, host)
  const found = located({ ...diagnostic, stack: again?.stack })
  return found.place === undefined ? located({ ...diagnostic, stack: request.program.stack }) : found
}

async function metAgain(diagnostic: Diagnostic, request: CheckRequest, host: Host): Promise<Diagnostic | undefined> {
  const budget = { executions: searchedExecutions, milliseconds: searchedMilliseconds }
  const again = await searchedAgain(request, budget, host)
  return again?.code === diagnostic.code ? again : undefined
}

/** The mistake that is met when it is searched once more, with places captured; what is not vacuous is told with them, too. */
export async function searchedAgain(
  { engine, options, signal, explored }: CheckRequest,
  budget: { readonly executions: number; readonly milliseconds: number },
  host: Host,
): Promise<Diagnostic | undefined> {
  const { subject } = explored
  const before = placeCapture.enabled
  placeCapture.enabled = true
  try {
    return (await driveInline({ engine, subject, options }, { budget, keepGoing: true, signal }, host)).diagnostic
  } catch {
    // A program that does not repeat itself may break the engine the second time; its mistake is known without a place.
    return undefined
  } finally {
    placeCapture.enabled = before
  }
}
