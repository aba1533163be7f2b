/** A job that calls something: a callback of the program, or work of our own. */
import { currentLoop, type Job } from './loop.ts'

export class CallJob implements Job {
  context: unknown = currentLoop.context
  readonly #call: () => void

  constructor(call: () => void) {
    this.#call = call
  }

  run(): void {
    this.#call()
  }
}
