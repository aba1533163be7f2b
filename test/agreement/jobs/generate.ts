/**
 * Generated programs with promises, as source text: everything that decides the order of callbacks occurs, at random. Each names the
 * places that it passes to `log`. The kind `mixed` draws from all of it, `generators` is heavy in async generators, and `values` in
 * promises that settle each other.
 */
import { Random } from '../../../src/core/random.ts'

export type Kind = 'mixed' | 'generators' | 'values'

/** What the running Node has. */
export interface Language {
  readonly hasTry: boolean
  readonly hasWithResolvers: boolean
}

interface Context {
  readonly isAsync: boolean
  readonly isGenerator: boolean
  /** The label of the innermost loop, if any. */
  readonly loop: string
  readonly canThrow: boolean
}

const plain: Context = { isAsync: false, isGenerator: false, loop: '', canThrow: true }

export function generateProgram(seed: number, kind: Kind, language: Language): string {
  return new Writer(new Random(seed), kind, language).program()
}

type Make = () => string

class Writer {
  readonly #random: Random
  readonly #kind: Kind
  readonly #language: Language
  #places = 0
  /** What the program may still grow by. */
  #budget: number

  constructor(random: Random, kind: Kind, language: Language) {
    this.#random = random
    this.#kind = kind
    this.#language = language
    this.#budget = 12 + random.below(kind === 'values' ? 25 : 40)
  }

