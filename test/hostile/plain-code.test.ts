/** What constructors and values of fields change runs in one go, and is seen and taken back all the same. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { cut, oneIn } from '../amount.ts'

mkdirSync('.allways', { recursive: true })
const folder = mkdtempSync('.allways/plain-code-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each changes the store `s` and its parts. */
const changes = [
  's.list.push(s.n)',
  's.list.unshift(7)',
  's.list.splice(0, 1)',
  's.list.sort()',
  's.list.reverse()',
  's.list.fill(s.n)',
  's.list.length = 1',
  's.list.length--',
  's.list?.push(8)',
  "s.list['push'](9)",
  'Array.prototype.push.call(s.list, 4)',
  'Reflect.apply(s.list.push, s.list, [4])',
  '[s.list[0], s.n] = [s.n, 5]',
  'delete s.list[0]',
  'delete s?.extra',
  's.map.set(s.n, s.n)',
  's.map.delete(1)',
  's.map.clear()',
  's.set.add(s.n)',
  's.set.delete(1)',
  's.bytes.set([s.n])',
  's.bytes[0]++',
  'Object.assign(s, { extra: 2, n: 6 })',
  "Reflect.set(s, 'n', 9)",
  "Reflect.deleteProperty(s, 'extra')",
  "Object.defineProperty(s, 'n', { value: 8 })",
  's.add(3)',
  'helper(s)',
  '[1, 2].forEach((x) => s.list.push(x))',
  'new Inner(s)',
]

const head = `
import { linearizable } from 'allways'
class Store {
  n = 3; extra = 1; list = [3, 1, 2]; map = new Map([[1, 1]]); set = new Set([1]); bytes = new Uint8Array(2)
  add(x) { this.list.push(x) }
}
class Inner { constructor(s) { s.set.add(99) } }
const show = (s) => JSON.stringify([s.n, s.extra, s.list, [...s.map], [...s.set], [...s.bytes]])
const helper = (s) => Object.assign(s.list, [5])
const fresh = show(new Store())
`

/** Right, as `change` happens at once; and wrong from its first instance on, as that is the only one which is shared. */
function classesFor(change: string, at: string): string {
  return `
class Item${at} { constructor(s) { ${change} } }
class Right${at} {
  store = new Store()
  async act() { const before = show(this.store); new Item${at}(this.store); const after = show(this.store); await null; return before + after }
}
const kept${at} = new Store()
class Field${at} { at = ((s) => s)(kept${at}); made = new Item${at}(this.at) }
class Wrong${at} {
  isFirst = show(kept${at}) === fresh
  field = new Field${at}()
  n = 0
  async act() { if (!this.isFirst) return ++this.n; const n = this.n; await null; this.n = n + 1; return n + 1 }
}
export const right${at} = linearizable(Right${at}, { operations: { act: [] }, calls: 1 })
export const wrong${at} = linearizable(Wrong${at}, { operations: { act: [] }, calls: 1 })
`
}

const chosen = [
  ...oneIn(
    3,
    changes.map((change, at) => [String(at).padStart(2, '0'), change] as const),
  ),
]
const verdicts = new Map<string, Verdict['kind']>()

beforeAll(async () => {
  const file = join(folder, 'plain.check.js')
  writeFileSync(file, head + chosen.map(([at, change]) => classesFor(change, at)).join(''))
  for (const [at] of chosen)
    for (const name of [`Right${at}`, `Wrong${at}`])
      verdicts.set(name, orThrow(await checkResult(file, { testName: name, causes: false })).kind)
})

test.each(chosen)('%s: %s', cut, (at) => {
  expect(verdicts.get(`Right${at}`)).toBe('verified')
  expect(verdicts.get(`Wrong${at}`)).toBe('violated')
})
