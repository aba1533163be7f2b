/**
 * Async classes and clients of them, printed twice: as people write them, for a check, and for plain Node, where whatever may take
 * time waits for a promise that the oracle settles when it likes.
 */
import { Random } from '../../../src/core/random.ts'

export interface AsyncClass {
  readonly name: string
  /** As it is written. */
  readonly source: string
  /** As the expression of a class, in which `$` is what lets things take time. */
  readonly deferring: string
  /** By process, its calls. */
  readonly client: readonly (readonly string[])[]
}

/** How what may take time is written. */
export interface Dialect {
  await(value: string): string
  whenDone(promise: string, fulfilled: string, rejected?: string): string
  catch(promise: string, callback: string): string
  finally(promise: string, callback: string): string
  microtask(callback: string): string
  tick(callback: string): string
  timer(callback: string, delay: number): string
  immediate(callback: string): string
  thenable(call: string): string
  /** What a loop with await goes through: an async generator, or something that is iterated at once. */
  each(iterable: string): string
  yield(value: string): string
  /** `return` of an async generator, which awaits the value where the generator stands. */
  return(generator: string, value: string): string
}

export const written: Dialect = {
  await: (value) => `await ${value}`,
  whenDone: (promise, ...callbacks) => `${promise}.then(${callbacks.join(', ')})`,
  catch: (promise, callback) => `${promise}.catch(${callback})`,
  finally: (promise, callback) => `${promise}.finally(${callback})`,
  microtask: (callback) => `queueMicrotask(${callback})`,
  tick: (callback) => `process.nextTick(${callback})`,
  timer: (callback, delay) => `setTimeout(${callback}, ${delay})`,
  immediate: (callback) => `setImmediate(${callback})`,
  thenable: (call) => `{ then: (done, fail) => { ${call} } }`,
  each: (iterable) => iterable,
  yield: (value) => `yield ${value}`,
  return: (generator, value) => `${generator}.return(${value})`,
}

export const deferring: Dialect = {
  await: (value) => `await $.later(${value})`,
  whenDone: (promise, ...callbacks) => `$.later(${promise}).then(${callbacks.join(', ')})`,
  catch: (promise, callback) => `$.later(${promise}).catch(${callback})`,
  // What the callback gives is waited for, which may take time too.
  finally: (promise, callback) => `$.atLast(${promise}, ${callback})`,
  microtask: (callback) => `$.call(${callback})`,
  tick: (callback) => `$.call(${callback})`,
  timer: (callback, delay) => `$.timer(${callback}, ${delay})`,
  immediate: (callback) => `$.immediate(${callback})`,
  thenable: (call) => `$.later(undefined).then(() => new Promise((done, fail) => { ${call} }))`,
  each: (iterable) => `$.each(${iterable})`,
  yield: (value) => `yield await $.later(${value})`,
  return: (generator, value) => `${generator}.return($.later(${value}))`,
}

type Text = (dialect: Dialect) => string

export function generateAsyncClass(seed: number): AsyncClass {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1)).split()
  // One in four is about timers and immediates, one about generators.
  const writer = seed % 4 === 1 ? new GeneratorWriter(random) : new Writer(random, seed % 4 === 3)
  const members = writer.members()
  const name = `A${seed}`
  const print = (dialect: Dialect) => [
    ...['n = 0;', "log = '';", 'last = Promise.resolve(0);'],
    ...members.map((member) => member(dialect)),
  ]
  const body = (dialect: Dialect) => `{\n  ${print(dialect).join('\n  ')}\n}`
  const processes = random.below(12) === 0 ? 3 : 2
  const client = Array.from({ length: processes }, () =>
    Array.from({ length: processes === 2 && random.below(8) === 0 ? 2 : 1 }, () => `entry${random.below(2)}`),
  )
  return { name, source: `export class ${name} ${body(written)}`, deferring: `class ${body(deferring)}`, client }
}

/** Methods that wait are called by entries, and by those before them. */
const helpers = 3

class Writer {
  protected readonly random: Random
  readonly #isTimed: boolean
  /** What may still be written into the method, so that executions stay few. */
  protected left = 0
  #names = 0

  constructor(random: Random, isTimed: boolean) {
    this.random = random
    this.#isTimed = isTimed
  }

