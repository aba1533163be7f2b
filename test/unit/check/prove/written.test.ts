/** Programs as people write them, each with what prove says of it; check contradicts none. */
import { describe, expect, test } from 'vitest'
import { cut, oneIn } from '../../../amount.ts'
import { judged, usual } from '../../../hostile/judge.ts'
import { imports, loaded } from '../../../hostile/loaded.ts'

type Written = readonly [name: string, said: 'proved' | 'violated' | 'incomplete', text: string]

const told = `function* worker(main) { yield* send(main, { kind: 'done' }) }`

const bounds: readonly Written[] = [
  [
    'rounds up to n - 1, and from 1 on',
    'proved',
    `function* worker(main, n) { for (let i = 0; i < n - 1; i++) yield* send(main, { kind: 'tick' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const one = yield* spawn('worker', worker, yield* self(), n)
  for (let i = 1; i < n; i++) yield* receive('tick', { from: one })
})`,
  ],
  [
    'rounds up to n + 1, and up to n inclusive',
    'proved',
    `function* worker(main, n) { for (let i = 0; i <= n; i++) yield* send(main, { kind: 'tick' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const one = yield* spawn('worker', worker, yield* self(), n)
  for (let i = 0; i < n + 1; i++) yield* receive('tick', { from: one })
})`,
  ],
  [
    'a round less than there are messages',
    'incomplete',
    `function* worker(main, n) { for (let i = 0; i < n; i++) yield* send(main, { kind: 'tick' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const one = yield* spawn('worker', worker, yield* self(), n)
  for (let i = 0; i < n - 1; i++) yield* receive('tick', { from: one })
})`,
  ],
  [
    'a message less than there are rounds, which no round of n = 0 shows',
    'violated',
    `function* worker(main, n) { for (let i = 0; i < n - 1; i++) yield* send(main, { kind: 'tick' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const one = yield* spawn('worker', worker, yield* self(), n)
  for (let i = 0; i < n; i++) yield* receive('tick', { from: one })
})`,
  ],
  [
    'all but one of n, which is the main process',
    'proved',
    `${told}
export default program('p', { params: { n: every(2, { from: 1 }) } }, function* ({ n }) {
  yield* spawnAll(n - 1, 'worker', worker, yield* self())
  for (let i = 1; i < n; i++) yield* receive('done')
})`,
  ],
  [
    'a set of n + 1, which is never empty',
    'proved',
    `${told}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n + 1, 'worker', worker, yield* self())
  for (let i = 0; i < all.length; i++) yield* receive('done')
})`,
  ],
  [
    'jobs for some member of a set, which has members if there is a round',
    'proved',
    `function* worker() { while (true) { const { from } = yield* receive('job'); yield* send(from, { kind: 'done' }) } }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const all = yield* spawnAll(n, 'worker', { daemon: true }, worker)
  for (let i = 0; i < n - 1; i++) {
    const one = yield* choose(all)
    yield* send(one, { kind: 'job', from: me })
    yield* receive('done', { from: one })
  }
})`,
  ],
]

const server = `function* server() {
  while (true) {
    const { from } = yield* receive('try')
    yield* send(from, { kind: 'reply', ok: yield* choose([true, false]) })
  }
}`

const leaving: readonly Written[] = [
  [
    'attempts until one succeeds',
    'proved',
    `${server}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const at = yield* spawn('server', { daemon: true }, server)
  for (let i = 0; i < n; i++) {
    yield* send(at, { kind: 'try', from: yield* self() })
    const { ok } = yield* receive('reply')
    if (ok) break
  }
})`,
  ],
  [
    'a function that returns out of its loop, and what follows depends on it',
    'proved',
    `${server}
function* asks(at, n) {
  for (let i = 0; i < n; i++) {
    yield* send(at, { kind: 'try', from: yield* self() })
    const { ok } = yield* receive('reply')
    if (ok) return true
  }
  return false
}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const at = yield* spawn('server', { daemon: true }, server)
  if (!(yield* asks(at, n))) return
  yield* send(at, { kind: 'try', from: yield* self() })
  yield* receive('reply')
})`,
  ],
  [
    'loops in loops, left in several ways',
    'proved',
    `export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (j === i) break
      const chosen = yield* choose([1, 2, 3])
      if (chosen === 1) { if (i > 0) continue }
      else if (chosen === 2) return
      yield* send(me, { kind: 'x' })
      yield* receive('x')
    }
    if (i === 2) break
  }
})`,
  ],
  [
    'a loop over a set that leaves messages',
    'incomplete',
    `${told}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  for (const one of yield* spawnAll(n, 'worker', worker, yield* self())) {
    yield* receive('done', { from: one })
    break
  }
})`,
  ],
  [
    'a loop without operations that decides whether a message is sent',
    'violated',
    `function* worker(main, n) {
  for (let i = 0; i < n; i++) { if (i > 1) return }
  yield* send(main, { kind: 'done' })
}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  yield* spawn('worker', worker, yield* self(), n)
  yield* receive('done')
})`,
  ],
]

