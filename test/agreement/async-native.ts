/**
 * The same text in plain Node, on Node's own promises and jobs. Answers are those that the process was given under control; who gets
 * them is decided here, by rules written down a second time: what acts is answered in the order of the calls, a message is taken by the
 * oldest receive that it matches, and nothing else goes on before all jobs are done.
 */
import type { Answered } from '../../src/semantics/coroutine.ts'

export interface Delivered extends Answered {
  readonly from: string | undefined
}

interface Pending {
  readonly kind: string
  readonly takes: (message: unknown, from: string) => boolean
  readonly resolve: (answer: unknown) => void
}

/** A join, once something else is waited for beside it. */
interface PendingJoin extends Pending {
  readonly number: number
}

interface Timer {
  readonly sequence: number
  readonly delay: number
  readonly callback: () => void
}

type Log = (...what: unknown[]) => void

/** What the process logs when it is given these answers; the answers that nobody asked for are told as such. */
export async function runNatively(
  body: string,
  { children, answers }: { readonly children: readonly string[]; readonly answers: readonly Delivered[] },
): Promise<readonly string[]> {
  const lines: string[] = []
  const host = new NativeHost((...what) => lines.push(JSON.stringify(what)))
  await performed(() => host.start(body, children))
  await host.answer(answers, (problem) => lines.push(problem))
  return lines
}

class NativeHost {
  readonly #log: Log
  #acting: Pending[] = []
  #receives: Pending[] = []
  #joins: Pending['resolve'][] = []
  #timers: Timer[] = []
  #sequence = 0

  constructor(log: Log) {
    this.#log = log
  }

  start(body: string, children: readonly string[]): void {
    const act = (kind: string) => () =>
      new Promise((resolve) => this.#acting.push({ kind, takes: () => false, resolve }))
    const receive = (first?: unknown, second?: unknown) =>
      new Promise((resolve) => this.#receives.push({ kind: 'receive', takes: taking(first, second), resolve }))
    const setTimer = (callback: () => void, delay: number) => {
      this.#timers.push({ sequence: this.#sequence++, delay, callback })
    }
    const api = {
      send: act('send'),
      choose: act('choose'),
      spawn: act('spawn'),
      receive,
      join: () => new Promise((resolve) => this.#joins.push(() => resolve(undefined))),
      assert: () => Promise.resolve(),
      to: (at: number) => (at === 0 ? 'main' : `p${at}`),
      setTimeout: setTimer,
      log: this.#log,
    }
    const run = new Function(
      ...Object.keys(api),
      `return (async () => {\n${children.map((child) => `await spawn('${child}')`).join('\n')}\n${body}\n})()`,
    ) as (...given: unknown[]) => Promise<unknown>
    run(...Object.values(api)).catch((error: unknown) => this.#log('failed', error))
  }

  async answer(answers: readonly Delivered[], complain: (problem: string) => void): Promise<void> {
    const left = [...answers]
    for (let goesOn = true; goesOn; ) {
      await performed(() => {
        goesOn = this.#step(left, complain)
      })
    }
  }

  #step(left: Delivered[], complain: (problem: string) => void): boolean {
    const acting = this.#acting[0]
    const isArmed = this.#timers.length > 0
    if (acting !== undefined) {
      const answer = left.shift()
      if (answer?.kind !== acting.kind) return stopped(answer, acting.kind, complain)
      this.#acting.shift()
      acting.resolve(answer.answer)
      return true
    }
    const [join] = this.#joins
    if (join !== undefined) return this.#join(join, left.shift(), complain)
    if (this.#receives.length > 0) {
      const answer = left.shift()
      const kind = isArmed ? 'poll' : 'receive'
      if (answer?.kind !== kind) return stopped(answer, kind, complain)
      return answer.from === undefined ? this.#fire(left) : this.#deliver(answer, complain)
    }
    if (isArmed) return this.#fire(left)
    return stopped(left[0], 'nothing', complain)
  }

  /** Alone as it is; beside something else a process waits in its place, and a message tells of the end. */
  #join(resolve: Pending['resolve'], answer: Delivered | undefined, complain: (problem: string) => void): boolean {
    const isAlone = this.#joins.length === 1 && this.#receives.length === 0 && this.#timers.length === 0
    const kind = isAlone ? 'join' : 'spawn'
    if (answer?.kind !== kind) return stopped(answer, kind, complain)
    this.#joins.shift()
    if (isAlone) resolve(undefined)
    else {
      const taken = this.#receives.map((one) => (one as Partial<PendingJoin>).number)
      let number = 0
      while (taken.includes(number)) number++
      const mark = number === 0 ? '#' : `#${number}`
      const pending: PendingJoin = { kind, number, resolve, takes: (message) => markOf(message) === mark }
      this.#receives.push(pending)
    }
    return true
  }

  #deliver({ answer, from }: Delivered, complain: (problem: string) => void): boolean {
    const at = this.#receives.findIndex(({ takes }) => takes(answer, from as string))
    if (at < 0) complain('a message that nobody takes')
    else this.#receives.splice(at, 1)[0]?.resolve(answer)
    return true
  }

  #mayFire(): readonly Timer[] {
    const surely = (one: Timer, other: Timer): boolean => one.sequence < other.sequence && one.delay <= other.delay
    return this.#timers.filter((timer) => !this.#timers.some((other) => surely(other, timer)))
  }

  #fire(left: Delivered[]): boolean {
    const candidates = this.#mayFire()
    const chosen = candidates.length > 1 ? left.shift() : undefined
    if (candidates.length > 1 && chosen === undefined) return false
    const timer = candidates[chosen === undefined ? 0 : Number.parseInt(String(chosen.answer), 10) - 1]
    this.#timers = this.#timers.filter((one) => one !== timer)
    timer?.callback()
    return true
  }
}

function stopped(answer: Delivered | undefined, wanted: string, complain: (problem: string) => void): false {
  if (answer !== undefined) complain(`${answer.kind} where ${wanted} is asked for`)
  return false
}

function taking(first: unknown, second: unknown): Pending['takes'] {
  const options = typeof first === 'object' ? first : second
  const named = (options as { readonly from?: string } | undefined)?.from
  return (message, from) => {
    if ((named !== undefined && named !== from) || markOf(message) !== undefined) return false
    if (typeof first === 'string') return (message as { readonly kind: string }).kind === first
    return typeof first === 'function' ? (first as (message: unknown) => boolean)(message) : true
  }
}

function markOf(message: unknown): string | undefined {
  return (message as { readonly reply?: { readonly id: string } }).reply?.id
}

/** In a turn of its own, with all jobs that it leaves. */
function performed(action: () => void): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      action()
      setImmediate(resolve)
    })
  })
}
