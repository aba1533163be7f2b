/**
 * When the processes explored from a state are enough (thesis Figure 2.3, UpdateBack).
 *
 * `covers[t]` stands for s.current[t]: the processes that must be explored along with t. It is the whole safe set where
 * s.current[t] has a process outside of it, and where it is not known.
 */
import { isSubset, least } from '../../collections/bit-mask.ts'

/**
 * Processes to choose from next, none when those explored are a source set: some T among them that is not empty has all its
 * covers in T. T is then persistent, and every set that contains a persistent one is a source set.
 */
export function candidates(safe: number, done: number, covers: readonly number[]): number {
  if (done === 0) return safe
  if (done === safe || largestClosed(done, covers) !== 0) return 0
  let union = 0
  for (let left = done; left !== 0; left &= left - 1) union |= covers[least(left)] as number
  return union & ~done
}

/** The union of closed sets is closed, so there is a largest one: what is left without the processes that are not covered. */
function largestClosed(done: number, covers: readonly number[]): number {
  let members = done
  for (let before = -1; before !== members; ) {
    before = members
    for (let left = members; left !== 0; left &= left - 1) {
      const process = least(left)
      if (!isSubset(covers[process] as number, members)) members &= ~(1 << process)
    }
  }
  return members
}
