/** Steps in words: which field, of which object, with the value that was read or written. */
import { showValue } from '../../core/value-text.ts'
import { type AccessMode, accessModes, wholeObject } from '../../program/stateful.ts'
import { boxesOf, ownerOf } from './boxes.ts'
import type { Observed } from './client-runner.ts'
import { shownName } from './code.ts'
import { orderPart, partName, type Touch } from './heap.ts'
import { variableNames } from './made.ts'
import { absent } from './operations.ts'
import { Primitive } from './primitive.ts'
import { Thrown } from './process.ts'
import { asValue } from './results.ts'

const widest = 30

/** Remembers, over an execution, what objects are called: the field they were first read from, or their class and a number. */
export class StepWords {
  /** Given at the first mention and kept, so that a picture calls an object the same from top to bottom. */
  readonly #names = new Map<object, string>()
  /** By class: how many objects have its name with a number. */
  readonly #counts = new Map<string, number>()
  /** What takes the last names back, the newest on top. */
  readonly #undo: (() => void)[] = []
  /** The object under check; its fields are called by their names alone. */
  #instance: unknown

  /** How many names were given; `rollBack` to it later, so that an execution that takes another turn has its own. */
  get mark(): number {
    return this.#undo.length
  }

  rollBack(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.()
  }

  /** What an access does; to be asked about every step, in order. */
  of({ client, kind, pending, answer }: Observed): string {
    this.#instance = client.process.invocation?.args[0]
    if (kind !== 'access' || pending === undefined) return ''
    const { text, operands } = pending.operation
    const [what, object, key, value] = operands
    if (!isObject(object)) return `${text}${this.#answer(answer, false)}`
    switch (what) {
      case 'read': {
        const place = this.#place(object, key as PropertyKey)
        if (isObject(answer) && !this.#names.has(answer) && isNameless(answer)) this.#give(answer, place)
        const found = this.#answer(answer, true)
        return `reads ${place}${found === ` → ${place}` ? '' : found}`
      }
      case 'write':
        return `${this.#place(object, key as PropertyKey)} = ${this.#value(value)}`
      case 'has':
        return `looks for ${this.#place(object, key as PropertyKey)}${this.#answer(answer, true)}`
      case 'delete':
        return `deletes ${this.#place(object, key as PropertyKey)}`
      default:
        return `${this.#called(text, object, operands.slice(2))}${this.#answer(answer === object ? undefined : answer, false)}`
    }
  }

  /** What a step touches, for steps that are more than one access. */
  touched({ object, part, mode, shown }: Touch): string {
    const verb = verbs[mode]
    if (typeof shown === 'object') return `${verb} ${this.#place(shown.object, shown.key)}`
    const key = part === orderPart ? orderName(object) : part === wholeObject ? undefined : partName(part)
    return `${verb} ${key === undefined ? this.#name(object) || 'an object' : this.#place(object, key)}`
  }

  /** 'range.getAndAdd(1)', 'entries.set("a", 1)'; text that is not a call stays as it is. */
  #called(text: string, object: object, args: readonly unknown[]): string {
    const method = /^(?:reads |writes )?((?:read\.|write\.)?\w+)\(/.exec(text)?.[1]
    if (method === undefined) return text
    const owner = this.#name(object)
    return `${owner === '' ? '' : `${owner}.`}${method}(${args.map((arg) => this.#value(arg)).join(', ')})`
  }

  #place(object: object, key: PropertyKey): string {
    const owner = ownerOf(object)
    return owner === undefined ? this.#placeIn(object, key) : this.#placeIn(owner, key)
  }

  #placeIn(object: object, key: PropertyKey): string {
    const name = shownName(key)
    if (object === this.#instance) return name
    const variable = variableNames.get(object)
    if (variable !== undefined) return variable
    const owner = this.#name(object)
    const isElement = (Array.isArray(object) || ArrayBuffer.isView(object)) && name !== 'length'
    if (isElement) return `${owner}[${name}]`
    return owner === '' ? name : `${owner}.${name}`
  }

  /** Arrays, maps and locks are called after the field they are in; objects of classes after their class. */
  #name(object: object): string {
    const known = this.#names.get(object)
    if (known !== undefined) return known
    if (!isNameless(object)) return this.#numbered(object)
    const field = this.#fieldOf(object)
    return field === '' ? '' : this.#give(object, field)
  }

  /** A field may hold several objects, one after the other. */
  #give(object: object, field: string): string {
    const number = this.#next(field)
    return this.#call(object, number === 1 ? field : `${field}#${number}`)
  }

  /** The nearest place, seen from the instance, at which the object is. */
  #fieldOf(object: object): string {
    if (!isObject(this.#instance)) return ''
    const seen = new Map<object, string>([[this.#instance, '']])
    for (const [owner, path] of seen) {
      for (const [key, value] of contentsOf(owner)) {
        const place = placeIn(owner, path, key)
        if (value === object) return place
        if (isObject(value) && !seen.has(value) && seen.size < looksAt) seen.set(value, place)
      }
    }
    return ''
  }

  #numbered(object: object): string {
    const type = typeOf(object)
    return this.#call(object, `${type}#${this.#next(type)}`)
  }

  #call(object: object, name: string): string {
    this.#names.set(object, name)
    this.#undo.push(() => this.#names.delete(object))
    return name
  }

  #next(name: string): number {
    const number = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, number)
    this.#undo.push(() => this.#counts.set(name, number - 1))
    return number
  }

  #answer(answer: unknown, isRead: boolean): string {
    if (answer instanceof Thrown) return ` → throws ${showValue(asValue(answer.error), widest)}`
    if (answer === absent) return ' → nothing'
    return answer === undefined && !isRead ? '' : ` → ${this.#value(answer)}`
  }

  #value(value: unknown): string {
    const name = isObject(value) ? this.#name(value) : ''
    return name === '' ? showValue(asValue(value), widest) : name
  }
}

/** Objects whose contents are searched for the name of another. */
const looksAt = 200

function contentsOf(owner: object): Iterable<readonly [unknown, unknown]> {
  if (owner instanceof Map) return owner
  if (ArrayBuffer.isView(owner)) return []
  return [...boxesOf(owner).flatMap((box) => Object.entries(box)), ...Object.entries(owner)]
}

function placeIn(owner: object, path: string, key: unknown): string {
  if (owner instanceof Map) return `${path}.get(${showValue(asValue(key), widest)})`
  const name = shownName(String(key))
  if (Array.isArray(owner)) return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** What tells how many there are, where something does. */
function orderName(object: object): string | undefined {
  if (object instanceof Map || object instanceof Set) return 'size'
  return Array.isArray(object) || ArrayBuffer.isView(object) ? 'length' : undefined
}

const verbs: { readonly [mode in AccessMode]: string } = {
  [accessModes.read]: 'reads',
  [accessModes.write]: 'writes',
  [accessModes.add]: 'adds to',
}

const nameless = ['', 'Object', 'Array', 'Map', 'Set', 'WeakMap', 'Promise']

function isNameless(object: object): boolean {
  return object instanceof Primitive || ArrayBuffer.isView(object) || nameless.includes(typeOf(object))
}

function typeOf(object: object): string {
  return (object.constructor as { readonly name?: string } | undefined)?.name ?? ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
