/** Lock programs as processes that use the locks of `allways`. */
import type { AtomicVariable, Lock } from '../../src/core/lock.ts'
import type { Ending } from '../../src/core/property.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { atomic, mutex, program, readWriteLock, semaphore, spawn } from '../../src/index.ts'
import { exploreAll } from './explored.ts'
import { type Action, type LockKind, type LockProgram, lockEnding, type Place } from './lock-program.ts'

/** How executions can end, or nothing if there are too many of them. */
export function endingsOfProcesses(
  engine: Engine<'runnable'> | Engine<'path'>,
  text: LockProgram,
  cap: number,
): readonly string[] | undefined {
  const of = program('locks', function* () {
    const data = yield* atomic('data', 0)
    const locks = { a: yield* made(text, 'a'), b: yield* made(text, 'b') }
    for (const [index, actions] of text.processes.entries()) {
      yield* spawn(`p${index + 1}`, function* () {
        const seen: unknown[] = []
        yield* perform(actions, { data, locks, seen })
        return seen.map((one) => ` ${String(one)}`).join('')
      })
    }
  })
  const view = of.views.runnable?.(settingFrom({ params: {}, network: 'fifo' }))
  if (view === undefined) throw new Error('no runnable view')
  const endings = new Set<string>()
  const violation = (ending: Ending) => {
    endings.add(endingText(ending, text.processes.length))
    return undefined
  }
  const noting = { kind: 'final', sees: 'ending', name: 'noted', violation } as const
  const { stopped, violations } = exploreAll(engine, { ...view, properties: [noting] }, { cap, classes: false })
  if (stopped === 'cap') return undefined
  if (stopped !== undefined || violations.size > 0) throw new Error(stopped ?? [...violations].join('\n'))
  return [...endings].sort()
}

function made({ kind, permits }: LockProgram, name: string) {
  return makers[kind](name, permits)
}

const makers: { readonly [kind in LockKind]: (name: string, permits: number) => Making } = {
  mutex: (name) => mutex(name),
  semaphore: (name, permits) => semaphore(name, permits),
  'read-write lock': (name) => readWriteLock(name),
  atomic: (name) => mutex(name),
}

interface Making {
  [Symbol.iterator](): Iterator<unknown, object, unknown>
}

interface Things {
  readonly data: AtomicVariable<'process', number>
  readonly locks: { readonly [name in 'a' | 'b']: object }
  readonly seen: unknown[]
}

function* perform(actions: readonly Action[], things: Things): Generator<unknown, void, unknown> {
  const { data, seen } = things
  for (const action of actions) {
    switch (action.kind) {
      case 'hold':
        yield* hold(action, things)
        break
      case 'release':
        yield* lockAt(things, action.at).release()
        break
      case 'load':
        seen.push(yield* data.load())
        break
      case 'store':
        yield* data.store(action.values[1])
        break
      case 'exchange':
        seen.push(yield* data.exchange(action.values[1]))
        break
      case 'compareAndSet':
        seen.push(yield* data.compareAndSet(...action.values))
        break
      case 'update':
        seen.push(yield* data.update((value) => value * 2 + action.values[1]))
        break
      case 'getAndAdd':
        seen.push(yield* data.getAndAdd(action.values[1]))
    }
  }
}

function* hold(action: Extract<Action, { kind: 'hold' }>, things: Things): Generator<unknown, void, unknown> {
  const { verb, body, keeps } = action
  const lock = lockAt(things, action.at)
  if (verb === 'run') return yield* lock.run(() => perform(body, things))
  if (verb === 'acquire') yield* lock.acquire()
  else {
    const isTaken = yield* lock.tryAcquire()
    things.seen.push(isTaken)
    if (!isTaken) return
  }
  yield* perform(body, things)
  if (!keeps) yield* lock.release()
}

function lockAt({ locks }: Things, at: Place): Lock<'process'> {
  const [name, side] = at.split('.') as ['a' | 'b', 'read' | 'write' | undefined]
  const lock = locks[name]
  return (side === undefined ? lock : (lock as { readonly [side: string]: unknown })[side]) as Lock<'process'>
}

function endingText({ processes }: Ending, count: number): string {
  const results = Array.from({ length: count }, (_, index) => {
    const process = processes.find(({ id }) => id === `p${index + 1}`)
    return process?.status === 'returned' ? String(process.value) : undefined
  })
  return lockEnding(results)
}
