/** How all executions are kept together; whatever is chosen, violations and states are the same. */
import type { Chosen } from '../../core/options.ts'

export const symbolicOptions = {
  mode: {
    form: 'choice',
    values: ['states', 'steps', 'rounds'],
    default: 'states',
    help: 'executions are told apart by their states, or by what was chosen, step by step or in rounds of independent deliveries',
  },
  order: {
    form: 'choice',
    values: ['above', 'below'],
    default: 'above',
    help: 'where variables of later choices go in decision diagrams',
  },
} as const

export type SymbolicOptions = Chosen<typeof symbolicOptions>
