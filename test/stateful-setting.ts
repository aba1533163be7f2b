/** Options of the stateful engine as tests write them: those that matter, and the rest as usual. */
import { optionsFrom } from '../src/core/options.ts'
import type { Counts } from '../src/core/verdict.ts'
import type { Options } from '../src/engines/engine.ts'
import { type StatefulOptions, statefulOptions } from '../src/engines/stateful/options.ts'

export type StatefulSetting = Pick<StatefulOptions, 'reduction' | 'static' | 'stateless' | 'order' | 'permutation'>

/** What searches that remember states count. */
export interface StateCounts extends Counts {
  readonly states: number
  readonly transitions: number
  readonly irreducible: number
  readonly traces: number
  readonly finals: number
}

export function optionsOf({ permutation, ...setting }: StatefulSetting, seed = 0): Options {
  const options = optionsFrom(statefulOptions, { ...setting, seed })
  // Not an option that can be typed: only experiments have it.
  return permutation === undefined ? options : ({ ...options, permutation } as unknown as Options)
}
