/** From a program and options as users write them to a search that can be run; every mistake in them is reported, not the first. */
import { DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import type { FaultBudget } from '../core/faults.ts'
import { defaultsOf, type Options, type OptionValue } from '../core/options.ts'
import type { PropertyKind } from '../core/property.ts'
import type { Params, Setting } from '../core/setting.ts'
import type { Shard } from '../core/shard.ts'
import type { Criterion, PromiseOrder, Scope } from '../core/verdict.ts'
import { Witness } from '../core/witness.ts'
import type { Budget } from '../distribute/driver.ts'
import type { Engine } from '../engines/engine.ts'
import type { Paths } from '../program/path.ts'
import type { Program, Sweep, ViewName, Views } from '../program/program.ts'
import { nextTimer } from '../program/system-definition.ts'
import { coldAtEnd } from '../properties/cold-at-end.ts'
import { deadlockFreedom } from '../properties/deadlock.ts'
import { offers, ProgramViews } from '../semantics/derive.ts'
import { untilKnown } from '../semantics/memory/search-error.ts'
import { anyEngine, defaultEngine, engineNamed } from './catalogue.ts'
import { eagerElsewhere, eagerFaults, eagerNetwork } from './eager-network.ts'
import { guardDeterminism } from './guard.ts'
import { declaredAt } from './objects/declared-at.ts'
import { engineOptions, optionProblems, programOptions } from './resolve-options.ts'
import {
  diagnosticsOf,
  resolveBounds,
  resolveBudget,
  resolveFaults,
  resolveNetwork,
  resolveParams,
  workersOf,
} from './resolve-setting.ts'
import { scopeSeen } from './scope.ts'
import {
  executionsElsewhere,
  jobOrderElsewhere,
  noView,
  stepsElsewhere,
  undecidable,
  unseenClass,
} from './unfit-requests.ts'

/** How to check a program; everything has a default. */
export interface CheckOptions {
  /**
   * 'dpor' unless told otherwise; for systems of machines, 'local' and 'stateful' in turn until one of them answers. 'auto' is the same, and for P
   * programs 'stateful' and, if that takes long and it looks better, 'symbolic'.
   */
  readonly engine?: string | undefined
  /** 'bag', 'fifo', 'causal', 'mailbox', 'sender-queue', a paper's name for one, or 'fifo-eager'; the program's own unless told otherwise. */
  readonly network?: string | undefined
  readonly params?: Params | undefined
  /** What may go wrong, and how often in one execution; as the program says unless told otherwise. */
  readonly faults?: FaultBudget | undefined
  /** '60s', '10m', or milliseconds. */
  readonly time?: string | number | undefined
  readonly maxExecutions?: number | undefined
  /** Of this search alone: '512mb', '2gb', or bytes. */
  readonly memory?: string | number | undefined
  /** Threads that explore: so many, or 'auto' for as many as there are processors; 1 unless told otherwise. */
  readonly workers?: number | 'auto' | undefined
  /** Only a fixed part of the search: of what all of them report, `allways merge` makes the verdict of the whole. */
  readonly shard?: Shard | undefined
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
  /** Of a class: all clients of so many processes with so many calls each, unless the check says otherwise … */
  readonly processes?: number | undefined
  readonly calls?: number | undefined
  /** … or these clients, as text: '{ push(1) } || { pop() }'. */
  readonly clients?: readonly string[] | undefined
  /** Of a class: whether results must also respect the order in time. */
  readonly criterion?: Criterion | undefined
  readonly granularity?: 'access' | 'await' | undefined
  /** Of a class: `jobs` resolves promises at once, in JavaScript's own job order; otherwise what is awaited may take any time. */
  readonly order?: PromiseOrder | undefined
  /** Of a class: the name of a specification to use instead of what the check says. */
  readonly specification?: string | undefined
  /** Of a class: whether to look for the lines that must be atomic when a client fails; true unless told otherwise. */
  readonly causes?: boolean | undefined
  /** dpor: how processes are picked where it makes no difference. */
  readonly schedule?: string | undefined
  /** Options of the engine or of the program by name, as `allways list --engines` shows them; those above among them. */
  readonly options?: { readonly [name: string]: OptionValue | undefined } | undefined
  /** Whether something that never happened, as the verdict's `vacuity` says, makes `check` throw. */
  readonly strict?: boolean | undefined
  /** Where executions begin, if not at the beginning: a snapshot of a running system. */
  readonly start?: Setting['start'] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CheckRequest {
  /** The same question to another engine, if both take turns until one of them answers. */
  readonly rival?: CheckRequest | undefined
  readonly program: Program
  readonly engine: Engine
  readonly setting: Setting
  /** Of the engine. */
  readonly options: Options
  /** What the setting stands for, if for more than itself. */
  readonly sweep: Sweep | undefined
  /** What the engine explores and the judge replays; of a sweep, under its first setting. */
  readonly explored: Explored
  /** Told what happens in all that is explored for it. */
  readonly witness: Witness
  readonly exploredUnder: (setting: Setting) => Explored
  readonly scope: Scope
  readonly wantsCauses: boolean
  readonly budget: SearchBudget
  readonly keepGoing: boolean
  readonly signal: AbortSignal | undefined
  /** Threads that were asked for, this one included. */
  readonly workers: number
  readonly shard: Shard | undefined
}

export interface SearchBudget extends Budget {
  /** Memory beyond what is resident when the search begins: what earlier ones left is not its own. */
  readonly growth?: number | undefined
}

export interface Explored {
  readonly subject: Views[ViewName]
  readonly paths: Paths
}

/**
 * Through the engine that is asked for; or else the first of those it usually goes through that decides what the program asks.
 * States of machines apart, or of all of them together: which of the two ends sooner is not known before.
 */
export function checkRequest(program: Program, options: CheckOptions): Result<CheckRequest> {
  // Machines begin here.
  const release = guardDeterminism()
  try {
    return chosenRequest(program, options)
  } finally {
    release()
  }
}

function chosenRequest(program: Program, given: CheckOptions): Result<CheckRequest> {
  const options = inJobOrder(program, given) && given.engine === undefined ? { ...given, engine: 'exhaustive' } : given
  const isLeftOpen = options.engine === undefined || options.engine === anyEngine
  const usual = requestFor(program, isLeftOpen ? { ...options, engine: undefined } : options)
  const isUndecided = !usual.ok && usual.diagnostics.every(({ code }) => code === 'E302' || code === 'E309')
  // What is asked of the search may be an option of the other engine.
  const isForAnother = !usual.ok && usual.diagnostics.every(({ code }) => code === 'E107')
  if (!isLeftOpen) return usual
  if (usual.ok && usual.value.engine.name === 'local') {
    const raced = withRival(usual.value, 'stateful', options)
    const { rival } = raced
    const exact = isRefining(usual.value) ? requestFor(program, { ...options, engine: 'stateful' }) : undefined
    if (exact?.ok === true) return exact
    return success(rival !== undefined && isOfActionsAlone(usual.value) ? rival : raced)
  }
  if (usual.ok && usual.value.engine.needs === 'ir')
    return options.engine === anyEngine ? success(withRival(usual.value, 'symbolic', options)) : usual
  if (!isUndecided && !isForAnother) return usual
  for (const engine of isForAnother ? ['stateful'] : ['stateful', 'dpor']) {
    const other = requestFor(program, { ...options, engine })
    if (other.ok) return other
  }
  return usual
}

/** What is asked for, or what the check of the class says. */
function inJobOrder({ options }: Program, { order }: CheckOptions): boolean {
  return options.order !== undefined && (order ?? options.order.default) === 'jobs'
}

/** What `local` says of calls rests on what their specification declares; an object that is asked itself leaves nothing out. */
function isRefining({ explored: { subject } }: CheckRequest): boolean {
  return 'refines' in subject && (subject.refines ?? []).length > 0
}

/** Its states are those of the system: there is nothing apart from it that `local` could leave out. */
function isOfActionsAlone({ explored: { subject } }: CheckRequest): boolean {
  if (!('handle' in subject) || subject.machines.length > 1 || subject.byzantine !== undefined) return false
  return subject.start.states[0]?.timers.includes(nextTimer) === true
}

/** If the other engine can answer the same question, and no less of it. */
function withRival(request: CheckRequest, engine: string, options: CheckOptions): CheckRequest {
  const rival = requestFor(request.program, { ...options, engine })
  const isSame = rival.ok && rival.value.scope.endless === request.scope.endless
  return isSame ? { ...request, rival: rival.value } : request
}

function requestFor(program: Program, options: CheckOptions): Result<CheckRequest> {
  const misshapen = optionProblems(options)
  if (misshapen.length > 0) return failure(...misshapen)
  if (program.views.object !== undefined && !offers(program, 'path')) return failure(unseenClass(program))
  const engine = options.engine === undefined ? defaultEngine(program, options) : engineNamed(options.engine, program)
  if (engine.ok && inJobOrder(program, options) && engine.value.needs !== 'path')
    return failure(jobOrderElsewhere(engine.value))
  const network = resolveNetwork(program, options.network)
  const params = resolveParams(program, options.params ?? {})
  const budget = resolveBudget(options)
  const faults = resolveFaults(program, options.faults)
  const bounds = resolveBounds(program, options)
  const problems = [engine, network, params, budget, faults, bounds].flatMap(diagnosticsOf)
  if (!engine.ok || !network.ok || !params.ok || !budget.ok || !faults.ok || !bounds.ok || problems.length > 0)
    return failure(...problems)
  if (options.maxExecutions !== undefined && !countsExecutions(engine.value))
    return failure(executionsElsewhere(engine.value))
  if (network.value.eager && !Object.hasOwn(engine.value.options, 'eager'))
    return failure(eagerElsewhere(program, engine.value))
  const own = programOptions(program, engine.value, options)
  const chosen = engineOptions(engine.value, options, { program, eager: network.value.eager })
  if (!chosen.ok || !own.ok) return failure(...[chosen, own].flatMap(diagnosticsOf))
  const isEager = chosen.value.eager === true
  if (isEager && network.value.network !== 'fifo') return failure(eagerNetwork(network.value.shown))
  if (isEager && faults.value !== undefined) return failure(eagerFaults)
  const setting: Setting = {
    params: params.value,
    network: network.value.network,
    faults: faults.value ?? {},
    bounds: bounds.value,
    options: own.value,
    start: options.start ?? 'initial',
  }
  const seen = seenBy(program, engine.value, setting)
  if (!seen.ok) return seen
  const { name, needs } = engine.value
  const counted = seen.value.sweep?.counted ?? engine.value.counted
  const searched = { engine: name, counted, seed: options.seed ?? 0, options: chosen.value, program }
  return success({
    program,
    engine: engine.value,
    setting,
    options: chosen.value,
    ...seen.value,
    scope: {
      ...scopeSeen(needs, setting, searched),
      ...endlessSeen(engine.value, chosen.value, seen.value.explored.paths),
      ...(options.shard === undefined ? {} : { shard: options.shard }),
    },
    wantsCauses: options.causes ?? true,
    budget: budget.value,
    keepGoing: options.keepGoing ?? false,
    signal: options.signal,
    workers: workersOf(options),
    shard: options.shard,
  })
}

/** The same question about another program, through an engine that may be another one: all of it, up to the first violation. */
export function requestAgain(request: CheckRequest, program: Program, engine: Engine): Result<CheckRequest> {
  const seen = seenBy(program, engine, request.setting)
  if (!seen.ok) return seen
  const options = engine === request.engine ? request.options : defaultsOf(engine.options)
  return success({ ...request, ...seen.value, program, engine, options, keepGoing: false })
}

/** The view an engine needs, and the paths its claims are judged by, with the properties asked for. */
function seenBy(
  program: Program,
  engine: Engine,
  setting: Setting,
): Result<Pick<CheckRequest, 'sweep' | 'explored' | 'exploredUnder' | 'witness'>> {
  if (!offers(program, engine.needs) || !offers(program, 'path')) return failure(noView(program, engine))
  if (!boundsSteps(engine) && setting.bounds.maxSteps !== undefined) return failure(stepsElsewhere(program, engine))
  const witness = new Witness()
  const exploredUnder = (one: Setting): Explored => {
    try {
      const views = judgedViews(program, one, witness)
      const [subject, paths] = [views.view(engine.needs), views.view('path')]
      if (subject === undefined || paths === undefined) throw new DiagnosticError(noView(program, engine))
      return { subject, paths }
    } catch (error) {
      if (!(error instanceof DiagnosticError) || program.sweep === undefined) throw error
      throw new DiagnosticError(declaredAt(error.diagnostic, program))
    }
  }
  try {
    const sweep = program.sweep?.(setting)
    const [first = setting] = sweep?.settings() ?? []
    const explored = untilKnown(() => exploredUnder(first))
    const { subject, paths } = explored
    const undecided = paths.judges.filter(
      (kind) => !engine.decides.includes(kind) && !isSeenAtEnds(kind, paths, { engine, subject }),
    )
    // A walk has reductions, which lose executions without end.
    if ('walk' in subject && (paths.cycles ?? []).length > 0) undecided.push('liveness')
    if (undecided.length > 0) return failure(...undecided.map((kind) => undecidable(program, engine, kind)))
    const refused = engine.refuses?.(subject)
    if (refused !== undefined) return failure({ ...refused, stack: program.stack })
    return success({ sweep, explored, exploredUnder, witness })
  } catch (error) {
    // A system is put together here, and its declaration may be wrong for these parameters.
    if (error instanceof DiagnosticError) return failure(...error.diagnostics)
    throw error
  }
}

/** Who goes along paths, or has them judge, sees executions that end, and of what is asked of others nothing: the verdict says so. */
function isSeenAtEnds(
  kind: PropertyKind,
  { judgesEndsOfCycles }: Paths,
  { engine, subject }: { readonly engine: Engine; readonly subject: Views[ViewName] },
): boolean {
  const isPathwise = engine.needs === 'path' || ('reference' in subject && subject.reference !== undefined)
  return kind === 'liveness' && judgesEndsOfCycles === true && isPathwise
}

function endlessSeen(engine: Engine, options: Options, paths: Paths): Pick<Scope, 'endless' | 'fairChoices'> {
  const { cycles = [], judgesEndsOfCycles, choosesFairly } = paths
  if (cycles.length === 0) return {}
  const isJudged = engine.decides.includes('liveness') && engine.judgesEndless?.(options) !== false
  if (!isJudged) return judgesEndsOfCycles === true ? { endless: 'unseen' } : {}
  return { endless: 'fair', ...(choosesFairly === true ? { fairChoices: true } : {}) }
}

/** What of all that may be said cannot be said about this program, so that of several programs only others are told. */
export function unfitOptions(program: Program, { engine: name, network, faults }: CheckOptions): readonly Unfit[] {
  const isLeftOpen = name === undefined || name === anyEngine
  const engine = isLeftOpen ? defaultEngine(program, { network, faults }) : engineNamed(name, program)
  if (!engine.ok) return []
  const isSilent = program.network === undefined
  return [
    ...(isSilent ? (['network', 'faults'] as const) : []),
    ...(isSilent || !boundsSteps(engine.value) ? (['maxSteps'] as const) : []),
    ...(countsExecutions(engine.value) ? [] : (['maxExecutions'] as const)),
  ]
}

type Unfit = 'network' | 'faults' | 'maxSteps' | 'maxExecutions'

/** Whether it follows processes step by step, so that a bound on steps stops them, or all executions at once. */
function boundsSteps({ needs, boundsLength }: Engine): boolean {
  return needs === 'runnable' || needs === 'path' || boundsLength === true
}

function countsExecutions({ counted }: Engine): boolean {
  return counted.names.includes('executions')
}

/** What a trace is replayed in: no engine has a say. */
export function replaySubject(program: Program, setting: Setting): Paths | undefined {
  return judgedViews(program, setting).view('path')
}

/** The program as it is to be judged: processes that wait for ever are a property like others, if they are asked about, and hot monitors are one. */
function judgedViews(program: Program, setting: Setting, witness?: Witness): ProgramViews {
  const { runnable } = program.views
  const judged: typeof runnable =
    runnable === undefined
      ? undefined
      : (...given) => {
          const plain = runnable(...given)
          const deadlock = deadlockIn(setting) === 'allow' ? [] : [deadlockFreedom]
          const monitored = plain.monitors.map(({ name }) => coldAtEnd(name))
          return { ...plain, properties: [...plain.properties, ...deadlock, ...monitored] }
        }
  const views = judged === undefined ? program.views : { ...program.views, runnable: judged }
  return new ProgramViews({ views }, setting, witness)
}

/** What the user said, or the program says, about executions that end with processes waiting. */
function deadlockIn({ options }: Setting): 'error' | 'allow' {
  return options.deadlock === 'error' ? 'error' : 'allow'
}
