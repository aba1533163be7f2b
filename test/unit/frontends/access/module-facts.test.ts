import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { transformObjects } from '../../../../src/frontends/typescript/access/transform-objects.ts'
import type { ModuleMeta } from '../../../../src/frontends/typescript/module-meta.ts'
import { load, loadNative, rewritten } from './miniature-runtime.ts'
import { snippets } from './snippets.ts'

const stack = `import { other } from './other.ts'
/** A stack. */
export class Stack<T> {
  #top = 0
  items: T[] = []
  constructor(readonly size: number) {
    this.items.length = size
  }
  push(item: T): void {
    for (;;) {
      const top = this.#top
      if (this.#grow(top)) {
        this.items[top] = item
        return
      }
    }
  }
  #grow = (top: number): boolean => {
    while (top < 3) {
      for (const x of [1]) other(x)
    }
    return false
  }
  get free() { return this.size - this.#top }
  static of(n: number) { return new Stack(n) }
}
function helper() {
  const inner = () => [1].map((x) => x.toFixed())
  return function () { return inner }
}
let count = 0
const limit = new Map()
const bump = () => { count++ }
bump()
`

function factsOf(source: string) {
  const { facts } = load(source).miniature
  if (facts === undefined) throw new Error('the module told nothing')
  return facts
}

