/** Two reductions side by side, each in a thread of its own: the first complete answer counts, the other search is ended. */
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Result } from '../core/diagnostic.ts'
import type { Reduction } from '../core/verdict.ts'
import { statefulOptions } from '../engines/stateful/options.ts'
import type { ProgramName } from './load-named.ts'
import type { CheckOptions } from './request.ts'
import type { Checked, Progress } from './run.ts'
import { threadFile } from './thread-file.ts'

/** What a thread is given: the program by what leads to it, and what is asked about it. */
export interface MemberData {
  readonly path: string
  readonly program: ProgramName
  readonly options: Omit<CheckOptions, 'signal' | 'time'> & { readonly time?: number | undefined }
  /** When the portfolio began, in milliseconds since 1970: loading takes some of its time. */
  readonly since: number
}

export type MemberMessage =
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result<Checked> }

export interface PortfolioOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The code of the threads; the built one unless told otherwise. */
  readonly worker?: string | URL | undefined
  /** What threads that have begun to search may take to say how far they came when they are told to stop. */
  readonly patience?: number | undefined
}

/** How the states of a search may be reduced; a portfolio is two of these ways at once. */
export const reductionNames = [...statefulOptions.reduction.values, 'portfolio'] as const

/** Safe sets alone, which cost little per state, and the reduction that explores least. */
const members: readonly Exclude<Reduction, 'portfolio'>[] = ['safe', 'lazy']

/** Milliseconds. */
const usualPatience = 100
/** Of timers. */
const longestDelay = 2 ** 31 - 1

/**
 * Undefined: it was interrupted, or its time was over, before any thread had anything to say. Threads that still load their file do not
 * listen, and nobody waits for them.
 */
export async function runPortfolio(
  data: Omit<MemberData, 'since'>,
  asked: PortfolioOptions = {},
): Promise<Result<Checked> | undefined> {
  const { signal, worker = threadFile() } = asked
  if (signal?.aborted === true) return undefined
  const since = Date.now()
  const workers = members.map((reduction) => {
    const options = { ...data.options, options: { ...data.options.options, reduction } }
    const workerData: MemberData = { ...data, options, since }
    return new Worker(worker, { workerData })
  })
  const over = new AbortController()
  try {
    const answers = firstComplete(workers.map((each) => answerOf(each, asked.onProgress)))
    return await Promise.race([answers, unheeded(workers, { ...asked, time: data.options.time, over: over.signal })])
  } finally {
    over.abort()
    // Ending a thread that loads takes as long as what it is at, and the answer does not wait for it.
    for (const each of workers) void each.terminate()
  }
}

interface Patience extends Pick<PortfolioOptions, 'signal' | 'patience'> {
  readonly time: number | undefined
  /** Nobody asks any more. */
  readonly over: AbortSignal
}

/** When there is no answer to wait for any more. Threads that have begun look at the time themselves. */
function unheeded(
  workers: readonly Worker[],
  { signal, patience = usualPatience, time, over }: Patience,
): Promise<undefined> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined)
    const after = (milliseconds: number, act: () => void): void => {
      delay(milliseconds, undefined, { signal: over }).then(act, () => undefined)
    }
    let hasBegun = false
    const note = ({ kind }: MemberMessage): void => {
      hasBegun ||= kind === 'begun'
    }
    const stop = (): void => {
      for (const each of workers) each.postMessage('stop')
      if (hasBegun) after(patience, giveUp)
      else giveUp()
    }
    for (const each of workers) each.on('message', note)
    signal?.addEventListener('abort', stop, { signal: over })
    if (time !== undefined) after(Math.min(time, longestDelay), () => hasBegun || giveUp())
  })
}

/** A complete answer as soon as there is one; else, when all have ended, the one that covers most, or a diagnostic. */
async function firstComplete(answers: readonly Promise<Result<Checked>>[]): Promise<Result<Checked>> {
  try {
    return await Promise.any(
      answers.map(async (answer) => {
        const result = await answer
        if (!isComplete(result)) throw new Error('not complete')
        return result
      }),
    )
  } catch {
    const settled = await Promise.allSettled(answers)
    const given = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [best] = given.sort((left, right) => coverage(right) - coverage(left))
    if (best !== undefined) return best
    throw settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))[0]
  }
}

function isComplete(result: Result<Checked>): boolean {
  return result.ok && result.value.verdict.kind !== 'incomplete'
}

function coverage(result: Result<Checked>): number {
  return result.ok ? (result.value.verdict.counts.clients ?? 0) : -1
}

/** Rejected if the thread ends without having said anything. */
async function answerOf(worker: Worker, onProgress: PortfolioOptions['onProgress']): Promise<Result<Checked>> {
  return await new Promise((resolve, reject) => {
    worker.on('message', (message: MemberMessage) => {
      if (message.kind === 'progress') onProgress?.(message.progress)
      else if (message.kind === 'done') resolve(message.result)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('a thread of the portfolio ended without an answer')))
  })
}
