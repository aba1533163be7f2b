import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { diagnosticCodes } from '../../src/core/diagnostic-codes.ts'
import { root } from './session.ts'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')

test('docs/errors.md is what scripts/errors.mjs prints', () => {
  const script = join(root, 'scripts/errors.mjs')
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--print'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toBe(page)
})

test('docs/errors.md has a heading and the title of every diagnostic code', () => {
  const found = [...page.matchAll(/^### (E\d+)\n\n\*\*(.*)\*\*$/gm)].map(([, code, title]) => [code, title])
  expect(found).toEqual(Object.entries(diagnosticCodes))
})

test('the troubleshooting page shows every diagnostic code that a program can cause', () => {
  const guide = readFileSync(join(root, 'docs/guide/troubleshooting.md'), 'utf8')
  const printed = new Set([...guide.matchAll(/^ ✗ (E\d+) {2}/gm)].map(([, code]) => code))
  // It needs one machine that runs while another does not, and the page has commands that end before the next begins.
  const notByCommand = ['E605']
  const causable = Object.keys(diagnosticCodes).filter((code) => !notByCommand.includes(code))
  expect(causable.filter((code) => !printed.has(code))).toEqual([])
})
