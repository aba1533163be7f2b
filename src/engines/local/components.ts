/** Strongly connected components of the states of a machine (Tarjan, without recursion: paths are as long as searches are deep). */
import type { LocalSpace, Transition } from './local-space.ts'

export interface Components {
  /** By state. Components are numbered so that transitions lead to equal or greater numbers. */
  readonly of: Int32Array
  /** By component, ascending: every transition out of its states. */
  readonly transitions: readonly (readonly Transition[])[]
}

export function componentsOf(space: LocalSpace): Components {
  const count = space.states.length
  const of = new Int32Array(count).fill(-1)
  const order = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const next = new Int32Array(count)
  const open: number[] = []
  const path: number[] = []
  let [visited, found] = [0, 0]
  const enter = (state: number) => {
    order[state] = low[state] = visited++
    open.push(state)
    path.push(state)
  }
  for (let root = 0; root < count; root++) {
    if (order[root] === -1) enter(root)
    while (path.length > 0) {
      const state = path[path.length - 1] as number
      const transition = space.outOf[state]?.[next[state] as number]
      if (transition !== undefined) {
        next[state] = (next[state] as number) + 1
        const { to } = transition
        if (order[to] === -1) enter(to)
        else if (of[to] === -1) low[state] = Math.min(low[state] as number, order[to] as number)
        continue
      }
      path.pop()
      const before = path[path.length - 1]
      if (before !== undefined) low[before] = Math.min(low[before] as number, low[state] as number)
      if (low[state] !== order[state]) continue
      for (let member = -1; member !== state; ) {
        member = open.pop() as number
        of[member] = found
      }
      found++
    }
  }
  // Tarjan closes components in reverse: those that lead nowhere first.
  for (let state = 0; state < count; state++) of[state] = found - 1 - (of[state] as number)
  const transitions: Transition[][] = Array.from({ length: found }, () => [])
  for (const transition of space.transitions) transitions[of[transition.from] as number]?.push(transition)
  return { of, transitions }
}
