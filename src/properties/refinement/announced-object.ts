/** Abstract objects as users are given them: a function for each operation, which makes a call of it. */
import { knowingNames } from '../../core/known-names.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { mistake } from '../../core/running.ts'
import { freezeValue, type Value } from '../../core/value.ts'
import {
  type AbstractCall,
  type AbstractObject,
  abstractObject,
  abstractObjectOf,
  madeBy,
  makesCalls,
  noteMade,
  type Refined,
} from '../../program/refinement.ts'

export type Fields = { readonly [field: string]: Value }

const knownOperations = knowingNames((one) => {
  const { name } = abstractObjectOf(one) as AbstractObject
  return { of: `specification "${name}"`, noun: ['operation', 'operations'] }
})

/** Functions that make calls, for `announce`; what is wrong with a call beside the form of it, `check` says. */
export function announcedObject(
  object: AbstractObject,
  check: (operation: string, fields: object) => void = () => {},
): Refined {
  const made = Object.create(knownOperations) as { [name: string]: unknown } & { [abstractObject]: AbstractObject }
  made[abstractObject] = object
  for (const operation of object.operations) {
    const value = (fields: Fields = {}, ...extra: readonly unknown[]) => {
      checkNoMore(extra, `${object.name}.${operation}({ … })`)
      check(operation, fields)
      return callWith(object, operation, fields)
    }
    makesCalls(value, object, operation)
    Object.defineProperty(made, operation, { enumerable: true, value })
  }
  return Object.freeze(made)
}

function callWith(object: AbstractObject, operation: string, fields: unknown): AbstractCall {
  const what = `${operation} of specification "${object.name}"`
  const hint = `announce(${/^\w+$/.test(object.name) ? object.name : 'it'}.${operation}({ … }))`
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return mistake({ code: 'E107', message: `${what} is given ${shown(fields)}, and not an object`, hint })
  if (Object.hasOwn(fields, 'kind'))
    return mistake({ code: 'E107', message: `${what} has a field "kind", which names the call itself`, hint })
  const call = { kind: `${object.name}.${operation}`, ...fields } as AbstractCall
  const problem = freezeValue(call)
  if (problem === undefined) {
    noteMade(call)
    return madeBy(object, call)
  }
  return mistake({ code: 'E107', message: `${what} is no value: ${problem.path.slice(1)} is ${problem.found}`, hint })
}
