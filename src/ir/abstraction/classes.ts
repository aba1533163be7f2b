/** What a type is when some types are known by classes of their values alone, and where a class stands for many values. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { IrExpression, IrType } from '../ir.ts'
import { partsOf } from '../type-relation.ts'
import type { Abstraction } from './abstraction.ts'

type MapType = Extract<IrType, { readonly kind: 'map' }>

interface SetType {
  readonly kind: 'set'
  readonly of: IrType
}

export class Classes {
  readonly #byType: ReadonlyMap<string, Abstraction>

  constructor(abstractions: readonly Abstraction[]) {
    this.#byType = new Map(abstractions.map((one) => [one.type, one]))
  }

  /** Of a type that is abstracted itself. */
  of(type: IrType): Abstraction | undefined {
    return type.kind === 'foreign' || type.kind === 'enum' ? this.#byType.get(type.name) : undefined
  }

  /** Whether an abstracted type is in it. */
  isIn(type: IrType): boolean {
    return contains(type, (part) => this.of(part) !== undefined)
  }

  /** Whether a type is in it of which a class stands for many values. */
  isManyIn(type: IrType): boolean {
    return contains(type, (part) => this.of(part)?.classes.some(({ isOne }) => !isOne) === true)
  }

  /** Whether keys of a collection stand for many values. */
  isManyKeyed(type: IrType): boolean {
    if (type.kind === 'map') return this.isManyIn(type.key)
    return type.kind === 'set' && this.isManyIn(type.of)
  }

  /** Whether two values of the type can be compared class by class: no collection has an abstracted type in it. */
  isComparable(type: IrType): boolean {
    if (!this.isManyIn(type) || this.of(type) !== undefined) return true
    return partsOf(type)?.every((part) => this.isComparable(part)) === true
  }

  /**
   * A map whose keys stand for many has a set under each: values that some of those keys may have. With one value under each, and "the old one or the new
   * one" settled when it is written, two keys of a class would have the same value in every execution, and those in which they differ would be missed.
   */
  typeOf(type: IrType): IrType {
    const abstraction = this.of(type)
    if (abstraction !== undefined) {
      const elements = abstraction.classes.map(({ name }, value) => ({ name, value }))
      return { kind: 'enum', name: abstraction.type, elements }
    }
    switch (type.kind) {
      case 'seq':
      case 'set':
        return { kind: type.kind, of: this.typeOf(type.of) }
      case 'map':
        return {
          kind: 'map',
          key: this.typeOf(type.key),
          value: this.isManyKeyed(type) ? this.heldUnder(type) : this.typeOf(type.value),
        }
      case 'tuple':
        return { kind: 'tuple', items: type.items.map((item) => this.typeOf(item)) }
      case 'record':
        return { kind: 'record', fields: type.fields.map(({ name, type: of }) => ({ name, type: this.typeOf(of) })) }
      default:
        return type
    }
  }

  /** The set under a key that may stand for many. */
  heldUnder({ value }: MapType): SetType {
    const of = this.typeOf(value)
    return { kind: 'set', of: this.isWrapped(value) ? { kind: 'tuple', items: [of] } : of }
  }

  /** A set has no element that is null; what may be null is the one item of a tuple there. */
  isWrapped(value: IrType): boolean {
    const { kind } = this.typeOf(value)
    return kind === 'machine' || kind === 'event' || kind === 'any' || kind === 'foreign'
  }

  /** The class of an element of an enum. */
  classOf(type: IrType, element: number): number {
    const at = this.of(type)?.classes.findIndex(({ elements }) => elements?.includes(element) === true)
    invariant(at !== undefined && at >= 0, `element ${element} has a class`)
    return at
  }

  /** Where a value, which can be read again, stands for many; `type` is that of the program. */
  isMany(value: IrExpression, type: IrType): IrExpression {
    const { place } = value
    const abstraction = this.of(type)
    if (abstraction !== undefined) return manyIn(abstraction, value)
    const parts = partsOf(type) ?? []
    const many = parts.flatMap((part, index) => {
      if (!this.isManyIn(part)) return []
      return [this.isMany({ kind: 'item', of: value, index, type: this.typeOf(part), place }, part)]
    })
    return either(many, place)
  }
}

export function truth(value: boolean, place: Place): IrExpression {
  return { kind: 'constant', value: { kind: 'bool', value }, type: { kind: 'bool' }, place }
}

function manyIn({ classes }: Abstraction, value: IrExpression): IrExpression {
  const { place } = value
  const isOne = classes.map((one) => one.isOne)
  const asked = isOne.filter((one) => one).length < isOne.filter((one) => !one).length
  const found = classes.flatMap((one, at): readonly IrExpression[] => {
    if (one.isOne !== asked) return []
    const right: IrExpression = { kind: 'constant', value: { kind: 'int', value: at }, type: value.type, place }
    return [{ kind: 'binary', operator: 'equal', left: value, right, type: { kind: 'bool' }, place }]
  })
  const anyOf = either(found, place)
  return asked ? { kind: 'unary', operator: 'not', of: anyOf, type: { kind: 'bool' }, place } : anyOf
}

function either(all: readonly IrExpression[], place: Place): IrExpression {
  return all.reduce(
    (left, right) => {
      if (left.kind === 'constant') return right
      return { kind: 'binary', operator: 'or', left, right, type: { kind: 'bool' }, place }
    },
    truth(false, place),
  )
}

export function contains(type: IrType, isFound: (part: IrType) => boolean): boolean {
  if (isFound(type)) return true
  switch (type.kind) {
    case 'seq':
    case 'set':
      return contains(type.of, isFound)
    case 'map':
      return contains(type.key, isFound) || contains(type.value, isFound)
    case 'tuple':
    case 'record':
      return partsOf(type)?.some((part) => contains(part, isFound)) === true
    default:
      return false
  }
}