  program(): string {
    const lines: string[] = []
    while (this.#budget > 0) lines.push(`try { ${this.#statement(plain)} } catch (e) { log('top', e) }`)
    return `${classes}\n${lines.join('\n')}`
  }

  #place(): string {
    return `${this.#places++}`
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  #oneOf(makes: readonly (readonly [weight: number, make: Make])[]): string {
    let at = this.#random.below(makes.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, make] of makes) {
      at -= weight
      if (at < 0) return make()
    }
    return '0'
  }

  #variable(): string {
    return `v${this.#random.below(4)}`
  }

  #simple(): string {
    return this.#oneOf([
      [4, () => `${this.#random.below(100)}`],
      [3, () => this.#variable()],
      [1, () => 'undefined'],
      [1, () => `new Error('e${this.#random.below(9)}')`],
      [1, () => `({ a: ${this.#random.below(9)} })`],
    ])
  }

  value(): string {
    if (this.#budget-- <= 0) return this.#simple()
    const generators = this.#kind === 'generators' ? 8 : 1
    return this.#oneOf([
      [6, () => this.#simple()],
      [4, () => `Promise.resolve(${this.value()})`],
      [3, () => `Promise.reject(${this.#simple()})`],
      [4, () => `new ${this.#class()}((resolve, reject) => { ${this.#settling()} })`],
      [3, () => this.#thenable()],
      [2, () => `Sub.${this.#random.pick(['resolve', 'reject'])}(${this.value()})`],
      [1, () => `new Plain((resolve) => resolve(${this.value()}))`],
      [1, () => `Loud.resolve(${this.value()})`],
      [4, () => `(async () => { ${this.#block({ ...plain, isAsync: true }, 3)} })()`],
      [1, () => `(async (a = ${this.#thrown()}) => a)()`],
      [1, () => `methods.am(${this.value()})`],
      [3, () => `${this.#class()}.${this.#random.pick(combinations)}(${this.#elements()})`],
      [6, () => this.#chain()],
      [1, () => `constructed(${this.value()}, ${this.#random.pick(['Promise', 'Sub', '5', 'undefined'])})`],
      [1, () => `(${this.#variable()} = ${this.value()})`],
      [1, () => 'cycle()'],
      [1, () => this.#modern()],
      [generators, () => this.#requests()],
    ])
  }

  #class(): string {
    return this.#random.pick(['Promise', 'Promise', 'Promise', 'Sub', 'Loud'])
  }

  #modern(): string {
    const { hasTry, hasWithResolvers } = this.#language
    if (hasTry && this.#chance(50)) {
      return `Promise.try((a) => { ${this.#block({ ...plain }, 2)} return a }, ${this.#simple()})`
    }
    if (!hasWithResolvers) return `Promise.resolve(${this.value()})`
    return `(() => { const { promise, resolve, reject } = Promise.withResolvers(); ${this.#settling()}; return promise })()`
  }

  #settling(): string {
    const settle = (): string =>
      this.#oneOf([
        [5, () => `resolve(${this.value()})`],
        [2, () => `reject(${this.#simple()})`],
        [1, () => `throw ${this.#simple()}`],
        [1, () => `log(${this.#place()})`],
        [2, () => `later(() => resolve(${this.value()}))`],
        [1, () => `nextTick(() => { resolve(${this.#simple()}) })`],
        [1, () => `setTimeout(() => { reject(${this.#simple()}) }, ${this.#random.below(4)})`],
      ])
    return this.#chance(30) ? `${settle()}; ${settle()}` : settle()
  }

  #thenable(): string {
    const body = `log(${this.#place()}); ${this.#settling()}`
    return this.#oneOf([
      [4, () => `({ then(resolve, reject) { if (spent()) return; ${body} } })`],
      [
        2,
        () =>
          `({ get then() { log(${this.#place()}); return (resolve, reject) => { if (spent()) return; ${body} } } })`,
      ],
      [1, () => `({ get then() { throw ${this.#simple()} } })`],
      [1, () => '({ then: 5 })'],
    ])
  }

  #thrown(): string {
    return `(() => { log(${this.#place()}); throw ${this.#simple()} })()`
  }

  #elements(): string {
    const elements = Array.from({ length: this.#random.below(4) }, () => this.value()).join(', ')
    return this.#oneOf([
      [8, () => `[${elements}]`],
      [1, () => this.#syncIterable()],
      [1, () => this.#random.pick(['5', 'undefined', 'null', '({})'])],
    ])
  }

  #callback(): string {
    return this.#oneOf([
      [10, () => `(v) => { log(${this.#place()}, v); ${this.#block(plain, 2)} ${this.#end()} }`],
      [
        2,
        () =>
          `async (v) => { log(${this.#place()}, v); ${this.#block({ ...plain, isAsync: true }, 2)} ${this.#end()} }`,
      ],
      [1, () => this.#random.pick(['5', 'undefined', 'null'])],
    ])
  }

  #end(): string {
    return this.#oneOf([
      [3, () => 'return v'],
      [4, () => `return ${this.value()}`],
      [2, () => `throw ${this.#simple()}`],
      [1, () => ''],
    ])
  }

  #chain(): string {
    const start = this.#chance(25) ? `wrapped(${this.#variable()})` : `wrapped(${this.value()})`
    const links = Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#oneOf([
        [5, () => `.then(${this.#callback()})`],
        [2, () => `.then(${this.#callback()}, ${this.#callback()})`],
        [3, () => `.catch(${this.#callback()})`],
        [3, () => `.finally(${this.#callback().replace('(v) =>', '(v = 0) =>')})`],
      ]),
    )
    return start + links.join('')
  }

  #block(context: Context, most: number): string {
    const count = this.#random.below(most + 1)
    return Array.from({ length: count }, () => this.#statement(context)).join(' ')
  }

  #statement(context: Context): string {
    if (this.#budget-- <= 0) return `log(${this.#place()});`
    const generators = this.#kind === 'generators' ? 6 : 1
    const async = context.isAsync ? 8 : 0
    const yields = context.isGenerator ? 10 : 0
    const loops = context.loop === '' ? 0 : 3
    return this.#oneOf([
      [3, () => `log(${this.#place()}, ${this.#simple()});`],
      [5, () => `${this.value()};`.replace(/^\{/, '({')],
      [3, () => `${this.#variable()} = ${this.value()};`],
      [4, () => `${this.#chain()};`],
      [2, () => `nextTick(() => { log(${this.#place()}); ${this.#guarded()} });`],
      [2, () => `queueMicrotask(() => { log(${this.#place()}); ${this.#guarded()} });`],
      [2, () => `setTimeout(() => { log(${this.#place()}); ${this.#guarded()} }, ${this.#random.below(5)});`],
      [1, () => `setImmediate(() => { log(${this.#place()}); ${this.#guarded()} });`],
      [generators, () => `${this.#requests()};`],
      [async, () => `log(${this.#place()}, await ${this.value()});`],
      [
        async / 2,
        () => `try { ${this.#block(context, 3)} await ${this.value()} } catch (e) { log(${this.#place()}, e) }`,
      ],
      [
        async / 4,
        () => `try { ${this.#block(context, 2)} } finally { log(${this.#place()}); ${this.#block(context, 1)} }`,
      ],
      [async / 2, () => this.#awaitLoop(context)],
      [async / 4, () => `return ${this.value()};`],
      [async / 4, () => `throw ${this.#simple()};`],
      [yields, () => `log(${this.#place()}, yield ${this.value()});`],
      [yields / 2, () => `log(${this.#place()}, yield* ${this.#iterable()});`],
      [
        yields / 3,
        () =>
          `try { yield ${this.value()}; ${this.#block(context, 2)} } catch (e) { log(${this.#place()}, e); ${this.#block(context, 1)} }`,
      ],
      [yields / 3, () => `try { yield ${this.value()} } finally { log(${this.#place()}); ${this.#block(context, 2)} }`],
      [yields / 3, () => `try { return ${this.value()} } catch (e) { log(${this.#place()}, e) }`],
      [loops, () => this.#random.pick(['break;', 'continue;', `break ${context.loop};`, `continue ${context.loop};`])],
    ])
  }

  /** Ticks and timers must not throw: what Node does then is no question of promises. */
  #guarded(): string {
    return `try { ${this.#block(plain, 2)} } catch (e) { log(${this.#place()}, e) }`
  }

  #awaitLoop(context: Context): string {
    const label = `l${this.#place()}`
    // The body may leave the loop around, too.
    const body = this.#block({ ...context, loop: this.#chance(30) && context.loop !== '' ? context.loop : label }, 2)
    const name = `x${this.#place()}`
    const head = this.#random.pick([
      `const ${name}`,
      `var ${name}`,
      `const [${name}]`,
      'v0',
      `const { a: ${name} = 1 }`,
    ])
    const shown = head === 'v0' ? 'v0' : name
    const loop = `${label}: for await (${head} of ${this.#iterable()}) { log(${this.#place()}, ${shown}); ${body} ${this.#left()} }`
    return `try { ${loop} } catch (e) { log(${this.#place()}, e) }`
  }

  /** How a loop is left, if at all. */
  #left(): string {
    return this.#oneOf([
      [4, () => ''],
      [2, () => `throw ${this.#simple()}`],
      [2, () => 'break'],
      [1, () => `return ${this.#simple()}`],
    ])
  }

  #iterable(): string {
    if (this.#budget-- <= 0) return '[1, 2]'
    return this.#oneOf([
      [4, () => `[${Array.from({ length: this.#random.below(3) }, () => this.value()).join(', ')}]`],
      [3, () => this.#syncIterable()],
      [4, () => `(${this.#generator()})()`],
      [4, () => this.#iterator('async')],
      [1, () => this.#random.pick(['5', 'undefined', '({})'])],
    ])
  }

  #syncIterable(): string {
    return this.#oneOf([
      [
        3,
        () =>
          `(function* () { try { yield ${this.value()}; log(${this.#place()}); yield ${this.value()}; return ${this.#simple()} } finally { log(${this.#place()}) } })()`,
      ],
      [3, () => this.#iterator('sync')],
    ])
  }

  /** An iterator by hand, with and without `return` and `throw`, which give anything. */
  #iterator(kind: 'sync' | 'async'): string {
    const result = (): string =>
      this.#oneOf([
        [6, () => `({ value: ${this.value()}, done: ${this.#chance(30)} })`],
        [
          2,
          () =>
            kind === 'async'
              ? `Promise.resolve({ value: ${this.value()}, done: ${this.#chance(50)} })`
              : '({ value: 1, done: false })',
        ],
        [2, () => this.#random.pick(['5', 'undefined', '({})', 'Promise.reject(8)'])],
        [1, () => this.#thrown()],
      ])
    const method = (name: string): string => `${name}(v) { log(${this.#place()}, v); return ${result()} }`
    const optional = ['return', 'throw'].filter(() => this.#chance(70)).map(method)
    const next = `next(v) { log(${this.#place()}, v); return !spent() && n++ < ${1 + this.#random.below(3)} ? ${result()} : { value: ${this.#simple()}, done: true } }`
    const symbol = kind === 'async' ? 'asyncIterator' : 'iterator'
    return `({ [Symbol.${symbol}]() { let n = 0; return { ${[next, ...optional].join(', ')} } } })`
  }

  #generator(): string {
    const context = { ...plain, isAsync: true, isGenerator: true }
    return `async function* () { log(${this.#place()}); ${this.#block(context, 4)} }`
  }

  /** An async generator, and requests that may come before the one before is answered. */
  #requests(): string {
    const request = (): string => `shown(${this.#place()}, g.${this.#random.pick(requestNames)}(${this.value()}))`
    const requests = Array.from({ length: 1 + this.#random.below(4) }, () =>
      this.#chance(25) ? `later(() => ${request()})` : request(),
    )
    return `((g) => { ${requests.join('; ')}; return g.next() })((${this.#generator()})())`
  }
}

