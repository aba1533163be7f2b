/** Which clients of a class there are to check; every mistake in what was declared about them is reported. */

import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { suggestion } from '../../core/did-you-mean.ts'
import { shown } from '../../core/option-shape.ts'
import type { Bounds } from '../../core/setting.ts'
import { thrownBy } from '../../core/thrown.ts'
import type { ObjectCheck, PoolArgument } from '../../program/object-check.ts'
import { processLimitOfMasks } from '../../program/stateful.ts'
import { type Client, valueArgument } from '../../properties/linearizability/client.ts'
import { clientCount, countableCalls } from '../../properties/linearizability/client-count.ts'
import { clients as clientsIn } from '../../properties/linearizability/client-enumeration.ts'
import { type ClientSpace, resultOf } from '../../properties/linearizability/client-space.ts'
import { parseClient } from '../../properties/linearizability/client-text.ts'
import { withoutTraces } from '../../semantics/memory/world.ts'
import { declaredAt } from './declared-at.ts'

/** Smallest first, and in the same order every time. */
export interface Clients {
  readonly outOf: number
  all(): Iterable<Client>
}

/** An instance, to see which methods there are. */
export function instanceOf(check: ObjectCheck): Result<object> {
  try {
    const instance: unknown = withoutTraces(() => check.create())
    if (isPromise(instance))
      return failure(
        notDeclared(check, `create() of "${check.name}" gave a promise and not the object`, makesAtOnce(check)),
      )
    if (typeof instance === 'object' && instance !== null) return success(instance)
    return failure(
      notDeclared(check, `create() of "${check.name}" gave ${shown(instance)} and not an object`, makes(check)),
    )
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(error.diagnostic)
    const { sentence: text, stack } = thrownBy(error)
    const message = `an instance of "${check.name}" could not be made: ${text}`
    return failure(declaredAt({ code: 'E308', message, hint: makes(check), stack }, check))
  }
}

/** Also one of those that a check controls. */
function isPromise(made: unknown): boolean {
  const names = typeof made === 'object' && made !== null ? methodNames(made) : []
  return ['then', 'catch', 'finally'].every((name) => names.includes(name))
}

/** Those that are given, or all within bounds. */
export function clientsOf(check: ObjectCheck, instance: object, bounds: Bounds): Result<Clients> {
  if (bounds.clients !== undefined) return givenClients(check, instance, bounds.clients)
  const known = methodNames(instance)
  const unknown = [...check.operations.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return failure(...unknown.map((name) => noOperation(check, instance, { name, known })))
  const space = spaceOf(check, bounds)
  const outOf = clientTotal(space)
  if (outOf === undefined) return failure(beyond(check, space))
  return outOf === 0 ? failure(noClients(check, space)) : success({ outOf, all: () => clientsIn(space) })
}

/** However long the clients are that are explored later, they are longer than anybody waits for. */
const mostCalls = 100

/** How many there are, or the largest number if that is too small; nothing if the bounds are too large to say. */
export function clientTotal(space: ClientSpace): number | undefined {
  const isBeyond =
    space.maxProcesses > processLimitOfMasks || space.maxCallsPerProcess > countableCalls(space, mostCalls)
  return isBeyond ? undefined : Math.min(Number(clientCount(space)), Number.MAX_VALUE)
}

function beyond(check: ObjectCheck, space: ClientSpace): Diagnostic {
  const { maxProcesses, maxCallsPerProcess } = space
  if (maxProcesses > processLimitOfMasks) return tooMany(check, maxProcesses)
  const most = countableCalls(space, mostCalls)
  const message = `processes of ${maxCallsPerProcess} calls cannot be explored: there may be ${most} at most`
  return notDeclared(check, message, 'each call multiplies the clients: begin with 2 or 3, or write one with --client')
}

function givenClients(check: ObjectCheck, instance: object, texts: readonly string[]): Result<Clients> {
  const parsed = texts.map((text) => parseClient(text, { operations: methodNames(instance), suggest: suggestion }))
  const problems = parsed.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (problems.length > 0) return failure(...problems)
  if (texts.length === 0)
    return failure(notDeclared(check, 'there are no clients: the list is empty', 'write one: push(1) || pop()'))
  const clients = parsed.flatMap((one): readonly Client[] => (one.ok ? [one.value] : []))
  const most = Math.max(...clients.map(({ processes }) => processes.length))
  if (most > processLimitOfMasks) return failure(tooMany(check, most))
  return success({ outOf: clients.length, all: () => clients })
}

/** All clients of a class within bounds. */
export function spaceOf(check: ObjectCheck, { processes, calls }: Bounds): ClientSpace {
  return {
    operations: new Map(
      [...check.operations].map(([name, lists]) => [name, lists.map((list) => list.map(poolArgument))]),
    ),
    readonly: new Set(check.readonly),
    maxProcesses: processes ?? check.processes,
    maxCallsPerProcess: calls ?? check.calls,
  }
}

function poolArgument(
  argument: PoolArgument,
): ClientSpace['operations'] extends ReadonlyMap<string, readonly (readonly (infer A)[])[]> ? A : never {
  const marked = argument as { readonly resultOf?: unknown } | null | undefined
  return typeof marked === 'object' && marked !== null && typeof marked.resultOf === 'string'
    ? resultOf(marked.resultOf)
    : valueArgument(argument as Parameters<typeof valueArgument>[0])
}

/** Methods of the instance that clients may call. */
export function methodNames(instance: object): readonly string[] {
  const names = new Set<string>()
  for (
    let owner: object | null = instance;
    owner !== null && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner) as object | null
  ) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, name)
      if (name !== 'constructor' && typeof descriptor?.value === 'function' && !name.startsWith('$')) names.add(name)
    }
  }
  return [...names]
}

