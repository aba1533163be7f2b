/** What a lost update can be seen by, whatever an operation wraps it in: told apart, or refused; never alike by default. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-returned-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Of a counter that loses updates, or that does not. */
async function told(returned: string, name: string, pause = 'await null; '): Promise<string> {
  const path = join(folder, `${name}.check.ts`)
  const source = `import { linearizable } from 'allways'
class Counter {
  n = 0
  async increment(): Promise<any> { const b = this.n; ${pause}this.n = b + 1; ${returned} }
  release() {}
}
export default linearizable(Counter, { operations: { increment: [] }, calls: 1 })
`
  writeFileSync(path, source)
  const result = await checkResult(path, { time: 5000 })
  return result.ok ? result.value.kind : result.diagnostics.map(({ code, message }) => `${code} ${message}`).join()
}

test.each([
  ['a number', 'return b'],
  ['a function that holds it', 'return () => b'],
  ['a function that holds a variable', 'let c = b; c++; return () => c++'],
  ['a function that holds such a function', 'const f = () => b; return () => f()'],
  ['a function within something', 'return { list: [() => b] }'],
  ['one of two functions', 'return b === 0 ? () => 0 : () => 1'],
  ['a field of a Map', 'return Object.assign(new Map(), { ticket: b })'],
  ['a field of a Set', 'return Object.assign(new Set(), { ticket: b })'],
  ['a field of a list', 'return Object.assign([1], { ticket: b })'],
  ['a field of a Date', 'return Object.assign(new Date(0), { ticket: b })'],
  ['a field of an Error', "return Object.assign(new Error('x'), { ticket: b })"],
  ['a field that a symbol names', "return { [Symbol('s')]: b }"],
  ['a field that is not enumerable', "return Object.defineProperty({}, 'ticket', { value: b })"],
  ['a hole', 'const list: unknown[] = [0, 1]; if (b === 0) delete list[0]; else list[0] = undefined; return list'],
  ['a regular expression', 'return new RegExp(String(b))'],
  ['bytes', 'return new Uint8Array([b]).buffer'],
])('a lost update is seen by %s', async (name, returned) => {
  expect(await told(returned, name.replaceAll(' ', '-'))).toBe('violated')
  expect(await told(returned, `${name.replaceAll(' ', '-')}-whole`, '')).toBe('verified')
})

test.each([
  [
    'a function that holds an object',
    'const o = { b }; return () => o.b',
    /increment returns a function that holds an object/,
  ],
  ['a promise within something', 'return { later: Promise.resolve(b) }', /a promise inside of something else/],
  ['a bound function', 'return this.release.bind(this, b)', /E30[57]/],
])('%s is refused', async (name, returned, problem) => {
  expect(await told(returned, name.replaceAll(' ', '-'))).toMatch(problem)
})

test.each([
  ['what releases the object', 'return () => this.release()'],
  ['a function that holds nothing', 'return () => 1'],
])('%s is the same in all calls', async (name, returned) => {
  expect(await told(returned, name.replaceAll(' ', '-'))).toBe('verified')
})
