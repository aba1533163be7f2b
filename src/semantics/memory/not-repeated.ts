/** What is said of code that differs when it is run again. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { placeOfSite } from './code.ts'

export function notRepeated(found: number | undefined, expected: number | undefined): Diagnostic {
  return {
    code: 'E201',
    message: 'the method did something else when it was run again with the same answers',
    hint: 'a method may depend on its arguments and on the state of the object, not on a counter or cache outside of both',
    place: placeOfSite(expected ?? -1) ?? placeOfSite(found ?? -1),
  }
}
