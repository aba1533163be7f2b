/** What the search of IR programs refuses to do. */
import type { Diagnostic } from '../../../core/diagnostic.ts'
import type { OrderUsed } from '../../../ir/order-of-machines.ts'
import type { IrView } from '../../../program/program.ts'

export function withoutChoice({ setting: { network } }: IrView): Diagnostic {
  return {
    code: 'E107',
    message: `on network "${network}" engine "stateful" goes along single executions, and leaves out nothing`,
    hint: 'leave out --reduction, --search, --symmetry and --remember, or choose another network',
  }
}

/** Safe sets and names of machines are about machines and monitors alone. */
export const unreducedCalls: Diagnostic = {
  code: 'E107',
  message: 'of a P program that refines a specification engine "stateful" leaves out nothing',
  hint: 'leave out --reduction and --symmetry',
}

export function asymmetric({ what, place }: OrderUsed): Diagnostic {
  return {
    code: 'E107',
    message: `machines cannot change places: the program ${what}`,
    hint: 'leave out --symmetry, or keep machines in lists',
    place,
  }
}
