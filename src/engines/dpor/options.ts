/** What can be chosen about the exploration. None of it changes what is explored, but for `eager`, which explores more. */
import { type Chosen, seedOption } from '../../core/options.ts'

export const dporOptions = {
  seed: seedOption,
  schedule: {
    form: 'choice',
    values: ['sends-first', 'left-to-right', 'right-to-left', 'random'],
    default: 'sends-first',
    help: 'how processes are picked where it makes no difference',
  },
  eager: {
    form: 'switch',
    default: false,
    help: 'also explore the order in which unread messages arrive, to show what lazy ordering saves',
  },
} as const

export type DporOptions = Chosen<typeof dporOptions>
