import { expect, test } from 'vitest'
import { Stack } from '../../../corpus/afek-stack/stack.ts'
import { SwapStack } from '../../../corpus/afek-stack/swap-stack.ts'
import { ForgetfulPool, RacyPool } from '../../../corpus/connection-pool/broken.ts'
import type { Connection } from '../../../corpus/connection-pool/connection.ts'
import { ConnectionPool } from '../../../corpus/connection-pool/pool.ts'
import { RacyQueue } from '../../../corpus/job-queue/broken.ts'
import { JobQueue } from '../../../corpus/job-queue/queue.ts'
import { RacyCache } from '../../../corpus/lru-cache/broken.ts'
import { LruCache } from '../../../corpus/lru-cache/cache.ts'
import { RacyLimiter } from '../../../corpus/rate-limiter/broken.ts'
import { RateLimiter } from '../../../corpus/rate-limiter/limiter.ts'
import { SettingsCache } from '../../../examples/cache.ts'

test.each([
  ['racy', RacyCache],
  ['right', LruCache],
])('a cache (%s) loads once, remembers, and drops what was used least recently', async (_, Cache) => {
  const cache = new Cache(2, async (key) => `loaded ${key}`)
  expect(await cache.get('a')).toBe('loaded a')
  expect(await cache.get('b')).toBe('loaded b')
  expect(await cache.get('a')).toBe('loaded a')
  expect(cache.stats()).toEqual({ loads: 2, keys: ['b', 'a'] })
  expect(cache.put('c', 'put')).toBe('b')
  expect(cache.put('a', 'put')).toBe(null)
  expect(await cache.get('a')).toBe('put')
  expect(await cache.get('b')).toBe('loaded b')
  expect(cache.stats()).toEqual({ loads: 3, keys: ['a', 'b'] })
})

test('the cache asks again for what could not be loaded, and keeps what was put meanwhile', async () => {
  let fails = true
  const cache = new LruCache(2, async (key) => {
    if (fails) throw new Error(`no ${key}`)
    return `loaded ${key}`
  })
  await expect(cache.get('a')).rejects.toThrow('no a')
  const loading = cache.get('b')
  cache.put('b', 'put')
  await expect(loading).rejects.toThrow('no b')
  fails = false
  expect(await cache.get('a')).toBe('loaded a')
  expect(await cache.get('b')).toBe('put')
})

/** Numbers its connections. */
function server(): { opened: number; connect(): Promise<Connection> } {
  return {
    opened: 0,
    async connect() {
      const id = ++this.opened
      return { id, query: async (text) => `${text} by ${id}` }
    },
  }
}

test.each([
  ['racy', RacyPool],
  ['forgetful', ForgetfulPool],
  ['right', ConnectionPool],
])('a pool (%s) opens a connection when it has none to lend', async (_, Pool) => {
  const source = server()
  const pool = new Pool(() => source.connect(), 2)
  expect(pool.size()).toBe(0)
  const first = await pool.acquire()
  const second = await pool.acquire()
  expect([first.id, second.id]).toEqual([1, 2])
  const third = pool.acquire()
  await pool.release(first)
  expect((await third).id).toBe(1)
  await pool.release(second)
  expect(await pool.query('select 1')).toBe('select 1 by 2')
  expect(pool.size()).toBe(2)
})

test('the pool gives back a connection whose query fails', async () => {
  const pool = new ConnectionPool(async () => ({ id: 1, query: async (text) => failUnless(text !== 'bad', text) }), 1)
  await expect(pool.query('bad')).rejects.toThrow('bad')
  expect(await pool.query('good')).toBe('good')
})

test('the pool lets the next one try when a connection cannot be opened', async () => {
  let attempts = 0
  const pool = new ConnectionPool(async () => {
    const id = ++attempts
    await undefined
    return { id: Number(failUnless(id > 2, String(id))), query: async (text) => `${text} by ${id}` }
  }, 1)
  const answers = await Promise.allSettled([pool.query('a'), pool.query('b'), pool.query('c')])
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message))).toEqual([
    '1',
    '2',
    'c by 3',
  ])
  expect(pool.size()).toBe(1)
})

function failUnless(condition: boolean, text: string): string {
  if (!condition) throw new Error(text)
  return text
}

test.each([
  ['racy', RacyLimiter],
  ['right', RateLimiter],
])('a limiter (%s) lets everybody have as many tokens as the bucket holds', async (_, Limiter) => {
  const values = new Map<string, number>()
  const store = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: number) => {
      values.set(key, value)
    },
  }
  const limiter = new Limiter(store, 2)
  expect(await limiter.tryTake('ann')).toBe(true)
  expect(await limiter.tryTake('ann')).toBe(true)
  expect(await limiter.tryTake('ann')).toBe(false)
  expect(await limiter.remaining('ben')).toBe(2)
  expect(await limiter.refill('ann', 1)).toBe(1)
  expect(await limiter.refill('ann', 5)).toBe(2)
  expect(await limiter.remaining('ann')).toBe(2)
})

test.each([
  ['racy', RacyQueue],
  ['right', JobQueue],
])('a queue (%s) runs jobs in order and tries again behind the others', async (_, Queue) => {
  const queue = new Queue(async (id, attempt) => {
    if (id === 'a' || attempt === 1) throw new Error(id)
  }, 2)
  expect([queue.add('a'), queue.add('b'), queue.add('a')]).toEqual([true, true, false])
  expect(queue.size()).toBe(2)
  expect(await queue.work()).toEqual({ job: 'a', attempt: 1, outcome: 'again' })
  expect(queue.add('a')).toBe(false)
  expect(await queue.work()).toEqual({ job: 'b', attempt: 1, outcome: 'again' })
  expect(await queue.work()).toEqual({ job: 'a', attempt: 2, outcome: 'given up' })
  expect(await queue.work()).toEqual({ job: 'b', attempt: 2, outcome: 'done' })
  expect(await queue.work()).toBe(null)
  expect(queue.size()).toBe(0)
  expect(queue.add('a')).toBe(true)
})

test.each([
  ['of the figure', Stack],
  ['with swaps', SwapStack],
])('a stack (%s) gives back the last item first, and null when it is empty', (_, AfekStack) => {
  const stack = new AfekStack<string>()
  expect(stack.pop()).toBe(null)
  stack.push('a')
  stack.push('b')
  expect(stack.pop()).toBe('b')
  stack.push('c')
  expect([stack.pop(), stack.pop(), stack.pop()]).toEqual(['c', 'a', null])
})

test('settings are loaded once and then kept', async () => {
  const asked: string[] = []
  const cache = new SettingsCache(async (name) => {
    asked.push(name)
    return 'light'
  })
  expect(await cache.get('theme')).toBe('light')
  expect(await cache.get('theme')).toBe('light')
  expect(asked).toEqual(['theme'])
  cache.set('theme', 'dark')
  expect(await cache.get('theme')).toBe('dark')
})
