/** Every construct of the provable subset, and the exact term it becomes. */
export interface Inside {
  readonly name: string
  readonly body: string
  readonly more?: string
  readonly term: string
}

export const inside: readonly Inside[] = [
  {
    name: 'assignments, compound assignments and ++ are assignments',
    body: `let a = 1; a = a + two; a += 2; a++; --a; yield* send(yield* self(), { kind: 'x', a })`,
    term: `a := 1; a := a + 2; a := a + 2; a := a + 1; a := a - 1; send(self, { kind: 'x', a: a })`,
  },
  {
    name: 'messages are taken apart, renamed and one level deep',
    body: `const { from, value: v, inner: { deep } } = yield* receive('m'); yield* send(from, { kind: 'x', v, deep })`,
    term: `m <- recv m; from := m.from; v := m.value; deep := m.inner.deep; send(from, { kind: 'x', v: v, deep: deep })`,
  },
  {
    name: 'if, else and throw',
    body: `const m = yield* receive(); if (m.kind === 'a') yield* send(m.from, m); else if (m.kind === 'b') { yield* receive('c') } else throw new Error('no')`,
    term: `m <- recv *; if m.kind === 'a' { send(m.from, m) } else { if m.kind === 'b' { recv c } else { fail 'no' } }`,
  },
  {
    name: 'a conditional expression without operations stays an expression',
    body: `const m = yield* receive(); const x = m.kind !== 'a' ? 1 : two; yield* send(m.from, { kind: 'y', x })`,
    term: `m <- recv *; x := (m.kind !== 'a') ? 1 : 2; send(m.from, { kind: 'y', x: x })`,
  },
  {
    name: 'a conditional expression with operations is an if',
    body: `const v = (yield* choose([true, false])) ? yield* receive('a') : (yield* receive('b')).inner; yield* send(v.from, v)`,
    term: 'chosen <- choose(true, false); if chosen { v <- recv a } else { b <- recv b; v := b.inner }; send(v.from, v)',
  },
  {
    name: 'switch with empty cases in a row, an early break and a default',
    body: `const m = yield* receive()
  switch (m.kind) { case 'a': case 'b': yield* send(m.from, m); break; default: { if (m.x) break; yield* receive('z') } }
  yield* receive('after')`,
    term: `m <- recv *; if (m.kind === 'a') || (m.kind === 'b') { send(m.from, m) } else { if !m.x { recv z } }; recv after`,
  },
  {
    name: 'switch on a value that is evaluated once',
    body: `switch (yield* choose([1, 2])) { case 1: yield* receive('one'); return; case 2: yield* receive('two') }`,
    term: 'chosen <- choose(1, 2); if chosen === 1 { recv one } else { if chosen === 2 { recv two } }',
  },
  {
    name: 'continue and break of a loop around a switch',
    body: `while (true) { switch ((yield* receive()).kind) { case 'a': continue; case 'b': break; default: return } yield* receive('z') }`,
    term: `while { message <- recv *; if message.kind === 'a' { continue } else { if message.kind !== 'b' { end } }; recv z }`,
  },
  {
    name: 'for…of over a set, with continue',
    body: `for (const q of all) { if (yield* choose([true, false])) continue; yield* send(q, { kind: 'go' }) }`,
    term: `for q in peer { chosen <- choose(true, false); if !chosen { send(q, { kind: 'go' }) } }`,
  },
  {
    name: 'for…of over a set inside itself',
    body: `for (const q of all) for (const r of all) { if (q === r) continue; yield* send(q, { kind: 'x', r }) }`,
    term: `for q in peer { for r in peer { if q !== r { send(q, { kind: 'x', r: r }) } } }`,
  },
  {
    name: 'for…of over a list that is written down is unrolled',
    body: `for (const kind of ['a', 'b'] as const) yield* receive(kind)`,
    term: 'recv a; recv b',
  },
  {
    name: 'a counted loop whose index nobody reads',
    body: `for (let i = 0; i < n; i++) yield* receive('a')`,
    term: 'repeat n { recv a }',
  },
  {
    name: 'a counted loop up to k - 1',
    body: `for (let i = 0; i <= k - 1; i++) yield* send(yield* self(), { kind: 'x', i })`,
    term: `repeat k as i { send(self, { kind: 'x', i: i }) }`,
  },
  {
    name: 'a counted loop of one round less, and of one more',
    body: `for (let i = 0; i < n - 1; i++) yield* receive('a')
  for (let i = 1; i < n; i++) yield* receive('a')
  for (let i = 0; i <= n; i++) yield* receive('a')
  const more = n + 2
  for (let i = 1; i < more; i++) yield* receive('a')`,
    term: 'repeat n - 1 { recv a }; repeat n - 1 { recv a }; repeat n + 1 { recv a }; more := n + 2; repeat n + 1 { recv a }',
  },
  {
    name: 'a loop over a set that is left, whose other rounds do nothing',
    body: `for (const q of all) { yield* receive('a'); break }`,
    term: 'left := false; for q in peer { if !left { recv a; left := true } }',
  },
  {
    name: 'a loop over a set that is left for the end of the process',
    body: `for (const q of all) { if ((yield* receive('a')).ok) return }
  yield* receive('b')`,
    term: 'left := false; for q in peer { if !left { a <- recv a; if a.ok { left := true } } }; if left { end }; recv b',
  },
  {
    name: 'a counted loop that a helper returns from',
    body: `const m = yield* find()
  yield* assert(m.ok)`,
    more: `function* find() { for (let i = 0; i < 3; i++) { const m = yield* receive('a'); if (m.ok) return m } }`,
    term: `left := false; repeat 3 { if !left { m2 <- recv a; if m2.ok { m := m2; left := true } } }; if !left { m := undefined }; assert m.ok 'assertion failed'`,
  },
  {
    name: 'a loop over a set that is left inside while',
    body: `while (true) { for (const q of all) { const m = yield* receive('a'); if (m.ok) break } }`,
    term: 'while { left := false; for q in peer { if !left { m <- recv a; if m.ok { left := true } } } }',
  },
  {
    name: 'a loop that is left in two ways, with more behind it',
    body: 'yield* find()',
    more: `function* find() { while (true) { const m = yield* receive('a'); if (m.ok) return m; if (m.no) break } yield* receive('b') }`,
    term: 'left := false; while { m <- recv a; if m.ok { left := true; break }; if m.no { break } }; if !left { recv b }',
  },
  {
    name: 'an early return where several branches go on',
    body: 'yield* go()',
    more: `function* go() { const m = yield* receive('a'); if (m.x) { if (m.y) return } yield* receive('b') }`,
    term: 'm <- recv a; left := false; if m.x { if m.y { left := true } }; if !left { recv b }',
  },
  {
    name: 'a list that is written down, left early',
    body: `for (const kind of ['a', 'b']) { const m = yield* receive(kind); if (m.last) break }`,
    term: 'm <- recv a; if !m.last { m2 <- recv b }',
  },
  {
    name: 'a loop that counts down the size of a set',
    body: `for (let i = all.length; i > 0; i--) yield* send(yield* self(), { kind: 'x', i })`,
    term: `repeat n as round { i := n - round; send(self, { kind: 'x', i: i }) }`,
  },
  {
    name: 'a loop counted by a plain parameter',
    body: `for (let i = 0; i < two; i += 1) yield* receive('a')`,
    term: 'repeat 2 { recv a }',
  },
  {
    name: 'repeat with an index and an early return',
    body: `yield* repeat(3, function* (i) { if (i === 0) return; yield* receive('a') })`,
    term: 'repeat 3 as i { if i !== 0 { recv a } }',
  },
  {
    name: 'repeat with a named function',
    body: 'yield* repeat(n, work)',
    more: `function* work(i) { yield* receive('a') }`,
    term: 'repeat n as i { recv a }',
  },
  {
    name: 'while (true) with break, continue and return',
    body: `while (true) { const m = yield* receive(); if (m.kind === 'stop') break; if (m.kind === 'again') continue; if (m.kind === 'end') return; yield* send(m.from, m) }
  yield* receive('after')`,
    term: `while { m <- recv *; if m.kind === 'stop' { break }; if m.kind === 'again' { continue }; if m.kind === 'end' { end }; send(m.from, m) }; recv after`,
  },
  {
    name: 'while with a condition',
    body: `let m = yield* receive(); while (m.kind !== 'stop') { m = yield* receive() }`,
    term: `m <- recv *; while { if m.kind === 'stop' { break }; m <- recv * }`,
  },
  {
    name: 'do…while with continue',
    body: `let m; do { m = yield* receive(); if (m.skip) continue; yield* send(m.from, m) } while (m.kind !== 'stop')`,
    term: `while { m <- recv *; if !m.skip { send(m.from, m) }; if m.kind === 'stop' { break } }`,
  },
  {
    name: 'a for statement that is no counting',
    body: `for (let m = yield* receive(); m.kind !== 'stop'; m = yield* receive()) { if (m.skip) continue; yield* send(m.from, m) }`,
    term: `m <- recv *; while { if m.kind === 'stop' { break }; if !m.skip { send(m.from, m) }; m <- recv * }`,
  },
  {
    name: 'a helper that returns in the end',
    body: 'const reply = yield* ask(all); yield* send(reply.from, reply)',
    more: `function* ask(set) { for (const one of set) yield* send(one, { kind: 'go' }); return yield* receive('reply') }`,
    term: `for one in peer { send(one, { kind: 'go' }) }; reply <- recv reply; send(reply.from, reply)`,
  },
  {
    name: 'a helper that is inlined twice, with variables of its own',
    body: 'yield* ask(1); yield* ask(2)',
    more: `function* ask(x) { const m = yield* receive('m'); yield* send(m.from, { kind: 'r', x }) }`,
    term: `m <- recv m; send(m.from, { kind: 'r', x: 1 }); m2 <- recv m; send(m2.from, { kind: 'r', x: 2 })`,
  },
  {
    name: 'a helper that returns early',
    body: `const x = yield* early(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* early() { const m = yield* receive(); if (m.kind === 'a') return 1; yield* receive('b'); return 2 }`,
    term: `m <- recv *; if m.kind === 'a' { x := 1 } else { recv b; x := 2 }; send(self, { kind: 'x', x: x })`,
  },
  {
    name: 'a helper that returns from a switch',
    body: `if (yield* step()) yield* receive('end')`,
    more: `function* step() { const m = yield* receive('m'); switch (m.v) { case 'a': return true; case 'b': yield* receive('q'); return false; default: throw new Error(\`bad \${m.v}\`) } }`,
    term: `m <- recv m; if m.v === 'a' { result := true } else { if m.v === 'b' { recv q; result := false } else { fail 'bad \${m.v}' } }; if result { recv end }`,
  },
  {
    name: 'a helper that returns out of its last loop',
    body: `const x = yield* search(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* search() { while (true) { const m = yield* receive(); if (m.kind === 'a') return m.value } }`,
    term: `while { m <- recv *; if m.kind === 'a' { x := m.value; break } }; send(self, { kind: 'x', x: x })`,
  },
  {
    name: 'a helper that does not always return gives undefined',
    body: `const done = yield* step(); if (done) yield* receive('end')`,
    more: `function* step() { const m = yield* receive('m'); if (m.a) return true; yield* receive('b') }`,
    term: 'm <- recv m; if m.a { done := true } else { recv b; done := undefined }; if done { recv end }',
  },
  {
    name: 'a function given to a helper',
    body: `yield* twice(function* (i) { yield* receive(i === 0 ? 'a' : 'b') })`,
    more: `function* twice(body) { yield* receive('x'); yield* body(0) }`,
    term: 'recv x; recv a',
  },
  {
    name: 'tail recursion, with an argument that changes and a set that does not',
    body: 'yield* loop(0, all)',
    more: `function* loop(count, set) { const m = yield* receive(); if (m.kind === 'stop') return; for (const q of set) yield* send(q, m); yield* loop(count + 1, set) }`,
    term: `count := 0; while { m <- recv *; if m.kind === 'stop' { break }; for q in peer { send(q, m) }; count := count + 1 }`,
  },
  {
    name: 'tail recursion through return, with arguments that swap places',
    body: 'yield* swap(1, 2)',
    more: `const swap = function* me(a, b) { yield* receive('x'); yield* send(yield* self(), { kind: 'x', a, b }); return yield* me(b, a) }`,
    term: `a := 1; b := 2; while { recv x; send(self, { kind: 'x', a: a, b: b }); before := a; a := b; b := before }`,
  },
  {
    name: 'tail recursion followed by return',
    body: 'yield* loop()',
    more: `function* loop() { const m = yield* receive('m'); if (m.more) { yield* loop(); return } yield* send(m.from, m) }`,
    term: 'while { m <- recv m; if m.more { continue }; send(m.from, m); break }',
  },
  {
    name: 'choose from a set and from a list',
    body: `const q = yield* choose(all); yield* send(q, { kind: 'go', v: yield* choose([1, 2]) })`,
    term: `q <- pick peer; chosen <- choose(1, 2); send(q, { kind: 'go', v: chosen })`,
  },
  {
    name: 'assume, assert and a failed assertion',
    body: `yield* assume(two > 1 && n >= 0); yield* assert(!(n > k), \`more than \${k}\`); yield* assert(false, 'never')`,
    term: `assume n >= 0; assert !(n > k) 'more than \${k}'; fail 'never'`,
  },
  {
    name: 'receive by kinds, by a predicate on the kind and by sender',
    body: `const m = yield* receive(['a', 'b']); yield* receive((x) => x.kind === 'c' || x.kind === 'd'); yield* receive(({ kind }) => ['e', 'f'].includes(kind)); yield* receive({ from: m.from }); yield* receive('g', { from: m.from })`,
    term: 'm <- recv a|b; recv c|d; recv e|f; recv * from m.from; recv g from m.from',
  },
  {
    name: 'a message that is passed on as a whole',
    body: `const m = yield* receive('m'); for (const q of all) yield* send(q, m)`,
    term: 'm <- recv m; for q in peer { send(q, m) }',
  },
  {
    name: 'computation with array methods and Math is opaque',
    body: `const m = yield* receive(); const list = [1, 2, 3].map((x) => x * m.factor); yield* send(m.from, { kind: 'list', list, max: Math.max(...list) })`,
    term: `m <- recv *; list := «[1, 2, 3].map((x) => x * m.factor)»(m); send(m.from, { kind: 'list', list: list, max: «Math.max(...list)»(list) })`,
  },
  {
    name: 'a local loop is opaque, also if it changes several variables',
    body: `let a = 0, b = 1; for (let i = 0; i < 10; i++) { const next = a + b; a = b; b = next } yield* send(yield* self(), { kind: 'f', a, b })`,
    term: `a := 0; b := 1; after := «after for (let i = 0; i < 10; i++) { co…»(a, b); a := after.a; b := after.b; send(self, { kind: 'f', a: a, b: b })`,
  },
  {
    name: 'a list that is filled and summed up',
    body: `const seen = []; for (const _ of all) { const m = yield* receive('v'); seen.push(m.value) }
  let sum = 0; for (const v of seen) sum += v
  yield* assert(sum >= 0)`,
    term: `seen := «[]»(); for _ in peer { m <- recv v; seen := «seen after seen.push(m.value)»(seen, m) }; sum := 0; sum := «sum after for (const v of seen) sum += v»(seen, sum); assert sum >= 0 'assertion failed'`,
  },
  {
    name: 'a method that gives and changes',
    body: `const queue = []; const m = yield* receive('a'); queue.push(m.value); const first = queue.shift(); yield* send(m.from, { kind: 'x', first })`,
    term: `queue := «[]»(); m <- recv a; queue := «queue after queue.push(m.value)»(queue, m); first := «queue.shift()»(queue); queue := «queue after queue.shift()»(queue); send(m.from, { kind: 'x', first: first })`,
  },
  {
    name: 'an object that a helper changes',
    body: 'const list = []; yield* add(list); yield* assert(list.length === 1)',
    more: `function* add(target) { const m = yield* receive('m'); target.push(m.v) }`,
    term: `list := «[]»(); m <- recv m; list := «target after target.push(m.v)»(list, m); assert «list.length»(list) === 1 'assertion failed'`,
  },
  {
    name: 'a field that is counted up',
    body: `const state = { count: 0 }; for (const _ of all) { yield* receive('a'); state.count++ } yield* assert(state.count === n)`,
    term: `state := { count: 0 }; for _ in peer { recv a; state := «state after state.count++»(state) }; assert state.count === n 'assertion failed'`,
  },
  {
    name: 'spread of something unknown is opaque',
    body: `const m = yield* receive(); yield* send(m.from, { ...m, kind: 'copy' })`,
    term: `m <- recv *; send(m.from, «{ ...m, kind: 'copy' }»(m))`,
  },
  {
    name: 'spread of something known is a record',
    body: `const me = yield* self(); const base = { kind: 'go', from: me }; for (const q of all) yield* send(q, { ...base, v: 1, kind: 'other' })`,
    term: `for q in peer { send(q, { kind: 'other', from: self, v: 1 }) }`,
  },
  {
    name: 'a function of several statements that makes a message is taken apart',
    body: `const m = yield* receive('m'); yield* send(m.from, reply(m))`,
    more: `function reply(m) { const v = m.v + 1; if (m.bad) return { kind: 'bad' }; return { kind: 'good', to: m.from, v } }`,
    term: `m <- recv m; v := m.v + 1; if m.bad { result := { kind: 'bad' } } else { result := { kind: 'good', to: m.from, v: v } }; send(m.from, result)`,
  },
  {
    name: 'template strings are opaque, plain ones are literals',
    body: `const m = yield* receive(\`a\`); yield* send(m.from, { kind: 'x', text: \`\${m.v}!\` })`,
    term: `m <- recv a; send(m.from, { kind: 'x', text: «\`\${m.v}!\`»(m) })`,
  },
  {
    name: 'operators',
    body: `const m = yield* receive(); const ok = m.a && !(m.b || m.c); yield* send(m.from, { kind: 'x', ok, neg: -m.a, mod: m.a % 2, pow: m.a ** 2 })`,
    term: `m <- recv *; ok := m.a && !(m.b || m.c); send(m.from, { kind: 'x', ok: ok, neg: -1 * m.a, mod: m.a % 2, pow: «m.a ** 2»(m) })`,
  },
  {
    name: '?? between addresses',
    body: `const m = yield* receive('a'); yield* send(m.to ?? m.from, m)`,
    term: 'm <- recv a; send(((m.to === undefined) || (m.to === null)) ? m.from : m.to, m)',
  },
  {
    name: '== with null asks for undefined as well',
    body: `const m = yield* receive('a'); if (m.to != null) yield* send(m.to, m)`,
    term: 'm <- recv a; if !((m.to === undefined) || (m.to === null)) { send(m.to, m) }',
  },
  {
    name: 'an operation to the right of ?? and of ??=',
    body: `const m = yield* receive('a'); let v = m.v ?? (yield* receive('b')).v; v ??= (yield* receive('c')).v; yield* send(m.from, { kind: 'x', v })`,
    term: `m <- recv a; v := m.v; if (v === undefined) || (v === null) { b <- recv b; v := b.v }; if (v === undefined) || (v === null) { c <- recv c; v := c.v }; send(m.from, { kind: 'x', v: v })`,
  },
  {
    name: 'an operation in one branch of an argument',
    body: `const m = yield* receive('a'); const v = Math.max(m.v, m.more ? (yield* receive('b')).v : 0); yield* send(m.from, { kind: 'x', v })`,
    term: `m <- recv a; if m.more { b <- recv b; chosen := b.v } else { chosen := 0 }; v := «Math.max(m.v, m.more ? (yield* receive(…»(m, chosen); send(m.from, { kind: 'x', v: v })`,
  },
  {
    name: 'a default that does something is evaluated only if it is needed',
    body: `const m = yield* receive('a'); let x = 0; yield* tell(m.v); function* tell(v = x++) { yield* send(m.from, { kind: 'x', v }) }`,
    term: `m <- recv a; x := 0; given := m.v; if given === undefined { before := x; x := x + 1; given := before }; send(m.from, { kind: 'x', v: given })`,
  },
  {
    name: 'nested literals keep what was read first',
    body: `let x = 0; yield* send(yield* self(), { kind: 'x', a: { b: [x] }, c: x++ })`,
    term: `x := 0; before2 := x; before := x; x := x + 1; send(self, { kind: 'x', a: { b: { 0: before2 } }, c: before })`,
  },
  {
    name: 'values beside a function in an object are those of its creation',
    body: `let x = 1; const o = { v: x, f: () => x }; x = 2; yield* send(yield* self(), { kind: 'x', v: o.v, w: o.f() })`,
    term: `x := 1; part := x; x := 2; send(self, { kind: 'x', v: part, w: x })`,
  },
  {
    name: 'console evaluates its arguments',
    body: `console.log('waiting', yield* receive('a')); yield* receive('b')`,
    term: 'a <- recv a; recv b',
  },
  {
    name: 'an operation to the right of ||',
    body: `const ok = (yield* choose([true, false])) || (yield* receive('m')).ok; yield* assume(ok)`,
    term: 'chosen <- choose(true, false); ok := chosen; if !ok { m <- recv m; ok := m.ok }; assume ok',
  },
  {
    name: 'values are those of when they were read',
    body: `let x = 1; const y = x + (yield* bump()); yield* send(yield* self(), { kind: 'x', y }); function* bump() { x = 5; return x }`,
    term: `x := 1; before := x; x := 5; y := before + x; send(self, { kind: 'x', y: y })`,
  },
  {
    name: 'assignments inside expressions, from left to right',
    body: `let i = 0; const m = yield* receive('m'); yield* send(m.from, { kind: 'r', a: i++, b: ++i, c: (i = 7) })`,
    term: `i := 0; m <- recv m; before := i; i := i + 1; i := i + 1; before2 := i; i := 7; send(m.from, { kind: 'r', a: before, b: before2, c: i })`,
  },
  {
    name: 'destructuring assignment',
    body: `let a = 1, b = 2; [a, b] = [b, a]; ({ a } = yield* receive('m')); yield* send(yield* self(), { kind: 'x', a, b })`,
    term: `a := 1; b := 2; before := a; a := b; b := before; m <- recv m; a := m.a; send(self, { kind: 'x', a: a, b: b })`,
  },
  {
    name: 'a pure function of one expression is put in',
    body: `const big = isBig(n); if (big) yield* receive('a')`,
    more: 'const isBig = (x: number) => x > 3',
    term: 'big := n > 3; if big { recv a }',
  },
  {
    name: 'a pure function of several statements is opaque',
    body: `const v = sum(n, 2); if (v) yield* receive('a')`,
    more: 'function sum(x, y) { let s = 0; for (let i = 0; i < x; i++) s += y; return s }',
    term: 'v := «sum(n, 2)»(n); if v { recv a }',
  },
  {
    name: 'a pure function of several statements that gets an address is taken apart',
    body: 'const m = make(yield* self(), 1); for (const q of all) yield* send(q, m)',
    more: `function make(from, v) { const w = v + 1; return { kind: 'go', from, w } }`,
    term: `for q in peer { send(q, { kind: 'go', from: self, w: 2 }) }`,
  },
  {
    name: 'a function that may throw is taken apart',
    body: `check(n); yield* receive('a')`,
    more: `function check(size) { if (size < 0) throw new Error('negative') }`,
    term: `if n < 0 { fail 'negative' }; recv a`,
  },
  {
    name: 'constants, enums and objects of constants',
    body: `const kinds = { a: 'alpha' } as const; yield* receive(kinds.a); yield* receive(Kind.B); yield* receive(names.c)`,
    more: `enum Kind { A = 'aa', B = 'bb' }
const names = { c: 'cc' }`,
    term: 'recv alpha; recv bb; recv cc',
  },
  {
    name: 'types are skipped',
    body: `const m = (yield* receive('a')) as { v: number }; let x = m!.v satisfies number; x++; yield* send(<any>m.from, { kind: 'x', x })`,
    term: `m <- recv a; x := m.v; x := x + 1; send(m.from, { kind: 'x', x: x })`,
  },
  {
    name: 'announcements and console.log leave no trace',
    body: `yield* announce({ kind: 'x' }); console.log('hello'); yield* receive('a')`,
    term: 'recv a',
  },
  {
    name: 'a variable without a value is undefined again in every round',
    body: `for (let i = 0; i < two; i++) { let x; if (yield* choose([true, false])) x = 1; yield* receive('a'); yield* assert(x !== 2) }`,
    term: `repeat 2 { x := undefined; chosen <- choose(true, false); if chosen { x := 1 }; recv a; assert x !== 2 'assertion failed' }`,
  },
  {
    name: 'a default of a parameter',
    body: `yield* ask(); yield* ask('b')`,
    more: `function* ask(kind = 'a') { yield* receive(kind) }`,
    term: 'recv a; recv b',
  },
]
