/** Two reductions side by side, each in a thread of its own: the first complete answer counts, the other search is ended. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Result } from '../../core/diagnostic.ts'
import type { Reduction } from '../../core/verdict.ts'
import { ownFolder } from '../source-places.ts'
import type { ObjectCheckOptions } from './options.ts'
import type { ObjectProgress } from './request.ts'
import type { ObjectChecked } from './run.ts'
import type { ObjectTarget } from './target.ts'

/** What a thread is given. */
export interface MemberData {
  readonly target: ObjectTarget
  readonly options: Omit<ObjectCheckOptions, 'signal'>
}

export type MemberMessage =
  | { readonly kind: 'progress'; readonly progress: ObjectProgress }
  | { readonly kind: 'done'; readonly result: Result<ObjectChecked> }

export interface PortfolioOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ObjectProgress) => void) | undefined
  /** The code of the threads; the built one unless told otherwise. */
  readonly worker?: string | URL | undefined
}

/** Safe sets alone, which cost little per state, and the reduction that explores least. */
const members: readonly Exclude<Reduction, 'portfolio'>[] = ['safe', 'lazy']

export async function runPortfolio(data: MemberData, options: PortfolioOptions = {}): Promise<Result<ObjectChecked>> {
  const { signal, onProgress, worker = workerFile() } = options
  const workers = members.map((reduction) => {
    const workerData: MemberData = { ...data, options: { ...data.options, reduction } }
    return new Worker(worker, { workerData })
  })
  const stop = (): void => {
    for (const each of workers) each.postMessage('stop')
  }
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    return await firstComplete(workers.map((each) => answerOf(each, onProgress)))
  } finally {
    signal?.removeEventListener('abort', stop)
    await Promise.all(workers.map((each) => each.terminate()))
  }
}

/** A complete answer as soon as there is one; else, when all have ended, the one that covers most, or a diagnostic. */
async function firstComplete(answers: readonly Promise<Result<ObjectChecked>>[]): Promise<Result<ObjectChecked>> {
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

function isComplete(result: Result<ObjectChecked>): boolean {
  return result.ok && result.value.verdict.kind !== 'incomplete'
}

function coverage(result: Result<ObjectChecked>): number {
  return result.ok ? (result.value.verdict.counts.clients ?? 0) : -1
}

/** Rejected if the thread ends without having said anything. */
async function answerOf(worker: Worker, onProgress: PortfolioOptions['onProgress']): Promise<Result<ObjectChecked>> {
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
  const file = join(dirname(own), 'dist', 'check', 'objects', 'worker.js')
  return existsSync(file) ? file : join(own, 'check', 'objects', 'worker.js')
}