describe('what the runtime is told about a module', () => {
  test('functions with their lines and the lines of their loops', () => {
    const { file, functions } = factsOf(stack)
    expect(file).toBe('sample.ts')
    expect(functions).toEqual([
      ['(module)', 1, 34, []],
      ['Stack.#top', 4, 4, []],
      ['Stack.items', 5, 5, []],
      ['Stack.constructor', 6, 8, []],
      ['Stack.push', 9, 17, [[10, 16]]],
      ['Stack.#grow', 18, 23, []],
      [
        'Stack.#grow',
        18,
        23,
        [
          [19, 21],
          [20, 20],
        ],
      ],
      ['Stack.get free', 24, 24, []],
      ['Stack.of', 25, 25, []],
      ['helper', 27, 30, []],
      ['helper > inner', 28, 28, []],
      ['helper > inner > (arrow)', 28, 28, []],
      ['helper > (function)', 29, 29, []],
      ['bump', 33, 33, []],
    ])
  })

  test('the place of an operation is the name or the operator it stands for', () => {
    const source = `class C { a: any
  m(o: any, k: string) {
    o.first.second = o[k] + this.a.go(k in o)
    o.x++
    delete o.y
    new Map(); o(1); o?.opt; for (const e of o.list) e
    const { p, q: [r] } = o
  } }`
    const { functions, sites } = factsOf(source)
    const code = rewritten(source)
    const lines = source.split('\n')
    const operations = [...code.matchAll(/\$\.(\w+)\(\$b\+(\d+), \[/g)].map(([, name, site]) => {
      const [index, line, column] = sites[Number(site)] ?? []
      expect(functions[Number(index)]?.[0]).toBe('C.m')
      return `${name} ${lines[Number(line) - 1]?.slice(Number(column) - 1).match(/^\w+|^\S/)?.[0]}`
    })
    expect(operations.sort()).toEqual(
      [
        'call o',
        'close o',
        'del y',
        'get a',
        'get first',
        'get k',
        'get list',
        'get opt',
        'get p',
        'get q',
        'get x',
        'has in',
        'invoke go',
        'iterate o',
        'make Map',
        'next o',
        'set second',
        'set x',
        'take [',
      ].sort(),
    )
  })

  test('places count lines and columns as editors do, whatever ends a line and however wide a character is', () => {
    const source =
      "const smile = '😀', o: any = { k: 1 }\r\n\texport const f = () => { const x = '😀'; return o.key }\r\n// \u2028\r\nexport const g = () => o . other\r\n"
    const { sites } = factsOf(source)
    const code = rewritten(source)
    const places = [...code.matchAll(/\.get\(\$b\+(\d+), /g)].map(([, site]) => sites[Number(site)]?.slice(1))
    expect(places).toEqual([
      [2, (source.split('\r\n')[1]?.indexOf('key') ?? -1) + 1],
      [5, 28],
    ])
  })

  test('every place is one of its function, at the beginning of something', () => {
    for (const { source } of snippets) {
      const { functions, sites } = factsOf(source)
      const lines = source.split('\n')
      for (const [index, line, column] of sites as [number, number, number][]) {
        const [, first, last] = functions[index] as [string, number, number]
        expect(line).toBeGreaterThanOrEqual(first)
        expect(line).toBeLessThanOrEqual(last)
        expect(lines[line - 1]?.slice(column - 1)).toMatch(/^\S/)
      }
    }
  })

  test('a file of JavaScript has the same places as one of TypeScript', () => {
    const source = 'export const f = (o) => {\n  o.first = o.second\n}\n'
    const [script, typed] = ['sample.js', 'sample.ts'].map((file) => rewritten(source, file).replace(file, ''))
    expect(script).toBe(typed)
  })

  test('properties that are assigned after construction, with * for computed names', () => {
    const source = `class C { a = 1; b = 2; #c = 3; d; e; static s = 0
      constructor(o: any) { this.a = 1; this.b++; this.d = () => { this.e = 1 }; o.outside = 1 }
      m(o: any) { this.#c = 1; o.f += 1; o.g++; delete o.h; [o.i, { k: o.j }] = o; for (o.k of o) ; o['lit'] = 1; o?.l; C.s = 2; (o as any).m = 1 } }
    const t = { p: 1 }; t.p = 2`
    expect(factsOf(source).assigned).toEqual(
      ['e', 'f', 'g', 'h', 'i', 'j', 'k', 'lit', 'm', 'outside', 'p', 's', expect.stringMatching(/^\$\$C_c_/)].sort(
        (left, right) => (String(left) < String(right) ? -1 : 1),
      ),
    )
    expect(factsOf('export const f = (o: any, k: any) => { o[k] = 1 }').assigned).toEqual(['*'])
  })

  test('variables of the module that may hold objects, boxes among them', () => {
    const { exports, miniature } = load(
      `${stack.slice(stack.indexOf('function helper'))}; export class K {}; export { limit }`,
    )
    expect(miniature.roots()).toEqual([{ v: 1 }, exports.limit, expect.any(Function), exports.K])
  })

  test('what private names are called', () => {
    const { miniature } = load('class A { #x = 1; static #y() {} } class B { #x = 2 }')
    expect(Object.values(miniature.shown)).toEqual(['#x', '#y', '#x'])
  })

  test('private members of classes in files of different names have different properties', () => {
    const names = ['one.ts', 'two.ts'].map((file) => rewritten('class A { #x = 1 }', file).match(/\$\$A_x_\w+/)?.[0])
    expect(new Set(names).size).toBe(2)
  })

  test('writes and reads of constructors and field values, except reads of fields of this', () => {
    const source = `let next = 1; const shared: any = { n: { k: 5 } }
      class C { id = next++; v = shared.n.k; w = this.v; x: any; constructor(o: any) { this.x = o?.a; this.x.y += 1; next += 2 } }
      export function main() { return new C({ a: { y: 1 } }) }`
    const { exports, miniature } = load(source)
    ;(exports.main as () => unknown)()
    expect(miniature.plain.map(({ name, key }) => `${name} ${key}`)).toEqual([
      'get v',
      'set v',
      'get n',
      'get k',
      'get a',
      'set x',
      'get y',
      'set y',
      'get v',
      'set v',
    ])
  })
})

describe('text', () => {
  test('every line of code stands on the line of the source', () => {
    for (const { source } of snippets) {
      const lines = rewritten(source).split('\n')
      source.split('\n').forEach((line, index) => {
        for (const [word] of line.matchAll(/'[a-z]{3,}'|\b\d{2,}\b/g)) expect(lines[index]).toContain(word)
      })
    }
  })

  test('the source map leads back to names in the middle of a line', () => {
    const source = 'class C {\n  m(o: any) {\n    return o.first + missing.second\n  }\n}\n'
    const result = transformObjects(source, 'sample.ts')
    if (!result.ok) throw new Error('refused')
    const { code, map } = transformSync(result.value.code, { loader: 'ts', sourcemap: true, sourcefile: 'sample.ts' })
    const line = code.split('\n').findIndex((text) => text.includes('missing'))
    const column = code.split('\n')[line]?.indexOf('missing') ?? -1
    const inner = originalPositionFor(new TraceMap(map), { line: line + 1, column })
    const outer = originalPositionFor(new TraceMap(result.value.map), {
      line: inner.line ?? 0,
      column: inner.column ?? 0,
    })
    expect({ line: outer.line, text: source.split('\n')[2]?.slice(outer.column ?? 0) }).toEqual({
      line: 3,
      text: 'missing.second',
    })
  })

  test('a hashbang stays the first line', () => {
    expect(rewritten('#!/usr/bin/env node\nexport const x = 1\n').split('\n').slice(0, 2)).toEqual([
      '#!/usr/bin/env node',
      expect.stringMatching(/^import \* as \$ from 'allways\/access'; .* export const x = 1$/),
    ])
  })

  test('names of ours are none of the source', () => {
    const code = rewritten('const $ = 1; const $$x = () => $')
    expect(code).toContain("import * as $$$ from 'allways/access'; const $$$b = ")
  })

  test('import.meta is answered for the file', () => {
    const meta: ModuleMeta = { url: 'file:///here.ts' }
    const result = transformObjects('export const f = () => import.meta.url + import.meta.dirname', 'sample.ts', meta)
    expect(result.ok && result.value.code).toContain('"file:///here.ts" + import.meta.dirname')
  })

  test('a CommonJS file is left as it is', () => {
    const source = 'const fs = require("x"); module.exports = () => fs.y'
    const result = transformObjects(source, 'sample.js')
    expect(result.ok && result.value.code).toBe(source)
  })

  test('syntax errors are diagnostics', () => {
    expect(transformObjects('class {', 'sample.ts')).toMatchObject({ ok: false, diagnostics: [{ code: 'E102' }] })
  })
})

test('functions can be called before their line, and exported in every way', () => {
  const source = `export const early = late(1)
    function late(x: number) { return x + 1 }
    export async function one() { return late(2) }
    export default function (x: number) { return late(x) }
    function renamed() { return 5 }
    export { renamed as other }
    renamed.extra = 1`
  const { exports } = load(source)
  expect(exports.early).toBe(2)
  expect((exports.default as (x: number) => unknown)(3)).toBe(4)
  expect((exports.other as () => unknown)()).toBe(5)
  expect(Object.keys(exports).sort()).toEqual(Object.keys(loadNative(source)).sort())
})
