import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { transformSync } from 'esbuild'
import { afterEach, describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../../src/core/diagnostic.ts'
import { Operation } from '../../../../src/core/operation.ts'
import { loopLimit, running } from '../../../../src/core/running.ts'
import { transform } from '../../../../src/frontends/typescript/transform.ts'
import * as coroutine from '../../../../src/model/coroutine.ts'

/** `op(x)` is answered with x: natively by a promise, in a process by the driver. */
type Main = (op: (value: unknown) => unknown, log: (entry: unknown) => void) => unknown

function transformed(source: string): { readonly code: string; readonly map: string } {
  const result = transform(source, 'sample.ts')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.value
}

function mainOf(code: string): Main {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs', target: 'node20' })
  const module = { exports: {} as { main?: Main } }
  new Function('module', 'exports', 'require', script)(module, module.exports, () => coroutine)
  if (module.exports.main === undefined) throw new Error('the sample exports no main')
  return module.exports.main
}

test('calls whose value nobody uses are looked at, and no others', () => {
  const looked = (statement: string, head = 'function* body(a, b)'): boolean =>
    transformed(`export class Base {}\nexport ${head} {\n  ${statement}\n}`).code.includes('.dropped(')
  for (const statement of [
    'a()',
    'a.b(1)',
    'a?.b()',
    'a && b()',
    'a ? b() : a()',
    'if (a) b()',
    'b(() => {\n a()\n })',
  ])
    expect([statement, looked(statement)]).toEqual([statement, true])
  for (const statement of ['yield* a()', 'const c = a()', 'return a()', 'a = b()', 'a`b`', 'new a()'])
    expect([statement, looked(statement)]).toEqual([statement, false])
  expect(looked('a()', 'async function body(a)')).toBe(false)
  expect(transformed('class A extends B { constructor() { super() } }').code).not.toContain('dropped')
})

interface Outcome {
  readonly log: readonly unknown[]
  readonly returned?: unknown
  readonly threw?: string
}

async function outcomeOutside(main: Main): Promise<Outcome> {
  const log: unknown[] = []
  try {
    const returned = await main(
      (value) => Promise.resolve(value),
      (entry) => log.push(entry),
    )
    return { log, returned }
  } catch (error) {
    return { log, threw: String(error) }
  }
}

function outcomeInProcess(main: Main): Outcome {
  const log: unknown[] = []
  running.process = 'main'
  running.fuel = loopLimit
  try {
    const operation = (value: unknown) => new Operation('choose', undefined, value, undefined, undefined)
    const process = main(operation, (entry) => log.push(entry)) as Iterator<unknown, unknown, unknown>
    let result: unknown = process.next(undefined)
    while (result instanceof Operation) result = process.next(result.payload)
    return { log, returned: (result as { value: unknown }).value }
  } catch (error) {
    return { log, threw: String(error) }
  } finally {
    running.process = undefined
  }
}

function mistakeInProcess(source: string): Diagnostic | undefined {
  outcomeInProcess(mainOf(transformed(source).code))
  return running.mistake
}

afterEach(() => {
  running.mistake = undefined
  running.unawaited = 0
})

const conformance = `
export async function main(op: (value: unknown) => any, log: (entry: unknown) => void): Promise<unknown> {
  abstract class Base<T> {
    readonly items: T[] = []
    async add(item: T): Promise<number> {
      log(['add', await op(item)])
      return this.items.push(item)
    }
  }
  class Store<T> extends Base<T> {
    #secret = 1
    last = async (offset = 1) => this.items[this.items.length - (await op(offset))]
    static made = 0
    static async make<T>(): Promise<Store<T>> {
      this.made += await op(1)
      return new Store<T>()
    }
    override async add(item: T, ..._rest: unknown[]): Promise<number> {
      const size = await super.add(item)
      this.#secret += await this.#double(arguments.length)
      return size
    }
    async #double(n: number): Promise<number> {
      return (await op(n)) * 2
    }
    static async #hidden(n: number) { return await op(n + Store.made) }
    static async seen() { return Store.#hidden(1) }
    async 'quoted name'() { return this.#secret }
    async [Symbol.toPrimitive]() { return 'primitive' }
  }
  const store = await Store.make<number>()
  log(await (store as any).add(1, 'two', 'three'))
  log(await store.add(2))
  log(await store.last())
  log(await store['quoted name']())
  log(await store[Symbol.toPrimitive]())
  log(await Store.seen())
  outer: for (let i = 0; i < 3; i++) {
    for (const j of [0, 1, 2]) {
      if ((await op(j)) === 1) continue outer
      if (i === 2) break outer
      log([i, j])
    }
  }
  try {
    try {
      await op(0)
      throw new Error('inner')
    } finally {
      log(await op('finally'))
    }
  } catch (error) {
    log(String(error))
  }
  const nested = async (a: number, b = a + 1) => {
    const inner = async (c: number, { d = c * 2 } = {}) => [a, b, c, await op(d)]
    return inner(b)
  }
  log(await nested(1))
  const fact = async function fact(n: number): Promise<number> {
    return n < 2 ? 1 : n * (await fact(n - (await op(1))))
  }
  log(await fact(5))
  const object = { base: 10, async plus(n: number) { return this.base + (await op(n)) }, async ['computed' + 1]() { return 'c' } }
  log(await object.plus(5))
  log(await object.computed1())
  return await helper<number>(await op(3))
  async function helper<T extends number>(n: T): Promise<number> {
    return n <= 0 ? 0 : n + (await helper(n - 1))
  }
}
`

describe('a rewritten program', () => {
  test('does what the native one does, in a process and outside', async () => {
    const native = await outcomeOutside(mainOf(conformance))
    const main = mainOf(transformed(conformance).code)
    expect(native.returned).toBe(6)
    expect(native.log).toHaveLength(16)
    expect(outcomeInProcess(main)).toEqual(native)
    expect(await outcomeOutside(main)).toEqual(native)
  })

  const small: readonly (readonly [string, string])[] = [
    [
      'a statement after one without semicolon',
      'const f = () => log("called")\n  const g = f\n  await op(1)\n  return g.length',
    ],
    [
      'an await that begins a larger statement',
      'let n = log\n  await op(1), log(2)\n  await op(3) || log(4)\n  return 5',
    ],
    [
      'an arrow function with its body on the next line',
      'const f = async (): Promise<number> =>\n    op(7)\n  return f()',
    ],
    ['an arrow function with a bare parameter', 'const f = async x => (await op(x)) + 1\n  return f(1)'],
    ['an arrow function that gives an object', 'const f = async () => ({ a: await op(1) })\n  return f()'],
    [
      'an arrow function with types full of arrows',
      'const f = async <T = () => void,>(g: () => T = () => 4 as T): Promise<T> => op(g())\n  return f()',
    ],
    [
      'an error in a default parameter',
      'const f = async (a = (() => { throw new Error("default") })()) => a\n  const p = f()\n  log("no throw")\n  return p',
    ],
    [
      'an error in destructuring',
      'async function f({ a }: any) { return a }\n  const p = f(undefined)\n  log("no throw")\n  return p',
    ],
    [
      'an error before the first await',
      'async function f() { throw new Error("early") }\n  try { await f() } catch (e) { return String(e) }',
    ],
    [
      'what a call does before its first await',
      'async function f() { log("began"); await op(1); log("went on") }\n  const p = f()\n  log("called")\n  await p\n  log("awaited")',
    ],
    [
      'a call awaited twice',
      'async function f() { return { n: await op(1) } }\n  const p = f()\n  return (await p) === (await p)',
    ],
    ['the order of arguments', 'const f = async (a, b, c) => [a, b, c]\n  return f(log(1), await op(2), log(3))'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample's own template
    ['awaits in parameters of calls and templates', 'return `${await op(1)}-${[await op(2), ...(await op([3]))]}`'],
    [
      'await in conditions and loops',
      'let n = 0\n  while ((await op(n)) < 3) n++\n  do n += await op(1)\n  while (n < 6)\n  for (const k in await op({ a: 1 })) log(k)\n  return n > 5 ? await op(n) : 0',
    ],
    [
      'loops without braces',
      'let s = 0\n  for (const x of [1, 2]) for (let i = 0; i < 2; i++) s += x\n  if (s) while (s < 9) s++; else s = 0\n  for (; s < 12; s++);\n  return s',
    ],
    [
      'names and lengths',
      'async function f(a, b = 1) {}\n  const g = async (x, y) => {}\n  const o = { async m(q) {} }\n  class A { async n(a) {} field = async () => {} }\n  return [f, g, o.m, A.prototype.n, new A().field].map((h) => [h.name, h.length])',
    ],
    [
      'this of functions that are passed on',
      'const o = { n: 3, async m() { return this.n } }\n  class A { n = 4; async m() { return [1].map(() => this.n)[0] } }\n  return [await o.m(), await o.m.call({ n: 5 }), await A.prototype.m.call({ n: 6 }), await new A().m()]',
    ],
    [
      'fields without semicolons before async methods',
      'class A {\n    x = 2\n    async m() { return this.x }\n    y = 3\n    static z = 4\n    async #p() { return 5 }\n    async q() { return this.#p() }\n  }\n  return [await new A().m(), await new A().q()]',
    ],
    [
      'static fields that call async methods',
      'class A { static first = A.make(1); static async make(n) { return n } }\n  return A.first',
    ],
    [
      'overloads',
      'function f(a: string): Promise<string>\n  function f(a: number): Promise<number>\n  async function f(a: any) { return a }\n  class A { m(a: string): Promise<string>; async m(a: any) { return a } }\n  return [await f(1), await new A().m("x")]',
    ],
    [
      'an inherited method that is not overridden',
      'class A { async m() { return op(1) } }\n  class B extends A {}\n  return new B().m()',
    ],
    [
      'a function expression that does not mention itself',
      'return (async function named() { return op(arguments.length) })()',
    ],
    ['a name that hides the name of the function', 'const f = async function g(g) { return op(g) }\n  return f(8)'],
    [
      'generators beside async functions',
      'function* two() { yield 1; yield 2 }\n  let s = 0\n  for (const x of two()) s += await op(x)\n  return s',
    ],
    [
      'values that are awaited though they are no promises',
      'return [await 1, await null, await { a: 2 }, await undefined]',
    ],
    [
      'arguments in an async arrow function',
      'return (async () => [arguments.length, await op(arguments[0] === op)])()',
    ],
    ['new.target in an async arrow function', 'return (async () => [await op(1), new.target])()'],
    [
      'super in an async arrow function',
      'class A { at(n) { return [this.k, n] } }\n  class B extends A { k = 5; async m() { return (async () => super.at(await op(7)))() } }\n  return new B().m()',
    ],
    [
      'a computed name of an async method',
      'let n = 0\n  class A { async ["m" + ++n]() { return op(n) } }\n  return [await new A().m1(), n]',
    ],
    ['identifiers that look like ours', 'const $allways = await op(1), $allways2 = 2\n  return [$allways, $allways2]'],
  ]
  test.each(small)('agrees with the native one on %s', async (_, body) => {
    const source = `export async function main(op: any, log: any) {\n  ${body}\n}\n`
    const native = await outcomeOutside(mainOf(source))
    const main = mainOf(transformed(source).code)
    expect(outcomeInProcess(main)).toEqual(native)
    expect(running.mistake).toBeUndefined()
    expect(running.unawaited).toBe(0)
    expect(await outcomeOutside(main)).toEqual(native)
  })
})

describe('the text of the output', () => {
  test('keeps every line where it was, and maps every await exactly', () => {
    const { code, map } = transformed(conformance)
    const original = conformance.split('\n')
    const generated = code.split('\n')
    const awaits = positionsOf(original, /\bawait\b/g)
    const found = positionsOf(generated.slice(0, original.length), /\byield\* \$allways\.awaited\(/g)
    expect(found).toHaveLength(awaits.length)
    const trace = new TraceMap(map)
    const mapped = found.map((position) => originalPositionFor(trace, position))
    expect(mapped.map(({ line, column }) => ({ line, column }))).toEqual(awaits)
    expect(found.map(({ line }) => line)).toEqual(awaits.map(({ line }) => line))
  })

  test('is the input when there is nothing to do', () => {
    const source = `import { x } from './x.ts'\nexport const y: number = await x\n`
    expect(transformed(source).code).toBe(source)
  })

  test('counts the iterations of every kind of loop once', () => {
    const source =
      'for (;;) {}\nfor (const a of b) c()\nfor (const a in b) {}\nwhile (a) b()\ndo {} while (a)\nexport {}\n'
    expect(transformed(source).code.match(/\$allways\.tick\(\);/g)).toHaveLength(5)
  })

  test('hoists the generator of a declared function, and wraps methods once per class', () => {
    const { code } = transformed('export async function f(a: number) {}\nclass A { async m() {} }\n')
    expect(code).toContain('function* $allways_f(a: number) {}')
    expect(code).toContain('static { $allways.methods(this.prototype, ["m"]); }')
  })

  test('leaves CommonJS files alone, which cannot import', () => {
    const source = 'module.exports = async () => { for (;;) await 1 }\n'
    const result = transform(source, 'old.js')
    expect(result.ok && result.value.code).toBe(source)
  })

  test('answers import.meta for the file where asked to', () => {
    const result = transform('export const a = [import.meta.url, import.meta.main]\n', 'a.ts', { url: 'file:///a.ts' })
    expect(result.ok && result.value.code).toBe('export const a = ["file:///a.ts", import.meta.main]\n')
  })
})

describe('what cannot be rewritten', () => {
  const refused: readonly (readonly [string, string, number])[] = [
    [
      'super in an async arrow function, other than to read or call a member',
      'class A extends Array { async m() { return (async () => {\n super.at = 0 })() } }\n  return new A().m()',
      3,
    ],
    ['super in an async method of an object literal', 'return ({ async m() { return super.toString() } }).m()', 2],
    [
      'a decorator on an async method',
      'const d = (f: unknown) => f\n  class A { @d async m() {} }\n  return new A().m()',
      3,
    ],
  ]
  test.each(refused)('%s is E215 at its place when a process uses it', async (construct, body, line) => {
    const source = `export async function main(op: any, log: any) {\n  ${body}\n}\n`
    const found = mistakeInProcess(source)
    expect(found).toMatchObject({ code: 'E215', message: `${construct} cannot be used in a process` })
    expect(found?.place).toMatchObject({ file: 'sample.ts', line })
    expect(found?.hint).toBeDefined()
  })

  test.each([
    ['for await', 'for await (const x of []) log(x)'],
    ['await using', '{ await using x = null }'],
    ['an async generator', 'async function* g() { yield 1 }\n  for (const x of [g().next()]) await x'],
  ])('%s is E215 in a process that is a generator', (construct, body) => {
    const found = mistakeInProcess(`export async function main(op: any, log: any) {\n  ${body}\n}\n`)
    expect(found).toMatchObject({
      code: 'E215',
      message: `${construct} cannot be used in a process that is a generator`,
    })
  })

  test('still works outside a process', async () => {
    const source = `export async function main(op: any, log: any) {
  async function* count() { for (let i = 0; i < 2; i++) yield await op(i) }
  for await (const x of count()) log(x)
  const two = async () => arguments.length
  return two()
}
`
    expect(await outcomeOutside(mainOf(transformed(source).code))).toEqual({ log: [0, 1], returned: 2 })
  })

  test.each([
    [
      'what is yielded, thrown and returned in a generator',
      `async function* g() {
    try { log(['got', yield await op(1)]); yield* [2, op(3)]; log(['inner', yield* h()]) }
    catch (error) { log(['caught', String(error)]); yield 9 }
    finally { log(['finally', await op('f')]) }
    return op(4)
  }
  async function* h() { try { yield 5; yield 6 } finally { log('h is over') } return 'h' }
  const a = g()
  log([await a.next(), await a.next('x'), await a.next(), await a.next()])
  log(await a.throw(new Error('thrown')))
  log([await a.next(), await a.next()])
  const b = g()
  log([await b.next(), await b.return(op('r')), await b.next()])
  for await (const n of g()) { log(n); if (n === 5) break }`,
    ],
    [
      'an iterator that fails',
      `const failing = { [Symbol.asyncIterator]: () => ({ next: async () => { throw new Error('next') }, return: async () => log('closed') }) }
  try { for await (const x of failing) log(x) } catch (error) { log(String(error)) }
  let n = 0
  const counting = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: n++, done: false }), return: async () => { log('closed'); return {} } }) }
  outer: for await (const x of counting) { for await (const y of [op(x)]) { if (y === 2) break outer; if (y === 1) continue outer; log(y) } }
  try { for await (const x of counting) throw new Error('body ' + x) } catch (error) { log(String(error)) }`,
    ],
  ])('%s: does what Node does, outside a process', async (_, body) => {
    const source = `export async function main(op: any, log: any) {\n  ${body}\n}\n`
    expect(await outcomeOutside(mainOf(transformed(source).code))).toEqual(await outcomeOutside(mainOf(source)))
  })

  test('what a block holds is disposed of outside a process', async () => {
    const source = `export async function main(op: any, log: any) {
  {
    await using a = { async [Symbol.asyncDispose]() { log(await op('a')) } }
    await using b = { [Symbol.dispose]() { log('b') } }
    log('body')
  }
  return 1
}
`
    expect(await outcomeOutside(mainOf(transformed(source).code))).toEqual({ log: ['body', 'b', 'a'], returned: 1 })
  })
})

describe('a syntax error', () => {
  test('is E102 with line and column from 1', () => {
    const result = transform('const é = "ü"\nconst x = ;\n', 'broken.ts')
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E102', place: { file: 'broken.ts', line: 2, column: 11 } }],
    })
  })

  test('does not hide the others', () => {
    const result = transform('function f() { await 1 }\nfunction g() { await 2 }\n', 'broken.ts')
    expect(result.ok ? [] : result.diagnostics.map(({ place }) => place?.line)).toEqual([1, 2])
  })
})

function positionsOf(lines: readonly string[], pattern: RegExp): readonly { line: number; column: number }[] {
  return lines.flatMap((text, index) =>
    [...text.matchAll(pattern)].map((match) => ({ line: index + 1, column: match.index })),
  )
}
