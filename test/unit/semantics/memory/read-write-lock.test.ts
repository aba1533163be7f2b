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
  write() { this.lock.write.acquireSync(); this.value = 1; this.value = 2; this.lock.write.release(); return 0 }
  read() { this.lock.read.acquireSync(); const found = this.value; this.lock.read.release(); return found }
  /** Asks again while it holds the lock. */
  readTwice() {
    this.lock.read.acquireSync()
    const found = this.read()
    this.lock.read.release()
    return found
  }
  readOnce() { this.lock.read.acquireSync(); this.lock.read.release(); return 0 }
  tryRead() { return this.lock.read.tryAcquire() }
  tryWrite() { return this.lock.write.tryAcquire() }
  occupy() { this.lock.write.acquireSync(); return 0 }
  hold() { this.lock.read.acquireSync(); return 0 }
  upgrade() { this.lock.read.acquireSync(); this.lock.write.acquireSync(); return 0 }
  end() { try { this.lock.write.release(); return 'ended' } catch { return 'refused' } }
}

export class Awaited {
  readonly lock = new ReadWriteLock()
  value = 0
  async write() { await this.lock.write.acquire(); this.value = 1; await null; this.value = 2; this.lock.write.release(); return 0 }
  async read() { await this.lock.read.acquire(); const found = this.value; this.lock.read.release(); return found }
  async readTwice() { await this.lock.read.acquire(); const found = await this.read(); this.lock.read.release(); return found }
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

test('a writer whose last reader has left has nothing to end before it goes on', () => {
  const { processes } = clientOf('{ readOnce() } || { occupy() } || { end(); hold() }')
  const found = endings('Guarded', { setup: [], processes })
  // Whoever could end the writing finds the writer inside, which does not wait for the reader that comes then.
  expect(found.filter((ending) => ending.includes('ended'))).toEqual(['n0 || n0 || "ended"; n0'])
})

test('who tries has the lock, or not, and does not wait', () => {
  expect(endings('Guarded', '{ tryRead() } || { occupy() }')).toEqual(['f || n0', 't || , waiting: p2'])
  expect(endings('Guarded', '{ hold(); tryWrite() } || { tryRead() }')).toEqual(['n0; f || t'])
  expect(endings('Guarded', '{ tryWrite() } || { tryWrite() }')).toEqual(['f || t', 't || f'])
})

test('who waits for ever is told with the line of the call, also in the middle of it', () => {
  const client = '{ hold() } || { write() }'
  const subject = subjectOf(requestOf(loaded, 'Guarded', client), clientOf(client))
  const walk = new ObjectWorld({ ...subject, isFused: false }).walk()
  for (const process of [0, 1]) while (walk.moves().some((move) => move.process === process)) walk.step(process)
  const [waiting] = walk.ending().waiting
  expect(waiting).toMatchObject({ process: 'p2', operation: 'write', forWhat: 'write.acquireSync()' })
  expect(placeOfSite(waiting?.site ?? -1)).toMatchObject({ line: 7, column: 29 })
})
