/** A class that nobody has declared a check for: its operations and their arguments as the source tells them. */

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { atPath } from '../../artifact/named-file.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'
import { suggestion } from '../../core/did-you-mean.ts'
import type { Value } from '../../core/value.ts'
import type { LoadedProgram } from '../../frontends/frontend.ts'
import {
  type ClassModule,
  type ClassOperation,
  type ClassShape,
  classOperations,
} from '../../frontends/typescript/class-operations.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import { located } from '../locate.ts'
import { sourceExtensions } from '../source-extensions.ts'
import { displayPath } from '../source-places.ts'
import { type ArgumentLists, parseArgumentLists } from './argument-lists.ts'
import { classProgram } from './class-program.ts'
import { madeByClass } from './job-order-form.ts'
import type { AnyClass, LoadedObjects } from './load.ts'

export interface ClassWish {
  readonly name: string
  /** As typed after `--args`. */
  readonly args: readonly string[]
  /** Clients are given, so that nobody has to make arguments up. */
  readonly clients: readonly string[] | undefined
}

interface ClassCheck {
  readonly object: ObjectCheck
  readonly leftOut: readonly string[]
}

function classCheck(path: string, loaded: LoadedObjects, wish: ClassWish): Result<ClassCheck> {
  const subject = loaded.classes.get(wish.name)
  if (subject === undefined) return failure(noClass(loaded, wish.name))
  const given = wish.args.map(parseArgumentLists)
  const problems = given.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (problems.length > 0) return failure(...problems)
  const lists = given.flatMap((one) => (one.ok ? [one.value] : []))
  const shape = classOperations(wish.name, { file: displayPath(path), text: readFileSync(path, 'utf8') }, readModule)
  if (shape !== undefined && shape.needed.length > 0) return failure(needsArguments(wish.name, shape))
  const { name, clients } = wish
  const operations = clients === undefined ? operationsOf(name, shape, lists) : success(new Map())
  if (!operations.ok) return operations
  const declared = checkOf(name, subject, operations.value, shape?.place)
  const tried = clients && { operations: toldOperations(shape, lists), clients }
  const object: ObjectCheck = { ...declared, tried }
  // Clients that are given say themselves what they call.
  const leftOut = clients !== undefined ? [] : (shape?.unnamed ?? [])
  return success({ object, leftOut: leftOut.map(({ text, place }) => `${text} (line ${place.line})`) })
}

/** A class of a file as a program, though nobody has declared a check for it. */
export function undeclaredClass(path: string, loaded: LoadedObjects, wish: ClassWish): Result<LoadedProgram> {
  const check = classCheck(path, loaded, wish)
  if (!check.ok) return check
  const { name, args } = wish
  const origin = { kind: 'class', name, args } as const
  const { modules, jobOrder } = loaded
  const { object, leftOut } = check.value
  const program = classProgram(object, { modules, leftOut, createInJobOrder: madeByClass(jobOrder, name) })
  return success({ exportName: name, program, place: undefined, origin })
}

type Operations = ReadonlyMap<string, readonly (readonly Value[])[]>

function checkOf(name: string, subject: AnyClass, operations: Operations, place: Place | undefined): ObjectCheck {
  return {
    name,
    create: () => new (subject as new () => object)(),
    operations,
    readonly: [],
    processes: 2,
    calls: 2,
    clients: [],
    criterion: 'linearizable',
    specification: undefined,
    granularity: undefined,
    deadlock: 'error',
    order: 'any',
    stack: undefined,
    place,
  }
}

