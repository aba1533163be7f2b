/** From a declared check and options as users write them to a request; every mistake in them is reported. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { InternalError } from '../../core/invariant.ts'
import { type Options, type OptionValue, optionsFrom } from '../../core/options.ts'
import type { Criterion, Reduction } from '../../core/verdict.ts'
import { engines } from '../../engines/registry.ts'
import { statefulOptions } from '../../engines/stateful/options.ts'
import type { ObjectCheck, PoolArgument } from '../../program/object-check.ts'
import { processLimitOfMasks } from '../../program/stateful.ts'
import { type Client, valueArgument } from '../../properties/linearizability/client.ts'
import { clientCount } from '../../properties/linearizability/client-count.ts'
import { type ClientSpace, resultOf } from '../../properties/linearizability/client-space.ts'
import { parseClient } from '../../properties/linearizability/client-text.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { isAsyncOperation } from '../../semantics/memory/operations-of.ts'
import type { Granularity } from '../../semantics/memory/subject.ts'
import { withoutTraces } from '../../semantics/memory/world.ts'
import { parseBytes, parseDuration } from '../budget.ts'
import { engineNamed, servedBy } from '../catalogue.ts'
import { suggestion } from '../did-you-mean.ts'
import { optionsGiven } from '../request.ts'
import { specificationNamed } from '../specification-named.ts'
import { unknownChoices } from './choices.ts'
import { declaredAt } from './declared-at.ts'
import type { ObjectRequest } from './request.ts'

/** How to check a class; everything has a default. */
export interface ObjectCheckOptions {
  /** 'stateful' unless told otherwise; 'dpor', 'exhaustive', or one that samples: 'random', 'pct'. */
  readonly engine?: string | undefined
  /** Options of the engine by name, as `allways list --engines` shows them; those of 'stateful' are below. */
  readonly options?: { readonly [name: string]: OptionValue | undefined } | undefined
  /** How much of the interleavings is explored: 'lazy' unless told otherwise; all give the same answers. */
  readonly reduction?: Exclude<Reduction, 'portfolio'> | undefined
  /** False: invisible steps are interleaved like all others. */
  readonly safeSets?: boolean | undefined
  readonly stateless?: boolean | undefined
  readonly order?: 'sequential' | 'random' | undefined
  readonly seed?: number | undefined
  readonly granularity?: Granularity | undefined
  readonly criterion?: Criterion | undefined
  /** Clients as text, instead of all within bounds. */
  readonly clients?: readonly string[] | undefined
  readonly processes?: number | undefined
  readonly calls?: number | undefined
  /** '60s', '10m', or milliseconds. */
  readonly time?: string | number | undefined
  readonly memory?: string | number | undefined
  readonly keepGoing?: boolean | undefined
  /** Whether to look for the lines that must be atomic when a client fails; true unless told otherwise. */
  readonly causes?: boolean | undefined
  readonly deadlock?: 'error' | 'allow' | undefined
  readonly signal?: AbortSignal | undefined
}

export function objectRequest(
  check: ObjectCheck,
  modules: ModuleState,
  options: ObjectCheckOptions,
): Result<ObjectRequest> {
  const unknown = unknownChoices(check, options)
  if (unknown.length > 0) return failure(...unknown)
  const instance = instanceOf(check)
  if (!instance.ok) return instance
  const clients = clientsOf(check, instance.value, options)
  const engine = engineOf(check, options)
  const time = options.time === undefined ? success(undefined) : parseDuration(options.time, 'time')
  const memory = options.memory === undefined ? success(undefined) : parseBytes(options.memory, 'memory')
  const declared = withSpecification(check)
  const problems = [clients, engine, time, memory, declared].flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (!clients.ok || !engine.ok || !time.ok || !memory.ok || !declared.ok) return failure(...problems)
  return success({
    check: declared.value,
    modules,
    clients: clients.value,
    ...engine.value,
    ...statefulChoices(options, engine.value.options),
    seed: options.seed ?? 0,
    granularity:
      options.granularity ?? check.granularity ?? granularityOf(instance.value, operationNames(check, instance.value)),
    criterion: options.criterion ?? check.criterion,
    deadlock: options.deadlock ?? check.deadlock,
    sections: [],
    wantsCauses: options.causes ?? true,
    keepGoing: options.keepGoing ?? false,
    budget: { milliseconds: time.value, bytes: memory.value },
    signal: options.signal,
  })
}

