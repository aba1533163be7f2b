/** What comes from elsewhere, or goes wrong at the worst moment: pipes in the place of files, links in the place of reports, a terminal that is closed. */
import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { reportInternalError } from '../../src/cli/internal-error.ts'
import { ioOf } from '../../src/cli/io.ts'
import { showValue } from '../../src/core/value-text.ts'
import { cut, long, oneIn } from '../amount.ts'
import { Captured, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-elsewhere-'))
afterAll(() => rmSync(folder, { recursive: true }))
const command = resolve('bin/allways.mjs')
const counter = resolve('test/runtime/fixtures/counter.check.ts')
for (const name of ['race.check.ts', 'holds.check.ts']) copyFileSync(`${fixtures}/${name}`, join(folder, name))
spawnSync('mkfifo', [join(folder, 'pipe')])
for (const name of ['pipe.check.ts', 'pipe.p', 'pipe.pproj', 'pipe.jsonl']) spawnSync('mkfifo', [join(folder, name)])

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8' })
}

describe('a pipe that nobody writes to', () => {
  const ways = [
    ['check', 'pipe.check.ts'],
    ['check', 'pipe.p'],
    ['check', 'pipe.pproj'],
    ['check', '--resume', 'pipe'],
    ['replay', 'pipe'],
    ['show', 'pipe'],
    ['prove', resolve('examples/task-service.check.ts'), '--proof', 'pipe'],
    ['linearize', 'pipe.jsonl', '--spec', 'register'],
    ['online', counter, '--from', 'pipe'],
    ['run', counter, '--all', '--key-file', 'pipe'],
  ]
  test.each(oneIn(4, ways))('is no file, and is answered at once: %s %s', cut, (...args) => {
    const { status, stderr } = run(...args)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('it is a pipe, and not a file') })
  })
})

test('a report of a defect takes the place of a link, and is not written through it', async () => {
  writeFileSync(join(folder, 'precious'), 'kept')
  mkdirSync(join(folder, '.allways'), { recursive: true })
  symlinkSync(join(folder, 'precious'), join(folder, '.allways', 'internal-error.json'))
  const stderr = new Captured({})
  const host = { cwd: folder, env: {}, stdout: new Captured({}), stderr, onInterrupt: () => () => {} }
  await reportInternalError(new Error('a defect'), ioOf(host))
  expect(stderr.text).toContain('internal error: a defect')
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept')
  expect(lstatSync(join(folder, '.allways', 'internal-error.json')).isSymbolicLink()).toBe(false)
})

test('violations that differ late in their names have traces of their own', long, () => {
  const source = readFileSync(join(folder, 'race.check.ts'), 'utf8')
  const long = 'worked after being stopped '.repeat(8)
  for (const end of ['one', 'two']) {
    writeFileSync(join(folder, 'late.check.ts'), source.replaceAll('worked after being stopped', `${long}${end}`))
    expect(run('check', 'late.check.ts', '--trace-dir', 'late').status).toBe(1)
  }
  expect(readdirSync(join(folder, 'late')).filter((name) => name.endsWith('.trace.json'))).toHaveLength(2)
})

test('a terminal that is closed leaves a checkpoint behind, as Ctrl-C does', long, async () => {
  const tell = "if (!globalThis.told) console.error('searching'); globalThis.told = true"
  const source = readFileSync(join(folder, 'holds.check.ts'), 'utf8')
  writeFileSync(join(folder, 'long.check.ts'), source.replace('const collector', `${tell}; const collector`))
  const argv = [command, 'check', 'long.check.ts:4', '--param', 'n=12', '--time', '1h']
  const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.once('data', () => child.kill('SIGHUP'))
  expect(await new Promise((done) => child.on('close', done))).toBe(3)
  const checkpoint = /npx allways check --resume (\S+)/.exec(stdout)?.[1] as string
  expect(run('check', '--resume', checkpoint, '--max-executions', '10').status).toBe(3)
})

test('a word of two million letters is cut before it is drawn', () => {
  const shown = showValue({ kind: 'x'.repeat(2_000_000) }, 60)
  expect(shown.length).toBeLessThanOrEqual(60)
})
