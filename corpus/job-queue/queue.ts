/** The queue in which a job stays until it is done, and workers take turns. */
import { Mutex } from 'allways/sync'
import type { Attempt, Handle, Job } from './job.ts'

export class JobQueue {
  readonly #handle: Handle
  readonly #maxAttempts: number
  readonly #jobs: Job[] = []
  readonly #turn = new Mutex()

  constructor(handle: Handle, maxAttempts: number) {
    this.#handle = handle
    this.#maxAttempts = maxAttempts
  }

  /** False if the job is in the queue already. */
  add(id: string): boolean {
    if (this.#jobs.some((job) => job.id === id)) return false
    this.#jobs.push({ id, attempts: 0 })
    return true
  }

  /** Runs the next job once and queues it again if it fails; null if there is none. */
  async work(): Promise<Attempt | null> {
    await this.#turn.acquire()
    try {
      const job = this.#jobs[0]
      if (job === undefined) return null
      const attempt = job.attempts + 1
      const outcome = await this.#attempt(job.id, attempt)
      this.#jobs.shift()
      if (outcome === 'again') this.#jobs.push({ id: job.id, attempts: attempt })
      return { job: job.id, attempt, outcome }
    } finally {
      this.#turn.release()
    }
  }

  /** How many jobs are not done yet. */
  size(): number {
    return this.#jobs.length
  }

  async #attempt(id: string, attempt: number): Promise<Attempt['outcome']> {
    try {
      await this.#handle(id, attempt)
      return 'done'
    } catch {
      return attempt === this.#maxAttempts ? 'given up' : 'again'
    }
  }
}
