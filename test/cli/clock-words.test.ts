/** What a synchronous clock says to a process is no message of the program: no receive takes it, also when its timer was cleared since. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-clock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bodies: readonly (readonly [name: string, body: string])[] = [
  [
    'a receive of anything after one that took its message in time',
    `void receive((m) => m === 1, { within: 10 })
  const v = await receive()
  await assert(typeof v === 'number', JSON.stringify(v))`,
  ],
  ['two receives with a limit', 'for (let at = 0; at < 2; at++) numberOrNothing(await receive({ within: 10 }))'],
  [
    'a predicate that would take it',
    `await receive({ within: 10 })
  numberOrNothing(await receive((m) => typeof m === 'object' || m === 2, { within: 10 }))`,
  ],
  [
    'a poll',
    `await receive({ within: 10 })
  numberOrNothing(await poll())`,
  ],
  [
    'a kind of that name',
    `await receive({ within: 10 })
  numberOrNothing(await receive('fire', { within: 10 }))`,
  ],
]

test.each(bodies)('%s', async (_, body) => {
  const path = join(folder, 'clock.check.ts')
  writeFileSync(
    path,
    `import { assert, poll, program, receive, self, send, spawn } from 'allways'

function numberOrNothing(value: unknown): void {
  if (value !== undefined && typeof value !== 'number') throw new Error(JSON.stringify(value))
}

export default program('clock', { clock: 'synchronous', deadlock: 'allow' }, async () => {
  const me = await self<any>()
  await spawn('one', async () => {
    await send(me, 1)
    await send(me, 2)
  })
  ${body}
})
`,
  )
  for (const engine of ['dpor', 'random'] as const)
    expect(
      await checkResult(path, { engine, options: engine === 'random' ? { samples: 200 } : {} }),
      engine,
    ).toMatchObject({
      ok: true,
      value: { kind: engine === 'dpor' ? 'verified' : 'passed' },
    })
})
