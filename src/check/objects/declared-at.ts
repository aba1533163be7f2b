/** Where a check is declared: the last resort for what has no place of its own. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { ObjectCheck } from '../../program/object-check.ts'

export function declaredAt(diagnostic: Diagnostic, { stack, place }: ObjectCheck): Diagnostic {
  const isPlaced = diagnostic.place !== undefined || diagnostic.stack !== undefined
  return isPlaced ? diagnostic : { ...diagnostic, stack, place }
}
