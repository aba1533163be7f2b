/**
 * Whether a check is over before it is done: the one way to ask, of all that is no search of an engine. Searches are ended by their
 * drivers, which ask the same host. Work that takes long is done in slices, between which timers and signals get their turn.
 */
import type { Unhurried } from '../core/unhurried.ts'
import type { BudgetName } from '../core/verdict.ts'
import type { Budget, Host } from '../distribute/driver.ts'

/** What a check may take, and since when. */
export interface Limits {
  readonly host: Host
  readonly startedAt: number
  readonly budget: Pick<Budget, 'milliseconds' | 'bytes'>
  readonly signal?: AbortSignal | undefined
}

export function limitsOf(
  { budget, signal }: Pick<Limits, 'budget' | 'signal'>,
  { host, startedAt }: Pick<Limits, 'host' | 'startedAt'>,
): Limits {
  return { host, startedAt, budget, signal }
}

const sliceMilliseconds = 25
/** What is nearly done when a check is over is worth the wait, as far as nobody notices it. */
const patienceMilliseconds = 75
/** For what comes after something else has had it, in milliseconds. */
export const lessPatience = 25

export function spent({ host, startedAt, budget, signal }: Limits): BudgetName | undefined {
  if (signal?.aborted === true) return 'interrupt'
  if (budget.milliseconds !== undefined && host.now() - startedAt > budget.milliseconds) return 'time'
  return budget.bytes !== undefined && host.memory() > budget.bytes ? 'memory' : undefined
}

/** After timers and signals had their turn. */
export async function spentNow(limits: Limits): Promise<BudgetName | undefined> {
  await limits.host.pause()
  return spent(limits)
}

/** Without the budget of memory: for what takes little, after a search that may have taken all of it. */
export function inTime({ host, startedAt, budget: { milliseconds }, signal }: Limits): Limits {
  return { host, startedAt, budget: { milliseconds }, signal }
}

interface Waiting {
  /** Milliseconds after the end. Work that comes in parts has none left for each of them. */
  readonly patience?: number | undefined
  /** Told between two slices. */
  readonly onPause?: (() => void) | undefined
}

/** The answer; or, if it did not come in time, what is spent. */
export type Ended<Answer> = { readonly answer: Answer } | { readonly spent: BudgetName }

export async function unlessSpent<Answer>(
  work: Unhurried<Answer>,
  limits: Limits,
  { patience = patienceMilliseconds, onPause }: Waiting = {},
): Promise<Ended<Answer>> {
  const { host } = limits
  let pausedAt = host.now()
  let over: { readonly because: BudgetName; readonly since: number } | undefined
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return { answer: value }
    const now = host.now()
    if (now - pausedAt < sliceMilliseconds) continue
    const because = spent(limits)
    if (because !== undefined) over ??= { because, since: now }
    if (over !== undefined && now - over.since >= patience) return { spent: over.because }
    onPause?.()
    await host.pause()
    pausedAt = host.now()
  }
}
