/** Searches whose units stand for shares of the whole: what was explored and what is left come to 1. */
import type { Rest } from './verdict.ts'

/** A sum may be off by so much for each of its terms, and by no more than that in all. */
const perTerm = 2 ** -52
const mostOff = 1e-6
/** Quotients of quotients: each term is off by itself. */
const deepest = 4_096

/** `explored` is a sum over executions, and over graphs that turned out to be none: of these there are fewer than events. */
export function sharesAddUp({ counts, explored }: Rest, left: readonly number[]): boolean {
  const { executions = 0, blocked = 0, events = 0 } = counts
  const terms = executions + blocked + events + left.length + deepest
  const sum = left.reduce((total, share) => total + share, explored)
  return Math.abs(sum - 1) <= Math.min(mostOff, terms * perTerm)
}
