/** The contract of the two ways to learn who will depend on an action: remembered futures, or looking through the graph again. */
export interface Foresight {
  /** A component of the graph has been closed. Its states, last met first: edges lead to them or to states closed before. */
  closed(states: readonly number[]): void
  /**
   * Processes that in some explored execution from the closed state perform an action, or are left waiting for one, that
   * depends on the given one (a label in the numbers of that state); its own process is always among them. May stop early,
   * with an incomplete answer, once the answer covers `safe` or contains a process outside of it.
   */
  dependents(state: number, label: number, safe: number): number
}
