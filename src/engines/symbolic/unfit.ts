/** What the engine does not explore, and says so. */
import type { Diagnostic, Place } from '../../core/diagnostic.ts'
import { type Options, optionsFrom } from '../../core/options.ts'
import type { IrView } from '../../program/program.ts'
import { refusal } from './filters/refusal.ts'
import { symbolicOptions } from './options.ts'

/** Before it begins. */
export function unfitFor({ program, setting: { network, bounds } }: IrView, options: Options): Diagnostic | undefined {
  const chosen = optionsFrom(symbolicOptions, options)
  if (network !== 'sender-queue' && network !== 'fifo' && network !== 'bag') return otherNetwork(network)
  if (network === 'bag' && chosen.mode === 'rounds') return unordered
  if (network === 'bag' && chosen.filter !== 'none') return unfiltered(chosen.filter)
  const { filter } = chosen
  if (bounds.maxSteps !== undefined && (filter === 'creations' || filter === 'sole')) return unbounded(filter)
  return refusal(chosen, program)
}

function otherNetwork(network: string | undefined): Diagnostic {
  // What a machine is in the middle of would be part of what summaries tell apart; which message may arrive, of all that came before.
  const why =
    network === 'mailbox'
      ? 'there handlers are interrupted before each send, and it runs whole ones'
      : 'there the past of each message says when it may arrive, and it keeps messages in lines'
  return {
    code: 'E309',
    message: `engine "symbolic" does not explore network "${network}": ${why}`,
    hint: 'choose --network sender-queue, fifo or bag, or --engine stateful',
  }
}

function unbounded(filter: string): Diagnostic {
  return {
    code: 'E107',
    message: `filter "${filter}" takes some steps before others, so that what is wrong after a few may be found after many`,
    hint: 'leave out --filter or --max-steps',
  }
}

const unordered: Diagnostic = {
  code: 'E107',
  message: 'in rounds messages wait in lines, and on network "bag" they arrive in any order',
  hint: 'choose another --mode, or leave that to the engine',
}

function unfiltered(filter: string): Diagnostic {
  return {
    code: 'E309',
    message: `filter "${filter}" is about messages that wait in lines, and on network "bag" they arrive in any order`,
    hint: 'leave out --filter, or choose --network sender-queue or fifo',
  }
}

/** After everything else, in which nothing was found. */
export function givenUp(place: Place): Diagnostic {
  return {
    code: 'E309',
    message: 'a handler takes longer than engine "symbolic" waits for one, and what comes after it was left out',
    hint: 'explore the program with --engine stateful',
    place,
  }
}
