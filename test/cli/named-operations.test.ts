/** Which methods of a class are called is told: those with computed names are operations, or are told of. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-named-'))
const traces = ['--trace-dir', join(folder, 'traces')]

afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('a method whose computed name is a literal is an operation', async () => {
  const file = written(
    'literal.ts',
    `export class Counter { n = 0
  async ['inc']() { const n = this.n; await null; this.n = n + 1; return n + 1 }
  async [\`get\`]() { return this.n } }`,
  )
  const ran = await allways(['linearize', file, ...traces, '--no-causes'])
  expect(ran).toMatchObject({ code: 1 })
  expect(ran.stdout).toContain('{ inc() } || { inc() }')
})

test('other computed names are told, and --strict fails for them', async () => {
  const file = written(
    'symbol.ts',
    `export class Box { n = 1
  get() { return this.n }
  broken() { throw new Error('no') }
  *[Symbol.iterator]() { yield this.n } }`,
  )
  const ran = await allways(['linearize', file, ...traces])
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stdout).toMatch(/calls: get [\d,]+ returned; broken [\d,]+ threw/)
  expect(ran.stdout).toContain('note: [Symbol.iterator] (line 4) is never called: its name is computed')
  expect(await allways(['linearize', file, ...traces, '--strict'])).toMatchObject({ code: 1 })
  const given = await allways(['linearize', file, ...traces, '--client', '{ get() } || { get() }', '--strict'])
  expect(given).toMatchObject({ code: 0 })
  expect(given.stdout).not.toContain('computed')
})
