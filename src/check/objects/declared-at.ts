/** Where a class or its check is declared: the last resort for what has no place of its own. */
import type { Diagnostic, Place } from '../../core/diagnostic.ts'

interface Declared {
  readonly stack: string | undefined
  readonly place?: Place | undefined
}

export function declaredAt(diagnostic: Diagnostic, { stack, place }: Declared): Diagnostic {
  const isPlaced = diagnostic.place !== undefined || diagnostic.stack !== undefined
  return isPlaced ? diagnostic : { ...diagnostic, stack, place }
}
