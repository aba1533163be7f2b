/**
 * What a function has found out about keys: after `k in m`, the key is there until one of both is assigned. A class does not say so if it stands for many
 * values, and without it every `if (k in m) m[k]` would seem to fail. Facts hold on every way to a place.
 */
import type { IrBlock, IrEnd, IrExpression, IrFunction, IrInstruction } from '../ir.ts'
import { operandsOf, successorsOf } from '../visit.ts'

/** Whether a key is in a collection. */
interface Fact {
  readonly isIn: boolean
  readonly locals: ReadonlySet<number>
  readonly hasFields: boolean
  readonly fields: ReadonlySet<number>
}

/** By what is asked. */
export type Facts = ReadonlyMap<string, Fact>

export const nothingKnown: Facts = new Map()

/** Undefined: not known. */
export function isKnownIn(facts: Facts, key: IrExpression, of: IrExpression): boolean | undefined {
  const asked = questionOf(key, of)
  return asked === undefined ? undefined : facts.get(asked)?.isIn
}

/** What holds where a condition does, or does not. */
export function assuming(facts: Facts, condition: IrExpression, holds: boolean): Facts {
  if (condition.kind === 'unary' && condition.operator === 'not') return assuming(facts, condition.of, !holds)
  if (condition.kind !== 'binary') return facts
  const { operator, left, right } = condition
  if (operator === 'in') return withFact(facts, { key: left, of: right, isIn: holds })
  const isBoth = (operator === 'and' && holds) || (operator === 'or' && !holds)
  return isBoth ? assuming(assuming(facts, left, holds), right, holds) : facts
}

export function after(facts: Facts, instruction: IrInstruction): Facts {
  switch (instruction.kind) {
    case 'setLocal': {
      const { local, value } = instruction
      const kept = without(facts, ({ locals }) => locals.has(local))
      return written(kept, value, (one) => one.kind === 'local' && one.local === local)
    }
    case 'setField': {
      const { field, value } = instruction
      const kept = without(facts, ({ fields }) => fields.has(field))
      return written(kept, value, (one) => one.kind === 'field' && one.field === field)
    }
    case 'choose':
    case 'new':
    case 'foreign':
    case 'call': {
      const { into } = instruction
      // Who is called may assign every field.
      const isCalled = instruction.kind === 'call'
      return without(
        facts,
        ({ locals, hasFields }) => (into !== undefined && locals.has(into)) || (isCalled && hasFields),
      )
    }
    default:
      return facts
  }
}

/** By block: what is known where it begins. */
export function factsOf({ blocks }: IrFunction): readonly Facts[] {
  const known: (Facts | undefined)[] = blocks.map((_, at) => (at === 0 ? nothingKnown : undefined))
  const pending = [0]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { instructions, end } = blocks[at] as IrBlock
    const leaving = instructions.reduce(after, known[at] ?? nothingKnown)
    for (const to of successorsOf(end)) {
      const before = known[to]
      const arriving = along(leaving, end, to)
      const both = before === undefined ? arriving : shared(before, arriving)
      if (before !== undefined && both.size === before.size) continue
      known[to] = both
      pending.push(to)
    }
  }
  return known.map((one) => one ?? nothingKnown)
}

/** On the way to a block. */
function along(facts: Facts, end: IrEnd, to: number): Facts {
  if (end.kind === 'receive') return nothingKnown
  if (end.kind !== 'branch' || end.then === end.otherwise) return facts
  return assuming(facts, end.condition, to === end.then)
}

function shared(one: Facts, other: Facts): Facts {
  return new Map([...one].filter(([asked, { isIn }]) => other.get(asked)?.isIn === isIn))
}

function without(facts: Facts, isGone: (fact: Fact) => boolean): Facts {
  return [...facts.values()].some(isGone) ? new Map([...facts].filter(([, fact]) => !isGone(fact))) : facts
}

/** A collection with a key, or without it, is put where it was. */
function written(facts: Facts, value: IrExpression, isSame: (one: IrExpression) => boolean): Facts {
  if (value.kind !== 'withElement' && value.kind !== 'inserted' && value.kind !== 'removed' && value.kind !== 'added')
    return facts
  const { of } = value
  const key = value.kind === 'added' ? value.value : value.key
  if (!isSame(of) || of.type.kind === 'seq' || mentions(key, isSame)) return facts
  return withFact(facts, { key, of, isIn: value.kind !== 'removed' })
}

function mentions(expression: IrExpression, isSame: (one: IrExpression) => boolean): boolean {
  return isSame(expression) || operandsOf(expression).some((one) => mentions(one, isSame))
}

function withFact(
  facts: Facts,
  { key, of, isIn }: { readonly key: IrExpression; readonly of: IrExpression; readonly isIn: boolean },
): Facts {
  const asked = questionOf(key, of)
  if (asked === undefined) return facts
  const locals = new Set<number>()
  const fields = new Set<number>()
  const look = (one: IrExpression): void => {
    if (one.kind === 'local') locals.add(one.local)
    if (one.kind === 'field') fields.add(one.field)
    for (const operand of operandsOf(one)) look(operand)
  }
  look(key)
  look(of)
  return new Map([...facts, [asked, { isIn, locals, fields, hasFields: fields.size > 0 }]])
}

/** The same text for the same key and the same collection, as long as nothing is assigned; undefined if they are more than variables and parts of them. */
function questionOf(key: IrExpression, of: IrExpression): string | undefined {
  const [one, other] = [textOf(key), textOf(of)]
  return one === undefined || other === undefined ? undefined : `${one} in ${other}`
}

function textOf(expression: IrExpression): string | undefined {
  switch (expression.kind) {
    case 'local':
      return `local ${expression.local}`
    case 'field':
      return `field ${expression.field}`
    case 'constant':
      return JSON.stringify(expression.value)
    case 'item': {
      const of = textOf(expression.of)
      return of === undefined ? undefined : `${of}.${expression.index}`
    }
    case 'tuple': {
      const items = expression.items.map(textOf)
      return items.includes(undefined) ? undefined : `(${items.join(', ')})`
    }
    default:
      return undefined
  }
}
