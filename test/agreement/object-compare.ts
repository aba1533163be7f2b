/**
 * Compares every variant of the stateful search with the full search of the same client. With the criterion 'outcomes' both see
 * the same endings. With 'linearizable' the histories differ by design, since a search with safe sets makes calls as late
 * and returns from them as early as it can; but results that are wrong in some history of one are wrong in some of the other.
 */
import type { JudgedClass } from '../../src/check/objects/subjects.ts'
import { Random } from '../../src/core/random.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import type { StatefulSetting } from '../stateful-setting.ts'
import { type Endings, type Searched, search, settingText } from './object-search.ts'

export const full: StatefulSetting = { reduction: 'none', static: true, stateless: false, order: 'sequential' }

/** Every reduction, with and without safe sets, in both orders. */
export const reduced: readonly StatefulSetting[] = (['safe', 'eager', 'lazy'] as const).flatMap((reduction) =>
  [true, false].flatMap((isStatic) =>
    (['sequential', 'random'] as const).map((order) => ({ reduction, static: isStatic, stateless: false, order })),
  ),
)

/** A search without memory of states that takes longer is given up. */
const mostForgetful = 1_000

/** Without memory of states. */
export const forgetting: readonly StatefulSetting[] = [full, ...reduced]
  .filter(({ order }) => order === 'sequential')
  .map((setting) => ({ ...setting, stateless: true }))

export interface Comparison {
  readonly request: JudgedClass
  readonly client: Client
  readonly variants: readonly StatefulSetting[]
  readonly seed: number
  /** For the full search. */
  readonly mostTransitions: number
}

export type Compared =
  | { readonly kind: 'agree'; readonly truth: Endings; readonly forgetful: number; readonly lazy: number | undefined }
  | { readonly kind: 'disagree'; readonly problem: string }
  | { readonly kind: 'too large' }

export function compare({ request, client, variants, seed, mostTransitions }: Comparison): Compared {
  const asked = { ...request, seed }
  const truth = search(asked, client, full, mostTransitions)
  if (truth.kind === 'too large') return truth
  let forgetful = 0
  let lazy: number | undefined
  for (const setting of variants) {
    const found = attempted(() => search(asked, client, setting, setting.stateless ? mostForgetful : undefined))
    if (typeof found === 'string') return { kind: 'disagree', problem: `${settingText(setting)}: ${found}` }
    if (found.kind === 'too large') continue
    if (setting.stateless) forgetful++
    if (setting.reduction === 'lazy' && setting.static && !setting.stateless) lazy = found.endings.counts.transitions
    const problem = difference(truth.endings, found.endings)
    if (problem !== undefined)
      return { kind: 'disagree', problem: `${settingText(setting)}, ${request.criterion}: ${problem}` }
  }
  return { kind: 'agree', truth: truth.endings, forgetful, lazy }
}

/** The full search is known to be possible: whatever another one complains about is its own mistake. */
function attempted(run: () => Searched): Searched | string {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

export function difference(truth: Endings, found: Endings): string | undefined {
  return differing(truth.outcomes, found.outcomes) ?? differing(truth.violations, found.violations)
}

function differing(truth: readonly string[], found: readonly string[]): string | undefined {
  const missed = truth.find((each) => !found.includes(each))
  if (missed !== undefined) return `misses ${missed}`
  const invented = found.find((each) => !truth.includes(each))
  return invented === undefined ? undefined : `invents ${invented}`
}

/** Some of the variants, drawn from a seed. */
export function some(variants: readonly StatefulSetting[], count: number, seed: number): readonly StatefulSetting[] {
  return new Random(seed).shuffle(variants).slice(0, count)
}
