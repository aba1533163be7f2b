/** One file with many small programs: each is audited in the file loaded anew, three times, and Node lets go of no module. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { long } from '../amount.ts'

const folder = mkdtempSync(join(tmpdir(), 'many-programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A bank that is asked by two clients. */
function small(at: number): string {
  return `export const p${at} = program('p${at}', async () => {
  const me = await self<number>()
  const bank = await spawn<Ask>('bank', { daemon: true }, async () => {
    for (let sum = ${at}; ; ) {
      const { v, from } = await receive<Ask>()
      sum += v
      await send(from, sum)
    }
  })
  for (const v of [1, 2]) await spawn('client' + v, async () => { await send(bank, { v, from: me }) })
  const [one, two] = [await receive<number>(), await receive<number>()]
  await assert(one < two && two === ${at} + 3)
})
`
}

function fileOf(programs: number): string {
  const path = join(folder, `many-${programs}.check.ts`)
  const head = `import { type Address, assert, program, receive, self, send, spawn } from 'allways'
type Ask = { readonly v: number; readonly from: Address<number> }
`
  writeFileSync(path, head + Array.from({ length: programs }, (_, at) => small(at)).join(''))
  return path
}

/** In a process with so much room for objects, and with a folder for temporary files of its own. */
function checked(path: string, megabytes: number) {
  const temporary = mkdtempSync(join(folder, 'tmp-'))
  const args = [`--max-old-space-size=${megabytes}`, resolve('bin/allways.mjs'), 'check', path]
  const env = { ...process.env, NO_COLOR: '1', TMPDIR: temporary, TMP: temporary, TEMP: temporary }
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  return { status, stdout, left: readdirSync(temporary) }
}

// What is loaded once takes 60 MB, and each of the 180 times that this file is loaded a quarter of one; with data: URLs and a map each it was 1.4.
test('sixty programs in one file need no more than 180 MB', long, () => {
  const { status, stdout, left } = checked(fileOf(60), 180)
  expect(status).toBe(0)
  expect(stdout).toContain('60 verified')
  expect(left).toEqual([])
})

test('what was loaded leaves no file behind', () => {
  const { status, left } = checked(fileOf(1), 250)
  expect({ status, left }).toEqual({ status: 0, left: [] })
})
