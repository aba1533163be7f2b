/** What may be chosen. */
import type { Place } from '../../core/diagnostic.ts'
import { partsOf } from './expression.ts'
import { fail } from './failed.ts'
import type { IrValue } from './value.ts'

/** As P has it. */
const mostChoices = 10_000

const both: readonly IrValue[] = [false, true]

/** Below 0 there is 0 itself; equal elements of a list are one choice. */
export function choices(among: 'boolean' | 'below' | 'element', from: IrValue, place: Place): readonly IrValue[] {
  if (among === 'boolean') return both
  const count = among === 'below' ? Math.max(from as number, 1) : partsOf(from).length
  if (count > mostChoices) fail('too many choices', `${count} of at most ${mostChoices}`, place)
  if (among === 'below') {
    if ((from as number) < 0) fail('empty choice', `no number from 0 on is below ${from}`, place)
    return Array.from({ length: count }, (_, at) => at)
  }
  if (count === 0) fail('empty choice', 'the collection has no element', place)
  return [...new Set(partsOf(from))]
}
