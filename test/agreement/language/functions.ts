/** Functions and classes, in every form in which they can be written. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets are text
import { family, type Snippet } from './snippet.ts'

/** Each form defines `f`; those of classes leave the instance in `self`. */
const functionForms: Readonly<Record<string, string>> = {
  'async declaration': 'async function f(a, b) { return a }',
  'async declaration, called before it': 'log(typeof f); log(await f(1)); async function f(a) { return a }',
  'async declaration in a block': 'let f; { f = g; async function g(a, b = 1) { return a } }',
  'async declaration in a case':
    'let f; switch (2) { case 1: f = 0; case 2: f = g; break; case 3: async function g(a) { return a } }',
  'async declaration twice': 'async function f() { return 1 } async function f(a) { return a }',
  'async declaration of a parameter':
    'const o = function (f) { async function f(a) { return a } return f }; const f = o(3)',
  'async expression': 'const f = async function (a) { return a }',
  'async expression with its name': 'const f = async function g(a, n = 1) { return n ? g(a, n - 1) : a }',
  'async arrow': 'const f = async (a, b, ...c) => a',
  'async arrow without parentheses': 'const f = async a => a',
  'async arrow in brackets': 'const f = (((async (a) => a)))',
  'async method': 'class C { async m(a, { b } = {}) { return a } } const f = new C().m',
  'static async method': 'class C { static async m(a) { return a } } const f = C.m',
  'private async method': 'class C { async #m(a) { return a } get m() { return this.#m } } const f = new C().m',
  'static private async method':
    'class C { static async #m(a) { return a } static m() { return this.#m } } const f = C.m()',
  'async method with a name of text': "class C { async 'a b'(a) { return a } } const f = new C()['a b']",
  'async field': 'class C { f = async (a) => a } const { f } = new C()',
  'async method of a literal': 'const { f } = { async f(a, b) { return a } }',
  'async property of a literal': 'const { f } = { f: async (a) => a }',
  'async default value': 'const { f = async (a) => a } = {}',
  'async generator declaration': 'async function* f(a) { yield a }',
  'async generator expression': 'const f = async function* (a, b) { yield a }',
  'async generator method': 'class C { async *m(a) { yield a } } const f = new C().m',
  'async generator of a literal': 'const { f } = { async *f(a) { yield a } }',
  'generator declaration': 'function* f(a) { yield a }',
  'generator method': 'class C { *m(a) { yield a } } const f = new C().m',
  declaration: 'function f(a, b) { return a }',
  expression: 'const f = function (a) { return a }',
  arrow: 'const f = (a) => a',
  method: 'class C { m(a) { return a } } const f = new C().m',
  'method of a literal': 'const { f } = { f(a) { return a } }',
  class: 'class f { constructor(a) { this.a = a } }',
  'class expression': 'const f = class { static s = 1 }',
  'bound async function': 'async function g(a, b) { return a } const f = g.bind(null, 1)',
}

const functionProbes: Readonly<Record<string, string>> = {
  'what it is':
    'log(f.constructor.name, Object.prototype.toString.call(f), typeof f, Object.getPrototypeOf(f).constructor.name)',
  'what the host says': 'log(types.isAsyncFunction(f), types.isGeneratorFunction(f), types.isProxy(f))',
  'instance of':
    'const A = (async () => {}).constructor, G = (async function* () {}).constructor; log(f instanceof A, f instanceof G, f instanceof Function, Object.getPrototypeOf(f) === A.prototype, A.name, G.name, A.length, G.length)',
  'name and length':
    'log(f.name, f.length, Object.getOwnPropertyNames(f), Object.getOwnPropertyDescriptor(f, "name"), Object.getOwnPropertyDescriptor(f, "length"), Object.keys(f), Object.getOwnPropertySymbols(f).length)',
  prototype:
    'log(Object.hasOwn(f, "prototype"), "prototype" in f, typeof f.prototype, f.prototype?.constructor === f, Object.getOwnPropertyDescriptor(f, "prototype")?.writable)',
  constructed: 'try { log(typeof new f(1)) } catch (e) { log(e) }',
  called:
    'let r; try { r = f(7) } catch (e) { log(e) } log(typeof r, r instanceof Promise, Object.prototype.toString.call(r)); log(await r)',
  'as a value':
    'log(JSON.stringify({ f, a: [f] }), f === f, new Map([[f, 1]]).get(f), `${typeof f}`); f.extra = 1; log(f.extra, Object.keys(f)); try { structuredClone(f) } catch (e) { log(e.name) }',
}

