/** A deadlock at a promise that nobody settles names both lines: where it is awaited, and where it was made. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-unsettled-'))
const traces = ['--trace-dir', join(folder, 'traces')]

afterAll(() => rmSync(folder, { recursive: true }))

/** What is printed, in one line and without the folder. */
async function told(name: string, source: string, ...argv: readonly string[]): Promise<string> {
  const file = join(folder, name)
  writeFileSync(file, source)
  const ran = await allways([name.includes('.check.') ? 'check' : 'linearize', file, ...argv, ...traces])
  expect(ran).toMatchObject({ code: 1 })
  return ran.stdout.replaceAll(/\s+/g, ' ').replaceAll(`${folder}/`, '')
}

const gates = `export class Gates {
  open: () => void = () => {}
  gate = new Promise<void>((done) => {
    this.open = done
  })
  async own() {
    const never = new Promise<void>(() => {})
    await null
    await never
  }
  async field() {
    await this.gate
  }
  async called() {
    const later = this.field()
    await null
    await later
  }
  async chained() {
    const later = this.gate.then(() => 3)
    await later
  }
  async all() {
    const both = Promise.all([this.gate, 1])
    await both
  }
}`

describe('classes', () => {
  test.each([
    ['own', 'awaits a promise at gates.ts:9, made at gates.ts:7'],
    ['field', 'awaits a promise at gates.ts:12, made at gates.ts:3'],
    ['called', 'awaits a promise at gates.ts:17, whose code awaits one at gates.ts:12, made at gates.ts:3'],
    ['chained', 'awaits a promise at gates.ts:21, whose code awaits one at gates.ts:20, made at gates.ts:3'],
    ['all', 'awaits a promise at gates.ts:25, made at gates.ts:24'],
  ])('%s', async (operation, words) => {
    const text = await told('gates.ts', gates, '--client', `{ ${operation}() }`)
    expect(text).toContain(`p1 waits for ever in ${operation}: ${words} ✗`)
  })

  test("in JavaScript's own job order", async () => {
    const text = await told('gates.ts', gates, '--client', '{ own() }', '--order', 'jobs')
    expect(text).toContain('p1 waits for ever in own: a promise that nobody resolves any more at gates.ts:9')
    // What was found is in no count.
    expect(text).toContain("JavaScript's own job order from every order of starts, in the first execution")
  })
})

test('processes', async () => {
  const source = `import { program, self } from 'allways'
export default program('gate', async () => {
  const gate = new Promise<void>(() => {})
  await self()
  await gate
})`
  const text = await told('gate.check.ts', source)
  expect(text).toContain('waits for a promise that nobody can settle at gate.check.ts:5, made at gate.check.ts:3')
})
