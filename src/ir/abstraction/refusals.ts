/** What is done with values of abstracted types beside comparing, keeping and sending them: classes say nothing about it, and so it is refused. */
import type { Diagnostic, Place } from '../../core/diagnostic.ts'
import type { Ir, IrExpression, IrFunction, IrInstruction, IrType } from '../ir.ts'
import { machinesByFunction } from '../reach.ts'
import { isSameType } from '../type-relation.ts'
import { expressionsOf, operandsOf } from '../visit.ts'
import type { Abstraction } from './abstraction.ts'
import { type Classes, contains } from './classes.ts'
import { firstUndecided } from './undecided.ts'

export function refusalsIn(ir: Ir, classes: Classes, abstractions: readonly Abstraction[]): readonly Diagnostic[] {
  const finder = new Refusals(ir, classes, abstractions)
  const owners = machinesByFunction(ir)
  for (const { name, fields, place } of ir.machines)
    for (const field of fields) finder.untyped(`the field "${field.name}" of ${name}`, field.type, place)
  for (const [at, one] of ir.functions.entries()) {
    const monitor = [...(owners[at] ?? [])].flatMap((owner) => ir.machines[owner] ?? []).find(isMonitor)
    finder.function(one, monitor?.name)
  }
  return finder.found
}

function isMonitor({ kind }: Ir['machines'][number]): boolean {
  return kind !== 'machine'
}

class Refusals {
  readonly found: Diagnostic[] = []
  readonly #ir: Ir
  readonly #classes: Classes
  readonly #functions: ReadonlySet<string>
  readonly #told = new Set<string>()

  constructor(ir: Ir, classes: Classes, abstractions: readonly Abstraction[]) {
    this.#ir = ir
    this.#classes = classes
    this.#functions = new Set(abstractions.flatMap(({ functions }) => [...functions.keys()]))
  }

