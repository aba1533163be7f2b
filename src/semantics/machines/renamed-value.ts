/**
 * Values in which machines have changed their names. A text is the name of a machine if it is that and nothing else, or the address of a machine
 * that it has created, wherever it stands: as an item, as a field or as its key. A longer text that holds a name stays as it is: whether such texts
 * matter shows where handlers are compared (`alike-machines.ts`).
 *
 * A list of names that is in ascending order whenever it is met is a set, which is put in order again after its names have changed: programs sort what has
 * no order. So are keys of records and Maps, and items of Sets. At a place where some list is not in order, all of them stay as they are: there it matters
 * which name came first. Either way renamings of what is met can be undone, which all that is said of them rests on.
 */
import { setField } from '../../core/copy-value.ts'
import { OwnError } from '../../core/own-error.ts'
import { Address, freezeValue, type Value } from '../../core/value.ts'

/** One-to-one; machines that are not in it keep their names. */
export type NewNames = ReadonlyMap<string, string>

/** How a renaming goes about: new names, all names that any renaming changes, and places at which orders stay. */
export interface Renames {
  readonly names: NewNames
  readonly all: ReadonlySet<string>
  readonly orderedPlaces: ReadonlySet<string>
}

/** Names at a place were not in order: all that was renamed before has to be renamed anew. */
export class OrderShows extends OwnError {
  override readonly name = 'OrderShows'
  readonly place: string

  constructor(place: string) {
    super(`names at ${place} are not in order`)
    this.place = place
  }
}

export function renamedText(text: string, names: NewNames): string {
  const name = machineIn(text)
  const other = names.get(name)
  return other === undefined ? text : `${other}${text.slice(name.length)}`
}

/** The machine itself, or the one that has created whose address it is. */
function machineIn(text: string): string {
  const end = text.indexOf('/')
  return end < 0 ? text : text.slice(0, end)
}

/** The value itself, if no name in it changes. */
export function renamedValue(value: Value, renames: Renames, place: string): Value {
  const renamed = renamedPart(value, renames, place)
  if (renamed !== value) freezeValue(renamed)
  return renamed
}

function renamedPart(value: Value, renames: Renames, place: string): Value {
  if (typeof value === 'string') return renamedText(value, renames.names)
  if (typeof value !== 'object' || value === null || value instanceof Address) return value
  if (Array.isArray(value)) return renamedItems(value, renames, place) ?? value
  if (value instanceof Set) {
    const items = renamedItems([...value], renames, place)
    return items === undefined ? value : new Set(items)
  }
  if (value instanceof Map) {
    const entries = renamedEntries([...value], renames, { place, isMap: true })
    return entries === undefined ? value : new Map(entries)
  }
  const entries = renamedEntries(Object.entries(value), renames, { place, isMap: false })
  if (entries === undefined) return value
  const fields: { [key: string]: unknown } = {}
  for (const [key, item] of entries) setField(fields, key as string, item)
  return fields as Value
}

/** Nothing, if they stay as they are. */
function renamedItems(items: readonly Value[], renames: Renames, place: string): readonly Value[] | undefined {
  const isSet = isSetOfNames(items, renames, place)
  const renamed = items.map((item) => renamedPart(item, renames, `${place}[]`))
  if (renamed.every((item, at) => item === items[at])) return undefined
  return isSet ? (renamed as string[]).sort() : renamed
}

type Entry = readonly [key: Value, item: Value]

function renamedEntries(
  entries: readonly Entry[],
  renames: Renames,
  { place, isMap }: { readonly place: string; readonly isMap: boolean },
): readonly Entry[] | undefined {
  const isSet = isSetOfNames(
    entries.map(([key]) => key),
    renames,
    place,
  )
  const renamed = entries.map(([key, item]): Entry => {
    const isName = isMap || renames.all.has(machineIn(key as string))
    return [renamedPart(key, renames, `${place} keys`), renamedPart(item, renames, `${place}.${isName ? '*' : key}`)]
  })
  if (renamed.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1])) return undefined
  return isSet ? renamed.sort(([left], [right]) => ((left as string) < (right as string) ? -1 : 1)) : renamed
}

function isSetOfNames(items: readonly Value[], { all, orderedPlaces }: Renames, place: string): boolean {
  if (orderedPlaces.has(place) || !items.every((item) => typeof item === 'string')) return false
  const texts = items as readonly string[]
  if (!texts.some((text) => all.has(machineIn(text)))) return false
  if (texts.every((text, at) => at === 0 || (texts[at - 1] as string) < text)) return true
  throw new OrderShows(place)
}
