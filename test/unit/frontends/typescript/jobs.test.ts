import { afterEach, expect, test } from 'vitest'
import { running } from '../../../../src/core/running.ts'
import { lowerToJobs } from '../../../../src/frontends/typescript/jobs/lower.ts'
import { refuse } from '../../../../src/jobs/refusals.ts'

function lowered(source: string): { readonly code: string; readonly refusals: readonly string[] } {
  const result = lowerToJobs(source, 'file.ts')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const refusals = result.value.refusals.map(({ construct, place }) => `${place.line}:${place.column} ${construct}`)
  return { code: result.value.code, refusals }
}

afterEach(() => {
  running.process = undefined
  running.mistake = undefined
})

test.each([
  ['await outside of functions', '\nconst x = await f()', '2:11'],
  ['await outside of functions', '\nfor await (const x of f());', '2:1'],
  ['await using other than in a block of a function', 'await using x = f()', '1:1'],
  ['await using other than in a block of a function', 'async () => { for (await using x of f()); }', '1:20'],
  ['using in the head of for await', 'async () => { for await (using x of f()); }', '1:15'],
  ['a decorator on an async method', 'class A { @d async m() {} }', '1:11'],
  ['super in an async method of an object literal', '({ async m() { await super.m() } })', '1:22'],
  [
    'super in an async arrow function, other than to read or call a member',
    'class A extends B { m() { return async () => { super.x = 1 } } }',
    '1:48',
  ],
  ['an async method that is called __proto__', '({ async __proto__() {} })', '1:4'],
  ['an async generator declaration that is assigned to', 'async function* g() {}\ng = 1', '1:1'],
])('refuses %s', (construct, source, place) => {
  expect(lowered(source).refusals).toEqual([`${place} ${construct}`])
})

test('a function that is refused stays as it is, behind a guard that knows the place', () => {
  const { code } = lowered('const f = {\n  async m() { return super.m() } }')
  expect(code).toContain(
    'async m() { if ($allways.refuse("super in an async method of an object literal", "file.ts", 2, 22)) return;',
  )
})

test('under control a guard is a mistake and leaves the function, elsewhere it does nothing', () => {
  expect(refuse('a decorator on an async method', 'file.ts', 2, 3)).toBe(false)
  running.process = 'p'
  expect(refuse('a decorator on an async method', 'file.ts', 2, 3)).toBe(true)
  expect(running.mistake).toMatchObject({ code: 'E215', place: { file: 'file.ts', line: 2, column: 3 } })
})

test('every line stays where it was', () => {
  const source = `async function f(
  a: number,
) {
  const x = await
    g(
      a
    )
  label: for await (
    const y
    of h(x)
  ) {
    await y // here
    continue label
  }
  {
    await using r = k()
    return r
  }
}
class C {
  async m<T>(a: T): Promise<T> { return a }
}
`
  const { code } = lowered(source)
  const lineOf = (text: string, word: string): number => text.slice(0, text.indexOf(word)).split('\n').length
  for (const word of ['g(', '// here', 'continue label', 'k()', 'return r', 'class C']) {
    expect([word, lineOf(code, word)]).toEqual([word, lineOf(source, word)])
  }
})
