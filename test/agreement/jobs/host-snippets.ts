/** Programs over what the host gives: run in plain Node with its own modules, and lowered with our stand-ins. Timers are far apart. */
export const hostSnippets: Readonly<Record<string, string>> = {
  'timers, with arguments, this, numbers and a second start': `
    const t = setTimeout(function (a, b) { log('t', a, b, this === t) }, 80, 1, 2)
    log(typeof +t, t.hasRef(), t.unref().hasRef(), t.ref() === t)
    const cleared = setTimeout(() => log('never'), 5); clearTimeout(+cleared)
    const text = setTimeout(() => log('never'), 5); clearTimeout(\`\${+text}\`)
    clearTimeout(undefined); clearTimeout(null); clearTimeout({}); clearTimeout('x')
    const again = setTimeout(() => log('again'), 160); setTimeout(() => again.refresh(), 80)
    setTimeout(() => log('200'), 200)
    let n = 0; const i = setInterval(() => { log('i', n); if (++n === 3) clearInterval(i) }, 320)
    for (const bad of [undefined, 5, 'x', {}, null]) try { setTimeout(bad) } catch (e) { log(e, e.code) }`,
  'ticks, microtasks and immediates, with arguments': `
    setImmediate((a) => { log('immediate', a); nextTick(() => log('tick in it')); Promise.resolve().then(() => log('job in it')) }, 7)
    const c = setImmediate(() => log('never')); clearImmediate(c)
    setImmediate(() => { log('second'); setImmediate(() => log('third')) })
    nextTick((a, b) => { log('tick', a, b); nextTick(() => log('tick 2')); queueMicrotask(() => log('microtask 2')) }, 1, 2)
    queueMicrotask(() => log('microtask'))
    Promise.resolve().then(() => { log('job'); nextTick(() => log('tick after jobs')) })
    for (const bad of [undefined, 5, 'x', {}]) { try { queueMicrotask(bad) } catch (e) { log(e, e.code) } try { nextTick(bad) } catch (e) { log(e, e.code) } }`,
  'an abort controller': `
    const c = new AbortController(), s = c.signal
    s.addEventListener('abort', (e) => log('abort', e.type, e.target === s, s.reason.name, s.aborted))
    s.onabort = () => log('onabort')
    s.addEventListener('abort', () => log('never'), { once: true, signal: AbortSignal.abort() })
    log(s.aborted, s.reason); s.throwIfAborted()
    c.abort(); c.abort('again'); log(s.reason.message, s.reason.name, s.reason.code)
    try { s.throwIfAborted() } catch (e) { log(e === s.reason) }
    const other = new AbortController(); other.abort(5); log(other.signal.reason)
    log(AbortSignal.abort('now').reason, Object.prototype.toString.call(s))
    try { new AbortSignal() } catch (e) { log(e, e.code) }`,
  'signals of signals': `
    const a = new AbortController(), b = new AbortController()
    const any = AbortSignal.any([a.signal, b.signal]), again = AbortSignal.any([any])
    again.addEventListener('abort', () => log('again', again.reason)); any.addEventListener('abort', () => log('any', any.reason, again.aborted))
    a.signal.addEventListener('abort', () => log('a', any.aborted, again.aborted))
    a.abort('why'); b.abort('other'); log(any.reason, AbortSignal.any([b.signal, a.signal]).reason, AbortSignal.any([]).aborted)`,
  'a signal with a time': `
    const s = AbortSignal.timeout(10); s.addEventListener('abort', () => log('timeout', s.reason.name, s.reason.message, s.reason.code))
    setTimeout(() => log('later', s.aborted), 40)`,
  'promises of timers': `
    (async () => {
      log(await timersPromises.setTimeout(10, 'a')); log(await timersPromises.setImmediate('b'))
      const c = new AbortController()
      const waiting = timersPromises.setTimeout(5000, 'never', { signal: c.signal })
      setTimeout(() => c.abort('stop'), 10)
      try { await waiting } catch (e) { log(e.name, e.code, e.message, e.cause) }
      try { await timersPromises.setImmediate('never', { signal: c.signal }) } catch (e) { log(e.name, e.code, e.cause) }
      await timersPromises.scheduler.wait(5); await timersPromises.scheduler.yield(); log('waited')
      let n = 0
      for await (const v of timersPromises.setInterval(10, 'i')) { log(v, n); if (++n === 3) break }
      const d = new AbortController()
      try { for await (const v of timersPromises.setInterval(10, 'j', { signal: d.signal })) { log(v); d.abort() } } catch (e) { log(e.name, e.code) }
    })()`,
  'an emitter': `
    const e = new EventEmitter() // The wrapper of once has another name in each version.
    e.on('newListener', (name, f) => log('new', name, f.name)); e.on('removeListener', (name, f) => log('removed', name, ['h', 'g'].includes(f.name)))
    function f(...args) { log('f', ...args, this === e) } function g() { log('g') }
    e.on('x', f).once('x', g).prependListener('x', () => log('first')); e.prependOnceListener('x', function h() { log('h') })
    log(e.emit('x', 1, 2), e.emit('x'), e.emit('none'), e.listenerCount('x'), e.eventNames(), e.listeners('x').length)
    e.off('x', f); e.off('x', f); e.emit('x'); e.removeAllListeners('x'); log(e.eventNames())
    try { e.emit('error', new Error('boom')) } catch (error) { log(error) }
    try { e.emit('error', 5) } catch (error) { log(error, error.code, error.context) }
    try { e.emit('error', 'text') } catch (error) { log(error) }
    try { e.on('x', 5) } catch (error) { log(error, error.code) }
    e.on('y', () => { e.on('y', () => log('added')); log('y') }); e.emit('y'); e.once('z', g); log(e.rawListeners('z')[0].listener === g)
    e.off('z', g); log(e.getMaxListeners(), e.setMaxListeners(3).getMaxListeners()); e.removeAllListeners(); log(e.eventNames())
    class Sub extends EventEmitter { m() { this.emit('s', 1) } } const s = new Sub(); s.on('s', (v) => log('s', v)); s.m()`,
  'events as promises': `
    (async () => {
      const e = new EventEmitter()
      setImmediate(() => e.emit('a', 1, 2)); log(await events.once(e, 'a'))
      setImmediate(() => e.emit('error', new Error('bad'))); try { await events.once(e, 'a') } catch (error) { log(error) }
      setImmediate(() => e.emit('error', new Error('fine'))); log(await events.once(e, 'error'))
      const c = new AbortController(); setImmediate(() => c.abort()); try { await events.once(e, 'a', { signal: c.signal }) } catch (error) { log(error.name, error.code) }
      log(e.eventNames())
      setImmediate(() => { e.emit('x', 1); e.emit('x', 2); e.emit('x', 3) })
      for await (const [v] of events.on(e, 'x')) { log(v); if (v === 3) break }
      log(e.eventNames())
      setImmediate(() => { e.emit('x', 1); e.emit('error', new Error('ends')) })
      try { for await (const v of events.on(e, 'x')) log(v) } catch (error) { log(error) }
      const target = new EventTarget(); setImmediate(() => target.dispatchEvent(new Event('t'))); log((await events.once(target, 't'))[0].type)
    })()`,
  'an event target': `
    const t = new EventTarget()
    const f = (e) => log('f', e.type, e.target === t, e.defaultPrevented)
    t.addEventListener('x', f); t.addEventListener('x', f); t.addEventListener('x', { handleEvent(e) { log('object', this !== t); e.preventDefault() } })
    t.addEventListener('x', (e) => { log('once'); e.stopImmediatePropagation() }, { once: true }); t.addEventListener('x', () => log('last'))
    log(t.dispatchEvent(new Event('x', { cancelable: true }))); log(t.dispatchEvent(new Event('x')))
    t.removeEventListener('x', f); t.dispatchEvent(new Event('x')); t.addEventListener('x', null)
    const custom = new CustomEvent('c', { detail: 5 }); log(custom.detail, custom instanceof Event, new CustomEvent('d').detail)
    const c = new AbortController(); t.addEventListener('y', () => log('y'), { signal: c.signal }); t.dispatchEvent(new Event('y')); c.abort(); t.dispatchEvent(new Event('y'))`,
  'what is kept along jobs': `
    const als = new AsyncLocalStorage(), other = new AsyncLocalStorage()
    log(als.getStore())
    als.run('a', () => {
      log(als.getStore(), other.getStore())
      setImmediate(() => { log('immediate', als.getStore()); setTimeout(() => log('timer', als.getStore()), 10) })
      nextTick(() => log('tick', als.getStore())); queueMicrotask(() => log('microtask', als.getStore()))
      Promise.resolve().then(() => { log('then', als.getStore()); als.run('b', () => Promise.resolve().then(() => log('inner', als.getStore()))) }).then(() => log('after', als.getStore()));
      (async () => { await null; log('async', als.getStore()); await other.run('o', async () => { await null; log(als.getStore(), other.getStore()) }); log(other.getStore()) })()
      als.exit(() => log('exit', als.getStore())); log(als.run('c', (x, y) => [als.getStore(), x, y], 1, 2))
    })
    log(als.getStore())
    const bound = als.run('d', () => AsyncLocalStorage.bind((x) => [als.getStore(), x])); log(bound(3))
    const snapshot = als.run('e', () => AsyncLocalStorage.snapshot()); log(snapshot(() => als.getStore()))
    let resolve; const p = als.run('f', () => new Promise((r) => { resolve = r })); als.run('g', () => p.then(() => log('of then', als.getStore()))); als.run('h', () => resolve());
    (async () => { als.enterWith('i'); await null; log('entered', als.getStore()) })()
    async function* gen() { log('gen', als.getStore()); await null; log('gen', als.getStore()); yield 1; log('gen', als.getStore()) }
    als.run('j', async () => { const g = gen(); await g.next(); await als.run('k', () => g.next()) })`,
  clones: `
    log(structuredClone({ a: [1, new Map([[1, 2]])] }))
    for (const bad of [Promise.resolve(1), { a: [Promise.resolve(1)] }, new Map([[1, Promise.resolve()]]), () => 1]) try { structuredClone(bad) } catch (e) { log(e.name) }`,
  'a promise and its functions as objects': `
    const own = (o) => Reflect.ownKeys(o).map(String).sort().join()
    log(own(Promise), own(Promise.prototype), Promise.name, Promise.length, String(Promise.prototype[Symbol.toStringTag]))
    for (const k of ['all', 'allSettled', 'any', 'race', 'resolve', 'reject']) log(k, Promise[k].name, Promise[k].length, own(Promise[k]), Object.getOwnPropertyDescriptor(Promise, k).enumerable)
    for (const k of ['then', 'catch', 'finally']) log(k, Promise.prototype[k].name, Promise.prototype[k].length, own(Promise.prototype[k]))
    new Promise((a, b) => log(a.name === '', a.length, own(a), b.name === '', b.length))
    log(Object.getOwnPropertyDescriptor(Promise, Symbol.species).get.name, JSON.stringify({ p: Promise.resolve(1) }), Object.keys(Promise.resolve(1)))
    log(Promise.resolve(1) instanceof Promise, Promise[Symbol.species] === Promise, Promise.prototype.constructor === Promise, String(Promise.resolve()))
    for (const v of [undefined, 5, {}, 'x', null, Symbol('a'), [1]]) { try { new Promise(v) } catch (e) { log(e.message) } Promise.all(v).catch((e) => log(e.message)) }
    for (const f of [() => Promise.resolve.call(1), () => Promise.all.call(undefined), () => Promise.all.call({}), () => Promise.prototype.then.call({}), () => Promise.prototype.finally.call(1), () => Promise.prototype.then.call(1), () => Promise.resolve.call(function () {})]) try { f() } catch (e) { log(e.name, e.message) }
    const p = new (class P extends Promise {})(() => {}); p.constructor = 4; try { p.then() } catch (e) { log(e.message) } p.constructor = { [Symbol.species]: 3 }; try { p.then() } catch (e) { log(e.message) }
    async function f1(a, b = 1) {} const f2 = async (a) => {}, f3 = async function named(a, b) {}, o = { async m(x) {}, async ['k' + 1]() {}, f: async () => {} }
    log(f1.name, f1.length, f2.name, f2.length, f3.name, f3.length, o.m.name, o.m.length, o.k1.name, o.f.name, 'prototype' in f2, 'prototype' in o.m)
    async function* g1(a) {} const it = g1(); log(it instanceof g1, Object.prototype.toString.call(it), it[Symbol.asyncIterator]() === it, own(Object.getPrototypeOf(g1.prototype)))
    it.next.call(5).catch((e) => log(e.message))`,
  'functions in every form': `
    class A {
      #x = 1; static s = 5
      async m(a) { return [this.#x, a, arguments.length] } async #p() { return this.#x } async q() { return this.#p() }
      static async t() { return this.s } async ['c' + 1]() { return 'c1' } static async *['g' + 1]() { yield this.s } async *g() { yield this.#x; yield* this.h() } async *h() { yield 'h' }
      arrow = async () => { const inner = async () => this.#x; return inner() }
      args() { return (async () => { const f = () => arguments; return [arguments.length, f()[0], new.target === undefined] })() }
    }
    class B extends A { async m(a) { return ['B', await super.m(a)] } late() { return (async () => [await super.m(1), await super['q']()])() } }
    (async () => {
      const a = new A(), b = new B()
      log(await a.m(1, 2), await a.q(), await A.t(), await a.c1(), await a.arrow(), await a.args(7, 8), await b.m(3), await b.late())
      for await (const v of a.g()) log(v)
      for await (const v of A.g1()) log(v)
      const fact = async function f(n) { return n === 0 ? 1 : n * (await f(n - 1)) }; log(await fact(5))
      const o = { async m() { return this === o }, async *g() { yield this === o } }; log(await o.m(), (await o.g().next()).value)
      const bad = async (x = (() => { throw new Error('default') })()) => x; await bad().catch((e) => log(e))
      async function* gbad(x = (() => { throw new Error('default') })()) {} try { gbad() } catch (e) { log('sync', e) }
      const [first, ...rest] = await Promise.all([hoisted(), 2, 3]); log(first, rest)
      async function hoisted({ a = await0() } = {}) { return a } function await0() { return 'h' }
      label: for (const i of [1, 2, 3]) { for await (const j of [10, 20]) { if (i === 2) continue label; if (i === 3) break label; log(i, j) } }
      const x = await
        5
      log(x, await (async () => { try { return await Promise.reject(1) } catch (e) { return e } finally { await null } })())
      log(await async function () { return typeof this }.call(5), (await (async (...a) => a)(1, 2)).length, (async (a, b) => {}).length)
      const tagged = (s, ...v) => v; log(tagged\`\${await 1}\${await 2}\`, await 1 + await 2, -await 3, [await 4], { [await 'k']: await 5 }, (await { a: 1 }).a, await null ?? 'n')
    })()`,
}

