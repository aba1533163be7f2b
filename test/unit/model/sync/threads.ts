/** Worker threads over shared memory, for tests. */
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import type { Job } from './thread-jobs.ts'

const bundled = build({
  entryPoints: [fileURLToPath(new URL('./thread-jobs.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  write: false,
})

/** Does the job in a thread of its own, and gives what it answers. */
export async function inThread(job: Job): Promise<unknown> {
  const code = (await bundled).outputFiles[0]?.text ?? ''
  return await new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: job })
    worker.on('message', resolve)
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error(`"${job.kind}" ended without an answer`)))
  })
}

export function inThreads(jobs: readonly Job[]): Promise<readonly unknown[]> {
  return Promise.all(jobs.map(inThread))
}

/** Fresh shared memory, all zero. */
export function sharedCells(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * 4))
}

/** Waits until another thread has stored the value there. */
export async function untilStored(cells: Int32Array, index: number, value: number): Promise<void> {
  while (Atomics.load(cells, index) !== value) await setTimeout(1)
}

/** Waits until another thread sleeps on one of the cells, and wakes it; fails if the other one ends instead. */
export async function untilAsleep(cells: Int32Array, other: Promise<unknown>): Promise<void> {
  let hasEnded = false
  void other.finally(() => {
    hasEnded = true
  })
  while (!cells.some((_, index) => Atomics.notify(cells, index) > 0)) {
    if (hasEnded) throw new Error('it did not wait')
    await setTimeout(1)
  }
}