  /** Once for each place. */
  #refuse(what: string, place: Place, hint: string): void {
    const key = `${place.file}:${place.line}:${what}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.found.push({ code: 'E233', message: what, hint, place })
  }

  /** Of values in `any` it is not known whether they are of an abstracted type. */
  untyped(what: string, type: IrType, place: Place): void {
    if (!contains(type, ({ kind }) => kind === 'any')) return
    this.#refuse(
      `${what} has the type "any", and a value of an abstracted type could be in it`,
      place,
      'give it the type of what is in it',
    )
  }

  function(declared: IrFunction, monitor: string | undefined): void {
    const { name, locals, returns, blocks, place } = declared
    for (const local of locals) this.untyped(`"${local.name}" of ${name}`, local.type, place)
    if (returns !== undefined) this.untyped(`what ${name} returns`, returns, place)
    for (const { instructions, end } of blocks) {
      for (const part of [...instructions, end]) {
        // What is said to people decides nothing.
        const isSaid = part.kind === 'print' || part.kind === 'fail'
        for (const expression of expressionsOf(part)) this.#expression(expression, isSaid)
        if (part.kind === 'foreign') this.#foreign(part)
        if (part.kind === 'send' || part.kind === 'announce' || part.kind === 'raise') this.#message(part)
      }
    }
    const undecided = monitor === undefined ? undefined : firstUndecided(declared, this.#classes)
    if (undecided !== undefined) this.#watching(monitor ?? '', undecided)
  }

  /** A monitor chooses nothing. */
  #watching(monitor: string, { place }: IrExpression): void {
    this.#refuse(
      `monitor "${monitor}" asks what is not known of values of a class: a monitor cannot go on in two ways`,
      place,
      'let a machine compare them, and announce what it found',
    )
  }

  #message({
    event,
    payload,
    place,
  }: Pick<Extract<IrInstruction, { kind: 'announce' }>, 'event' | 'payload' | 'place'>): void {
    if (event.kind === 'constant' || payload === undefined) return
    if (!this.#ir.events.some((one) => one.payload !== undefined && this.#classes.isIn(one.payload))) return
    this.#refuse(
      'an event that is not known here is sent with a payload, and some events carry values of an abstracted type',
      place,
      'name the event where it is sent',
    )
  }

  #foreign({ name, args, returns, place }: Extract<IrInstruction, { readonly kind: 'foreign' }>): void {
    const all = [...args.map(({ type }) => type), ...(returns === undefined ? [] : [returns])]
    const type = all.find((one) => this.#classes.isIn(one))
    if (type === undefined || this.#functions.has(name)) return
    const { word } = this.#named(type)
    this.#refuse(
      `"${name}" takes or returns a value of the abstracted type ${word}, and it is not said which class it chooses`,
      place,
      `name it in the abstraction: functions: { ${/^\w+$/.test(name) ? name : `'${name}'`}: [ … ] }`,
    )
  }

  /** The abstracted type that is in a type. */
  #named(type: IrType): { readonly word: string; readonly classes: string } {
    let found: Abstraction | undefined
    contains(type, (part) => {
      found = this.#classes.of(part)
      return found !== undefined
    })
    return { word: `"${found?.type}"`, classes: found?.classes.map(({ name }) => name).join(', ') ?? '' }
  }

  #expression(expression: IrExpression, isSaid: boolean): void {
    for (const operand of operandsOf(expression)) this.#expression(operand, isSaid)
    const { place } = expression
    const done = this.#done(expression, isSaid)
    if (done === undefined) return
    const { word, classes } = this.#named(done.type)
    this.#refuse(`${done.what}, and ${word} is known by its classes alone: ${classes}`, place, done.hint)
  }

  #done(expression: IrExpression, isSaid: boolean): Done | undefined {
    const classes = this.#classes
    const isIn = (type: IrType): boolean => classes.isIn(type)
    const can = 'values of an abstracted type can be compared by == and !=, kept, sent and used as keys'
    switch (expression.kind) {
      case 'cast':
      case 'convert': {
        const type = [expression.type, expression.of.type].find(isIn)
        return type && { what: 'a value becomes one of another type', type, hint: can }
      }
      case 'format': {
        const type = isSaid ? undefined : expression.args.map((arg) => arg.type).find(isIn)
        return type && { what: 'a text is made of a value', type, hint: `${can}; texts of assert and print are free` }
      }
      case 'unary': {
        const { type } = expression.of
        if (expression.operator === 'not' || !classes.isManyKeyed(type)) return undefined
        const hint = 'of its keys it is known which classes they are of, and not how many there are; "in" can be asked'
        return { what: `"${asked[expression.operator]}" is asked of a collection`, type, hint }
      }
      case 'element': {
        const { type } = expression.of
        if (type.kind === 'set' && classes.isManyKeyed(type))
          return { what: 'an element of a set is taken by its place', type, hint: 'choose one of them' }
        return type.kind === 'map' ? this.#key(type.key) : undefined
      }
      case 'withElement':
      case 'inserted':
      case 'removed': {
        const { type } = expression.of
        return type.kind === 'map' ? this.#key(type.key) : type.kind === 'set' ? this.#key(type.of) : undefined
      }
      case 'binary':
        return this.#binary(expression)
      default:
        return undefined
    }
  }

  #key(type: IrType): Done | undefined {
    if (this.#classes.isComparable(type)) return undefined
    return {
      what: 'a key is a collection of values',
      type,
      hint: 'use the values themselves as keys, or tuples of them',
    }
  }

  #binary({ operator, left, right }: Extract<IrExpression, { readonly kind: 'binary' }>): Done | undefined {
    const type = [left.type, right.type].find((one) => this.#classes.isIn(one))
    if (type === undefined || operator === 'and' || operator === 'or') return undefined
    const isSame = operator === 'equal' && isSameType(left.type, right.type)
    if ((isSame || operator === 'in') && this.#classes.isComparable(left.type)) return undefined
    if (operator === 'equal' || operator === 'in')
      return { what: 'collections of values are compared', type, hint: 'compare what is in them, one by one' }
    return { what: 'values are ordered, or computed with', type, hint: 'keep what is ordered in a variable of its own' }
  }
}

interface Done {
  readonly what: string
  readonly type: IrType
  readonly hint: string
}

const asked: { readonly [operator: string]: string } = {
  size: 'sizeof',
  keys: 'keys',
  values: 'values',
  elements: 'foreach',
}
