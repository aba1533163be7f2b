/**
 * What `with` makes of the view of a list: a new list, of which nothing has been read but what it puts in. To copy all other items would be to read them. It is
 * an ordinary list to whoever reads or changes it; what it holds is looked up when it is asked for.
 */
import { ownView } from '../../core/plain-value.ts'

/** How a list came about: items of a view, and those that took the place of some. */
export interface ChangedView {
  readonly view: readonly unknown[]
  readonly items: ReadonlyMap<number, unknown>
}

const changed = new WeakMap<object, Changed>()

/** Nothing if it did not come about so, or somebody has looked at all of it since. */
export function changedView(list: unknown): ChangedView | undefined {
  return typeof list === 'object' && list !== null ? changed.get(list)?.from : undefined
}

/** As `Array.prototype.with` does it. */
export function viewWith(list: readonly unknown[], index: unknown, value: unknown): readonly unknown[] {
  const { length } = list
  const relative = Math.trunc(Number(index)) || 0
  const place = relative < 0 ? length + relative : relative
  if (place < 0 || place >= length) throw new RangeError(`Invalid index : ${relative}`)
  const { view, items } = changedView(list) ?? { view: list, items: new Map<number, unknown>() }
  const handler = new Changed({ view, items: new Map(items).set(place, value) })
  const made = ownView(new Proxy<unknown[]>([], handler))
  changed.set(made, handler)
  return made
}

class Changed implements ProxyHandler<unknown[]> {
  from: ChangedView | undefined

  constructor(from: ChangedView) {
    this.from = from
  }

  get(target: unknown[], key: string | symbol, receiver: unknown): unknown {
    if (this.from === undefined || typeof key === 'symbol') return Reflect.get(target, key)
    const { view, items } = this.from
    if (key === 'length') return view.length
    if (key === 'with') return (...args: readonly unknown[]) => viewWith(receiver as unknown[], args[0], args[1])
    if (!isIndex(key)) return Reflect.get(target, key)
    return items.has(Number(key)) ? items.get(Number(key)) : view[Number(key)]
  }

  has(target: unknown[], key: string | symbol): boolean {
    return Reflect.has(this.#whole(target), key)
  }

  ownKeys(target: unknown[]): (string | symbol)[] {
    return Reflect.ownKeys(this.#whole(target))
  }

  getOwnPropertyDescriptor(target: unknown[], key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#whole(target), key)
  }

  set(target: unknown[], key: string | symbol, value: unknown): boolean {
    return Reflect.set(this.#whole(target), key, value)
  }

  defineProperty(target: unknown[], key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.#whole(target), key, descriptor)
  }

  deleteProperty(target: unknown[], key: string | symbol): boolean {
    return Reflect.deleteProperty(this.#whole(target), key)
  }

  preventExtensions(target: unknown[]): boolean {
    return Reflect.preventExtensions(this.#whole(target))
  }

  /** Reads all of it, once: from then on it is its own. */
  #whole(target: unknown[]): unknown[] {
    if (this.from === undefined) return target
    const { view, items } = this.from
    for (let at = 0; at < view.length; at++) target[at] = items.has(at) ? items.get(at) : view[at]
    this.from = undefined
    return target
  }
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key)
}
