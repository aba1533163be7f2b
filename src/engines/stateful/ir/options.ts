/** How states of IR programs are searched; whatever is chosen, states at rest and violations of executions that end are the same. */
import type { Options } from '../../../core/options.ts'
import { searchOption, symmetryOption } from '../options.ts'

export const irSearchOptions = {
  reduction: {
    form: 'choice',
    values: ['none', 'safe'],
    default: 'none',
    help: 'P programs: everything (none, unless told otherwise), or safe sets of machines',
  },
  search: searchOption,
  symmetry: symmetryOption,
  remember: {
    form: 'choice',
    values: ['states', 'fingerprints'],
    default: 'states',
    help: 'P programs: whole states, which is exact, or fingerprints of 64 bits, which take less time where machines are many',
  },
} as const

/** Cycles are those of all steps, and found where states are left in the order of their numbers. */
export function judgesEndless({ reduction, search, symmetry }: Options): boolean {
  return reduction !== 'safe' && search !== 'depth' && symmetry !== true
}
