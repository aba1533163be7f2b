/** Two reductions side by side, each in a thread of its own: the first complete answer counts, the other search is ended. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Result } from '../core/diagnostic.ts'
import type { Reduction } from '../core/verdict.ts'
import { statefulOptions } from '../engines/stateful/options.ts'
import type { ProgramName } from './load-named.ts'
import type { CheckOptions } from './request.ts'
import type { Checked, Progress } from './run.ts'
import { ownFolder } from './source-places.ts'

/** What a thread is given: the program by what leads to it, and what is asked about it. */
export interface MemberData {
  readonly path: string
  readonly program: ProgramName
  readonly options: Omit<CheckOptions, 'signal'>
}

export type MemberMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result<Checked> }

export interface PortfolioOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The code of the threads; the built one unless told otherwise. */
  readonly worker?: string | URL | undefined
  /** What threads that are told to stop may take to say how far they came: one that still loads its file does not listen. */
  readonly patience?: number | undefined
}

/** How the states of a search may be reduced; a portfolio is two of these ways at once. */
export const reductionNames = [...statefulOptions.reduction.values, 'portfolio'] as const

/** Safe sets alone, which cost little per state, and the reduction that explores least. */
const members: readonly Exclude<Reduction, 'portfolio'>[] = ['safe', 'lazy']

/** Milliseconds. */
const usualPatience = 100

/** Undefined: it was interrupted before any thread had anything to say. */
export async function runPortfolio(
  data: MemberData,
  asked: PortfolioOptions = {},
): Promise<Result<Checked> | undefined> {
  const { signal, onProgress, worker = workerFile(), patience = usualPatience } = asked
  const workers = members.map((reduction) => {
    const options = { ...data.options, options: { ...data.options.options, reduction } }
    const workerData: MemberData = { ...data, options }
    return new Worker(worker, { workerData })
  })
  const gone = new AbortController()
  let stop = (): void => {}
  const silence = new Promise<undefined>((resolve) => {
    stop = () => {
      for (const each of workers) each.postMessage('stop')
      delay(patience, undefined, { signal: gone.signal }).then(resolve, () => undefined)
    }
  })
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    return await Promise.race([firstComplete(workers.map((each) => answerOf(each, onProgress))), silence])
  } finally {
    gone.abort()
    signal?.removeEventListener('abort', stop)
    await Promise.all(workers.map((each) => each.terminate()))
  }
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
      else resolve(message.result)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('a thread of the portfolio ended without an answer')))
  })
}

/** Node runs no TypeScript: from the sources, too, the threads run what was built. */
function workerFile(): string {
  const own = ownFolder()
  const file = join(dirname(own), 'dist', 'check', 'worker.js')
  return existsSync(file) ? file : join(own, 'check', 'worker.js')
}
