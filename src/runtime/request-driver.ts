/** Makes the requests that a system declares, in their order, as the test driver of a check does; with pauses between them. */
import type { Random } from '../core/random.ts'
import type { InternalEvent, LocalState, Machines } from '../program/machines.ts'

type Request = Extract<InternalEvent, { kind: 'request' }>

export interface DriverOptions {
  /** Each request waits for a random time up to this; without it none is made. */
  readonly mostMilliseconds: number | undefined
  readonly random: Random
  state(): LocalState
  perform(request: Request): void
}

export class RequestDriver {
  readonly #machines: Machines
  readonly #machine: number
  readonly #options: DriverOptions
  /** Set while a request waits: at most one does, and so requests keep their order. */
  #timeout: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(machines: Machines, machine: number, options: DriverOptions) {
    this.#machines = machines
    this.#machine = machine
    this.#options = options
  }

  /** Which one it is, is decided when it is time: the application may have made requests of its own. */
  next(): void {
    const { mostMilliseconds, random } = this.#options
    const isIdle = mostMilliseconds === undefined || this.#isStopped || this.#timeout !== undefined
    if (isIdle || this.#request() === undefined) return
    this.#timeout = setTimeout(() => this.#perform(), random.below(mostMilliseconds + 1))
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timeout)
  }

  #perform(): void {
    this.#timeout = undefined
    const request = this.#request()
    if (request !== undefined) this.#options.perform(request)
  }

  #request(): Request | undefined {
    return this.#machines.internal(this.#machine, this.#options.state()).find((event) => event.kind === 'request')
  }
}
