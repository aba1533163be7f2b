/** What a symbolic search finds with a filter, and what is to be compared with a search without one. */
import { type Violation, violationKey } from '../../../src/core/property.ts'
import type { Filter } from '../../../src/engines/symbolic/filters/filter.ts'
import type { SearchOptions } from '../../../src/engines/symbolic/options.ts'
import { SymbolicSearch } from '../../../src/engines/symbolic/search.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { siteOf } from './layers.ts'
import { readProgram } from './read.ts'

export const networks = ['sender-queue', 'fifo'] as const
export type Network = (typeof networks)[number]

/** Executions of small programs that end have fewer. */
const mostSteps = 40

export interface Filtered {
  /** States, or with `steps` executions that have ended. */
  readonly size: number
  /** Distinct states in which executions end; of `steps` unknown. */
  readonly ends: number
  readonly sites: readonly string[]
  /** Which violations there are, without numbers of machines: what is the same at two places is told once. */
  readonly violations: readonly string[]
}

export function withoutNumbers(violation: Violation): string {
  return violationKey(violation).replaceAll(/#\d+/g, '')
}

export interface Asked extends Pick<SearchOptions, 'mode' | 'filter'> {
  readonly network: Network
  /** In the place of the filter: one that is wrong. */
  readonly planted?: ((search: SymbolicSearch) => Filter) | undefined
  readonly most?: number
}

/** Every violation is taken again. Undefined: there are too many states. */
export function filteredBy(ir: Ir, { network, mode, filter, planted, most = 2_000 }: Asked): Filtered | undefined {
  const options: SearchOptions = { mode, filter, order: 'above' }
  const search = new SymbolicSearch({ program: ir, setting: settingOf(network) }, options)
  if (planted !== undefined) Object.assign(search.exploration, { filter: planted(search) })
  const [sites, violations] = [new Set<string>(), new Set<string>()]
  let counts: { readonly [name: string]: number } = {}
  for (const event of search.events()) {
    if (event.kind === 'progress') counts = event.counts
    if ((counts.states ?? 0) > most || (counts.steps ?? 0) > mostSteps || search.work > 400_000) return undefined
    if (event.kind !== 'violation') continue
    sites.add(siteOf(event.violation))
    violations.add(withoutNumbers(event.violation))
    expectRetaken(ir, network, event)
  }
  const { states, executions = 0, terminals = 0 } = counts
  return { size: states ?? executions, ends: terminals, sites: [...sites].sort(), violations: [...violations].sort() }
}

export function programsIn(text: string): readonly Ir[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(`${read.problems.join('; ')}\n${text}`)
  return read.checked.tests.map((one) => lower(read.checked, one))
}

/** What a filter may not do, in words; it may leave out violations as long as one is left. */
export function lossOf(whole: Filtered, filtered: Filtered): string | undefined {
  if (filtered.size > whole.size) return `${filtered.size} instead of at most ${whole.size}`
  if (whole.sites.length > 0 !== filtered.sites.length > 0) return `violations ${filtered.sites} of ${whole.sites}`
  if (filtered.sites.some((site) => !whole.sites.includes(site)))
    return `violations ${filtered.sites} not among ${whole.sites}`
  if (whole.sites.length === 0 && whole.ends !== filtered.ends) return `${filtered.ends} ends of ${whole.ends}`
  return undefined
}
