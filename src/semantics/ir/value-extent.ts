/**
 * How large a value may be. Texts, lists and nested values of a program could grow beyond what the host can hold, compare or print; a machine that makes
 * one which is larger fails where it does, as with numbers that are not exact any more. What is bounded is the value written out: parts that several
 * places share are counted in each, so that printing one is bounded too.
 */
import type { Place } from '../../core/diagnostic.ts'
import { grouped } from '../../core/grouped.ts'
import { fail } from './failed.ts'
import type { IrValue } from './value.ts'

/** Letters and items in all. */
export const mostContent = 2 ** 20
/** Values within values; whatever goes through one calls itself for each. */
const deepestValue = 500

/** Letters of a text, items of a collection and all that is in them; 1 of what has neither. */
export function contentOf(value: IrValue): number {
  if (typeof value === 'string') return value.length || 1
  if (typeof value !== 'object' || value === null) return 1
  switch (value.kind) {
    case 'seq':
    case 'set':
      return 1 + value.list.content
    case 'map':
      return 1 + value.list.content + value.valueList.content
    case 'tuple':
      return value.content
    default:
      return 1
  }
}

/** How many values stand within each other; 0 of what has no parts. */
export function depthOf(value: IrValue): number {
  if (typeof value !== 'object' || value === null) return 0
  switch (value.kind) {
    case 'seq':
    case 'set':
      return 1 + value.list.depth
    case 'map':
      return 1 + Math.max(value.list.depth, value.valueList.depth)
    case 'tuple':
      return value.depth
    default:
      return 0
  }
}

/** The value itself, unless it is too large. Whatever makes a value from others that are not asks this. */
export function bounded<Made extends IrValue>(value: Made, place: Place): Made {
  if (contentOf(value) > mostContent) tooLarge(place)
  if (depthOf(value) > deepestValue) fail('value too large', `it is nested more than ${deepestValue} deep`, place)
  return value
}

export function tooLarge(place: Place): never {
  return fail('value too large', `it has more than ${grouped(mostContent)} letters and items`, place)
}
