/** Everything of a setting but options, and the budget, from what users gave. */
import { availableParallelism } from 'node:os'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import { type FaultBudget, faultDiagnostic, faultProblems, normalFaults } from '../core/faults.ts'
import type { Bounds, Params } from '../core/setting.ts'
import { freezeValue } from '../core/value.ts'
import { anyText, showValue } from '../core/value-text.ts'
import type { Program } from '../program/program.ts'
import { mostMemory, parseBytes, parseDuration } from './budget.ts'
import { type NamedNetwork, networkNamed } from './catalogue.ts'
import type { CheckOptions, SearchBudget } from './request.ts'
import { mostWorkers } from './resolve-options.ts'

/** A program that sends no messages has no network to choose. */
export function resolveNetwork({ name, network, stack }: Program, asked: string | undefined): Result<NamedNetwork> {
  if (network !== undefined || asked === undefined) return networkNamed(asked ?? network ?? 'bag')
  const hint = 'leave the network out'
  return failure({ code: 'E107', message: `"${name}" sends no messages, so it has no network`, hint, stack })
}

/** Those that were given, or the program's own; a program that has none takes none. */
export function resolveBounds(program: Program, asked: CheckOptions): Result<Bounds> {
  const { maxSteps, processes, calls, clients } = asked
  const { name, bounds: own, stack } = program
  const unfit = own === undefined ? { processes, calls, clients } : { maxSteps }
  const [first] = Object.entries(unfit).find(([, value]) => value !== undefined) ?? []
  if (first !== undefined) {
    const hint = own === undefined ? 'it bounds the clients of a class' : 'bound its clients with processes and calls'
    return failure({ code: 'E107', message: `${first} is no bound of "${name}"`, hint, stack })
  }
  if (own === undefined) return success({ maxSteps })
  const isBounded = processes !== undefined || calls !== undefined
  if (clients !== undefined && isBounded) return failure(clientsWithBounds)
  const given = clients ?? (isBounded ? undefined : own.clients)
  if (given !== undefined) return success({ clients: given })
  return success({ processes: processes ?? own.processes, calls: calls ?? own.calls })
}

const clientsWithBounds: Diagnostic = {
  code: 'E107',
  message: 'clients with processes or calls makes no sense',
  hint: 'the clients given are checked, or all within bounds',
}

/** The faults of this check; a class has none. */
export function resolveFaults(program: Program, given: FaultBudget | undefined): Result<FaultBudget | undefined> {
  const problems = given === undefined ? [] : faultProblems(given)
  if (problems.length > 0) return failure(...problems.map((one) => faultDiagnostic(one)))
  if (program.views.ir !== undefined && normalFaults(given) !== undefined) return failure(noFaultsInP(program))
  if (program.network !== undefined || normalFaults(given) === undefined)
    return success(normalFaults(given ?? program.faults))
  const message = `"${program.name}" is a class, and faults are for processes and messages`
  return failure({ ...faultDiagnostic(message, 'leave them out'), stack: program.stack })
}

/** What is lost, repeated or crashes in P is written in P, so that the program says who notices it. */
function noFaultsInP({ name, place }: Program): Diagnostic {
  const message = `"${name}" is a P program, and faults are not injected into those`
  const hint = 'write them in P: a machine that loses messages where choose() says so, or an event that halts a machine'
  return { ...faultDiagnostic(message, hint), place }
}

/** Whatever it counts, nobody has room for more; and what counts nothing has a default that is as large. */
const mostOfSize = 1_000_000

/** Of parameters that a file names, and nobody typed: a program is made as large as they say before anything can be looked at. */
export function excessiveParam(program: Program, given: Params): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const most = Math.max(mostOfSize, Math.abs(Number(program.params[name])) || 0)
    if ((typeof value === 'number' || typeof value === 'bigint') && (value > most || value < -most))
      return `its parameter "${name}" is ${showValue(value, 60)}, and at most ${most} is tried, unless the default is larger`
  }
  return undefined
}

export function resolveParams(program: Program, given: Params): Result<Params> {
  const known = Object.keys(program.params)
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(program.params, name)) return [unknownParam(program, name, known)]
    const expected = typeName(program.params[name])
    const mismatch = expected !== typeName(value)
    if (mismatch)
      return [
        wrongParam(
          program,
          name,
          `needs ${expected} and got ${typeName(value)} (${anyText(value)})`,
          `write ${expected}`,
        ),
      ]
    const least = program.every[name]?.least
    const isSize = least === undefined || (Number.isSafeInteger(value) && Number(value) >= least)
    if (!isSize)
      return [
        wrongParam(
          program,
          name,
          `is a size from ${least} on, not ${anyText(value)}`,
          `write a whole number from ${least} on`,
        ),
      ]
    const problem = freezeValue(value)
    return problem === undefined
      ? []
      : [wrongParam(program, name, `is not a value: ${problem.path} is ${problem.found}`, plainData)]
  })
  return problems.length > 0 ? failure(...problems) : success({ ...program.params, ...given })
}

function unknownParam(program: Program, name: string, known: readonly string[]): Diagnostic {
  return {
    code: 'E110',
    message: `program "${program.name}" has no parameter "${name}"`,
    stack: program.stack,
    hint: suggestion(name, known, 'parameters'),
  }
}

const plainData = 'plain data: objects, arrays, Map, Set, bigint'

function wrongParam(program: Program, name: string, why: string, hint: string): Diagnostic {
  const message = `parameter "${name}" of program "${program.name}" ${why}`
  return { code: 'E107', message, hint, stack: program.stack }
}

/** In the reader's words, fine enough that a parameter of one type never gets a value of another. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Map) return 'a Map'
  if (value instanceof Set) return 'a Set'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export function resolveBudget(options: CheckOptions): Result<SearchBudget> {
  const milliseconds = options.time === undefined ? success(undefined) : parseDuration(options.time, 'time')
  const bytes = options.memory === undefined ? success(undefined) : parseBytes(options.memory, 'memory')
  if (!milliseconds.ok || !bytes.ok) return failure(...[milliseconds, bytes].flatMap(diagnosticsOf))
  const memory = bytes.value === undefined ? {} : { growth: bytes.value, bytes: Math.max(bytes.value, mostMemory()) }
  return success({ milliseconds: milliseconds.value, executions: options.maxExecutions, ...memory })
}

/** As many as there are processors, or as this process may use, with 'auto'. */
export function workersOf({ workers = 1 }: Pick<CheckOptions, 'workers'>): number {
  return workers === 'auto' ? Math.min(availableParallelism(), mostWorkers) : workers
}

export function diagnosticsOf(result: Result<unknown>): readonly Diagnostic[] {
  return result.ok ? [] : result.diagnostics
}
