/** A queue of jobs with retries. A job that runs is nowhere, so that it can be added again and the queue looks empty. */
import type { Attempt, Handle, Job } from './job.ts'

export class RacyQueue {
  readonly #handle: Handle
  readonly #maxAttempts: number
  readonly #jobs: Job[] = []

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
    const job = this.#jobs.shift()
    if (job === undefined) return null
    const attempt = job.attempts + 1
    try {
      await this.#handle(job.id, attempt)
      return { job: job.id, attempt, outcome: 'done' }
    } catch {
      if (attempt === this.#maxAttempts) return { job: job.id, attempt, outcome: 'given up' }
      this.#jobs.push({ id: job.id, attempts: attempt })
      return { job: job.id, attempt, outcome: 'again' }
    }
  }

  /** How many jobs are not done yet. */
  size(): number {
    return this.#jobs.length
  }
}
