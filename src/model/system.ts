/** `system`: machines with names, the requests they are given, the network between them, and what must hold. */

import { DiagnosticError } from '../core/diagnostic.ts'
import { type FaultBudget, faultDiagnostic, faultProblems, normalFaults } from '../core/faults.ts'
import { findNetwork, isProcessName, type NetworkName } from '../core/operation.ts'
import { checkNoMore, checkShape, isFunction, type Shapes, shapes, shown } from '../core/option-shape.ts'
import type { Params, Setting } from '../core/setting.ts'
import { stackOf, thrownBy } from '../core/thrown.ts'
import type { Witness } from '../core/witness.ts'
import type { Machines } from '../program/machines.ts'
import { deadlockOption, type Program, type Runnable, registerProgram } from '../program/program.ts'
import {
  instanceOf,
  type LiarInstance,
  liarOf,
  type MachineInstance,
  type SystemDefinition,
} from '../program/system-definition.ts'
import { livenessOf } from '../semantics/machines/liveness.ts'
import { machinesOf } from '../semantics/machines/machines.ts'
import { type JudgedBy, runnableOf } from '../semantics/machines/runnable.ts'
import { messagesOfLiars } from '../semantics/machines/sayings.ts'
import { watchOf } from '../semantics/watching.ts'
import { alikeIn } from './alike.ts'
import { knowingParameters } from './known-parameters.ts'
import { type Liveness, livenessNamed } from './liveness.ts'
import { type Invariant, invariantOf, type MachineAs } from './machine.ts'
import { networkHint } from './network.ts'
import { checkParameter } from './parameters.ts'
import type { PropertyDeclaration } from './program.ts'
import { type RefinementDeclaration, refinedObjects } from './refines.ts'
import { type Declared, type Requests, requestsFromIn, requestsIn, wrong } from './requests.ts'
import { SameSystem } from './same-system.ts'

export interface SystemOptions<P extends Params> {
  /** Parameters with their defaults; `--param name=value` and `check(system, { params })` change them. */
  readonly params?: P
  /** `bag`, unless told otherwise: any order. */
  readonly network?: NetworkName
  /** What may go wrong, and how often in one execution; messages may get lost any number of times, unless told otherwise. */
  readonly faults?: FaultBudget
}

export interface SystemParts {
  /** By name; names are addresses. */
  readonly machines: { readonly [name: string]: MachineAs }
  /** Machines of one kind that play the same part, as sets of names: with `--symmetry` states that differ in nothing but which of them is which are one. */
  readonly alike?: readonly (readonly string[])[]
  /** What the application asks of each machine: in this order, at any time. */
  readonly requests?: Requests
  /** The same for an online check, by the states of all machines that it starts from; without it, what is left of `requests`. */
  requestsFrom?(states: { readonly [machine: string]: unknown }): Requests
  readonly invariants?: readonly Invariant[]
  /** What must come about: `liveness`, `eventually`, `leadsTo`; for engines that decide it, such as `stateful`. */
  readonly liveness?: readonly Liveness[]
  /** Told of messages and of what handlers announce; for engines that decide monitors, such as `dpor`. */
  readonly monitors?: readonly PropertyDeclaration[]
  /** Abstract objects that announcements are calls of: `refines(…)`. */
  readonly properties?: readonly RefinementDeclaration[]
}

type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : T
type Build<P> = (params: { readonly [K in keyof P]: Widened<P[K]> }) => SystemParts

