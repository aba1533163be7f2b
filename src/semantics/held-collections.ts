/**
 * Maps and Sets of messages. They are closed when they are sent, but `Map.prototype.set.call(map, …)` opens them, and so does who froze
 * one before: then processes share memory, which no check explores. What they held is compared after each piece of code that has them.
 */
import { freezing } from '../core/value.ts'

type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>

export class HeldCollections {
  readonly #contents = new Map<Collection, readonly unknown[]>()

  /** Also those inside of others. */
  hold(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if (value instanceof Map || value instanceof Set) {
      if (this.#contents.has(value)) return
      const content = contentOf(value)
      this.#contents.set(value, content)
      for (const part of content) this.hold(part)
    } else for (const part of Object.values(value)) this.hold(part)
  }

  get isChanged(): boolean {
    for (const [collection, before] of this.#contents) {
      const now = contentOf(collection)
      if (now.length !== before.length || now.some((part, at) => !Object.is(part, before[at]))) return true
    }
    return false
  }
}

/** Nothing is looked at, nor held, in programs without Maps and Sets. */
export function holding(held: HeldCollections | undefined, value: unknown): HeldCollections | undefined {
  if (!freezing.closedCollections || typeof value !== 'object' || value === null) return held
  const holder = held ?? new HeldCollections()
  holder.hold(value)
  return holder
}

function contentOf(collection: Collection): readonly unknown[] {
  return collection instanceof Map ? [...collection].flat() : [...collection]
}
