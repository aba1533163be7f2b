import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, checkResult } from 'allways'

const stock = new URL('./stock.check.ts', import.meta.url)
const transfer = new URL('./transfer.check.ts', import.meta.url)

test('the last one is sold once', async () => {
  await check(stock, { testName: 'CarefulStock' })
})

test('the last one can be sold twice if a taker waits before it counts', async () => {
  const result = await checkResult(stock, { testName: 'Stock' })
  assert.equal(result.value.kind, 'violated')
})

test('an account that holds enough is never overdrawn', async () => {
  await check(transfer)
})

test('an empty one is, if ann comes first', async () => {
  await assert.rejects(check(transfer, { params: { first: 0 } }), /the account is overdrawn/)
})
