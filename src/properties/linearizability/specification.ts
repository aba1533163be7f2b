/**
 * Specifications: what an object does when its operations are called one after another. Linearizability compares a history
 * with such an object (Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent Objects", TOPLAS 1990).
 *
 * A specification may be nondeterministic: an operation has a list of possible effects, none if it cannot happen now.
 */
import { answerText, yesOrNo } from '../../core/answer.ts'
import { suggestion } from '../../core/did-you-mean.ts'
import type { Call, CallResult } from '../../core/history.ts'
import { checkShape, needed, type Shapes, shapes, shown } from '../../core/option-shape.ts'
import { mistake } from '../../core/running.ts'
import { encodeValue, freezeValue, sameValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import { type AbstractObject, abstractObjectOf } from '../../program/refinement.ts'
import type { Effect, MadeSpecification, SpecificationDefinition } from '../../program/specification.ts'

/** What is wrong with a call, and what would be right. */
export interface CallProblem {
  readonly message: string
  readonly hint: string
}

/** What a call does, without who made it and when. */
export type Invocation = Pick<Call, 'operation' | 'args' | 'result'>

/** A verdict of a method that decides some histories of one kind of object faster than a search. */
export type Ruling =
  | { readonly linearizable: true }
  | {
      readonly linearizable: false
      readonly reason: string
      /** Positions of the calls that contradict each other. */
      readonly culprits: readonly number[]
    }

export interface Specification<State = unknown> extends MadeSpecification {
  /** A new object. States are never changed, only replaced. */
  initial(): State
  /**
   * All ways in which the operation can take effect. The observed result is given to those that can use it to avoid a long
   * list; effects that do not fit it may be listed all the same.
   */
  apply(state: State, operation: string, args: readonly Value[], result: CallResult): readonly Effect<State>[]
  /** Equal for equal states and only for those. */
  key(state: State): string | number
  /** Equal states that share no memory with others, for states that do; keys may change, equality may not. */
  copies?(states: readonly State[]): readonly State[]
  describe(state: State): string
  /** What is wrong with a call of this operation with these arguments, if anything. */
  problem(operation: string, args: readonly Value[]): CallProblem | undefined
  /** How many arguments the operation takes at least, where that is known. */
  arity(operation: string): number | undefined
  /** What an observed result says: `unknown` where it says nothing, as that of a write. */
  observation(operation: string, args: readonly Value[], result: CallResult): CallResult
  /** True only if the operation, where it can return this result at all, leaves the state as it is, whatever the state. */
  observes(operation: string, args: readonly Value[], result: CallResult): boolean
  /**
   * The part of the object that the operation touches, `undefined` for more than one part. If every call of a history
   * touches one part, parts are checked apart (Horn and Kroening, "Faster Linearizability Checking via
   * P-Compositionality", FORTE 2015).
   */
  partition?(operation: string, args: readonly Value[]): Value | undefined
  /** The specification of one part alone; this one if absent. */
  part?(key: Value): Specification
  /** A verdict without a search, where the calls allow it. A call whose `returned` is Infinity need not have taken effect. */
  decide?(calls: readonly Call[]): Ruling | undefined
  /** In which order to try calls that could be next: least rank first, then those that return first. A matter of speed only. */
  ranks?(calls: readonly Call[]): readonly number[]
}

export type SomeSpecification<State = unknown> = Specification<State> | SpecificationDefinition<State>

/** Two kinds of objects are called so, and a reader may know of one of them only. */
function refuseAnnounced({ name }: AbstractObject): never {
  return mistake({
    code: 'E107',
    message: `specification "${name}" has { state, operations }, for refines(…), and histories need { initial, apply }`,
    hint: `write specification({ name: '${name}', initial, apply: (state, operation, args) => ({ state, returns }) })`,
  })
}

/**
 * A specification from its definition:
 *
 *     specification({
 *       name: 'max register',
 *       initial: 0,
 *       operations: ['write', 'read'],
 *       apply: (max, operation, [value]) =>
 *         operation === 'read' ? { state: max, returns: max } : { state: Math.max(max, Number(value)) },
 *     })
 */
export function specification<State>(definition: SomeSpecification<State>): Specification<State> {
  if (isSpecification(definition)) return definition
  const announced = abstractObjectOf(definition)
  if (announced !== undefined) refuseAnnounced(announced)
  checkShape(definition, definitionShapes, { of: 'the specification', isInstance: true })
  const { name = 'object', initial, operations, partition } = definition
  const key = definition.key?.bind(definition) ?? ((state: State) => encodeValue(state as Value))
  const sealed = definition.key === undefined ? sealValue : sealIfValue
  return {
    kind: 'specification',
    name,
    initial: () => sealed(typeof initial === 'function' ? (initial as () => State)() : initial),
    apply(state, operation, args, result) {
      const effects = effectList(definition.apply(state, operation, args, result))
      for (const effect of effects) sealed(effect.state)
      return effects
    },
    key,
    describe: definition.describe?.bind(definition) ?? ((state) => showValue(state as Value, 60)),
    problem: (operation) => (operations === undefined ? undefined : unknownOperation(name, operation, operations)),
    arity: () => undefined,
    observation: (_operation, _args, result) => result,
    observes: (operation, args, result) => decided(definition.observes?.(operation, args, result)),
    ...(partition === undefined ? {} : { partition: partition.bind(definition) }),
  }
}

/** Whether a call changes nothing, as its specification says. */
function decided(answer: unknown): boolean {
  const observes = yesOrNo(answer)
  if (observes === undefined) throw new TypeError(`observes must return true or false, not ${answerText(answer)}`)
  return observes
}

const definitionShapes: Shapes<SpecificationDefinition> = {
  name: shapes.text,
  initial: shapes.anything,
  apply: needed(shapes.func),
  operations: shapes.texts,
  key: shapes.func,
  describe: shapes.func,
  observes: shapes.func,
  partition: shapes.func,
}

/** Whether what was observed can be what this effect returns. */
export function fits(observed: CallResult, effect: Effect): boolean {
  switch (observed.kind) {
    case 'returned':
      return effect.throws === undefined && sameResult(observed.value, effect.returns)
    case 'threw':
      return (
        effect.throws !== undefined &&
        (observed.error === effect.throws || observed.error.startsWith(`${effect.throws}:`))
      )
    default:
      return true
  }
}

/** `undefined` and `null` are one and the same nothing: recorders cannot tell them apart. */
export function isNothing(value: Value): value is undefined | null {
  return value === undefined || value === null
}

export function sameResult(left: Value, right: Value): boolean {
  return isNothing(left) ? isNothing(right) : sameValue(left, right)
}

export function unknownOperation(name: string, operation: string, known: readonly string[]): CallProblem | undefined {
  if (known.includes(operation)) return undefined
  return { message: `${name} has no operation ${showValue(operation, 40)}`, hint: `it has ${known.join(', ')}` }
}

function isSpecification<State>(given: SomeSpecification<State>): given is Specification<State> {
  return Object(given).kind === 'specification'
}

function effectList<State>(effects: Effect<State> | readonly Effect<State>[] | undefined): readonly Effect<State>[] {
  const list = effects === undefined ? [] : Array.isArray(effects) ? (effects as readonly Effect<State>[]) : [effects]
  for (const effect of list as readonly unknown[]) {
    if (typeof effect !== 'object' || effect === null || !('state' in effect)) {
      throw new TypeError(`apply must return { state, returns }, a list of such, or undefined, not ${shown(effect)}`)
    }
    // A result that is not read would be one that every observed result differs from.
    for (const field in effect) if (!effectFields.includes(field)) throw new TypeError(strayEffect(field))
  }
  return list as readonly Effect<State>[]
}

const effectFields = ['state', 'returns', 'throws']

function strayEffect(field: string): string {
  const said = suggestion(field, effectFields, 'its fields are')
  return `apply must return { state, returns } or { state, throws }, and "${field}" is none of these; ${said}`
}

/** A state that was changed in place would change under the search: frozen, the line that does it fails. */
function sealValue<State>(state: State): State {
  const problem = freezeValue(state)
  if (problem === undefined) return state
  throw new TypeError(`the state is not a plain value but holds ${problem.found}; give the specification a \`key\``)
}

function sealIfValue<State>(state: State): State {
  freezeValue(state)
  return state
}
