/**
 * Engine `dpor`: Must's optimal dynamic partial order reduction for message passing (Enea et al., OOPSLA 2024, §4). Explores
 * one execution per reads-from class, for every network and any mix of them, in memory that does not grow with the number of
 * executions.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { isIdle } from '../../core/operation.ts'
import {
  type EndedProcess,
  type Ending,
  type EndProperty,
  type PropertyKind,
  seeing,
  type Violation,
} from '../../core/property.ts'
import { sharesAddUp } from '../../core/shares.ts'
import type { Decision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import { type Counts, countedExecutions, type WorkUnit } from '../../core/verdict.ts'
import { Cuts, type CutViolation } from '../../semantics/cuts.ts'
import { renumbered } from '../../semantics/partial-order.ts'
import { CallOrders } from '../../semantics/refinement/call-orders.ts'
import { describeWaiting } from '../../semantics/waiting.ts'
import { pathsOf } from '../../semantics/world-path.ts'
import type { Engine, EngineEvent, EngineRequest } from '../engine.ts'
import { callsIn } from './calls.ts'
import { type Partition, partitionIn, struckIn, withNext } from './faults.ts'
import { type GraphEvent, type GraphProcess, originalSend } from './graph.ts'
import { type Memory, usualMemory } from './histories.ts'
import { lifetimesIn } from './lifetimes.ts'
import { linearize } from './linearize.ts'
import { type DporOptions, dporOptions } from './options.ts'
import { GraphSearch } from './search.ts'
import { queuedFor } from './sender-queue.ts'
import { currentUnit, leftUnits, load, sharedUnits, shareOf } from './unit.ts'

/** Budgets are looked at after so many events at the latest: an execution may be long, and its events may take long. */
const usualPause = 16

export const dpor: Engine<'runnable'> = dporWith(usualMemory)

/** The engine with other amounts of memory and of events between pauses; they change speed, never what is explored. */
export function dporWith(memory: Memory, pause = usualPause): Engine<'runnable'> {
  return {
    name: 'dpor',
    summary: 'every execution once per reads-from class, optimal, constant memory',
    needs: 'runnable',
    decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant', 'refinement'],
    refuses: ({ network, refines = [] }) => (network === 'mailbox' && refines.length > 0 ? mailboxCalls : undefined),
    claims: 'verified',
    options: dporOptions,
    counted: countedExecutions,
    units: 'split',
    weighs: shareOf,
    addsUp: (rest) => sharesAddUp(rest, rest.units.map(shareOf)),
    explore: (subject, options, unit) => explore(new GraphSearch(subject, options as DporOptions, memory), pause, unit),
  }
}

/** Sends to a mailbox come in an order of which only a part is seen by what is received: which orders of calls go with an execution is not known. */
const mailboxCalls: Diagnostic = {
  code: 'E309',
  message: 'engine "dpor" does not decide refinement where messages travel by mailbox',
  hint: 'use another network; or --engine stateful or exhaustive, which take calls in the order of each execution',
}

/** Who orders arrivals knows nothing of turns. */
const eagerTurns: Diagnostic = {
  code: 'E309',
  message: 'network "fifo-eager" is for comparison only and takes no P programs',
  hint: 'use --network fifo',
}