function operationsOf(
  name: string,
  shape: ClassShape | undefined,
  given: readonly ArgumentLists[],
): Result<Operations> {
  const declared = shape?.operations ?? []
  const known = declared.map((operation) => operation.name)
  const unknown = shape === undefined ? [] : given.filter(({ operation }) => !known.includes(operation))
  if (unknown.length > 0) return failure(...unknown.map(({ operation }) => noOperation(name, operation, known)))
  const operations = new Map<string, readonly (readonly Value[])[]>()
  // What is given twice is given for two calls.
  for (const { operation, lists } of given) operations.set(operation, [...(operations.get(operation) ?? []), ...lists])
  const problems: Diagnostic[] = []
  for (const operation of declared) {
    if (operations.has(operation.name)) continue
    const lists = argumentLists(operation)
    if (lists === undefined) problems.push(...notInferred(name, operation))
    else operations.set(operation.name, lists)
  }
  if (problems.length > 0) return failure(...problems.map(located))
  return operations.size > 0 ? success(operations) : failure(located(noOperations(name, shape)))
}

/** Those whose arguments are known; clients that are given call the others too. */
function toldOperations(shape: ClassShape | undefined, given: readonly ArgumentLists[]): Operations {
  const inferred = (shape?.operations ?? []).map((one) => [one.name, argumentLists(one) ?? []] as const)
  return new Map([...inferred, ...given.map(({ operation, lists }) => [operation, lists] as const)])
}

/** Every combination of values; those that leave optional parameters out come last. */
function argumentLists({ parameters }: ClassOperation): readonly (readonly Value[])[] | undefined {
  let complete: readonly (readonly Value[])[] = [[]]
  const shorter: (readonly Value[])[] = []
  for (const { values, isOptional } of parameters) {
    if (isOptional) shorter.push(...complete)
    if (values === undefined) return isOptional ? shorter : undefined
    complete = complete.flatMap((list) => values.map((value) => [...list, value]))
  }
  return [...complete, ...shorter]
}

function notInferred(name: string, { name: operation, parameters }: ClassOperation): readonly Diagnostic[] {
  return parameters
    .filter(({ values, isOptional }) => values === undefined && !isOptional)
    .map(({ text, place }) => ({
      code: 'E308',
      message: `the source does not say which arguments to call ${name}.${operation}() with: "${text}"`,
      hint: `give some, as in --args "${operation}: 1, 2", or declare the check in a file: linearizable(${name}, { operations: { ${operation}: […] } })`,
      place,
    }))
}

function noClass({ file, classes }: LoadedObjects, name: string): Diagnostic {
  return {
    code: 'E308',
    message: `${file} exports no class "${name}"`,
    hint: suggestion(name, [...classes.keys()], 'exported classes'),
  }
}

function noOperation(name: string, operation: string, known: readonly string[]): Diagnostic {
  return {
    code: 'E308',
    message: `${name} has no method "${operation}"`,
    hint: suggestion(operation, known, 'methods'),
  }
}

function noOperations(name: string, shape: ClassShape | undefined): Diagnostic {
  if (shape === undefined) {
    return {
      code: 'E308',
      message: `the source does not show the methods of ${name}`,
      hint: `give clients with --client, or declare the check in a file: linearizable(${name}, { operations: { … } })`,
    }
  }
  return {
    code: 'E308',
    message: `${name} has no public methods that clients could call`,
    hint: 'names that begin with _, and private and protected methods, are left out',
    place: shape.place,
  }
}

function needsArguments(name: string, { needed, place }: ClassShape): Diagnostic {
  return located({
    code: 'E308',
    message: `the constructor of ${name} needs arguments: ${needed.join(', ')}`,
    hint: `declare the check in a file: linearizable(${name}, { create: () => new ${name}(…), operations: { … } })`,
    place,
  })
}

/** The module that a relative import names, as bundlers find it: with its extension, or with that of its source. */
function readModule(specifier: string, from: string): ClassModule | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = resolve(dirname(resolve(from)), specifier)
  const bare = path.replace(/\.[cm]?jsx?$/, '')
  const candidates = [path, ...[bare, path, `${path}/index`].flatMap((one) => sourceExtensions.map((ext) => one + ext))]
  const found = candidates.find((candidate) => atPath(candidate).kind === 'file')
  return found === undefined ? undefined : { file: displayPath(found), text: readFileSync(found, 'utf8') }
}
