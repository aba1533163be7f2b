import { describe, expect, test } from 'vitest'
import { subjectOf } from '../../../../src/check/objects/subjects.ts'
import type { Client } from '../../../../src/properties/linearizability/client.ts'
import { placeOfSite } from '../../../../src/semantics/memory/code.ts'
import { ObjectWorld } from '../../../../src/semantics/memory/world.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, reduced } from '../../../agreement/object-compare.ts'
import { clientOf } from '../../../agreement/object-search.ts'

const loaded = await loadText(`
import { ReadWriteLock, Mutex, Semaphore } from 'allways/sync'

export class Guarded {
  readonly lock = new ReadWriteLock()
  value = 0
  write() { this.lock.writeLock(); this.value = 1; this.value = 2; this.lock.writeUnlock(); return 0 }
  read() { this.lock.readLock(); const found = this.value; this.lock.readUnlock(); return found }
  /** Asks again while it holds the lock. */
  readTwice() {
    this.lock.readLock()
    const found = this.read()
    this.lock.readUnlock()
    return found
  }
  hold() { this.lock.readLock(); return 0 }
  upgrade() { this.lock.readLock(); this.lock.writeLock(); return 0 }
  end() { try { this.lock.writeUnlock(); return 'ended' } catch { return 'refused' } }
}

export class Awaited {
  readonly lock = new ReadWriteLock()
  value = 0
  async write() { await this.lock.writeLockAsync(); this.value = 1; await null; this.value = 2; this.lock.writeUnlock(); return 0 }
  async read() { await this.lock.readLockAsync(); const found = this.value; this.lock.readUnlock(); return found }
  async readTwice() { await this.lock.readLockAsync(); const found = await this.read(); this.lock.readUnlock(); return found }
}
`)

/** How executions of the client can end, which every search must find. */
function endings(className: string, given: string | Client): readonly string[] {
  const client = typeof given === 'string' ? clientOf(given) : given
  const compared = compare({
    request: { ...requestOf(loaded, className, '{ read() }'), criterion: 'outcomes', deadlock: 'allow' },
    client,
    variants: [...reduced, ...forgetting],
    seed: 1,
    mostTransitions: 50_000,
  })
  if (compared.kind !== 'agree') throw new Error(JSON.stringify(compared))
  return compared.truth.outcomes
}

describe.each(['Guarded', 'Awaited'])('%s by a lock', (className) => {
  test('a reader who asks again after a writer came waits for ever', () => {
    expect(endings(className, '{ readTwice() } || { write() }')).toEqual([
      ' || , waiting: p1 p2',
      'n0 || n0',
      'n2 || n0',
    ])
  })

  test('readers read together, and see nothing of a writer in the middle', () => {
    expect(endings(className, '{ read() } || { read() } || { write() }')).toEqual([
      'n0 || n0 || n0',
      'n0 || n2 || n0',
      'n2 || n0 || n0',
      'n2 || n2 || n0',
    ])
  })

  test('writers do not wait for each other for ever', () => {
    expect(endings(className, '{ write() } || { write(); read() }')).toEqual(['n0 || n0; n2'])
  })
})

test('a reader that wants to write waits for itself', () => {
  expect(endings('Guarded', '{ upgrade() }')).toEqual([', waiting: p1'])
})

test('a writer that waits for readers has nothing to end yet', () => {
  const [setup = []] = clientOf('{ hold() }').processes
  const { processes } = clientOf('{ write() } || { end() }')
  expect(endings('Guarded', { setup, processes })).toEqual([' || "refused", waiting: p1'])
})

test('who waits for ever is told with the line of the call, also in the middle of it', () => {
  const client = '{ hold() } || { write() }'
  const { subject } = subjectOf(requestOf(loaded, 'Guarded', client), clientOf(client), [])
  const walk = new ObjectWorld({ ...subject, isFused: false }).walk()
  for (const process of [0, 1]) while (walk.moves().some((move) => move.process === process)) walk.step(process)
  const [waiting] = walk.ending().waiting
  expect(waiting).toMatchObject({ process: 'p2', operation: 'write', forWhat: 'writeLock()' })
  expect(placeOfSite(waiting?.site ?? -1)).toMatchObject({ line: 7, column: 23 })
})
