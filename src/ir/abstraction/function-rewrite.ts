/**
 * A function over classes in place of values. Expressions stay as they are but for what classes do not decide: there the function chooses, and goes on in
 * both ways. An operation returns every result that it has for some values of these classes, and perhaps more.
 */
import type { Place } from '../../core/diagnostic.ts'
import { FunctionBuilder } from '../build.ts'
import type { IrEnd, IrExpression, IrFunction, IrInstruction, IrType } from '../ir.ts'
import { partsOf } from '../type-relation.ts'
import { operandsOf, redirected } from '../visit.ts'
import type { Abstraction } from './abstraction.ts'
import { type Classes, truth } from './classes.ts'
import { after, assuming, factsOf, isKnownIn, nothingKnown } from './known-keys.ts'
import { withOperands } from './operands.ts'
import { hasUndecided, isUndecided } from './undecided.ts'

type Expression<K extends IrExpression['kind']> = Extract<IrExpression, { readonly kind: K }>
type MapType = Extract<IrType, { readonly kind: 'map' }>

const bool: IrType = { kind: 'bool' }

export class FunctionRewrite {
  readonly #classes: Classes
  readonly #abstractions: readonly Abstraction[]
  readonly #builder = new FunctionBuilder()
  /** What is known of keys at the place that is rewritten. */
  #facts = nothingKnown

  constructor(classes: Classes, abstractions: readonly Abstraction[]) {
    this.#classes = classes
    this.#abstractions = abstractions
  }

