/**
 * Classes that keep state where no traversal of fields finds it: `set` and `put` change it, `look` tells it. Node is the oracle of each;
 * `PAUSE` is where others may go on.
 */

export interface HiddenState {
  readonly name: string
  /** Before the class. */
  readonly head: string
  readonly members: string
}

const of = (name: string, head: string, members: string): HiddenState => ({ name, head, members })
const stamps = 'class Stamp { constructor(o) { return o } }'

export const hiddenStates: readonly HiddenState[] = [
  of(
    'private fields stamped on an object of the state',
    `${stamps}
class Mark extends Stamp { #n = 0
  static put(o, n) { if (!(#n in o)) new Mark(o); o.#n = n }
  static look(o) { return #n in o ? o.#n : -1 } }`,
    `o = {}
  set() { Mark.put(this.o, 1) } put() { Mark.put(this.o, 2) } look() { return Mark.look(this.o) }`,
  ),
  of(
    'private fields stamped, seen by whether they are there',
    `${stamps}
class Mark extends Stamp { #n = 0; static has(o) { return #n in o } }`,
    `o = {}; n = 0
  set() { new Mark(this.o); this.n = 1 } put() { this.n = 2 } look() { return this.n + (Mark.has(this.o) ? 10 : 20) }`,
  ),
  of(
    'stamping twice throws',
    `${stamps}
class Mark extends Stamp { #n = 0 }`,
    `o = {}
  set() { try { new Mark(this.o); return 'first' } catch (error) { return 'second' } }
  put() { try { new Mark(this.o); return 'first' } catch (error) { return 'second' } }
  look() { return 0 }`,
  ),
  of(
    'public fields stamped on an object of the state',
    `${stamps}
let next = 1
class Mark extends Stamp { n = next++ }`,
    `o = { n: 0 }
  set() { new Mark(this.o) } put() { new Mark(this.o) } look() { return this.o.n }`,
  ),
  of(
    'fields stamped on an object of the call',
    `${stamps}
class Mark extends Stamp { #n = 7; static look(o) { return #n in o ? o.#n : -1 } }`,
    `n = 0
  async set() { const o = {}; PAUSE; new Mark(o); const n = Mark.look(o); this.n += n; return n }
  async put() { const o = {}; const before = Mark.look(o); PAUSE; new Mark(o); this.n += 1; return before * 100 + Mark.look(o) }
  look() { return this.n }`,
  ),
  of(
    'private methods stamped',
    `${stamps}
class Mark extends Stamp { #name() { return this.n } static name(o) { return #name in o ? o.#name() : 'none' } }`,
    `o = { n: 0 }
  set() { new Mark(this.o); this.o.n = 1 } put() { this.o.n = 2 } look() { return Mark.name(this.o) }`,
  ),
  of(
    'private fields of a frozen object',
    '',
    `#n = 0
  constructor() { Object.freeze(this) }
  set() { this.#n = 1 } put() { this.#n = 2 } look() { return this.#n }`,
  ),
  of(
    'private fields are no keys',
    '',
    `#n = 1; m = 2
  set() { this.#n = 3 } put() { this.m = 4 }
  look() { return [Object.keys(this).join(','), JSON.stringify(this), JSON.stringify({ ...this }), Object.getOwnPropertyNames(this).length].join(' ') }`,
  ),
  of(
    'private fields in a loop over keys',
    '',
    `#n = 1; m = 2
  set() { this.#n = 3 } put() { this.m = 4 }
  look() { let text = ''; for (const key in this) text += key + this[key]; return text }`,
  ),
  of(
    'private fields and copies',
    'class Box { #n = 1; m = 1; set(n) { this.#n = n; this.m = n } static has(o) { return #n in o } }',
    `box = new Box()
  set() { this.box.set(2) } put() { this.box.set(3) }
  look() { const copy = Object.assign({}, this.box); return [Box.has(copy), copy.m, Object.entries(this.box).length].join() }`,
  ),
  of(
    'private fields of an object that inherits',
    '',
    `#n = 0
  set() { this.#n = 1 } put() { this.#n = 2 }
  look() { const heir = Object.create(this); try { return heir.#n } catch { return 'none' } }`,
  ),
  of(
    'private fields of an object that inherits, asked for',
    '',
    `#n = 0
  set() { this.#n = 1 } put() { this.#n = 2 }
  look() { return #n in Object.create(this) ? 'there' : 'none' }`,
  ),
  of(
    'private fields that are not there',
    '',
    `#n = 0; o = {}
  set() { this.#n = 1 } put() { try { this.o.n = 1; const { o } = this; o.#n = 1; return 'written' } catch { return 'none' } }
  look() { const { o } = this; try { return String(o.#n) } catch { return 'none' } }`,
  ),
  of(
    'private static fields',
    '',
    `static #n = 0
  set() { this.constructor.keep(1) } put() { this.constructor.keep(2) } look() { return this.constructor.kept() }
  static keep(n) { this.#n = n } static kept() { return this.#n }`,
  ),
  of(
    'private static fields of a subclass',
    'class Base { static #n = 0; static keep(n) { Base.#n = n } static kept() { try { return this.#n } catch { return "none" } } }\nclass Sub extends Base {}',
    'set() { Base.keep(1) } put() { Sub.keep(2) } look() { return Sub.kept() }',
  ),
  of(
    'public static fields',
    '',
    'static n = 0; set() { this.constructor.n = 1 } put() { this.constructor.n = 2 } look() { return this.constructor.n }',
  ),
  of(
    'static fields made later',
    'class Kept {}',
    'set() { Kept.n = 1 } put() { Kept.n = 2 } look() { return Kept.n ?? 0 }',
  ),
  of(
    'static functions replaced',
    'class Kept { static make = () => 0 }',
    'set() { Kept.make = () => 1 } put() { Kept.make = () => 2 } look() { return Kept.make() }',
  ),
  of(
    'static methods replaced',
    'class Kept { static make() { return 0 } }',
    'set() { Kept.make = () => 1 } put() { Kept.make = () => 2 } look() { return Kept.make() }',
  ),
  of(
    'fields of functions',
    'function kept() { return 1 }',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n ?? 0 }',
  ),
  of(
    'fields of arrow functions',
    'const kept = () => 1\nkept.n = 0',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n }',
  ),
  of(
    'fields of closures',
    'const make = () => { const own = () => own.n; own.n = 0; return own }\nconst kept = make()',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept() }',
  ),
  of(
    'fields of closures made later',
    'const make = (x) => { const own = () => x; return own }\nconst kept = make(5)',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return (kept.n ?? 0) + kept() }',
  ),
  of('fields of methods', '', 'set() { this.look.n = 1 } put() { this.look.n = 2 } look() { return this.look.n ?? 0 }'),
  of(
    'fields of a bound function',
    'function base() { return 1 }\nconst kept = base.bind(null)',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n ?? 0 }',
  ),
  of(
    'fields of a function of the language',
    '',
    'set() { parseInt.n = 1 } put() { parseInt.n = 2 } look() { return parseInt.n ?? 0 }',
  ),
  of('fields of Math', '', 'set() { Math.n = 1 } put() { Math.n = 2 } look() { return Math.n ?? 0 }'),
  of('fields of JSON', '', 'set() { JSON.n = 1 } put() { JSON.n = 2 } look() { return JSON.n ?? 0 }'),
  of('fields of Reflect', '', 'set() { Reflect.n = 1 } put() { Reflect.n = 2 } look() { return Reflect.n ?? 0 }'),
  of('fields of Intl', '', 'set() { Intl.n = 1 } put() { Intl.n = 2 } look() { return Intl.n ?? 0 }'),
  of(
    'variables of the world',
    '',
    'set() { globalThis.hiddenStateOne = 1 } put() { globalThis.hiddenStateOne = 2 } look() { return globalThis.hiddenStateOne ?? 0 }',
  ),
  of(
    'the prototype of arrays',
    '',
    'set() { Array.prototype.hiddenStateTwo = 1 } put() { Array.prototype.hiddenStateTwo = 2 } look() { return [].hiddenStateTwo ?? 0 }',
  ),
  of(
    'a method replaced on the prototype',
    'class Kept { tell() { return 0 } }\nconst one = new Kept()',
    'set() { Kept.prototype.tell = () => 1 } put() { Kept.prototype.tell = () => 2 } look() { return one.tell() }',
  ),
  of(
    'a field of a prototype',
    'class Kept {}\nKept.prototype.n = 0\nconst one = new Kept()',
    'set() { Kept.prototype.n = 1 } put() { Kept.prototype.n = 2 } look() { return one.n }',
  ),
  of(
    'a field of the prototype of the class itself',
    '',
    'set() { Object.getPrototypeOf(this).n = 1 } put() { Object.getPrototypeOf(this).n = 2 } look() { return this.n ?? 0 }',
  ),
  of(
    'a getter defined on the prototype',
    'class Kept {}\nconst one = new Kept()',
    `set() { Object.defineProperty(Kept.prototype, 'n', { get: () => 1, configurable: true }) }
  put() { Object.defineProperty(Kept.prototype, 'n', { get: () => 2, configurable: true }) } look() { return one.n ?? 0 }`,
  ),
  of(
    'a getter defined on an object',
    'const one = {}',
    `set() { Object.defineProperty(one, 'n', { get: () => 1, configurable: true }) }
  put() { Object.defineProperty(one, 'n', { get: () => 2, configurable: true }) } look() { return one.n ?? 0 }`,
  ),
  of(
    'the attributes of a property',
    'const one = { n: 0 }',
    `set() { Object.defineProperty(one, 'n', { enumerable: false }) }
  put() { Object.defineProperty(one, 'n', { enumerable: true }) } look() { return Object.keys(one).length }`,
  ),
  of(
    'a property that cannot be written any more',
    'const one = { n: 0 }',
    `set() { Object.defineProperty(one, 'n', { writable: false }) }
  put() { try { one.n = 2; return 'written' } catch { return 'refused' } } look() { return one.n }`,
  ),
  of(
    'the prototype of an object, by its name',
    'const one = {}; const left = { n: 1 }; const right = { n: 2 }',
    'set() { one.__proto__ = left } put() { one.__proto__ = right } look() { return one.n ?? 0 }',
  ),
  of(
    'a WeakMap of the module',
    'const kept = new WeakMap(); const key = {}',
    'set() { kept.set(key, 1) } put() { kept.set(key, 2) } look() { return kept.get(key) ?? 0 }',
  ),
  of(
    'a WeakMap in a field',
    '',
    'kept = new WeakMap(); set() { this.kept.set(this, 1) } put() { this.kept.set(this, 2) } look() { return this.kept.get(this) ?? 0 }',
  ),
  of(
    'a WeakMap in a closure',
    'const kept = (() => { const map = new WeakMap(); return { set: (key, n) => map.set(key, n), get: (key) => map.get(key) } })(); const key = {}',
    'set() { kept.set(key, 1) } put() { kept.set(key, 2) } look() { return kept.get(key) ?? 0 }',
  ),
  of(
    'a WeakMap that a static block makes',
    'class Kept { static get; static set; static { const map = new WeakMap(); Kept.get = (key) => map.get(key); Kept.set = (key, n) => map.set(key, n) } }\nconst key = {}',
    'set() { Kept.set(key, 1) } put() { Kept.set(key, 2) } look() { return Kept.get(key) ?? 0 }',
  ),
  of(
    'a WeakSet of the module',
    'const kept = new WeakSet(); const key = {}',
    'set() { kept.add(key) } put() { kept.delete(key) } look() { return kept.has(key) }',
  ),
  of(
    'a WeakRef in a field',
    '',
    'one = { n: 0 }; kept = new WeakRef(this.one); set() { this.kept.deref().n = 1 } put() { this.kept.deref().n = 2 } look() { return this.kept.deref().n }',
  ),
  of(
    'a FinalizationRegistry',
    'const registry = new FinalizationRegistry(() => {}); const token = {}',
    'set() { registry.register({}, 1, token) } put() { return registry.unregister(token) } look() { return registry.unregister(token) }',
  ),
  of(
    'a symbol of the registry as key',
    '',
    "set() { this[Symbol.for('n')] = 1 } put() { this[Symbol.for('n')] = 2 } look() { return this[Symbol.for('n')] ?? 0 }",
  ),
  of(
    'a symbol of its own as key',
    "const key = Symbol('n')",
    'set() { this[key] = 1 } put() { this[key] = 2 } look() { return this[key] ?? 0 }',
  ),
  of(
    'symbols that are made',
    '',
    "key = undefined; set() { this.key = Symbol('a'); return 1 } put() { this.key = Symbol('b'); return 2 } look() { return this.key?.description ?? 'none' }",
  ),
  of('a variable of the module', 'let n = 0', 'set() { n = 1 } put() { n = 2 } look() { return n }'),
  of(
    'a variable of a closure',
    'const [write, read] = (() => { let n = 0; return [(value) => { n = value }, () => n] })()',
    'set() { write(1) } put() { write(2) } look() { return read() }',
  ),
  of(
    'a variable of a block',
    'let write, read\n{ let n = 0; write = (value) => { n = value }; read = () => n }',
    'set() { write(1) } put() { write(2) } look() { return read() }',
  ),
  of(
    'a variable captured by a class',
    'const made = () => { let n = 0; return class Own { write(value) { n = value } read() { return n } } }\nconst Own = made()',
    'own = new Own(); set() { this.own.write(1) } put() { this.own.write(2) } look() { return this.own.read() }',
  ),
  of(
    'a variable captured by static methods',
    'const made = () => { let n = 0; return class Own { static write(value) { n = value } static read() { return n } } }\nconst Own = made()',
    'set() { Own.write(1) } put() { Own.write(2) } look() { return Own.read() }',
  ),
  of(
    'a variable captured by a getter',
    'const made = () => { let n = 0; return { get n() { return n }, set n(value) { n = value } } }\nconst own = made()',
    'set() { own.n = 1 } put() { own.n = 2 } look() { return own.n }',
  ),
  of(
    'a variable of a static block',
    'class Own { static write; static read; static { let n = 0; this.write = (value) => { n = value }; this.read = () => n } }',
    'set() { Own.write(1) } put() { Own.write(2) } look() { return Own.read() }',
  ),
  of(
    'a variable of a loop',
    'const own = []\nfor (let i = 0; i < 1; i++) { let n = i; own.push((value) => { n = value }, () => n) }',
    'set() { own[0](1) } put() { own[0](2) } look() { return own[1]() }',
  ),
  of(
    'a parameter that is captured',
    'const made = (n) => ({ write: (value) => { n = value }, read: () => n })\nconst own = made(0)',
    'set() { own.write(1) } put() { own.write(2) } look() { return own.read() }',
  ),
  of(
    'the arguments of a function',
    'function made(n) { const own = arguments; return { write: (value) => { own[0] = value }, read: () => own[0] } }\nconst own = made(0)',
    'set() { own.write(1) } put() { own.write(2) } look() { return own.read() }',
  ),
  of(
    'an error that was caught',
    'let kept\ntry { throw Object.assign(new Error("no"), { n: 0 }) } catch (error) { kept = () => error }',
    'set() { kept().n = 1 } put() { kept().n = 2 } look() { return kept().n }',
  ),
  of(
    'the message of an error',
    'const kept = new Error("none")',
    'set() { kept.message = "one" } put() { kept.message = "two" } look() { return kept.message }',
  ),
  of(
    'the stack of an error',
    'const kept = new Error("none")',
    'set() { kept.stack = "one" } put() { kept.stack = "two" } look() { return kept.stack.length < 4 ? kept.stack : "none" }',
  ),
  of(
    'the cause of an error',
    'const kept = new Error("none", { cause: { n: 0 } })',
    'set() { kept.cause.n = 1 } put() { kept.cause.n = 2 } look() { return kept.cause.n }',
  ),
  of(
    'stackTraceLimit',
    '',
    'set() { Error.stackTraceLimit = 11 } put() { Error.stackTraceLimit = 12 } look() { return [11, 12].includes(Error.stackTraceLimit) ? Error.stackTraceLimit : 0 }',
  ),
  of(
    'a generator in a field',
    'function* numbers() { let n = 1; while (true) yield n++ }',
    'kept = numbers(); set() { return this.kept.next().value } put() { return this.kept.next().value } look() { return 0 }',
  ),
  of(
    'a generator of the module',
    'function* numbers() { let n = 1; while (true) yield n++ }\nconst kept = numbers()',
    'set() { return kept.next().value } put() { return kept.next().value } look() { return 0 }',
  ),
  of(
    'an iterator by hand',
    'const numbers = () => { let n = 0; return { next: () => ({ done: false, value: ++n }) } }',
    'kept = numbers(); set() { return this.kept.next().value } put() { return this.kept.next().value } look() { return this.kept.next().value }',
  ),
  of(
    'an iterator of a map, kept by the module',
    "const map = new Map([['a', 1], ['b', 2], ['c', 3], ['d', 4]])\nconst kept = map.values()",
    'set() { return kept.next().value } put() { return kept.next().value } look() { return kept.next().value }',
  ),
  of(
    'an iterator of a map, made by an operation',
    "const map = new Map([['a', 1], ['b', 2], ['c', 3], ['d', 4]])",
    'kept = undefined; set() { this.kept ??= map.values(); return this.kept.next().value } put() { map.delete("b") } look() { this.kept ??= map.values(); return this.kept.next().value ?? 0 }',
  ),
  of(
    'an iterator of an array in a field',
    '',
    'list = [1, 2, 3, 4]; kept = this.list[Symbol.iterator](); set() { return this.kept.next().value } put() { this.list.shift() } look() { return this.kept.next().value ?? 0 }',
  ),
  of(
    'matchAll in a field',
    '',
    "kept = 'a1b2c3'.matchAll(/[0-9]/g); set() { return this.kept.next().value?.[0] ?? '' } put() { return this.kept.next().value?.[0] ?? '' } look() { return this.kept.next().value?.[0] ?? '' }",
  ),
  of(
    'lastIndex of a sticky expression',
    '',
    "kept = /a/y; set() { return this.kept.test('aaab') } put() { return this.kept.test('ab') } look() { return this.kept.lastIndex }",
  ),
  of(
    'lastIndex of a global expression of the module',
    'const kept = /a/g',
    "set() { kept.test('aaab') } put() { kept.exec('xxxa') } look() { return kept.lastIndex }",
  ),
  of(
    'lastIndex by a method of texts',
    'const kept = /a/g',
    "set() { kept.lastIndex = 2 } put() { 'aaa'.replace(kept, 'b') } look() { return kept.lastIndex }",
  ),
  of(
    'lastIndex written',
    '',
    'kept = /a/g; set() { this.kept.lastIndex = 1 } put() { this.kept.lastIndex = 2 } look() { return this.kept.lastIndex }',
  ),
  of(
    'what the last expression matched',
    '',
    "set() { /(a)/.test('a') } put() { /(b)/.test('b') } look() { return ['a', 'b'].includes(RegExp.$1) ? RegExp.$1 : 'none' }",
  ),
  of(
    'compile of an expression',
    'const kept = /a/',
    "set() { kept.compile('b') } put() { kept.compile('c') } look() { return kept.source }",
  ),
  of(
    'a number format',
    '',
    "kept = new Intl.NumberFormat('en'); n = 0; set() { this.n = 1 } put() { this.n = 2 } look() { return this.kept.format(this.n) }",
  ),
  of(
    'a field of a number format',
    "const kept = new Intl.NumberFormat('en')",
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n ?? 0 }',
  ),
  of(
    'segments of a text',
    "const kept = new Intl.Segmenter('en').segment('abc')[Symbol.iterator]()",
    'set() { return kept.next().value?.segment ?? "" } put() { return kept.next().value?.segment ?? "" } look() { return 0 }',
  ),
  of(
    'a buffer that is resized',
    '',
    'kept = new ArrayBuffer(1, { maxByteLength: 8 }); set() { this.kept.resize(2) } put() { this.kept.resize(3) } look() { return this.kept.byteLength }',
  ),
  of(
    'a view that follows its buffer',
    'const buffer = new ArrayBuffer(1, { maxByteLength: 8 }); const kept = new Uint8Array(buffer)',
    'set() { buffer.resize(2) } put() { buffer.resize(3) } look() { return kept.length }',
  ),
  of(
    'a shared buffer that grows',
    '',
    'kept = new SharedArrayBuffer(1, { maxByteLength: 8 }); set() { this.kept.grow(2) } put() { try { this.kept.grow(3) } catch {} } look() { return this.kept.byteLength }',
  ),
  of(
    'a buffer that is transferred',
    '',
    'kept = new ArrayBuffer(4); set() { this.next = this.kept.transfer() } put() { this.next = undefined; try { return new Uint8Array(this.kept).length } catch { return -1 } } look() { return this.kept.byteLength }',
  ),
  of(
    'a buffer that is cloned away',
    '',
    'kept = new ArrayBuffer(4); set() { structuredClone(this.kept, { transfer: [this.kept] }) } put() { } look() { return this.kept.byteLength }',
  ),
  of(
    'a view of data',
    '',
    'kept = new DataView(new ArrayBuffer(2)); set() { this.kept.setInt8(0, 1) } put() { this.kept.setInt8(0, 2) } look() { return this.kept.getInt8(0) }',
  ),
  of(
    'fields of a view',
    '',
    'kept = new Uint8Array(2); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of an array',
    '',
    'kept = [1]; set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a map',
    '',
    'kept = new Map(); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a set',
    '',
    'kept = new Set(); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a date',
    '',
    'kept = new Date(0); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a regular expression',
    '',
    'kept = /a/; set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a promise',
    '',
    'kept = Promise.resolve(1); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of an array buffer',
    '',
    'kept = new ArrayBuffer(1); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return this.kept.n ?? 0 }',
  ),
  of(
    'fields of a boxed number',
    '',
    'kept = new Number(5); set() { this.kept.n = 1 } put() { this.kept.n = 2 } look() { return (this.kept.n ?? 0) + this.kept }',
  ),
  of(
    'boxed values',
    '',
    'kept = Object(0); set() { this.kept = Object(1) } put() { this.kept = Object(2) } look() { return this.kept + 0 }',
  ),
  of(
    'dates',
    '',
    'kept = new Date(0); set() { this.kept = new Date(1) } put() { this.kept = new Date(2) } look() { return this.kept.getTime() }',
  ),
  of(
    'a setter of dates',
    '',
    'kept = new Date(0); set() { this.kept.setTime(1) } put() { this.kept.setTime(2) } look() { return this.kept.getTime() }',
  ),
  of(
    'a setter of dates by another name',
    '',
    'kept = new Date(0); set() { Date.prototype.setTime.call(this.kept, 1) } put() { Reflect.apply(Date.prototype.setTime, this.kept, [2]) } look() { return this.kept.getTime() }',
  ),
  of(
    'a proxy of an object',
    'const target = { n: 0 }\nconst kept = new Proxy(target, {})',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return target.n }',
  ),
  of(
    'a proxy with traps',
    'let n = 0\nconst kept = new Proxy({}, { get: () => n, set: (target, key, value) => { n = value; return true } })',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n }',
  ),
  of(
    'a proxy made by an operation',
    '',
    'o = { n: 0 }; set() { const p = new Proxy(this.o, {}); p.n = 1 } put() { const p = new Proxy(this.o, { set: (t, k, v) => { t[k] = v * 2; return true } }); p.n = 2 } look() { return this.o.n }',
  ),
  of(
    'a proxy that is revoked',
    'const { proxy, revoke } = Proxy.revocable({ n: 5 }, {})',
    'set() { revoke() } put() { return 0 } look() { try { return proxy.n } catch { return "revoked" } }',
  ),
  of(
    'a proxy that hides reads',
    'let n = 0\nconst kept = new Proxy({}, { has: () => n > 0, ownKeys: () => (n > 1 ? ["a"] : []), getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }) })',
    'set() { n = 1 } put() { n = 2 } look() { return String("x" in kept) + Object.keys(kept).length }',
  ),
  of(
    'the object of a tagged template',
    'const tag = (strings) => strings\nconst kept = new Map()\nconst one = () => tag`a`',
    'set() { kept.set(one(), 1) } put() { kept.set(one(), 2) } look() { return kept.get(one()) ?? 0 }',
  ),
  of(
    'a cache by the object of a template',
    'const cache = new Map()\nconst tag = (strings) => { const n = (cache.get(strings) ?? 0) + 1; cache.set(strings, n); return n }',
    'set() { return tag`a` } put() { return tag`a` } look() { return tag`a` + cache.size * 10 }',
  ),
  of(
    'an object of a default parameter',
    'const shared = { n: 0 }\nconst own = (o = shared) => o',
    'set() { own().n = 1 } put() { own().n = 2 } look() { return own().n }',
  ),
  of(
    'a default parameter that counts',
    'let n = 0\nconst next = (value = ++n) => value',
    'set() { return next() } put() { return next() } look() { return next(5) + next() * 10 }',
  ),
  of('an accessor field', '', 'accessor n = 0; set() { this.n = 1 } put() { this.n = 2 } look() { return this.n }'),
  of(
    'a class that extends Array',
    'class List extends Array { extra = 0; top() { return this[this.length - 1] ?? 0 } }',
    'list = new List(); set() { this.list.push(1); this.list.extra = 1 } put() { this.list.push(2) } look() { return this.list.top() * 10 + this.list.extra }',
  ),
  of(
    'private fields of a class that extends Array',
    'class List extends Array { #n = 0; keep(n) { this.#n = n } get kept() { return this.#n } }',
    'list = new List(); set() { this.list.keep(1) } put() { this.list.keep(2) } look() { return this.list.kept }',
  ),
  of(
    'fields of a class that extends Map',
    'class Own extends Map { n = 0; #m = 0; keep(n) { this.n = n; this.#m = n } get kept() { return this.n * 10 + this.#m } }',
    'own = new Own(); set() { this.own.keep(1) } put() { this.own.keep(2) } look() { return this.own.kept }',
  ),
  of(
    'methods of a class that extends Map',
    'class Own extends Map { n = 0; set(key, value) { this.n = (this.n ?? 0) + 1; return super.set(key, value) } }',
    "own = new Own(); set() { this.own.set('a', 1) } put() { this.own.set('a', 2) } look() { return (this.own.get('a') ?? 0) * 10 + this.own.n }",
  ),
  of(
    'a class that extends Set',
    'class Own extends Set { n = 0; add(value) { this.n = value; return super.add(value) } }',
    'own = new Own(); set() { this.own.add(1) } put() { this.own.add(2) } look() { return [...this.own].join() + this.own.n }',
  ),
  of(
    'a class that extends Promise',
    'class Own extends Promise { n = 0 }',
    'own = Own.resolve(1); set() { this.own.n = 1 } put() { this.own.n = 2 } look() { return this.own.n }',
  ),
  of(
    'a class that extends Date',
    'class Own extends Date { n = 0 }',
    'own = new Own(0); set() { this.own.n = 1 } put() { this.own.n = 2 } look() { return this.own.n }',
  ),
  of(
    'a class that extends Error',
    'class Own extends Error { n = 0 }',
    'own = new Own("x"); set() { this.own.n = 1 } put() { this.own.n = 2 } look() { return this.own.n }',
  ),
  of(
    'a class that extends RegExp',
    'class Own extends RegExp { n = 0 }',
    'own = new Own("a", "g"); set() { this.own.n = 1 } put() { this.own.test("aa") } look() { return this.own.n * 10 + this.own.lastIndex }',
  ),
  of(
    'a class that extends Uint8Array',
    'class Own extends Uint8Array { n = 0 }',
    'own = new Own(1); set() { this.own.n = 1; this.own[0] = 1 } put() { this.own.n = 2 } look() { return this.own.n * 10 + this.own[0] }',
  ),
  of(
    'a class that extends Function',
    'class Own extends Function { n = 0 }',
    'own = new Own("return 5"); set() { this.own.n = 1 } put() { this.own.n = 2 } look() { return this.own.n }',
  ),
  of(
    'a class that extends null',
    'class Own extends null { static n = 0 }',
    'set() { Own.n = 1 } put() { Own.n = 2 } look() { return Own.n }',
  ),
  of(
    'a map with objects for keys',
    'const one = {}; const two = {}\nconst kept = new Map([[one, 0], [two, 0]])',
    'set() { kept.set(one, 1) } put() { kept.delete(one); kept.set(one, 2) } look() { return [...kept.values()].join() }',
  ),
  of(
    'the order of keys',
    'const kept = {}',
    "set() { kept.a = 1 } put() { kept.b = 1 } look() { return Object.keys(kept).join('') }",
  ),
  of(
    'holes of arrays',
    'const kept = [0, 0]',
    'set() { delete kept[0] } put() { kept[0] = undefined } look() { return 0 in kept }',
  ),
  of('numbers that look alike', 'let kept = 1', 'set() { kept = 0 } put() { kept = -0 } look() { return 1 / kept }'),
  of('texts and numbers', 'let kept', "set() { kept = 1 } put() { kept = '1' } look() { return typeof kept }"),
  of('large integers', 'let kept = 0n', 'set() { kept = 1n } put() { kept += 2n } look() { return String(kept) }'),
  of(
    'an object without a prototype',
    'const kept = Object.create(null)',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n ?? 0 }',
  ),
  of(
    'a setter of a literal',
    'const kept = { m: 0, set n(value) { this.m = value }, get n() { return this.m } }',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.n }',
  ),
  of(
    'an inherited setter',
    'class Base { m = 0; set n(value) { this.m = value } get n() { return this.m } }\nclass Sub extends Base {}\nconst kept = new Sub()',
    'set() { kept.n = 1 } put() { Reflect.set(kept, "n", 2) } look() { return Reflect.get(kept, "n") }',
  ),
  of(
    'super properties',
    'class Base { tell() { return this.n } }\nclass Sub extends Base { n = 0; tell() { return super.tell() + 10 } }\nconst kept = new Sub()',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return kept.tell() }',
  ),
  of(
    'toString that reads',
    'const kept = { n: 0, toString() { return String(this.n) } }',
    'set() { kept.n = 1 } put() { kept.n = 2 } look() { return "" + kept }',
  ),
  of(
    'valueOf that counts',
    'const kept = { n: 0, valueOf() { return ++this.n } }',
    'set() { return kept + 0 } put() { return kept + 0 } look() { return kept.n }',
  ),
  of(
    'Symbol.toPrimitive that counts',
    'let n = 0\nconst kept = { [Symbol.toPrimitive]() { return ++n } }',
    'set() { return kept * 1 } put() { return kept * 1 } look() { return n }',
  ),
  of(
    'toJSON that counts',
    'let n = 0\nconst kept = { toJSON() { return ++n } }',
    'set() { return JSON.stringify(kept) } put() { return JSON.stringify([kept]) } look() { return n }',
  ),
  of(
    'instanceof that counts',
    'let n = 0\nclass Own { static [Symbol.hasInstance]() { n++; return true } }',
    'set() { return {} instanceof Own } put() { return 1 instanceof Own } look() { return n }',
  ),
  of(
    'a species that counts',
    'let n = 0\nclass Own extends Array { static get [Symbol.species]() { n++; return Array } }',
    'own = Own.of(1, 2); set() { return this.own.map((x) => x).length } put() { return this.own.filter(() => true).length } look() { return n }',
  ),
  of(
    'a comparison that counts',
    'let n = 0',
    'set() { [3, 2].sort((a, b) => { n = 1; return a - b }) } put() { [3, 2].toSorted((a, b) => { n = 2; return a - b }) } look() { return n }',
  ),
  of(
    'a replacer that counts',
    'let n = 0',
    "set() { 'aa'.replace(/a/g, () => { n = 1; return '' }) } put() { 'aa'.replaceAll('a', () => { n = 2; return '' }) } look() { return n }",
  ),
  of(
    'a reviver that counts',
    'let n = 0',
    "set() { JSON.parse('[1]', (key, value) => { n = 1; return value }) } put() { JSON.stringify([1], (key, value) => { n = 2; return value }) } look() { return n }",
  ),
  of(
    'a getter that counts, natively',
    'let n = 0\nconst kept = { get a() { return ++n } }',
    'set() { return Object.values(kept)[0] } put() { return { ...kept }.a } look() { return n }',
  ),
  of('eval of a variable', 'let n = 0', "set() { eval('n = 1') } put() { eval('n = 2') } look() { return n }"),
  of(
    'indirect eval',
    'globalThis.hiddenStateThree = 0',
    "set() { (0, eval)('hiddenStateThree = 1') } put() { (0, eval)('hiddenStateThree = 2') } look() { return (0, eval)('hiddenStateThree') }",
  ),
  of(
    'new Function',
    "const kept = new Function('o', 'n', 'o.n = n')\nconst o = { n: 0 }",
    'set() { kept(o, 1) } put() { kept(o, 2) } look() { return o.n }',
  ),
  of(
    'a function with state made by new Function',
    "const kept = new Function('let n = 0; return { write(v) { n = v }, read() { return n } }')()",
    'set() { kept.write(1) } put() { kept.write(2) } look() { return kept.read() }',
  ),
  of(
    'environment variables',
    '',
    "set() { process.env.HIDDEN_STATE = '1' } put() { process.env.HIDDEN_STATE = '2' } look() { return process.env.HIDDEN_STATE ?? '0' }",
  ),
  of(
    'fields of process',
    '',
    'set() { process.hiddenState = 1 } put() { process.hiddenState = 2 } look() { return process.hiddenState ?? 0 }',
  ),
  of(
    'the exit code',
    '',
    'set() { process.exitCode = 0 } put() { process.exitCode = undefined } look() { return process.exitCode ?? 9 }',
  ),
  of(
    'the title',
    '',
    "set() { process.title = 'one' } put() { process.title = 'two' } look() { return ['one', 'two'].includes(process.title) ? process.title : 'none' }",
  ),
  of(
    'fields of console',
    '',
    'set() { console.hiddenState = 1 } put() { console.hiddenState = 2 } look() { return console.hiddenState ?? 0 }',
  ),
  of(
    'counts of console',
    '',
    'set() { console.countReset("x") } put() { console.countReset("x") } look() { return 1 }',
  ),
  of(
    'a text decoder that streams',
    'const kept = new TextDecoder()',
    'set() { return kept.decode(new Uint8Array([0xc3]), { stream: true }) } put() { return kept.decode(new Uint8Array([0xa9]), { stream: true }) } look() { return 0 }',
  ),
  of(
    'search parameters',
    "const kept = new URLSearchParams('n=0')",
    "set() { kept.set('n', '1') } put() { kept.set('n', '2') } look() { return kept.get('n') }",
  ),
  of(
    'an abort signal',
    'const kept = new AbortController()',
    'set() { kept.abort() } put() { } look() { return kept.signal.aborted }',
  ),
  of(
    'static fields of a class that only an instance knows',
    'const make = () => class Own { static n = 0; bump(n) { Own.n = n } read() { return Own.n } }',
    'own = new (make())(); set() { this.own.bump(1) } put() { this.own.bump(2) } look() { return this.own.read() }',
  ),
  of(
    'private static fields of a class that only an instance knows',
    'const make = () => class Own { static #n = 0; bump(n) { Own.#n = n } read() { return Own.#n } }',
    'own = new (make())(); set() { this.own.bump(1) } put() { this.own.bump(2) } look() { return this.own.read() }',
  ),
  of(
    'static fields by the constructor',
    'const make = () => class Own { static n = 0; bump(n) { this.constructor.n = n } read() { return this.constructor.n } }',
    'own = new (make())(); set() { this.own.bump(1) } put() { this.own.bump(2) } look() { return this.own.read() }',
  ),
  of(
    'a prototype that only its heir knows',
    '',
    'own = Object.create({ n: 0 }); set() { Object.getPrototypeOf(this.own).n = 1 } put() { Object.getPrototypeOf(this.own).n = 2 } look() { return this.own.n }',
  ),
  of(
    'a prototype of a literal',
    'const base = { n: 0 }\nconst heir = { __proto__: base }',
    'set() { base.n = 1 } put() { base.n = 2 } look() { return heir.n }',
  ),
  of(
    'a method in a field that is replaced',
    '',
    'act = () => 0; set() { this.act = () => 1 } put() { this.act = () => 2 } look() { return this.act() }',
  ),
  of(
    'a method in a private field that is replaced',
    '',
    '#act = () => 0; set() { this.#act = () => 1 } put() { this.#act = () => 2 } look() { return this.#act() }',
  ),
  of(
    'private accessors',
    '',
    '#n = 0; get #m() { return this.#n } set #m(n) { this.#n = n } set() { this.#m = 1 } put() { this.#m += 2 } look() { return this.#m }',
  ),
  of(
    'objects that are returned',
    'class Money { #n; constructor(n) { this.#n = n } add(n) { this.#n += n } get n() { return this.#n } }',
    'm = new Money(0); set() { this.m.add(1) } put() { this.m.add(10) } look() { return this.m.n }',
  ),
  of(
    'an object made at once by two',
    'let shared\nclass Once { n = 0; constructor() { if (shared) return shared; shared = this } }',
    'set() { new Once().n = 1 } put() { new Once().n += 2 } look() { return new Once().n }',
  ),
  of(
    'a constructor that goes on with an object of before',
    'const shared = { n: 0 }\nclass Base { constructor() { return shared } }\nclass Sub extends Base { constructor(n) { super(); this.n += n } }',
    'set() { new Sub(1) } put() { new Sub(2) } look() { return shared.n }',
  ),
  of(
    'a function as a constructor that gives an object of before',
    'const shared = { n: 0 }\nfunction Base() { return shared }\nclass Sub extends Base { m = 1; constructor(n) { super(); this.n += n } }',
    'set() { new Sub(1) } put() { new Sub(2) } look() { return shared.n + (shared.m ?? 0) * 10 }',
  ),
  of(
    'a function as a constructor',
    'function Own(n) { this.n = n }\nOwn.prototype.add = function (n) { this.n += n }',
    'own = new Own(0); set() { this.own.add(1) } put() { this.own.add(2) } look() { return this.own.n }',
  ),
  of(
    'Reflect.construct with another class',
    'class Base { n = 0 }\nclass Other { read() { return this.n } }',
    'own = Reflect.construct(Base, [], Other); set() { this.own.n = 1 } put() { this.own.n += 2 } look() { return this.own.read() }',
  ),
  of(
    'a bound function',
    'const o = { n: 0 }\nfunction add(n) { this.n += n }\nconst bound = add.bind(o, 1)',
    'set() { bound() } put() { bound() } look() { return o.n }',
  ),
  of(
    'a bound method made by an operation',
    '',
    'n = 0; add(n) { this.n += n } set() { const add = this.add.bind(this, 1); this.later = add } put() { this.later?.() } look() { return this.n }',
  ),
  of(
    'call and apply',
    'const o = { n: 0 }\nfunction add(n) { this.n += n }',
    'set() { add.call(o, 1) } put() { add.apply(o, [2]) } look() { return o.n }',
  ),
  of(
    'the arguments of a call',
    'const o = { n: 0 }\nfunction add() { o.n += arguments.length }',
    'set() { add(1) } put() { add(1, 2) } look() { return o.n }',
  ),
  of(
    'assigning with spread and rest',
    'const o = { n: 0, m: 0 }',
    'set() { Object.assign(o, { n: 1 }) } put() { const { n, ...rest } = o; Object.assign(o, { ...rest, n: n + 2 }) } look() { return o.n }',
  ),
  of(
    'an iterator of its own class',
    'class Own { list = [1, 2]; *[Symbol.iterator]() { yield* this.list } }',
    'own = new Own(); set() { this.own.list.push(3) } put() { this.own.list.shift() } look() { return [...this.own].join() }',
  ),
  of(
    'an iterable written out',
    'class Own { list = [1, 2]; [Symbol.iterator]() { let at = 0; return { next: () => (at < this.list.length ? { done: false, value: this.list[at++] } : { done: true }) } } }',
    'own = new Own(); set() { this.own.list.push(3) } put() { this.own.list.shift() } look() { return [...this.own].join() }',
  ),
  of(
    'Object.freeze and what cannot be written then',
    'const o = { n: 0 }',
    'set() { try { o.n = 1 } catch { return "frozen" } } put() { Object.freeze(o) } look() { return o.n }',
  ),
  of(
    'objects frozen from the beginning',
    'const o = Object.freeze({ n: 0 })',
    'set() { try { o.n = 1; return "written" } catch { return "frozen" } } put() { return Object.isFrozen(o) } look() { return o.n }',
  ),
  of(
    'a sealed array',
    'const list = Object.seal([1])',
    'set() { try { list.push(2); return "pushed" } catch { return "sealed" } } put() { list[0] = 5 } look() { return list.join() }',
  ),
  of(
    'an enumerable getter of the class',
    'class Own { m = 0; get n() { return this.m } }',
    'own = new Own(); set() { this.own.m = 1 } put() { try { this.own.n = 2; return "written" } catch { return "refused" } } look() { return this.own.n }',
  ),
  of(
    'array methods that change',
    '',
    'list = [3, 1, 2]; set() { this.list.sort() } put() { this.list.splice(0, 1) } look() { return this.list.join() }',
  ),
  of(
    'array length',
    '',
    'list = [3, 1, 2]; set() { this.list.length = 1 } put() { this.list.length = 2 } look() { return this.list.length + this.list.join() }',
  ),
  of(
    'copyWithin and fill of views',
    '',
    'list = new Uint8Array([1, 2, 3]); set() { this.list.fill(7, 1) } put() { this.list.copyWithin(0, 1) } look() { return [...this.list].join() }',
  ),
  of(
    'two views of one buffer',
    'const buffer = new ArrayBuffer(4); const bytes = new Uint8Array(buffer); const words = new Uint16Array(buffer)',
    'set() { bytes[0] = 1 } put() { words[0] = 512 } look() { return bytes[0] + bytes[1] * 10 }',
  ),
  of(
    'labels of a WeakRef that is made by an operation',
    'const o = { n: 0 }',
    'kept = undefined; set() { this.kept = new WeakRef(o) } put() { this.kept = undefined } look() { return this.kept?.deref()?.n ?? -1 }',
  ),
  of(
    'AggregateError',
    'const kept = new AggregateError([{ n: 0 }], "x")',
    'set() { kept.errors[0].n = 1 } put() { kept.errors[0].n = 2 } look() { return kept.errors[0].n }',
  ),
  of(
    'BigInt64Array',
    '',
    'list = new BigInt64Array(1); set() { this.list[0] = 1n } put() { this.list[0] += 2n } look() { return String(this.list[0]) }',
  ),
  of(
    'a Buffer of Node',
    'const kept = Buffer.from("ab")',
    'set() { kept[0] = 99 } put() { kept.write("z", 1) } look() { return kept.toString() }',
  ),
  of(
    'an emitter',
    "import { EventEmitter } from 'node:events'\nconst kept = new EventEmitter()\nlet n = 0\nkept.on('n', (value) => { n = value })",
    "set() { kept.emit('n', 1) } put() { kept.emit('n', 2) } look() { return n }",
  ),
]
