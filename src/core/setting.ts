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
  /** Of a class: all clients of at most so many processes with so many calls each … */
  readonly processes?: number | undefined
  readonly calls?: number | undefined
  /** … or these and no others. */
  readonly clients?: readonly string[] | undefined
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

/** What a setting says at least; of a program that sends no messages, no network. */
type Chosen = Pick<Setting, 'params'> & { readonly [name in keyof Setting]?: Setting[name] | undefined }

/** Executions from the beginning, without faults or bounds, with the program's own options, unless said otherwise. */
export function settingFrom({ params, network, faults, bounds, options, start }: Chosen): Setting {
  return {
    params,
    network: network ?? 'bag',
    faults: faults ?? {},
    bounds: bounds ?? {},
    options: options ?? {},
    start: start ?? 'initial',
  }
}