  members(): readonly Text[] {
    const helping = Array.from({ length: helpers }, (_, at) => this.#helper(at))
    const entries = [0, 1].map((at) => this.#entry(at))
    return [...entries, ...helping]
  }

  #entry(at: number): Text {
    this.left = 2
    const body = this.#statements(1 + this.random.below(2), 0)
    const result = this.random.pick(['this.n', 'this.log', 'x', 'x + this.n'])
    const [name, start] = [this.random.below(8) === 0 ? `['entry${at}']` : `entry${at}`, this.random.below(3)]
    if (this.random.below(4) > 0) return (d) => `async ${name}() { let x = ${start}; ${body(d)}return ${result} }`
    // Without the word, and what it gives is a promise.
    const given = this.#promise(0)
    return (d) => `${name}() { this.n += ${start}; return ${given(d)} }`
  }

  #helper(at: number): Text {
    this.left = 1
    switch (this.random.below(5)) {
      case 0:
        return (d) => `async help${at}(k) { const b = this.n; ${d.await('null')}; this.n = b + k; return b }`
      case 1:
        return (d) => `async help${at}(k) { this.log += k; ${d.await('null')}; if (this.n > ${at}) throw k; return k }`
      case 2:
        return () => `async help${at}(k) { this.n += k; this.log += 'h'; return this.n }`
      case 3: {
        const body = this.#statements(1, at + 1)
        return (d) => `async help${at}(k) { let x = k; ${body(d)}return x }`
      }
      default:
        return (d) =>
          `help${at}(k) { return new Promise((done) => { const b = this.n; ${d.microtask(`() => { this.n = b + k; done(b) }`)} }) }`
    }
  }

  #statements(count: number, from: number): Text {
    const all = Array.from({ length: count }, () => this.statement(from))
    return (d) => all.map((one) => `${one(d)}; `).join('')
  }

  protected statement(from: number): Text {
    const kind = this.random.below(10)
    if (this.left <= 0 || kind === 0) return this.effect()
    if (kind === 1) {
      const [before, value] = [`b${this.#names++}`, this.#value(from)]
      return (d) => `const ${before} = this.n; x += Number(${d.await(value(d))}) || 0; this.n = ${before} + 1`
    }
    if (kind === 2) {
      const [tried, caught] = [this.#value(from), this.effect()]
      return (d) => `try { x = ${d.await(tried(d))} } catch (error) { this.log += 'c'; ${caught(d)} }`
    }
    if (kind === 3 || (this.#isTimed && kind > 5)) return this.#later(from)
    if (kind === 4) {
      const given = this.#promise(from)
      const name = `p${this.#names++}`
      const between = this.statement(from)
      return (d) => `const ${name} = ${d.catch(given(d), `() => 'r'`)}; ${between(d)}; x = ${d.await(name)}`
    }
    if (kind === 5) {
      const work = this.call(from)
      return (d) =>
        `this.last = ${d.whenDone('this.last', `() => ${work(d)}`, `() => ${work(d)}`)}; x = ${d.await('this.last')}`
    }
    const value = this.#value(from)
    return (d) => `x = ${d.await(value(d))}`
  }

  /** What goes on by itself. */
  #later(from: number): Text {
    this.left--
    const effect = this.effect()
    switch (this.#isTimed ? 2 + this.random.below(3) : this.random.below(6)) {
      case 0:
        return (d) => d.microtask(`() => { ${effect(d)} }`)
      case 1:
        return (d) => d.tick(`() => { ${effect(d)} }`)
      case 2: {
        const delay = 1 + this.random.below(3)
        return (d) => d.timer(`() => { ${effect(d)} }`, delay)
      }
      case 3:
        return (d) => d.immediate(`() => { ${effect(d)} }`)
      case 4: {
        const [first, second] = [1 + this.random.below(3), 1 + this.random.below(3)]
        return (d) => `${d.timer("() => { this.log += 's' }", first)}; ${d.timer("() => { this.log += 't' }", second)}`
      }
      default: {
        const call = this.call(from)
        return (d) => d.catch(call(d), '() => {}')
      }
    }
  }

  protected effect(): Text {
    const text = this.random.pick(['this.n += 1', 'this.n *= 2', "this.log += 'a'", 'this.log += this.n', 'this.n = 5'])
    return () => text
  }

  /** Something to await. */
  #value(from: number): Text {
    const kind = this.random.below(12)
    if (kind > 1) return this.#promise(from)
    this.left--
    return kind === 0 ? () => 'null' : (d) => d.thenable('this.n += 1; done(this.n); fail(1)')
  }

  /** An expression that gives a promise. */
  #promise(from: number): Text {
    this.left--
    const call = this.call(from)
    switch (this.random.below(13)) {
      case 0:
      case 1:
        return call
      case 2:
      case 3:
      case 4: {
        const [effect, isAsync] = [this.effect(), this.random.below(4) === 0]
        if (isAsync) return (d) => d.whenDone(call(d), `async (v) => { ${effect(d)}; ${d.await('null')}; return v }`)
        return (d) => d.whenDone(call(d), `(v) => { ${effect(d)}; return v }`)
      }
      case 5: {
        const effect = this.effect()
        return (d) => d.whenDone(call(d), '(v) => v', `(e) => { ${effect(d)}; return 'e' + e }`)
      }
      case 6: {
        const effect = this.effect()
        const kind = this.random.below(3)
        const other = this.call(from)
        const after = (d: Dialect) => ['', `return ${other(d)}`, `${d.await('null')}; this.n += 1`][kind] as string
        const word = kind === 2 ? 'async ' : ''
        return (d) => d.finally(call(d), `${word}() => { ${effect(d)}; ${after(d)} }`)
      }
      case 7:
      case 8:
      case 9: {
        const method = this.random.pick(['all', 'race', 'any', 'allSettled'])
        const [other, shown] = [this.call(from), this.random.pick(['.length', '+ 1', ''])]
        const text = method === 'allSettled' ? '(v) => v.map((one) => one.status).join()' : `(v) => String(v${shown})`
        return (d) => d.whenDone(`Promise.${method}([${call(d)}, ${other(d)}])`, text)
      }
      case 10: {
        const effect = this.effect()
        const started = this.#started()
        return (d) => `new Promise((done) => { ${effect(d)}; ${started(d, `() => { ${effect(d)}; done(this.n) }`)} })`
      }
      case 11: {
        const effect = this.effect()
        return (d) => `new Promise(async (done) => { ${d.await('null')}; ${effect(d)}; done(${call(d)}) })`
      }
      default:
        return (d) => `(async () => { this.n += 1; return ${d.await(call(d))} })()`
    }
  }

  #started(): (dialect: Dialect, callback: string) => string {
    const [kind, delay] = [this.#isTimed ? 2 + this.random.below(2) : this.random.below(4), 1 + this.random.below(3)]
    return (d, callback) =>
      [d.microtask(callback), d.tick(callback), d.timer(callback, delay), d.immediate(callback)][kind] as string
  }

  protected call(from: number): Text {
    const at = from + this.random.below(helpers - from + 1)
    const argument = 1 + this.random.below(2)
    return at >= helpers ? () => `Promise.resolve(${argument})` : () => `this.help${at}(${argument})`
  }
}

