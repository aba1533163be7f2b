/** A check that is called from code keeps its counterexample where the command line can replay it, or nowhere. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseTrace } from '../../../src/check/trace-file.ts'
import { assert, CheckFailedError, check, choose, type Program, program } from '../../../src/index.ts'

const source = `import { assert, choose, program } from 'allways'
export const dice = program('dice', function* () {
  yield* assert((yield* choose([1, 2])) < 2, 'two')
})
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-kept-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function reportOf(checked: string | Program, traceDir: string | false = join(folder, 'traces')): Promise<string> {
  const error = await check(checked, { traceDir }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CheckFailedError)) throw new Error('nothing was found')
  return error.message
}

test('a file with the program is named in the trace, whose command is printed', async () => {
  const path = join(folder, 'dice.check.ts')
  writeFileSync(path, source)
  const report = await reportOf(path)
  const [name = ''] = readdirSync(join(folder, 'traces'))
  expect(report).toMatch(/replay\s+npx allways replay /)
  expect(report.replaceAll(/\s/g, '')).toContain(name)
  const trace = parseTrace(readFileSync(join(folder, 'traces', name), 'utf8'), name)
  expect(trace.ok && trace.value.trace.program).toMatchObject({ name: 'dice', file: expect.stringContaining('dice') })
})

test('there is no trace where none is to be written', async () => {
  const path = join(folder, 'dice.check.ts')
  writeFileSync(path, source)
  expect(await reportOf(path, false)).not.toContain('npx allways replay')
  expect(existsSync(join(folder, 'traces'))).toBe(false)
})

test('a program of a test has none, because to load a test is to run it', async () => {
  const dice = program('dice', function* () {
    yield* assert((yield* choose([1, 2])) < 2, 'two')
  })
  const report = await reportOf(dice)
  expect(report).toContain('two')
  expect(report).not.toContain('npx allways replay')
  expect(existsSync(join(folder, 'traces'))).toBe(false)
})

test('a folder that cannot be written to loses nothing else', async () => {
  writeFileSync(join(folder, 'dice.check.ts'), source)
  writeFileSync(join(folder, 'traces'), 'a file')
  const report = await reportOf(join(folder, 'dice.check.ts'))
  expect(report).toContain('two')
  expect(report).not.toContain('npx allways replay')
})

test.each([5, '', {}])('traceDir: %j is a mistake', async (traceDir) => {
  const dice = program('dice', function* () {})
  await expect(check(dice, { traceDir: traceDir as string })).rejects.toThrow('traceDir')
})

test('a script that checks is not run again', () => {
  const path = join(folder, 'script.mjs')
  const url = new URL('../../../dist/index.js', import.meta.url).href
  writeFileSync(
    path,
    `import { assert, check, program } from '${url}'
    console.log('top')
    const bad = program('bad', function* () { yield* assert(false, 'no') })
    await check(bad).catch((error) => console.log(error.message.includes('no')))
    `,
  )
  const { stdout } = spawnSync(process.execPath, [path], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  expect(stdout).toBe('top\ntrue\n')
})

test('a trace that cannot be written is told of', async () => {
  writeFileSync(join(folder, 'dice.check.ts'), source)
  writeFileSync(join(folder, 'file'), '')
  const report = await reportOf(join(folder, 'dice.check.ts'), join(folder, 'file', 'traces'))
  expect(report).toMatch(/note: the trace could not be written \((?:ENOTDIR|EEXIST): /)
})