function* explore(search: GraphSearch, pause: number, unit?: WorkUnit): Generator<EngineEvent, void, EngineRequest> {
  if (search.isEager && search.subject.reference !== undefined) {
    yield { kind: 'diagnostic', diagnostic: eagerTurns }
    return
  }
  try {
    // Of a graph that has been explored, only the alternatives are left.
    if (unit === undefined || load(search, unit) || search.backtrack()) yield* visit(search, pause)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

function* visit(search: GraphSearch, pause: number): Generator<EngineEvent, void, EngineRequest> {
  const cuts = new Cuts(search.subject)
  const { refines = [], witness } = search.subject
  const refined = refines.map((object) => new CallOrders(object, witness))
  // Forwarders of the eager variant put messages in an order that causes do not have.
  const lifetimes = () => (search.isEager ? undefined : lifetimesIn(search))
  const endProperties = seeing(search.subject.properties, 'ending')
  let explored = 0
  let told = 0
  let counted = search.added
  /** Events that no execution has told: whoever goes on from a pause begins with them in the graph. */
  let untold = 0
  const counts = (): Counts => {
    untold += search.added - counted
    counted = search.added
    return { events: untold }
  }
  const progress = (): EngineEvent => ({ kind: 'progress', counts: counts(), explored })
  do {
    for (let failed = search.extend(pause); failed !== undefined; failed = search.extend(pause)) {
      if (failed !== 'paused') yield { ...failure(search, failed), counts: counts() }
      else if (yield* handedOut(search, yield progress(), 'with the current graph')) return
    }
    const partition = partitionIn(search)
    if (partition === false) {
      explored += search.weight
      continue
    }
    const decisions = () => asJudged(search, ended(search, partition))
    const length = stepsIn(search)
    const { isBlocked, violations } = judgedEnding(search, endProperties)
    for (const violation of violations) {
      yield { kind: 'violation', violation, decisions: decisions(), foundIn: stepsOf(search), counts: counts() }
    }
    for (const found of judgements(search, cuts.violations(decisions, lifetimes), decisions, refined)) {
      if (found !== undefined) yield { kind: 'violation', ...found, foundIn: stepsOf(search), counts: counts() }
      else if (yield* handedOut(search, yield progress(), 'with the current graph')) return
    }
    explored += search.weight
    const request = yield {
      kind: 'execution',
      blocked: isBlocked,
      events: search.added - counted,
      length,
      explored,
      decisions,
      violations: () => failures(search),
    }
    counted = search.added
    told = explored
    if (yield* handedOut(search, request)) return
  } while (search.backtrack())
  if (search.added > counted || explored > told) yield progress()
}

/** Decisions as those who judge them read them. */
function asJudged({ subject }: GraphSearch, decisions: readonly Decision[]): readonly Decision[] {
  return subject.reference === undefined ? decisions : subject.reference.decisions(decisions)
}

function judgedEnding(
  search: GraphSearch,
  properties: readonly EndProperty[],
): { readonly isBlocked: boolean; readonly violations: readonly Violation[] } {
  const { reference } = search.subject
  const isBlocked = blocked(search)
  if (reference === undefined) return { isBlocked, violations: endViolations(search, properties, isBlocked) }
  // Where something went wrong before, the execution ended there.
  const hasFailed = search.graph.order.some(({ kind }) => kind === 'error')
  return hasFailed || !reference.judgesEndings
    ? { isBlocked, violations: none }
    : reference.ending(linearize(search.graph))
}

/** The execution as decisions; a partition that has not healed comes last, when only what it holds back is left. */
function ended(search: GraphSearch, partition: Partition | undefined): readonly Decision[] {
  if (partition === undefined) return linearize(search.graph)
  const { cutOff, next } = partition
  const decisions = withNext(search, next, () => linearize(search.graph, { without: next }))
  return [...decisions, { kind: 'partition', process: cutOff.id }]
}

/** Does what was asked; true if nothing is left to do. The current graph is left, too, if it has not been explored. */
function* handedOut(
  search: GraphSearch,
  request: EngineRequest,
  current?: 'with the current graph',
): Generator<EngineEvent, boolean, EngineRequest> {
  if (request === 'share') for (const unit of sharedUnits(search)) yield { kind: 'surplus', unit }
  if (request !== 'surrender') return false
  if (current !== undefined) yield { kind: 'surplus', unit: currentUnit(search) }
  for (const unit of leftUnits(search)) yield { kind: 'surplus', unit }
  return true
}

/** A process broke a property: what led there is its causal prefix, which is an execution by itself. */
function failure(search: GraphSearch, failed: GraphEvent): Extract<EngineEvent, { readonly kind: 'violation' }> {
  const { violation } = failed
  invariant(violation !== undefined, 'an error event knows what it broke')
  return {
    kind: 'violation',
    violation,
    decisions: asJudged(search, linearize(search.graph, { upTo: failed })),
    foundIn: stepsOf(search),
  }
}

/** What processes broke, in whatever unit that came about. */
function failures({ graph }: GraphSearch): readonly Violation[] {
  return graph.order.flatMap(({ violation }) => violation ?? [])
}

/** Events of the execution; choices in which no fault struck are ours. */
function stepsIn({ graph, subject }: GraphSearch): number {
  const { length } = graph.order
  return subject.faults === undefined ? length : length - graph.order.filter((event) => isOurs(event)).length
}

function isOurs(event: GraphEvent): boolean {
  const struck = struckIn(event)
  return struck === 'nothing' || struck === 'duplicate' || struck === 'partition'
}

/** Events that are decisions: the last events of stopped processes and what forwarders do are not. */
function stepsOf(search: GraphSearch): number {
  const isStep = ({ kind, process }: GraphEvent) =>
    kind !== 'block' && kind !== 'error' && process.forwards === undefined
  return search.graph.order.filter((event) => isStep(event) && !isOurs(event)).length
}

/** Whether some process neither returned nor is a daemon that waits for more. */
function blocked(search: GraphSearch): boolean {
  for (const process of search.graph.processes) {
    if (!process.alive) continue
    const { wants, pending } = search.histories.now(process)
    if (
      wants !== 'nothing, returned' &&
      wants !== 'nothing, crashed' &&
      (wants === 'nothing, stopped' || !(process.start.daemon || isIdle(pending)))
    )
      return true
  }
  return false
}

const none: readonly Violation[] = []

/** What is wrong with the states that some order of the execution meets, then with its order; and nothing, every so often. */
function* judgements(
  search: GraphSearch,
  ofStates: Iterable<CutViolation | undefined>,
  decisions: () => readonly Decision[],
  refined: readonly CallOrders[],
): Generator<CutViolation | undefined, void> {
  yield* ofStates
  yield* orderViolations(search, decisions, refined)
}

/** What the order of the execution breaks: one execution of each class is enough to see it. */
function* orderViolations(
  search: GraphSearch,
  decisions: () => readonly Decision[],
  refined: readonly CallOrders[],
): Generator<CutViolation | undefined, void> {
  const { subject } = search
  if (refined.length > 0 && search.graph.order.some(({ network }) => network === 'mailbox'))
    throw new DiagnosticError(mailboxCalls)
  const properties = seeing(subject.properties, 'order')
  if (properties.length === 0 && (yield* allAllowed(search, refined))) return
  const path = pathsOf(subject).begin({ judgesStates: false })
  for (const [at, decision] of decisions().entries()) {
    path.take(decision)
    if (at % usualPause === 0) yield undefined
  }
  const order = path.order?.()
  invariant(order !== undefined, 'processes have an order')
  for (const one of properties)
    for (const violation of one.violations(order)) yield { violation, decisions: decisions() }
  for (const one of refined) {
    const broken = yield* one.broken(order)
    if (broken === undefined) continue
    yield { violation: broken.violation, decisions: renumbered(decisions(), order.events, broken.order) }
  }
}

/** Whether the graph itself shows that objects allow all calls. */
function* allAllowed(search: GraphSearch, refined: readonly CallOrders[]): Generator<undefined, boolean> {
  for (const one of refined) {
    const calls = callsIn(search, one.object)
    if (calls === undefined || (yield* one.refused(calls)) !== undefined) return false
  }
  return true
}

/** Deadlock freedom can only be broken by blocked executions, and monitors by hot ones; most executions need no ending at all. */
function endViolations(
  search: GraphSearch,
  properties: readonly EndProperty[],
  isBlocked: boolean,
): readonly Violation[] {
  const isHot = search.graph.processes.some((one) => one.start.monitor && search.histories.now(one).hot !== undefined)
  const isSilent = (kind: PropertyKind): boolean => (kind === 'deadlock' ? !isBlocked : kind === 'monitor' && !isHot)
  if (properties.every(({ kind }) => isSilent(kind))) return none
  const ending = endingOf(search)
  return properties.flatMap((one) => one.violation(ending) ?? [])
}

function endingOf(search: GraphSearch): Ending {
  const processes = search.graph.processes.filter((process) => process.alive && process.forwards === undefined)
  return { processes: processes.map((process) => endedProcess(process, search)) }
}

function endedProcess(process: GraphProcess, search: GraphSearch): EndedProcess {
  const { id, daemon } = process.start
  const last = process.events.at(-1)
  if (last?.kind === 'block') return { id, daemon, status: 'stopped', value: undefined }
  if (last?.kind === 'error') return { id, daemon, status: 'failed', value: undefined }
  const { wants, pending, returned, hot } = search.histories.now(process)
  const temperature = hot === undefined ? {} : { hot }
  if (wants === 'nothing, crashed') return { id, daemon, status: 'crashed', value: undefined }
  if (wants === 'nothing, returned' || pending === undefined)
    return { id, daemon, status: 'returned', value: returned as Value, ...temperature }
  const inbox = [process, process.forwarder].flatMap(
    (each) => each?.inbox.filter((send) => send.reader === undefined) ?? [],
  )
  const unread = [...inbox, ...queuedFor(process)].map((send) => ({
    from: originalSend(send).process.id,
    value: send.payload as Value,
  }))
  const waiting = describeWaiting(id, pending, unread)
  return { id, daemon: daemon || isIdle(pending), status: 'waiting', value: undefined, waiting, ...temperature }
}
