/**
 * Which conditions are known to hold, and what expressions come to (Brisk §5.2, "semantic entailment"). Decides by constants
 * and known constructors alone, and says "unknown" to everything else: two values are different only if they are spelled out
 * and differ, or are different processes.
 */
import { type BinaryOperator, computed, type Expression, type Literal } from '../../program/icet.ts'
import { Refusal } from './refusal.ts'
import { constant, hasRecord, indexOperator, isPerhapsUnset, keyOf, processValue, term, type Value } from './value.ts'

/** A condition that was decided on the way, by a branch or an assumption. */
export interface Truth {
  readonly condition: Value
  readonly holds: boolean
}

export interface Knowledge {
  /** By key of a condition. */
  readonly truths: ReadonlyMap<string, Truth>
  /** By symbol: the constants it may be. */
  readonly domains: ReadonlyMap<number, readonly Literal[]>
}

export interface Viewpoint {
  /** Of the process that evaluates. */
  readonly self: string
  readonly store: ReadonlyMap<string, Value>
}

export function evaluate(expression: Expression, from: Viewpoint, knowledge: Knowledge): Value {
  const inner = (part: Expression): Value => evaluate(part, from, knowledge)
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value)
    case 'variable':
      return from.store.get(expression.name) ?? constant(undefined)
    case 'self':
      return processValue(from.self)
    case 'process':
      return processValue(expression.name)
    case 'parameter':
      return { kind: 'parameter', name: expression.name }
    case 'record':
      return { kind: 'record', fields: new Map(expression.fields.map(({ name, value }) => [name, inner(value)])) }
    case 'field':
      return fieldOf(inner(expression.of), expression.name)
    case 'not': {
      const of = inner(expression.of)
      const truth = decide(of, knowledge)
      return truth === undefined ? term('!', of) : constant(!truth)
    }
    case 'either': {
      const condition = inner(expression.condition)
      const truth = decide(condition, knowledge)
      if (truth !== undefined) return inner(truth ? expression.then : expression.otherwise)
      return term('?:', condition, inner(expression.then), inner(expression.otherwise))
    }
    case 'binary':
      return combine(expression.operator, inner(expression.left), inner(expression.right), knowledge)
    case 'opaque':
      return term(operatorOf(expression), ...expression.inputs.map(inner))
  }
}

function operatorOf({ text, indexIn }: Extract<Expression, { kind: 'opaque' }>): string {
  return indexIn === undefined ? `\`${text}\`` : `${indexOperator}${indexIn}`
}

/** What is not spelled out is taken to have fields, as the type checker saw to; what is known to have none fails. */
function fieldOf(of: Value, name: string): Value {
  if (of.kind === 'constant' && (of.value === undefined || of.value === null)) {
    throw new Refusal('possible failure', `cannot read ${name} of ${String(of.value)}`)
  }
  if (isPerhapsUnset(of)) throw new Refusal('possible failure', `${name} may be read of something that was never set`)
  if (of.kind === 'record') return of.fields.get(name) ?? constant(undefined)
  return term(`.${name}`, of)
}

function combine(operator: BinaryOperator, left: Value, right: Value, knowledge: Knowledge): Value {
  if (operator === '&&' || operator === '||') {
    const truth = decide(left, knowledge)
    if (truth !== undefined) return truth === (operator === '&&') ? right : left
    return term(operator, left, right)
  }
  if (operator === '!==') {
    const equal = combine('===', left, right, knowledge)
    return equal.kind === 'constant' ? constant(equal.value !== true) : term('!', equal)
  }
  if (operator === '===') {
    const equal = areEqual(left, right, knowledge)
    if (equal !== undefined) return constant(equal)
    return keyOf(left) < keyOf(right) ? term('===', left, right) : term('===', right, left)
  }
  if (left.kind === 'constant' && right.kind === 'constant')
    return constant(computed(operator, left.value, right.value))
  return term(operator, left, right)
}

