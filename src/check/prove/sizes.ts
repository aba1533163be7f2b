/**
 * Small sizes of parameters that range over every size: each on its own, because equal sizes hide what depends on unequal ones; and
 * searches of them, one after the other, for as long as there is time.
 */
import type { BoundedSearch } from '../../core/evidence.ts'
import type { Params } from '../../core/setting.ts'
import type { BudgetName } from '../../core/verdict.ts'
import type { Program } from '../../program/program.ts'

/** Sizes up to here are tried, and at least so many of each. */
const largest = 3
const leastMany = 3

export function smallSizes({ every }: Pick<Program, 'every'>): readonly Params[] {
  let combined: readonly Readonly<Record<string, number>>[] = [{}]
  for (const [name, { least }] of Object.entries(every)) {
    const last = Math.max(largest, least + leastMany - 1)
    const sizes = Array.from({ length: last - least + 1 }, (_, index) => least + index)
    combined = combined.flatMap((before) => sizes.map((size) => ({ ...before, [name]: size })))
  }
  return bySize(combined)
}

/** Smaller ones first; of equal sum, those that are most alike last. */
export function bySize(all: readonly Params[]): readonly Params[] {
  const numbers = (sizes: Params): readonly number[] => Object.values(sizes).map(Number)
  const sum = (sizes: Params): number => numbers(sizes).reduce((a, b) => a + b, 0)
  const spread = (sizes: Params): number => {
    const values = numbers(sizes)
    return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
  }
  return [...all].sort((left, right) => sum(left) - sum(right) || spread(right) - spread(left))
}

/** What came of one size. */
type SizeSearched<Ending> =
  | {
      readonly kind: 'searched'
      readonly isFinished: boolean
      readonly executions: number
      readonly because: BudgetName | undefined
    }
  /** It is not among those that are told of. */
  | { readonly kind: 'untold' }
  /** No further size is searched. */
  | { readonly kind: 'ending'; readonly ending: Ending }

export interface SizesSearch<Ending> {
  readonly milliseconds: number
  readonly now: () => number
  /** Why no further size is searched, if so, after searches of which a budget has ended one. */
  readonly stopped: (because: BudgetName | undefined) => BudgetName | undefined
  readonly isTold: (sizes: Params) => boolean
  readonly search: (sizes: Params, milliseconds: number, index: number) => Promise<SizeSearched<Ending>>
}

/** In this order, as far as the time goes. */
export async function searchSizes<Ending>(
  all: readonly Params[],
  { milliseconds, now, stopped, isTold, search }: SizesSearch<Ending>,
): Promise<BoundedSearch & { readonly ending?: Ending }> {
  const until = now() + milliseconds
  const sizes: Params[] = []
  const unfinished: Params[] = []
  let executions = 0
  let because: BudgetName | undefined
  for (const [index, params] of all.entries()) {
    const left = until - now()
    const stop = stopped(because) ?? (left <= 0 ? 'time' : undefined)
    if (stop !== undefined) {
      because ??= stop
      if (isTold(params)) unfinished.push(params)
      continue
    }
    const found = await search(params, left, index)
    if (found.kind === 'ending') return { sizes, executions, unfinished, because, ending: found.ending }
    if (found.kind === 'untold') continue
    because ??= found.because
    executions += found.executions
    ;(found.isFinished ? sizes : unfinished).push(params)
  }
  return { sizes, executions, unfinished, because }
}
