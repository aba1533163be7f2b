import { expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { full } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

const loaded = await loadText(`
import { Mutex } from 'allways/sync'

export class Later {
  ended = 0
  mutex = new Mutex()
  async hold() { await this.mutex.acquire(); return 0 }
  begin() { void this.count(); return 0 }
  async count() { await this.mutex.acquire(); this.ended = this.ended + 1; this.mutex.release() }
  release() { this.mutex.release(); return 0 }
  async look() { await null; return this.ended }
}`)

test('a call that begins another leaves alone what an earlier call of the same process began', () => {
  const client = '{ hold(); begin(); begin(); release(); look() }'
  const found = search({ ...requestOf(loaded, 'Later', client), criterion: 'outcomes' }, clientOf(client), full)
  // Both wait until the lock is released: none, one or both have gone on by the time the last call looks.
  const outcomes = [0, 1, 2].map((ended) => `n0; n0; n0; n0; n${ended}`)
  expect(found).toMatchObject({ endings: { outcomes } })
})
