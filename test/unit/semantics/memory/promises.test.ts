// @module-tag cut
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'
import { amount } from '../../../amount.ts'
import { loadNative } from '../../frontends/access/miniature-runtime.ts'

/** What a promise gives, as text: it runs in Node and under check. */
const helpers = `
async function given(promise: any): Promise<any> {
  try { return ['ok', await promise] } catch (error: any) { return ['no', error?.errors ?? error, String(error)] }
}`

/** Nobody may be waiting when a promise is rejected. Node ends the process then, and a check has no \`catch\`. */
const handled = {
  check: 'function handled(promise: any): any { return promise }',
  node: 'function handled(promise: any): any { promise.catch(() => {}); return promise }',
}

const written: { readonly [name: string]: string } = {
  raceInOrderOfSettling: `
    const a = open(); const b = open(); const first = handled(Promise.race([a.promise, b.promise]))
    b.resolve('b'); a.resolve('a'); return given(first)`,
  anyInOrderOfSettling: `
    const a = open(); const b = open(); const first = handled(Promise.any([a.promise, b.promise]))
    b.resolve('b'); a.resolve('a'); return given(first)`,
  allRejectsWithTheFirst: `
    const a = open(); const b = open(); const both = handled(Promise.all([a.promise, b.promise]))
    b.reject('b'); a.reject('a'); return given(both)`,
  settledBefore: `
    const a = open(); const b = open(); b.resolve('b'); a.resolve('a')
    return given(Promise.race([a.promise, b.promise]))`,
  aValueWins: `const a = open(); const first = Promise.race([a.promise, 1]); a.resolve('a'); return given(first)`,
  aCombinationTakesLonger: `return given(Promise.race([Promise.all([1]), 2]))`,
  anAdoptedPromiseTakesLonger: `
    return given(Promise.race([new Promise((resolve) => resolve(Promise.resolve(1))), Promise.resolve(2)]))`,
  anyOfNone: `return given(Promise.any([]))`,
  anyOfRejected: `return given(Promise.any([handled(Promise.reject(1)), handled(Promise.reject(2))]))`,
  resolvedWithItself: `
    let resolve: any; const promise = handled(new Promise((settle) => { resolve = settle })); resolve(promise)
    return given(promise)`,
  resolvedOnce: `
    const a = open(); const b = open(); a.resolve(b.promise); a.resolve(1); b.resolve(2); return given(a.promise)`,
  settledWithReasons: `
    const a = open(); const b = open(); const all = Promise.allSettled([a.promise, b.promise, 3])
    b.reject('b'); a.resolve('a'); return given(all)`,
}

const generatedPrograms = amount({ quick: 20, thorough: 60, all: 2_000 })

/** Promises of all kinds, made and settled in some order without a pause, and what each of them gives in the end. */
function generated(seed: number): string {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1)).split()
  const lines: string[] = []
  const names: string[] = []
  const open: string[] = []
  const part = () =>
    random.below(6) === 0 ? random.pick(['1', 'Promise.resolve(2)', 'handled(Promise.reject(3))']) : random.pick(names)
  const settled = () => `${random.below(9)}`
  for (const name of ['a', 'b', 'c']) {
    lines.push(`const ${name} = open(); handled(${name}.promise)`)
    names.push(`${name}.promise`)
    open.push(name)
  }
  for (let made = 0; made < 5; made++) {
    const chosen = Array.from({ length: 1 + random.below(3) }, part)
    const kind = random.pick(['race', 'any', 'all', 'allSettled', 'adopted', 'settle', 'settle'])
    if (kind === 'settle') {
      const name = random.pick(open)
      lines.push(random.below(3) === 0 ? `${name}.reject(${settled()})` : `${name}.resolve(${part()})`)
      continue
    }
    const text = kind === 'adopted' ? `new Promise((settle) => settle(${chosen[0]}))` : `Promise.${kind}([${chosen}])`
    lines.push(`const p${made} = handled(${text})`)
    names.push(`p${made}`)
  }
  for (const name of random.shuffle(open)) lines.push(`${name}.${random.pick(['resolve', 'reject'])}(${settled()})`)
  return [...lines, `return [${names.map((name) => `await given(${name})`).join(', ')}]`].join('\n    ')
}

