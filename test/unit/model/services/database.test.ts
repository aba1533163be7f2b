/** The database of `allways/services` as programs use it: what is refused, statements at once, functions, failures. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../../../src/index.ts'
import { found } from './checked.ts'

const tables = `tables: { seats: { unique: ['holder'], rows: { a: { price: 1 }, b: { price: 2 } } } }`
const snapshot = `await database({ isolation: 'snapshot', ${tables} })`

describe('misuse is told at the line that does it, with the nearest right name', () => {
  const using = (statement: string) => `const db = ${snapshot}
  await db.transaction(async (tx) => {
    ${statement}
  })`
  test.each([
    [`await database({ isolation: 'snapshots', ${tables} })`, 'E107', 4, /isolation/, 'did you mean "snapshot"?'],
    [`await database({ isolate: 'snapshot', ${tables} })`, 'E107', 4, /"isolate"/, 'did you mean "isolation"?'],
    [`await database({ isolation: 'snapshot' })`, 'E107', 4, /lack "tables"/, undefined],
    [
      `await database({ isolation: 'snapshot', tables: { t: { row: {} } } })`,
      'E107',
      4,
      /"row"/,
      'did you mean "rows"?',
    ],
    [
      `await database({ isolation: 'snapshot', tables: { t: { rows: { a: 1 } } } })`,
      'E220',
      4,
      /row "a" of table "t"/,
      undefined,
    ],
    [
      `await database({ isolation: 'snapshot', tables: { t: { unique: [[]] } } })`,
      'E220',
      4,
      /"unique" of table "t"/,
      undefined,
    ],
    [
      `await database({ tables: { t: { rows: { a: { n: 1 }, b: { n: 1 } }, unique: ['n'] } }, isolation: 'snapshot' })`,
      'E220',
      4,
      /rows "a" and "b" of table "t" have the same n/,
      undefined,
    ],
    [
      `const d = await database({ isolation: 'snapshot', tables: { t: {} } }); await d.transaction(5)`,
      'E220',
      4,
      /transaction\(…\) needs a function/,
      undefined,
    ],
    [using(`await tx.get('seat', 'a')`), 'E220', 6, /no table "seat"/, 'did you mean "seats"?'],
    [using(`await tx.get('seats', 1)`), 'E220', 6, /needs a key/, 'keys are texts: String(id)'],
    [using(`await tx.get('seats', 'a', { locks: true })`), 'E107', 6, /"locks"/, 'did you mean "lock"?'],
    [using(`await tx.put('seats', 'a', 1)`), 'E220', 6, /needs a row/, undefined],
    [using(`await tx.put('seats', 'a', { f() {} })`), 'E205', 6, /not a value/, undefined],
    [using(`await tx.scan('seats', { price: { lest: 1 } })`), 'E220', 6, /compares "price" by "lest"/, undefined],
    [
      using(`await tx.scan('seats', (seat) => seat.price > 1, { lock: true })`),
      'E220',
      6,
      /was given a function/,
      undefined,
    ],
    [using(`await tx.update('seats', 'a', () => 1)`), 'E220', 6, /made a number/, undefined],
  ])('%s', async (body, code, line, message, hint) => {
    const { verdict, told, ...place } = await found(body)
    expect([verdict, place.line]).toEqual([code, line])
    expect(told).toMatch(message)
    if (hint !== undefined) expect(place.hint).toContain(hint)
  })
})

test('statements of a transaction that are asked for at once are done one after the other', async () => {
  const atOnce = `const db = ${snapshot}
  const both = await db.transaction(async (tx) => {
    const [a, b] = await Promise.all([tx.get('seats', 'a'), tx.get('seats', 'b')])
    tx.put('seats', 'c', { price: a.price + b.price })
    return (await tx.get('seats', 'c')).price
  })
  await assert(both === 3)`
  expect(await found(atOnce)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('two transactions of one process at once see what processes of their own would', async () => {
  const buy = `const db = ${snapshot}
  const buy = (holder) => db.transaction((tx) => tx.update('seats', 'a', { holder }))
  const both = await Promise.allSettled([buy('ann'), buy('ben')])
  await assert(both.every(({ status }) => status === 'fulfilled'), 'both have bought')`
  expect(await found(buy)).toMatchObject({ verdict: 'violated', told: 'both have bought' })
})

test('a function is applied to the row as it is when it is locked, in one step', async () => {
  const raise = `const db = await database({ isolation: 'read committed', ${tables} })
  const raise = () => db.transaction((tx) => tx.update('seats', 'a', (seat) => ({ price: seat.price + 1 })))
  const one = await spawn('one', async () => { await raise() })
  await raise()
  await join(one)
  await assert((await db.transaction((tx) => tx.get('seats', 'a'))).price === 3)`
  expect(await found(raise)).toMatchObject({ verdict: 'verified' })
})

test('what a function throws is thrown by the statement, and the transaction is taken back', async () => {
  const broken = `const db = await database({ isolation: 'read committed', ${tables} })
  const failed = db.transaction(async (tx) => {
    await tx.put('seats', 'b', { price: 0 })
    await tx.update('seats', 'a', () => { throw new Error('broken') })
  })
  await assert((await failed.catch((error) => error.message)) === 'broken')
  await assert((await db.transaction((tx) => tx.get('seats', 'b'))).price === 2)`
  expect(await found(broken)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('a transaction whose statement has failed comes to nothing, also if nobody minds', async () => {
  const minded = `const db = ${snapshot}
  const failed = db.transaction(async (tx) => {
    await tx.put('seats', 'b', { price: 0 })
    await tx.insert('seats', 'a', {}).catch(() => {})
    const again = await tx.get('seats', 'a').catch((error) => error)
    await assert(again instanceof DatabaseError && again.code === '25P02')
  })
  const error = await failed.catch((error) => error)
  await assert(error.reason === 'unique' && error.code === '23505', error.reason)
  await assert((await db.transaction((tx) => tx.get('seats', 'b'))).price === 2)`
  expect(await found(minded)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('rows without a value are like no other, and what was deleted may be written again', async () => {
  const unique = `const db = ${snapshot}
  await db.transaction(async (tx) => {
    await tx.update('seats', 'a', { holder: 'ann' })
    await tx.delete('seats', 'a')
    await tx.update('seats', 'b', { holder: 'ann' })
    await tx.insert('seats', 'a', { price: 3 })
    await tx.insert('seats', 'c', { price: 3 })
  })
  const dear = await db.transaction((tx) => tx.scan('seats', { price: { in: [2, 3] }, holder: { not: 'ann' } }))
  await assert([...dear.keys()].join() === 'a,c', [...dear.keys()].join())`
  expect(await found(unique)).toEqual({ verdict: 'verified', executions: 1, told: '' })
})

test('the scope tells what the database is taken to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'allways-database-'))
  try {
    const source = `import { program } from 'allways'
import { database } from 'allways/services'
export default program('p', async () => {
  const db = await database({ isolation: 'snapshot', tables: { t: {} }, name: 'ledger' })
  await db.transaction((tx) => tx.get('t', 'a'))
})`
    writeFileSync(join(folder, 'p.check.ts'), source)
    const result = await checkResult(join(folder, 'p.check.ts'))
    expect(result.ok && 'vacuity' in result.value ? result.value.vacuity : []).toMatchObject([
      { code: 'service-assumed', subject: expect.stringMatching(/^database "ledger" is at snapshot: /) },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('a transaction that is not awaited at once', () => {
  const made = `const db = await database({ isolation: 'serializable', tables: { u: {} } })
  const c = await cache({ evictions: 0 })
  const put = (key) => db.transaction((tx) => tx.put('u', key, { n: 1 }))
  const keys = async () => [...(await db.transaction((tx) => tx.scan('u'))).keys()].join('')`
  test.each([
    [`await Promise.all([put('a'), put('b')]); await assert(await keys() === 'ab', 'keys')`, 'verified', ''],
    [`const t = put('a'); await c.get('k'); await t; await assert(await keys() === 'a', 'keys')`, 'verified', ''],
    [
      `const t = db.transaction(async (tx) => { await tx.put('u', 'a', { n: 1 }); await tx.put('u', 'b', { n: 1 }) })
      await c.get('k'); await t; await assert(await keys() === 'ab', 'keys')`,
      'verified',
      '',
    ],
    [`void put('a'); await c.get('k'); await assert(['', 'a'].includes(await keys()), 'keys')`, 'verified', ''],
    [`void put('a'); await c.get('k'); await assert(await keys() === 'a', 'keys')`, 'violated', 'keys'],
    [`void put('a'); await c.get('k'); await assert(await keys() === '', 'keys')`, 'violated', 'keys'],
    [
      `const t = put('a'); const calls = []
      const one = db.transaction(async (tx) => { calls.push('one'); await tx.get('u', 'a'); calls.push('after') })
      const two = db.transaction(async (tx) => { calls.push('two'); await tx.get('u', 'a') })
      await Promise.all([t, one, two]); await assert(calls.slice(0, 2).join() === 'one,two', calls.join())`,
      'verified',
      '',
    ],
  ])('%s', async (body, verdict, told) => {
    expect(await found(`${made}; ${body}`)).toMatchObject({ verdict, told })
  })
})
