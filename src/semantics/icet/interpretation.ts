/**
 * One interpretation of a term's opaque functions, as far as an execution tells it: functions without meaning of their own, each with one
 * result for equal inputs, and what the execution says about those results. Where it says nothing, a search goes both ways.
 */
import { sameValue, type Value } from '../../core/value.ts'
import type { BinaryOperator } from '../../program/icet.ts'
import type { Alternatives } from './alternatives.ts'
import {
  calculated,
  Fields,
  foundOf,
  inputKey,
  isObject,
  isRecord,
  knownOf,
  Sum,
  type Symbolic,
  Unknown,
} from './unknown.ts'

/** No interpretation has what was found out so far. */
export class Contradiction extends Error {}

type Comparison = Exclude<BinaryOperator, '&&' | '||'>

/** What must be so of values that were not known when it was asked. */
interface Claim {
  readonly operator: Comparison | 'holds' | 'is'
  readonly left: Symbolic
  readonly right: Symbolic
  readonly result: boolean
}

interface Application {
  readonly text: string
  readonly inputs: readonly Symbolic[]
  readonly result: Unknown
}

export class Interpretation {
  readonly #alternatives: Alternatives
  readonly #applications: Application[] = []
  readonly #results = new Map<string, Unknown>()
  readonly #claims: Claim[] = []
  #unknowns = 0

  constructor(alternatives: Alternatives) {
    this.#alternatives = alternatives
  }

  /** What an opaque function gives. */
  applied(text: string, inputs: readonly Symbolic[]): Symbolic {
    const key = applicationKey(text, inputs)
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const result = new Unknown(this.#unknowns++)
    this.#results.set(key, result)
    this.#applications.push({ text, inputs, result })
    return result
  }

  /** Reading a field of nothing throws, as it does in JavaScript. */
  field(of: Symbolic, name: string): Symbolic {
    const found = foundOf(of)
    if (found === undefined || found === null) throw new Contradiction(`cannot read ${name} of ${found}`)
    if (found instanceof Sum) return undefined
    if (found instanceof Fields) return found.parts.get(name)
    if (!(found instanceof Unknown))
      return Object.hasOwn(found as object, name) ? (found as { readonly [name: string]: Value })[name] : undefined
    const part = found.fields.get(name) ?? new Unknown(this.#unknowns++)
    found.fields.set(name, part)
    return part
  }

  holds(condition: Symbolic): boolean {
    const found = foundOf(condition)
    if (found instanceof Fields) return true
    if (found instanceof Sum) return this.#claimed('holds', found, undefined)
    if (!(found instanceof Unknown)) return Boolean(found)
    found.truthy ??= this.#alternatives.next()
    return found.truthy
  }

  binary(operator: Comparison, left: Symbolic, right: Symbolic): Symbolic {
    if (operator === '===') return this.#areSame(left, right)
    if (operator === '!==') return !this.#areSame(left, right)
    const [first, second] = [knownOf(left), knownOf(right)]
    if (first !== undefined && second !== undefined) return calculated(operator, first.value, second.value)
    if (operator === '<' || operator === '<=' || operator === '>' || operator === '>=')
      return this.#claimed(operator, left, right)
    return new Sum(operator, left, right)
  }

  #claimed(operator: Claim['operator'], left: Symbolic, right: Symbolic): boolean {
    const result = this.#alternatives.next()
    this.#claims.push({ operator, left, right, result })
    return result
  }

  /** Whether objects that hold the same are one is not known to the prover either. */
  #areSame(left: Symbolic, right: Symbolic): boolean {
    const [first, second] = [foundOf(left), foundOf(right)]
    if (first instanceof Sum || second instanceof Sum) return this.#claimed('===', first, second)
    if (first instanceof Unknown || second instanceof Unknown) return this.#isSameUnknown(first, second)
    if (first instanceof Fields || second instanceof Fields) {
      const other = first instanceof Fields ? second : first
      return other instanceof Fields || isRecord(other as Value) ? this.#alternatives.next() : false
    }
    if (!isObject(first) || !isObject(second)) return first === second
    return sameValue(first, second) && this.#alternatives.next()
  }

