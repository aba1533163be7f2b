/** Everything that has a name on the command line: engines, networks, reporters; and what to say about other names. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { findNetwork, type NetworkName, networkNames } from '../core/operation.ts'
import type { Scope } from '../core/verdict.ts'
import type { Engine } from '../engines/engine.ts'
import { localNetworks } from '../engines/local/networks.ts'
import { engines, findEngine } from '../engines/registry.ts'
import type { Program, ViewName } from '../program/program.ts'
import { suggestion } from './did-you-mean.ts'

const reporterNames = ['text', 'json', 'mermaid'] as const
export type ReporterName = (typeof reporterNames)[number]

/** The optimal engine, then the naive one: what `check` uses when nobody asks for another. */
const preferredEngines = ['dpor', 'exhaustive']

/** What `network` may say: a network, a paper's name for it, or the eager variant that only dpor has. */
export interface NamedNetwork {
  readonly network: NetworkName
  readonly eager: boolean
  readonly shown: Scope['network']
}

export function engineNamed(name: string): Result<Engine> {
  if (name === prover.name) {
    const message = `engine "${name}" proves for every size and explores none`
    return failure({ code: 'E108', message, hint: 'use allways prove' })
  }
  const engine = findEngine(name)
  return engine === undefined ? failure(unknownName('E108', 'engine', name, engineNames())) : success(engine)
}

export function defaultEngine(program: Pick<Program, 'views' | 'network'>, network?: string): Result<Engine> {
  const preferred = program.views.machines === undefined ? preferredEngines : preferredFor(network ?? program.network)
  const engine = preferred.flatMap((name) => findEngine(name) ?? [])[0] ?? engines[0]
  return engine === undefined ? failure(unknownName('E108', 'engine', 'dpor', [])) : success(engine)
}

/** Of machines. */
function preferredFor(network: string): readonly string[] {
  const isLocal = localNetworks.some((name) => name === findNetwork(network))
  return isLocal ? ['local', 'stateful'] : ['stateful']
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
  return engines.map((engine) => engine.name)
}

function unknownName(code: 'E108' | 'E109' | 'E111', what: string, name: string, known: readonly string[]): Diagnostic {
  return { code, message: `there is no ${what} "${name}"`, hint: suggestion(name, known, `${what}s`) }
}

/** What a view is a view of, in the reader's words. */
export function servedBy(view: ViewName): string {
  return { runnable: 'processes', stateful: 'classes and machines', machines: 'machines' }[view]
}

interface ListedEngine {
  readonly name: string
  /** 'processes', 'classes and machines' */
  readonly explores: string
  readonly claims: string
  readonly summary: string
}

/** Every engine in a line, for `list`. */
export function engineList(): readonly ListedEngine[] {
  const explorers = engines.map(({ name, needs, claims, summary }) => {
    return { name, explores: servedBy(needs), claims, summary }
  })
  return [...explorers, prover]
}

/** Explores nothing, so that it is no engine to choose; `prove` uses it. */
const prover: ListedEngine = {
  name: 'sequentialize',
  explores: 'processes in any number',
  claims: 'proved',
  summary: 'canonical sequentialization; used by allways prove',
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
    { name: 'fifo-eager', summary: 'dpor only: fifo, exploring also the order of messages that nobody reads' },
  ]
}