/** A getter runs when it is looked at, so it must not be. */
export function isAccessor(instance: object, name: string): boolean {
  for (let owner: object | null = instance; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    if (descriptor !== undefined) return !('value' in descriptor)
  }
  return false
}

function noOperation(
  check: ObjectCheck,
  instance: object,
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): Diagnostic {
  if (isAccessor(instance, name)) {
    const message = `${name} of ${check.name} is a getter, and clients call methods`
    return notDeclared(check, message, 'leave it out, or give the class a method that returns it')
  }
  return notDeclared(check, `${check.name} has no method ${name}`, suggestion(name, known, 'methods'))
}

function tooMany(check: ObjectCheck, processes: number): Diagnostic {
  const message = `clients of ${processes} processes cannot be explored: there may be ${processLimitOfMasks} at most`
  return notDeclared(check, message, 'each process multiplies the interleavings: begin with 2 or 3')
}

function noClients(
  check: ObjectCheck,
  { maxProcesses, maxCallsPerProcess, operations, readonly }: ClientSpace,
): Diagnostic {
  const bounds = `up to ${maxProcesses} process${maxProcesses === 1 ? '' : 'es'} of up to ${maxCallsPerProcess} call${maxCallsPerProcess === 1 ? '' : 's'}`
  if (maxProcesses < 2) {
    const hint = 'a client has two processes at least; a single process is never disturbed'
    return notDeclared(check, `there are no clients: ${bounds}`, hint)
  }
  const isHarmless = [...operations.keys()].every((name) => readonly?.has(name) === true)
  const hint = isHarmless
    ? 'clients that only read are left out: name an operation that is not in "readonly"'
    : 'each operation needs arguments that a client can have: resultOf() needs an earlier call of the same process'
  return notDeclared(check, `there are no clients: ${isHarmless ? 'all operations are readonly' : bounds}`, hint)
}

function makes({ name }: ObjectCheck): string {
  return `say how to make one: linearizable(${name}, { create: () => new ${name}(…), operations: { … } })`
}

/** What has to be awaited is either done by then, or one of the calls. */
function makesAtOnce({ name }: ObjectCheck): string {
  return `clients call the object at once, so make it at once: create: () => new ${name}(…) with what it waits for passed in, or make what it awaits a method and one of its operations: operations: { open: [], … }`
}

function notDeclared(check: ObjectCheck, message: string, hint: string): Diagnostic {
  return declaredAt({ code: 'E308', message, hint }, check)
}
