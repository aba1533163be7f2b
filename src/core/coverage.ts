/** What executions have shown of the machines of a program: states that were entered, and events that were handled in them. */

export interface CoveredMachine {
  readonly name: string
  /** A scenario is a monitor that says what was covered, and asks for nothing. */
  readonly kind: 'machine' | 'monitor' | 'scenario'
  readonly states: readonly CoveredState[]
  /** Of a scenario: whether it came to a state that is cold. */
  readonly isCovered?: boolean | undefined
}

export interface CoveredState {
  readonly name: string
  readonly entered: boolean
  /** Events that it has handlers for, by whether one was run; those that it defers or ignores are in neither. */
  readonly handled: readonly string[]
  readonly neverHandled: readonly string[]
}