  rewritten(declared: IrFunction): IrFunction {
    const { locals, blocks, returns, place } = declared
    const builder = this.#builder
    for (const { name, type } of locals) builder.local(name, this.#classes.typeOf(type))
    const places = blocks.map(({ isLoop }) => builder.block(isLoop))
    builder.end({ kind: 'jump', to: places[0] as number, place })
    const known = factsOf(declared)
    for (const [at, { instructions, end }] of blocks.entries()) {
      builder.enter(places[at] as number)
      this.#facts = known[at] ?? nothingKnown
      for (const instruction of instructions) {
        builder.statement(() => this.#instruction(instruction))
        this.#facts = after(this.#facts, instruction)
      }
      builder.statement(() => builder.end(this.#end(redirected(end, (to) => places[to] as number))))
    }
    return { ...declared, returns: returns && this.#classes.typeOf(returns), ...builder.finish() }
  }

  #instruction(instruction: IrInstruction): void {
    const builder = this.#builder
    switch (instruction.kind) {
      case 'setLocal':
      case 'setField':
        return builder.emit({ ...instruction, value: this.#value(instruction.value) })
      case 'choose':
        return builder.emit({ ...instruction, from: instruction.from && this.#value(instruction.from) })
      case 'new':
        return builder.emit({ ...instruction, payload: instruction.payload && this.#value(instruction.payload) })
      case 'announce': {
        const [event, payload] = this.#present([instruction.event, instruction.payload])
        return builder.emit({ ...instruction, event: event as IrExpression, payload })
      }
      case 'send': {
        const [to, event, payload] = this.#present([instruction.to, instruction.event, instruction.payload])
        return builder.emit({ ...instruction, to: to as IrExpression, event: event as IrExpression, payload })
      }
      case 'call':
        return builder.emit({ ...instruction, args: this.#values(instruction.args) })
      case 'print':
        return builder.emit({ ...instruction, message: this.#value(instruction.message) })
      case 'foreign':
        return this.#foreign(instruction)
    }
  }

  #end(end: IrEnd): IrEnd {
    switch (end.kind) {
      case 'branch':
        return { ...end, condition: this.#value(end.condition) }
      case 'return':
        return { ...end, value: end.value && this.#value(end.value) }
      case 'raise': {
        const [event, payload] = this.#present([end.event, end.payload])
        return { ...end, event: event as IrExpression, payload }
      }
      case 'goto':
        return { ...end, payload: end.payload && this.#value(end.payload) }
      case 'fail':
        return { ...end, message: this.#value(end.message) }
      default:
        return end
    }
  }

  /** What nobody has written returns a value of some of the classes. */
  #foreign(instruction: Extract<IrInstruction, { readonly kind: 'foreign' }>): void {
    const { name, into, returns, place } = instruction
    const args = this.#values(instruction.args)
    const places = this.#abstractions.flatMap(({ functions }) => functions.get(name) ?? [])
    if (places.length === 0 || returns === undefined) return this.#builder.emit({ ...instruction, args })
    for (const arg of args) this.#kept(arg)
    if (into === undefined) return
    const type = this.#classes.typeOf(returns)
    const all = places.map((value): IrExpression => ({ kind: 'constant', value: { kind: 'int', value }, type, place }))
    const [only] = all
    if (only !== undefined && all.length === 1)
      return this.#builder.emit({ kind: 'setLocal', local: into, value: only, place })
    const set: IrType = { kind: 'set', of: type }
    const from = all.reduce<IrExpression>((of, value) => ({ kind: 'added', of, value, type: set, place }), {
      kind: 'default',
      type: set,
      place,
    })
    this.#builder.emit({ kind: 'choose', among: 'element', from, isFair: false, into, place })
  }

  #present(expressions: readonly (IrExpression | undefined)[]): readonly (IrExpression | undefined)[] {
    const values = [...this.#values(expressions.filter((one) => one !== undefined))]
    return expressions.map((one) => (one === undefined ? undefined : values.shift()))
  }

  /** In the order of their evaluation: those before one that takes instructions are kept, so that what fails first still does. */
  #values(expressions: readonly IrExpression[]): readonly IrExpression[] {
    const last = expressions.findLastIndex((one) => hasUndecided(one, this.#classes))
    return expressions.map((one, at) => {
      const value = this.#value(one)
      return at < last ? this.#kept(value) : value
    })
  }

  #value(expression: IrExpression): IrExpression {
    const { type, kind, place } = expression
    const over = this.#classes.typeOf(type)
    if (kind === 'constant' && expression.value.kind === 'int' && this.#classes.of(type) !== undefined) {
      const value = this.#classes.classOf(type, expression.value.value)
      return { kind, value: { kind: 'int', value }, type: over, place }
    }
    if (kind === 'binary' && (expression.operator === 'and' || expression.operator === 'or'))
      if (hasUndecided(expression.right, this.#classes)) return this.#conditional(expression)
    if (!isUndecided(expression, this.#classes))
      return withOperands(expression, this.#values(operandsOf(expression)), over)
    const operands = this.#values(operandsOf(expression)).map((one) => this.#kept(one))
    return this.#decided(expression, operands)
  }

  /** A value that can be read again. */
  #kept(value: IrExpression): IrExpression {
    if (value.kind === 'local' || value.kind === 'constant') return value
    return this.#set(this.#builder.temporary(value.type), value)
  }

  #set(local: number, value: IrExpression): IrExpression {
    this.#builder.emit({ kind: 'setLocal', local, value, place: value.place })
    return { kind: 'local', local, type: value.type, place: value.place }
  }

  /** The right side is evaluated if it matters. */
  #conditional({ operator, left, right, place }: Expression<'binary'>): IrExpression {
    const local = this.#builder.temporary(bool)
    const result = this.#set(local, this.#value(left))
    const further = (): void => {
      const before = this.#facts
      this.#facts = assuming(before, left, operator === 'and')
      this.#set(local, this.#value(right))
      this.#facts = before
    }
    if (operator === 'and') this.#branch(result, place, further)
    else this.#branch(result, place, () => undefined, further)
    return result
  }

  #branch(condition: IrExpression, place: Place, then: () => void, otherwise?: () => void): void {
    const builder = this.#builder
    const [yes, after] = [builder.block(), builder.block()]
    const no = otherwise === undefined ? after : builder.block()
    builder.end({ kind: 'branch', condition, then: yes, otherwise: no, place })
    builder.enter(yes)
    then()
    builder.end({ kind: 'jump', to: after, place })
    if (otherwise !== undefined) {
      builder.enter(no)
      otherwise()
      builder.end({ kind: 'jump', to: after, place })
    }
    builder.enter(after)
  }

  #choose(into: number, place: Place): void {
    this.#builder.emit({ kind: 'choose', among: 'boolean', from: undefined, isFair: false, into, place })
  }

  /** The operands can be read again. */
  #decided(expression: IrExpression, operands: readonly IrExpression[]): IrExpression {
    const [first, second, third] = operands as readonly [IrExpression, IrExpression, IrExpression]
    switch (expression.kind) {
      case 'binary': {
        const { type } = expression.left
        if (expression.operator === 'equal') return this.#equal(first, second, type)
        const known = isKnownIn(this.#facts, expression.left, expression.right)
        if (known !== undefined) return truth(known, expression.place)
        const found = this.#kept({ ...expression, left: first, right: second, type: bool })
        return this.#perhaps(found, this.#classes.isMany(first, type))
      }
      case 'element':
        return this.#element(first, second, expression)
      case 'withElement':
      case 'inserted':
        return this.#put([first, second, third], expression)
      case 'removed':
        return this.#removed(first, second, expression)
      default:
        return expression
    }
  }

  /** What holds of classes holds of values perhaps, where a class stands for many. */
  #perhaps(found: IrExpression, isMany: IrExpression): IrExpression {
    const { place } = found
    const local = this.#builder.temporary(bool)
    const result = this.#set(local, found)
    this.#branch(both(found, isMany), place, () => this.#choose(local, place))
    return result
  }

  #equal(left: IrExpression, right: IrExpression, type: IrType): IrExpression {
    const { place } = left
    const same: IrExpression = { kind: 'binary', operator: 'equal', left, right, type: bool, place }
    if (!this.#classes.isManyIn(type)) return same
    if (this.#classes.of(type) !== undefined) return this.#perhaps(this.#kept(same), this.#classes.isMany(left, type))
    const local = this.#builder.temporary(bool)
    const result = this.#set(local, truth(true, place))
    for (const [index, part] of (partsOf(type) ?? []).entries())
      this.#branch(result, place, () => {
        const [one, other] = [left, right].map((of): IrExpression => {
          return { kind: 'item', of, index, type: this.#classes.typeOf(part), place }
        }) as [IrExpression, IrExpression]
        this.#set(local, this.#equal(one, other, part))
      })
    return result
  }

  /** Where a key is in the map and stands for many, some value of the class is there: perhaps this one, and perhaps another. */
  #isWeak(map: IrExpression, key: IrExpression, keyType: IrType): IrExpression {
    const { place } = key
    const isIn: IrExpression = { kind: 'binary', operator: 'in', left: key, right: map, type: bool, place }
    return both(isIn, this.#classes.isMany(key, keyType))
  }

  /** There, with any of the values that were put under keys of the class; or missing. */
  #element(map: IrExpression, key: IrExpression, { of, key: asked, place }: Expression<'element'>): IrExpression {
    const type = of.type as MapType
    const isKnown = isKnownIn(this.#facts, asked, of) === true
    const held = this.#classes.heldUnder(type)
    const found = this.#builder.temporary(held.of)
    const isThere = this.#builder.temporary(bool)
    const at = (one: IrExpression): IrExpression => ({ kind: 'element', of: one, key, type: held, place })
    const zero: IrExpression = { kind: 'constant', value: { kind: 'int', value: 0 }, type: { kind: 'int' }, place }
    const first: IrExpression = { kind: 'element', of: at(map), key: zero, type: held.of, place }
    const there = this.#set(isThere, this.#isWeak(map, key, type.key))
    this.#branch(
      there,
      place,
      () => {
        // Nothing is in an empty map: it fails as it would here.
        const missing = (): void => void this.#kept(at({ kind: 'default', type: map.type, place }))
        if (!isKnown) {
          this.#choose(isThere, place)
          this.#branch(there, place, () => undefined, missing)
        }
        const from = at(map)
        this.#builder.emit({ kind: 'choose', among: 'element', from, isFair: false, into: found, place })
      },
      () => void this.#set(found, first),
    )
    const local: IrExpression = { kind: 'local', local: found, type: held.of, place }
    if (!this.#classes.isWrapped(type.value)) return local
    return { kind: 'item', of: local, index: 0, type: this.#classes.typeOf(type.value), place }
  }

  /** The old values stay possible where the key stands for many. */
  #put(
    [map, key, given]: readonly [IrExpression, IrExpression, IrExpression],
    { of, key: asked, kind, place }: Expression<'withElement'> | Expression<'inserted'>,
  ): IrExpression {
    const type = of.type as MapType
    const held = this.#classes.heldUnder(type)
    const value: IrExpression = this.#classes.isWrapped(type.value)
      ? { kind: 'tuple', items: [given], type: held.of, place }
      : given
    const added = (to: IrExpression): IrExpression => ({ kind: 'added', of: to, value, type: held, place })
    const only = added({ kind: 'default', type: held, place })
    const more = added({ kind: 'element', of: map, key, type: held, place })
    const local = this.#builder.temporary(map.type)
    const isWeak = this.#builder.temporary(bool)
    const weak = this.#set(isWeak, this.#isWeak(map, key, type.key))
    // What is there may be another one: then nothing is there twice.
    const known = isKnownIn(this.#facts, asked, of)
    if (kind === 'inserted' && known === undefined) this.#branch(weak, place, () => this.#choose(isWeak, place))
    if (kind === 'inserted' && known === true) this.#set(isWeak, truth(false, place))
    const put = (how: 'withElement' | 'inserted', one: IrExpression) => (): void => {
      this.#set(local, { kind: how, of: map, key, value: one, type: map.type, place })
    }
    this.#branch(weak, place, put('withElement', more), put(kind, only))
    return { kind: 'local', local, type: map.type, place }
  }

  /** Another one of the class stays, or none does. */
  #removed(of: IrExpression, key: IrExpression, expression: Expression<'removed'>): IrExpression {
    const { type } = expression.of
    const { place } = expression
    if (isKnownIn(this.#facts, expression.key, expression.of) === false) return of
    const keyType = type.kind === 'map' ? type.key : type.kind === 'set' ? type.of : type
    const local = this.#builder.temporary(of.type)
    const stays = this.#builder.temporary(bool)
    const staying = this.#set(stays, this.#isWeak(of, key, keyType))
    this.#branch(staying, place, () => this.#choose(stays, place))
    const rest: IrExpression = { kind: 'removed', of, key, type: of.type, place }
    this.#branch(
      staying,
      place,
      () => void this.#set(local, of),
      () => void this.#set(local, rest),
    )
    return { kind: 'local', local, type: of.type, place }
  }
}

function both(left: IrExpression, right: IrExpression): IrExpression {
  return { kind: 'binary', operator: 'and', left, right, type: bool, place: left.place }
}
