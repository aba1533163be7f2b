/**
 * Values in which machines have changed their names. A text is the name of a machine if it is that and nothing else, or the address of a machine
 * that it has created, wherever it stands: as an item, as a field or as its key. A longer text that holds a name stays as it is: whether such texts
 * matter shows where handlers are compared (`alike-machines.ts`).
 */
import { setField } from '../../core/copy-value.ts'
import { Address, freezeValue, type Value } from '../../core/value.ts'

/** One-to-one; machines that are not in it keep their names. */
export type NewNames = ReadonlyMap<string, string>

export function renamedText(text: string, names: NewNames): string {
  const end = text.indexOf('/')
  const name = end < 0 ? text : text.slice(0, end)
  const other = names.get(name)
  if (other === undefined) return text
  return end < 0 ? other : `${other}${text.slice(end)}`
}

/** Orders stay as they are: of items, of fields, and of what stands in a Map or a Set. The value itself, if no name is in it. */
export function renamedValue(value: Value, names: NewNames): Value {
  const renamed = renamedPart(value, names)
  if (renamed !== value) freezeValue(renamed)
  return renamed
}

function renamedPart(value: Value, names: NewNames): Value {
  if (typeof value === 'string') return renamedText(value, names)
  if (typeof value !== 'object' || value === null || value instanceof Address) return value
  if (Array.isArray(value)) return renamedItems(value, names) ?? value
  if (value instanceof Set) {
    const items = renamedItems([...value], names)
    return items === undefined ? value : new Set(items)
  }
  if (value instanceof Map) {
    const entries = renamedItems([...value], names)
    return entries === undefined ? value : new Map(entries as [Value, Value][])
  }
  const entries = Object.entries(value)
  const renamed = renamedItems(entries, names)
  if (renamed === undefined) return value
  const fields: { [key: string]: unknown } = {}
  for (const [key, item] of renamed as [string, Value][]) setField(fields, key, item)
  return fields as Value
}

/** Nothing, if no name is among them. */
function renamedItems(items: readonly Value[], names: NewNames): readonly Value[] | undefined {
  let isRenamed = false
  const renamed = items.map((item) => {
    const after = renamedPart(item, names)
    isRenamed ||= after !== item
    return after
  })
  return isRenamed ? renamed : undefined
}
