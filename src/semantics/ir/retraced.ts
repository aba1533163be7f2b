/** Steps of a search that handles whole messages at once, found again one by one: the decisions that lead along them. */
import { invariant } from '../../core/invariant.ts'
import type { Decision } from '../../core/trace.ts'
import type { Configuration, Message } from './configuration.ts'
import { firstConfiguration } from './first-configuration.ts'
import { type Move, movesIn, type Rules } from './moves.ts'
import { afterMove } from './turn.ts'
import type { MachineRef } from './value.ts'

interface Retraced {
  readonly decisions: readonly Decision[]
  readonly configuration: Configuration
}

/** Stands for the message, or the creation, that is next in a line. */
export const anyMessage = 'any'

export interface RetracedStep {
  readonly machine: MachineRef
  /** Whose message arrives; undefined: the machine moves by itself. */
  readonly from: MachineRef | undefined
  /**
   * Undefined: it takes something from its inbox, or does something because there is nothing to receive. `anyMessage`: whatever arrives from there, where that
   * can only be one.
   */
  readonly message: Pick<Message, 'event' | 'payload'> | typeof anyMessage | undefined
  /** Which options it chooses on the way. */
  readonly choices: readonly number[]
}

/** Decisions that take these steps, and where they lead. */
export function retraced(steps: readonly RetracedStep[], rules: Rules): Retraced {
  const decisions: Decision[] = []
  let { configuration } = firstConfiguration(rules)
  const take = (isMeant: (move: Move) => boolean): void => {
    const move = movesIn(configuration, rules).moves.find(isMeant)
    invariant(move !== undefined, 'a step of a search is one of the reference semantics')
    decisions.push(move.decision)
    configuration = afterMove(configuration, move, rules).configuration
  }
  for (const step of steps) {
    // What comes after something went wrong does not happen.
    if (configuration.violation !== undefined) return { decisions, configuration }
    take((move) => isStep(move, step))
    for (const choice of step.choices) {
      // A monitor found something before the handler came to choose.
      if (configuration.violation !== undefined) return { decisions, configuration }
      take(({ decision }) => decision.kind === 'choose' && decision.option === choice)
    }
  }
  return { decisions, configuration }
}

function isStep(move: Move, { machine, from, message }: RetracedStep): boolean {
  if (move.machine.ref !== machine) return false
  if (message === anyMessage) return (move.kind === 'begin' || move.kind === 'arrive') && move.message?.from === from
  if (move.kind === 'begin') return message === undefined
  if (move.kind !== 'arrive') return from === undefined && move.kind !== 'choose'
  const { event, payload } = move.message
  return move.message.from === from && message?.event === event && message?.payload === payload
}
