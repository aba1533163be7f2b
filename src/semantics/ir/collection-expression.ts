/** Expressions that read or make collections. */
import type { Place } from '../../core/diagnostic.ts'
import type { IrExpression } from '../../ir/ir.ts'
import type { Compiling, Evaluate } from './expression.ts'
import { fail } from './failed.ts'
import { irText } from './typed-value.ts'
import type { IrValue, MapValue, SeqValue, SetValue } from './value.ts'
import { bounded } from './value-extent.ts'

export type CollectionExpression = Extract<
  IrExpression,
  { readonly kind: 'element' | 'withElement' | 'inserted' | 'added' | 'removed' }
>

type Compile = (expression: IrExpression, compiling: Compiling) => Evaluate

type Collection = SeqValue | SetValue | MapValue

export function collectionExpression(
  expression: CollectionExpression,
  compiling: Compiling,
  compile: Compile,
): Evaluate {
  const of = compile(expression.of, compiling)
  const { place } = expression
  if (expression.kind === 'added') {
    const item = compile(expression.value, compiling)
    const at = { ...compiling, place }
    return (environment) => bounded(added(of(environment) as SetValue, item(environment), at), place)
  }
  const key = compile(expression.key, compiling)
  const at = { ...compiling, place }
  switch (expression.kind) {
    case 'element':
      return (environment) => element(of(environment) as Collection, key(environment), at)
    case 'removed':
      return (environment) => removed(of(environment) as Collection, key(environment), at)
    default: {
      const value = compile(expression.value, compiling)
      const change = expression.kind === 'inserted' ? inserted : replaced
      return (environment) => {
        const collection = of(environment) as SeqValue | MapValue
        const where = key(environment)
        return bounded(change(collection, [where, value(environment)], at), place)
      }
    }
  }
}

type At = Compiling & { readonly place: Place }

/** The element at an index of a list. */
export function collectionAt(compiling: Compiling): (list: SeqValue, index: IrValue, place: Place) => IrValue {
  return ({ items }, index, place) =>
    typeof index === 'number' && index >= 0 && index < items.length
      ? (items[index] as IrValue)
      : (items[indexIn(items, index, { ...compiling, place })] as IrValue)
}

function element(collection: Collection, key: IrValue, at: At): IrValue {
  if (collection.kind !== 'map') return collection.items[indexIn(collection.items, key, at)] as IrValue
  const found = collection.keys.indexOf(key)
  if (found < 0) fail('missing key', `the map has no key ${irText(key, at.ir)}`, at.place)
  return collection.values[found] as IrValue
}

/** Below the number of items, or one further where something is put behind them. */
function indexIn(items: readonly IrValue[], index: IrValue, { place }: At, end = items.length): number {
  if (typeof index === 'number' && index >= 0 && index < end) return index
  return fail('index out of range', `index ${index} of ${items.length} element${items.length === 1 ? '' : 's'}`, place)
}

function added(set: SetValue, item: IrValue, { values, place }: At): IrValue {
  if (item === null) fail('null element', 'null is put into a set', place)
  return values.added(set, item)
}

function replaced(collection: SeqValue | MapValue, [key, value]: readonly [IrValue, IrValue], at: At): IrValue {
  if (collection.kind === 'map') return at.values.put(collection, key, value)
  return at.values.seq(collection.items.with(indexIn(collection.items, key, at), value))
}

function inserted(collection: SeqValue | MapValue, [key, value]: readonly [IrValue, IrValue], at: At): IrValue {
  if (collection.kind === 'seq') {
    if (key === collection.list.size) return at.values.appended(collection, value)
    if (key === 0) return at.values.prepended(collection, value)
    const { items } = collection
    return at.values.seq(items.toSpliced(indexIn(items, key, at, items.length + 1), 0, value))
  }
  if (collection.keys.includes(key)) fail('duplicate key', `the map has the key ${irText(key, at.ir)}`, at.place)
  return at.values.put(collection, key, value)
}

function removed(collection: Collection, key: IrValue, at: At): IrValue {
  switch (collection.kind) {
    case 'seq':
      return at.values.seq(collection.items.toSpliced(indexIn(collection.items, key, at), 1))
    case 'set':
      return at.values.dropped(collection, key)
    case 'map':
      return at.values.without(collection, key)
  }
}
