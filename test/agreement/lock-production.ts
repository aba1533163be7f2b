/** Lock programs as async functions over the locks that run in production, in every order in which they can take their steps. */
import { setImmediate } from 'node:timers/promises'
import { Atomic, Mutex, ReadWriteLock, Semaphore } from '../../src/model/sync/sync.ts'
import type { SyncLock } from '../../src/model/sync/sync-lock.ts'
import { type Action, type LockKind, type LockProgram, lockEnding, type Place } from './lock-program.ts'

/** How runs can end, or nothing if there are more of them. */
export async function endingsInProduction(text: LockProgram, most: number): Promise<readonly string[] | undefined> {
  const endings = new Set<string>()
  let prefix: readonly number[] | undefined = []
  for (let runs = 0; prefix !== undefined; runs++) {
    if (runs === most) return undefined
    const { ending, choices } = await run(text, prefix)
    endings.add(ending)
    prefix = following(choices)
  }
  return [...endings].sort()
}

interface Choice {
  readonly taken: number
  readonly of: number
}

/** The choices after which the next run differs for the first time from this one. */
function following(choices: readonly Choice[]): readonly number[] | undefined {
  const last = choices.findLastIndex(({ taken, of }) => taken + 1 < of)
  if (last < 0) return undefined
  return choices.slice(0, last + 1).map(({ taken }, index) => (index === last ? taken + 1 : taken))
}

async function run(
  text: LockProgram,
  prefix: readonly number[],
): Promise<{ readonly ending: string; readonly choices: readonly Choice[] }> {
  const parked = new Map<number, () => void>()
  const results: (string | undefined)[] = text.processes.map(() => undefined)
  const locks = { a: makers[text.kind](text.permits), b: makers[text.kind](text.permits) }
  const data = new Atomic(0)
  for (const [index, actions] of text.processes.entries()) {
    const turn = () => new Promise<void>((resolve) => parked.set(index, resolve))
    const process = new Runner({ locks, data, turn })
    void process.perform(actions).then(() => {
      results[index] = process.seen
    })
  }
  const choices: Choice[] = []
  for (;;) {
    // All that can happen without another turn has happened.
    await setImmediate()
    const ready = [...parked.keys()].sort()
    if (ready.length === 0) return { ending: lockEnding(results), choices }
    const taken = prefix[choices.length] ?? 0
    const chosen = ready[taken] as number
    choices.push({ taken, of: ready.length })
    const go = parked.get(chosen)
    parked.delete(chosen)
    go?.()
  }
}

const makers: { readonly [kind in LockKind]: (permits: number) => object } = {
  mutex: () => new Mutex(),
  semaphore: (permits) => new Semaphore(permits),
  'read-write lock': () => new ReadWriteLock(),
  atomic: () => new Mutex(),
}

interface Things {
  readonly locks: { readonly [name in 'a' | 'b']: object }
  readonly data: Atomic<number>
  /** Settles when it is the process's turn. */
  turn(): Promise<void>
}

class Runner {
  readonly #things: Things
  seen = ''

  constructor(things: Things) {
    this.#things = things
  }

  async perform(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      await this.#things.turn()
      if (action.kind === 'hold') await this.#hold(action)
      else if (action.kind === 'release') this.#release(this.#lockAt(action.at))
      else this.#access(action)
    }
  }

  async #hold({ at, verb, body, keeps }: Extract<Action, { kind: 'hold' }>): Promise<void> {
    const lock = this.#lockAt(at)
    if (verb === 'run') return await lock.run(() => this.#inside(body))
    if (verb === 'acquire') await lock.acquire()
    else {
      const isTaken = lock.tryAcquire()
      this.seen += ` ${isTaken}`
      if (!isTaken) return
    }
    if (keeps) return await this.perform(body)
    await this.#inside(body)
    this.#release(lock)
  }

  /** Leaving is a step of its own. */
  async #inside(body: readonly Action[]): Promise<void> {
    await this.perform(body)
    await this.#things.turn()
  }

  #release(lock: SyncLock): void {
    try {
      lock.release()
    } catch {
      this.seen += ' refused'
    }
  }

  #access({ kind, values }: Exclude<Action, { kind: 'hold' | 'release' }>): void {
    const { data } = this.#things
    const [first, second] = values
    const calls: { readonly [verb in typeof kind]: () => unknown } = {
      load: () => data.load(),
      store: () => data.store(second),
      exchange: () => data.exchange(second),
      compareAndSet: () => data.compareAndSet(first, second),
      update: () => data.update((value) => value * 2 + second),
      getAndAdd: () => data.getAndAdd(second),
    }
    const result = calls[kind]()
    if (kind !== 'store') this.seen += ` ${String(result)}`
  }

  #lockAt(at: Place): SyncLock {
    const [name, side] = at.split('.') as ['a' | 'b', 'read' | 'write' | undefined]
    const lock = this.#things.locks[name]
    return (side === undefined ? lock : (lock as { readonly [side: string]: unknown })[side]) as SyncLock
  }
}
