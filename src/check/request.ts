/** From a program and options as users write them to a search that can be run; every mistake in them is reported, not the first. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import { type FaultBudget, faultDiagnostic, faultProblems, normalFaults } from '../core/faults.ts'
import { type Options, type OptionValue, optionProblem, optionsFrom } from '../core/options.ts'
import type { PropertyKind } from '../core/property.ts'
import type { Params, Setting } from '../core/setting.ts'
import { freezeValue, type Value } from '../core/value.ts'
import type { Scope } from '../core/verdict.ts'
import type { Budget } from '../distribute/driver.ts'
import type { Engine } from '../engines/engine.ts'
import { engines, findEngine } from '../engines/registry.ts'
import type { Paths } from '../program/path.ts'
import type { Program, ViewName, Views } from '../program/program.ts'
import { deadlockFreedom } from '../properties/deadlock.ts'
import { offers, ProgramViews } from '../semantics/derive.ts'
import { parseBytes, parseDuration } from './budget.ts'
import { defaultEngine, engineNamed, networkNamed, servedBy } from './catalogue.ts'
import { suggestion } from './did-you-mean.ts'
import { shapeProblems } from './option-shape.ts'
import { scopeSeen } from './scope.ts'

/** How to check a program; everything has a default. */
export interface CheckOptions {
  /** 'dpor' unless told otherwise; 'local' for systems of machines. */
  readonly engine?: string | undefined
  /** 'bag', 'fifo', 'causal', 'mailbox', 'sender-queue', a paper's name for one, or 'fifo-eager'; the program's own unless told otherwise. */
  readonly network?: string | undefined
  readonly params?: Params | undefined
  /** What may go wrong, and how often in one execution; as the program says unless told otherwise. */
  readonly faults?: FaultBudget | undefined
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
  /** dpor: how processes are picked where it makes no difference. */
  readonly schedule?: string | undefined
  /** Options of the engine by name, as `allways list --engines` shows them; those above among them. */
  readonly options?: { readonly [name: string]: OptionValue | undefined } | undefined
  /** Where executions begin, if not at the beginning: a snapshot of a running system. */
  readonly start?: Setting['start'] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CheckRequest {
  readonly program: Program
  readonly engine: Engine
  readonly setting: Setting
  /** Of the engine. */
  readonly options: Options
  /** What the engine explores. */
  readonly subject: Views[ViewName]
  /** What the judge replays. */
  readonly paths: Paths
  readonly scope: Scope
  readonly budget: Budget
  readonly keepGoing: boolean
  readonly signal: AbortSignal | undefined
}

export function checkRequest(program: Program, options: CheckOptions): Result<CheckRequest> {
  const misshapen = shapeProblems(options)
  if (misshapen.length > 0) return failure(...misshapen)
  const engine = options.engine === undefined ? defaultEngine(program, options) : engineNamed(options.engine, program)
  const network = networkNamed(options.network ?? program.network)
  const params = resolveParams(program, options.params ?? {})
  const budget = resolveBudget(options)
  const faults = resolveFaults(program, options.faults)
  const problems = [engine, network, params, budget, faults].flatMap(diagnosticsOf).concat(optionProblems(options))
  if (!engine.ok || !network.ok || !params.ok || !budget.ok || !faults.ok || problems.length > 0)
    return failure(...problems)
  if (network.value.eager && !Object.hasOwn(engine.value.options, 'eager')) return failure(eagerElsewhere(engine.value))
  const chosen = engineOptions(engine.value, options, network.value.eager)
  if (!chosen.ok) return chosen
  const isEager = chosen.value.eager === true
  if (isEager && network.value.network !== 'fifo') return failure(eagerNetwork(network.value.shown))
  if (isEager && faults.value !== undefined) return failure(eagerFaults)
  const own = programOptions(program, options)
  if (!own.ok) return own
  const setting: Setting = {
    params: params.value,
    network: network.value.network,
    faults: faults.value ?? {},
    bounds: { maxSteps: options.maxSteps },
    options: own.value,
    start: options.start ?? 'initial',
  }
  const subject = subjectFor(program, engine.value, setting)
  if (!subject.ok) return subject
  const { name, counted, needs } = engine.value
  const searched = { engine: name, counted, seed: options.seed ?? 0, options: chosen.value, program }
  return success({
    program,
    engine: engine.value,
    setting,
    options: chosen.value,
    ...subject.value,
    scope: scopeSeen(needs, setting, searched),
    budget: budget.value,
    keepGoing: options.keepGoing ?? false,
    signal: options.signal,
  })
}

const eagerFaults = faultDiagnostic(
  'network "fifo-eager" is for comparison only and takes no faults',
  'use --network fifo, or --faults none',
)

function resolveFaults(program: Program, given: FaultBudget | undefined): Result<FaultBudget | undefined> {
  const problems = given === undefined ? [] : faultProblems(given)
  if (problems.length > 0) return failure(...problems.map((one) => faultDiagnostic(one)))
  return success(normalFaults(given ?? program.faults))
}

/** The view an engine needs, and the paths its claims are judged by, with the properties asked for. */
function subjectFor(
  program: Program,
  engine: Engine,
  setting: Setting,
): Result<Pick<CheckRequest, 'subject' | 'paths'>> {
  if (!offers(program, engine.needs) || !offers(program, 'path')) return failure(noView(program, engine))
  if (engine.needs !== 'runnable' && engine.needs !== 'path' && setting.bounds.maxSteps !== undefined)
    return failure(stepsElsewhere(engine))
  try {
    const views = judgedViews(program, setting)
    const [subject, paths] = [views.view(engine.needs), views.view('path')]
    if (subject === undefined || paths === undefined) return failure(noView(program, engine))
    const undecided = paths.judges.filter((kind) => !engine.decides.includes(kind))
    if (undecided.length > 0) return failure(...undecided.map((kind) => undecidable(program, engine, kind)))
    return success({ subject, paths })
  } catch (error) {
    // A system is put together here, and its declaration may be wrong for these parameters.
    if (error instanceof DiagnosticError) return failure(...error.diagnostics)
    throw error
  }
}

function stepsElsewhere(engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `maxSteps bounds processes, and engine "${engine.name}" ${engine.claims === 'proved' ? 'proves for executions of any length' : 'explores states without bound'}`,
    hint: 'use --engine dpor, or bound the search with --time or --memory',
  }
}

