/** `program` and `monitor`: how users bind processes to a name, parameters, a network and properties. */

import { type FaultBudget, faultDiagnostic, faultProblems, normalFaults } from '../core/faults.ts'
import type { NetworkName, Notification, Operation, ProcessBody } from '../core/operation.ts'
import {
  checkNoMore,
  checkShape,
  either,
  isFunction,
  needed,
  oneOf,
  type Shapes,
  shapes,
  shown,
} from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import type { Params, Setting } from '../core/setting.ts'
import type { Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'
import {
  deadlockOption,
  type MonitorDeclaration,
  type Program,
  type Runnable,
  registerProgram,
} from '../program/program.ts'
import { clockId } from './async/synchronous-clock.ts'
import { describe } from './describe.ts'
import type { FinalDeclaration } from './final.ts'
import { knowingParameters } from './known-parameters.ts'
import { networkNamed } from './network.ts'
import { checkParameter, Every } from './parameters.ts'
import { checkProcessName } from './process.ts'
import { clockOf, synchronousFrom } from './program-clock.ts'
import { type RefinementDeclaration, refinedObjects } from './refines.ts'
import { type WatchParts, watchDefinition, watchingBody } from './watching-monitor.ts'

/** A process that performs more operations than this in one execution is taken for unbounded. */
const defaultMaxSteps = 10_000

interface MonitorProperty extends MonitorDeclaration {
  readonly kind: 'monitor'
}

export type PropertyDeclaration = FinalDeclaration | MonitorProperty | RefinementDeclaration

interface MonitorOptions {
  readonly observes: readonly string[] | ((notification: Notification) => boolean)
}

const monitorShapes: Shapes<MonitorOptions> = { observes: needed(either(shapes.texts, shapes.func)) }

type MonitorBody = (() => Generator<Operation, unknown, unknown>) | (() => Promise<unknown>)

/**
 * A process that is told chosen sends, receives and announcements under causal delivery, and asserts about them. It is never
 * part of a deadlock. Notifications that the filter refuses are not sent, so they add no executions.
 */
export function monitor(name: string, options: MonitorOptions, body: MonitorBody): PropertyDeclaration
/**
 * A monitor that is known by its state, and waits for something while it is `hot`: no execution ends then. In a system it is told at
 * once, handler by handler, and executions without end are followed with it.
 */
export function monitor<State, Message extends MachineLikeMessage = AnyMessage>(
  name: string,
  parts: WatchParts<State, Message>,
): PropertyDeclaration
export function monitor(
  name: string,
  options: MonitorOptions | object,
  body?: MonitorBody,
  ...extra: readonly unknown[]
): PropertyDeclaration {
  checkProcessName('a monitor', name)
  checkNoMore(extra, `monitor(${shown(name)}, { observes }, body)`)
  return body === undefined && isWatching(options) ? watching(name, options) : observing(name, options, body)
}

interface MachineLikeMessage {
  readonly kind: string
}

type AnyMessage = MachineLikeMessage & { readonly [field: string]: Value }

function isWatching(options: unknown): options is object {
  const isRecord = typeof options === 'object' && options !== null
  return isRecord && !('observes' in options) && ('hot' in options || 'on' in options || 'state' in options)
}

function watching(name: string, parts: object): PropertyDeclaration {
  const watch = watchDefinition(name, parts, new Error().stack)
  const body = () => watchingBody(watch)
  return { kind: 'monitor', name, observes: sendsOfKinds([...watch.on.keys()]), body, watch }
}

function observing(name: string, options: unknown, body: unknown): PropertyDeclaration {
  checkShape(options, monitorShapes, { of: `monitor "${name}"` })
  checkBody(`monitor "${name}"`, body, `monitor('${name}', { observes: ['sold'] }, function* () { … })`)
  const { observes } = options as MonitorOptions
  const filter = typeof observes === 'function' ? observes : sendsOfKinds(observes)
  return { kind: 'monitor', name, observes: filter, body: body as ProcessBody }
}

/** A list of kinds means: sends and announcements of messages of these kinds. */
function sendsOfKinds(kinds: readonly string[]): (notification: Notification) => boolean {
  return (notification) => {
    if (notification.kind === 'receive') return false
    const message = notification.message as { readonly kind?: unknown } | null | undefined
    return typeof message === 'object' && message !== null && kinds.includes(message.kind as string)
  }
}

/** Parameters as declared: with their defaults, or with `every`. */
export interface DeclaredParams {
  readonly [name: string]: Value | Every
}

export interface ProgramOptions<P extends DeclaredParams> {
  /**
   * Parameters with their defaults; `--param name=value` and `check(program, { params })` change them. `every(size)` declares one
   * that `prove` takes for every size.
   */
  readonly params?: P
  readonly network?: NetworkName | 'asyn' | 'p2p' | 'cd' | 'mbox' | '1-n'
  /** How often, in one execution, something may go wrong: `{ crashes: 1, losses: 2 }`. Nothing, unless told otherwise. */
  readonly faults?: FaultBudget
  readonly deadlock?: 'error' | 'allow'
  /**
   * What is known of the clocks of different processes. `'any'`: nothing, unless told otherwise. `'synchronous'`: no timer fires while
   * another one, of whatever process, is due more than `clockSkew` milliseconds before it.
   */
  readonly clock?: 'any' | 'synchronous'
  /** By how much clocks may differ, in milliseconds: 0 unless told otherwise. */
  readonly clockSkew?: number
  readonly properties?: readonly PropertyDeclaration[]
}

const programShapes: Shapes<ProgramOptions<DeclaredParams>> = {
  params: shapes.record,
  network: shapes.text,
  faults: shapes.anything,
  deadlock: oneOf('error', 'allow'),
  clock: oneOf('any', 'synchronous'),
  clockSkew: shapes.anything,
  properties: shapes.list,
}

type Widened<T> = T extends number | Every
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : T extends bigint
        ? bigint
        : T
type MainBody<P> = (
  params: { readonly [K in keyof P]: Widened<P[K]> },
) => Generator<unknown, unknown, unknown> | Promise<unknown>

/** Declares a program: a main process that spawns the others. */
export function program<const P extends DeclaredParams>(
  name: string,
  options: ProgramOptions<P>,
  main: MainBody<P>,
): Program
export function program(name: string, main: MainBody<Params>): Program
export function program<const P extends DeclaredParams>(
  name: string,
  first: ProgramOptions<P> | MainBody<P>,
  second?: MainBody<P>,
  ...extra: readonly unknown[]
): Program {
  const isBody = typeof first === 'function' || (second === undefined && typeof first !== 'object')
  const options: ProgramOptions<P> = isBody ? {} : first
  const main = (isBody ? first : second) as ProcessBody
  if (typeof name !== 'string' || name === '')
    wrongDeclaration(`a program needs a name and got ${describe(name)}`, "program('bank', function* () { … })")
  checkShape(options, programShapes, { of: `program "${name}"` })
  checkBody(`program "${name}"`, main, `program('${name}', { … }, function* () { … })`)
  if (typeof first === 'function' && second !== undefined)
    wrongDeclaration(`the options of program "${name}" come before its function`, `program('${name}', { … }, main)`)
  checkNoMore(extra, `program(${shown(name)}, options, main)`)
  const properties = options.properties ?? []
  checkKinds(name, properties)
  checkMonitorNames(properties, options.clock)
  const clock = clockOf(name, options)
  const objects = refinedObjects(properties, wrongDeclaration)
  const runnable = (setting: Setting, witness?: Witness): Runnable => ({
    main: { body: main, args: [knowingParameters(`program "${name}"`, setting.params)] },
    monitors: properties.filter((property) => property.kind === 'monitor'),
    ...synchronousFrom(clock, setting),
    network: setting.network,
    faults: normalFaults(setting.faults),
    properties: properties.flatMap((one) => (one.kind === 'final' ? [one.check(witness)] : [])),
    refines: objects,
    witness,
    maxSteps: setting.bounds.maxSteps ?? defaultMaxSteps,
    boundedByUser: setting.bounds.maxSteps !== undefined,
  })
  return registerProgram({
    name,
    ...parametersOf(name, options.params ?? {}),
    network: networkNamed(options.network ?? 'fifo'),
    options: { deadlock: deadlockOption(options.deadlock ?? 'error') },
    faults: faultsOf(name, options.faults),
    views: { runnable },
    stack: new Error().stack,
  })
}

function faultsOf(program: string, faults: FaultBudget | undefined): FaultBudget | undefined {
  const problems = faults === undefined ? [] : faultProblems(faults)
  const [first, ...others] = problems.map((problem) => faultDiagnostic(`program "${program}": ${problem}`))
  return first === undefined ? normalFaults(faults) : mistake(first, ...others)
}

function parametersOf(program: string, declared: DeclaredParams): Pick<Program, 'params' | 'every'> {
  const entries = Object.entries(declared)
  const sizes = entries.map(([name, value]) => [name, value instanceof Every ? value.size : value] as const)
  for (const [name, value] of sizes) checkParameter(`program "${program}"`, name, value)
  return {
    params: Object.fromEntries(sizes),
    every: Object.fromEntries(
      entries.flatMap(([name, value]) => (value instanceof Every ? [[name, { least: value.least }]] : [])),
    ),
  }
}

/** A property that nobody judges would seem to hold. */
function checkKinds(program: string, properties: readonly unknown[]): void {
  for (const property of properties) {
    const kind = (property as PropertyDeclaration | null | undefined)?.kind
    if (kind === 'final' || kind === 'monitor' || kind === 'refinement') continue
    mistake({
      code: 'E302',
      message: `no engine decides a property of program "${program}" that neither monitor(…) nor final(…) nor refines(…) made`,
      hint: 'liveness(…), invariant(…) and conflict(…) are about states, which machines have: system(…)',
    })
  }
}

/** A monitor is a process: its name must tell it from the others. */
function checkMonitorNames(properties: readonly PropertyDeclaration[], clock: string | undefined): void {
  const names = new Set(clock === 'synchronous' ? ['main', clockId] : ['main'])
  for (const property of properties) {
    if (property.kind !== 'monitor') continue
    const { name } = property
    if (names.has(name))
      mistake({
        code: 'E213',
        message: `a monitor cannot be named ${JSON.stringify(name)}`,
        hint: 'another process has that name',
      })
    names.add(name)
  }
}

function checkBody(whose: string, body: unknown, hint: string): void {
  if (!isFunction(body)) mistake({ code: 'E212', message: `the function of ${whose} is ${describe(body)}`, hint })
}

function wrongDeclaration(message: string, hint: string): never {
  return mistake({ code: 'E107', message, hint })
}