/** Undefined: not known. Two equal symbols are not known to be equal either, as the value may be NaN. */
function areEqual(left: Value, right: Value, { domains }: Knowledge): boolean | undefined {
  if (left.kind === 'constant' && right.kind === 'constant') return left.value === right.value
  if (left.kind === 'process' && right.kind === 'process') return left.id === right.id
  if (isSpelledOut(left) && isSpelledOut(right) && left.kind !== right.kind) return false
  if (left.kind === 'symbol' && right.kind === 'symbol' && left.id === right.id) return undefined
  const [symbol, other] = left.kind === 'symbol' ? [left, right] : [right, left]
  if (symbol.kind !== 'symbol' || other.kind !== 'constant') return undefined
  return domains.get(symbol.id)?.includes(other.value) === false ? false : undefined
}

/** Of a kind that the value itself tells: a constant is never equal to a process or a record. */
function isSpelledOut({ kind }: Value): boolean {
  return kind === 'constant' || kind === 'process' || kind === 'record'
}

/** Whether a condition is known to hold, or known not to. */
export function decide(condition: Value, knowledge: Knowledge): boolean | undefined {
  switch (condition.kind) {
    case 'constant':
      return Boolean(condition.value)
    case 'process':
    case 'record':
    case 'self':
      return true
    case 'symbol': {
      const domain = knowledge.domains.get(condition.id)
      if (domain?.every(Boolean) === true) return true
      if (domain?.some(Boolean) === false) return false
      return knowledge.truths.get(keyOf(condition))?.holds
    }
    case 'term':
      return (
        knowledge.truths.get(keyOf(condition))?.holds ?? decideTerm(condition.operator, condition.inputs, knowledge)
      )
    default:
      return undefined
  }
}

function decideTerm(operator: string, inputs: readonly Value[], knowledge: Knowledge): boolean | undefined {
  const [left, right] = inputs as [Value, Value]
  if (operator === '!') {
    const truth = decide(left, knowledge)
    return truth === undefined ? undefined : !truth
  }
  if (operator === '===') return areEqual(left, right, knowledge)
  if (operator !== '&&' && operator !== '||') return undefined
  const [first, second] = [decide(left, knowledge), decide(right, knowledge)]
  const settling = operator === '||'
  if (first === settling || second === settling) return settling
  return first === undefined || second === undefined ? undefined : !settling
}

/** What becomes known with a condition: conditions that hold or not, and symbols that turn out to be something. */
export interface Learned {
  readonly truths: readonly (readonly [Value, boolean])[]
  readonly is: readonly (readonly [symbol: number, Value])[]
  readonly isNot: readonly (readonly [symbol: number, Literal])[]
}

export function learn(condition: Value, truth: boolean): Learned {
  if (condition.kind === 'term') {
    const [left, right] = condition.inputs as [Value, Value]
    if (condition.operator === '!') return learn(left, !truth)
    if (condition.operator === (truth ? '&&' : '||')) return both(learn(left, truth), learn(right, truth))
    if (condition.operator === '===') {
      const [symbol, other] = left.kind === 'symbol' ? [left, right] : [right, left]
      const isNamed = symbol.kind === 'symbol' && (other.kind === 'constant' || other.kind === 'process')
      // There are two zeros, which are equal: it is one of them.
      if (isNamed && truth && other.kind === 'constant' && other.value === 0) {
        return {
          truths: [
            [condition, true],
            [symbol, false],
          ],
          is: [[symbol.id, other]],
          isNot: [],
        }
      }
      // What was known of the symbol by name still has to be known of what it is.
      if (isNamed && truth) return { truths: [[condition, true]], is: [[symbol.id, other]], isNot: [] }
      if (isNamed && other.kind === 'constant') {
        return { truths: [[condition, truth]], is: [], isNot: [[symbol.id, other.value]] }
      }
    }
  }
  return { truths: comparesRecords(condition) ? [] : [[condition, truth]], is: [], isNot: [] }
}

/** Records that are written alike may be one or two: whether they are equal does not follow from how they are written. */
function comparesRecords(value: Value): boolean {
  if (value.kind === 'record') return [...value.fields.values()].some(comparesRecords)
  if (value.kind !== 'term') return false
  return value.inputs.some((input) => (value.operator === '===' && hasRecord(input)) || comparesRecords(input))
}

function both(left: Learned, right: Learned): Learned {
  return {
    truths: [...left.truths, ...right.truths],
    is: [...left.is, ...right.is],
    isNot: [...left.isNot, ...right.isNot],
  }
}
