/** Classes that lose an update because they wait in ways that a check may not control, as JavaScript: Node itself is the oracle. */

export interface UncontrolledClass {
  readonly name: string
  /** Before the class. */
  readonly head?: string
  /** Further members. */
  readonly members?: string
  /** Between reading the count and writing it. */
  readonly wait: string
}

/** A counter whose `increment` reads, waits and writes: two at once give the same number twice. */
export function sourceOf({ head = '', members = '', wait }: UncontrolledClass): string {
  return `${head}
export class Counter {
  count = 0
  ${members}
  async increment() {
    const before = this.count
    ${wait}
    this.count = before + 1
    return this.count
  }
}
`
}

const settled = 'const promise = Promise.resolve(1)'

export const uncontrolledClasses: readonly UncontrolledClass[] = [
  { name: 'then', wait: `${settled}; await promise.then(() => 1)` },
  { name: "['then']", wait: `${settled}; await promise['then'](() => 1)` },
  { name: 'computed name', wait: `${settled}; const name = ['th', 'en'].join(''); await promise[name](() => 1)` },
  { name: 'destructured then', wait: `${settled}; const { then } = promise; await then.call(promise, () => 1)` },
  { name: 'then of the prototype', wait: `${settled}; await Promise.prototype.then.call(promise, () => 1)` },
  { name: 'Reflect.get', wait: `${settled}; await Reflect.get(promise, 'then').call(promise, () => 1)` },
  { name: 'Reflect.apply', wait: `${settled}; await Reflect.apply(Promise.prototype.then, promise, [() => 1])` },
  { name: 'bound then', wait: `${settled}; const later = promise.then.bind(promise); await later(() => 1)` },
  { name: 'optional catch', wait: `${settled}; await promise?.['catch'](() => 1)` },
  { name: 'finally by name', wait: `${settled}; const key = 'finally'; await promise[key](() => {})` },
  {
    name: 'alias of a timer',
    head: 'const later = setTimeout',
    wait: 'await new Promise((done) => { later(done, 1) })',
  },
  { name: 'timer of globalThis', wait: 'await new Promise((done) => { globalThis.setTimeout(done, 1) })' },
  {
    name: 'timer by name',
    wait: "const name = 'setTimeout'; await new Promise((done) => { globalThis[name](done, 1) })",
  },
  {
    name: 'node:timers',
    head: "import { setTimeout as later } from 'node:timers'",
    wait: 'await new Promise((done) => { later(done, 1) })',
  },
  {
    name: 'node:timers/promises',
    head: "import { setTimeout as later } from 'node:timers/promises'",
    wait: 'await later(1)',
  },
  {
    name: 'scheduler',
    head: "import { scheduler } from 'node:timers/promises'",
    wait: 'await scheduler.wait(1)',
  },
  {
    name: 'promisify',
    head: "import { promisify } from 'node:util'\nconst later = promisify(setTimeout)",
    wait: 'await later(1)',
  },
  {
    name: 'promisify of a function of its own',
    head: "import { promisify } from 'node:util'\nconst later = promisify((done) => process.nextTick(done))",
    wait: 'await later()',
  },
  {
    name: 'alias of nextTick',
    head: 'const { nextTick } = process',
    wait: 'await new Promise((done) => { nextTick(done) })',
  },
  {
    name: 'alias of queueMicrotask',
    head: 'const soon = queueMicrotask',
    wait: 'await new Promise((done) => { soon(done) })',
  },
  {
    name: 'a copied limit',
    members: `queue = []
  active = 0
  next() { this.active--; this.queue.shift()?.() }
  limited(work) {
    return new Promise((done) => {
      const run = async () => { this.active++; const result = (async () => work())(); done(result); await result; this.next() }
      if (this.active < 2) run()
      else this.queue.push(run)
    })
  }`,
    wait: 'await this.limited(async () => 1)',
  },
  {
    name: 'async iterator',
    head: `const ticks = { [Symbol.asyncIterator]() { let at = 0; return { async next() { return { done: at++ > 0, value: at } } } } }`,
    wait: 'for await (const tick of ticks) if (tick < 0) return 0',
  },
  {
    name: 'async iterator by hand',
    head: `const ticks = { [Symbol.asyncIterator]() { return { next: async () => ({ done: true }) } } }`,
    wait: 'await ticks[Symbol.asyncIterator]().next()',
  },
  { name: 'async generator', head: 'async function* ticks() { yield 1 }', wait: 'await ticks().next()' },
  {
    name: 'resolver kept in a field',
    members: 'waiting = []',
    wait: `if (this.waiting.length === 0) await Promise.race([Promise.resolve(), new Promise((done) => { this.waiting.push(done) })])
    else { this.waiting.pop()(); await undefined }`,
  },
  { name: 'a thenable', wait: 'await { then(done) { queueMicrotask(() => done(1)) } }' },
  { name: 'a thenable that answers at once', wait: 'await { then(done) { done(1) } }' },
  { name: 'a promise of a class of its own', head: 'class Own extends Promise {}', wait: 'await Own.resolve(1)' },
  {
    name: 'events',
    head: "import { EventEmitter, once } from 'node:events'",
    wait: "const bus = new EventEmitter(); setImmediate(() => bus.emit('go')); await once(bus, 'go')",
  },
  { name: 'instanceof Promise', wait: `${settled}; if (promise instanceof Promise) await promise` },
  { name: 'is a promise', wait: `${settled}; if (typeof promise.then === 'function') await promise` },
  { name: 'then in a promise', wait: `${settled}; if ('then' in promise) await promise` },
  {
    name: 'a store of async hooks',
    head: "import { AsyncLocalStorage } from 'node:async_hooks'\nconst store = new AsyncLocalStorage()",
    wait: 'await store.run(1, async () => { await null; return store.getStore() })',
  },
  {
    name: 'a target of events',
    head: 'const target = new EventTarget()',
    wait: "await new Promise((done) => { target.addEventListener('go', done, { once: true }); queueMicrotask(() => target.dispatchEvent(new Event('go'))) })",
  },
  {
    name: 'a file, at once',
    head: "import { readFileSync } from 'node:fs'",
    wait: "await null; readFileSync('/dev/null')",
  },
  { name: 'a dynamic import', wait: "await import('node:path')" },
  { name: 'reading a file', head: "import { stat } from 'node:fs/promises'", wait: "await stat('.')" },
  {
    name: 'a channel',
    wait: 'const { port1, port2 } = new MessageChannel(); await new Promise((done) => { port1.onmessage = done; port2.postMessage(1) }); port1.close()',
  },
]

