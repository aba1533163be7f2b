/**
 * Items of collections, as lists that never change: equal lists are one object. A long list is the one before its last item and that item, so that one
 * which grows item by item shares what it has in common with those before it; its array is made when somebody asks for it.
 */
import type { IrValue } from './value.ts'

/** Up to so many items are compared at once. */
const mostAtOnce = 32

export class ValueList {
  /** Different for different lists of one table. */
  readonly id: number
  readonly size: number
  readonly last: IrValue
  readonly #before: ValueList | undefined
  #items: readonly IrValue[] | undefined

  constructor(id: number, content: readonly IrValue[] | { readonly before: ValueList; readonly last: IrValue }) {
    this.id = id
    if ('before' in content) {
      this.#before = content.before
      this.size = content.before.size + 1
      this.last = content.last
    } else {
      this.#items = content
      this.size = content.length
      this.last = content.at(-1) ?? null
    }
  }

  get items(): readonly IrValue[] {
    this.#items ??= this.#collected()
    return this.#items
  }

  #collected(): readonly IrValue[] {
    const items: IrValue[] = new Array(this.size)
    for (let list: ValueList = this; ; ) {
      if (list.#items !== undefined) {
        for (const [at, item] of list.#items.entries()) items[at] = item
        return items
      }
      items[list.size - 1] = list.last
      list = list.#before as ValueList
    }
  }
}

export class ValueLists {
  readonly #known = new Map<string, ValueList>()
  readonly #keyOf: (value: IrValue) => string

  constructor(keyOf: (value: IrValue) => string) {
    this.#keyOf = keyOf
  }

  of(items: readonly IrValue[]): ValueList {
    if (items.length <= mostAtOnce) return this.#short(items)
    let list = this.#short(items.slice(0, mostAtOnce))
    for (let at = mostAtOnce; at < items.length; at++) list = this.appended(list, items[at] as IrValue)
    return list
  }

  appended(list: ValueList, item: IrValue): ValueList {
    if (list.size < mostAtOnce) return this.#short([...list.items, item])
    return this.#one(`${list.id}+${this.#keyOf(item)}`, (id) => new ValueList(id, { before: list, last: item }))
  }

  #short(items: readonly IrValue[]): ValueList {
    let key = ''
    for (const item of items) key += `${this.#keyOf(item)},`
    return this.#one(key, (id) => new ValueList(id, items))
  }

  #one(key: string, make: (id: number) => ValueList): ValueList {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = make(this.#known.size)
    this.#known.set(key, made)
    return made
  }
}