/** Those of the search that remembers states, which users may give by themselves as well. */
function statefulChoices(
  { reduction, safeSets, stateless, order }: ObjectCheckOptions,
  given: Options,
): Pick<ObjectRequest, 'reduction' | 'safeSets' | 'stateless' | 'order'> {
  const chosen = optionsFrom(statefulOptions, { ...given, reduction, static: safeSets, stateless, order })
  return { reduction: chosen.reduction, safeSets: chosen.static, stateless: chosen.stateless, order: chosen.order }
}

/** The engine in the form that explores classes, with its options. */
function engineOf(
  check: ObjectCheck,
  { engine: name = 'stateful', options = {}, seed }: ObjectCheckOptions,
): Result<Pick<ObjectRequest, 'engine' | 'options'>> {
  const engine = engineNamed(name, classViews)
  if (!engine.ok) return engine
  const { needs } = engine.value
  if (needs !== 'stateful' && needs !== 'path') {
    const message = `engine "${name}" explores ${servedBy(needs)}, and "${check.name}" is a class`
    return failure(
      declaredAt({ code: 'E301', message, hint: `engines that can: ${enginesOfClasses().join(', ')}` }, check),
    )
  }
  const given = optionsGiven(engine.value, { seed, ...options })
  return given.ok ? success({ engine: engine.value, options: given.value }) : given
}

/** What a class can be seen as; which class it is makes no difference. */
const classViews = { views: { stateful: unmade, path: unmade } }

function unmade(): never {
  throw new InternalError('views of a class are made from its request')
}

function enginesOfClasses(): readonly string[] {
  return [...new Set(engines.filter(({ needs }) => needs === 'stateful' || needs === 'path').map(({ name }) => name))]
}

/** With the specification itself in the place of its name. */
function withSpecification(check: ObjectCheck): Result<ObjectCheck> {
  if (typeof check.specification !== 'string') return success(check)
  const found = specificationNamed(check.specification)
  if (found.ok) return success({ ...check, specification: found.value })
  return failure(...found.diagnostics.map((one) => declaredAt(one, check)))
}

function instanceOf(check: ObjectCheck): Result<object> {
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

function clientsOf(
  check: ObjectCheck,
  instance: object,
  options: ObjectCheckOptions,
): Result<ObjectRequest['clients']> {
  const texts = options.clients ?? (check.clients.length > 0 ? check.clients : undefined)
  const known = methodNames(instance)
  if (texts !== undefined) {
    const parsed = texts.map((text) => parseClient(text, { operations: known, suggest: suggestion }))
    const problems = parsed.flatMap((one) => (one.ok ? [] : one.diagnostics))
    if (problems.length > 0) return failure(...problems)
    if (texts.length === 0) return failure(notDeclared(check, 'there are no clients: the list is empty'))
    const clients = parsed.flatMap((one): readonly Client[] => (one.ok ? [one.value] : []))
    const most = Math.max(...clients.map(({ processes }) => processes.length))
    return most > processLimitOfMasks ? failure(tooMany(check, most)) : success({ kind: 'given', clients })
  }
  const unknown = [...check.operations.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return failure(...unknown.map((name) => noOperation(check, name, known)))
  const space = spaceOf(check, options)
  if (space.maxProcesses > processLimitOfMasks) return failure(tooMany(check, space.maxProcesses))
  return clientCount(space) === 0n ? failure(noClients(check, space)) : success({ kind: 'all', space })
}

/** All clients of a class within bounds. */
export function spaceOf(check: ObjectCheck, options: ObjectCheckOptions): ClientSpace {
  return {
    operations: new Map(
      [...check.operations].map(([name, lists]) => [name, lists.map((list) => list.map(poolArgument))]),
    ),
    readonly: new Set(check.readonly),
    maxProcesses: options.processes ?? check.processes,
    maxCallsPerProcess: options.calls ?? check.calls,
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

function operationNames(check: ObjectCheck, instance: object): readonly string[] {
  return check.operations.size > 0 ? [...check.operations.keys()] : methodNames(instance)
}

/** A class with async methods runs on one thread: only at an await can something else happen. */
function granularityOf(instance: object, operations: readonly string[]): Granularity {
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