/** Declares a system of machines. */
export function system<const P extends Params>(name: string, options: SystemOptions<P>, build: Build<P>): Program
export function system(name: string, build: Build<Params>): Program
export function system<const P extends Params>(
  name: string,
  first: SystemOptions<P> | Build<P>,
  second?: Build<P>,
  ...extra: readonly unknown[]
): Program {
  const isShort = typeof first === 'function'
  checkNoMore(
    isShort ? [second, ...extra] : extra,
    `system(${shown(name)}, ${isShort ? '' : 'options, '}parts)`,
    'E222',
  )
  const { stack } = new Error()
  const options: SystemOptions<P> = typeof first === 'function' ? {} : first
  const build = (typeof first === 'function' ? first : second) as Build<Params>
  checkDeclaration({ name, stack }, options, build)
  const same = new SameSystem()
  const defined = (setting: Setting) =>
    same.checked(setting.params, () => definitionOf({ name, stack }, build, setting))
  const machines = (setting: Setting, witness?: Witness): Machines =>
    startedAt(machinesOf(defined(setting), witness), setting)
  const runnable = (setting: Setting, witness?: Witness): Runnable => {
    const definition = defined(setting)
    const { monitors, watches } = judgesIn(definition, witness)
    const liveness = livenessOf(definition, witness)
    const started = startedAt(machinesOf(definition, witness), setting)
    const judges = { monitors, liveness, watches, ...refinedFrom(setting, definition) }
    return { ...runnableOf(started, setting.bounds, judges), witness }
  }
  return registerProgram({
    name,
    params: options.params ?? {},
    every: {},
    network: network({ name, stack }, options.network ?? 'bag'),
    // A machine that waits for messages has done nothing wrong.
    options: { deadlock: deadlockOption('allow') },
    faults: normalFaults(options.faults ?? usualFaults),
    byzantine: (setting) => unlessWrong(() => messagesOfLiars(defined(setting))),
    alike: (setting) => unlessWrong(() => defined(setting).alike),
    modelled: (setting) => unlessWrong(() => faultsModelled(defined(setting))),
    views: {
      machines,
      stateful: (setting, witness) => ({
        machines: machines(setting, witness),
        liveness: livenessOf(defined(setting), witness),
        watches: judgesIn(defined(setting), witness).watches,
        ...refinedFrom(setting, defined(setting)),
        witness,
      }),
      runnable,
    },
    stack,
  })
}

/** What is wrong with the declaration is told by the search. */
function unlessWrong<Told>(tell: () => Told): Told | undefined {
  try {
    return tell()
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined
    throw error
  }
}

function faultsModelled({ machines }: SystemDefinition): readonly string[] {
  return [...new Set([...machines.values()].flatMap(({ definition }) => definition.models ?? []))]
}

/** A snapshot that does not say which calls were made before it does not say what the objects are. */
function refinedFrom({ start }: Setting, { refines }: SystemDefinition): Pick<JudgedBy, 'refines' | 'called'> {
  if (start === 'initial') return { refines }
  return start.calls === undefined ? {} : { refines, called: start.calls.map(({ call }) => call) }
}

/** Monitors that are known by their states are told at once; the others are processes. */
function judgesIn(
  { monitors }: SystemDefinition,
  witness: Witness | undefined,
): Pick<JudgedBy, 'monitors' | 'watches'> {
  return {
    monitors: monitors.filter(({ watch }) => watch === undefined),
    watches: monitors.flatMap(({ watch }) => (watch === undefined ? [] : [watchOf(watch, witness)])),
  }
}

function startedAt(machines: Machines, { start }: Setting): Machines {
  return start === 'initial' ? machines : machines.from(start.states, start.underWay)
}

/** A real network has them. */
const usualFaults: FaultBudget = { losses: 'any' }

const optionShapes: Shapes<SystemOptions<Params>> = {
  params: shapes.record,
  network: shapes.text,
  faults: shapes.anything,
}

const partShapes: Shapes<SystemParts> = {
  machines: shapes.record,
  alike: shapes.list,
  requests: shapes.record,
  requestsFrom: shapes.func,
  invariants: shapes.list,
  liveness: shapes.list,
  monitors: shapes.list,
  properties: shapes.list,
}

/** As faults were once told, and how they are now. */
const earlierNames: { readonly [name: string]: string } = {
  loss: "write faults: { losses: 'any' }, which is the default, or faults: {} for none",
  crashes: 'write faults: { crashes: 1, restarts: 1 }: the numbers are for all machines together',
  duplicates: 'write faults: { duplicates: 1 }: the number is for all messages together',
}

