/**
 * What plain Node can do: the class really runs, with real promises, and whatever may take time waits for a deferred promise. Whenever
 * all jobs are done, one of those that are ready is settled; every order of that is tried. Nothing of this project takes part.
 */

import { resultText, thrownText } from '../jobs/result-text.ts'

export interface Oracle {
  /** Results of all calls, by process, and who waits for ever. */
  readonly outcomes: readonly string[]
  readonly schedules: number
}

type Call = () => void

/** Something that may be next, and for which process of the client it goes on. */
interface Choice {
  readonly process: number
  readonly call: Call
}

interface Timer {
  readonly process: number
  readonly delay: number
  readonly call: Call
}

/** What lets things take time; `$` in the class. */
class Time {
  ready: Choice[] = []
  timers: Timer[] = []
  immediates: Choice[] = []
  /** For whom the choice was that was taken last: all jobs that come of it are done before the next one. */
  acting = 0

  /** A promise that settles as this one does, some time later. */
  later(value: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      Promise.resolve(value).then(
        (result) => this.call(() => resolve(result)),
        (reason) => this.call(() => reject(reason)),
      )
    })
  }

  atLast(promise: unknown, callback: () => unknown): Promise<unknown> {
    const wait = (given: unknown): unknown =>
      typeof (given as { then?: unknown } | undefined)?.then === 'function' ? this.later(given) : given
    const after = async (go: () => unknown): Promise<unknown> => {
      const given = wait(callback())
      if (given instanceof Promise) await given
      return go()
    }
    return this.later(promise).then(
      (value) => after(() => value),
      (reason) =>
        after(() => {
          throw reason
        }),
    )
  }

  /** Whatever a loop with await is given takes time. */
  each(iterable: AsyncGenerator<unknown> | Iterable<unknown>): unknown {
    if (Symbol.asyncIterator in iterable) {
      const step = {
        next: () => this.later(iterable.next()),
        return: () => this.later(iterable.return(this.later(undefined))),
      }
      return { [Symbol.asyncIterator]: () => step }
    }
    const iterator = iterable[Symbol.iterator]()
    const late = ({ value, done }: IteratorResult<unknown>) => ({ value: this.later(value), done })
    const step = {
      next: () => late(iterator.next()),
      return: () => late(iterator.return?.() ?? { value: undefined, done: true }),
    }
    return { [Symbol.iterator]: () => step }
  }

  call(callback: Call): void {
    this.ready.push({ process: this.acting, call: callback })
  }

  timer(callback: Call, delay: number): void {
    this.timers.push({ process: this.acting, delay, call: callback })
  }

  immediate(callback: Call): void {
    this.immediates.push({ process: this.acting, call: callback })
  }

  /** Everything that may be next. */
  choices(): Choice[] {
    const ready = this.ready.map((choice) =>
      taking(choice, () => {
        this.ready = this.ready.filter((one) => one !== choice)
      }),
    )
    // One surely fires before another only if it was armed no later, and its delay is no longer.
    const first = this.timers.filter((timer, at) => !this.timers.slice(0, at).some(({ delay }) => delay <= timer.delay))
    const timers = first.map((timer) =>
      taking(timer, () => {
        this.timers = this.timers.filter((one) => one !== timer)
      }),
    )
    const immediates = this.immediates.slice(0, 1).map((choice) =>
      taking(choice, () => {
        this.immediates = this.immediates.filter((one) => one !== choice)
      }),
    )
    return [...ready, ...timers, ...immediates]
  }
}

function taking({ process, call }: Choice, take: () => void): Choice {
  const taken = (): void => {
    take()
    call()
  }
  return { process, call: taken }
}

type Instance = Record<string, () => unknown>

interface Given {
  /** The expression of a class. */
  readonly text: string
  readonly client: readonly (readonly string[])[]
  /** Processes by their numbers: one goes on until the next one does. Without, every order is tried. */
  readonly order?: readonly number[] | undefined
}

/** One run under way. */
class Run {
  readonly time = new Time()
  readonly prefix: readonly number[]
  readonly taken: number[] = []
  readonly results: string[][]
  readonly #client: Given['client']
  readonly #instance: Instance
  readonly #isBusy: boolean[]
  readonly #order: Given['order']
  /** Whose turn it is in that order. */
  #turn = 0

  constructor({ text, client, order }: Given, prefix: readonly number[]) {
    this.prefix = prefix
    this.#client = client
    this.#order = order
    this.results = client.map(() => [])
    this.#isBusy = client.map(() => false)
    const made = new Function('$', `return ${text}`) as (time: Time) => new () => Instance
    this.#instance = new (made(this.time))()
  }

  /** Takes the next choice; gives the prefixes of the others, or nothing at the end. */
  step(): readonly (readonly number[])[] | undefined {
    const choices = [...this.#calls(), ...this.time.choices()].filter(({ process }) => this.#mayGoOn(process))
    if (choices.length === 0) return undefined
    const at = this.taken.length
    const chosen = this.prefix[at] ?? 0
    const others = at < this.prefix.length ? [] : choices.slice(1).map((_, index) => [...this.taken, index + 1])
    this.taken.push(chosen)
    const choice = choices[chosen]
    if (choice === undefined) return others
    if (this.#order !== undefined && this.#order[this.#turn] !== choice.process) this.#turn++
    this.time.acting = choice.process
    choice.call()
    return others
  }

  #mayGoOn(process: number): boolean {
    const order = this.#order
    return order === undefined || order.slice(this.#turn, this.#turn + 2).includes(process)
  }

  get outcome(): string {
    const waiting = this.#client.flatMap((calls, at) =>
      (this.results[at] as string[]).length < calls.length ? [`p${at + 1}`] : [],
    )
    const texts = this.results.map((each) => each.join('; ')).join(' || ')
    return waiting.length === 0 ? texts : `${texts}, waiting: ${waiting.join(' ')}`
  }

  #calls(): Choice[] {
    return this.#client.flatMap((calls, process) => {
      const results = this.results[process] as string[]
      const name = calls[results.length]
      if (name === undefined || this.#isBusy[process] === true) return []
      const call = (): void => {
        this.#isBusy[process] = true
        const ended = (text: string): void => {
          this.#isBusy[process] = false
          results.push(text)
        }
        // What a caller gets is settled at once: others go on at any time before or after it.
        const called = new Promise((resolve) => resolve(this.#instance[name]?.()))
        called.then(
          (value) => ended(resultText(value)),
          (error) => ended(thrownText(error)),
        )
      }
      return [{ process, call }]
    })
  }
}

const together = 256

/** Nothing if there are too many schedules. */
export async function oracleOf(given: Given, most: number): Promise<Oracle | undefined> {
  const outcomes = new Set<string>()
  const left: (readonly number[])[] = [[]]
  let schedules = 0
  while (left.length > 0) {
    let runs = left.splice(Math.max(0, left.length - together)).map((prefix) => new Run(given, prefix))
    schedules += runs.length
    if (schedules + left.length > most) return undefined
    await drained()
    while (runs.length > 0) {
      const going: Run[] = []
      for (const run of runs) {
        const others = run.step()
        if (others === undefined) outcomes.add(run.outcome)
        else {
          left.push(...others)
          going.push(run)
        }
      }
      if (left.length > most) return undefined
      runs = going
      // All jobs of all of them.
      await drained()
    }
  }
  return { outcomes: [...outcomes].sort(), schedules }
}

function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
