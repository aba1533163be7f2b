/** Objects: what users write to have a class checked (`linearizable`). */

import { DiagnosticError } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import { checkNoMore, checkShape, either, oneOf, type Shapes, shapes, shown } from '../core/option-shape.ts'
import { freezeValue, type Value } from '../core/value.ts'
import type { Criterion, PromiseOrder } from '../core/verdict.ts'
import type { ObjectCheck, PoolArgument, ResultOf } from '../program/object-check.ts'
import { type Program, registerProgram } from '../program/program.ts'
import type { BuiltInSpecificationName, MadeSpecification, SpecificationDefinition } from '../program/specification.ts'

type AnyClass<T> = new (...args: never[]) => T

type OperationName<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string

/** Each entry is one way to call the operation: a value for one argument, an array for several, `[]` for none at all. */
export type ArgumentPool = readonly (PoolArgument | readonly PoolArgument[])[]

export interface LinearizableOptions<T, State = Value> {
  readonly name?: string | undefined
  /** How clients get their instance; without it, `new Class()`. */
  readonly create?: (() => T) | undefined
  /** Which operations clients call, and with which arguments. `pop: []` is a call without arguments. */
  readonly operations: { readonly [K in OperationName<T>]?: ArgumentPool }
  /** Operations that change nothing. */
  readonly readonly?: readonly OperationName<T>[] | undefined
  /** Bound: at most so many processes (default 2, or 3 if you say so) … */
  readonly processes?: number | undefined
  /** … and so many calls in each (default 2). */
  readonly calls?: number | undefined
  /** These clients and no others: `'{ push(1) } || { push(2); pop() }'`. */
  readonly clients?: readonly string[] | undefined
  readonly criterion?: Criterion | undefined
  /** What is right: a built-in specification by name, or your own; without, the class run sequentially. */
  readonly specification?: BuiltInSpecificationName | SpecificationDefinition<State> | MadeSpecification | undefined
  /** Where processes may be interrupted; without it, at every access, or for a class with async methods at every await. */
  readonly granularity?: 'access' | 'await' | undefined
  readonly deadlock?: 'error' | 'allow' | undefined
  /** `'jobs'`: promises are resolved at once, in JavaScript's own job order; without it, what is awaited may take any time. */
  readonly order?: PromiseOrder | undefined
}

const optionShapes: Shapes<LinearizableOptions<object>> = {
  name: shapes.text,
  create: shapes.func,
  operations: shapes.record,
  readonly: shapes.texts,
  processes: shapes.count,
  calls: shapes.count,
  clients: shapes.texts,
  criterion: oneOf('linearizable', 'outcomes'),
  specification: either(shapes.text, shapes.object),
  granularity: oneOf('access', 'await'),
  deadlock: oneOf('error', 'allow'),
  order: oneOf('any', 'jobs'),
}

/** Declares that every execution of every client of the class looks as if its calls had run one after the other. */
export function linearizable<T extends object, State = Value>(
  subject: AnyClass<T>,
  options: LinearizableOptions<T, State>,
): Program
export function linearizable<T extends object, State = Value>(
  subject: AnyClass<T>,
  options: LinearizableOptions<T, State>,
  ...extra: readonly unknown[]
): Program {
  if (typeof subject !== 'function') {
    throw mistake(`linearizable() needs a class and got ${shown(subject)}`, linearizable)
  }
  if (typeof subject.prototype !== 'object') {
    throw mistake(
      'linearizable() needs a class and got a function; a function that makes one goes into "create"',
      linearizable,
    )
  }
  const stack = stackAbove(linearizable)
  checkNoMore(extra, `linearizable(${subject.name}, options)`, 'E308')
  checkShape(options, optionShapes, { of: `linearizable(${subject.name})`, code: 'E308', stack })
  const entries = Object.entries(options.operations ?? {}) as readonly (readonly [string, ArgumentPool])[]
  if (entries.length === 0 && (options.clients ?? []).length === 0) {
    throw mistake(`linearizable(${subject.name}) names no operations`, linearizable)
  }
  if (options.clients?.length === 0) {
    throw mistake(`linearizable(${subject.name}) names no clients, and would check these and no others`, linearizable)
  }
  const wrong = entries.flatMap(([name, pool]) => poolProblems(subject, name, pool))
  if (wrong.length > 0) throw mistakes(wrong, linearizable)
  const operations = new Map(entries.map(([name, pool]) => [name, argumentLists(pool)]))
  const check: ObjectCheck = {
    name: options.name ?? subject.name,
    create: options.create ?? (() => new (subject as new () => T)()),
    operations,
    readonly: options.readonly ?? [],
    processes: options.processes ?? 2,
    calls: options.calls ?? 2,
    clients: options.clients ?? [],
    criterion: options.criterion ?? 'linearizable',
    specification: options.specification,
    granularity: options.granularity,
    deadlock: options.deadlock ?? 'error',
    order: options.order ?? 'any',
    stack,
  }
  const { name } = check
  // Its other views need the file loaded so that accesses are seen, which only the tool can do.
  const views = { object: () => check }
  return registerProgram({ name, params: {}, every: {}, network: undefined, options: {}, views, stack })
}

/** An argument that is what the process' last call of the operation returned: `release: [resultOf('acquire')]`. */
export function resultOf(operation: string): ResultOf
export function resultOf(operation: string, ...extra: readonly unknown[]): ResultOf {
  checkNoMore(extra, `resultOf(${shown(operation)})`, 'E308')
  return { resultOf: operation }
}

function poolProblems(subject: AnyClass<object>, name: string, pool: unknown): readonly string[] {
  const found = descriptorOf(subject.prototype as object, name)
  if (found !== undefined && !('value' in found)) {
    return [`${name} is a getter, and clients call methods: give the class a method that returns it`]
  }
  const method: unknown = found?.value
  if (method !== undefined && typeof method !== 'function') return [`${subject.name}.${name} is not a method`]
  if (!Array.isArray(pool)) return [`the arguments of ${name} must be a list, as in { ${name}: [1, 2] }`]
  return argumentLists(pool).flatMap((list) =>
    list.flatMap((argument) => {
      const problem = freezeValue(argument as Value)
      if (problem === undefined) return []
      return [`an argument of ${name} is not a value: it has ${problem.found} at ${problem.path || 'its root'}`]
    }),
  )
}

/** A getter runs when it is looked at, and here there is no instance that it could look at. */
function descriptorOf(owner: object | null, name: string): PropertyDescriptor | undefined {
  if (owner === null) return undefined
  return Object.getOwnPropertyDescriptor(owner, name) ?? descriptorOf(Object.getPrototypeOf(owner), name)
}

function argumentLists(pool: ArgumentPool): readonly (readonly PoolArgument[])[] {
  // A place that was left out of a list is undefined to its readers.
  const lists = pool.length === 0 ? [[]] : Array.from(pool, (one) => (Array.isArray(one) ? Array.from(one) : [one]))
  return lists as readonly (readonly PoolArgument[])[]
}

function mistake(message: string, above: (...args: never[]) => unknown): DiagnosticError {
  return mistakes([message], above)
}

function mistakes(messages: readonly string[], above: (...args: never[]) => unknown): DiagnosticError {
  const stack = stackAbove(above)
  const hint = 'linearizable(Stack, { operations: { push: [1, 2], pop: [] } })'
  const [first, ...others] = messages.map((message) => ({ code: 'E308' as const, message, hint, stack }))
  invariant(first !== undefined, 'a refusal says what is wrong')
  return new DiagnosticError(first, ...others)
}

function stackAbove(above: (...args: never[]) => unknown): string | undefined {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, above)
  return holder.stack
}
