/** Everything that has a name on the command line: engines, networks, reporters; and what to say about other names. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import type { FaultBudget } from '../core/faults.ts'
import { findNetwork, type NetworkName, networkNames } from '../core/operation.ts'
import type { OptionDeclaration, OptionDeclarations } from '../core/options.ts'
import type { MessageScope } from '../core/verdict.ts'
import type { Engine } from '../engines/engine.ts'
import { localRefusal } from '../engines/local/networks.ts'
import { engines, findEngine } from '../engines/registry.ts'
import type { Program, ViewName } from '../program/program.ts'
import { offers } from '../semantics/derive.ts'

const reporterNames = ['text', 'json', 'mermaid'] as const
export type ReporterName = (typeof reporterNames)[number]

/** What `check` uses when it is not told: of the engines that fit, the first one here. */
const preferredEngines = ['local', 'dpor', 'stateful', 'exhaustive']

/** As an engine's name: whichever engines answer soonest. */
export const anyEngine = 'auto'

/** What `network` may say: a network, a paper's name for it, or the eager variant that only dpor has. */
export interface NamedNetwork {
  readonly network: NetworkName
  readonly eager: boolean
  readonly shown: MessageScope['network']
}

/** The engine of that name, in the form that fits the program, if there is one. */
export function engineNamed(name: string, program?: Pick<Program, 'views'>): Result<Engine> {
  const engine = program === undefined ? findEngine(name) : findEngine(name, (view) => offers(program, view))
  return engine === undefined ? failure(unknownName('E108', 'engine', name, engineNames())) : success(engine)
}

export function defaultEngine(
  program: Pick<Program, 'views' | 'network' | 'faults'>,
  asked: { readonly network?: string | undefined; readonly faults?: FaultBudget | undefined } = {},
): Result<Engine> {
  const named = asked.network ?? program.network
  const network = named === undefined ? undefined : findNetwork(named)
  const faults = asked.faults ?? program.faults ?? {}
  const isLocal = network !== undefined && localRefusal({ network, faults }) === undefined
  // Machines may go on for ever: without `local`, an engine that remembers states.
  const names = program.views.machines === undefined || isLocal ? preferredEngines : ['stateful']
  const isIr = program.views.ir !== undefined
  const preferred = isIr ? [findEngine('stateful', (view) => view === 'ir')] : names.map((name) => findEngine(name))
  const engine = [...preferred, ...engines].find((one) => one && offers(program, one.needs)) ?? engines[0]
  return engine === undefined ? failure(unknownName('E108', 'engine', 'dpor', [])) : success(engine)
}

export function networkNamed(name: string): Result<NamedNetwork> {
  if (name === 'fifo-eager') return success({ network: 'fifo', eager: true, shown: 'fifo-eager' })
  const network = findNetwork(name)
  if (network !== undefined) return success({ network, eager: false, shown: network })
  return failure(unknownName('E109', 'network', name, [...networkNames, 'fifo-eager']))
}

export function reporterNamed(name: string): Result<ReporterName> {
  const reporter = reporterNames.find((known) => known === name)
  return reporter === undefined ? failure(unknownName('E111', 'reporter', name, reporterNames)) : success(reporter)
}

function engineNames(): readonly string[] {
  return [...new Set(engines.map((engine) => engine.name))]
}

function unknownName(code: 'E108' | 'E109' | 'E111', what: string, name: string, known: readonly string[]): Diagnostic {
  return { code, message: `there is no ${what} "${name}"`, hint: suggestion(name, known, `${what}s`) }
}

/** What a view is a view of, in the reader's words. */
export function servedBy(view: ViewName): string {
  return viewWords[view]
}

const viewWords: { readonly [view in ViewName]: string } = {
  path: 'processes',
  runnable: 'processes',
  stateful: 'classes and machines',
  machines: 'machines',
  ir: 'P programs',
  icet: 'processes in any number',
  calls: 'recorded histories',
  logged: 'logs of machines',
  object: 'classes',
}

/** Engines by what they may claim: those that explore everything, and those that sample. */
export type EngineGroup = 'exploring' | 'sampling'

export interface EngineOption {
  readonly name: string
  readonly declaration: OptionDeclaration
  /** Who has it; all of them mean the same by it. */
  readonly engines: readonly string[]
}

/** With names, of those engines alone. */
export function optionsOfEngines(group: EngineGroup, names?: readonly string[]): readonly EngineOption[] {
  const found = new Map<string, EngineOption>()
  const grouped = engines.filter(({ claims }) => (claims === 'passed') === (group === 'sampling'))
  for (const engine of grouped.filter(({ name }) => names?.includes(name) !== false)) {
    for (const [name, declaration] of Object.entries(engine.options)) {
      const before = found.get(name)
      const having = [...new Set([...(before?.engines ?? []), engine.name])]
      found.set(name, { name, declaration: bothOf(before?.declaration, declaration), engines: having })
    }
  }
  return [...found.values()]
}

/** Whether these engines see no other programs, in which nobody awaits promises. */
export function exploreOnlyP(names: readonly string[]): boolean {
  return engines.every(({ name, needs }) => !names.includes(name) || needs === 'ir')
}

/** An engine may offer more for one kind of program than for another. */
function bothOf(before: OptionDeclaration | undefined, declaration: OptionDeclaration): OptionDeclaration {
  if (before?.form !== 'choice' || declaration.form !== 'choice' || before.help === declaration.help) return declaration
  const values = [...new Set([...before.values, ...declaration.values])]
  return { ...before, values, help: `${before.help}; ${declaration.help}` }
}

interface ListedEngine {
  readonly name: string
  /** 'processes', 'classes and machines', 'programs of every kind' */
  readonly explores: string
  readonly claims: string
  readonly summary: string
  readonly options: OptionDeclarations
}

/** Every engine in a line, for `list`. */
export function engineList(): readonly ListedEngine[] {
  return engines.map(({ name, needs, claims, summary, options }) => {
    // Every program has paths.
    const explores = needs === 'path' ? 'programs of every kind' : servedBy(needs)
    return { name, explores, claims, summary, options }
  })
}

interface ListedNetwork {
  readonly name: string
  /** What the papers call it. */
  readonly alias?: string
  readonly summary: string
}

export function networkList(): readonly ListedNetwork[] {
  return [
    { name: 'bag', alias: 'asyn', summary: 'no order at all' },
    { name: 'fifo', alias: 'p2p', summary: 'messages of one process to another arrive in the order they were sent' },
    { name: 'causal', alias: 'cd', summary: 'a message never overtakes one that it depends on' },
    {
      name: 'mailbox',
      alias: 'mbox',
      summary: 'every process has one queue: messages arrive in the order they were sent',
    },
    {
      name: 'sender-queue',
      alias: '1-n',
      summary: 'every process has one outgoing queue, whoever its messages are for',
    },
    { name: 'fifo-eager', summary: 'dpor only: fifo, exploring also the order of messages that no process reads' },
  ]
}