function noView(program: Program, engine: Engine): Diagnostic {
  const offered = Object.keys(program.views) as ViewName[]
  const own = offered.length === 0 ? 'offers nothing to explore' : `is one of ${offered.map(servedBy).join(', ')}`
  const others = enginesHint((other) => offers(program, other.needs))
  return {
    code: 'E301',
    message: `engine "${engine.name}" explores ${servedBy(engine.needs)}, and program "${program.name}" ${own}`,
    stack: program.stack,
    hint: others,
  }
}

/** What a trace is replayed in: no engine has a say. */
export function replaySubject(program: Program, setting: Setting): Paths | undefined {
  return judgedViews(program, setting).view('path')
}

/** The program as it is to be judged: processes that wait for ever are a property like others, if they are asked about. */
function judgedViews(program: Program, setting: Setting): ProgramViews {
  const { runnable } = program.views
  const judged: typeof runnable =
    runnable === undefined || deadlockIn(setting) === 'allow'
      ? runnable
      : (...given) => {
          const plain = runnable(...given)
          return { ...plain, endChecks: [...plain.endChecks, deadlockFreedom] }
        }
  const views = judged === undefined ? program.views : { ...program.views, runnable: judged }
  return new ProgramViews({ views }, setting)
}

/** What the user said, or the program says, about executions that end with processes waiting. */
function deadlockIn({ options }: Setting): 'error' | 'allow' {
  return options.deadlock === 'error' ? 'error' : 'allow'
}

/** Options that the program declares, with what was given of them. */
function programOptions({ name, options: declared, stack }: Program, asked: CheckOptions): Result<Options> {
  const { deadlock } = asked
  if (deadlock !== undefined && declared.deadlock === undefined)
    return failure({ code: 'E107', message: `"${name}" has no option "deadlock"`, stack })
  return success(optionsFrom(declared, { deadlock }))
}

