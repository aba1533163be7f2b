/** What a queue knows of a job, and what one attempt to run it came to. */
export interface Job {
  readonly id: string
  readonly attempts: number
}

export interface Attempt {
  readonly job: string
  readonly attempt: number
  readonly outcome: 'done' | 'again' | 'given up'
}

/** Does the job; throws if it fails. */
export type Handle = (id: string, attempt: number) => Promise<void>