/** With what the running Node may not have in its syntax: what each logged in Node 24, which has it. */
export const newSnippets: Readonly<Record<string, { readonly source: string; readonly logged: readonly string[] }>> = {
  'resources of blocks': {
    source: `
    const r = (name, how = () => {}) => ({ [Symbol.asyncDispose]() { log('dispose', name); return how() } })
    const s = (name, how = () => {}) => ({ [Symbol.dispose]() { log('sync', name); how() } })
    let jobs = 0; const count = () => { if (jobs++ < 40) queueMicrotask(count) };
    const show = (e) => e.name === 'SuppressedError' ? [e.name, e.message, show(e.error), show(e.suppressed)] : e;
    (async () => {
      count()
      { await using a = r('a'), b = s('b'); using c = s('c'); await using d = null; log('body') }
      log('nothing', jobs); { await using n = null } log('null', jobs); { using u = s('u'); await using n = undefined } log('both', jobs)
      const f = async () => { await using x = r('x', async () => { await null; log('late') }); return 'returned' }
      log(await f())
      try { await using y = r('y', () => { throw 'dispose y' }), z = r('z', async () => { throw 'dispose z' }); throw 'body' } catch (e) { log(show(e)) }
      try { await using y = 5 } catch (e) { log(e.name) }
      for (const i of [1, 2]) { await using l = r(i); if (i === 1) continue; break }
      async function* g() { await using x = r('in generator'); yield 1; yield 2 }
      for await (const v of g()) { log(v); break }
      log('end')
    })()`,
    logged: [
      'body',
      'sync c',
      'sync b',
      'dispose a',
      'nothing 4',
      'null 5',
      'sync u',
      'both 6',
      'dispose x',
      'late',
      'returned',
      'dispose z',
      'dispose y',
      '[SuppressedError, An error was suppressed during disposal, dispose y, [SuppressedError, An error was suppressed during disposal, dispose z, body]]',
      'TypeError',
      'dispose 1',
      'dispose 2',
      '1',
      'dispose in generator',
      'end',
    ],
  },
}
