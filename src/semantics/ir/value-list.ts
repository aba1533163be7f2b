/**
 * Items of collections, as lists that never change: equal lists are one object. They are found by a number made of their items, which is known of a list
 * with one item more at either end without going through the others. Such a list may be the one without that item, and the item: one that grows item
 * by item shares what it has in common with those before it. Its array is made when somebody asks for it.
 */
import type { IrValue } from './value.ts'
import { contentOf, depthOf } from './value-extent.ts'

type Items = readonly IrValue[]

/** A list is its items, or all but the last, or all but the first: at least one of them is known. */
interface Known {
  readonly items?: Items
  readonly before?: ValueList
  readonly after?: ValueList
}

/** What can be said of a list before it is known to be a new one. */
interface Summary {
  readonly size: number
  readonly first: IrValue
  readonly last: IrValue
  readonly hash: number
}

export class ValueList implements Summary {
  /** Different for different lists of one table. */
  readonly id: number
  readonly size: number
  readonly first: IrValue
  readonly last: IrValue
  readonly hash: number
  /** Of all items together, and of the deepest one. */
  readonly content: number
  readonly depth: number
  #before: ValueList | undefined
  #after: ValueList | undefined
  #items: Items | undefined

  constructor(id: number, { size, first, last, hash }: Summary, { items, before, after }: Known) {
    this.id = id
    this.size = size
    this.first = first
    this.last = last
    this.hash = hash
    this.#items = items
    this.#before = before
    this.#after = after
    const shorter = before ?? after
    const added: Items = shorter === undefined ? (items ?? []) : [before === undefined ? first : last]
    let [content, depth] = [shorter?.content ?? 0, shorter?.depth ?? 0]
    for (const item of added) {
      content += contentOf(item)
      depth = Math.max(depth, depthOf(item))
    }
    this.content = content
    this.depth = depth
  }

  get items(): Items {
    this.#items ??= this.#collected()
    return this.#items
  }

  /** Whether it is the list so described. What is seen to be so after looking at all items is seen at once the next time. */
  is(summary: Summary, { items, before, after }: Known): boolean {
    if (this.size !== summary.size || this.first !== summary.first || this.last !== summary.last) return false
    if (before !== undefined && before === this.#before) return true
    if (after !== undefined && after === this.#after) return true
    const [own, others, from] = [this.items, items ?? before?.items ?? after?.items ?? [], after === undefined ? 0 : 1]
    for (let at = 0; at < others.length; at++) if (own[at + from] !== others[at]) return false
    this.#before ??= before
    this.#after ??= after
    return true
  }

  /** From both ends towards a list whose array is there. */
  #collected(): Items {
    const items: IrValue[] = new Array(this.size)
    let [list, from]: [ValueList, number] = [this, 0]
    while (list.#items === undefined) {
      if (list.#before !== undefined) {
        items[from + list.size - 1] = list.last
        list = list.#before
      } else {
        items[from++] = list.first
        list = list.#after as ValueList
      }
    }
    for (const [at, item] of list.#items.entries()) items[from + at] = item
    return items
  }
}

/** Of the polynomial in it whose coefficients are the items' numbers, modulo 2^32. Odd, so that no item is lost. */
const base = 0x01000193

/** Up to so many items are copied: an array of them is no larger than what shares them. */
const mostCopied = 8

export class ValueLists {
  readonly #known = new Map<number, ValueList[]>()
  readonly #textNumbers = new Map<string, number>()
  /** Of the base, by exponent. */
  readonly #powers = [1]
  #count = 0

  of(items: Items): ValueList {
    let hash = 0
    for (const item of items) hash = (Math.imul(hash, base) + this.#numberOf(item)) | 0
    const [first = null, last = null] = [items[0], items.at(-1)]
    return this.#one({ size: items.length, first, last, hash }, { items })
  }

  appended(list: ValueList, item: IrValue): ValueList {
    if (list.size < mostCopied) return this.of([...list.items, item])
    const hash = (Math.imul(list.hash, base) + this.#numberOf(item)) | 0
    return this.#one({ size: list.size + 1, first: list.first, last: item, hash }, { before: list })
  }

  prepended(list: ValueList, item: IrValue): ValueList {
    if (list.size < mostCopied) return this.of([item, ...list.items])
    const hash = (Math.imul(this.#numberOf(item), this.#power(list.size)) + list.hash) | 0
    return this.#one({ size: list.size + 1, first: item, last: list.last, hash }, { after: list })
  }

  #power(exponent: number): number {
    const powers = this.#powers
    while (powers.length <= exponent) powers.push(Math.imul(powers.at(-1) as number, base))
    return powers[exponent] as number
  }

  /** Spread over 32 bits; different values may share one. */
  #numberOf(value: IrValue): number {
    switch (typeof value) {
      case 'number':
        return spread(value | 0, Math.floor(value / 2 ** 32))
      case 'string':
        return spread(this.#textNumber(value), 1 << 24)
      case 'boolean':
        return value ? 0x3c6ef372 : 0x1b873593
      default:
        return value === null ? 0x5bd1e995 : spread(value.id, 1 << 25)
    }
  }

  #textNumber(text: string): number {
    const known = this.#textNumbers.get(text)
    if (known !== undefined) return known
    this.#textNumbers.set(text, this.#textNumbers.size)
    return this.#textNumbers.size - 1
  }

  #one(summary: Summary, known: Known): ValueList {
    const same = this.#known.get(summary.hash)
    const found = same?.find((list) => list.is(summary, known))
    if (found !== undefined) return found
    const made = new ValueList(this.#count++, summary, known)
    if (same === undefined) this.#known.set(summary.hash, [made])
    else same.push(made)
    return made
  }
}

function spread(low: number, high: number): number {
  const mixed = Math.imul(low ^ (low >>> 16), 0x45d9f3b) ^ Math.imul(high + 1, 0x9e3779b1)
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ (mixed >>> 13)
}