const combinations = ['all', 'allSettled', 'any', 'race'] as const
const requestNames = ['next', 'next', 'next', 'return', 'throw'] as const

const classes = `
let v0 = 1, v1 = Promise.resolve(2), v2 = Promise.reject(3), v3 = 4;
v2.catch(() => {});
class Sub extends Promise {}
class Plain extends Promise { static get [Symbol.species]() { return Promise } }
class Loud extends Promise {
  then(a, b) { log('then'); return super.then(a, b) }
  static resolve(v) { log('resolve'); return super.resolve(v) }
}
// What resolves itself for ever stops here.
let left = 200;
const spent = () => left-- <= 0;
const wrapped = (v) => (v !== null && typeof v === 'object' && typeof v.finally === 'function' ? v : Promise.resolve(v));
const later = (f) => { queueMicrotask(() => { try { f() } catch (e) { log('later', e) } }) };
const shown = (place, p) => { p.then((v) => log(place, 'next', v), (e) => log(place, 'threw', e)) };
const cycle = () => { let r; const p = new Promise((resolve) => { r = resolve }); r(p); return p };
const constructed = (v, c) => { const p = Promise.resolve(v); Object.defineProperty(p, 'constructor', { get() { log('constructor'); return c } }); return p };
const methods = new (class { async am(v) { log('am', typeof this.am, arguments.length); return (async () => { await v; return [arguments[0] === v, this === methods] })() } })();
`
