/**
 * Abstract objects as users write them: a state, and operations that change it or refuse. What the steps of a protocol mean is announced as calls of
 * such an object; the protocol refines it if none of them is refused.
 */

import { answerText, isLater } from '../../core/answer.ts'
import { copyValue } from '../../core/copy-value.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import {
  checkNoMore,
  checkShape,
  isFunction,
  needed,
  type Shapes,
  shape,
  shapes,
  shown,
} from '../../core/option-shape.ts'
import { isForeignProxy } from '../../core/plain-value.ts'
import { mistake, runAs } from '../../core/running.ts'
import { stackOf, thrownBy } from '../../core/thrown.ts'
import { encodeValue, freezeValue, sameValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import {
  type AbstractCall,
  type AbstractObject,
  type Applied,
  answersDiffer,
  type FieldsAsked,
  operationOf,
  type Refined,
} from '../../program/refinement.ts'
import { announcedObject, type Fields } from './announced-object.ts'
import { fieldsAsked, fieldsThere } from './fields-asked.ts'
import { SameAnswers } from './same-answers.ts'
import { withSharedParts } from './shared-parts.ts'
import { sortOf } from './sort-of-value.ts'
import { inSpecification } from './specification-mistakes.ts'

/** What an operation returns for a call that the object does not allow. */
export class Refusal {
  readonly reason: string
  readonly consequence: string | undefined

  constructor(reason: string, consequence: string | undefined) {
    this.reason = reason
    this.consequence = consequence
  }
}

export interface RefuseOptions {
  /** What may come of it, for people. */
  readonly consequence?: string
}

const refuseShapes: Shapes<RefuseOptions> = { consequence: shapes.text }

/** The object does not allow the call in this state; `reason` is read by people. */
export function refuse(reason: string, options?: RefuseOptions): Refusal
export function refuse(reason: string, options: RefuseOptions = {}, ...extra: readonly unknown[]): Refusal {
  checkNoMore(extra, 'refuse(reason, { consequence })')
  checkShape(options, refuseShapes, { of: 'refuse(…)' })
  if (typeof reason !== 'string' || reason === '')
    mistake({
      code: 'E107',
      message: `refuse(…) needs a reason and got ${shown(reason)}`,
      hint: "refuse('held by another')",
    })
  const refusal = new Refusal(reason, options.consequence)
  lastRefusal = refusal
  return refusal
}

/** The last one, until an operation has returned: one that is not returned would be lost. */
let lastRefusal: Refusal | undefined

/** Changes the state, or returns another one; or refuses. */
// biome-ignore lint/suspicious/noConfusingVoidType: operations that change the state return nothing
export type AbstractOperation<State, Call = never> = (state: State, call: Call) => State | Refusal | void

/** An object that is announced to. */
export type AnnouncedObject<Operations> = Refined & {
  readonly [Name in keyof Operations]: Operations[Name] extends (state: never, call: infer Call) => unknown
    ? unknown extends Call
      ? (call?: Fields) => AbstractCall
      : (call: Call) => AbstractCall
    : never
}

export interface AbstractParts<State, Operations> {
  /** The state before the first call, or a function that makes one; plain data. */
  readonly state: State | (() => State)
  readonly operations: Operations
  /** Operations of which a call that was made before, with the same fields, changes nothing and is never refused. */
  readonly idempotent?: readonly (keyof Operations & string)[]
  /** One object for each value of this; without it, one for all calls. */
  readonly instance?: (call: AbstractCall) => Value
  /** Whether two calls have the same effect in either order. */
  readonly commutes?: (one: AbstractCall, other: AbstractCall) => boolean
  /** Why two calls cannot both be made, in whatever order. */
  readonly conflicts?: (one: AbstractCall, other: AbstractCall) => string | undefined
  /** What a call lacks among those that come before it for sure. */
  readonly needs?: (call: AbstractCall, past: readonly AbstractCall[]) => string | undefined
}

const partShapes: Shapes<AbstractParts<unknown, object>> = {
  state: needed(shape('plain data, the state before the first call, or a function that makes it', () => true)),
  operations: needed(shapes.record),
  idempotent: shapes.texts,
  instance: shapes.func,
  commutes: shapes.func,
  conflicts: shapes.func,
  needs: shapes.func,
}

export function abstractSpecification<State, Operations extends { readonly [name: string]: AbstractOperation<State> }>(
  name: string,
  parts: AbstractParts<State, Operations>,
): AnnouncedObject<Operations> {
  const { stack } = new Error()
  if (!/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name))
    mistake({
      code: 'E107',
      message: `a specification cannot be named ${shown(name)}`,
      hint: "letters, digits, spaces, - and _: specification('lease', { … })",
      stack,
    })
  checkShape(parts, partShapes, { of: `specification "${name}"`, noun: 'part', stack })
  return announcedObject(
    new WrittenObject(name, parts as unknown as AbstractParts<Value, SomeOperations>, stack),
  ) as never
}

