import { describe, expect, test } from 'vitest'
import { transformObjects } from '../../../../src/frontends/typescript/access/transform-objects.ts'

/** The construct of each diagnostic with its place, as in `eval 1:20`. */
function refused(source: string): readonly string[] {
  const result = transformObjects(source, 'sample.ts')
  if (result.ok) return []
  return result.diagnostics.map(({ code, message, hint, place }) => {
    expect({ code, hint: typeof hint, file: place?.file }).toEqual({ code: 'E307', hint: 'string', file: 'sample.ts' })
    return `${message.replace(/ cannot be checked$/, '')} ${place?.line}:${place?.column}`
  })
}

describe('constructs that cannot be checked', () => {
  const table: readonly (readonly [source: string, ...diagnostics: string[]])[] = [
    ['class C { *m() {} }', 'a generator method 1:11'],
    ['class C { async *m() {} }', 'an async generator method 1:11'],
    ['function* f() {}', 'a generator 1:1'],
    ['class C { async m(o: any) { for await (const x of o) x } }', 'for await 1:29'],
    ['class C { @dec m() {} }', 'a decorator 1:11'],
    ['@dec class C {}', 'a decorator 1:1'],
    ['class C { m(x: any) { using y = x } }', 'using 1:23'],
    ['class C { m() { eval("1") } }', 'eval 1:17'],
    ['class C { m() { return () => arguments } }', 'arguments in an arrow function 1:30'],
    ['class C extends B { m() { return () => super.m() } }', 'super in an arrow function 1:40'],
    ['class C { m() { return { n() { return super.n() } } } }', 'super in a method of an object literal 1:39'],
    ['class C extends B { m() { super.x = 1 } }', 'an assignment to a property of super 1:27'],
    ['function f() { return new.target }', 'new.target 1:23'],
    ['class C { accessor x = 1 }', 'an accessor field 1:11'],
    ['class C { [f()]() {} }', 'a method with a computed name 1:12'],
    ['const f = () => ({ get [g()]() { return 1 } })', 'an accessor with a computed name 1:25'],
    ['namespace N { export const x = 1 }', 'a namespace 1:1'],
    ['export let n = 0; export const up = () => n++', 'the exported variable n, which is assigned, 1:12'],
    [
      'class C { m() { for (let i = 0, f = () => i; i < 3; i++) f() } }',
      'a function in the head of a loop that uses variables of the loop 1:37',
    ],
    [
      'class C { m(x: any) { switch (x) { case 1: function f() {} } } }',
      'a function declared in a case of a switch 1:44',
    ],
  ]
  for (const [source, ...diagnostics] of table) {
    test(source, () => {
      expect(refused(source)).toEqual(diagnostics)
    })
  }

  test('all are told at once', () => {
    expect(refused('class C { *a() {}\n *b() {} }')).toEqual(['a generator method 1:11', 'a generator method 2:2'])
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
