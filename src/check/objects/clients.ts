/** Which clients of a class there are to check; every mistake in what was declared about them is reported. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { suggestion } from '../../core/did-you-mean.ts'
import type { Bounds } from '../../core/setting.ts'
import type { ObjectCheck, PoolArgument } from '../../program/object-check.ts'
import { processLimitOfMasks } from '../../program/stateful.ts'
import { type Client, valueArgument } from '../../properties/linearizability/client.ts'
import { clientCount } from '../../properties/linearizability/client-count.ts'
import { clients as clientsIn } from '../../properties/linearizability/client-enumeration.ts'
import { type ClientSpace, resultOf } from '../../properties/linearizability/client-space.ts'
import { parseClient } from '../../properties/linearizability/client-text.ts'
import { isAsyncOperation } from '../../semantics/memory/operations-of.ts'
import type { Granularity } from '../../semantics/memory/subject.ts'
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
    if (typeof instance === 'object' && instance !== null) return success(instance)
    return failure(notDeclared(check, `create() of "${check.name}" gave ${String(instance)} and not an object`))
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(error.diagnostic)
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const stack = error instanceof Error ? error.stack : undefined
    const hint = `say how to make one: linearizable(${check.name}, { create: () => new ${check.name}(…), operations: { … } })`
    const message = `an instance of "${check.name}" could not be made: ${text}`
    return failure(declaredAt({ code: 'E308', message, hint, stack }, check))
  }
}

/** Those that are given, or all within bounds. */
export function clientsOf(check: ObjectCheck, instance: object, bounds: Bounds): Result<Clients> {
  if (bounds.clients !== undefined) return givenClients(check, instance, bounds.clients)
  const known = methodNames(instance)
  const unknown = [...check.operations.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return failure(...unknown.map((name) => noOperation(check, name, known)))
  const space = spaceOf(check, bounds)
  if (space.maxProcesses > processLimitOfMasks) return failure(tooMany(check, space.maxProcesses))
  const outOf = Number(clientCount(space))
  return outOf === 0 ? failure(noClients(check, space)) : success({ outOf, all: () => clientsIn(space) })
}

function givenClients(check: ObjectCheck, instance: object, texts: readonly string[]): Result<Clients> {
  const parsed = texts.map((text) => parseClient(text, { operations: methodNames(instance), suggest: suggestion }))
  const problems = parsed.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (problems.length > 0) return failure(...problems)
  if (texts.length === 0) return failure(notDeclared(check, 'there are no clients: the list is empty'))
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
function methodNames(instance: object): readonly string[] {
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

/** A class with async methods runs on one thread: only at an await can something else happen. */
export function granularityOf(check: ObjectCheck, instance: object): Granularity {
  const operations = check.operations.size > 0 ? [...check.operations.keys()] : methodNames(instance)
  return operations.some((name) => isAsyncOperation(instance, name)) ? 'await' : 'access'
}

function noOperation(check: ObjectCheck, name: string, known: readonly string[]): Diagnostic {
  return { ...notDeclared(check, `${check.name} has no method ${name}`), hint: suggestion(name, known, 'methods') }
}

function tooMany(check: ObjectCheck, processes: number): Diagnostic {
  const message = `clients of ${processes} processes cannot be explored: there may be ${processLimitOfMasks} at most`
  return { ...notDeclared(check, message), hint: 'each process multiplies the interleavings: begin with 2 or 3' }
}

function noClients(
  check: ObjectCheck,
  { maxProcesses, maxCallsPerProcess, operations, readonly }: ClientSpace,
): Diagnostic {
  const bounds = `up to ${maxProcesses} process${maxProcesses === 1 ? '' : 'es'} of up to ${maxCallsPerProcess} call${maxCallsPerProcess === 1 ? '' : 's'}`
  if (maxProcesses < 2) {
    const hint = 'a client has two processes at least; a single process is never disturbed'
    return { ...notDeclared(check, `there are no clients: ${bounds}`), hint }
  }
  const isHarmless = [...operations.keys()].every((name) => readonly?.has(name) === true)
  const hint = isHarmless
    ? 'clients that only read are left out: name an operation that is not in "readonly"'
    : 'each operation needs arguments that a client can have: resultOf() needs an earlier call of the same process'
  return { ...notDeclared(check, `there are no clients: ${isHarmless ? 'all operations are readonly' : bounds}`), hint }
}

function notDeclared(check: ObjectCheck, message: string): Diagnostic {
  return declaredAt({ code: 'E308', message }, check)
}
