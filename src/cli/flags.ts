/** Flags checked once, before any file is loaded: every wrong name and amount is reported, not the first. */
import { mostMemory, parseBytes, parseDuration } from '../check/budget.ts'
import {
  anyEngine,
  type EngineGroup,
  engineNamed,
  exploreOnlyP,
  networkNamed,
  optionsOfEngines,
  type ReporterName,
  reporterNamed,
} from '../check/catalogue.ts'
import type { CheckOptions } from '../check/request.ts'
import { isShard, mostShards, mostWorkers } from '../check/resolve-options.ts'
import { defaultTraceDirectory } from '../check/trace-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { type FaultBudget, faultDiagnostic, faultNames, faultProblems } from '../core/faults.ts'
import type { Shard } from '../core/shard.ts'
import { isRedisUrl } from '../distribute/redis/url.ts'
import type { TypedFlags } from './arguments.ts'
import { type ClusterFlags, clusterFlags } from './cluster-flags.ts'
import { typedEngineOptions } from './engine-flags.ts'
import { oneOf, wholeNumber } from './flag-values.ts'
import type { Io } from './io.ts'
import { type ParamFlag, parseParams } from './params.ts'

/** What the search commands are told, beside files. */
export interface SearchFlags {
  /** Every combination of these is a search of its own; `undefined` is the default. */
  readonly engines: readonly (string | undefined)[]
  readonly networks: readonly (string | undefined)[]
  readonly params: readonly ParamFlag[]
  readonly options: CheckOptions
  /** Workers on other machines. */
  readonly cluster: ClusterFlags | undefined
  /** Of a search that goes on: only so many units of work. */
  readonly units: number | undefined
  readonly testName: string | undefined
  /** Of P programs. */
  readonly monitors: 'declared' | 'all' | undefined
  readonly values: (typeof valuesWords)[number] | undefined
  readonly legacy: boolean
  readonly coverage: boolean
  /** Print programs in this form instead of exploring them. */
  readonly print: 'ir' | 'guards' | undefined
  readonly allowIncomplete: boolean
  readonly strict: boolean
  readonly traceFolder: string
}

function unitsFlag({ units, resume }: TypedFlags): Result<number | undefined> {
  if (units === undefined || resume !== undefined) return wholeNumber('--units', units, 1)
  const hint = 'a search that begins has one unit: end it with another budget, --time 1m'
  return failure({ code: 'E107', message: '--units says nothing without --resume', hint })
}

const valuesWords = ['all', '1', '2', '3', '4', '5'] as const

type SearchCommand = 'check' | 'fuzz' | 'linearize'

/** Where everything this tool writes goes, below the folder it runs in. */
export const outputFolder = '.allways'

export function searchFlags(command: SearchCommand, flags: TypedFlags, io: Io): Result<SearchFlags> {
  const engines = flags.engine ?? usualEngines(command, flags)
  const problems: Diagnostic[] = []
  const collect = <T>(result: Result<T>): T | undefined => {
    if (result.ok) return result.value
    problems.push(...result.diagnostics)
    return undefined
  }
  const known = (engines ?? []).filter((name) => command === 'fuzz' || name !== anyEngine)
  for (const name of known) collect(command === 'fuzz' ? samplingEngineNamed(name) : engineNamed(name))
  for (const name of flags.network ?? []) collect(networkNamed(name))
  collect(trustInWhat(flags))
  const params = collect(parseParams(flags.param ?? []))
  const monitors = collect(oneOf('--monitors', flags.monitors, ['declared', 'all'] as const))
  const values = collect(oneOf('--values', flags.values, valuesWords))
  const print = collect(oneOf('--print', flags.print, ['ir', 'guards'] as const))
  const cluster = collect(clusterFlags(command, flags, io))
  const threads = flags.workers !== undefined && isRedisUrl(flags.workers) ? undefined : flags.workers
  const options: CheckOptions = {
    time: collect(timeBudget(flags, io)),
    memory: collect(memoryBudget(flags)),
    workers: collect(workersFlag(threads)),
    shard: collect(shardFlag(flags.shard)),
    maxExecutions: collect(wholeNumber('--max-executions', flags.maxExecutions, 1)),
    maxSteps: collect(wholeNumber('--max-steps', flags.maxSteps, 1)),
    seed: collect(wholeNumber('--seed', flags.seed, Number.MIN_SAFE_INTEGER)),
    deadlock: collect(oneOf('--deadlock', flags.deadlock, ['error', 'allow'] as const)),
    ...collect(ordersAndOptions(flags, engineGroups[command])),
    faults: collect(faultFlag(flags.faults)),
    keepGoing: flags.keepGoing ?? false,
    clients: flags.client,
    processes: collect(wholeNumber('--processes', flags.processes, 1)),
    calls: collect(wholeNumber('--calls', flags.calls, 1)),
    criterion: collect(oneOf('--criterion', flags.criterion, ['linearizable', 'outcomes'] as const)),
    granularity: collect(oneOf('--granularity', flags.granularity, ['access', 'await'] as const)),
    specification: flags.spec,
    causes: flags.causes,
  }
  const units = collect(unitsFlag(flags))
  if (problems.length > 0) return failure(...problems)
  return success({
    engines: engines ?? [undefined],
    networks: flags.network ?? [undefined],
    params: params ?? [],
    options,
    cluster,
    units,
    testName: flags.testName,
    monitors,
    values,
    legacy: flags.pLegacy ?? false,
    coverage: flags.coverage ?? false,
    print,
    allowIncomplete: flags.allowIncomplete ?? false,
    strict: flags.strict ?? false,
    traceFolder: flags.traceDir ?? defaultTraceDirectory,
  })
}

