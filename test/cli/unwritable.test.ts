/** A finding is not lost because something cannot be written, and the exit status says what was found, or that it could not be told. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { long, longIf } from '../amount.ts'
import { fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-unwritable-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const name of ['race.check.ts', 'holds.check.ts']) copyFileSync(`${fixtures}/${name}`, join(folder, name))
const command = `"${process.execPath}" "${resolve('bin/allways.mjs')}"`

/** In a shell, which has ways to fill a stream and to limit files. */
function run(text: string) {
  return spawnSync('sh', ['-c', text.replaceAll('allways', command)], { cwd: folder, encoding: 'utf8' })
}

describe('files of limited size', () => {
  // Blocks of 512 bytes; Node ignores the signal, so that writing fails as on a full disk.
  test('a violation is printed although its trace cannot be written', () => {
    const { status, stdout, stderr } = run('ulimit -f 1; allways check race.check.ts')
    expect({ status, isShown: stdout.includes('worked after being stopped') }).toEqual({ status: 1, isShown: true })
    expect(stderr).toContain('note: the trace could not be written (EFBIG')
  })

  test('a search that was cut says so although it cannot be saved', long, () => {
    const { status, stdout } = run('ulimit -f 0; allways check holds.check.ts:4 --param n=5 --max-executions 7')
    expect({ status, isShown: stdout.includes('incomplete') }).toEqual({ status: 3, isShown: true })
  })
})

describe('a log that cannot be written', () => {
  const counter = resolve('test/runtime/fixtures/counter.check.ts')
  const unlogged = (path: string): string => `E107  the log ${path} ends here, because it cannot be written: EFBIG`

  test(
    'is told once, the machines go on, and the exit status says that it is not what was asked for',
    long,
    async () => {
      const line = `ulimit -f 1; exec allways run '${counter}' --all --log full.jsonl --param goal=40`
      const child = spawn('sh', ['-c', line.replaceAll('allways', command)], { cwd: folder })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text: Buffer) => {
        stdout += text.toString()
      })
      child.stderr.on('data', (text: Buffer) => {
        stderr += text.toString()
        if (stderr.includes('hint: the machines go on without it')) child.kill('SIGINT')
      })
      const status = await new Promise((done) => child.on('close', done))
      expect(stderr.split(unlogged('full.jsonl'))).toHaveLength(2)
      expect(stderr).toContain('hint: the machines go on without it; make room')
      expect(stdout).toMatch(/ client: sent \d+.*\n server: sent \d+, delivered \d+ .*unlogged \d+/)
      expect(status).toBe(2)
    },
  )

  test('is not written through a link', long, () => {
    writeFileSync(join(folder, 'precious'), 'kept')
    symlinkSync(join(folder, 'precious'), join(folder, 'link.jsonl'))
    const { status, stderr } = run(`allways run '${counter}' --all --log link.jsonl --time 1ms`)
    expect({ status, isTold: stderr.includes('E107  link.jsonl cannot be written: it is a link') }).toEqual({
      status: 2,
      isTold: true,
    })
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept')
  })

  test.each(['/dev/full', '/dev/null'])('is not %s', long, (device) => {
    const { status, stderr } = run(`allways run '${counter}' --all --log ${device} --time 1ms`)
    expect({ status, isTold: stderr.includes(`E107  ${device} cannot be written: it is not a regular file`) }).toEqual({
      status: 2,
      isTold: true,
    })
  })
})

describe('a full standard output', () => {
  const rows = [
    ['check holds.check.ts --json', 2],
    ['check race.check.ts', 1],
    ['check holds.check.ts', 2],
    ['list', 2],
    ['--help', 2],
  ] as const
  for (const [at, [argv, expected]] of rows.entries()) {
    test(`is told by the exit status of ${argv}`, longIf(at > 0), () => {
      const { status, stderr } = run(`allways ${argv} > /dev/full`)
      expect({ status, stderr }).toEqual({ status: expected, stderr: ' note: not all could be printed (ENOSPC)\n' })
    })
  }

  test('is not a reader that has seen enough', () => {
    const { stdout, stderr } = run('(allways check holds.check.ts --json; echo "status $?" >&2) | true')
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'status 0\n' })
  })

  test('nor one that is closed', long, () => {
    expect(run('allways check holds.check.ts >&-').status).toBe(0)
    expect(run('allways check race.check.ts >&-').status).toBe(1)
  })
})

test('a working directory that was removed is told', () => {
  mkdirSync(join(folder, 'gone'))
  const { status, stderr } = run(`cd gone && rmdir ../gone && allways check ${folder}/holds.check.ts`)
  expect({ status, isTold: stderr.includes('E101  the working directory has been removed') }).toEqual({
    status: 2,
    isTold: true,
  })
})
