/** The same counts as in `layers.ts`, as the symbolic search has them. */
import type { Changed, Diagram } from '../../../src/bdd/diagrams.ts'
import type { NetworkName } from '../../../src/core/operation.ts'
import { violationKey } from '../../../src/core/property.ts'
import { Atoms } from '../../../src/engines/symbolic/atoms.ts'
import type { SearchOptions } from '../../../src/engines/symbolic/options.ts'
import { SymbolicSearch } from '../../../src/engines/symbolic/search.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { siteOf } from './layers.ts'

export interface SymbolicLayer {
  /** Assignments: executions, or with `states` the states that are new. */
  readonly alive: bigint
  readonly ended: bigint
  /** Distinct states of those that are alive. */
  readonly states: number
}

export interface SymbolicLayers {
  readonly layers: readonly SymbolicLayer[]
  readonly isWhole: boolean
  /** Diagrams became too large, and nothing is known of what comes after these layers. */
  readonly isCut: boolean
  readonly sites: ReadonlySet<string>
  readonly violations: ReadonlySet<string>
  /** Distinct states in which nothing more can happen. */
  readonly ends: number
}

interface Wanted {
  readonly steps: number
  /** What is known of diagrams that are too large is told. */
  readonly cuts?: boolean | undefined
  readonly planted?: Planted | undefined
}

/** Makes a search wrong in one place. */
export type Planted = (search: SymbolicSearch) => void

/** More nodes than small programs need. */
const mostNodes = 150_000

/** Each violation is replayed, and after every step all nodes that nobody needs are given back. Undefined: diagrams are too large. */
export function symbolicLayersOf(
  ir: Ir,
  network: NetworkName,
  options: SearchOptions,
  { steps, cuts = false, planted }: Wanted,
): SymbolicLayers | undefined {
  const search = new SymbolicSearch({ program: ir, setting: settingOf(network) }, options, {
    collectsAfter: 0,
    siftsFrom: 0,
  })
  planted?.(search)
  const { exploration } = search
  const atoms = new Atoms(exploration)
  const layers: SymbolicLayer[] = []
  const sites = new Set<string>()
  const violations = new Set<string>()
  const ends = new Set<number>()
  const told = (isWhole: boolean, isCut = false): SymbolicLayers => {
    return { layers, isWhole, isCut, sites, violations, ends: ends.size }
  }
  for (const event of search.depths()) {
    if (exploration.diagrams.size > mostNodes) return cuts ? told(false, true) : undefined
    if (typeof event === 'number') {
      if (layers.length === steps) return told(false)
      layers.push(layerNow(search, atoms, ends))
    } else if (event.kind === 'violation') {
      sites.add(siteOf(event.violation))
      violations.add(violationKey(event.violation))
      expectRetaken(ir, network, event)
    }
  }
  return told(true)
}

/** It asks and changes nothing. */
function layerNow(search: SymbolicSearch, atoms: Atoms, ends: Set<number>): SymbolicLayer {
  const { diagrams, deliveries, state } = search.exploration
  const goesOn = deliveries.candidates().reduce((all, { guard }) => diagrams.or(all, guard), diagrams.never)
  const ended = diagrams.minus(state.alive, goesOn)
  const changed = atoms.changed()
  for (const one of statesOf(atoms, ended, changed)) ends.add(one)
  const states = statesOf(atoms, state.alive, changed).size
  return { alive: search.count(state.alive), ended: search.count(ended), states }
}

function statesOf(atoms: Atoms, guard: Diagram, changed: readonly Changed[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const _ of atoms.visit({ guard, changed }, (state) => found.add(state)));
  return found
}
