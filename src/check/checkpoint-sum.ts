/** Whether a checkpoint adds up: what it says was explored and what it says is left must be all of one search. */
import type { Options } from '../core/options.ts'
import { type CountedAs, exploredIn, type Rest } from '../core/verdict.ts'
import { engines } from '../engines/registry.ts'

/** No search counts so far; and sums of what is below are exact. */
const beyondCounting = 2 ** 50
const roundingOff = 1e-9
/** One word, whichever engine counts. */
const countName = /^[a-z][a-zA-Z]*$/

interface Saved extends Rest {
  readonly engine: string
  readonly options: Options
}

/** Of a search that left units. */
export function unitsAddUp({ engine, options, ...rest }: Saved): boolean {
  const split = engines.find(({ name, units }) => name === engine && units === 'split')
  return countsAddUp(rest, split?.counted) && (split?.addsUp?.(rest, options) ?? true)
}

/** Of the check of a class: settings come in one order, and so many of them are done. */
export function settingsAddUp(
  rest: Rest,
  { counted, outOf }: { readonly counted: CountedAs; readonly outOf: number },
): boolean {
  const done = exploredIn(rest.counts, counted)
  return countsAddUp(rest, counted) && done < outOf && Math.abs(rest.explored - done / outOf) <= roundingOff
}

/** What is explored is counted. The longest execution is one of those whose events are counted. */
function countsAddUp({ counts, explored }: Rest, counted: CountedAs | undefined): boolean {
  const { longest = 0, events = 0, executions = 0, blocked = 0 } = counts
  // One of them is the longest, and all have events; a search may also stop in its first one.
  const isMeasured = executions + blocked === 0 || (counts.longest !== undefined && counts.events !== undefined)
  const { names = [], isOneOf } = counted ?? {}
  const known = names.filter((name) => Object.hasOwn(counts, name)).length
  const isCounted = known === (isOneOf === true ? 1 : names.length)
  const isBegun = explored > 0 || Object.keys(counts).length > 0
  const isPlain = Object.entries(counts).every(([name, count]) => countName.test(name) && count < beyondCounting)
  return (isCounted || !isBegun) && isMeasured && longest <= events && isPlain
}
