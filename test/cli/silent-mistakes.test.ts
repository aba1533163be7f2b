/** Mistakes that look like something else to whoever does not look closely: each is told, at its line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkResult, choose, program, receive, self, send } from '../../src/index.ts'
import { cut, oneIn } from '../amount.ts'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-silent-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

/** The code stands in the second line of its file. */
async function checked(code: string, ...flags: readonly string[]) {
  const file = join(folder, `f${++files}.check.ts`)
  const names =
    'assert, choose, conflict, final, invariant, linearizable, machine, monitor, program, receive, send, spawn'
  writeFileSync(file, `import { ${names}, system } from 'allways'\n${code}\n`)
  return await allways(['check', file, ...flags])
}

const later = 'function* () { yield* choose([1, 2])\n CODE }'
const node = `machine('m', { state: () => ({ n: 0 }), on: {}, start(s: any, c: any) { c.setTimer('t', { milliseconds: 1 }) }, timers: { t(s: any) {\n CODE } } } as never)`

describe('what belongs to the language and is changed in a check', () => {
  // What nobody here calls: the runner runs beside.
  const changes: readonly (readonly [string, string])[] = [
    ['Array.prototype.copyWithin = (() => [7]) as never', 'Array.prototype.copyWithin'],
    ['Math.random = () => 4', 'Math.random'],
    ['const list = Array.prototype as any; list.last = () => 4', 'Array.prototype.last'],
    ["Object.defineProperty(Map.prototype, 'forEach', { value: () => 1 })", 'Map.prototype.forEach'],
    ['Object.assign(Atomics, { isLockFree: () => 3 })', 'Atomics.isLockFree'],
    ['delete (String.prototype as any).anchor', 'String.prototype.anchor'],
  ]
  const [copyWithin, random] = [Array.prototype.copyWithin, Math.random]

  test.each(oneIn(3, changes))(
    '%s is refused with its line, by a process and by a handler',
    cut,
    async (code, name) => {
      const process = await checked(`export default program('p', ${later.replace('CODE', code)})`)
      const handler = await checked(
        `export default system('s', () => ({ machines: { a: ${node.replace('CODE', code)}.as() } }))`,
      )
      for (const { code: status, stderr } of [process, handler]) {
        expect(stderr.replaceAll(/\n\s+(?=\S)/g, ' ')).toContain(`changes what belongs to the language: ${name}`)
        expect(stderr).toMatch(/E114[^>]*f\d+\.check\.ts:3:/)
        expect(status).toBe(2)
      }
      expect([Array.prototype.copyWithin, Math.random, 'last' in []]).toEqual([copyWithin, random, false])
      expect([Atomics.isLockFree(4), 'x'.anchor('y')]).toEqual([true, '<a name="y">x</a>'])
    },
  )

  test('is none of this if others change it while the check waits', async () => {
    const long = program('long', function* () {
      for (let n = 0; n < 12; n++) yield* choose([1, 2])
    })
    const checking = checkResult(long, { engine: 'exhaustive' })
    const spied = () => 0.5
    const timer = setInterval(() => {
      Math.random = Math.random === spied ? random : spied
    }, 5)
    try {
      expect(await checking).toMatchObject({ ok: true, value: { kind: 'verified' } })
    } finally {
      clearInterval(timer)
      Math.random = random
    }
  })
})

describe('a Proxy', () => {
  const odd = 'new Proxy({ n: 1 }, { get: (t: any, k) => (k === "n" ? t.n++ : t[k]) })'

  test.each([
    [
      'as a message',
      `export default program('p', function* () {
      const a = yield* spawn('a', function* () { yield* receive() })
      yield* send(a, ${odd} as never) })`,
      'E205  the message is a Proxy',
    ],
    ['as a result', `export default program('p', function* () { return [${odd}] as never })`, 'a Proxy'],
    [
      'as a state',
      `const m = machine('m', { state: () => ({ x: ${odd} }), on: {} } as never)
      export default system('s', () => ({ machines: { a: m.as() } }))`,
      'state.x is a Proxy',
    ],
  ])('%s is no value', async (_, code, message) => {
    const { code: status, stderr } = await checked(code)
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })
})

test('a promise is said to be one, wherever a value should be', async () => {
  const each = '() => ({ x: Promise.resolve(1) }) as never'
  const m = `const m = machine('m', { state: () => ({ n: 0 }), on: {} } as never)`
  const { stderr } = await checked(
    `${m}\nexport default system('s', () => ({ machines: { a: m.as(), b: m.as() }, invariants: [conflict('i', { each: ${each} })] }))`,
  )
  expect(stderr).toContain('E227  "each" of "i" returned something that is not a value: fact.x is a promise')
})

test('an object that is made later says what to write instead', async () => {
  const { stderr } = await checked(
    `class C { n = 0; push() { this.n++ } }\nexport default linearizable(C, { create: (async () => new C()) as never, operations: { push: [] } })`,
  )
  expect(stderr).toContain('E308  create() of "C" gave a promise and not the object')
  expect(stderr.replaceAll(/\n\s+/g, ' ')).toContain('make what it awaits a method and one of its operations')
})

