/**
 * All executions at once against the reference semantics, number by number: with `steps` the assignments are the executions, with `states` they are the states
 * of each layer, in rounds they are the executions that differ in more than the order of independent turns.
 */
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import type { Violation } from '../../../src/core/property.ts'
import { dpor } from '../../../src/engines/dpor/dpor.ts'
import type { SearchOptions } from '../../../src/engines/symbolic/options.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { irPaths } from '../../../src/semantics/ir/paths.ts'
import { irRunnable } from '../../../src/semantics/ir/runnable.ts'
import { settingOf } from './explored.ts'
import { type Bounds, type Layers, layersOf, type Sites } from './layers.ts'
import { classesOf } from './orders.ts'
import { type Planted, type SymbolicLayers, symbolicLayersOf } from './symbolic-layers.ts'

export type Network = 'sender-queue' | 'fifo' | 'bag'

export interface ExactTally {
  /** Programs, each under one network. */
  compared: number
  /** Those that have too many states. */
  dropped: number
  /** Those that were compared up to some depth, because there were too many states or nodes. */
  cut: number
  /** Searches whose diagrams are too large. */
  large: number
  /** Layers in which executions were counted, and the most that one had. */
  layers: number
  mostExecutions: bigint
  /** Programs that go wrong. */
  violated: number
  /** Programs whose rounds came to an end, and executions of those. */
  rounds: number
  traces: bigint
  /** Those that were counted by going through all executions, and those that `dpor` counted. */
  counted: number
  reduced: number
}

export function newExactTally(): ExactTally {
  return {
    compared: 0,
    dropped: 0,
    cut: 0,
    large: 0,
    layers: 0,
    mostExecutions: 0n,
    violated: 0,
    rounds: 0,
    traces: 0n,
    counted: 0,
    reduced: 0,
  }
}

export interface Limits extends Bounds {
  /** Of `dpor`. */
  readonly executions: number
  /** Along all executions, one by one. */
  readonly decisions: number
}

export interface Asked {
  readonly network: Network
  readonly order: SearchOptions['order']
  readonly limits: Limits
  readonly tally: ExactTally
  readonly planted?: Planted | undefined
}

/** What differs, in words; undefined: nothing. */
export function exactDisagreement(ir: Ir, asked: Asked): string | undefined {
  const { network, limits, tally } = asked
  const layers = layersOf(ir, network, limits)
  if (layers === undefined) {
    tally.dropped++
    return undefined
  }
  tally.compared++
  if (layers.sites.size > 0) tally.violated++
  return (
    stepsDisagreement(ir, layers, asked) ??
    statesDisagreement(ir, layers, asked) ??
    (network === 'bag' ? undefined : roundsDisagreement(ir, layers, asked))
  )
}

function stepsDisagreement(ir: Ir, known: Layers, asked: Asked): string | undefined {
  const { layers, isWhole, sites } = known
  const { network, order, limits, tally, planted } = asked
  const found = symbolicLayersOf(
    ir,
    network,
    { mode: 'steps', order, filter: 'none' },
    { steps: stepsOf(known, limits), cuts: limits.cuts, planted },
  )
  if (found === undefined) {
    tally.large++
    return undefined
  }
  if (found.isCut) tally.large++
  if (found.isCut || known.isCut) tally.cut++
  tally.layers += found.layers.length
  for (const { executions } of layers) if (executions > tally.mostExecutions) tally.mostExecutions = executions
  const expected = layers.map(
    ({ executions, ended, states }) => `${executions} executions, ${ended} ended, ${states} states`,
  )
  const counted = found.layers.map(
    ({ alive, ended, states }) => `${alive} executions, ${ended} ended, ${states} states`,
  )
  return different(
    'steps',
    found.isCut ? expected.slice(0, counted.length) : [...expected, isWhole, ...sorted(sites)],
    found.isCut ? counted : [...counted, found.isWhole, ...toldAmong(sites, found)],
  )
}

