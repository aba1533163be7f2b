/** One search of one of the corpus' systems of machines. */

import { optionsFrom } from '../../src/core/options.ts'
import { sameViolation, type Violation } from '../../src/core/property.ts'
import type { Params } from '../../src/core/setting.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Decision } from '../../src/core/trace.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import type { LocalCounts } from '../../src/engines/local/counts.ts'
import { local } from '../../src/engines/local/local.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Machines } from '../../src/program/machines.ts'
import type { Program } from '../../src/program/program.ts'
import { type JudgedBy, runnableOf } from '../../src/semantics/machines/runnable.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import type { StatesAnswer } from './answers.ts'

/** Searches of all there is, and samples of it for systems that are too large for those. */
export const machineEngines = ['local', 'stateful', 'pct'] as const
export type MachineEngine = (typeof machineEngines)[number]

export function machinesFor(program: Program, params: Params = {}): Machines {
  const view = program.views.machines
  if (view === undefined) throw new Error(`${program.name} offers no machines`)
  return view(
    settingFrom({ params: { ...program.params, ...params }, network: program.network, faults: program.faults ?? {} }),
  )
}

/** What must come about in it, and what it refines. */
export function judgesFor(program: Program, params: Params = {}): Judges {
  const all = { ...program.params, ...params }
  const view = program.views.stateful?.(settingFrom({ params: all, network: program.network }))
  if (view === undefined || !('machines' in view)) return {}
  const { liveness, watches, refines } = view
  return { liveness, watches, refines }
}

export type Judges = Pick<JudgedBy, 'liveness' | 'watches' | 'refines'>

export interface Searched {
  readonly verdict: StatesAnswer['verdict']
  /** Of the whole search; none if it ended with a violation. */
  readonly counts: NonNullable<StatesAnswer['counts']>
  /** The first, as the judge saw it. */
  readonly violation: Violation | undefined
  /** What leads to it. */
  readonly decisions: readonly Decision[]
}

/** How many handlers run on the way. What a handler chooses belongs to it, and machines begin in steps. */
export function depthOf(decisions: readonly Decision[]): number {
  return decisions.filter(({ kind }) => kind !== 'step' && kind !== 'choose').length
}

/** A search to its end, or to the first violation, which the judge must confirm. */
export function searched(
  machines: Machines,
  engine: MachineEngine,
  { symmetry = false, ...judges }: Judges & { readonly symmetry?: boolean } = {},
): Searched {
  let counts: Partial<LocalCounts> = {}
  for (const event of eventsOf(machines, { engine, symmetry }, judges)) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'progress') counts = event.counts
    if (event.kind !== 'violation') continue
    const { decisions, repeatsFrom } = event
    const paths = pathsOf(runnableOf(machines, {}, judges))
    const { violations } = replay(paths, decisions, { places: false, repeatsFrom })
    const violation = violations.find((one) => sameViolation(one, event.violation))
    if (violation === undefined) throw new Error(`${engine} found what the judge did not: ${event.violation.message}`)
    return { verdict: 'violated', counts: {}, violation, decisions }
  }
  const told = (['states', 'transitions', 'systemStates', 'messages', 'rejected'] as const).flatMap((count) =>
    counts[count] === undefined ? [] : [[count, counts[count]]],
  )
  const verdict = engine === 'pct' ? 'passed' : 'verified'
  return { verdict, counts: Object.fromEntries(told), violation: undefined, decisions: [] }
}

function eventsOf(
  machines: Machines,
  { engine, symmetry }: { readonly engine: MachineEngine; readonly symmetry: boolean },
  judges: Judges,
): Iterable<EngineEvent> {
  const given = { seed: 1, samples: 200, depth: 3, symmetry }
  switch (engine) {
    case 'local':
      return local.explore(machines, optionsFrom(local.options, given))
    case 'stateful':
      return stateful.explore({ machines, ...judges }, optionsFrom(stateful.options, given))
    case 'pct':
      return pct.explore(pathsOf(runnableOf(machines, {})), optionsFrom(pct.options, given))
  }
}
