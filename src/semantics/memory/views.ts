/** Positions in collections, as objects that can be seen and compared. */
import type { Heap } from './heap.ts'

export type Part = 'values' | 'keys' | 'entries'

/** The position of a loop: a local object of ours, since that of a native iterator cannot be seen. */
export class Iteration {
  readonly target: object | undefined
  readonly part: Part
  /** Elements that were copied when the loop began, where the collection is none that processes share. */
  readonly copied: readonly unknown[]
  index = 0
  /** Keys of a Map or Set that were visited. An entry that is deleted and added again is not visited twice. */
  visited: readonly unknown[] = []
  value: unknown = undefined
  /** Everything delivered so far, and how far a re-execution has got in it; no part of the state. */
  readonly delivered: unknown[] = []
  replayed = 0

  constructor(target: object | undefined, part: Part, copied: readonly unknown[] = []) {
    this.target = target
    this.part = part
    this.copied = copied
  }

  /** True if there is another element, which is then the value. */
  advance(heap: Heap | undefined): boolean {
    const { index, visited, value } = this
    const more = this.target === undefined ? this.#fromCopy() : this.#fromTarget(this.target)
    if (more) this.delivered.push(this.value)
    heap?.onRollBack(() => {
      if (more) this.delivered.pop()
      this.index = index
      this.visited = visited
      this.value = value
    })
    return more
  }

  #fromCopy(): boolean {
    this.value = this.copied[this.index]
    return this.index++ < this.copied.length
  }

  #fromTarget(target: object): boolean {
    if (target instanceof Map || target instanceof Set) return this.#fromKeys(target)
    const array = target as readonly unknown[]
    const at = this.index++
    this.value = this.part === 'values' ? array[at] : this.part === 'keys' ? at : [at, array[at]]
    return at < array.length
  }

  #fromKeys(target: Map<unknown, unknown> | Set<unknown>): boolean {
    for (const key of target.keys()) {
      if (this.visited.includes(key)) continue
      this.visited = [...this.visited, key]
      const value = target instanceof Map ? target.get(key) : key
      this.value = this.part === 'keys' ? key : this.part === 'values' ? value : [key, value]
      return true
    }
    return false
  }
}

/** What `map.entries()` and its kind give. */
export class View {
  readonly target: object
  readonly part: Part

  constructor(target: object, part: Part) {
    this.target = target
    this.part = part
  }

  *[Symbol.iterator](): Iterator<unknown> {
    yield* (this.target as Map<unknown, unknown>)[this.part]()
  }
}

/** `map.entries()`, `array.keys()` …, if that is what is called. */
export function viewOf(object: object, method: PropertyKey): View | undefined {
  const isPart = method === 'values' || method === 'keys' || method === 'entries' || method === Symbol.iterator
  if (!isPart || !isCollection(object)) return undefined
  return new View(object, typeof method === 'symbol' ? defaultPart(object) : method)
}

export function iterationOver(source: unknown): Iteration {
  if (source instanceof View) return new Iteration(source.target, source.part)
  if (isCollection(source)) return new Iteration(source, defaultPart(source))
  return new Iteration(undefined, 'values', [...(source as Iterable<unknown>)])
}

export function isCollection(value: unknown): value is object {
  return value instanceof Map || value instanceof Set || Array.isArray(value) || ArrayBuffer.isView(value)
}

function defaultPart(object: object): Part {
  return object instanceof Map ? 'entries' : 'values'
}