/** Loops over generators, and generators that calls share. */
class GeneratorWriter extends Writer {
  constructor(random: Random) {
    super(random, false)
  }

  override members(): readonly Text[] {
    return [
      ...super.members(),
      this.#asyncGenerator(),
      this.#generator(),
      () => 'kept = this.later(2);',
      () => 'ids = this.count(2);',
    ]
  }

  protected override statement(from: number): Text {
    if (this.left <= 0 || this.random.below(3) === 0) return super.statement(from)
    this.left--
    const effect = this.effect()
    switch (this.random.below(8)) {
      case 0:
      case 1: {
        const [most, iterable] = [this.random.below(3), this.random.pick(['later', 'count'])]
        const leave = this.random.pick([`if (v > ${most}) break`, `if (v > ${most}) throw v`, 'continue'])
        return (d) =>
          `try { for await (const v of ${d.each(`this.${iterable}(2)`)}) { x += v; ${effect(d)}; ${leave} } } catch (e) { this.log += e }`
      }
      case 2: {
        const [call, other] = [this.call(helpers), this.call(from)]
        return (d) => `for await (const v of ${d.each(`[${call(d)}, ${other(d)}, 3]`)}) { x += v; if (x > 2) break }`
      }
      case 3: {
        const other = this.call(from)
        return (d) => `for (const v of this.count(2)) { x += v; ${d.await(other(d))} }`
      }
      case 4:
        return (d) => `x = String((${d.await(d.return('this.kept', '7'))}).value)`
      case 5:
        return () => 'x += String(this.ids.next(1).value)'
      case 6:
        return (d) => `try { x = (${d.await("this.kept.throw('t')")}).value } catch (e) { this.log += e; ${effect(d)} }`
      default:
        return (d) => `x = String((${d.await('this.kept.next(2)')}).value)`
    }
  }

  /** What a generator has done when it ends, whoever ends it. */
  #ending(): Text {
    const [effect, waits] = [this.effect(), this.random.below(3) === 0]
    return (d) => `${effect(d)}; ${waits ? `${d.await('null')}; this.n += 1` : ''}`
  }

  #asyncGenerator(): Text {
    const [first, last, ending] = [this.effect(), this.effect(), this.#ending()]
    const caught = this.random.below(3) === 0
    const result = this.random.pick(['this.n', 'k'])
    return (d) => {
      const body = `${first(d)}; ${d.yield('this.n')}; ${last(d)}; k += ${d.yield('k')} ?? 0`
      const guarded = caught ? `try { ${body} } catch (e) { this.log += 'g' + e; ${d.yield('4')} }` : body
      return `async *later(k) { try { ${guarded}; return ${d.await(result)} } finally { ${ending(d)} } }`
    }
  }

  #generator(): Text {
    const [effect, ending] = [this.effect(), this.effect()]
    return (d) =>
      `*count(k) { try { for (let i = 0; i < k; i++) { ${effect(d)}; i += (yield i + this.n) ?? 0 } } finally { ${ending(d)} } }`
  }
}
