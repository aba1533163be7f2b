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

interface Timer {
  readonly delay: number
  readonly call: Call
}

/** What lets things take time; `$` in the class. */
class Time {
  ready: Call[] = []
  timers: Timer[] = []
  immediates: Call[] = []

  /** A promise that settles as this one does, some time later. */
  later(value: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      Promise.resolve(value).then(
        (result) => this.ready.push(() => resolve(result)),
        (reason) => this.ready.push(() => reject(reason)),
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
    this.ready.push(callback)
  }

  timer(callback: Call, delay: number): void {
    this.timers.push({ delay, call: callback })
  }

  immediate(callback: Call): void {
    this.immediates.push(callback)
  }

  /** Everything that may be next. */
  choices(): Call[] {
    const ready = this.ready.map((call) => () => {
      this.ready = this.ready.filter((one) => one !== call)
      call()
    })
    // One surely fires before another only if it was armed no later, and its delay is no longer.
    const first = this.timers.filter((timer, at) => !this.timers.slice(0, at).some(({ delay }) => delay <= timer.delay))
    const timers = first.map((timer) => () => {
      this.timers = this.timers.filter((one) => one !== timer)
      timer.call()
    })
    const immediates = this.immediates.slice(0, 1).map((call) => () => {
      this.immediates = this.immediates.filter((one) => one !== call)
      call()
    })
    return [...ready, ...timers, ...immediates]
  }
}

type Instance = Record<string, () => unknown>

interface Given {
  /** The expression of a class. */
  readonly text: string
  readonly client: readonly (readonly string[])[]
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

  constructor({ text, client }: Given, prefix: readonly number[]) {
    this.prefix = prefix
    this.#client = client
    this.results = client.map(() => [])
    this.#isBusy = client.map(() => false)
    const made = new Function('$', `return ${text}`) as (time: Time) => new () => Instance
    this.#instance = new (made(this.time))()
  }

  /** Takes the next choice; gives the prefixes of the others, or nothing at the end. */
  step(): readonly (readonly number[])[] | undefined {
    const choices = [...this.#calls(), ...this.time.choices()]
    if (choices.length === 0) return undefined
    const at = this.taken.length
    const chosen = this.prefix[at] ?? 0
    const others = at < this.prefix.length ? [] : choices.slice(1).map((_, index) => [...this.taken, index + 1])
    this.taken.push(chosen)
    choices[chosen]?.()
    return others
  }

  get outcome(): string {
    const waiting = this.#client.flatMap((calls, at) =>
      (this.results[at] as string[]).length < calls.length ? [`p${at + 1}`] : [],
    )
    const texts = this.results.map((each) => each.join('; ')).join(' || ')
    return waiting.length === 0 ? texts : `${texts}, waiting: ${waiting.join(' ')}`
  }

  #calls(): Call[] {
    return this.#client.flatMap((calls, process) => {
      const results = this.results[process] as string[]
      const name = calls[results.length]
      if (name === undefined || this.#isBusy[process] === true) return []
      return [
        () => {
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
        },
      ]
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
