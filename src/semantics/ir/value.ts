/**
 * Values of IR programs. They never change, and equal ones are one object (or one primitive), so `===` compares them. Whole numbers are
 * numbers of JavaScript; floats are objects, so that both can be told apart where a variable may hold either.
 *
 * Sets and maps are sorted by an order that depends on their contents alone: neither on who was inserted first nor on which execution
 * made a value first. So iteration is the same in every execution that has the same value, and in every replay.
 */

import { contentOf, depthOf } from './value-extent.ts'
import { type ValueList, ValueLists } from './value-list.ts'

export type IrValue = null | boolean | number | string | CompositeValue

export type CompositeValue = FloatValue | EventValue | MachineRef | SeqValue | SetValue | MapValue | TupleValue

interface Interned {
  /** In the order of making: it tells values of one table apart, and says nothing else. */
  readonly id: number
}

export interface FloatValue extends Interned {
  readonly kind: 'float'
  readonly value: number
}

/** By its place in the program. */
export interface EventValue extends Interned {
  readonly kind: 'event'
  readonly event: number
}

/** Named by who created it and how many of the same name that one had created before: the same in every interleaving. */
export interface MachineRef extends Interned {
  readonly kind: 'machine'
  /** As processes are named everywhere: `Client`, `Client#2`, `Client/Timer`. */
  readonly process: string
  /** What it is an instance of, by its place in the program. */
  readonly machine: number
  /** Sorts namesakes by their count. */
  readonly order: string
}

/** What has its items in a list. */
class Listed implements Interned {
  readonly id: number
  readonly list: ValueList

  constructor(id: number, list: ValueList) {
    this.id = id
    this.list = list
  }

  get items(): readonly IrValue[] {
    return this.list.items
  }
}

export class SeqValue extends Listed {
  readonly kind = 'seq'
}

/** Invariant: items are sorted, each once. */
export class SetValue extends Listed {
  readonly kind = 'set'
}

export class MapValue implements Interned {
  readonly kind = 'map'
  readonly id: number
  /** Invariant: sorted, each once; values stand at the places of their keys. */
  readonly list: ValueList
  readonly valueList: ValueList

  constructor(id: number, list: ValueList, valueList: ValueList) {
    this.id = id
    this.list = list
    this.valueList = valueList
  }

  get keys(): readonly IrValue[] {
    return this.list.items
  }

  get values(): readonly IrValue[] {
    return this.valueList.items
  }
}

export interface TupleValue extends Interned {
  readonly kind: 'tuple'
  readonly items: readonly IrValue[]
  /** Of a record. */
  readonly names: readonly string[] | undefined
  readonly content: number
  readonly depth: number
}

interface Creation {
  readonly creator: MachineRef | undefined
  readonly name: string
  /** How many machines of this name the creator has created, this one included. */
  readonly count: number
  readonly machine: number
}

/** The one table of values that all executions of a program share. */
export class Values {
  readonly #known = new Map<string, CompositeValue>()
  readonly #lists = new ValueLists()
  readonly emptySeq = this.seq([])

  float(value: number): FloatValue {
    // There is one zero and one value that is not a number.
    const same = value === 0 ? 0 : value
    return this.#one(`f${same}`, (id) => ({ kind: 'float', id, value: same }))
  }

  event(event: number): EventValue {
    return this.#one(`e${event}`, (id) => ({ kind: 'event', id, event }))
  }

  /** Those that the first machine creates have no creator in their names, as children of `main` elsewhere. */
  machine({ creator, name, count, machine }: Creation): MachineRef {
    const isBelow = creator !== undefined && !isFirst(creator)
    const process = `${isBelow ? `${creator.process}/` : ''}${name}${count > 1 ? `#${count}` : ''}`
    const order = `${creator?.order ?? ''}/${name}#${String(count).padStart(12, '0')}`
    return this.#one(`m${machine}${order}`, (id) => ({ kind: 'machine', id, process, machine, order }))
  }

