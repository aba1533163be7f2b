/** Whether a monitor is told something: its filter is code of the user's, and what it throws is a finding. */

import { DiagnosticError } from '../core/diagnostic.ts'
import { isNativePromise } from '../core/native-promise.ts'
import type { Notification } from '../core/operation.ts'
import { shown } from '../core/option-shape.ts'
import { runAs } from '../core/running.ts'
import { thrownBy } from '../core/thrown.ts'
import { unheeded } from '../core/unheeded.ts'
import type { MonitorDeclaration } from '../program/program.ts'
import { ViolatedError } from './violated-error.ts'

export function isObserved({ name, observes }: MonitorDeclaration, observed: Notification): boolean {
  const filter = `the filter of monitor "${name}"`
  let answer: unknown
  try {
    answer = runAs(filter, () => observes(observed))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    const { isAssertion, message: words, stack } = thrownBy(error)
    const message = isAssertion ? words : `exception in ${filter}: ${words}`
    throw new ViolatedError({ kind: 'monitor', property: message, message, process: name, stack })
  }
  // An object is always true, be it a promise or what was meant to be compared.
  if (typeof answer !== 'object' && typeof answer !== 'function') return Boolean(answer)
  if (answer === null) return false
  if (isNativePromise(answer)) unheeded(answer)
  throw new DiagnosticError({
    code: 'E214',
    message: `${filter} returned ${isNativePromise(answer) ? 'a promise' : shown(answer)}`,
    hint: 'return true for what the monitor is told, and false for everything else; a filter cannot be async',
  })
}