function undecidable(program: Program, engine: Engine, kind: PropertyKind): Diagnostic {
  const others = enginesHint((other) => other.decides.includes(kind) && isFormFor(program, other))
  return {
    code: 'E302',
    message: `engine "${engine.name}" cannot decide properties of kind "${kind}", which program "${program.name}" has`,
    stack: program.stack,
    hint: kind === 'deadlock' ? `${others}; or allow processes to wait for ever: --deadlock allow` : others,
  }
}

/** Whether the program would be explored by this form of the engine, if the engine were asked for. */
function isFormFor(program: Program, engine: Engine): boolean {
  return offers(program, engine.needs) && findEngine(engine.name, (view) => offers(program, view)) === engine
}

function enginesHint(can: (engine: Engine) => boolean): string {
  const able = [...new Set(engines.filter(can).map((engine) => engine.name))]
  return able.length === 0 ? 'no engine can yet' : `engines that can: ${able.join(', ')}`
}

function eagerElsewhere(engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `network "fifo-eager" is a variant of the dpor engine, not of "${engine.name}"`,
    hint: 'use --engine dpor, or --network fifo',
  }
}

function eagerNetwork(network: string): Diagnostic {
  return {
    code: 'E107',
    message: `eager orders the arrivals of fifo messages, and the network is ${network}`,
    hint: 'leave it out, or use --network fifo',
  }
}

/** An option that the engine does not have is refused, never ignored; the seed alone means the same everywhere. */
function engineOptions(engine: Engine, asked: CheckOptions, eager: boolean): Result<Options> {
  const { seed, samples, depth, schedule } = asked
  return optionsGiven(engine, { seed, samples, depth, schedule, ...(eager ? { eager } : {}), ...asked.options })
}

/** Complete options of an engine, with what was given of them. */
export function optionsGiven(
  engine: Engine,
  all: { readonly [name: string]: OptionValue | undefined },
): Result<Options> {
  const given = Object.entries(all).filter(([, value]) => value !== undefined) as [string, OptionValue][]
  const problems = given.flatMap(([name, value]): readonly Diagnostic[] => {
    const declaration = engine.options[name]
    if (declaration === undefined) return name === 'seed' ? [] : [unknownOption(engine, name)]
    const expected = optionProblem(declaration, value)
    if (expected === undefined) return []
    return declaration.form === 'choice'
      ? oneOf(name, String(value), declaration.values)
      : [wrongValue(name, value, expected)]
  })
  return problems.length > 0 ? failure(...problems) : success(optionsFrom(engine.options, Object.fromEntries(given)))
}

function unknownOption(engine: Engine, name: string): Diagnostic {
  const having = engines.filter(({ options }) => Object.hasOwn(options, name))
  // An engine that explores several views may have the option for another one.
  const own = having.find((other) => other.name === engine.name)
  const others = [...new Set(having.map((other) => other.name))]
  if (own !== undefined) {
    const message = `engine "${engine.name}" has no option "${name}" for this kind of program`
    return { code: 'E107', message, hint: `leave it out: it is for ${servedBy(own.needs)}` }
  }
  return {
    code: 'E107',
    message: `engine "${engine.name}" has no option "${name}"`,
    hint:
      others.length === 0
        ? suggestion(name, Object.keys(engine.options), 'options')
        : `it is an option of ${others.join(', ')}: choose one with --engine, or leave the option out`,
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
  const { seed, deadlock } = options
  const counts = ['maxExecutions', 'maxSteps'] as const
  return [
    ...counts.flatMap((name) => {
      const value = options[name]
      const wrong = value !== undefined && !(Number.isSafeInteger(value) && value > 0)
      return wrong ? [wrongValue(name, value, 'a whole number above 0')] : []
    }),
    ...(seed === undefined || Number.isSafeInteger(seed) ? [] : [wrongValue('seed', seed, 'a whole number')]),
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
