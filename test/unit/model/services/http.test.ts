/** Endpoints of `allways/services`: what becomes of requests and responses, in time and too late. */
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../../../src/core/operation.ts'
import { cut, oneIn } from '../../../amount.ts'
import { found } from './checked.ts'

const counting = `const server = await http({ routes: () => {
    let count = 0
    return { 'POST /count': () => ({ status: 201, body: ++count }), 'GET /count': () => ({ status: 200, body: count }) }
  } })`

test('a request is answered by its handler, and by 404 if there is none', async () => {
  const asked = `${counting}
  const made = await server.post('/count')
  const read = await server.get('/count')
  const none = await server.delete('/count')
  await assert([made.status, made.body, read.body, none.status].join() === '201,1,1,404')`
  expect(await found(asked)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('a handler that throws answers 500', async () => {
  const throwing = `const server = await http({ routes: () => ({ 'GET /': async () => { throw new Error('broken') } }) })
  const { status, body } = await server.get('/')
  await assert(status === 500 && body === 'broken')`
  expect(await found(throwing)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('without a timeout, whoever lost a request or a response waits for ever', async () => {
  const lost = await found(`${counting}; await server.post('/count')`, { faults: { losses: 1 } })
  expect(lost).toMatchObject({ verdict: 'violated', told: 'main waits for the response of "http" to POST /count' })
})

/** What is counted when all is over, where the first answer may be late or lost. */
const counted = (expected: string) => `${counting}
  const first = await server.post('/count', 1, { timeout: 100 }).catch((error) => error)
  const { body } = await server.get('/count')
  await assert(!(${expected}), 'reached')`

test.each([
  ['answered', 'first.body === 1 && body === 1', {}, true],
  ['late, and done before', 'first instanceof HttpTimeout && body === 1', {}, true],
  ['late, and not done yet', 'first instanceof HttpTimeout && body === 0', {}, true],
  ['answered and not done', 'first.body === 1 && body === 0', {}, false],
  ['done twice', 'body === 2', { duplicates: 1 }, false],
])('%s: %s', async (_, expected, faults, isReached) => {
  const { verdict, told } = await found(counted(expected), { faults })
  expect([verdict, told]).toEqual(isReached ? ['violated', 'reached'] : ['verified', ''])
})

test('a response that comes too late is taken for no other', async () => {
  const late = `${counting}
  const ask = (n) => server.post('/count', n, { timeout: 100 }).then(({ body }) => body, () => 'late')
  const bodies = [await ask(1), await ask(2)]
  await assert(!bodies.includes('late') ? bodies.join() === '1,2' : bodies[0] === 'late' || bodies[1] === 'late')
  await assert(bodies[0] === 'late' || bodies[0] === 1)`
  expect(await found(late)).toMatchObject({ verdict: 'verified', told: '' })
})

test('a retry does again what was done, if only the response was late', async () => {
  const retried = `${counting}
  const { body } = await server.post('/count', 1, { timeout: 100, retries: 1 }).catch(() => ({ body: 0 }))
  await assert(body < 2, 'done twice')`
  expect(await found(retried)).toMatchObject({ verdict: 'violated', told: 'done twice' })
})

test('a handler that waits lets others begin', async () => {
  const racing = `const server = await http({ routes: () => {
    let seats = 1
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
    return { 'POST /buy': async () => {
      if (seats < 1) return { status: 409 }
      await pause()
      seats--
      return { status: 200, body: seats }
    } }
  } })
  const all = await Promise.all([server.post('/buy'), server.post('/buy')])
  await assert(all.every(({ body = 0 }) => body >= 0), 'sold twice')`
  expect(await found(racing)).toMatchObject({ verdict: 'violated', told: 'sold twice' })
})

/** What is written here is inside a handler, which is asked twice at once. */
const handlers = {
  cache: [`const c = await cache({ evictions: 0 })`, `await c.add('k', 1); return await c.get('k')`],
  transaction: [
    `const db = await database({ isolation: 'read committed', tables: { t: { rows: { a: { n: 1 } } } } })`,
    `return await db.transaction(async (tx) => (await tx.get('t', 'a')).n)`,
  ],
  'transaction by hand': [
    `const db = await database({ isolation: 'read committed', tables: { t: { rows: { a: { n: 1 } } } } })`,
    `const tx = db.begin(); const { n } = await tx.get('t', 'a'); await tx.commit(); return n`,
  ],
  endpoint: [
    `const other = await http({ name: 'other', routes: () => ({ 'GET /y': () => ({ status: 200, body: 1 }) }) })`,
    `return (await other.get('/y')).body`,
  ],
  atomic: [`const a = await atomic('a', 1)`, `return await a.load()`],
} as const

const waiting = (handler: keyof typeof handlers) => `${handlers[handler][0]}
  const work = async () => { ${handlers[handler][1]} }
  const api = await http({ routes: () => ({ 'GET /x': async () => ({ status: 200, body: await work() }) }) })`
const together = `const all = await Promise.all([api.get('/x'), api.get('/x')])
  await assert(all.map(({ status, body }) => status + ':' + body).join() === '200:1,200:1')`
const ofTwo = `const client = async () => { const { body } = await api.get('/x'); await assert(body === 1) }
  const clients = [await spawn('c1', client), await spawn('c2', client)]
  for (const one of clients) await join(one)`

describe('a handler that waits for another service, while two requests are under way', () => {
  test.each(oneIn(5, Object.keys(handlers) as (keyof typeof handlers)[]))('%s', cut, async (handler) => {
    expect(await found(`${waiting(handler)}; ${together}`)).toMatchObject({ verdict: 'verified', told: '' })
  })

  test('asked by two processes', async () => {
    expect(await found(`${waiting('cache')}; ${ofTwo}`)).toMatchObject({ verdict: 'verified', told: '' })
  })

  test.each(oneIn(5, networkNames))('over %s', cut, async (network) => {
    const asked = { network, engine: 'exhaustive' } as const
    expect(await found(`${waiting('atomic')}; ${together}`, asked)).toMatchObject({ verdict: 'verified', told: '' })
    expect(await found(`${waiting('atomic')}; ${together}`, { network })).toMatchObject({
      verdict: 'verified',
      told: '',
    })
  })

  test('the answers of both are their own', async () => {
    const counted = `const a = await atomic('a', 0)
      const api = await http({ routes: () => ({ 'GET /x': async () => ({ status: 200, body: await a.getAndAdd(1) }) }) })
      const bodies = (await Promise.all([api.get('/x'), api.get('/x')])).map(({ body }) => body)
      await assert(bodies.toSorted().join() === '0,1', bodies.join())
      await assert(bodies.join() === '0,1', 'overtaken')`
    expect(await found(counted)).toMatchObject({ verdict: 'violated', told: 'overtaken' })
  })
})

test.each([
  [`await http({ route: () => ({}) })`, 'E107', /"route"/],
  [
    `const server = await http({ routes: () => ({ 'GET /': () => 1 }) }); await server.get('/')`,
    'E220',
    /gave a number/,
  ],
  [`const server = await http({ routes: () => 1 }); await server.get('/')`, 'E220', /the routes/],
  [`await http({ routes: () => ({ 'GETT /a': () => ({ status: 200 }) }) })`, 'E220', /"GETT".*methods are GET/],
  [`await http({ routes: () => ({ 'GET a': () => ({ status: 200 }) }) })`, 'E220', /path "a", which does not begin/],
  [`await http({ routes: () => ({ GET: () => ({ status: 200 }) }) })`, 'E220', /"GET" is not a method and a path/],
  [`await http({ routes: () => ({ 'GET /a': 200 }) })`, 'E220', /handler of "GET \/a" is a number/],
  [`${counting}; await server.get('count')`, 'E220', /request "GET count" has the path/],
  [`${counting}; await server.request('count /count')`, 'E220', /has the method "count"/],
  [`${counting}; await server.get('/count', { time: 3 })`, 'E107', /"time"/],
  [`${counting}; await server.get('/count', { retries: 3 })`, 'E220', /no timeout/],
])('%s: %s', async (body, code, message) => {
  const { verdict, told } = await found(body)
  expect([verdict, told]).toEqual([code, expect.stringMatching(message)])
})
