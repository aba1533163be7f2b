import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'
import { amount } from '../../../amount.ts'
import { loadNative } from '../../frontends/access/miniature-runtime.ts'

const written: { readonly [name: string]: string } = {
  deletedAhead: `const o: any = this.fields; for (const k in o) { met.push(k); if (k === 'a') delete o.b }`,
  deletedAndBack: `
    const o: any = this.fields; for (const k in o) { met.push(k); if (k === 'a') { delete o.b; o.b = 9 } }`,
  added: `const o: any = this.fields; for (const k in o) { met.push(k); o[k + k] = 1; if (met.length > 9) break }`,
  allDeleted: `const o: any = this.fields; for (const k in o) { met.push(k); for (const each in o) delete o[each] }`,
  elements: `const o: any = this.list; for (const k in o) { met.push(k); if (k === '0') delete o[1] }`,
  cut: `const o: any = this.list; for (const k in o) { met.push(k); if (k === '0') o.length = 2 }`,
  inherited: `
    const o: any = Object.create({ x: 1, a: 2 }); o.a = 1; o.z = 1
    for (const k in o) { met.push(k); if (k === 'a') { delete o.z } if (k === 'z') delete o.x }`,
  uncovered: `
    const o: any = Object.create({ b: 1 }); o.a = 1; o.b = 1; for (const k in o) { met.push(k); if (k === 'a') delete o.b }`,
  hidden: `
    const o: any = { a: 1, b: 2 }
    for (const k in o) { met.push(k); if (k === 'a') Object.defineProperty(o, 'b', { enumerable: false }) }`,
  ofText: `for (const k in 'abc' as any) met.push(k)`,
  ofNothing: `for (const k in null as any) met.push(k); for (const k in undefined as any) met.push(k)`,
  ofNumber: `for (const k in 5 as any) met.push(k)`,
  ofMap: `const o: any = new Map([['a', 1]]); o.own = 1; for (const k in o) { met.push(k); o.clear() }`,
  nested: `
    const o: any = this.fields
    for (const k in o) for (const j in o) { met.push(k + j); if (met.length === 2) delete o.c; if (k === 'b') delete o.d }`,
}

function generated(seed: number): string {
  const random = new Random(Math.imul(seed + 1, 0x85ebca6b)).split()
  const [name, keys] = random.pick([
    ['fields', ['a', 'b', 'c', 'd', 'e']],
    ['list', ['0', '1', '2', '3', '4']],
  ] as const)
  const change = () => {
    const key = `'${random.pick(keys)}'`
    return random.pick([`delete o[${key}]`, `o[${key}] = ${random.below(3)}`, 'delete o[k]', `o[k] = 7`])
  }
  const changes = Array.from({ length: 1 + random.below(4) }, () => `if (k === '${random.pick(keys)}') { ${change()} }`)
  return `const o: any = this.${name}; for (const k in o) { met.push(k); ${changes.join('; ')} } met.push(JSON.stringify(o))`
}

const programs: readonly (readonly [string, string])[] = [
  ...Object.entries(written),
  ...Array.from(
    { length: amount({ quick: 60, all: 2_000 }) },
    (_, seed) => [`generated${seed}`, generated(seed)] as const,
  ),
]

const source = `export class Keys {
  fields: any = { a: 1, b: 2, c: 3, d: 4 }
  list: any = [1, 2, 3, 4]
  ${programs.map(([name, text]) => `${name}() { const met: any[] = []; ${text}; return met.join() }`).join('\n  ')}
  visit() { const met: any[] = []; for (const k in this.fields) met.push(k); return met.join('') }
  waits() { return this.wait() }
  async wait() { const met: any[] = []; for (const k in this.fields) { met.push(k); await null } return met.join('') }
  async meet() { const met: any[] = []; for (const k in this.fields) { await null; met.push(k) } return met.join('') }
  drop() { delete this.fields.c; return 0 }
  back() { delete this.fields.c; this.fields.c = 1; return 0 }
}`

describe('a loop over keys meets the keys that it meets in Node', async () => {
  const loaded = await loadText(source)
  const { Keys } = loadNative(source) as { readonly Keys: new () => Record<string, () => unknown> }

  test.each(programs)('%s', (name, text) => {
    const client = `{ ${name}() }`
    const found = search(requestOf(loaded, 'Keys', client), clientOf(client), full)
    expect(found, text).toMatchObject({ endings: { outcomes: [JSON.stringify(new Keys()[name]?.())] } })
  })

  test.each([
    ['access', '{ visit() } || { drop() }', ['"abcd" || n0', '"abd" || n0']],
    ['access', '{ visit() } || { back() }', ['"abcd" || n0', '"abd" || n0', '"abdc" || n0']],
    ['await', '{ wait() } || { drop() }', ['"abcd" || n0', '"abd" || n0']],
    ['await', '{ meet() } || { drop() }', ['"abcd" || n0', '"abd" || n0']],
    ['await', '{ drop() } || { meet() }', ['n0 || "abcd"', 'n0 || "abd"']],
  ] as const)('at every %s others may delete keys: %s', (granularity, client, outcomes) => {
    const request = { ...requestOf(loaded, 'Keys', client), criterion: 'outcomes' as const, granularity }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})