const programs: readonly (readonly [string, string])[] = [
  ...Object.entries(written),
  ...Array.from({ length: generatedPrograms }, (_, seed) => [`generated${seed}`, generated(seed)] as const),
]

const open = `
function open(): any {
  const made: any = {}
  made.promise = new Promise((resolve, reject) => { made.resolve = resolve; made.reject = reject })
  return made
}`

function moduleOf(kind: keyof typeof handled): string {
  const methods = programs.map(
    ([name, text]) => `async ${name}() {\n    return JSON.stringify(await this.${name}Given())\n  }
  async ${name}Given(): Promise<any> {\n    ${text}\n  }`,
  )
  return [helpers, handled[kind], open, 'export class Promises {', ...methods, '}'].join('\n')
}

describe('promises settle as in Node', async () => {
  const loaded = await loadText(moduleOf('check'))
  const { Promises } = loadNative(moduleOf('node')) as { readonly Promises: new () => Record<string, () => unknown> }

  test.each(programs)('%s', async (name, text) => {
    const inNode = await Promise.race([new Promises()[name]?.(), never()])
    const client = `{ ${name}() }`
    const found = search({ ...requestOf(loaded, 'Promises', client), criterion: 'outcomes' }, clientOf(client), full)
    const expected = inNode === undefined ? ', waiting: p1' : JSON.stringify(inNode)
    expect(found, text).toMatchObject({ endings: { outcomes: [expected] } })
  })
})

/** Later than all that promises have to do. */
function never(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)))
}

/** Settles two promises in whatever order its callers do, for several that wait. */
const several = `
${open}
export class Parts {
  a = open(); b = open(); made: any = undefined
  async one(x: any) { await null; this.a.resolve(x); return 0 }
  async other(x: any) { await null; this.b.resolve(x); return 0 }
  async refuse(x: any) { await null; this.b.reject(x); return 0 }
  async race() { return await Promise.race([this.a.promise, this.b.promise]) }
  async any() { return await Promise.any([this.b.promise, this.a.promise]) }
  async all() { return (await Promise.all([this.a.promise, this.b.promise])).join() }
  async nested() { return await Promise.race([Promise.all([this.a.promise]), Promise.race([this.b.promise])]) }
  async begun() { return await Promise.race([this.late('x'), this.late('y')]) }
  async adopted() { this.a.resolve(this.b.promise); return await Promise.race([this.a.promise]) }
  async keep() { this.made = Promise.race([this.a.promise, this.b.promise]); return 0 }
  async kept() { return await this.made }
  async late(x: any) { await null; return x }
}`

describe('who settles first is explored, and wins', async () => {
  const loaded = await loadText(several)
  test.each([
    ['{ race() } || { one(1) } || { other(2) }', ['n1 || n0 || n0', 'n2 || n0 || n0']],
    ['{ any() } || { one(1) } || { other(2) }', ['n1 || n0 || n0', 'n2 || n0 || n0']],
    ['{ any() } || { one(1) } || { refuse(2) }', ['n1 || n0 || n0']],
    ['{ all() } || { one(1) } || { other(2) }', ['"1,2" || n0 || n0']],
    ['{ nested() } || { one(1) } || { other(2) }', ['[n1] || n0 || n0', 'n2 || n0 || n0']],
    ['{ begun() }', ['"x"', '"y"']],
    ['{ adopted() } || { one(1) } || { other(2) }', ['n1 || n0 || n0', 'n2 || n0 || n0']],
    ['{ keep(); one(1); other(2); kept() }', ['n0; n0; n0; n1']],
    ['{ keep(); kept() } || { one(1) } || { other(2) }', ['n0; n1 || n0 || n0', 'n0; n2 || n0 || n0']],
    // Both have settled before the race is made: the first of the list.
    ['{ one(1); other(2); race() }', ['n0; n0; n1']],
  ])('%s', (client, outcomes) => {
    const request = { ...requestOf(loaded, 'Parts', client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})
