/** Promises, operations and async generators of one process, used by another through a variable that both see. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkResult } from '../../../src/index.ts'

test.each([
  ['a pending promise, by then', 'new Promise(() => {})', 'shared.then(() => {})'],
  ['a settled promise, by then', 'Promise.resolve(1)', 'shared.then(() => {})'],
  ['a settled promise, by await', 'Promise.resolve(1)', 'await shared'],
  ['a promise among others', 'Promise.resolve(1)', 'await Promise.race([shared, Promise.resolve(2)])'],
  ['an operation, by await', "receive('never')", 'await shared'],
  ['an operation, by then', "receive('never')", 'shared.then(() => {})'],
  ['an operation that is over, by await', 'choose([1])', 'await shared'],
  ['an operation, in finally', "receive('never')", 'await Promise.resolve(1).finally(() => shared)'],
  ['a call, by await', '(async () => { await null })()', 'await shared'],
  ['a call, by then', '(async () => { await null })()', 'shared.then(() => {})'],
  ['a call, in an async generator', '(async () => { await null })()', 'for await (const x of [shared]) x'],
  ['what settles a promise', 'later()', 'settle(1)'],
  ['an async generator', '(async function* () { yield 1 })()', 'await shared.next()'],
])('%s: E208', async (_, made, used) => {
  const source = `import { choose, program, receive, spawn } from 'allways'
let shared
let settle
const later = () => new Promise((resolve) => { settle = resolve })
async function other() {
  ${used}
  await null
}
export default program('strangers', { deadlock: 'allow' }, async () => {
  shared = ${made}
  if (shared.then) shared.then(() => {}, () => {})
  await null
  await spawn('other', other)
})
`
  const folder = mkdtempSync(join(tmpdir(), 'allways-strangers-'))
  try {
    writeFileSync(join(folder, 'strangers.check.ts'), source)
    const result = await checkResult(join(folder, 'strangers.check.ts'))
    const [found] = result.ok ? [] : result.diagnostics
    expect(found).toMatchObject({
      code: 'E208',
      message: expect.stringContaining('of one process was used by another'),
    })
    // What a callback gave is looked at when its code is over.
    if (!used.includes('finally')) expect(found?.place).toMatchObject({ line: 6 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
