/** What happens between states of the search that handles whole messages at once. */
import type { MonitorState } from '../../../semantics/ir/configuration.ts'
import type { ChoiceGraph } from './choice-graph.ts'
import type { Ending, Outcomes } from './outcomes.ts'

/** What monitors are, and who moves by itself and what is under way otherwise: pairs as `pending` has them. */
export interface Around {
  readonly watching: readonly MonitorState[]
  readonly pending: readonly (readonly [slot: number, entry: number])[]
}

/** A handler that may go on for ever, and what there is around it where it chooses. */
export interface Loop {
  readonly move: Move
  readonly places: readonly (ChoiceGraph['places'][number] & { readonly around: Around | undefined })[]
}

/** What may happen in the loaded state, be it that it has several ways to go. */
export interface Move {
  /** Who moves. */
  readonly slot: number
  readonly input: number
  /** Whose message it is, and what that one has under way then; -1 if the machine moves by itself. */
  readonly sender: number
  readonly rest: number
  /** The message with its target; -1 without. */
  readonly entry: number
}

/** A move, and all that may become of it, once that was asked for. */
export interface Moving extends Move {
  outcomes: Outcomes | undefined
}

/** A way out of the loaded state. */
export interface SpaceStep {
  readonly move: Move
  /** What the machine that moves is then. */
  readonly local: number
  readonly ending: Ending
}

/** All of a step that the reference semantics has to know. */
export interface Retraceable {
  readonly move: Move
  readonly ending: Pick<Ending, 'choices'>
}
