/** The cache, the blob store and the clock of `allways/services`: what they may do, counted by hand. */
import { describe, expect, test } from 'vitest'
import { found } from './checked.ts'

const holds = (executions: number) => ({ verdict: 'verified', executions, told: '' })

describe('a cache', () => {
  const made = (evictions: number) => `const kept = await cache({ evictions: ${evictions} })`
  test.each([
    // Nothing is chosen where nothing may be gone.
    ['evicts nothing', 0, `await kept.set('a', 1); await assert((await kept.get('a')) === 1)`, 1],
    // Both times there; gone the second time; gone from the first time on.
    ['evicts once', 1, `await kept.set('a', 1); await kept.get('a'); await kept.get('a')`, 3],
    // What is written over is not looked at.
    ['is not asked by set', 5, `await kept.set('a', 1); await kept.set('a', 2)`, 1],
    // With one eviction: a is gone, or b is, or neither; with two, both may be.
    [
      'evicts one of two',
      1,
      `await kept.set('a', 1); await kept.set('b', 1); await kept.get('a'); await kept.get('b')`,
      3,
    ],
    [
      'evicts two of two',
      2,
      `await kept.set('a', 1); await kept.set('b', 1); await kept.get('a'); await kept.get('b')`,
      4,
    ],
    // An eviction makes room for what is added.
    [
      'adds what is not there',
      1,
      `await kept.set('a', 1); const isAdded = await kept.add('a', 2); const now = await kept.get('a'); await assert(isAdded ? now === 2 : now !== 2)`,
      3,
    ],
    [
      'tells whether it deleted',
      0,
      `await assert(!(await kept.delete('a'))); await kept.set('a', 1); await assert(await kept.delete('a'))`,
      1,
    ],
  ])('%s', async (_, evictions, body, executions) => {
    expect(await found(`${made(evictions)}; ${body}`)).toEqual(holds(executions))
  })

  const timed = (first: number, second: number, gets: string) =>
    `${made(0)}; await kept.set('a', 1, { ttl: ${first} }); await kept.set('b', 1, { ttl: ${second} }); ${gets}`
  const [a, b] = [`await kept.get('a')`, `await kept.get('b')`]
  test.each([
    // b is there, and a or not; b has expired, and a with it, which was set before.
    ['what was set before for as long expires before', timed(10, 10, `${b}; ${a}`), 3],
    ['what was set before for longer may not have', timed(20, 10, `${b}; ${a}`), 4],
    ['what was set later may not have', timed(10, 10, `${a}; ${b}`), 4],
    ['what has expired stays so', `${made(0)}; await kept.set('a', 1, { ttl: 1 }); ${a}; ${a}`, 3],
  ])('%s', async (_, body, executions) => {
    expect(await found(body)).toEqual(holds(executions))
  })
})

describe('a blob store', () => {
  const made = (listing: string, more = '') => `const blobs = await blobStore({ listing: '${listing}'${more} })`
  const list = `(await blobs.list()).join()`
  test.each([
    [
      'lists what is there',
      'consistent',
      `await blobs.put('b', 1); await blobs.put('a', 1); await assert(${list} === 'a,b')`,
      1,
    ],
    [
      'lists by prefix',
      'consistent',
      `await blobs.put('a/1', 1); await blobs.put('b', 1); await assert((await blobs.list('a/')).join() === 'a/1')`,
      1,
    ],
    // Late or not.
    ['may list late', 'eventual', `await blobs.put('a', 1); await assert(['', 'a'].includes(${list}))`, 2],
    // Late, late; late, known; known, known.
    [
      'knows what it has listed',
      'eventual',
      `await blobs.put('a', 1); const once = ${list}; const again = ${list}; await assert(once === '' || again === 'a')`,
      3,
    ],
    // Neither is known, or the put, or both.
    [
      'learns in order',
      'eventual',
      `await blobs.put('a', 1); await blobs.delete('a'); await assert(['', 'a'].includes(${list}))`,
      3,
    ],
    // What is put over is a key as before.
    ['lists keys', 'eventual', `await blobs.put('a', 1); await blobs.put('a', 2); await blobs.list()`, 2],
    [
      'reads what was put',
      'eventual',
      `await blobs.put('a', 1); await assert((await blobs.get('a')).body === 1); await blobs.delete('a'); await assert((await blobs.get('a')) === undefined)`,
      1,
    ],
  ])('%s', async (_, listing, body, executions) => {
    const { verdict, told, executions: counted } = await found(`${made(listing)}; ${body}`)
    expect({ verdict, told, executions: counted }).toEqual(holds(executions))
  })

  const there = `const { etag } = await blobs.put('a', 'one'); await blobs.put('a', 'two'); await blobs.put('a', 'one')
  const put = async (options) => { try { await blobs.put('a', 'new', options); return 'put' } catch (error) { return error instanceof PreconditionFailed && error.status } }`
  test.each([
    ['an etag of content comes back with the content', '', `{ ifMatch: etag }`, 'put'],
    ['an etag of versions does not', `, etags: 'of versions'`, `{ ifMatch: etag }`, 412],
    ['what must not be there is', '', `{ ifNoneMatch: '*' }`, 412],
  ])('%s', async (_, more, options, outcome) => {
    const body = `${made('consistent', more)}; ${there}; const outcome = await put(${options})
    await assert(outcome === ${JSON.stringify(outcome)}, String(outcome))`
    expect(await found(body)).toEqual(holds(1))
  })

  test('a put that depends on a blob that is not there fails, and one that depends on none does not', async () => {
    const body = `${made('consistent')}
    const failed = await blobs.put('a', 1, { ifMatch: 'c1' }).catch((error) => error.status)
    await blobs.put('a', 1, { ifNoneMatch: '*' })
    await assert(failed === 412)`
    expect(await found(body)).toEqual(holds(1))
  })
})

