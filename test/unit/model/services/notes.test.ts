/** What a check tells of services that were used in vain, and where what nobody waited for stands. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'
import { type CheckOptions, checkResult } from '../../../../src/index.ts'
import { found } from './checked.ts'

async function notes(body: string, options: CheckOptions = {}): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-notes-'))
  try {
    const path = join(folder, 'p.check.ts')
    const source = `import { program } from 'allways'\nimport { database, queue } from 'allways/services'
export default program('p', async () => {\n${body}\n})\n`
    writeFileSync(path, source)
    const result = await checkResult(path, options)
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
    const asked = ['transaction-never-committed', 'message-never-acknowledged', 'unique-never-there']
    return vacuityIn(result.value)
      .filter(({ code }) => asked.includes(code))
      .map(({ code, subject }) => `${code}: ${subject}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const seats = (unique: string, rows = '{}') =>
  `const db = await database({ isolation: 'snapshot', tables: { seats: { rows: ${rows}, unique: ${unique} } } })`

test.each([
  ["tx = db.begin(); await tx.put('seats', 'a', { n: 1 })", 1],
  ["tx = db.begin(); await tx.put('seats', 'a', { n: 1 }); await tx.rollback()", 1],
  ["tx = db.begin(); await tx.put('seats', 'a', { n: 1 }); await tx.commit()", 0],
  ["tx = db.begin(); await tx.get('seats', 'a')", 0],
  ["tx = null; await db.transaction(async (t) => { await t.put('seats', 'a', { n: 1 }) })", 0],
])('%s', async (body, count) => {
  expect(await notes(`${seats('[]')}; const ${body}`)).toEqual(
    Array(count).fill('transaction-never-committed: a transaction that process "main" begins at database "database"'),
  )
})

test.each([
  ['at least once', 'await one.body', 1],
  ['at least once', 'await one.ack()', 0],
  ['at most once', 'await one.body', 0],
])('%s: %s', async (delivery, settle, count) => {
  const body = `const q = await queue({ delivery: '${delivery}', order: 'fifo' })
  await q.send(1); const one = await q.receive(); ${settle}`
  expect(await notes(body)).toEqual(
    Array(count).fill('message-never-acknowledged: messages that process "main" takes from queue "queue"'),
  )
})

test.each([
  ["['seat']", '{ a: { seet: 1 } }', '', ['"seat"']],
  ["['seat']", '{ a: { seat: 1 } }', '', []],
  ["['seat', ['room', 'hour']]", '{ a: { seat: 1, room: 2 } }', '', ['"room" with "hour"']],
  ["['seat']", '{}', "await db.transaction(async (t) => { await t.insert('seats', 'b', { seat: 1 }) })", []],
  [
    "['seat']",
    '{}',
    "const tx = db.begin(); await tx.insert('seats', 'b', { seat: 1 }); await tx.rollback()",
    ['"seat"'],
  ],
])('unique %s of rows %s %s', async (unique, rows, body, fields) => {
  const told = (await notes(`${seats(unique, rows)}\n${body}`)).filter((one) => one.startsWith('unique'))
  expect(told).toEqual(fields.map((one) => `unique-never-there: unique ${one} of table "seats" of database "database"`))
})

test('what a transaction did not wait for is told at its line', async () => {
  const body = `${seats('[]')}
  await db.transaction(async (tx) => {
    await tx.get('seats', 'a')
    tx.put('seats', 'a', { n: 1 })
  })`
  expect(await found(body)).toMatchObject({ verdict: 'E211', line: 7, hint: 'write await tx.put(…)' })
})

test('a transaction that is over is told as ever', async () => {
  const body = `${seats('[]')}\n  const tx = db.begin(); await tx.commit(); await tx.get('seats', 'a')`
  expect(await found(body)).toMatchObject({
    verdict: 'violated',
    told: expect.stringContaining('get in a transaction that was committed before'),
  })
})
