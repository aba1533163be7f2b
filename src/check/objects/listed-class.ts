/** A declared class for lists: what its check speaks about. */
import { settingFrom } from '../../core/setting.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Program } from '../../program/program.ts'
import { clientCount } from '../../properties/linearizability/client-count.ts'
import { spaceOf } from './clients.ts'

export interface ListedClass {
  readonly check: ObjectCheck
  readonly clients: number
}

/** Nothing for a program that is no class. */
export function listedClass({ views, params }: Program): ListedClass | undefined {
  const check = views.object?.(settingFrom({ params }))
  if (check === undefined) return undefined
  return { check, clients: check.clients.length > 0 ? check.clients.length : Number(clientCount(spaceOf(check, {}))) }
}