describe('cron', () => {
  const counted = (options: string, expected: string) => `const count = await atomic('count', 0)
  const nightly = await cron({ ${options} }, async () => { await count.getAndAdd(1) })
  await nightly.end()
  const runs = await count.load()
  await assert(${expected}, String(runs))`
  test.each([
    // Two runs add in either order.
    ['runs overlap', `ticks: 2, overlap: 'allowed'`, 'runs === 2', {}, 2],
    // The second tick is skipped, or comes when the first run is over.
    ['a tick is skipped or not', `ticks: 2, overlap: 'skipped'`, 'runs === 1 || runs === 2', {}, 2],
    ['so is the third', `ticks: 3, overlap: 'skipped'`, 'runs >= 1 && runs <= 3', {}, 4],
    // One run; or two of one tick, in either order, also where they are to be skipped.
    ['a tick comes twice', `ticks: 1, overlap: 'allowed'`, 'runs === 1 || runs === 2', { duplicates: 1 }, 3],
    [
      'and nothing keeps the two apart',
      `ticks: 1, overlap: 'skipped'`,
      'runs === 1 || runs === 2',
      { duplicates: 1 },
      3,
    ],
    ['it does not get lost', `ticks: 1, overlap: 'allowed'`, 'runs === 1', { losses: 1 }, 1],
  ])('%s', async (_, options, expected, faults, executions) => {
    expect(await found(counted(options, expected), { faults })).toEqual(holds(executions))
  })

  test('a job is told the tick and what was given beside', async () => {
    const body = `const seen = await atomic('seen', '')
    const job = async (tick, name) => { await seen.update((before) => before + tick + name) }
    await (await cron({ ticks: 2, overlap: 'skipped', name: 'nightly' }, job, 'x')).end()
    await assert(['1x', '1x2x'].includes(await seen.load()))`
    expect(await found(body)).toMatchObject({ verdict: 'verified' })
  })
})

test.each([
  [`await cache({})`, 'E107', /lack "evictions"/],
  [`await cache({ evictions: -1 })`, 'E216', /the number of evictions/],
  [`await cache({ eviction: 1 })`, 'E107', /"eviction"/],
  [`await (await cache({ evictions: 0 })).get(1)`, 'E220', /needs a key and got a number/],
  [`await (await cache({ evictions: 0 })).set('a', undefined)`, 'E220', /would look like no entry/],
  [`await (await cache({ evictions: 0 })).set('a', 1, { tll: 1 })`, 'E107', /"tll"/],
  [`await (await cache({ evictions: 0 })).set('a', 1, { ttl: 0 })`, 'E107', /ttl/],
  [`await (await cache({ evictions: 0 })).set('a', () => 1)`, 'E205', /the entry/],
  [`await blobStore({})`, 'E107', /lack "listing"/],
  [`await blobStore({ listing: 'late' })`, 'E107', /listing/],
  [`await blobStore({ listing: 'eventual', etags: 'none' })`, 'E107', /etags/],
  [`await (await blobStore({ listing: 'eventual' })).put('a', 1, { ifmatch: 'x' })`, 'E107', /"ifmatch"/],
  [`await (await blobStore({ listing: 'eventual' })).put('a', 1, { ifNoneMatch: 'x' })`, 'E107', /ifNoneMatch/],
  [`await (await blobStore({ listing: 'eventual' })).list(1)`, 'E220', /needs a key/],
  [`await cron({ ticks: 1 }, async () => {})`, 'E107', /lack "overlap"/],
  [`await cron({ ticks: 0, overlap: 'allowed' }, async () => {})`, 'E107', /ticks/],
  [`await cron({ ticks: 1, overlap: 'allowed' }, 5)`, 'E220', /needs a function and got/],
])('%s is refused', async (body, code, message) => {
  const { verdict, told, line } = await found(body)
  expect([verdict, told, line]).toEqual([code, expect.stringMatching(message), 4])
})