  seq(items: readonly IrValue[]): SeqValue {
    return this.seqOf(this.#lists.of(items))
  }

  seqOf(list: ValueList): SeqValue {
    return this.#one(`s${list.id}`, (id) => new SeqValue(id, list))
  }

  appended({ list }: SeqValue, item: IrValue): SeqValue {
    return this.seqOf(this.#lists.appended(list, item))
  }

  prepended({ list }: SeqValue, item: IrValue): SeqValue {
    return this.seqOf(this.#lists.prepended(list, item))
  }

  tuple(items: readonly IrValue[], names?: readonly string[] | undefined): TupleValue {
    const key = names === undefined ? `t${keysOf(items)}` : `r${names.join()}|${keysOf(items)}`
    return this.#one(key, (id) => {
      const content = items.reduce<number>((sum, item) => sum + contentOf(item), 1)
      const depth = 1 + items.reduce<number>((deepest, item) => Math.max(deepest, depthOf(item)), 0)
      return { kind: 'tuple', id, items, names, content, depth }
    })
  }

  set(items: readonly IrValue[]): SetValue {
    return this.#sortedSet(this.#lists.of([...new Set(items)].sort(compareIrValues)))
  }

  added(set: SetValue, item: IrValue): SetValue {
    if (isBehind(set.list, item)) return this.#sortedSet(this.#lists.appended(set.list, item))
    const at = placeIn(set.items, item)
    return set.items[at] === item ? set : this.#sortedSet(this.#lists.of(set.items.toSpliced(at, 0, item)))
  }

  dropped(set: SetValue, item: IrValue): SetValue {
    const at = set.items.indexOf(item)
    return at < 0 ? set : this.#sortedSet(this.#lists.of(set.items.toSpliced(at, 1)))
  }

  map(entries: readonly (readonly [key: IrValue, value: IrValue])[]): MapValue {
    const none = this.#lists.of([])
    let map = this.#sortedMap(none, none)
    for (const [key, value] of entries) map = this.put(map, key, value)
    return map
  }

  put(map: MapValue, key: IrValue, value: IrValue): MapValue {
    const { list, valueList } = map
    if (isBehind(list, key))
      return this.#sortedMap(this.#lists.appended(list, key), this.#lists.appended(valueList, value))
    const at = placeIn(map.keys, key)
    if (map.keys[at] === key) return this.#sortedMap(list, this.#lists.of(map.values.with(at, value)))
    const [keys, values] = [map.keys.toSpliced(at, 0, key), map.values.toSpliced(at, 0, value)]
    return this.#sortedMap(this.#lists.of(keys), this.#lists.of(values))
  }

  without(map: MapValue, key: IrValue): MapValue {
    const at = map.keys.indexOf(key)
    if (at < 0) return map
    return this.#sortedMap(this.#lists.of(map.keys.toSpliced(at, 1)), this.#lists.of(map.values.toSpliced(at, 1)))
  }

  #sortedSet(list: ValueList): SetValue {
    return this.#one(`S${list.id}`, (id) => new SetValue(id, list))
  }

  #sortedMap(keys: ValueList, values: ValueList): MapValue {
    return this.#one(`M${keys.id}:${values.id}`, (id) => new MapValue(id, keys, values))
  }

  #one<Made extends CompositeValue>(key: string, make: (id: number) => Made): Made {
    const known = this.#known.get(key)
    // The first letter of a key says the kind.
    if (known !== undefined) return known as Made
    const made = make(this.#known.size)
    this.#known.set(key, made)
    return made
  }
}

/** Whether an item comes behind all items of a sorted list. */
function isBehind({ size, last }: ValueList, item: IrValue): boolean {
  return size === 0 || compareIrValues(last, item) < 0
}

/** The first machine has no creator. */
function isFirst({ order }: MachineRef): boolean {
  return order.indexOf('/', 1) < 0
}

/** Different for different values of one table. */
export function keyOf(value: IrValue): string {
  switch (typeof value) {
    case 'number':
      return `${value}`
    case 'string':
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'T' : 'F'
    default:
      return value === null ? 'N' : `@${value.id}`
  }
}

export function keysOf(values: readonly IrValue[]): string {
  let text = ''
  for (const value of values) text += `${keyOf(value)},`
  return text
}

const kinds = ['null', 'boolean', 'int', 'float', 'string', 'event', 'machine', 'tuple', 'seq', 'set', 'map'] as const

function kindOf(value: IrValue): (typeof kinds)[number] {
  switch (typeof value) {
    case 'number':
      return 'int'
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    default:
      return value === null ? 'null' : value.kind
  }
}

/** A total order by contents. Values of different kinds meet where a collection holds anything. */
export function compareIrValues(left: IrValue, right: IrValue): number {
  if (left === right) return 0
  const kind = kindOf(left)
  if (kind !== kindOf(right)) return kinds.indexOf(kind) - kinds.indexOf(kindOf(right))
  if (typeof left !== 'object' || left === null) return left === null || left < (right as typeof left) ? -1 : 1
  switch (left.kind) {
    case 'float':
      return compareFloats(left.value, (right as FloatValue).value)
    case 'event':
      return left.event - (right as EventValue).event
    case 'machine':
      return compareMachines(left, right as MachineRef)
    case 'map':
      return compareLists(left.keys, (right as MapValue).keys) || compareLists(left.values, (right as MapValue).values)
    case 'tuple': {
      const names = [left.names, (right as TupleValue).names].map((each) => each?.join() ?? '')
      const byNames = (names[0] as string) < (names[1] as string) ? -1 : 1
      return compareLists(left.items, (right as TupleValue).items) || byNames
    }
    default:
      return compareLists(left.items, (right as SeqValue | SetValue).items)
  }
}

/** What is not a number comes first. */
function compareFloats(left: number, right: number): number {
  if (Number.isNaN(left)) return -1
  return Number.isNaN(right) || left > right ? 1 : -1
}

function compareMachines(left: MachineRef, right: MachineRef): number {
  if (left.order !== right.order) return left.order < right.order ? -1 : 1
  return left.machine - right.machine
}

function compareLists(left: readonly IrValue[], right: readonly IrValue[]): number {
  for (let at = 0; at < left.length && at < right.length; at++) {
    const order = compareIrValues(left[at] as IrValue, right[at] as IrValue)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Where a value stands in a sorted list, or would. */
function placeIn(items: readonly IrValue[], item: IrValue): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareIrValues(items[middle] as IrValue, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}
