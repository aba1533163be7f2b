/** What is to be checked about a class, every choice made. */
import type { AtomicSection } from '../../core/code.ts'
import { optionsFrom } from '../../core/options.ts'
import { type Counts, type Criterion, countedClients, type Reduction, type Scope } from '../../core/verdict.ts'
import type { Budget, Host } from '../../distribute/driver.ts'
import type { Engine, Options } from '../../engines/engine.ts'
import { statefulOptions } from '../../engines/stateful/options.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import type { ClientSpace } from '../../properties/linearizability/client-space.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import type { Granularity } from '../../semantics/memory/subject.ts'

export interface ObjectRequest {
  readonly check: ObjectCheck
  /** Of the modules the class comes from. */
  readonly modules: ModuleState
  /** These clients, or all within bounds. */
  readonly clients:
    | { readonly kind: 'given'; readonly clients: readonly Client[] }
    | { readonly kind: 'all'; readonly space: ClientSpace }
  readonly engine: Engine
  /** Of the engine, unless it is `stateful`, whose options follow. */
  readonly options: Options
  readonly reduction: Exclude<Reduction, 'portfolio'>
  readonly safeSets: boolean
  readonly stateless: boolean
  readonly order: 'sequential' | 'random'
  readonly seed: number
  readonly granularity: Granularity
  readonly criterion: Criterion
  readonly deadlock: 'error' | 'allow'
  readonly sections: readonly AtomicSection[]
  /** Look for the lines that must be atomic, and check the class again with them. */
  readonly wantsCauses: boolean
  readonly keepGoing: boolean
  readonly budget: Budget
  readonly signal: AbortSignal | undefined
}

export interface ObjectRunOptions {
  /** What an earlier run did: as many clients, the first ones, are left out, and the counts go on from there. */
  readonly resume?: Counts | undefined
  readonly host?: Host | undefined
  readonly onProgress?: ((progress: ObjectProgress) => void) | undefined
}

export interface ObjectProgress {
  readonly phase: 'searching' | 'finding causes' | 'checking the repair'
  readonly clients: number
  /** Nothing if it is not known. */
  readonly outOf: number | undefined
  readonly states: number
  readonly transitions: number
  readonly milliseconds: number
}

export function scopeOf(request: ObjectRequest): Scope {
  const { seed, granularity, criterion, deadlock, sections, clients, check } = request
  return {
    engine: request.engine.name,
    counted: countedClients,
    params:
      clients.kind === 'all' ? { processes: clients.space.maxProcesses, calls: clients.space.maxCallsPerProcess } : {},
    seed,
    deadlock,
    criterion,
    specification: specificationName(check),
    granularity,
    sections,
    options: engineOptionsOf(request),
  }
}

/** Nothing where the class itself, run sequentially, says what is right. */
function specificationName({ specification }: ObjectCheck): string | undefined {
  if (specification === undefined || typeof specification === 'string') return specification
  const { name } = specification as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : 'your specification'
}

export function engineOptionsOf(request: ObjectRequest): Options {
  const { engine, reduction, safeSets, stateless, order, seed } = request
  if (engine.options !== statefulOptions) return request.options
  return optionsFrom(statefulOptions, { reduction, static: safeSets, stateless, order, seed })
}
