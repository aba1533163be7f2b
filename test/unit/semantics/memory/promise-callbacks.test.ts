// @module-tag cut
import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, reduced } from '../../../agreement/object-compare.ts'
import { clientOf } from '../../../agreement/object-search.ts'
import { cut, oneIn } from '../../../amount.ts'

const loaded = await loadText(`
export class Counter {
  n = 0
  async #step() { const n = this.n; await null; this.n = n + 1; return n + 1 }
  async chained() { return this.#step().then((x) => x) }
  plain() { return this.#step() }
  async caught() { return this.#fails().catch(() => this.n) }
  async #fails() { await null; throw new Error('no') }
  async atLast() { const log = []; await this.#step().finally(() => { log.push(this.n) }); return log[0] }
  executor() { return new Promise((done) => { const n = this.n; queueMicrotask(() => { this.n = n + 1; done(n + 1) }) }) }
  async slowExecutor() { return await new Promise(async (done) => { const n = this.n; await null; this.n = n + 1; done(n + 1) }) }
  async tick() { const n = this.n; await new Promise((done) => process.nextTick(done)); this.n = n + 1; return n + 1 }
  async timer() { const n = this.n; await new Promise((done) => { setTimeout(done, 5) }); this.n = n + 1; return n + 1 }
  async thenable() { const n = this.n; await { then(done) { done(1) } }; this.n = n + 1; return n + 1 }
  async byName() { const n = this.n; await Promise.resolve(1)['th' + 'en'](() => 1); this.n = n + 1; return n + 1 }
  async called() { const n = this.n; const p = Promise.resolve(1); await p.then.call(p, () => 1); this.n = n + 1; return n + 1 }
  async get() { return this.n }
}

export class Order {
  log = []
  async timers(a, b) { setTimeout(() => this.log.push(a), a); setTimeout(() => this.log.push(b), b); return 0 }
  async immediates() { setImmediate(() => this.log.push('x')); setImmediate(() => this.log.push('y')); return 0 }
  async cleared() { const one = setTimeout(() => this.log.push('no'), 1); await null; clearTimeout(one); return 0 }
  async every() { const one = setInterval(() => { this.log.push('t') }, 1); await new Promise((r) => setTimeout(r, 9)); clearInterval(one); return this.log.length }
  async read() { await null; return this.log.join() }
  async late() { await new Promise((r) => setTimeout(r, 99)); return this.log.join() }
}

export class Ready {
  isOpen = false
  #opened = this.#open()
  later = Promise.resolve('early').then((x) => x + '!')
  async #open() { await null; this.isOpen = true }
  async ask() { await this.#opened; return this.isOpen }
  async look() { return this.isOpen }
  async early() { return await this.later }
}

export class Failing {
  async forgotten() { void this.#fails(); return 0 }
  async caught() { this.#fails().catch(() => {}); return 0 }
  async awaited() { try { await this.#fails() } catch { return 1 } return 0 }
  async late() { const p = this.#fails(); await null; return await p.catch(() => 2) }
  async thrown() { setTimeout(() => { throw new Error('in a timer') }, 1); return 0 }
  async tick() { process.nextTick(() => { throw new Error('in a tick') }); return 0 }
  async derived() { Promise.resolve(1).then(() => { throw new Error('in then') }); return 0 }
  async combined() { return (await Promise.allSettled([this.#fails(), this.#fails()])).length }
  async #fails() { await null; throw new Error('no') }
}

export class Kinds {
  #secret = 1
  async isPromise() { return [Promise.resolve() instanceof Promise, typeof Promise.resolve().then, Promise.resolve().constructor === Promise] }
  async ['named']() { return 1 }
}`)

/** Each client with all results that its calls may have; all engines must agree. */
const clients: readonly (readonly [name: string, client: string, outcomes: readonly string[]])[] = [
  ...['chained', 'plain', 'executor', 'slowExecutor', 'tick', 'timer', 'thenable', 'byName', 'called'].map(
    (name) => ['Counter', `{ ${name}() } || { ${name}() }`, ['n1 || n1', 'n1 || n2', 'n2 || n1']] as const,
  ),
  ['Counter', '{ caught() } || { plain() }', ['n0 || n1', 'n1 || n1']],
  ['Counter', '{ atLast() }', ['n1']],
  ['Order', '{ timers(1, 2); read() }', ['n0; ""', 'n0; "1"', 'n0; "1,2"']],
  ['Order', '{ timers(2, 1); read() }', ['n0; ""', 'n0; "1"', 'n0; "1,2"', 'n0; "2"', 'n0; "2,1"']],
  ['Order', '{ immediates(); read() }', ['n0; ""', 'n0; "x"', 'n0; "x,y"']],
  ['Order', '{ cleared(); read() }', ['n0; ""', 'n0; "no"']],
  // What was armed no later with a delay that is no longer surely fires first.
  ['Order', '{ timers(2, 1); late() }', ['n0; "1,2"', 'n0; "2,1"']],
  ['Order', '{ every() }', ['n1', 'n2', 'n3']],
  ['Ready', '{ ask() }', ['t']],
  ['Ready', '{ look() }', ['f', 't']],
  ['Ready', '{ early() }', ['"early!"']],
  ['Kinds', '{ isPromise() }', ['[t,"function",t]']],
  ['Kinds', '{ named() }', ['n1']],
]

describe('callbacks are steps of their own', () => {
  test.each(oneIn(3, clients))('%s %s', cut, (name, client, outcomes) => {
    const request = { ...requestOf(loaded, name, client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})

describe('what would end a program of Node is a violation', () => {
  const ends: readonly (readonly [string, readonly string[]])[] = [
    ['forgotten', ['exception: n0']],
    ['caught', []],
    ['awaited', []],
    ['late', []],
    ['thrown', ['exception: n0']],
    ['tick', ['exception: n0']],
    ['derived', ['exception: n0']],
    ['combined', []],
  ]

  test.each(oneIn(3, ends))('%s', cut, (name, violations) => {
    const client = `{ ${name}() } || { caught() }`
    const request = { ...requestOf(loaded, 'Failing', client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { violations: violations.map((one) => `${one} || n0`) } })
  })
})
