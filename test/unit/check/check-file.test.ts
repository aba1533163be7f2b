/** `checkFile`: a file by its path, whatever the test runner; and what is no file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { checkFile } from '../../../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-check-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, step: string): string {
  const file = join(folder, name)
  writeFileSync(
    file,
    `import { linearizable, program, assert } from 'allways'
export const held = program('held', async () => { await assert(true) })
class Counter { n = 0; async inc(): Promise<number> { ${step} } }
export const counter = linearizable(Counter, { operations: { inc: [] }, processes: 2, calls: 1 })`,
  )
  return file
}

test('async programs and classes of a file are checked, by path and by URL', async () => {
  const file = written('right.check.ts', 'await null; return ++this.n')
  expect((await checkFile(file)).kind).toBe('verified')
  expect((await checkFile(pathToFileURL(file), { engine: 'dpor' })).kind).toBe('verified')
})

test('a class that loses an update throws', async () => {
  const file = written('wrong.check.ts', 'const n = this.n; await null; this.n = n + 1; return n + 1')
  await expect(checkFile(file, { traceDir: false })).rejects.toMatchObject({ verdict: { kind: 'violated' } })
})

test('a program is no file', async () => {
  await expect(checkFile({} as never)).rejects.toThrow('checkFile(file, options) is not given the path of a file')
})

test('a further argument is refused', async () => {
  const all = checkFile as (...given: unknown[]) => Promise<unknown>
  await expect(all(join(folder, 'right.check.ts'), {}, {})).rejects.toMatchObject({ diagnostics: [{ code: 'E107' }] })
})
