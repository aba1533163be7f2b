/** Arbitrary values, for properties of everything that handles them. */
import fc from 'fast-check'
import { Address, type Value } from '../../../src/core/value.ts'

const keys = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('#map', '##', '#undefined', 'kind', '__proto__', '1', '#'),
)
const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('n1', 'u', '0', '"', '\ud800', '#'),
)

export const primitives: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(undefined, null, true, false, 0, -0, Number.NaN, Infinity, -Infinity, 0n, '', '0', 1, 1n, '1'),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  strings,
  strings.map((id) => Address.of(id) as Value),
)

/** Fresh objects every time; depth at most three. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    primitives,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Value>,
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries) as Value),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items) as Value),
  ),
})).value

/** The same value built anew, with keys, entries and items in reverse order. */
export function rebuilt(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Address) return value
  if (Array.isArray(value)) return value.map((item) => rebuilt(item as Value))
  if (value instanceof Set) return new Set([...value].reverse().map((item) => rebuilt(item as Value)))
  if (value instanceof Map)
    return new Map([...value].reverse().map(([key, item]) => [rebuilt(key as Value), rebuilt(item as Value)]))
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, rebuilt(item as Value)]),
  )
}
