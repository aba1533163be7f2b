/** How a search that remembers states chooses which processes to follow from each; the answer is the same with all of it. */
import { type Chosen, seedOption } from '../../core/options.ts'

/** Of searches that need not know where they came from. */
export const searchOption = {
  form: 'choice',
  values: ['breadth', 'depth'],
  default: 'breadth',
  help: 'systems of machines and P programs: breadth first finds shortest executions, depth first long ones sooner',
} as const

/** Of states that are compared as a whole. */
export const symmetryOption = {
  form: 'switch',
  default: false,
  help: 'P programs and systems of machines: whether states that differ in names of machines or parties alone are one',
} as const

export const statefulOptions = {
  seed: seedOption,
  reduction: {
    form: 'choice',
    values: ['none', 'safe', 'eager', 'lazy'],
    default: 'lazy',
    help: 'everything; safe sets (S-POR); source sets on top of them, found eagerly (DE-S-POR) or lazily (DL-S-POR)',
  },
  static: { form: 'switch', default: true, help: 'whether invisible steps are taken at once' },
  stateless: { form: 'switch', default: false, help: 'do not remember states; programs with loops then have no end' },
  order: {
    form: 'choice',
    values: ['sequential', 'random'],
    default: 'sequential',
    help: 'which process is tried first',
  },
  search: searchOption,
  symmetry: symmetryOption,
} as const

export interface StatefulOptions extends Chosen<typeof statefulOptions> {
  /** sequential only: processes in the order they are tried; those left out come last, by number. For experiments. */
  readonly permutation?: readonly number[] | undefined
}
