import { describe, expect, test } from 'vitest'
import { type ClassModule, classOperations } from '../../../../src/frontends/typescript/class-operations.ts'

function shape(text: string, name = 'Stack', others: Readonly<Record<string, string>> = {}) {
  const read = (specifier: string): ClassModule | undefined => {
    const other = others[specifier]
    return other === undefined ? undefined : { file: specifier, text: other }
  }
  return classOperations(name, { file: 'stack.ts', text }, read)
}

/** Operation → the values of each parameter; `?` after those that may be left out. */
function values(text: string, name = 'Stack', others: Readonly<Record<string, string>> = {}): object | undefined {
  const operations = shape(text, name, others)?.operations
  return (
    operations &&
    Object.fromEntries(
      operations.map(({ name: operation, parameters }) => [
        operation,
        parameters.map(({ values: list, isOptional }) => [list ?? 'unknown', ...(isOptional ? ['?'] : [])]),
      ]),
    )
  )
}

describe('the values of a parameter', () => {
  test('follow from its type: two of each kind, all of a union of literals', () => {
    const found = values(`
      type Key = 'left' | 'right'
      export class Stack<T, N extends number> {
        a(x: number, y: string, z: boolean, w: bigint) {}
        b(x: 'on' | 'off' | null | -1, y: (Key)) {}
        c(x: T, y: N, z: unknown) {}
        d<U extends string>(x: U) {}
      }`)
    expect(found).toEqual({
      a: [[[0, 1]], [['a', 'b']], [[true, false]], [[0n, 1n]]],
      b: [[['on', 'off', null, -1]], [['left', 'right']]],
      c: [[[0, 1]], [[0, 1]], [[0, 1]]],
      d: [[['a', 'b']]],
    })
  })

  test('are optional after ? and with a default, whose type counts', () => {
    expect(values('export class Stack { a(x: number, y?: boolean) {} b(x = 7, y: string = "z") {} }')).toEqual({
      a: [[[0, 1]], [[true, false], '?']],
      b: [
        [[0, 1], '?'],
        [['a', 'b'], '?'],
      ],
    })
  })

  test('are unknown for objects, functions, rest parameters, names from elsewhere and no type at all', () => {
    const text = `export class Stack {
      a(x: { y: number }) {} b(f: () => void) {} c(...xs: number[]) {} d(x: Entry) {} e(x) {} f({ x }: { x: number }) {}
    }`
    const found = Object.values(values(text) ?? {}).flat(2)
    expect(found).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'])
  })

  test('of a type that names itself are unknown', () => {
    expect(values('type Loop = Loop | 1\nexport class Stack { a(x: Loop) {} }')).toEqual({ a: [['unknown']] })
  })

  test('come with the text and the place of the parameter', () => {
    const [operation] = shape('export class Stack {\n  push(item: Item) {}\n}')?.operations ?? []
    expect(operation?.parameters).toMatchObject([
      { name: 'item', text: 'item: Item', place: { file: 'stack.ts', line: 2, column: 8 } },
    ])
  })
})

describe('the operations of a class', () => {
  test('are its public methods and functions in fields, without accessors, static and hidden ones', () => {
    const found = values(`export class Stack {
      push(x: number): void
      push(x: number) {}
      _own() {} private p() {} #q() {} protected r() {} static s() {} get t() { return 1 } set t(x) {} [u]() {}
      'odd name'() {}
      arrow = (x: boolean) => x
      field = 1
    }`)
    expect(Object.keys(found ?? {})).toEqual(['push', 'odd name', 'arrow'])
  })

  test('include inherited ones, also from another module, unless hidden again', () => {
    const base = 'export class Base { get(key: string) {} put(key: string, value: number) {} }'
    const text = "import { Base as B } from './base.ts'\nexport class Stack extends B { put(key: number) {} }"
    expect(values(text, 'Stack', { './base.ts': base })).toEqual({ get: [[['a', 'b']]], put: [[[0, 1]]] })
  })

  test.each([
    ['export const Stack = class { pop() {} }', 'Stack'],
    ['class Inner { pop() {} }\nexport { Inner as Stack }', 'Stack'],
    ["export { Inner as Stack } from './inner.ts'", 'Stack'],
    ["export * from './inner.ts'", 'Inner'],
    ['export default class { pop() {} }', 'default'],
    ['class Inner { pop() {} }\nexport default Inner', 'default'],
  ])('are found through %s', (text, name) => {
    expect(values(text, name, { './inner.ts': 'export class Inner { pop() {} }' })).toEqual({ pop: [] })
  })

  test('of a class that the source does not show are nothing', () => {
    expect(shape('export const Stack = makeStack()')).toBeUndefined()
    expect(shape("export { Stack } from 'package'")).toBeUndefined()
    expect(shape('export * from "./loop.ts"', 'Stack', { './loop.ts': 'export * from "./loop.ts"' })).toBeUndefined()
  })

  test('stand beside what the constructor needs', () => {
    expect(shape('export class Stack { constructor(private size: number, name?: string, x = 1) {} }')?.needed).toEqual([
      'size: number',
    ])
    expect(shape('class Base { constructor(x: number) {} }\nexport class Stack extends Base {}')?.needed).toEqual([
      'x: number',
    ])
    expect(shape('export class Stack { constructor() {} }')?.needed).toEqual([])
  })
})

describe('methods whose names are computed', () => {
  const text = `
    const key = 'd'
    class Base { async [key]() {} *[Symbol.iterator]() {} }
    export class Stack extends Base {
      async ['a']() {} [\`b\`]() {} 'c'() {}
      static [key]() {} get [key]() { return 1 } private ['e']() {} ['_f']() {} private [key]() {}
    }`

  test('are operations if they are literals', () => {
    expect(Object.keys(values(text) ?? {})).toEqual(['a', 'b', 'c'])
  })

  test('are named if nobody knows them, with those of the base, and no others', () => {
    expect(shape(text)?.unnamed).toEqual([
      { text: '[key]', place: { file: 'stack.ts', line: 3, column: 25 } },
      { text: '[Symbol.iterator]', place: { file: 'stack.ts', line: 3, column: 37 } },
    ])
  })
})
