/** How many clients a check speaks about. */
import type { ObjectCheck } from '../../program/object-check.ts'
import { clientCount } from '../../properties/linearizability/client-count.ts'
import { spaceOf } from './options.ts'

export function clientTotal(check: ObjectCheck): number {
  return Number(clientCount(spaceOf(check, {})))
}
