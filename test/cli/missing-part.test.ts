/** An installation without the binaries of this platform, as one that was copied from elsewhere. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { long } from '../amount.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-installed-'))
const installed = join(folder, 'node_modules')
const own = join(installed, 'allways')

afterAll(() => rmSync(folder, { recursive: true }))

function check(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const argv = [join(own, 'bin', 'allways.mjs'), 'check', 'holds.check.ts', '--json']
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })
}

test('a part that is not there for this platform is E112, and says what to do', long, () => {
  for (const name of ['dist', 'bin', 'package.json']) cpSync(name, join(own, name), { recursive: true })
  for (const name of ['esbuild', 'oxc-parser', '@oxc-project'])
    cpSync(join('node_modules', name), join(installed, name), {
      recursive: true,
      filter: (path) => basename(path) !== 'bin',
    })
  writeFileSync(join(folder, 'package.json'), '{}')
  copyFileSync('test/cli/fixtures/holds.check.ts', join(folder, 'holds.check.ts'))
  for (const [missing, binary] of [
    ['oxc-parser', '@oxc-parser'],
    ['esbuild', '@esbuild'],
  ] as const) {
    const { status, stdout, stderr } = check()
    expect(stderr).toMatch(new RegExp(`E112 {2}${missing} is not installed for this platform`))
    expect(stderr).toMatch(/hint: remove node_modules and run npm install here/)
    expect(JSON.parse(stdout)).toMatchObject({ results: [], diagnostics: [{ code: 'E112' }] })
    expect(status).toBe(2)
    cpSync(join('node_modules', binary), join(installed, binary), { recursive: true })
  }
  expect(check().status).toBe(0)
})
