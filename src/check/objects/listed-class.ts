/** A declared class for lists: what its check speaks about. */
import { settingFrom } from '../../core/setting.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Program } from '../../program/program.ts'
import { clientTotal, spaceOf } from './clients.ts'

export interface ListedClass {
  readonly check: ObjectCheck
  /** Nothing if its bounds are too large. */
  readonly clients: number | undefined
}

/** Nothing for a program that is no class. */
export function listedClass({ views, params }: Program): ListedClass | undefined {
  const check = views.object?.(settingFrom({ params }))
  if (check === undefined) return undefined
  return { check, clients: check.clients.length > 0 ? check.clients.length : clientTotal(spaceOf(check, {})) }
}
