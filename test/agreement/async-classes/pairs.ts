/**
 * Ways in which code of a class waits, one for each construct of JavaScript's concurrency. Between reading a count and writing it, each
 * loses an update; before both, none does.
 */
import { type Dialect, deferring, written } from './generate.ts'

export interface Wait {
  readonly name: string
  /** Statements, in both dialects. */
  readonly text: (dialect: Dialect) => string
}

const of = (name: string, text: Wait['text']): Wait => ({ name, text })
/** Where the two differ in more than what the dialect says. */
const either = (name: string, checked: string, inNode: string): Wait =>
  of(name, (dialect) => (dialect === written ? checked : inNode))

export const waits: readonly Wait[] = [
  of('await of a value', (d) => d.await('1')),
  of('await of a call', (d) => d.await('this.step()')),
  of('await of a promise in a field', (d) => d.await('this.ready')),
  of('then', (d) => d.await(d.whenDone('this.step()', '(x) => x'))),
  of('a chain of then', (d) =>
    d.await(d.whenDone(d.whenDone('Promise.resolve(1)', '(x) => x + 1'), '(x) => this.step()')),
  ),
  of('then with a second callback', (d) => d.await(d.whenDone('Promise.reject(1)', 'undefined', '(x) => x'))),
  of('catch', (d) => d.await(d.catch('this.fails()', '() => 0'))),
  of('finally', (d) => d.await(d.finally('this.step()', '() => {}'))),
  of('Promise.all', (d) => d.await('Promise.all([this.step(), this.step(), 1])')),
  of('Promise.race', (d) => d.await('Promise.race([this.step(), this.step()])')),
  of('Promise.any', (d) => d.await('Promise.any([this.fails(), this.step()])')),
  of('Promise.allSettled', (d) => d.await('Promise.allSettled([this.fails(), this.step()])')),
  of('an executor', (d) => d.await(`new Promise((done) => { ${d.microtask('() => done(1)')} })`)),
  of('an async executor', (d) => d.await(`new Promise(async (done) => { ${d.await('null')}; done(1) })`)),
  of('a resolver that another call holds', (d) => {
    const open = 'let open; const gate = new Promise((done) => { open = done })'
    return `${open}; ${d.catch(d.whenDone('this.step()', '() => open(1)'), '() => {}')}; ${d.await('gate')}`
  }),
  of('a thenable', (d) => d.await(d.thenable('done(1)'))),
  of('queueMicrotask', (d) => d.await(`new Promise((done) => { ${d.microtask('done')} })`)),
  of('process.nextTick', (d) => d.await(`new Promise((done) => { ${d.tick('done')} })`)),
  of('setTimeout', (d) => d.await(`new Promise((done) => { ${d.timer('() => done(1)', 5)} })`)),
  of('setImmediate', (d) => d.await(`new Promise((done) => { ${d.immediate('done')} })`)),
  either(
    'setInterval',
    'await new Promise((done) => { const ticks = setInterval(() => { clearInterval(ticks); done(1) }, 2) })',
    'await $.later(new Promise((done) => { $.timer(() => done(1), 2) }))',
  ),
  either(
    'a timer that is cleared, and another',
    'await new Promise((done) => { const no = setTimeout(done, 1); clearTimeout(no); setTimeout(done, 2) })',
    'await $.later(new Promise((done) => { $.timer(() => done(1), 2) }))',
  ),
  either(
    'setTimeout of node:timers/promises',
    'await sleep(3)',
    'await $.later(new Promise((done) => { $.timer(() => done(1), 3) }))',
  ),
  of('a race with a timeout', (d) => {
    const late = `new Promise((done) => { ${d.timer('() => done(0)', 9)} })`
    return d.await(`Promise.race([this.step(), ${late}])`)
  }),
  of('an async arrow', (d) => d.await(`(async () => { ${d.await('null')} })()`)),
  of('a call that is begun first and awaited later', (d) => `const begun = this.step(); ${d.await('begun')}`),
  of('try and finally', (d) => `try { ${d.await('this.fails()')} } catch {} finally { ${d.await('null')} }`),
  of('a loop', (d) => `for (const one of [1, 2]) { ${d.await('one')} }`),
  of('instanceof Promise', (d) => `const p = this.step(); if (p instanceof Promise) { ${d.await('p')} }`),
  of('a promise handed on', (d) => d.await('this.handed()')),
  of('for await over promises', (d) => `for await (const one of ${d.each('[this.step(), 1]')}) void one`),
  of('for await over an async generator', (d) => {
    return `for await (const one of ${d.each('this.both()')}) void one`
  }),
  of(
    'next of an async generator',
    (d) => `const all = this.both(); ${d.await('all.next()')}; ${d.await('all.next()')}`,
  ),
  of('return of an async generator', (d) => {
    return `const all = this.both(); ${d.await('all.next()')}; ${d.await(d.return('all', '1'))}`
  }),
  of('try and catch', (d) => `try { ${d.await('this.fails()')} } catch (error) { ${d.await('error.message')} }`),
  either(
    'await using',
    '{ await using one = { async [Symbol.asyncDispose]() { await null } }; void one }',
    '{ await $.later((async () => { await $.later(null) })()) }',
  ),
  either(
    'Promise.withResolvers',
    'const { promise, resolve } = withResolvers(); queueMicrotask(resolve); await promise',
    'let open; const gate = new Promise((done) => { open = done }); $.call(open); await $.later(gate)',
  ),
  of('Promise.try', (d) => d.await('attempt(() => this.step())')),
  of('structuredClone', (d) => `const copy = structuredClone({ one: [1] }); ${d.await('copy.one[0]')}`),
  of('an async method of a literal', (d) => d.await(`({ async go() { ${d.await('null')} } }).go()`)),
]

/** What Node 20 lacks, as it is polyfilled. */
export const polyfills = `function withResolvers() {
  let resolve, reject
  const promise = new Promise((...both) => { [resolve, reject] = both })
  return { promise, resolve, reject }
}
function attempt(go) { return new Promise((done) => { done(go()) }) }`

export interface Pair {
  readonly source: string
  readonly deferring: string
}

/** A counter that waits between reading and writing, or before both. */
export function counterWith({ text }: Wait, isBroken: boolean, name: string): Pair {
  const body = (d: Dialect) => {
    const wait = text(d)
    const inc = isBroken ? `const n = this.n; ${wait}; this.n = n + 1` : `${wait}; const n = this.n; this.n = n + 1`
    return `{
  n = 0
  ready = Promise.resolve(1)
  async inc() { ${inc}; return n + 1 }
  async step() { ${d.await('null')}; return 1 }
  async fails() { ${d.await('null')}; throw new Error('no') }
  handed() { return this.step() }
  async *both() { ${d.yield('1')}; ${d.yield('2')} }
}`
  }
  const inNode = `(() => { ${polyfills}; return class ${body(deferring)} })()`
  return { source: `export class ${name} ${body(written)}`, deferring: inNode }
}
