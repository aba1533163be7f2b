import { describe, expect, test } from 'vitest'
import { transformObjects } from '../../../../src/frontends/typescript/access/transform-objects.ts'
import { rewritten } from './miniature-runtime.ts'

/** When it is refused: with the file; when the function is called; or when it is called by what is checked. */
type When = 'file' | 'call' | 'check'

/** The constructs that are refused, each with its place, as in `eval 1:20`. */
function refused(source: string): readonly (readonly [When, string, string])[] {
  const result = transformObjects(source, 'sample.ts')
  if (result.ok) return refusedLater(source)
  return result.diagnostics.map(({ code, message, hint, place }) => {
    expect({ code, file: place?.file }).toEqual({ code: 'E307', file: 'sample.ts' })
    return ['file', shown(message, place?.line, place?.column), hint ?? '']
  })
}

function refusedLater(source: string): readonly (readonly [When, string, string])[] {
  const code = rewritten(source)
  const sites = JSON.parse(
    /\.module\("sample\.ts", \[.*?\], (\[(?:\[\d+, \d+, \d+\](?:, )?)*\]), \[/.exec(code)?.[1] ?? '[]',
  )
  const calls = code.matchAll(/\.refused\(\S+?\+(\d+), ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"), (true|false)\)/g)
  return [...calls].map(([, site, message, hint, always]) => {
    const [, line, column] = sites[Number(site)]
    return [
      always === 'true' ? 'call' : 'check',
      shown(JSON.parse(message ?? ''), line, column),
      JSON.parse(hint ?? ''),
    ]
  })
}

function shown(message: string, line: number | undefined, column: number | undefined): string {
  expect(message).toMatch(/ cannot be checked$/)
  return `${message.replace(/ cannot be checked$/, '')} ${line}:${column}`
}

describe('constructs that cannot be checked', () => {
  const table: readonly (readonly [source: string, When, construct: string, hint: string])[] = [
    [
      'async function* f() { yield* [] }',
      'check',
      'yield* in an async generator 1:23',
      'loop with for await, and yield each element',
    ],
    ['function* f() { eval("1"); yield 2 }', 'check', 'eval 1:17', 'write the code as a function'],
    ['class C { @dec m() {} }', 'file', 'a decorator 1:11', 'write out what the decorator does'],
    ['@dec class C {}', 'file', 'a decorator 1:1', 'write out what the decorator does'],
    ['class C { m(x: any) { for (using y of x); } }', 'call', 'using 1:28', 'use try and finally'],
    ['class C { async m(x: any) { for (await using y of x); } }', 'call', 'await using 1:34', 'use try and finally'],
    // What is written out in front of it does not count.
    ['class C { m(x: any) { using y = x; eval("1") } }', 'call', 'eval 1:36', 'write the code as a function'],
    ['class C { x() { { using y = f() } } z = eval("1") }', 'file', 'eval 1:41', 'write the code as a function'],
    ['class C { m() { eval("1") } }', 'call', 'eval 1:17', 'write the code as a function'],
    ['class C { constructor() { eval("1") } }', 'check', 'eval 1:27', 'write the code as a function'],
    ['class C { x = eval("1") }', 'file', 'eval 1:15', 'write the code as a function'],
    [
      'class C { m() { return () => arguments } }',
      'call',
      'arguments in an arrow function 1:30',
      'use a rest parameter',
    ],
    [
      'class C extends B { m() { return () => super.m() } }',
      'call',
      'super in an arrow function 1:40',
      'call a method of this that uses super',
    ],
    [
      'class C { m() { return { n() { return super.n() } } } }',
      'call',
      'super in a method of an object literal 1:39',
      'call a method of this that uses super',
    ],
    [
      'class C extends B { m() { super.x = 1 } }',
      'call',
      'an assignment to a property of super 1:27',
      'assign to this',
    ],
    ['class C extends B { m() { super.x++ } }', 'call', 'an assignment to a property of super 1:27', 'assign to this'],
    ['function f() { return new.target }', 'call', 'new.target 1:23', 'use it in constructors only'],
    ['class C { accessor x = 1 }', 'file', 'an accessor field 1:11', 'write a getter and a setter'],
    ['class C { [f()]() {} }', 'file', 'a method with a computed name 1:12', 'give the name a constant first'],
    [
      'const f = () => ({ get [g()]() { return 1 } })',
      'call',
      'an accessor with a computed name 1:25',
      'give the name a constant first',
    ],
    ['namespace N { export const x = 1 }', 'file', 'a namespace 1:1', 'move its contents to a module'],
    [
      'export let n = 0; export const up = () => n++',
      'file',
      'the exported variable n, which is assigned, 1:12',
      'export a function that reads it',
    ],
    [
      'class C { m() { for (let i = 0, f = () => i; i < 3; i++) f() } }',
      'call',
      'a function in the head of a loop that uses variables of the loop 1:37',
      'make it before the loop',
    ],
    [
      'class C { m(x: any) { switch (x) { case 1: function f() {} } } }',
      'call',
      'a function declared in a case of a switch 1:44',
      'put the case into braces',
    ],
    [
      'class C { m(a = 5, b = () => a) { var a = 7; return a + b() } }',
      'call',
      'var a, which the value of a parameter does not mean by that name, 1:39',
      'give the variable another name',
    ],
    [
      'const x = 1; const f = async (b = x) => { { var x = 7 } return b }',
      'call',
      'var x, which the value of a parameter does not mean by that name, 1:49',
      'give the variable another name',
    ],
  ]
  for (const [source, ...refusal] of table) {
    test(source, () => {
      expect(refused(source)).toEqual([refusal])
    })
  }

  test('JSX', () => {
    const result = transformObjects('const f = () => {\n  return <p>text</p>\n}', 'sample.tsx')
    expect(result.ok && result.value.code).toContain(
      '"JSX cannot be checked", "keep it out of the class under check", true',
    )
    expect(result.ok && result.value.code).not.toContain('<p>')
  })

  test('all are told, each in the function it stands in', () => {
    const source = 'class C { async *a() { yield* 1 }\n *b() { return () => eval("") } }'
    expect(refused(source).map(([when, construct]) => `${when} ${construct}`)).toEqual([
      'check yield* in an async generator 1:24',
      'call eval 2:22',
    ])
  })

  test('what follows stays on its line', () => {
    const source = 'class C {\n  m() {\n    eval("1")\n    return 1\n  }\n  n() { return "here" }\n}\n'
    expect(rewritten(source).split('\n')[5]).toContain('"here"')
  })
})

describe('constructs that can', () => {
  const sources: readonly string[] = [
    'export const x = eval("1")',
    'class C { constructor() { new.target; arguments.length } }',
    'class C { m() { return arguments.length } }',
    'class C extends B { m() { return super.m() + super.x } get y() { return super.y } }',
    'class C { [Symbol.iterator]() { return this } ["quoted"]() {} get [Symbol.toStringTag]() { return "C" } }',
    'export const n = 0; export let m = 0; let k = 0; k = 1',
    'declare namespace N { const x: number }',
    'for await (const x of []) x',
  ]
  for (const source of sources) {
    test(source, () => {
      expect(refused(source)).toEqual([])
    })
  }
})