function checkDeclaration(declared: Declared, options: SystemOptions<Params>, build: unknown): void {
  const { name } = declared
  if (typeof name !== 'string' || name === '')
    wrong(declared, 'a system needs a name', "system('paxos', () => ({ … }))")
  if (!isFunction(build)) {
    const hint = `system('${name}', { … }, () => ({ machines: { … } }))`
    wrong(declared, `system "${name}" has no function that says what it consists of`, hint)
  }
  const earlier = Object.keys(options ?? {}).find((option) => Object.hasOwn(earlierNames, option))
  if (earlier !== undefined)
    wrong(declared, `system "${name}" has no option "${earlier}"`, earlierNames[earlier] as string)
  checkShape(options, optionShapes, { of: `system "${name}"`, code: 'E222', stack: declared.stack })
  for (const [parameter, value] of Object.entries(options.params ?? {}))
    checkParameter(`system "${name}"`, parameter, value)
  const problems = options.faults === undefined ? [] : faultProblems(options.faults)
  const [first, ...others] = problems.map((problem) => {
    return { ...faultDiagnostic(`system "${name}": ${problem}`), stack: declared.stack }
  })
  if (first !== undefined) throw new DiagnosticError(first, ...others)
  network(declared, options.network ?? 'bag')
}

function network(declared: Declared, named: string): NetworkName {
  const found = findNetwork(named)
  if (found !== undefined) return found
  throw new DiagnosticError({
    code: 'E109',
    message: `system "${declared.name}" cannot have the network ${shown(named)}`,
    hint: networkHint(named),
    stack: declared.stack,
  })
}

function definitionOf(declared: Declared, build: Build<Params>, setting: Setting): SystemDefinition {
  const parts = partsOf(declared, build, setting.params)
  const { machines, byzantine } = machinesIn(declared, parts)
  return {
    ...declared,
    names: Object.keys(parts?.machines ?? {}),
    machines,
    byzantine,
    alike: alikeIn(declared, parts?.alike ?? [], { machines, byzantine }),
    requests: requestsIn(declared, parts?.requests ?? {}, { machines, byzantine }),
    requestsFrom: requestsFromIn(declared, parts?.requestsFrom?.bind(parts), { machines, byzantine }),
    invariants: invariantsIn(declared, parts?.invariants ?? []),
    liveness: livenessIn(declared, parts?.liveness ?? []),
    monitors: monitorsIn(declared, parts?.monitors ?? [], [...machines.keys(), ...byzantine.keys()]),
    refines: refinementsIn(declared, parts?.properties ?? []),
    network: network(declared, setting.network),
    faults: setting.faults,
  }
}

/** A part that means nothing is a misspelt one, and a check without its invariants would say that everything is well. */
function partsOf(declared: Declared, build: Build<Params>, params: Params): SystemParts | undefined {
  const parts = built(declared, build, params)
  if (typeof parts !== 'object' || parts === null) return undefined
  if (typeof (parts as { then?: unknown }).then === 'function')
    wrong(declared, `the function of system "${declared.name}" is async`, 'return the parts at once')
  checkShape(parts, partShapes, { of: `system "${declared.name}"`, noun: 'part', code: 'E222', stack: declared.stack })
  return parts as SystemParts
}

function built({ name, stack }: Declared, build: Build<Params>, params: Params): unknown {
  try {
    return build(knowingParameters(`system "${name}"`, params))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
  }
  try {
    // Parameters that notice what is asked of them cannot do all that plain ones can, such as be cloned by the host.
    return build(params)
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    throw new DiagnosticError({
      code: 'E222',
      message: `the function that says what system "${name}" consists of threw ${thrownBy(error).message}`,
      hint: 'it is called with the parameters, which may be any that are given with --param',
      stack: stackOf(error) ?? stack,
    })
  }
}