const classSnippets: readonly Snippet[] = [
  ...family(
    'members',
    'class C { $1 } const c = new C(); $2',
    [
      'a = 1; b = this.a + 1; #c = 3; get c() { return this.#c } set c(v) { this.#c = v }',
      'static a = 1; static #b = 2; static get b() { return C.#b } static { C.d = C.#b + 1 } a = C.d; get c() { return 4 }',
      "'a' = 1; 2 = 3; ['x' + 1] = 4; get c() { return this[2] } set c(v) { this[2] = v }",
      'a; #m() { return this.a } c = this.#m(); b = () => this.a',
      '#a = 1; has(o) { return #a in o } c = this.has(this) && !this.has({})',
    ],
    [
      'log(c, JSON.stringify(c), Object.keys(c), Object.getOwnPropertyNames(C.prototype))',
      'try { c.c = 9 } catch (e) { log(e) } log(c.c, { ...c }, Object.entries(c))',
      'log(Object.getOwnPropertyNames(C), C.name, C.length, c.constructor === C, c instanceof C, typeof C.prototype)',
      'for (const k in c) log(k, typeof c[k]); log(Object.isExtensible(c), Reflect.ownKeys(c))',
    ],
  ),
  ...family(
    'inheritance',
    'class A { constructor(x) { this.x = x; this.t = new.target.name } m() { return "A" + this.x } static s() { return "s" + this.name } get g() { return 1 } async n() { return this.m() } } class B extends A { $1 } $2',
    [
      'm() { return super.m() + "B" }',
      'constructor() { super(5); this.y = super.m() } get g() { return super.g + 1 }',
      'static s() { return super.s() + "B" } async n() { return "B" + await super.n() }',
      'f = () => super.m(); z = this.x',
      'constructor(x) { if (x > 1) return { odd: true }; super(x) }',
      'async n() { const inner = async () => super.m(); return await inner() }',
    ],
    [
      'const b = new B(1); log(b, b.m(), b.g, B.s(), await b.n(), b instanceof A, Object.getPrototypeOf(B) === A)',
      'const b = Reflect.construct(A, [2], B); log(b.t, b instanceof B, b.m(), Object.keys(b))',
      'log(B.prototype instanceof A, B.length, B.name, new B(2).t, `${Object.keys(new B(2))}`)',
    ],
  ),
  ...family('mistakes of classes', 'try { $1 } catch (e) { log(e, e instanceof Error, e.name) }', [
    'class A { constructor() { } } A()',
    'class A {} class B extends A { constructor() { } } new B()',
    'class A { #x; static f(o) { return o.#x } } A.f({})',
    'class A { #m() {} static f(o) { return o.#m() } } A.f({})',
    'class A { #m() {} f() { this.#m = 1 } } new A().f()',
    'class A { get x() { return 1 } } const a = new A(); a.x = 2',
    'class A extends null { } new A()',
    'class A extends undefined { }',
    'const x = class { static y = x }',
    'new (class { m() {} }).prototype.m()',
    'new (() => {})()',
    'class E extends Error { constructor(m) { super(m); this.name = "E"; this.code = 7 } } throw new E("own")',
    'class E extends TypeError { } const e = new E("t", { cause: 5 }); log(e.cause, e.name, Object.keys(e), e instanceof E, e instanceof TypeError, String(e)); throw e',
  ]),
  ...family(
    'subclass of',
    'class S extends $1 { own() { return 1 } } const s = new S($2); log(s.own(), s instanceof S, s instanceof $1, Object.prototype.toString.call(s), s.constructor.name, JSON.stringify(s), s.length, s.size)',
    ['Array', 'Map', 'Set', 'Error', 'Object', 'Uint8Array'],
    ['', '2'],
  ),
]

export const functionSnippets: readonly Snippet[] = [
  ...family('function', '$1; $2', functionForms, functionProbes),
  ...classSnippets,
]
