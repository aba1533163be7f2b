/** What the engine does not explore, and says so. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Options } from '../../core/options.ts'
import type { IrView } from '../../program/program.ts'
import type { GivenUp } from './function-run.ts'

/** Before it begins. */
export function unfitFor({ program, setting: { network } }: IrView, options: Options): Diagnostic | undefined {
  const [monitor] = program.monitors
  if (network !== 'sender-queue' && network !== 'fifo' && network !== 'bag') return otherNetwork(network)
  if (network === 'bag' && options.mode === 'rounds') return unordered
  if ((options.mode === 'rounds' || options.filter === 'creations') && monitor !== undefined)
    return watched(program.machines[monitor.machine]?.name ?? '')
  return undefined
}

function otherNetwork(network: string | undefined): Diagnostic {
  return {
    code: 'E309',
    message: `engine "symbolic" does not explore network "${network}"`,
    hint: 'choose --network sender-queue, fifo or bag, or --engine stateful',
  }
}

const unordered: Diagnostic = {
  code: 'E107',
  message: 'in rounds messages wait in lines, and on network "bag" they arrive in any order',
  hint: 'choose another --mode, or leave that to the engine',
}

/** Those in one round happen in no order, and a monitor sees one. */
function watched(monitor: string): Diagnostic {
  return {
    code: 'E107',
    message: `monitor "${monitor}" sees in which order machines send, and rounds and filters leave orders out`,
    hint: 'leave out --filter, and choose another --mode or leave that to the engine',
  }
}

export function givenUp({ message, place }: GivenUp): Diagnostic {
  return { code: 'E309', message, hint: 'explore the program with --engine stateful', place }
}
