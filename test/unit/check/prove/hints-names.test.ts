/** What a refusal says to write instead, of names, functions and processes. */
import { all, follows, gathered, type Hinted, sized, worker } from './followed.ts'

const own = `yield* send(yield* self(), { kind: 'x' }); yield* receive('x');`
const perform = 'perform operations, and fail, in the process itself: its loops and conditions may hold them'

const hints: readonly Hinted[] = [
  {
    hint: "write spawnAll(n, 'worker', …) at the beginning",
    refused: sized(`if (n > 1) yield* spawn('worker', worker, yield* self())
for (let i = 0; i < n; i++) yield* receive('done')`),
    rewritten: sized(`yield* spawnAll(n, 'worker', worker, yield* self())
for (let i = 0; i < n; i++) yield* receive('done')`),
  },
  {
    hint: 'spawn these processes in the main process, and send their addresses to the processes that need them',
    refused: sized(
      `yield* spawnAll(n, 'worker', worker)`,
      `function* worker() { const one = yield* spawn('one', function* () { yield* receive('x') }); yield* send(one, { kind: 'x' }) }`,
    ),
    rewritten: sized(
      `const one = yield* spawn('one', function* () { for (let i = 0; i < n; i++) yield* receive('x') })
const all = yield* spawnAll(n, 'worker', worker)
for (const worker of all) yield* send(worker, { kind: 'use', one })`,
      `function* worker() { const { one } = yield* receive('use'); yield* send(one, { kind: 'x' }) }`,
    ),
  },
  {
    hint: 'spawn all processes in the main process',
    refused: sized(`yield* spawn('a', function* a() { yield* spawn('b', a) }); ${all}${gathered}`),
    rewritten: sized(`yield* spawn('a', function* a() {}); yield* spawn('b', function* b() {}); ${all}${gathered}`),
  },
  {
    hint: 'spawn the process after this value is there, and pass it as an argument of spawn(…)',
    refused: sized(`yield* spawn('one', function* () { yield* send(me, { kind: 'x' }) })
const me = yield* self(); ${all}yield* receive('x'); ${gathered}`),
    rewritten:
      sized(`const me = yield* self(); yield* spawn('one', function* (to) { yield* send(to, { kind: 'x' }) }, me)
${all}yield* receive('x'); ${gathered}`),
  },
  {
    hint: 'make the call the last thing the function does: return yield* f(…); or write a loop',
    refused: sized(`yield* deep(2); ${all}${gathered}`, `${worker}function* deep(x) { ${own} yield* deep(x); ${own} }`),
    rewritten: sized(
      `yield* deep(2); ${all}${gathered}`.replace('yield* deep(2); ', '').concat('; yield* deep(2)'),
      `${worker}function* deep(x) { for (let i = 0; i < x; i++) { ${own} ${own} } }`,
    ),
  },
  {
    hint: 'keep it inside one process, and let the others ask that process with messages',
    refused: sized(
      `yield* spawnAll(n, 'worker', worker)`,
      `const table = new Map(); function* worker() { table.set('a', 1) }`,
    ),
    rewritten: sized(
      `yield* spawnAll(n, 'worker', worker, yield* self()); const table = new Map()
for (let i = 0; i < n; i++) { const { key } = yield* receive('set'); table.set(key, 1) }`,
      `function* worker(main) { yield* send(main, { kind: 'set', key: 'a' }) }`,
    ),
  },
  {
    hint: 'use what the program declares, and Math, Number, String, Array, Object, Map, Set and JSON',
    refused: sized(`${all}const here = escape('a'); ${gathered}`),
    rewritten: sized(`${all}const here = String('here'); yield* assert(true); ${gathered}`),
  },
  {
    hint: 'a set can be iterated with for…of, counted with .length, given to choose(…) and to spawn(…)',
    refused: sized(`${all}yield* send(yield* self(), { kind: 'x', all }); yield* receive('x'); ${gathered}`),
    rewritten: sized(
      `${all}yield* send(yield* self(), { kind: 'x', size: all.length }); yield* receive('x'); ${gathered}`,
    ),
  },
  {
    hint: 'call it where it is needed: yield* f(…)',
    refused: sized(
      `${all}const note = { f: step }; yield* send(yield* self(), { kind: 'x', note }); yield* receive('x'); ${gathered}`,
      `${worker}function* step() {}`,
    ),
    rewritten: sized(`${all}yield* step(); ${gathered}`, `${worker}function* step() { ${own} }`),
  },
  {
    hint: 'give the field another name',
    refused: sized(`${all}const o = { constructor: 1 }; yield* assert(o.constructor === 1); ${gathered}`),
    rewritten: sized(`${all}const o = { constructs: 1 }; yield* assert(o.constructs === 1); ${gathered}`),
  },
  {
    hint: 'perform operations of allways, and generator or async functions of your own files',
    refused: sized(`${all}yield* String('ab'); ${gathered}`),
    rewritten: sized(`${all}yield* step(); ${gathered}`, `${worker}function* step() { ${own} }`),
  },
  {
    hint: 'write the arguments one by one',
    refused: sized(`${all}yield* step(...[1, 2]); ${gathered}`, `${worker}function* step(a, b) { ${own} }`),
    rewritten: sized(`${all}yield* step(1, 2); ${gathered}`, `${worker}function* step(a, b) { ${own} }`),
  },
  {
    hint: 'name the parameters one by one',
    refused: sized(`${all}yield* step(1, 2); ${gathered}`, `${worker}function* step(...rest) { ${own} }`),
    rewritten: sized(`${all}yield* step(1, 2); ${gathered}`, `${worker}function* step(a, b) { ${own} }`),
  },
  {
    hint: "write spawn('name', function* (…) { … }, …) with the function itself or its name",
    refused: sized(
      `const one = yield* spawn('one', bound(worker), yield* self()); ${all}${gathered}`,
      `${worker}function bound(f) { return f }`,
    ),
    rewritten: sized(
      `const first = yield* spawn('one', worker, yield* self()); ${all}yield* receive('done', { from: first }); ${gathered}`,
    ),
  },
  {
    hint: perform,
    refused: sized(`${all}const sent = [1].map(() => { throw new Error('no') }); ${gathered}`),
    rewritten: sized(`${all}for (const one of [1]) { if (one > 1) throw new Error('no') }; ${gathered}`),
  },
  {
    hint: 'pass what the process needs as arguments',
    refused: sized(
      `${all}yield* step(); ${gathered}`,
      `${worker}function* step() { yield* assert(this === undefined) }`,
    ),
    rewritten: sized(
      `${all}yield* step({ x: 1 }); ${gathered}`,
      `${worker}function* step(own) { yield* assert(own.x === 1) }`,
    ),
  },
  {
    hint: 'write yield* in front of every operation',
    refused: sized(`${all}const x = yield 1; ${gathered}`),
    rewritten: sized(`${all}const x = yield* self(); ${gathered}`),
  },
  {
    hint: 'perform operations and functions where they are called: yield* f(…)',
    refused: sized(`${all}const later = [1, 2]; yield* later; ${gathered}`),
    rewritten: sized(`${all}yield* step(); ${gathered}`, `${worker}function* step() { ${own} }`),
  },
  {
    hint: 'addresses come from spawn, self, fields of messages, for…of over a set and choose(…)',
    refused: sized(
      `${all}const to = [yield* self()].find(Boolean); yield* send(to, { kind: 'x' }); yield* receive('x'); ${gathered}`,
    ),
    rewritten: sized(
      `${all}const to = yield* self(); yield* send(to, { kind: 'x' }); yield* receive('x'); ${gathered}`,
    ),
  },
]

follows(hints)
