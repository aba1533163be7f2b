/** Members that a class adds to an object which its parent did not make, but was given back. */
import { placeOfSite } from './code.ts'
import { machine } from './process.ts'
import { refuse } from './search-error.ts'

/** What constructors returned: it need not be what they made. */
const returned = new WeakSet<object>()

/** Stands where a constructor returns a value. */
export function given(value: unknown): unknown {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') returned.add(value)
  return value
}

/** Stands where a class begins to add members to what the constructor of another one gave. */
export function stamped(site: number, object: object): object {
  if (machine.isChecking && returned.has(object)) {
    refuse({
      code: 'E307',
      message: 'a class that adds members to an object that another constructor returned cannot be checked',
      hint: 'keep what belongs to the object in a Map, or in fields of an object of its own',
      place: placeOfSite(site),
    })
  }
  return object
}