const reasonHint = 'return a reason, or undefined where there is none'
const flagHint = 'return true or false'
const instanceHint = 'return what tells the object, such as a slot: a number, a text or other plain data'
const stateHint = 'write the state before the first call, or a function that makes it: state: { holder: null }'

type SomeOperations = { readonly [name: string]: AbstractOperation<Value, AbstractCall> }

/** Calls whose operations are asked whether they compare identities: the first ones, and then one of so many. */
const comparedFirst = 512
const comparedEvery = 61

/** By instance: its state, and calls of operations that may be repeated. */
type Instances = readonly { readonly of: Value; readonly state: Value; readonly made: readonly string[] }[]

class WrittenObject implements AbstractObject {
  readonly name: string
  readonly first: Value
  readonly operations: readonly string[]
  readonly expected: readonly string[]
  readonly #parts: AbstractParts<Value, SomeOperations>
  readonly #stack: string | undefined
  readonly #begins: Value
  #applied = 0
  readonly #answers = new SameAnswers((before, call) => {
    const state = copyValue(before) as Value
    const [operation, does] = this.#operation(call)
    return resultOf(
      this.#asked(operation, () => does(state, call)),
      state,
    )
  })
  readonly conflicts?: NonNullable<AbstractObject['conflicts']>
  readonly needs?: NonNullable<AbstractObject['needs']>
  readonly commutes?: NonNullable<AbstractObject['commutes']>
  readonly declared: NonNullable<AbstractObject['declared']>

  constructor(name: string, parts: AbstractParts<Value, SomeOperations>, stack: string | undefined) {
    const { state, operations, idempotent = [], conflicts, needs, commutes } = parts
    this.name = name
    this.#parts = parts
    this.#stack = stack
    this.operations = Object.keys(operations)
    this.expected = this.operations
    this.declared = (['conflicts', 'needs', 'commutes'] as const).filter((part) => parts[part] !== undefined)
    if (this.operations.length === 0) this.#wrong('has no operations', 'operations: { grant(state, call) { … } }')
    for (const [operation, does] of Object.entries(operations))
      if (!isFunction(does)) this.#wrong(`has an operation "${operation}" that is ${shown(does)}`, 'write a function')
    const unknown = idempotent.find((operation) => !Object.hasOwn(operations, operation))
    if (unknown !== undefined)
      this.#wrong(`has no operation "${unknown}", which "idempotent" names`, `it has ${this.operations.join(', ')}`)
    this.#begins = this.#frozen(
      typeof state === 'function' ? this.#asked('state', state as () => Value, stateHint) : state,
    )
    this.first = []
    if ((conflicts === undefined) !== (needs === undefined))
      this.#wrong('has "conflicts" or "needs" without the other', 'give both: they replace trying the orders of calls')
    if (conflicts !== undefined) this.conflicts = (one, other) => this.#answer('conflicts', () => conflicts(one, other))
    if (needs !== undefined) this.needs = (call, past) => this.#answer('needs', () => needs(call, past))
    if (commutes !== undefined)
      this.commutes = (one, other) => this.#flag(this.#asked('commutes', () => commutes(one, other), flagHint))
  }

  after(before: Value, call: AbstractCall): Applied {
    const instances = before as unknown as Instances
    const { idempotent = [] } = this.#parts
    const [operation, does] = this.#operation(call)
    const known = this.#instance(instances, call)
    const text = encodeValue(call as Value)
    if (known.made.includes(text)) return { state: before }
    const state = copyValue(known.state) as Value
    lastRefusal = undefined
    const next = this.#asked(operation, () => does(state, call))
    if (next instanceof Refusal) {
      this.#checkSame(call, known.state, resultOf(next, state))
      this.#checkIdentities(call, known.state, () => resultOf(next, state))
      return { refused: next }
    }
    this.#checkReturned(operation, next, known.state)
    const left = this.#frozen(next === undefined ? state : (next as Value))
    this.#checkSame(call, known.state, resultOf(left, state))
    this.#checkIdentities(call, known.state, () => resultOf(left, state))
    const made = idempotent.includes(operation) ? [...known.made, text].sort() : known.made
    const changed = { of: known.of, state: left, made }
    const others = instances.filter((one) => one !== known)
    const all = [...others, changed].map((one) => ({ key: encodeValue(one.of), one }))
    all.sort((left, right) => (left.key < right.key ? -1 : 1))
    return { state: all.map(({ one }) => one) as unknown as Value }
  }

  #operation(call: AbstractCall): readonly [string, AbstractOperation<Value, AbstractCall>] {
    const operation = operationOf(this, call)
    return [operation, this.#parts.operations[operation] as AbstractOperation<Value, AbstractCall>]
  }

  #instance(instances: Instances, call: AbstractCall): Instances[number] {
    const { instance } = this.#parts
    const of = instance === undefined ? null : this.#instanceOf(call, instance)
    if (of === undefined) this.#mistaken('"instance" returns undefined', instanceHint)
    return instances.find((one) => sameValue(one.of, of)) ?? { of, state: this.#begins, made: [] }
  }

  #instanceOf(call: AbstractCall, instance: (call: AbstractCall) => Value): Value {
    const of = this.#asked('instance', () => instance(call), instanceHint)
    const problem = freezeValue(of)
    if (problem === undefined) return of
    return this.#mistaken(`"instance" returns what is not a value: it${problem.path} is ${problem.found}`, instanceHint)
  }

  fieldsAsked(before: Value, call: AbstractCall): FieldsAsked {
    const { instance, conflicts, needs, commutes, idempotent = [] } = this.#parts
    const [operation, does] = this.#operation(call)
    const { state } = this.#instance(before as unknown as Instances, call)
    const asked = fieldsAsked({
      name: this.name,
      state: copyValue(state) as Value,
      call: copyValue(call) as AbstractCall,
      run: (before, one) => {
        for (const other of [() => instance?.(one), () => needs?.(one, [])]) this.#askedIdly(other)
        for (const two of [conflicts, commutes]) this.#askedIdly(() => two?.(one, one))
        return this.#askedIdly(() => does(before, one) ?? before)
      },
    })
    // Which call it is, all of its fields say together.
    return idempotent.includes(operation) ? { ...asked, unread: [] } : asked
  }

  fieldsThere(state: Value, call: AbstractCall): Iterable<string> {
    return fieldsThere(this.name, call, [this.#begins, ...(state as unknown as Instances).map((one) => one.state)])
  }

  /** Nothing if it throws. */
  #askedIdly<Answer>(ask: () => Answer): Answer | undefined {
    try {
      return runAs(`specification ${this.name}`, ask)
    } catch {
      return undefined
    }
  }

  isRepeatable(operation: string): boolean {
    return this.#parts.idempotent?.includes(operation) === true
  }

  described(call: AbstractCall): string {
    const { kind: _, ...fields } = call
    const operation = operationOf(this, call)
    return Object.keys(fields).length === 0 ? operation : `${operation} ${showValue(fields as Value, 60)}`
  }

  drawn(before: Value): readonly string[] {
    const instances = before as unknown as Instances
    const lines = instances.map(({ of, state }) => {
      const whose = of === null ? this.name : `${this.name} ${showValue(of, 40)}`
      return `${whose} is ${showValue(state, 200)}`
    })
    return lines.length === 0 ? [`${this.name} is ${showValue(this.#begins, 200)}`] : lines
  }

  /** A state of another sort is a slip: what was meant as an answer would be the state. */
  #checkReturned(operation: string, next: unknown, before: Value): void {
    if (lastRefusal !== undefined)
      this.#mistaken(`"${operation}" calls refuse(…) and does not return it`, "return refuse('why')")
    if (next === undefined && Object(before) !== before)
      this.#mistaken(`"${operation}" returns nothing, and the state is ${shown(before)}`, 'return the next state')
    if (next === undefined || sortOf(next) === sortOf(before)) return
    const hint = "return the next state, nothing if it was changed in place, or refuse('why')"
    this.#mistaken(`"${operation}" returns ${shown(next)}, and the state is ${shown(before)}`, hint)
  }

  #checkSame(call: AbstractCall, state: Value, said: string): void {
    const differing = this.#answers.differing({ state, call, said })
    if (differing !== undefined) throw answersDiffer(this, differing, this.#stack)
  }

  /** State and call are copies: whether parts of them are one object says nothing. */
  #checkIdentities(call: AbstractCall, before: Value, result: () => string): void {
    const count = this.#applied++
    if (count >= comparedFirst && count % comparedEvery > 0) return
    const given = withSharedParts(before, call)
    if (given === undefined) return
    const [operation, does] = this.#operation(call)
    const [shared, apart] = [given.shared, given.apart].map((one) =>
      this.#askedIdly(() => resultOf(does(one.state, one.call), one.state)),
    )
    if (shared === undefined || shared === result() || apart !== result()) return
    const hint =
      'compare what they hold, as in state.items.some((one) => one.id === item.id): === and includes are for numbers and texts'
    this.#mistaken(
      `"${operation}" asks whether parts of its state and of the call are one object, which they never are`,
      hint,
    )
  }

  #mistaken(what: string, hint: string): never {
    const message = `${what}, in specification "${this.name}"`
    throw new DiagnosticError({ code: 'E227', message, hint, stack: this.#stack })
  }

  #flag(answer: unknown): boolean {
    if (typeof answer === 'boolean') return answer
    return this.#mistaken(`"commutes" returns ${shown(answer)}`, flagHint)
  }

  #answer(part: string, ask: () => unknown): string | undefined {
    const answer = this.#asked(part, ask, reasonHint)
    if (answer === undefined || typeof answer === 'string') return answer
    return this.#wrong(`answers ${shown(answer)} in "${part}"`, reasonHint)
  }

  #asked<T>(what: string, ask: () => T, hint = "a call that is not allowed is refused: return refuse('why')"): T {
    try {
      const answer = runAs(`specification ${this.name}`, ask)
      if (isLater(answer) || isForeignProxy(answer))
        this.#mistaken(
          `"${what}" returns ${answerText(answer)}`,
          'write plain functions: what they say is known at once',
        )
      return answer
    } catch (error) {
      if (error instanceof DiagnosticError) throw inSpecification(error, what, this.name)
      const { message } = thrownBy(error)
      throw new DiagnosticError({
        code: 'E227',
        message: `"${what}" of specification "${this.name}" threw ${message}`,
        hint,
        stack: stackOf(error) ?? this.#stack,
      })
    }
  }

  #frozen(state: Value): Value {
    const problem = freezeValue(state)
    if (problem === undefined) return state
    return this.#wrong(
      `has a state that is not a value: state${problem.path} is ${problem.found}`,
      'plain data: objects, arrays, Map, Set, bigint',
    )
  }

  #wrong(what: string, hint: string): never {
    throw new DiagnosticError({
      code: 'E107',
      message: `specification "${this.name}" ${what}`,
      hint,
      stack: this.#stack,
    })
  }
}

/** What comes of an operation, as a text; what is no value is like nothing else. */
function resultOf(next: unknown, state: Value): string {
  return next instanceof Refusal ? `refused: ${next.reason}` : encodeValue((next === undefined ? state : next) as Value)
}
