/** Arrays that the language turns into texts and numbers by itself, as in `${array}`. */
import { accessModes } from '../../program/stateful.ts'
import { machine } from './process.ts'
import { refuse } from './search-error.ts'

/** Within an operation it is part of it; elsewhere no access can be seen to begin. */
export function arrayConverted(array: unknown): void {
  const { heap, process } = machine
  // A run that repeats converted it when nobody else had it.
  if (heap === undefined || process?.isReplaying === true || typeof array !== 'object' || array === null) return
  const touched = heap.touched.length
  heap.touchWhole(array, accessModes.read)
  if (process?.isActing !== false || heap.touched.length === touched) return
  refuse({
    code: 'E307',
    message: 'an array that others can change is converted without a call',
    hint: "call a method that does so, as in array.join(',')",
    stack: new Error().stack,
  })
}