  #isSameUnknown(first: Symbolic, second: Symbolic): boolean {
    if (!this.#alternatives.next()) {
      // Only NaN is not the same as itself.
      if (first === second) this.is(first, Number.NaN)
      else if (!isObjectOrFields(first) && !isObjectOrFields(second))
        this.#claims.push({ operator: '===', left: first, right: second, result: false })
      return false
    }
    if (first !== second) this.is(first, second)
    return true
  }

  /** Makes two values one. */
  is(left: Symbolic, right: Symbolic): void {
    const [first, second] = [foundOf(left), foundOf(right)]
    if (first === second) return
    if (first instanceof Unknown) return this.#find(first, second)
    if (second instanceof Unknown) return this.#find(second, first)
    if (first instanceof Sum || second instanceof Sum) {
      this.#claims.push({ operator: 'is', left: first, right: second, result: true })
      return
    }
    if (first instanceof Fields) return this.#areFields(first, second)
    if (second instanceof Fields) return this.#areFields(second, first)
    if (!sameValue(first, second)) throw new Contradiction('different values')
  }

  #areFields({ parts }: Fields, other: Symbolic): void {
    const names =
      other instanceof Fields
        ? [...other.parts.keys()]
        : isRecord(other as Value)
          ? Object.keys(other as object)
          : undefined
    if (names === undefined || names.length !== parts.size) throw new Contradiction('different fields')
    for (const name of names) {
      if (!parts.has(name)) throw new Contradiction('different fields')
      this.is(parts.get(name), this.field(other, name))
    }
  }

  #find(unknown: Unknown, found: Symbolic): void {
    const { truthy, fields } = unknown
    unknown.is = { found }
    if (truthy !== undefined && this.#isFalse(found, truthy)) throw new Contradiction('not the same truth')
    for (const [name, part] of fields) this.is(part, this.field(found, name))
  }

  #isFalse(found: Symbolic, truthy: boolean): boolean {
    if (found instanceof Unknown) {
      found.truthy ??= truthy
      return found.truthy !== truthy
    }
    if (found instanceof Sum) this.#claims.push({ operator: 'holds', left: found, right: undefined, result: truthy })
    return !(found instanceof Sum) && (found instanceof Fields || Boolean(found)) !== truthy
  }

  /** Whether there are functions like that: throws if there are none, false if none was found. */
  isPossible(): boolean {
    this.#agree()
    for (;;) {
      const open = this.#claims.filter((claim) => !isDecided(claim))
      const [claim] = open.filter(({ operator, result }) => operator !== '===' || result)
      if (claim === undefined) return true
      const unknown = unknownsIn(claim.left, claim.right)[0]
      if (unknown === undefined) return false
      const candidate = candidatesFor(claim, unknown).find(() => this.#alternatives.next())
      if (candidate === undefined) return false
      this.is(unknown, candidate.value)
      this.#agree()
    }
  }

  /** Equal inputs give equal results, also where they turned out to be equal afterwards. */
  #agree(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false
      const results = new Map<string, Unknown>()
      for (const { text, inputs, result } of this.#applications) {
        const key = applicationKey(text, inputs)
        const before = results.get(key)
        if (before === undefined) results.set(key, result)
        else if (inputKey(before) !== inputKey(result)) {
          this.is(before, result)
          isChanged = true
        }
      }
    }
  }
}

function applicationKey(text: string, inputs: readonly Symbolic[]): string {
  return `${text}\n${inputs.map(inputKey).join()}`
}

function isObjectOrFields(symbolic: Symbolic): boolean {
  return symbolic instanceof Fields || (!(symbolic instanceof Unknown) && isObject(symbolic as Value))
}

/** Of values that are known by now: throws if it is not so. */
function isDecided({ operator, left, right, result }: Claim): boolean {
  const [first, second] = [knownOf(left), knownOf(right)]
  if (first === undefined || second === undefined) return false
  if (
    operator === 'is' ? !sameValue(first.value, second.value) : compared(operator, first.value, second.value) !== result
  )
    throw new Contradiction('another value')
  return true
}

function compared(operator: Exclude<Claim['operator'], 'is'>, left: Value, right: Value): boolean {
  if (operator === 'holds') return Boolean(left)
  return operator === '===' ? left === right : Boolean(calculated(operator, left, right))
}

function unknownsIn(...symbolics: readonly Symbolic[]): readonly Unknown[] {
  return symbolics.flatMap((symbolic): readonly Unknown[] => {
    const found = foundOf(symbolic)
    if (found instanceof Unknown) return [found]
    if (found instanceof Sum) return unknownsIn(found.left, found.right)
    return found instanceof Fields ? unknownsIn(...found.parts.values()) : []
  })
}

/** Values that may make a claim true: those around the ones it mentions, and what inverting its arithmetic gives. */
function candidatesFor(claim: Claim, unknown: Unknown): readonly { readonly value: Value }[] {
  const values = [...solutionsOf(claim.left, claim.right, unknown), ...solutionsOf(claim.right, claim.left, unknown)]
  const numbers = values.filter((value) => typeof value === 'number')
  const all = [
    ...values,
    ...numbers.flatMap((value) => [value + 1, value - 1]),
    0,
    1,
    -1,
    2,
    3,
    4,
    'a',
    'b',
    true,
    false,
  ]
  const { truthy } = unknown
  const kept = [...new Set(all)].filter((value) => truthy === undefined || Boolean(value) === truthy)
  return kept.map((value) => ({ value }))
}

/** What the unknown is if the side it stands on is the other one. */
function solutionsOf(side: Symbolic, other: Symbolic, unknown: Unknown): readonly Value[] {
  const found = foundOf(side)
  const goal = knownOf(other)
  if (goal === undefined) return []
  if (found === unknown) return [goal.value]
  if (!(found instanceof Sum)) return []
  const [left, right] = [knownOf(found.left), knownOf(found.right)]
  if (right !== undefined)
    return inverted(found.operator, goal.value, right.value).flatMap((one) => solutionsOf(found.left, one, unknown))
  if (left !== undefined)
    return inverted(found.operator, goal.value, left.value).flatMap((one) => solutionsOf(found.right, one, unknown))
  return []
}

function inverted(operator: string, goal: Value, operand: Value): readonly Value[] {
  if (operator === '+' && typeof goal === 'string') {
    const text = String(operand)
    const ends = [
      goal.endsWith(text) ? goal.slice(0, goal.length - text.length) : undefined,
      goal.startsWith(text) ? goal.slice(text.length) : undefined,
    ]
    return ends.filter((one) => one !== undefined).flatMap((one) => [one, Number(one)])
  }
  if (typeof goal !== 'number' || typeof operand !== 'number') return []
  const all = {
    '+': [goal - operand],
    '-': [goal + operand, operand - goal],
    '*': [goal / operand],
    '/': [goal * operand, operand / goal],
    '%': [goal],
  }
  return all[operator as keyof typeof all] ?? []
}
