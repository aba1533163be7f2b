/**
 * Conditions on rows, as data: `{ onCall: true, age: { gte: 18 } }`. They travel to the server of a database, which has to know what a
 * statement asked for: a function cannot be sent, and who reads by a function has read the whole table.
 */

import { suggestion } from '../../../core/did-you-mean.ts'
import { isPlainObject, shown } from '../../../core/option-shape.ts'
import { mistake } from '../../../core/running.ts'
import { sameValue, type Value } from '../../../core/value.ts'

/** What a field must be, other than equal to something. All that is given must hold. */
export interface Comparison<Field> {
  readonly lt?: Field
  readonly lte?: Field
  readonly gt?: Field
  readonly gte?: Field
  readonly in?: readonly Field[]
  readonly not?: Field
}

/** By field: what it equals, or how it compares. All must hold; `{}` holds of every row. */
export type Where<Row> = { readonly [Field in keyof Row]?: Row[Field] | Comparison<Row[Field]> }

export interface Row {
  readonly [field: string]: Value
}

/** As servers take it: every field with comparisons. */
export type Condition = readonly (readonly [field: string, comparison: string, operand: Value])[]

type Compare = (value: Value, operand: Value) => boolean

const comparisons: { readonly [name in keyof Required<Comparison<unknown>>]: Compare } = {
  lt: (value, operand) => isOrdered(value, operand) && (value as number) < (operand as number),
  lte: (value, operand) => isOrdered(value, operand) && (value as number) <= (operand as number),
  gt: (value, operand) => isOrdered(value, operand) && (value as number) > (operand as number),
  gte: (value, operand) => isOrdered(value, operand) && (value as number) >= (operand as number),
  in: (value, operand) => (operand as readonly Value[]).some((one) => sameValue(value, one)),
  not: (value, operand) => !sameValue(value, operand),
}

/** As in SQL, what cannot be compared satisfies nothing. */
function isOrdered(left: Value, right: Value): boolean {
  return typeof left === typeof right && ['number', 'bigint', 'string'].includes(typeof left)
}

export function conditionOf(where: unknown, of: string): Condition {
  if (!isPlainObject(where))
    return mistake({
      code: 'E220',
      message: `${of} needs a condition and got ${shown(where)}`,
      hint: 'fields with what they must be: { onCall: true, age: { gte: 18 } }; a function may stand there for a scan',
    })
  return Object.entries(where as Row).flatMap(([field, asked]): Condition => {
    if (!isPlainObject(asked)) return [[field, 'equals', asked]]
    const entries = Object.entries(asked as Row)
    if (entries.length === 0) refuseComparison(of, field, 'an empty object')
    return entries.map(([name, operand]) => {
      if (!Object.hasOwn(comparisons, name)) refuseComparison(of, field, `"${name}"`, name)
      if (name === 'in' && !Array.isArray(operand)) refuseComparison(of, field, `"in" with ${shown(operand)}`)
      return [field, name, operand] as const
    })
  })
}

function refuseComparison(of: string, field: string, found: string, name = ''): never {
  return mistake({
    code: 'E220',
    message: `${of} compares "${field}" by ${found}`,
    hint: suggestion(name, Object.keys(comparisons), 'comparisons'),
  })
}

export function satisfies(row: Row | undefined, condition: Condition): boolean {
  if (row === undefined) return false
  return condition.every(([field, name, operand]) => {
    const value = Object.hasOwn(row, field) ? row[field] : undefined
    if (name === 'equals') return sameValue(value, operand)
    return comparisons[name as keyof typeof comparisons](value as Value, operand)
  })
}
