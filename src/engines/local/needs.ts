/**
 * What an execution, read backwards from its end, still lacks: messages that were consumed later and must have been sent
 * earlier. The contract of the two networks; needs are numbers, equal ones have equal numbers.
 */
import type { Transition } from './local-space.ts'

export const noNeeds = 0

/** In place of a state: wherever the machine happens to be. */
export const anywhere = -1

export interface Needs {
  /** What is needed before the message is consumed, by who needs the rest afterwards. */
  consumed(needs: number, message: number): number
  /** What may be needed before the transition when the rest is needed after it; several if its messages can serve differently. */
  before(needs: number, transition: Transition): readonly number[]
  /** Whether messages that are under way at the start suffice. */
  metAtStart(needs: number): boolean
  /** Whether all that leads from the start to the larger needs leads to the smaller as well. */
  within(smaller: number, larger: number): boolean
  /** The messages needed, with repetitions, in any order. */
  messages(needs: number): readonly number[]
  /** False if machines in these states cannot have sent the messages needed in the order that the network keeps. */
  canBeInOrder(needs: number, states: readonly number[]): boolean
  /** Whether a machine may have to consume what it ignores, to get at what comes after it. */
  readonly ignoredMatter: boolean
}
