import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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

const folder = join(root, 'docs/guide/troubleshooting')
const symptoms = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

test('the troubleshooting pages show every diagnostic code that a program can cause', () => {
  const shown = [...symptoms.values()].join('\n')
  const printed = new Set([...shown.matchAll(/^ [✗!] (E\d+) {2}/gm)].map(([, code]) => code))
  // One needs a machine that runs while another does not, and commands of a page end before the next begins; one needs an
  // installation that is not whole; the last ones need a Redis, and are printed in test/cluster.
  const notByCommand = ['E605', 'E112', 'E803', 'E804', 'E805']
  const causable = Object.keys(diagnosticCodes).filter((code) => !notByCommand.includes(code))
  expect(causable.filter((code) => !printed.has(code))).toEqual([])
})

test('the index of troubleshooting sends every diagnostic code to the page that shows it', () => {
  const index = readFileSync(join(root, 'docs/guide/troubleshooting.md'), 'utf8')
  const rows = [...index.matchAll(/^\| (E\d.*) \| \[.*\]\(troubleshooting\/(.*)\) \|$/gm)]
  const sent = rows.flatMap(([, codes = '', page = '']) => codesIn(codes).map((code) => ({ code, page })))
  expect(sent.map(({ code }) => code).sort()).toEqual(Object.keys(diagnosticCodes).sort())
  expect(sent.filter(({ code, page }) => !symptoms.get(page)?.includes(code))).toEqual([])
})

/** `E105–E107, E301` is four codes. */
function codesIn(text: string): readonly string[] {
  return text.split(', ').flatMap((range) => {
    const [first = '', last = first] = range.split('–')
    return Object.keys(diagnosticCodes).filter((code) => first <= code && code <= last)
  })
}
