import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways, type Ran } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-mixed-'))

afterAll(() => rmSync(folder, { recursive: true }))

async function check(source: string, ...flags: readonly string[]): Promise<Ran> {
  const file = join(folder, 'mixed.check.ts')
  writeFileSync(file, source)
  return await allways(['check', file, '--trace-dir', folder, ...flags])
}

const processes = `import { assert, linearizable, program, receive, self, send, spawn } from 'allways'
let greeting = 'hi'
async function* stream() { for await (const each of [greeting]) yield each }
function* child(to: any) { greeting = greeting + ''; yield* send(to, greeting) }
export const pair = program('pair', function* () {
  yield* spawn('child', child, yield* self())
  const got = yield* receive()
  yield* assert(got === 'hi', 'greeted')
})
export const later = program('later', async () => { await spawn('child', child, await self()); await receive(); stream })
`
const counter = `class Counter {
  n = 0
  add(k: number) { const m = this.n; this.n = m + k; return m }
}
`

describe('a file with programs of processes and checks of classes', () => {
  test('has all of them checked', long, async () => {
    const ran = await check(
      `${processes}${counter}export const counter = linearizable(Counter, { operations: { add: [[1]] } })`,
    )
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toMatch(/verified {2}pair/)
    expect(ran.stdout).toMatch(/verified {2}later/)
    expect(ran.stdout).toMatch(/Counter is not linearizable/)
  })

  test('may use generators to say what is checked', async () => {
    const ran = await check(`import { linearizable } from 'allways'
      let step = 1
      const total = { sum: 0 }
      function* range({ to }: { to: number }, from = step): Generator<number> {
        const inner = (n: number) => { step = n; return n }
        for (let i = from; i <= to; i++) { total.sum += i; yield inner(i) }
      }
      const numbers = [...range({ to: 3 })]
      const self = { *each(this: any) { yield this.name }, name: step + total.sum }
      class Held { value = 0; set(v: number) { this.value = v; return this.value >= 0 } }
      export const held = linearizable(Held, { operations: { set: [...numbers, ...self.each()].map((n) => [n]) }, calls: 1 })`)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/Held is linearizable/)
  })
})

describe('an operation that reaches what cannot be checked is told where it stands', () => {
  const table: readonly (readonly [string, string, string, string])[] = [
    [
      'an async generator method that delegates',
      'async *all() { yield* [] }\nasync sum() { for await (const x of this.all()) return x }',
      '',
      '4:16',
    ],
    [
      'a generator function',
      'sum() { for (const x of twice(2)) return x }',
      "function* twice(n) { yield eval('n') }",
      '7:28',
    ],
    ['a method with eval', "sum() { return eval('1') }", '', '4:16'],
    ['a function with eval', 'sum() { g([]) }', 'function g(a) { eval(a) }', '7:17'],
    ['its constructor', 'list = [...twice(1)]\nsum() { return 1 }', "function* twice(n) { yield eval('n') }", '8:28'],
  ]
  test.each(table)('%s', async (_, members, after, place) => {
    const ran = await check(`import { linearizable } from 'allways'
export class Odd {
n = 0;
${members}
}
export const odd = linearizable(Odd, { operations: { sum: [] } })
${after}`)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('E307')
    expect(ran.stderr).toContain(`> ${place.split(':')[0]} | `)
    expect(ran.stderr).toContain(`mixed.check.ts:${place}`)
  })
})

test('a generator method that nobody named is an operation of its class, and refused', async () => {
  const file = join(folder, 'pages.ts')
  writeFileSync(
    file,
    'export class Pages {\n  list = [1]\n  add(n: number) { this.list.push(n) }\n  *all() { yield* this.list }\n}\n',
  )
  const ran = await allways(['linearize', file])
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('E305  all returns a generator, and two of them cannot be compared')
  expect(ran.stderr).toContain('hint: give what it yields by an operation of its own, as in [...this.all()]')
})

test('a class that starts a service is told that it is for processes', async () => {
  const ran = await check(`import { linearizable } from 'allways'
import { queue } from 'allways/services'
class Jobs {
  async put() { const jobs = await queue({ delivery: 'at least once', order: 'fifo' }); return jobs }
}
export const odd = linearizable(Jobs, { operations: { put: [] } })`)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('E307  queue(…) of allways/services starts a service, which is for processes')
  expect(ran.stderr).toContain('mixed.check.ts:4:')
})
