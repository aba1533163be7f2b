/** The flags of `linearize`, checked before any file is loaded. */
import type { ObjectCheckOptions } from '../check/objects/options.ts'
import { defaultTraceDirectory } from '../check/trace-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { TypedFlags } from './arguments.ts'
import { oneOf, wholeNumber } from './flag-values.ts'
import { memoryBudget, type SearchFlags, timeBudget } from './flags.ts'
import type { Io } from './io.ts'

/** What is to be done about every class. */
export interface ObjectFlags {
  readonly options: ObjectCheckOptions
  /** Two reductions at once. */
  readonly isPortfolio: boolean
  readonly testName: string | undefined
  readonly className: string | undefined
  readonly args: readonly string[]
  readonly specification: string | undefined
  readonly allowIncomplete: boolean
  readonly traceFolder: string
  readonly fix: 'no' | 'print' | 'write'
  readonly html: string | undefined
}

const reductions = ['none', 'safe', 'eager', 'lazy', 'portfolio'] as const

export function objectFlags(flags: TypedFlags, io: Io): Result<ObjectFlags> {
  const problems: Diagnostic[] = []
  const collect = <T>(result: Result<T>): T | undefined => {
    if (result.ok) return result.value
    problems.push(...result.diagnostics)
    return undefined
  }
  const reduction = collect(oneOf('--reduction', flags.reduction, reductions))
  const safeSets = collect(oneOf('--static', flags.static, ['on', 'off'] as const))
  const options: ObjectCheckOptions = {
    engine: flags.engine?.[0],
    reduction: reduction === 'portfolio' ? undefined : reduction,
    safeSets: safeSets === undefined ? undefined : safeSets === 'on',
    stateless: flags.stateless,
    order: collect(oneOf('--order', flags.order, ['sequential', 'random'] as const)),
    seed: collect(wholeNumber('--seed', flags.seed, Number.MIN_SAFE_INTEGER)),
    granularity: collect(oneOf('--granularity', flags.granularity, ['access', 'await'] as const)),
    criterion: collect(oneOf('--criterion', flags.criterion, ['linearizable', 'outcomes'] as const)),
    clients: flags.client,
    processes: collect(wholeNumber('--processes', flags.processes, 1)),
    calls: collect(wholeNumber('--calls', flags.calls, 1)),
    time: collect(timeBudget(flags, io)),
    memory: collect(memoryBudget(flags)),
    keepGoing: flags.keepGoing ?? false,
    causes: flags.causes ?? true,
    deadlock: collect(oneOf('--deadlock', flags.deadlock, ['error', 'allow'] as const)),
  }
  problems.push(...contradictions(flags))
  if (problems.length > 0) return failure(...problems)
  return success({ ...rest(flags), options, isPortfolio: reduction === 'portfolio' })
}

/** What `check` tells object checks: engine, options and budgets, and nothing about networks or parameters. */
export function objectFlagsOf(
  { options, testName, allowIncomplete, traceFolder }: SearchFlags,
  engine: string | undefined,
): ObjectFlags {
  const { time, memory, seed, keepGoing, deadlock } = options
  return {
    ...rest({}),
    options: { engine, options: options.options, time, memory, seed, keepGoing, deadlock },
    isPortfolio: false,
    testName,
    allowIncomplete,
    traceFolder,
  }
}

function rest(flags: TypedFlags): Omit<ObjectFlags, 'options' | 'isPortfolio'> {
  return {
    testName: flags.testName,
    className: flags.class,
    args: flags.args ?? [],
    specification: flags.spec,
    allowIncomplete: flags.allowIncomplete ?? false,
    traceFolder: flags.traceDir ?? defaultTraceDirectory,
    fix: flags.fix === true ? (flags.dryRun === true ? 'print' : 'write') : 'no',
    html: flags.html,
  }
}

/** Flags about classes that were typed for recorded histories alone. */
export function unfitForHistories(flags: TypedFlags): readonly Diagnostic[] {
  const { testName, client, args, processes, calls, criterion, granularity, reduction, stateless, order } = flags
  const about = {
    '--test-name': testName,
    '--class': flags.class,
    '--client': client,
    '--args': args,
    '--processes': processes,
    '--calls': calls,
    '--criterion': criterion,
    '--granularity': granularity,
    '--reduction': reduction,
    '--static': flags.static,
    '--stateless': stateless,
    '--order': order,
    '--deadlock': flags.deadlock,
    '--keep-going': flags.keepGoing,
    '--fix': flags.fix,
    '--no-causes': flags.causes === false ? false : undefined,
  }
  return Object.entries(about)
    .filter(([, value]) => value !== undefined)
    .map(([flag]) => ({
      code: 'E107',
      message: `${flag} is about classes, and a history is not a class`,
      hint: 'a recorded history takes --spec, --html and budgets',
    }))
}

function contradictions(flags: TypedFlags): readonly Diagnostic[] {
  const wrong: (readonly [boolean, string, string])[] = [
    [flags.dryRun === true && flags.fix !== true, '--dry-run without --fix', 'write --fix --dry-run'],
    [flags.fix === true && flags.causes === false, '--fix with --no-causes', 'a patch is made of the causes'],
    [
      flags.client !== undefined && (flags.processes !== undefined || flags.calls !== undefined),
      '--client with --processes or --calls',
      'the clients given are checked, or all within bounds',
    ],
    [(flags.engine?.length ?? 0) > 1, 'several engines', 'name one; allways check takes several'],
    [
      flags.reduction === 'portfolio' && (flags.engine?.[0] ?? 'stateful') !== 'stateful',
      '--reduction portfolio with another engine',
      'a portfolio is two reductions of the engine stateful',
    ],
    [flags.client !== undefined && flags.args !== undefined, '--client with --args', 'a client says its arguments'],
  ]
  return wrong
    .filter(([is]) => is)
    .map(([, message, hint]) => ({ code: 'E107', message: `${message} makes no sense`, hint }))
}
