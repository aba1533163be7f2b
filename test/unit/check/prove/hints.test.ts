/** What a refusal says to write instead is proved: each program with the hint it gets, and the same program as the hint says. */
import { all, follows, gathered, type Hinted, sized, worker } from './followed.ts'

const hints: readonly Hinted[] = [
  {
    hint: 'use receive; what may happen instead of a message, let another process send',
    refused: sized(`${all}yield* poll(); ${gathered}`),
    rewritten: sized(`${all}${gathered}`),
  },
  {
    hint: 'pass it as an argument of spawn(…) if it is known at the beginning, or send it in a message',
    refused: sized(
      `let value = 1; value++
const all = yield* spawnAll(n, 'worker', function* (main) { yield* send(main, { kind: 'done', value }) }, yield* self())
${gathered}`,
      '',
    ),
    rewritten: sized(
      `const all = yield* spawnAll(n, 'worker', function* (main, value) {
  yield* send(main, { kind: 'done', value })
}, yield* self(), 2)
${gathered}`,
      '',
    ),
  },
  {
    hint: 'write the options down: choose([first, second]); or pass the set that spawnAll gave',
    refused: sized(`${all}yield* choose([1, 2].map((x) => x)); ${gathered}`),
    rewritten: sized(`${all}yield* choose([2, 3]); ${gathered}`),
  },
  {
    hint: 'go through the set that spawnAll(…) gave, or count with repeat(k, …); an array built at run time has no size that prove knows',
    refused: sized(`${all}const rounds = [1].concat([2])
for (const round of rounds) yield* receive('done')`),
    rewritten: sized(`${all}for (const one of all) yield* receive('done', { from: one })`),
  },
  {
    hint: 'count the rounds with repeat(k, …) or for (let i = 0; i < k; i++), or wait for an answer in every round',
    refused: sized(
      `const one = yield* spawn('worker', worker, yield* self(), n); yield* repeat(n, function* () { yield* receive('x') })`,
      `function* worker(main, n) { let i = 0; while (i < n) { yield* send(main, { kind: 'x' }); i++ } }`,
    ),
    rewritten: sized(
      `const one = yield* spawn('worker', worker, yield* self(), n); yield* repeat(n, function* () { yield* receive('x') })`,
      `function* worker(main, n) { for (let i = 0; i < n; i++) { yield* send(main, { kind: 'x' }) } }`,
    ),
  },
  {
    hint: 'end the case with break, return or continue; cases with the same body may stand in a row',
    refused: sized(`${all}switch (yield* choose([1, 2])) {
  case 1: yield* send(yield* self(), { kind: 'x' })
  case 2: yield* send(yield* self(), { kind: 'x' })
}
${gathered}`),
    rewritten: sized(`${all}switch (yield* choose([1, 2])) {
  case 1:
  case 2: yield* send(yield* self(), { kind: 'x' }); yield* receive('x'); break
}
${gathered}`),
  },
  {
    hint: 'take the fields one by one: const { from, value } = …; write the default as a condition',
    refused: sized(`${all}for (const one of all) { const { value = 2 } = yield* receive('done', { from: one }) }`),
    rewritten: sized(`${all}for (const one of all) { const { value } = yield* receive('done', { from: one }) }`),
  },
  {
    hint: 'let n begin at 1: every(…, { from: 1 })',
    refused: sized(`yield* spawnAll(n - 1, 'worker', worker, yield* self())
for (let i = 1; i < n; i++) yield* receive('done')`),
    rewritten: sized(
      `yield* spawnAll(n - 1, 'worker', worker, yield* self())
for (let i = 1; i < n; i++) yield* receive('done')`,
      worker,
      'every(2, { from: 1 })',
    ),
  },
  {
    hint: 'let the process send a message when it is done, and receive that',
    refused: sized(`const one = yield* spawn('worker', function* () {}); yield* join(one); ${all}${gathered}`),
    rewritten: sized(
      `const one = yield* spawn('one', worker, yield* self()); ${all}yield* receive('done', { from: one }); ${gathered}`,
    ),
  },
  {
    hint: 'write for (const one of …) { yield* send(one, …) }',
    refused: sized(`${all}yield* send(all, { kind: 'go' })`, `function* worker() { yield* receive('go') }`),
    rewritten: sized(
      `${all}for (const one of all) { yield* send(one, { kind: 'go' }) }`,
      `function* worker() { yield* receive('go') }`,
    ),
  },
  {
    hint: 'go through the set with for (const one of all), or for (let i = 0; i < all.length; i++) and all[i]; or let choose(…) pick a member; for one process alone use spawn(…); neighbours, as in a ring, are for check',
    refused: sized(`${all}for (let i = 0; i < n; i++) yield* receive('done', { from: all[n - i] })`),
    rewritten: sized(`${all}for (let i = 0; i < all.length; i++) yield* receive('done', { from: all[i] })`),
  },
  {
    hint: 'move the spawn up, before the first send, receive, loop and condition',
    refused: sized(`const me = yield* self()
yield* send(me, { kind: 'x' }); yield* receive('x'); ${all}${gathered}`),
    rewritten: sized(`const me = yield* self()
${all}yield* send(me, { kind: 'x' }); yield* receive('x'); ${gathered}`),
  },
  {
    hint: 'write the field down: message.field; tell kinds of messages apart with switch (message.kind)',
    refused: sized(`${all}for (const one of all) {
  const message = yield* receive('done', { from: one })
  const name = one === undefined ? 'kind' : 'value'
  yield* assert(message[name] === 1)
}`),
    rewritten: sized(`${all}for (const one of all) {
  const message = yield* receive('done', { from: one })
  yield* assert(message.value === 1)
}`),
  },
  {
    hint: 'use choose(…) where several values are possible',
    refused: sized(`${all}if (Math.random() > 0.5) { yield* send(yield* self(), { kind: 'x' }); yield* receive('x') }
${gathered}`),
    rewritten: sized(`${all}if (yield* choose([true, false])) {
  yield* send(yield* self(), { kind: 'x' }); yield* receive('x')
}
${gathered}`),
  },
  {
    hint: 'put the inner loop into a function, and return from it',
    refused: sized(`${all}outer: for (let i = 0; i < 2; i++) {
  for (let j = 0; j < 2; j++) { yield* send(yield* self(), { kind: 'x' }); yield* receive('x'); if (j === i) continue outer }
}
${gathered}`),
    rewritten: sized(
      `${all}for (let i = 0; i < 2; i++) yield* inner(i)
${gathered}`,
      `${worker}function* inner(i) {
  for (let j = 0; j < 2; j++) { yield* send(yield* self(), { kind: 'x' }); yield* receive('x'); if (j === i) return }
}`,
    ),
  },
]

follows(hints)
