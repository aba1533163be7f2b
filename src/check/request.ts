/** From a program and options as users write them to a search that can be run; every mistake in them is reported, not the first. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import type { PropertyKind } from '../core/property.ts'
import type { Params, Setting } from '../core/trace.ts'
import { freezeValue, type Value } from '../core/value.ts'
import type { Scope } from '../core/verdict.ts'
import type { Budget } from '../distribute/driver.ts'
import type { Engine, EngineSetting, ScheduleName } from '../engines/engine.ts'
import { engines } from '../engines/registry.ts'
import type { Program, Runnable, ViewName, Views } from '../program/program.ts'
import { deadlockFreedom } from '../properties/deadlock.ts'
import { parseBytes, parseDuration } from './budget.ts'
import { defaultEngine, engineNamed, networkNamed, servedBy } from './catalogue.ts'
import { suggestion } from './did-you-mean.ts'

/** How to check a program; everything has a default. */
export interface CheckOptions {
  /** 'dpor' unless told otherwise; 'local' for systems of machines. */
  readonly engine?: string | undefined
  /** 'bag', 'fifo', 'causal', 'mailbox', 'sender-queue', a paper's name for one, or 'fifo-eager'; the program's own unless told otherwise. */
  readonly network?: string | undefined
  readonly params?: Params | undefined
  /** '60s', '10m', or milliseconds. */
  readonly time?: string | number | undefined
  readonly maxExecutions?: number | undefined
  /** '512mb', '2gb', or bytes. */
  readonly memory?: string | number | undefined
  readonly seed?: number | undefined
  /** Sampling engines: how many executions. */
  readonly samples?: number | undefined
  /** pct: how many priority changes. */
  readonly depth?: number | undefined
  /** Collect all distinct violations instead of stopping at the first. */
  readonly keepGoing?: boolean | undefined
  readonly deadlock?: 'error' | 'allow' | undefined
  /** A bound: processes stop after so many operations. */
  readonly maxSteps?: number | undefined
  readonly schedule?: ScheduleName | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CheckRequest {
  readonly program: Program
  readonly engine: Engine
  readonly setting: Setting
  readonly engineSetting: EngineSetting
  /** What the engine explores. */
  readonly subject: Views[ViewName]
  /** What the judge replays. */
  readonly runnable: Runnable
  readonly scope: Scope
  readonly budget: Budget
  readonly keepGoing: boolean
  readonly signal: AbortSignal | undefined
}

export const scheduleNames: readonly ScheduleName[] = ['sends-first', 'left-to-right', 'right-to-left', 'random']
const defaultSamples = 10_000
const defaultDepth = 3

export function checkRequest(program: Program, options: CheckOptions): Result<CheckRequest> {
  const engine = options.engine === undefined ? defaultEngine(program, options.network) : engineNamed(options.engine)
  const network = networkNamed(options.network ?? program.network)
  const params = resolveParams(program, options.params ?? {})
  const budget = resolveBudget(options)
  const problems = [engine, network, params, budget].flatMap(diagnosticsOf).concat(optionProblems(options))
  if (!engine.ok || !network.ok || !params.ok || !budget.ok || problems.length > 0) return failure(...problems)
  const eager = network.value.eager
  if (eager && engine.value.name !== 'dpor') return failure(eagerElsewhere(engine.value))
  const setting: Setting = { params: params.value, network: network.value.network }
  const subject = subjectFor(program, engine.value, setting, options)
  if (!subject.ok) return subject
  return success({
    program,
    engine: engine.value,
    setting,
    engineSetting: engineSetting(options, eager),
    ...subject.value,
    scope: {
      engine: engine.value.name,
      network: network.value.shown,
      params: params.value,
      seed: options.seed ?? 0,
      maxSteps: options.maxSteps,
      deadlock: options.deadlock ?? program.deadlock,
      faults: program.faults,
    },
    budget: budget.value,
    keepGoing: options.keepGoing ?? false,
    signal: options.signal,
  })
}

/** The view an engine needs, and the one its claims are judged in by the properties asked for. */
function subjectFor(
  program: Program,
  engine: Engine,
  setting: Setting,
  options: CheckOptions,
): Result<Pick<CheckRequest, 'subject' | 'runnable'>> {
  const view = program.views[engine.needs]
  if (view === undefined || program.views.runnable === undefined) return failure(noView(program, engine))
  if (engine.needs !== 'runnable' && options.maxSteps !== undefined) return failure(stepsElsewhere(engine))
  try {
    const runnable = judgedView(program.views.runnable, program, setting, options)
    const undecided = propertiesAsked(runnable).filter((kind) => !engine.decides.includes(kind))
    if (undecided.length > 0) return failure(...undecided.map((kind) => undecidable(program, engine, kind)))
    return success({ subject: engine.needs === 'runnable' ? runnable : view(setting, {}), runnable })
  } catch (error) {
    // A system is put together here, and its declaration may be wrong for these parameters.
    if (error instanceof DiagnosticError) return failure(error.diagnostic)
    throw error
  }
}

function stepsElsewhere(engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `maxSteps bounds processes, and engine "${engine.name}" explores states without bound`,
    hint: 'use --engine dpor, or bound the search with --time or --memory',
  }
}

function noView(program: Program, engine: Engine): Diagnostic {
  const offered = Object.keys(program.views) as ViewName[]
  const own = offered.length === 0 ? 'offers nothing to explore' : `is one of ${offered.map(servedBy).join(', ')}`
  const others = enginesHint((other) => program.views[other.needs] !== undefined)
  const classes = engine.needs === 'stateful' ? '; classes are checked with allways linearize' : ''
  return {
    code: 'E301',
    message: `engine "${engine.name}" explores ${servedBy(engine.needs)}, and program "${program.name}" ${own}`,
    stack: program.stack,
    hint: `${others}${classes}`,
  }
}