const lists: readonly Written[] = [
  [
    'a list filled by spawn, and its members by their index',
    'proved',
    `function* worker(main) { yield* receive('go'); yield* send(main, { kind: 'done' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const workers = []
  for (let i = 0; i < n; i++) workers.push(yield* spawn('worker', worker, me))
  for (let i = 0; i < n; i++) yield* send(workers[i], { kind: 'go' })
  for (let i = 0; i < workers.length; i++) yield* receive('done', { from: workers.at(i) })
})`,
  ],
  [
    'members of spawnAll by their index',
    'proved',
    `function* worker(main) { yield* receive('go'); yield* send(main, { kind: 'done' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'worker', worker, yield* self())
  for (let i = 0; i < n; i++) { yield* send(all[i], { kind: 'go' }); yield* receive('done', { from: all[i] }) }
})`,
  ],
  [
    'numbered names, and an argument that is the index',
    'proved',
    `function* worker(main, id) { const { i } = yield* receive('go'); yield* assert(i === id, 'mine'); yield* send(main, { kind: 'done', id }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const workers = []
  for (let i = 0; i < n; i++) {
    const one = yield* spawn(\`worker \${i}\`, worker, yield* self(), i)
    workers.push(one)
  }
  for (let i = 0; i < n; i++) yield* send(workers[i], { kind: 'go', i })
  for (const w of workers) yield* receive('done', { from: w })
})`,
  ],
  [
    'an index that is not the one of the member',
    'violated',
    `function* worker(main, id) { const { i } = yield* receive('go'); yield* assert(i === id, 'mine'); yield* send(main, { kind: 'done', id }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const workers = []
  for (let i = 0; i < n; i++) workers.push(yield* spawn(\`worker \${i}\`, worker, yield* self(), i))
  for (let i = 0; i < n; i++) yield* send(workers[i], { kind: 'go', i: i + 1 })
  for (const w of workers) yield* receive('done', { from: w })
})`,
  ],
  [
    'an index that the process closes over',
    'proved',
    `export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const workers = []
  for (let i = 0; i < n; i++) workers.push(yield* spawn('worker', function* () { yield* send(me, { kind: 'done', i }) }))
  for (let i = 0; i < n; i++) { const m = yield* receive('done', { from: workers[i] }); yield* assert(m.i === i, 'own') }
})`,
  ],
  [
    'a list of three, without a parameter',
    'proved',
    `function* worker(main) { yield* receive('go'); yield* send(main, { kind: 'done' }) }
export default program('p', function* () {
  const me = yield* self()
  const workers = []
  for (let i = 0; i < 3; i++) workers.push(yield* spawn('worker', worker, me))
  for (let i = 0; i < 3; i++) yield* send(workers[i], { kind: 'go' })
  for (let i = 0; i < 3; i++) yield* receive('done')
})`,
  ],
  [
    'a list that is empty until it is filled, and left early',
    'proved',
    `export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const workers = []
  for (const w of workers) yield* receive('never')
  for (let i = 0; i < n; i++) workers.push(yield* spawn('worker', { daemon: true }, function* () { while (true) { const { from } = yield* receive('q'); yield* send(from, { kind: 'a' }) } }))
  for (let i = 0; i < n; i++) { yield* send(workers[i], { kind: 'q', from: me }); const a = yield* receive('a', { from: workers[i] }); if (a.x) break }
})`,
  ],
  [
    'a loop that only spawns, with a namesake after it',
    'incomplete',
    `function* worker(main) { yield* send(main, { kind: 'done' }) }
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  for (let i = 0; i < n; i++) yield* spawn('worker', worker, me)
  yield* spawn('worker', worker, me)
  for (let i = 0; i < n; i++) yield* receive('done')
})`,
  ],
]

describe('lists of processes', () => {
  test.each(oneIn(4, lists))('%s: %s', cut, async (_name, said, text) => {
    expect(await judged(loaded(imports + text), usual)).toMatchObject({ said, problem: undefined, codes: [] })
  })

  test.each([
    ['an index that leaves one out', 'for (let i = 1; i < n; i++) yield* send(all[i], { kind: "go" })'],
    ['an index that is computed', 'for (let i = 0; i < n; i++) yield* send(all[(i + 1) % n], { kind: "go" })'],
  ])('%s is refused', async (_name, loop) => {
    const text = `export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'worker', function* () { yield* receive('go') })
  ${loop}
})`
    expect(await judged(loaded(imports + text), usual)).toMatchObject({ problem: undefined, codes: ['E415'] })
  })

  test('a list that something else is added to is refused', async () => {
    const text = `export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = []
  for (let i = 0; i < n; i++) all.push(yield* spawn('worker', function* () { yield* receive('go') }))
  all.push(yield* self())
  for (const one of all) yield* send(one, { kind: 'go' })
})`
    expect((await judged(loaded(imports + text), usual)).codes).toContain('E408')
  })
})

describe('loops that are left early', () => {
  test.each(oneIn(2, leaving))('%s: %s', cut, async (_name, said, text) => {
    expect(await judged(loaded(imports + text), usual)).toMatchObject({ said, problem: undefined, codes: [] })
  })
})

describe('bounds', () => {
  test.each(oneIn(2, bounds))('%s: %s', cut, async (_name, said, text) => {
    expect(await judged(loaded(imports + text), usual)).toMatchObject({ said, problem: undefined, codes: [] })
  })
})

test('a variable that is perhaps never set may decide an assertion', async () => {
  const text = `${told}
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'worker', worker, yield* self())
  for (const one of all) yield* receive('done', { from: one })
  let found
  for (const one of all) { found = one }
  yield* assert(found === undefined, 'nobody')
})`
  expect(await judged(loaded(imports + text), usual)).toMatchObject({ said: 'violated', problem: undefined })
}, 30_000)