/** What counters may import, by the name of the package. */
export const packages: { readonly [name: string]: string } = {
  'module-count': `let count = 0
export const read = () => count
export const write = (next) => { count = next }`,
  'instance-count': `export class Box {
  #count = 0
  read() { return this.#count }
  write(next) { this.#count = next }
}`,
  'field-count': `export class Box {
  count = 0
  read() { return this.count }
  write(next) { this.count = next }
}`,
  'closure-count': `export function box() {
  let count = 0
  return { read: () => count, write: (next) => { count = next } }
}`,
  'weak-count': `const counts = new WeakMap()
export const read = (owner) => counts.get(owner) ?? 0
export const write = (owner, next) => { counts.set(owner, next) }`,
}

/** Counters that keep their number in a package. */
function kept(
  name: string,
  head: string,
  { field = '', read, write }: { field?: string; read: string; write: string },
) {
  const source = `${head}
export class Counter {
  ${field}
  async increment() {
    const before = ${read}
    await undefined
    ${write}
    return ${read}
  }
}
`
  return { name, source }
}

const boxed = { read: 'this.box.read()', write: 'this.box.write(before + 1)' }

export const keptInPackages = [
  kept('module-count', "import { read, write } from 'module-count'", { read: 'read()', write: 'write(before + 1)' }),
  kept('instance-count', "import { Box } from 'instance-count'", { field: 'box = new Box()', ...boxed }),
  kept('field-count', "import { Box } from 'field-count'", { field: 'box = new Box()', ...boxed }),
  kept('closure-count', "import { box } from 'closure-count'", { field: 'box = box()', ...boxed }),
  kept('weak-count', "import { read, write } from 'weak-count'", {
    read: 'read(this)',
    write: 'write(this, before + 1)',
  }),
]
