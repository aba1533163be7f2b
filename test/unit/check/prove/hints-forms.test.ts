/** What a refusal says to write instead, of operations and forms of the language. */
import { all, follows, gathered, type Hinted, sized, worker } from './followed.ts'

const own = `yield* send(yield* self(), { kind: 'x', v: 1 }); yield* receive('x');`
const before = `${all}${gathered}\n`
const said = (hint: string, refused: string, rewritten: string, more = worker): Hinted => ({
  hint,
  refused: sized(`${before}${refused}`, more),
  rewritten: sized(`${before}${rewritten}`, more),
})

const hints: readonly Hinted[] = [
  said(
    "name the kind: receive('kind'); for messages of one process receive('kind', { from: address })",
    `yield* send(yield* self(), { kind: 'x', v: 1 }); yield* receive((one) => one.v === 1)`,
    `yield* send(yield* self(), { kind: 'x', v: 1 }); yield* receive('x', { from: yield* self() })`,
  ),
  said(
    "write receive('kind', { from: address }) or receive({ from: address })",
    `const from = yield* self(); yield* send(from, { kind: 'x' }); yield* receive('x', n > 1 ? { from } : { from })`,
    `const from = yield* self(); yield* send(from, { kind: 'x' }); yield* receive('x', { from })`,
  ),
  said('leave it out', `yield* self(1); ${own}`, `yield* self(); ${own}`),
  said(
    'write repeat(count, function* (index) { … })',
    `const body = { f: 1 }; yield* repeat(n, body)`,
    `yield* repeat(n, function* (index) { ${own} })`,
  ),
  said(
    'write function* (index) { … }',
    `yield* repeat(n, () => 1); ${own}`,
    `yield* repeat(n, function* (index) { ${own} })`,
  ),
  said(
    'count with a parameter declared with every(…), a number, or the .length of a set of processes',
    `const times = [1, 2].concat([3]).length; yield* repeat(times, function* () { ${own} })`,
    `for (let i = 0; i < all.length; i++) { ${own} }`,
  ),
  said(
    'write const, or let if it is assigned later',
    `if (n > 0) { var x = 1 } ${own} yield* assert(x !== 2)`,
    `const x = 1; ${own} yield* assert(x !== 2)`,
  ),
  said('convert it: Number(…)', `let t = 'a'; t++; ${own}`, `let t = Number('1'); t++; ${own}`),
  said(
    'messages are frozen; make a new object: { kind: …, … }',
    `yield* send(yield* self(), { kind: 'x', v: 1 }); const got = yield* receive('x'); got.v = 2`,
    `yield* send(yield* self(), { kind: 'x', v: 1 }); const got = yield* receive('x'); const next = { kind: 'x', v: 2 }`,
  ),
  said(
    'assign in a statement of its own',
    `let a = 1; const b = ({ a } = { a: 2 }); ${own}`,
    `let a = 1; a = 2; const b = { a: 2 }; ${own}`,
  ),
  said(
    'write if (…) { … } else { … }',
    `switch (1) { case yield* choose([1, 2]): ${own} break }`,
    `if (1 === (yield* choose([1, 2]))) { ${own} } else { ${own} }`,
  ),
  said(
    'take parts only of what is there',
    `const u = undefined; const v = u.x; ${own}`,
    `const u = { x: 1 }; const v = u.x; ${own}`,
  ),
  said(
    'compare fields of them, or keys that you give them',
    `const a = { v: 1 }; const b = { v: 1 }; yield* assert(a !== b)`,
    `const a = { v: 1 }; const b = { v: 1 }; yield* assert(a.v === b.v)`,
  ),
  said(
    'change a copy that has one name and is not given away: const copy = [...list], { ...object }; keep inner objects in variables of their own',
    `const a = [1]; const b = a; b.push(2); ${own}`,
    `const a = [1]; const b = [...a]; b.push(2); ${own}`,
  ),
  said('write out what happens for each field', `for (const f in { a: 1 }) { ${own} }`, `const f = 'a'; ${own}`),
  said(
    'write for (const one of set) { … }',
    `let one; for (one of [1]) { ${own} }`,
    `for (const one of [1]) { ${own} }`,
  ),
  said('write functions and plain objects', `class A {}; ${own}`, `const a = { v: 1 }; ${own}`),
  said(
    'nothing a process does throws; test conditions with if, and use assert(…) for what must hold',
    `try { ${own} } catch { ${own} }`,
    `if (n >= 0) { ${own} } else { ${own} }; yield* assert(n + 1 > n)`,
  ),
  said(
    'call the function: f(…)',
    `const t = text\`a\`; ${own}`,
    `const t = text('a'); ${own}`,
    `${worker}function text(a) { return a + 'b' }`,
  ),
  said('import at the beginning of the file', `const m = import('a'); ${own}`, `${own}`),
  said(
    'write yield* send(…), or await send(…) in an async function, where it is to happen',
    `send(yield* self(), { kind: 'x' })`,
    `yield* send(yield* self(), { kind: 'x' }); yield* receive('x')`,
  ),
  said(
    'keep the argument in a constant first: const before = …',
    `let i = 1; const step = (a) => (i = 5) + a; const sum = step(i); ${own}`,
    `let i = 1; const step = (a) => (i = 5) + a; const before = i; const sum = step(before); ${own}`,
  ),
  {
    hint: 'use plain names',
    refused: sized(
      `${before}yield* down({ again: true })`,
      `${worker}function* down({ again }) {
  ${own} if (again) return yield* down({ again: false })
}`,
    ),
    rewritten: sized(
      `${before}yield* down(true)`,
      `${worker}function* down(again) {
  ${own} if (again) return yield* down(false)
}`,
    ),
    said: 'incomplete',
  },
]

follows(hints)
