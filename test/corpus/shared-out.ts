import { isQuick, isRest, oneIn } from '../amount.ts'
import type { ProveCase } from './prove-cases.ts'

/** One in six of them quickly, and quickly none of what takes longest; a third of them for a change. */
export function sharedOut(cases: readonly ProveCase[]): readonly ProveCase[] {
  const [large, small] = [true, false].map((isLarge) => cases.filter(({ folder }) => (folder === 'theque') === isLarge))
  return [...oneIn(6, small ?? []), ...(isQuick ? [] : isRest ? (large ?? []) : oneIn(6, large ?? []))]
}