/** The view a trace is replayed in: no engine has a say. */
export function replaySubject(program: Program, setting: Setting, options: CheckOptions): Runnable | undefined {
  const view = program.views.runnable
  return view === undefined ? undefined : judgedView(view, program, setting, options)
}

function judgedView(
  view: NonNullable<Program['views']['runnable']>,
  program: Program,
  setting: Setting,
  options: CheckOptions,
): Runnable {
  const plain = view(setting, { maxSteps: options.maxSteps })
  const deadlock = options.deadlock ?? program.deadlock
  return deadlock === 'error' ? { ...plain, endChecks: [...plain.endChecks, deadlockFreedom] } : plain
}

function propertiesAsked(subject: Runnable): readonly PropertyKind[] {
  const kinds = subject.endChecks.map((check) => check.kind)
  return [
    ...new Set<PropertyKind>([
      'assertion',
      'exception',
      ...(subject.monitors.length > 0 ? ['monitor' as const] : []),
      ...((subject.stateInvariants?.length ?? 0) > 0 ? ['invariant' as const] : []),
      ...kinds,
    ]),
  ]
}

function undecidable(program: Program, engine: Engine, kind: PropertyKind): Diagnostic {
  const others = enginesHint((other) => other.decides.includes(kind) && program.views[other.needs] !== undefined)
  return {
    code: 'E302',
    message: `engine "${engine.name}" cannot decide properties of kind "${kind}", which program "${program.name}" has`,
    stack: program.stack,
    hint: kind === 'deadlock' ? `${others}; or allow processes to wait for ever: --deadlock allow` : others,
  }
}

function enginesHint(can: (engine: Engine) => boolean): string {
  const able = engines.filter(can).map((engine) => engine.name)
  return able.length === 0 ? 'no engine can yet' : `engines that can: ${able.join(', ')}`
}

function eagerElsewhere(engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `network "fifo-eager" is a variant of the dpor engine, not of "${engine.name}"`,
    hint: 'use --engine dpor, or --network fifo',
  }
}

function engineSetting(options: CheckOptions, eager: boolean): EngineSetting {
  return {
    seed: options.seed ?? 0,
    schedule: options.schedule ?? 'sends-first',
    eager,
    samples: options.samples ?? defaultSamples,
    depth: options.depth ?? defaultDepth,
  }
}

export function resolveParams(program: Program, given: Params): Result<Params> {
  const known = Object.keys(program.params)
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(program.params, name)) return [unknownParam(program, name, known)]
    const expected = typeName(program.params[name])
    const mismatch = expected !== typeName(value)
    if (mismatch) return [wrongParam(program, name, `needs ${expected} and got ${typeName(value)} (${shown(value)})`)]
    const least = program.every[name]?.least
    const isSize = least === undefined || (Number.isSafeInteger(value) && Number(value) >= least)
    if (!isSize) return [wrongParam(program, name, `is a size from ${least} on, not ${shown(value)}`)]
    const problem = freezeValue(value)
    return problem === undefined
      ? []
      : [wrongParam(program, name, `is not a value: ${problem.path} is ${problem.found}`)]
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

function wrongParam(program: Program, name: string, why: string): Diagnostic {
  return { code: 'E107', message: `parameter "${name}" of program "${program.name}" ${why}`, stack: program.stack }
}

/** In the reader's words, fine enough that a parameter of one type never gets a value of another. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Map) return 'a Map'
  if (value instanceof Set) return 'a Set'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function shown(value: Value): string {
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value))
}

function resolveBudget(options: CheckOptions): Result<Budget> {
  const milliseconds = options.time === undefined ? success(undefined) : parseDuration(options.time, 'time')
  const bytes = options.memory === undefined ? success(undefined) : parseBytes(options.memory, 'memory')
  if (!milliseconds.ok || !bytes.ok) return failure(...[milliseconds, bytes].flatMap(diagnosticsOf))
  return success({ milliseconds: milliseconds.value, executions: options.maxExecutions, bytes: bytes.value })
}

function optionProblems(options: CheckOptions): readonly Diagnostic[] {
  const { seed, schedule, deadlock } = options
  const counts = ['maxExecutions', 'samples', 'depth', 'maxSteps'] as const
  return [
    ...counts.flatMap((name) => {
      const value = options[name]
      const wrong = value !== undefined && !(Number.isSafeInteger(value) && value > 0)
      return wrong ? [wrongValue(name, value, 'a whole number above 0')] : []
    }),
    ...(seed === undefined || Number.isSafeInteger(seed) ? [] : [wrongValue('seed', seed, 'a whole number')]),
    ...oneOf('schedule', schedule, scheduleNames),
    ...oneOf('deadlock', deadlock, ['error', 'allow']),
  ]
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): readonly Diagnostic[] {
  if (value === undefined || allowed.includes(value)) return []
  return [{ code: 'E107', message: `there is no ${name} "${value}"`, hint: suggestion(value, allowed, name) }]
}

function wrongValue(name: string, value: unknown, expected: string): Diagnostic {
  return { code: 'E107', message: `${name} is ${String(value)}, but it must be ${expected}` }
}

function diagnosticsOf(result: Result<unknown>): readonly Diagnostic[] {
  return result.ok ? [] : result.diagnostics
}
