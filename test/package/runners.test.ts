/** The examples of test runners pass where they are all that there is, beside what they depend on. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { longIf } from '../amount.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'allways-runners-')))
afterAll(() => rmSync(folder, { recursive: true }))

function run(command: string, args: readonly string[], cwd: string): string {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env })
  expect({ status, stderr: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, stderr: '' })
  return stdout + stderr
}

/** With this version of allways, as if it were installed. */
function copied(name: string): string {
  const project = join(folder, name)
  cpSync(join(root, 'examples', name), project, { recursive: true })
  return project
}

/** What else it depends on is there. */
function linkAllways(project: string): void {
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(root, join(project, 'node_modules', 'allways'), 'dir')
}

test('the runner of Node', () => {
  const project = copied('node-test')
  linkAllways(project)
  expect(run('npm', ['test', '--silent'], project)).toMatch(/pass 4\b/)
})

/** It is not among what this project is developed with. */
test('Jest', { timeout: 180_000, ...longIf(true, true) }, () => {
  const project = copied('jest')
  const manifest = join(project, 'package.json')
  const { devDependencies, ...kept } = JSON.parse(readFileSync(manifest, 'utf8'))
  writeFileSync(manifest, JSON.stringify({ ...kept, devDependencies: { jest: devDependencies.jest } }))
  run('npm', ['install', '--no-audit', '--no-fund'], project)
  linkAllways(project)
  expect(run('npm', ['test', '--silent'], project)).toMatch(/4 passed/)
})