/** Of engines. Two things have an order, promises of a class and what engines search, and a flag of one name. */
function ordersAndOptions(flags: TypedFlags, group: EngineGroup): Result<Pick<CheckOptions, 'order' | 'options'>> {
  const { order: typed, ...others } = flags
  const known = oneOf('--order', typed, ordersOf(flags.engine, group))
  const order = typed === 'any' || typed === 'jobs' ? typed : undefined
  const options = typedEngineOptions(order === undefined && known.ok ? flags : others, group)
  if (!known.ok || !options.ok) return failure(...[known, options].flatMap((one) => (one.ok ? [] : one.diagnostics)))
  return success({ order, options: options.value })
}

/** Those that fit the engines that were named. */
function ordersOf(names: readonly string[] | undefined, group: EngineGroup): readonly string[] {
  const named = names?.includes(anyEngine) === true ? undefined : names
  const { declaration } = optionsOfEngines(group, named).find(({ name }) => name === 'order') ?? {}
  const ofPromises = named !== undefined && exploreOnlyP(named) ? [] : ['any', 'jobs']
  return [...ofPromises, ...(declaration?.form === 'choice' ? declaration.values : [])]
}

/** Nobody has to name an engine that follows from the rest. */
function usualEngines(command: SearchCommand, { print }: TypedFlags): readonly string[] | undefined {
  if (command === 'fuzz') return ['random']
  return print === 'guards' ? ['symbolic'] : undefined
}

const engineGroups = { check: 'exploring', fuzz: 'sampling', linearize: 'exploring' } as const

/** `crashes=1,losses=2`, or `none`. */
function faultFlag(text: string | undefined): Result<FaultBudget | undefined> {
  if (text === undefined) return success(undefined)
  if (text.trim() === 'none') return success({})
  const entries = text.split(',').map((part) => {
    const [name = '', amount = ''] = part.split('=').map((side) => side.trim())
    return [name, /^\d+$/.test(amount) ? Number(amount) : amount] as const
  })
  const budget = Object.fromEntries(entries)
  const names = entries.map(([name]) => name)
  const twice = names.filter((name, at) => names.indexOf(name) < at).map((name) => `"${name}" is given twice`)
  const problems = [...faultProblems(budget), ...twice]
  const hint = `write --faults ${faultNames.map((name) => `${name}=1`).join(',')} or a part of it, or --faults none`
  if (problems.length > 0) return failure(...problems.map((one) => faultDiagnostic(`--faults ${text}: ${one}`, hint)))
  return success(budget as FaultBudget)
}

export function reporters(flags: TypedFlags): Result<readonly ReporterName[]> {
  const names = [...(flags.reporter ?? []), ...(flags.json ? ['json'] : [])]
  const found = names.map(reporterNamed)
  const problems = found.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (problems.length > 0) return failure(...problems)
  const known = found.flatMap((one) => (one.ok ? [one.value] : []))
  return success(known.length === 0 ? ['text'] : [...new Set(known)])
}

function samplingEngineNamed(name: string): Result<unknown> {
  const engine = engineNamed(name)
  if (!engine.ok || engine.value.claims === 'passed') return engine
  return failure({
    code: 'E107',
    message: `engine "${name}" does not sample, it ${engine.value.claims === 'proved' ? 'proves' : 'explores everything'}`,
    hint: `use allways check --engine ${name}, or fuzz with random or pct`,
  })
}

/** `auto` is as many as there are processors. */
export function workersFlag(workers: string | undefined): Result<number | 'auto' | undefined> {
  if (workers === undefined || workers === 'auto') return success(workers)
  const many = /^\d+$/.test(workers) ? Number(workers) : 0
  if (many >= 1 && many <= mostWorkers) return success(many)
  const expected = `a whole number from 1 to ${mostWorkers}, or auto`
  return failure({
    code: 'E107',
    message: `--workers is "${workers}", but it must be ${expected}`,
    hint: `write ${expected}`,
  })
}

/** `2/8`. */
function shardFlag(text: string | undefined): Result<Shard | undefined> {
  if (text === undefined) return success(undefined)
  const [, number, of] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
  const shard = { number: Number(number), of: Number(of) }
  if (isShard(shard)) return success(shard)
  return failure({
    code: 'E107',
    message: `--shard is "${text}", but it must be a number and how many shards there are`,
    hint: `write --shard 2/8 for the second of eight; there may be at most ${mostShards}`,
  })
}

/** Files that the user names need no trust. */
function trustInWhat({ trust, resume }: TypedFlags): Result<unknown> {
  if (trust === undefined || resume !== undefined) return success(trust)
  const hint = 'it goes with --resume, whose checkpoint names a file'
  return failure({ code: 'E107', message: '--trust without --resume says nothing', hint })
}

function timeBudget({ time }: TypedFlags, io: Io): Result<number> {
  return parseDuration(time ?? defaultTime(io), '--time')
}

export function memoryBudget({ memory }: TypedFlags): Result<number> {
  return parseBytes(memory ?? mostMemory(), '--memory')
}

/** Nobody waits more than a minute at a prompt without having said so; nobody looks at a CI job before it ends. */
function defaultTime(io: Io): string {
  return isCi(io) ? '10m' : '60s'
}

export function isCi({ env: { CI } }: Io): boolean {
  return !(CI === undefined || CI === '' || CI === 'false' || CI === '0')
}