function machinesIn(
  declared: Declared,
  parts: SystemParts | undefined,
): Pick<SystemDefinition, 'machines' | 'byzantine'> {
  const named = Object.entries(parts?.machines ?? {})
  const hint = "return { machines: { 'node 0': node.as({ … }) } }"
  const machines = new Map<string, MachineInstance>()
  const byzantine = new Map<string, LiarInstance>()
  for (const [name, candidate] of named) {
    if (!isProcessName(name) || name === 'main') wrongName(declared, name)
    const instance = instanceOf(candidate)
    const liar = liarOf(candidate)
    if (instance !== undefined) machines.set(name, instance)
    else if (liar !== undefined) byzantine.set(name, liar)
    else wrong(declared, `"${name}" of system "${declared.name}" is not a machine`, hint)
  }
  if (named.length === 0) wrong(declared, `system "${declared.name}" has no machines`, hint)
  if (machines.size === 0) wrong(declared, `all machines of system "${declared.name}" are Byzantine`, hint)
  return { machines, byzantine }
}

function wrongName(declared: Declared, name: string): never {
  throw new DiagnosticError({
    code: 'E213',
    message: `a machine cannot be named ${JSON.stringify(name)}, in system "${declared.name}"`,
    hint: 'use a non-empty string without "/", "#" and control characters, other than "main" and "__proto__"',
    stack: declared.stack,
  })
}

const twoOfAName = 'give each a name of its own: findings are told by it'

function invariantsIn(declared: Declared, invariants: readonly unknown[]): SystemDefinition['invariants'] {
  const names = new Set<string>()
  // Places that were left out are no invariants either, and `map` would pass over them.
  return [...invariants].map((candidate) => {
    const definition = invariantOf(candidate)
    if (definition === undefined) {
      const hint = "invariants: [invariant('agreement', (states) => …), conflict('one value', { each, conflict })]"
      return wrong(
        declared,
        `system "${declared.name}" has an invariant that invariant(…) or conflict(…) did not make`,
        hint,
      )
    }
    if (names.has(definition.name))
      wrong(declared, `system "${declared.name}" has two invariants "${definition.name}"`, twoOfAName)
    names.add(definition.name)
    return definition
  })
}

function livenessIn(declared: Declared, liveness: readonly unknown[]): SystemDefinition['liveness'] {
  const hint = "liveness: [liveness('served', (states) => …)]"
  const definitions = [...liveness].map(
    (candidate) =>
      livenessNamed(candidate) ??
      wrong(
        declared,
        `"liveness" of system "${declared.name}" has something that neither liveness(…) nor eventually(…) nor leadsTo(…) made`,
        hint,
      ),
  )
  const names = definitions.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) wrong(declared, `system "${declared.name}" has liveness "${twice}" twice`, twoOfAName)
  return definitions
}

function refinementsIn(declared: Declared, properties: readonly RefinementDeclaration[]): SystemDefinition['refines'] {
  const isList = properties.every((one) => one?.kind === 'refinement')
  const hint = 'properties: [refines(tree)]; invariants, liveness and monitors have lists of their own'
  if (!isList) wrong(declared, `"properties" of system "${declared.name}" is no list of what refines(…) made`, hint)
  return refinedObjects(properties, (message, why) => wrong(declared, `in system "${declared.name}" ${message}`, why))
}

/** Monitors and machines are processes beside each other. */
function monitorsIn(
  declared: Declared,
  monitors: readonly PropertyDeclaration[],
  machines: readonly string[],
): SystemDefinition['monitors'] {
  const isList = monitors.every((one) => one?.kind === 'monitor')
  const hint = "monitors: [monitor('order', { observes: ['sold'] }, function* () { … })]"
  if (!isList) wrong(declared, `"monitors" of system "${declared.name}" is no list of what monitor(…) made`, hint)
  const names = new Set(['main', ...machines])
  return monitors.flatMap((one) => {
    if (one.kind !== 'monitor') return []
    if (!isProcessName(one.name) || names.has(one.name)) {
      const why = names.has(one.name) ? 'another process has that name' : 'a name has neither "/" nor "#"'
      const message = `a monitor of system "${declared.name}" cannot be named ${JSON.stringify(one.name)}`
      throw new DiagnosticError({ code: 'E213', message, hint: why, stack: declared.stack })
    }
    names.add(one.name)
    return [one]
  })
}
