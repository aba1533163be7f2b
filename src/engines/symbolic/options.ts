/** How all executions are kept together; whatever is chosen, violations are the same. */
import type { Chosen } from '../../core/options.ts'

export const symbolicOptions = {
  mode: {
    form: 'choice',
    values: ['auto', 'states', 'steps', 'rounds'],
    default: 'auto',
    help: 'P programs: executions told apart by states, by what was chosen in steps, or in rounds of independent ones',
  },
  order: {
    form: 'choice',
    values: ['auto', 'above', 'below', 'sift'],
    default: 'auto',
    help: 'P programs: where variables of later choices go in decision diagrams, or sift: they are moved about as diagrams grow',
  },
  filter: {
    form: 'choice',
    values: ['none', 'creations', 'sole', 'sleep', 'symmetry'],
    default: 'none',
    help: 'P programs: which orders are left out because others stand for them: what nothing can come before is first (creations, sole), one of equivalent orders is taken (sleep), or states that differ in names of machines alone are one (symmetry)',
  },
} as const

export type SymbolicOptions = Chosen<typeof symbolicOptions>

/** Nothing is left open. */
export interface SearchOptions {
  readonly mode: Exclude<SymbolicOptions['mode'], 'auto'>
  readonly order: Exclude<SymbolicOptions['order'], 'auto'>
  readonly filter: SymbolicOptions['filter']
}

/** Later choices are mostly about what came last, and so on top; in rounds they are about all machines. */
export function usualOrder(mode: SearchOptions['mode']): 'above' | 'below' {
  return mode === 'states' ? 'above' : 'below'
}
