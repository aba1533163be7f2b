/** Programs that use the constructs of the language, each with a `main` whose result shows whether they work. */

export interface Snippet {
  readonly name: string
  readonly source: string
}

const table: { readonly [name: string]: string } = {
  'fields and methods': `
    class Stack { range = 0; items: (number | null)[] = []
      push(x: number) { const i = this.range++
        this.items[i] = x }
      pop() { if (this.range === 0) return null
        this.range -= 1
        return this.items[this.range] }
    }
    export function main() { const s = new Stack(); s.push(3); s.push(4); return [s.pop(), s.pop(), s.pop(), s] }`,
  'helper methods and recursion': `
    class Tree { left: Tree | null = null; right: Tree | null = null; constructor(readonly key: number) {}
      insert(key: number): void { if (key < this.key) { if (this.left) this.left.insert(key); else this.left = new Tree(key) }
        else if (this.right) this.right.insert(key); else this.right = new Tree(key) }
      list(): number[] { return [...(this.left?.list() ?? []), this.key, ...(this.right?.list() ?? [])] }
    }
    export function main() { const t = new Tree(5); for (const k of [3, 8, 1, 4, 9]) t.insert(k); return t.list() }`,
  'while, do and for loops': `
    class C { n = 0; log: string[] = []
      m() { while (this.n < 3) this.n++
        do { this.log.push('d' + this.n); this.n-- } while (this.n > 0)
        for (let i = 0, j = 10; i < j; i += 3, j -= this.n + 1) this.log.push(i + ':' + j)
        for (;;) { if (this.n++ > 2) break; else continue }
        return [this.log, this.n] } }
    export function main() { return new C().m() }`,
  'labelled break and continue': `
    class C { grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
      m() { const seen: number[] = []
        outer: for (const row of this.grid) {
          inner: for (let i = 0; i < row.length; i++) {
            if (row[i] === 2) continue outer
            if (row[i] === 5) continue inner
            if (row[i] === 8) break outer
            seen.push(row[i])
          }
        }
        block: { seen.push(100); if (seen.length > 2) break block; seen.push(200) }
        here: if (this.grid) { seen.push(300); if (seen.length > 1) break here; seen.push(400) }
        return seen } }
    export function main() { return new C().m() }`,
  'switch with fall through, default in the middle and declarations': `
    class C { k = 0
      m(x: number) { const out: unknown[] = []
        switch (x) {
          case this.k: out.push('zero')
          case 1: out.push('one'); break
          default: out.push('default')
          case 2: { out.push('two'); break }
          case 3: let y = this.k; out.push(y); y = 7; out.push(() => y)
          case 4: out.push(x); const inner = () => 'inner'; out.push(inner())
        }
        return out.map((one) => typeof one === 'function' ? one() : one) }
    }
    export function main() { const c = new C(); return [0, 1, 2, 3, 4, 5].map((x) => c.m(x)) }`,
  'switch whose value has the name of a variable in it': `
    class C { m(x: number) { switch (x + 1) { case 2: { return 'two' } case 3: const x = 5; return x } return 'none' } }
    export function main() { const c = new C(); return [c.m(1), c.m(2), c.m(3)] }`,
  'try, catch and finally': `
    class C { log: unknown[] = []
      fail(x: number) { this.log.push('fail' + x); if (x > 1) throw new Error('e' + x); return x }
      m(x: number) { try { this.log.push('try'); this.fail(x); return 'ok' }
        catch (e) { this.log.push((e as Error).message); if (x > 2) throw e; return 'caught' }
        finally { this.log.push('finally') } }
      n(x: number) { for (let i = 0; i < 3; i++) { try { if (i === x) continue; if (i > x) break; this.log.push(i) } finally { this.log.push('f' + i) } }
        return 'end' }
      o() { try { throw { code: 5, info: { text: 'hi' } } } catch ({ code, info: { text = 'none', more = this.log.length } }) { return [code, text, more] } }
      p() { try { return this.log.length } finally { this.log.push('after') } }
      q() { try { try { this.fail(5) } finally { this.log.push('inner') } } catch { return 'outer' } finally { this.log.push('last') } }
      r() { try { return 'lost' } finally { return this.log.length } }
      s() { out: try { this.log.push('s'); break out } finally { this.log.push('left') } return 's' }
    }
    export function main() { const c = new C(); const r: unknown[] = []
      for (const x of [1, 2, 3]) try { r.push(c.m(x)) } catch (e) { r.push((e as Error).message) }
      return [r, c.n(1), c.n(0), c.o(), c.p(), c.q(), c.r(), c.s(), c.log] }`,
  'finally without operations': `
    class C { x = 1; m() { let t = 0; try { t = this.x; return t } finally { t = 5 } } n() { let t = 0; for (;;) { try { t += this.x; if (t > 3) break } finally { t++ } } return t } }
    export function main() { const c = new C(); return [c.m(), c.n()] }`,
  'jumps through nested finally blocks': `
    class C { log: string[] = []
      m() { a: for (let i = 0; i < 4; i++) { for (let j = 0; j < 4; j++) {
          try { try { if (j === 1) continue a; if (i === 2) break a; this.log.push(i + '.' + j) } finally { this.log.push('x' + j) } } finally { this.log.push('y' + i) } } }
        return this.log }
      n() { for (const v of [1, 2, 3]) { try { try { if (v === 2) return 'r' + v } finally { this.log.push('p' + v) } } finally { this.log.push('q' + v) } } return 'no' } }
    export function main() { const c = new C(); return [c.m(), c.n(), c.log] }`,
  'closures over variables that change': `
    class C { base = 10
      counter() { let n = this.base; return { up: () => ++n, down: () => --n, get now() { return n }, set now(v) { n = v } } }
      m() { const c = this.counter(), d = this.counter(); c.up(); c.up(); d.down(); c.now += 5; return [c.now, d.now] }
      fold(list: number[]) { let sum = 0; list.forEach((x) => { sum += x * this.base }); return sum }
      swap() { let a = 1, b = 2; const f = () => { [a, b] = [b, a] }; f(); return [a, b] }
      param(x: number) { const bump = () => { x++ }; bump(); bump(); return x }
      all() { let x = 1, y; const f = () => { x *= 3; x **= 2; y ??= x; y ||= 5; y &&= 6; return [x--, --x, x++, ++x] }; return [f(), x, y] } }
    export function main() { const c = new C(); return [c.m(), c.fold([1, 2, 3]), c.swap(), c.param(5), c.all()] }`,
  'loop variables captured in each round': `
    class C { m() { const fs: (() => number)[] = []
        for (let i = 0; i < 3; i++) fs.push(() => i)
        for (let i = 0; i < 4; i++) { fs.push(() => i * 10); if (i === 1) continue; i++ }
        for (const k of [7, 8]) fs.push(() => k)
        for (let k of [1, 2]) { fs.push(() => k); k += 5 }
        for (let k in { a: 1, b: 2 }) fs.push(() => k as never)
        let n = 0; while (n < 2) { const here = n; let there = n; fs.push(() => here + there); there = 50; n++ }
        for (let i = 0, inc = () => i; ; ) { fs.push(inc); break }
        return fs.map((f) => f()) } }
    export function main() { return new C().m() }`,
  'getters and setters': `
    class Temp { #c = 0; static unit = 'C'
      get f() { return this.#c * 9 / 5 + 32 } set f(v: number) { this.#c = (v - 32) * 5 / 9 }
      get self() { return this } static get label() { return Temp.unit } static set label(v) { Temp.unit = v }
      get ['computed']() { return 'yes' } get 'quoted key'() { return 1 } }
    class Sub extends Temp { override get f() { return super.f + 1 } override set f(v: number) { this.self.self; Temp.label = 'x' + v } }
    export function main() { const t = new Temp(); t.f = 212; t.f += 18; const r: unknown[] = [t.f, t.self === t, Temp.label, t.computed, t['quoted key']]
      Temp.label = 'K'; const s = new Sub(); r.push(s.f, Temp.label); s.f = 3; r.push(s.f, Temp.label, t.f++, t.f); return r }`,
  'private members': `
    class Account { #balance = 0; static #count = 0; #log: string[] = []
      constructor(start: number) { this.#balance = start; Account.#count++ }
      #note(text: string) { this.#log.push(text); return this }
      get #double() { return this.#balance * 2 } set #double(v) { this.#balance = v / 2 }
      static #make(n: number) { return new Account(n) }
      static is(o: object) { return #balance in o }
      add(n: number) { this.#balance += n; this.#note('add ' + n).#note('done'); this.#double += 10; return this.#balance++ }
      static test() { const a = Account.#make(5); a.add(3); return [a.#balance, a.#log, Account.#count, Account.is(a), Account.is({}), a?.#balance, a.#log?.[0], a.#note?.('x') === a] } }
    class Other { #balance = 'other'; get() { return this.#balance } }
    export function main() { return [Account.test(), new Other().get()] }`,
  'private members, where they are missing': `
    class Account { #balance = 0; #unset; get #read() { return this.#balance } set #write(v) { this.#balance = v } #act() { return 1 }
      static attempt(f: () => unknown) { try { return f() } catch (error) { return error instanceof TypeError } }
      static has(o: any) { return [#balance in o, #read in o, #act in o, #unset in o] }
      static test(other: any) { const a = new Account(); const seen: unknown[] = []; const note = () => seen.push('seen') && 2
        return [Account.attempt(() => other.#balance), Account.attempt(() => { other.#balance = note() }), Account.attempt(() => { other.#balance += note() }),
          Account.attempt(() => other.#act(note())), Account.attempt(() => other.#read), Account.attempt(() => { other.#write = note() }),
          Account.attempt(() => a.#write), Account.attempt(() => { (a as any).#read = note() }), Account.attempt(() => { (a as any).#act = 1 }),
          seen, a.#unset, a.#act === a.#act, (a.#write = 7), a.#balance] } }
    export function main() { const heir = Object.create(new (Account as any)())
      return [Account.test({}), Account.test(heir), Account.has({}), Account.has(heir), Account.has(new Account())] }`,
  'private members in every position': `
    class Box { #n = 1; #f = (x: number) => x + this.#n; #t = (s: TemplateStringsArray, x: number) => s.raw[0] + x; #inner?: Box; static #made = 0; static #make() { Box.#made++; return new Box() }
      static get #all() { return Box.#made } static set #all(v) { Box.#made = v } #tag(s: TemplateStringsArray) { return s[0] + this.#n }
      constructor(depth = 0) { [this.#n] = [3]; ({ a: this.#n } = { a: this.#n + 1 }); this.#n++; this.#f(1); this.#inner?.#f(2); if (depth > 0) this.#inner = new Box(depth - 1); this.#tag\`x\` }
      at(i: number) { return this.#inner?.#f?.(i) ?? this.#inner?.#n ?? -1 }
      static test() { const b = new Box(1); const r: unknown[] = [b.#n, b.#f(1), b.at(4), b.#tag\`t\`, b.#t\`q\${2}\`, b.#inner!.#tag\`u\`];
        [b.#n, b.#inner!.#n] = [5, 6]; ({ x: b.#n = 9, ...b.#n } = { x: 1, y: 2 } as any); r.push(b.#n, b.#inner!.#n); b.#n = 2; b.#n **= 3; b.#n ||= 1; b.#inner ??= new Box(); b.#n &&= 4
        r.push(b.#n--, --b.#n, Box.#all++, Box.#all, (Box.#all += 5)); for (b.#n of [7, 8]) r.push(b.#n); for (const key in b) r.push(key); Box.#make(); r.push(Box.#made, Object.keys(b), JSON.stringify(b), { ...b })
        class Inner { #n = 'inner'; both(o: Box) { return [this.#n, o.#f(0)] } } r.push(new Inner().both(b)); return r } }
    export function main() { return Box.test() }`,
  'private members of classes made several times': `
    const made = (Base: any) => class extends Base { #n = 0; static is(o: any) { return #n in o } bump() { return ++this.#n + (super.bump?.() ?? 0) * 10 } }
    export function main() { const A = made(Object); const B = made(A); const a = new A(); const b = new B()
      return [b.bump(), b.bump(), a.bump(), A.is(b), B.is(a), A.is(a)] }`,
  'inheritance and super': `
    class Base { list: string[] = []; constructor(public name: string) { this.init() } init() { this.list.push('base init') }
      hello(greeting = 'hi') { return greeting + ' ' + this.name } static create(n: string) { return new this(n) } get kind() { return 'base' } }
    class Mid extends Base { extra = 1; override init() { super.init(); this.list.push('mid init') }
      override hello(g?: string) { return super.hello(g) + '!' + super.kind + super['hello']('x') } static override create(n: string) { return super.create(n + n) } }
    class Leaf extends Mid { constructor(n: string, readonly tag = 'T' + n) { super(n); this.list.push(tag) } }
    export function main() { const l = new Leaf('z'); return [l.hello(), l.list, l.extra, l.tag, Mid.create('q').name, l instanceof Base] }`,
  'generics, parameter properties, abstract classes, overloads': `
    abstract class Shape<T extends number> { protected abstract area(): number; declare ghost: string; readonly tags?: string[]
      constructor(protected readonly size: T, private scale: number = 2) {} total(this: Shape<T>): number { return this.area() * this.scale } }
    class Square extends Shape<number> implements Named { protected area() { return this.size * this.size } name!: string }
    interface Named { name: string }
    function pick(x: string): string; function pick(x: number): number; function pick(x: any): any { return x as unknown }
    export function twice<T>(x: T): T[]; export function twice(x: unknown): unknown[] { return [x, <any>x, x!, x satisfies unknown] }
    class O { m(a: string): string; m(a: number): number; m(a: any) { return a } }
    export function main() { return [new Square(3).total(), pick('a'), pick(2), twice(1), new O().m(5), new Square(1, 7).total()] }`,
  'default parameters': `
    class C { base = 3; m(a = this.base, b = a + 1, c = { x: this.base }, d = () => a) { return [a, b, c, d()] }
      n(a: number, b: number = 5, ...rest: number[]) { return [a, b, rest, rest.length] }
      o([x, y = this.base] = [1], { z = x, ...others }: any = { q: 5, r: 6 }, w = x + y) { return [x, y, z, others, w] }
      p(a = 1) { const f = () => a++; f(); return a } q(a = this.base) { const f = () => a++; f(); return a }
      r(...[first, second = this.base]: number[]) { return [first, second] } }
    export function main() { const c = new C(); return [c.m(), c.m(1, 2), c.n(1), c.n(1, undefined, 7, 8), c.o(), c.o([8, 9], { z: 1, k: 2 }), c.p(), c.q(), c.r(1), c.r(1, 2), c.m.length, c.n.length, c.q.length] }`,
  destructuring: `
    class C { data = { a: 1, b: { c: [2, 3, 4], d: undefined }, 'e-f': 5 }; key = 'a'
      m() { const { a, b: { c: [first, , third, ...none], d = this.key }, 'e-f': ef, ...rest } = this.data; const { [this.key]: byKey, ...others } = this.data as any
        let x, y; [x, y] = [1, 2]; [x, y] = [y, x]; ({ a: this.key, b: x = 9 } = { a: 'new' } as any)
        const [p = this.key, [q] = [7]] = [] as any; const { length } = 'four'; const {} = this; const [] = []
        let o: any = { next: { next: null, v: 2 }, v: 1 }; let v; ({ next: o, v } = o); const s = [...'ab'].map(([ch]) => ch)
        let arr = [1, 2, 3]; [arr[0], arr[2]] = [arr[2], arr[0]]; const r = ([x] = [42]);
        return [a, first, third, none, d, ef, rest, byKey, others, x, y, this.key, p, q, length, o, v, s, arr, r] }
      n({ a, b = a }: any, [c]: any) { return [a, b, c] }
      boxed() { let { a, b: { c: [d] } } = this.data; const f = () => [a++, d++]; f(); return [a, d] }
      loop() { const r = []; for (const [k, { v = this.key }] of Object.entries({ x: { v: 1 }, y: {} } as any) as any) r.push(k, v); for (const { length } of ['a', 'bb']) r.push(length)
        let k; for (k in { z: 1 }) r.push(k); for (this.key of ['last']) r.push(this.key); for ([k] of ['uv']) r.push(k); return r } }
    export function main() { const c = new C(); return [c.m(), c.n({ a: 1 }, 'z'), c.boxed(), c.loop()] }`,
  'destructuring nothing fails': `
    class C { none: any = null; m() { try { const {} = this.none } catch (e) { return e instanceof TypeError } } n() { try { const { a } = this.none } catch (e) { return e instanceof TypeError } } }
    export function main() { return [new C().m(), new C().n()] }`,
  spread: `
    class C { list = [1, 2]; set = new Set([3]); opts = { a: 1, get b() { return 2 } }
      sum(...xs: number[]) { let s = 0; for (const x of xs) s += x; return s }
      m() { return [this.sum(...this.list, 5, ...this.set), [0, ...this.list, , ...this.set], { ...this.opts, c: 3, ...null, ...(this.list.length > 5 && { d: 1 }) }, Math.max(...this.list), new Array(...this.list, 9)] } }
    export function main() { return new C().m() }`,
  'optional chaining': `
    class C { o: any = { k: { m(x: number) { return [x, this.t] }, t: 5, n: null }, f: null }; none: any = null; calls = 0
      count() { this.calls++; return 'k' }
      m() { return [this.o?.k?.t, this.none?.k.t.u, this.o.k?.m(1), this.o.k.m?.(2), this.o.f?.(this.count()), this.none?.[this.count()], this.o?.[this.count()]?.m?.(3), this.none?.k.m(this.count()), this.o.k.n?.x, (this.o?.k).t, delete this.o?.k?.t, delete this.none?.x, Object.keys(this.o.k), this.calls, this.o?.k!.n, (this.none?.a.b)?.c] } }
    export function main() { return new C().m() }`,
  'compound and logical assignment': `
    class C { n = 5; s: any = 'x'; z: any = null; big = 3n; i = 0; arr = [10, 20, 30]; calls = 0; u: any = '7'
      at() { this.calls++; return this.arr }
      m() { this.n += 2; this.n -= 1; this.n *= 3; this.n **= 2; this.n %= 100; this.n <<= 1; this.n >>>= 1; this.n |= 8; this.n &= 29; this.n ^= 3; this.s += this.n; this.z ??= this.n; this.z ??= this.boom(); this.z ||= this.boom(); this.z &&= 'and'
        const old = [this.big++, ++this.big, this.big--, this.u++, this.u, -this.i--]
        this.at()[this.i++ + 1] += 5; this.at()[0]++; const p = this.at()[1]--; this.arr[1] *= 2 + 1
        let x = 1; x += (x = this.n); let y = 2; const w = y + (y = this.n) + y; let k = 0; const t = [this.arr[k++], this.arr[k++], k, this.arr[k = 0], k]
        return [this.n, this.s, this.z, old, this.big, this.arr, this.calls, p, x, w, t, this.i] }
      boom(): never { throw new Error('evaluated') } }
    export function main() { return new C().m() }`,
  'operands in order': `
    class C { log: string[] = []; v = 1; o: any = { v: 1 }
      a(x: any) { this.log.push('a' + x); return x } get obj() { this.log.push('obj'); return this.o } get w() { this.log.push('w'); return this.v }
      m() { let x = 1; const r = [this.a(1) + this.a(2) * this.a(3), this.w + (this.v = 5) + this.w, x + this.w + (x = 2) + x, [x++, this.a(x), x++], this.a(this.a('k')) in this.obj, (this.a(0), this.a(9))]
        this.obj[this.a('v')] = this.a(7); this.obj[this.a('v')] += this.a(8); this.obj.f = this.a; const t = \`\${this.a(1)}-\${this.w}-\${x}\`
        const i = x > 2 ? this.a('yes') : this.a('no'); const l = this.a(0) || this.a(1) && this.a(2) || this.a(3); const n = this.a(null) ?? this.a(4)
        this.three(this.a('p'), x, x = this.w, x); const u = typeof this.w + void this.w + !this.w + -this.w; return [r, t, i, l, n, u, this.log, this.o.v] }
      three(...args: any[]) { this.log.push(JSON.stringify(args)) } }
    export function main() { return new C().m() }`,
  'template literals and tags': `
    function tag(strings: TemplateStringsArray, ...values: any[]) { return [strings.raw.join('|'), strings.length, values] }
    class C { x = 3; t(strings: TemplateStringsArray, ...v: any[]) { return [this.x, strings[0], v] } same() { return ((s: any) => s)\`k\` }
      m() { return [\`a\${this.x}b\${this.x + 1}\`, tag\`p\${this.x}\\n\${[this.x]}q\`, this.t\`z\${1}\`, \`plain\`, \`multi
        line \${this.x} \${
          this.x } end\`, this.same() === this.same()] } }
    export function main() { return new C().m() }`,
  'object literals': `
    class C { v = 2; m(k = 'key') { const v = 1; let w = this.v; const o = { v, w, [k + this.v]: this.v, m(x: number) { return x + this.v + w }, async n() { return 1 }, f: function () { return 'f' }, g: () => this.v, get acc() { return this.v + w }, set acc(n) { w = n }, 'quoted': 5, 7: 8, [k](z: any) { return z }, nested: { deep: [this.v, { x: w }] }, __proto__: { inherited: true } } as any
        w++; o.acc += 10; return [o.v, o.w, o.key2, o.m(1), o.f(), o.g(), o.acc, o.quoted, o[7], o.key('z'), o.nested, o.inherited, o.m.name, o.f.name, Object.keys(o), w] } }
    export function main() { return new C().m() }`,
  'function expressions and declarations inside functions': `
    class C { k = 2; m(n: number) { const first = early(n); function early(x: number): number { return x <= 0 ? k0 : late(x - 1) } function late(x: number): number { return early(x) + 1 } var k0 = 100
        const fact = function f(x: number): number { return x < 2 ? 1 : x * f(x - 1) }; const fib = (x: number): number => x < 2 ? x : fib(x - 1) + fib(x - 2)
        const even = (x: number): boolean => x === 0 || odd(x - 1); const odd = (x: number): boolean => x !== 0 && even(x - 1)
        const self = this; const g = function (this: any) { return [this === undefined, self.k] }; { function inBlock() { return n } var fromBlock = inBlock() } function unused() { return k0 }
        if (n) { var hoisted = n; const get = () => hoisted; hoisted = 9; var got = get() }
        return [first, fact(5), fib(7), even(10), odd(3), g(), fromBlock, got, typeof unused, (function () { return typeof this } as any)(), ((a: any, b = this.k) => [a, b])(1), fact.name, fib.name] } }
    export function main() { return new C().m(3) }`,
  'this in arrows': `
    class C { v = 1; f = () => this.v; g = (n: number) => () => this.v + n; static s = 5; static t = () => this.s
      m() { const a = () => { const b = () => this.v; return b() + (() => (() => this.v)())() }; return [a(), this.f(), this.g(2)(), C.t(), [1, 2].map((x) => x + this.v), [3].map(function (this: any, x) { return [x, this === undefined] })] }
      constructor() { const h = () => this.v; this.h = h; this.v = 4 } h: () => number }
    class D extends C { constructor() { super(); this.f = () => this.v + 100 } }
    export function main() { return [new C().m(), new C().h(), new D().f()] }`,
  arguments: `
    class C { m(a?: any, b?: any) { return [arguments.length, arguments[1], [...arguments], Array.isArray(arguments)] } }
    function f() { return arguments.length }
    export function main() { const c = new C(); return [c.m(1, 2, 3).slice(0, 3), (f as any)(1, 2)] }`,
  'module variables': `
    let counter = 0; const table = new Map<string, number>(); var legacy = 1; let late: number; let local = 5; local++
    export const config = { size: 2 }; const [one, { two }] = [1, { two: 2 }]; let { mutable } = { mutable: 3 }; const frozen = local
    function bump() { counter++; legacy += 2; late = counter; mutable *= 2; return counter } const arrow = (x: number) => x + config.size
    class C { id = ++counter; own = counter++ + legacy; constructor() { counter += 10; late ??= 4; table.set('k', counter) } read() { return [counter, late, legacy, mutable] } static made = bump() }
    config.size = 4; table.set('a', 1); for (let i = 0; i < 2; i++) bump(); if (counter > 100) late = 1; counter = counter + 1
    export function main() { bump(); const c = new C(); return [c, c.read(), bump(), counter, config, one, two, arrow(1), frozen, [...table]] }`,
  'module loops and closures': `
    const fs: (() => number)[] = []; for (let i = 0; i < 3; i++) { fs.push(() => i); } for (const k of [5, 6]) fs.push(() => k); for (let k of [1]) { fs.push(() => k); k++ }
    { let hidden = 1; fs.push(() => hidden++); function inBlock() { return hidden } fs.push(inBlock) } try { throw 5 } catch (e) { fs.push(() => e as number); fs.push(() => (e = 6)) }
    switch (fs.length) { case 99: throw 1; default: let q = 1; q += fs.length; fs.push(() => q++) } const o: any = { n: 0 }; o.n += 2; o.n++; o.x ??= o?.n; delete o.n; [o.p, o.q] = [1, 2]; const { p, ...rest } = o; const named = class { m() { return p } }
    export function main() { return [fs.map((f) => f()), fs.map((f) => f()), o, p, rest, new named().m(), named.name] }`,
  'static members': `
    class Registry { static items = new Map<string, number>(); static count = 0; static #secret = 7; static { this.count = 5; const f = () => this.count; Registry.items.set('init', f()) }
      static add(k: string) { this.items.set(k, ++this.count); return this } static async later() { return this.count } static get size() { return this.items.size + Registry.#secret } }
    export async function main() { Registry.add('a').add('b'); return [[...Registry.items], await Registry.later(), Registry.size] }`,
  'classes inside functions': `
    class C { v = 2; m(k: number) { const base = this.v; class Local { x = base + k; static s = k; get() { return this.x + base + k } make() { return new Local() } other() { return new Later() } }
        class Later extends (k > 1 ? Local : Object) { y = 1 } const Expr = class Named extends Local { override get() { return super.get() * 2 + Named.s } }
        return [new Local().get(), new Local().make().x, (new Local().other() as any).y, new Expr().get(), new Later() instanceof Local] } }
    export function main() { return [new C().m(3), new C().m(1)] }`,
  'async methods': `
    const wait = (x: any) => Promise.resolve(x)
    class C { n = 0; log: any[] = []
      async one(x: number) { this.n += x; await null; this.n += 1; return this.n }
      async loop() { for (let i = 0; i < 3; i++) { const v = await wait(i); this.log.push(v); if (v === 1) continue; this.n += await this.one(v) } return this.n }
      async fail(x: any) { await wait(1); throw new Error('bad' + x) }
      async tried() { try { await this.fail(1) } catch (e) { this.log.push((e as Error).message) } finally { this.log.push('fin'); await wait(0); this.log.push('fin2') } return 'done' }
      async guarded() { try { return this.fail(2) } catch { return 'caught' } } async awaitedInTry() { try { return await this.fail(3) } catch { return 'caught' } } async passes() { return this.one(5) }
      async ofLoop() { const r = []; for (const p of [wait(1), 2, wait(3)]) r.push(await p); return r }
      arrow = async (x: number) => { const y = await wait(x); return y + this.n }
      short = async () => this.one(1)
      async all() { return Promise.all([this.one(1), this.one(2), wait(3)]) } async operands() { return (await wait(1)) + this.n + (await this.one(1)) * (await wait(2)) } async then2() { return (await wait(4)) + this.n }
      async opt(o: any) { return [await o?.x, await o?.f?.(1), await (wait(3))] } async dest() { const { a, b = await wait(9) } = await wait({ a: 1 }); const [c] = await wait([5]); return [a, b, c] }
      async nested() { const f = async (n: number): Promise<number> => n <= 0 ? 0 : n + await f(n - 1); return f(4) } async nothing() {} async thrown() { throw this.n } async promised() { return wait(wait(8)) } }
    async function caught(promise: any, words: (e: any) => any) { try { return await promise } catch (e) { return words(e) } }
    export async function main() { const c = new C(); const g = await caught(c.guarded(), (e) => 'rejected ' + e.message)
      return [await c.one(1), await c.loop(), await c.tried(), g, await c.awaitedInTry(), await c.passes(), await c.ofLoop(), await c.arrow(1), await c.short(), await c.all(), await c.operands(), await c.then2(), await c.opt(null), await c.opt({ x: wait(1), f: wait }), await c.dest(), await c.nested(), await c.nothing(), await caught(c.thrown(), (e) => e), await c.promised(), c.log, c.n] }`,
  'async methods of a parent class': `
    class A { n = 1; async m(x: number) { await null; return this.n + x } async f() { await null; throw new Error('no') } }
    class B extends A { override async m(x: number) { const y = await super.m(x); this.n = y; return super.m(y) } override async f() { try { return await super.f() } catch { return 'caught' as never } } }
    export async function main() { const b = new B(); return [await b.m(5), b.n, await b.f(), await b?.m(1)] }`,
  'async functions of the module': `
    let total = 0; async function add(n: number) { const seen = total; await null; total = seen + n; return total } const twice = async (n: number) => { await add(n); return add(n) }
    export default async function () { return 1 } const o = { async m() { return await add(1) }, v: async () => 5 }
    export async function main() { const both = await Promise.all([add(1), add(2)]); await twice(10); return [both, total, await o.m(), await o.v(), await new Promise((resolve) => { resolve(total) })] }`,
  'new, instanceof, in, delete, typeof': `
    class P { constructor(public x = 1, ...more: number[]) { this.more = more } more: number[] }
    class C { cls = P; o: any = { a: 1, b: 2 }; m() { const k = 'a'; const r: any[] = [new this.cls(2, 3), new P, new (class { z = 1 })(), new P(...[7, 8]) instanceof P, k in this.o, delete this.o[k], k in this.o, 'zz' in this.o, typeof this.o.b, typeof (undefinedName as any), this.o.b instanceof Object, new Map([[1, 2]]).get(1), Symbol.iterator in [], new Date(0).getTime()]; return r } }
    declare const undefinedName: unknown
    export function main() { return new C().m() }`,
  'iteration over collections': `
    class Range { constructor(private n: number) {} [Symbol.iterator]() { let i = 0; const n = this.n; return { next: () => i < n ? { done: false, value: i++ } : { done: true, value: undefined } } } }
    class C { m = new Map([['a', 1], ['b', 2]]); s = new Set([1, 2]); r = new Range(3)
      go() { const out: any[] = []; for (const [k, v] of this.m) out.push(k, v); for (const x of this.s) out.push(x); for (const x of this.r as any) out.push(x); for (const x of [...(this.r as any)]) out.push(x); for (const c of 'hi') out.push(c); for (const k in { p: 1, q: 2 }) out.push(k); for (const i in [5, 6]) out.push(i)
        for (const x of this.s) { if (x > 3) break; if (x < 3) this.s.add(x + 2) } for (const _ of []) out.push('never'); for (const f of [() => 1]) out.push(f()); return [out, [...this.s], Array.from(this.m.keys()), this.find(2)] }
      find(n: number) { for (const x of this.s) if (x === n) return 'found ' + x; return 'none' } }
    export function main() { return new C().go() }`,
  'callbacks of native functions': `
    class C { k = 10; list = [3, 1, 2]; m() { return [this.list.map((x) => x * this.k), [...this.list].sort((a, b) => a - b), this.list.reduce((s, x) => s + x, 0), this.list.find((x) => x === this.list[2]), [[1, 2], [3]].flatMap(([a, b = this.k]) => [a, b]), JSON.stringify({ toJSON: () => this.k }), 'a-b'.replace(/-/g, () => '+' + this.k), Array.from({ length: 2 }, (_, i) => i + this.k), this.list.some((x) => { try { return x > 2 } finally { this.k++ } }), this.k] } }
    export function main() { return new C().m() }`,
  'errors keep their type': `
    class MyError extends Error { constructor(readonly code: number) { super('code ' + code) } }
    class C { x: any = null; m(n: number) { if (n === 0) throw new MyError(5); if (n === 1) return this.x.y; if (n === 2) return (this as any).nope(); if (n === 3) return this.x(); throw n }
      go() { return [0, 1, 2, 3, 4].map((n) => { try { return this.m(n) } catch (e) { return e instanceof MyError ? e.code : e instanceof TypeError ? 'type' : e } }) } }
    export function main() { return new C().go() }`,
  'statements without semicolons': `
    class C { a = 1
      b = [2]
      m() { let x = this.a
        this.b[0] = 5
        ;[x] = this.b
        const f = () => 1
        this.a++
        ++this.a
        x++
        this.b.push(x)
        const y = x
        ;(this as any).c = y
        if (x) this.a = 2
        else this.a = 3
        for (const z of this.b) this.a += z
        while (this.a > 10) this.a -= 3
        return [this.a, this.b, f(), (this as any).c] }
      *(): void
    }
    export function main() { return new C().m() }`.replace('      *(): void\n', ''),
  'enums, regular expressions and sequences': `
    enum Color { Red, Green = 5, Blue = Green + 1 } const enum Small { A = 1 }
    class C { re = /a(b)/; m(s: string) { const r = /x(\\d)/.exec(s); let i = 0; for (i = 0, this.n = 1; i < 2; i++, this.n *= 2); return [Color.Green, Color[6], Small.A, r?.[1], this.re.test('ab'), (i++, this.n++, i), this.n, /q/g.flags, [1, 2][(0, 1)], { a: (1, 2) }] } n = 0 }
    export function main() { return new C().m('x7') }`,
  'names that begin with a dollar sign': `
    const $ = 1; let $b = 2; class C { $1 = 3; m($this: number) { const $_x = $b; const f = () => ($b += $this); f(); return [$, $b, this.$1, $_x, $this] } }
    export function main() { return new C().m(4) }`,
  'variables of the same name in different scopes': `
    class C { v = 1; m(x: number) { const r: any[] = []; { let x = this.v; r.push(x); { let x = 10; const f = () => x++; f(); r.push(x) } x += 5; r.push(x) } for (let x = 0; x < 2; x++) r.push(x); try { throw 7 } catch (x) { r.push(x); const g = () => (x = 8); g(); r.push(x) } const h = (x: number) => { x++; return x }; r.push(h(x), x); return r } }
    export function main() { return new C().m(3) }`,
  'labels, commas and empty statements': `
    class C { n = 0; m() { ; ; if (this.n) ; else this.n = 1; for (; this.n < 5; this.n++); a: b: for (;;) { for (;;) { if (this.n++ > 6) break a; continue b } } do this.n--; while (this.n > 3); return this.n } }
    export function main() { return new C().m() }`,
  'default exports of expressions': `
    const f = (x: number) => x + 1; export default { f, g: (y: number) => f(y) * 2 }; export { f as renamed }; export const k = f(1), l = (() => k)()
    export function main() { return [k, l, f(2)] }`,
  'a queue of nodes': `
    class Node<T> { next: Node<T> | null = null; constructor(readonly value: T | undefined) {} }
    class Queue<T> { head: Node<T>; tail: Node<T>; constructor() { this.head = this.tail = new Node<T>(undefined) }
      enqueue(value: T) { const node = new Node(value); for (;;) { const tail = this.tail, next = tail.next; if (tail !== this.tail) continue; if (next !== null) { this.tail = next; continue } tail.next = node; this.tail = node; return } }
      dequeue(): T | undefined { for (;;) { const { head, tail } = this; const next = head.next; if (head === tail) { if (next === null) return undefined; this.tail = next; continue } const value = next!.value; this.head = next!; return value } } }
    export function main() { const q = new Queue<number>(); q.enqueue(1); q.enqueue(2); return [q.dequeue(), q.dequeue(), q.dequeue()] }`,
  'evaluation of object and key before the value': `
    class C { a = { k: 1 } as any; i = 0; keys = ['x', 'y']; m() { let o = this.a; o[this.keys[this.i++]] = (o = { other: 1 }, this.i); let k = 'p'; o[k] = (k = 'q', this.i); o[k] += (k = 'zz', this.i); const r = [this.a, o, this.i, k]; let f = (n: number) => n; const g = f(((f = (n) => -n), this.i)); return [r, g] } }
    export function main() { return new C().m() }`,
}

export const snippets: readonly Snippet[] = Object.entries(table).map(([name, source]) => ({ name, source }))