describe('what is thrown and is no error', () => {
  const thrownAnywhere = [
    ['5', 'threw 5'],
    ['null', 'threw null'],
    ['undefined', 'threw undefined'],
    ["'boom'", 'threw "boom"'],
    ['{ code: 1 }', 'threw {code: 1}'],
  ] as const

  test.each(oneIn(4, thrownAnywhere))('throw %s is shown as it is, whoever throws it', cut, async (thrown, message) => {
    const notice = `monitor('w', { observes: () => true }, function* () { yield* receive(); throw ${thrown} })`
    const [none, m] = ['function* () {}', `machine('m', { state: () => ({ n: 0 }), on: {} } as never)`]
    const start = `machine('m', { state: () => ({ n: 0 }), on: {}, timers: { t() { throw ${thrown} } }, start(_: any, c: any) { c.setTimer('t', { milliseconds: 1 }) } } as never)`
    const code = [
      `export const a = program('a', function* () { throw ${thrown} })`,
      `export const b = program('b', async () => { await Promise.reject(${thrown}) })`,
      `export const c = program('c', { properties: [final('f', () => { throw ${thrown} })] }, ${none})`,
      `export const d = system('d', () => ({ machines: { a: ${start}.as() } }))`,
      `export const e = system('e', () => ({ machines: { a: ${m}.as() }, invariants: [invariant('i', () => { throw ${thrown} })] }))`,
      `export const g = program('g', { properties: [${notice}] }, function* () { const a = yield* spawn('a', ${none}); yield* send(a, { kind: 'x' } as never) })`,
    ]
    const { stdout, stderr } = await checked(code.join('\n'), '--json')
    const { results } = JSON.parse(stdout) as { results: readonly { violation: { message: string } | null }[] }
    expect(
      results.map(({ violation }) => violation?.message),
      stderr,
    ).toEqual([message, message, `final "f" ${message}`, message, `invariant "i" ${message}`, message])
  })

  test('tells calls of a class apart, as errors do by more than their messages', async () => {
    const late = (thrown: string): string =>
      `{ n = 0; async push() { const n = this.n; await null; this.n = n + 1; throw ${thrown} } }`
    const code = [
      `class A ${late('{ code: n }')}`,
      `class B ${late("Object.assign(new Error('no'), { code: n })")}`,
      'export const a = linearizable(A, { operations: { push: [] } })',
      'export const b = linearizable(B, { operations: { push: [] } })',
    ]
    const { stdout } = await checked(code.join('\n'))
    expect(stdout).toMatch(/after push\(\), push\(\) throws {code: 1}, not threw\s+{code: 0}/)
    expect(stdout).toContain('A is not linearizable')
    expect(stdout).toContain('B is not linearizable')
    expect(stdout).toContain('Error: no {code: 0}')
  })
})

test('a monitor with a state that is told of nothing is noted', async () => {
  const sees = (kind: string): string =>
    `monitor('w', { state: () => 0, on: { ${kind}: (s: number) => s + 1 }, hot: () => false })`
  const m = `machine('m', { state: () => ({ n: 0 }), start(_: any, c: any) { c.announce({ kind: 'x' }) }, on: {} } as never)`
  const of = (name: string, kind: string): string =>
    `export const ${name} = system('${name}', () => ({ machines: { a: ${m}.as() }, monitors: [${sees(kind)}] }))`
  const { stdout, code } = await checked([of('s', 'x'), of('t', 'y')].join('\n'))
  expect(code).toBe(0)
  expect(stdout.match(/note: monitor "w" is never told anything/g)).toHaveLength(1)
  expect(stdout.indexOf('note: monitor')).toBeGreaterThan(stdout.indexOf(' t '))
})

test('a condition that is an async generator is said to be one, at its own line', async () => {
  const m = `const m = machine('m', { state: () => ({ n: 0 }), on: {} } as never)`
  for (const [kind, list] of [
    ['liveness', 'liveness'],
    ['invariant', 'invariants'],
  ] as const) {
    const { stderr, code } = await checked(
      `import { liveness } from 'allways'\n${m}\nconst one = ${kind}('l', (async function* () {}) as never)\nexport default system('s', () => ({ machines: { a: m.as() }, ${list}: [one] }))`,
    )
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\n\s+/g, ' ')).toContain(
      `E215  an async generator cannot be used where an answer is needed at once, in ${kind} "l"`,
    )
    expect(stderr).toMatch(/f\d+\.check\.ts:4:13/)
  }
})

test('what has no line of its own is at the declaration, and not where the check was called', async () => {
  const odd = async function* () {} as unknown as () => boolean
  const declared = new Error('here').stack
  const filters = program('filters', function* () {
    yield* send(yield* self<number>(), 1)
    yield* receive(odd)
  })
  const line = Number(/silent-mistakes\.test\.ts:(\d+)/.exec(declared ?? '')?.[1]) + 1
  const result = await checkResult(filters)
  const places = result.ok ? [] : result.diagnostics.map(({ place }) => place?.line)
  expect(places.every((one) => one === line || one === line + 2)).toBe(true)
  expect(places).toHaveLength(1)
})
