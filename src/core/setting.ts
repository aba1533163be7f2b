/** All that decides an execution beside its decisions, as plain data: whole in every trace, checkpoint and message to a worker. */
import type { FaultBudget } from './faults.ts'
import type { NetworkName } from './operation.ts'
import type { Options } from './options.ts'
import type { Snapshot } from './snapshot.ts'
import type { Value } from './value.ts'

export type Params = { readonly [name: string]: Value }

/** What the user bounded, which changes what is verified. */
export interface Bounds {
  /** At most so many operations of each process, which then stops. */
  readonly maxSteps?: number | undefined
  /** Of a class: all clients of at most so many processes with so many calls each. */
  readonly processes?: number | undefined
  readonly calls?: number | undefined
}

export interface Setting {
  readonly params: Params
  readonly network: NetworkName
  /** What may go wrong, and how often in one execution. */
  readonly faults: FaultBudget
  readonly bounds: Bounds
  /** Declared by the program. */
  readonly options: Options
  /** Executions begin at the beginning, or where a running system was. */
  readonly start: 'initial' | Snapshot
}

/** Executions from the beginning, without faults or bounds, with the program's own options, unless said otherwise. */
export function settingFrom(chosen: Pick<Setting, 'params' | 'network'> & Partial<Setting>): Setting {
  return { faults: {}, bounds: {}, options: {}, start: 'initial', ...chosen }
}