function statesDisagreement(ir: Ir, known: Layers, asked: Asked): string | undefined {
  const { layers, sites } = known
  const { network, order, limits, tally, planted } = asked
  const found = symbolicLayersOf(
    ir,
    network,
    { mode: 'states', order, filter: 'none' },
    { steps: stepsOf(known, limits), cuts: limits.cuts, planted },
  )
  if (found === undefined) {
    tally.large++
    return undefined
  }
  if (found.isCut) tally.large++
  // States that are not new lead to none that is.
  const expected = layers.flatMap(({ fresh, freshEnded }) =>
    fresh === 0 ? [] : [`${fresh} states, ${freshEnded} ended`],
  )
  const counted = found.layers.map(({ alive, ended }) => `${alive} states, ${ended} ended`)
  const ends = layers.reduce((all, { freshEnded }) => all + freshEnded, 0)
  return different(
    'states',
    found.isCut ? expected.slice(0, counted.length) : [...expected, ends, ...sorted(sites)],
    found.isCut ? counted : [...counted, found.ends, ...toldAmong(sites, found)],
  )
}

/** Layers that were cut have no other. */
function stepsOf({ layers, isWhole }: Layers, { steps }: Limits): number {
  return isWhole ? steps : layers.length
}

/** Without monitors, which see the order of turns. */
function roundsDisagreement(watched: Ir, known: Layers, asked: Asked): string | undefined {
  const { network, order, limits, tally, planted } = asked
  const ir = { ...watched, monitors: [] }
  const layers = watched.monitors.length === 0 ? known : layersOf(ir, network, limits)
  if (layers === undefined || !layers.isWhole) return undefined
  const found = symbolicLayersOf(
    ir,
    network,
    { mode: 'rounds', order, filter: 'none' },
    { steps: limits.steps, planted },
  )
  if (found === undefined || !found.isWhole) {
    tally.large++
    return undefined
  }
  const ends = layers.layers.reduce((all, { freshEnded }) => all + freshEnded, 0)
  const wrong = different('rounds', [ends, ...sorted(layers.sites)], [found.ends, ...toldAmong(layers.sites, found)])
  if (wrong !== undefined) return wrong
  tally.rounds++
  const traces = found.layers.reduce((all, { ended }) => all + ended, 0n)
  tally.traces += traces
  const classes = classesOf(
    { ...subjectOf(ir, network as Exclude<Network, 'bag'>), counts: hasNotFailed },
    limits.decisions,
  )?.size
  if (classes !== undefined) tally.counted++
  if (classes !== undefined && BigInt(classes) !== traces) return `rounds: ${traces} executions of ${classes} classes`
  // Where something goes wrong, executions end for one and go on elsewhere for the other.
  const reduced = [...layers.sites.keys()].every(isAboutEnd) ? executionsOfDpor(ir, asked) : undefined
  if (reduced !== undefined) tally.reduced++
  return reduced === undefined || BigInt(reduced) === traces
    ? undefined
    : `rounds: ${traces} executions, dpor ${reduced}`
}

function subjectOf(ir: Ir, network: Exclude<Network, 'bag'>) {
  return { paths: irPaths(ir, settingOf(network)), test: { monitors: [] }, delivery: network } as const
}

function hasNotFailed(path: { violations(): readonly Violation[] }): boolean {
  return path.violations().every(({ kind }) => isAboutEnd(kind))
}

function isAboutEnd(site: string): boolean {
  return site.startsWith('deadlock') || site.startsWith('liveness')
}

/** Undefined: it refuses, or there are too many. */
function executionsOfDpor(ir: Ir, { network, limits }: Asked): number | undefined {
  const options = { schedule: 'sends-first', seed: 0, eager: false }
  let executions = 0
  try {
    for (const event of dpor.explore(irRunnable({ program: ir, setting: settingOf(network) }), options)) {
      if (event.kind === 'diagnostic') throw new DiagnosticError(event.diagnostic)
      if (event.kind === 'execution' && ++executions > limits.executions) return undefined
    }
  } catch (error) {
    const code = error instanceof DiagnosticError ? error.diagnostic.code : undefined
    if (code !== 'E203' && code !== 'E309') throw error
    return undefined
  }
  return executions
}

function sorted(sites: Sites): readonly string[] {
  return [...sites.keys()].sort()
}

/** Where violations are that were told: two places may have the same one, which is told once. */
function toldAmong(expected: Sites, { sites, violations }: SymbolicLayers): readonly string[] {
  const others = [...expected].flatMap(([site, keys]) => ([...keys].some((key) => violations.has(key)) ? [site] : []))
  return [...new Set([...sites, ...others])].sort()
}

function different(mode: string, expected: readonly unknown[], found: readonly unknown[]): string | undefined {
  if (expected.join('\n') === found.join('\n')) return undefined
  return `${mode}: expected\n${expected.join('\n')}\nfound\n${found.join('\n')}`
}
