/** Async processes at their edges: their end, what is refused, and what promises are to the program. */
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { guardDeterminism } from '../../../src/check/guard.ts'
import { transform } from '../../../src/frontends/typescript/transform.ts'
import * as allways from '../../../src/index.ts'
import * as coroutine from '../../../src/model/coroutine.ts'
import { counts, violations } from './shared/explored.ts'

/** Executions and blocked ones, and what is violated, of a program whose main process is this. */
function found(body: string, before = ''): { readonly counts: string; readonly violations: readonly string[] } {
  const names = 'assert, atomic, choose, join, mutex, poll, program, receive, self, send, spawn'
  const source = `import { ${names} } from 'allways'\n${before}\nexport default program('p', async () => {\n${body}\n})`
  const result = transform(source, 'sample.js')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const { code } = transformSync(result.value.code, { loader: 'js', format: 'cjs', target: 'node20' })
  const module = { exports: {} as { default?: allways.Program } }
  const release = guardDeterminism()
  try {
    const required = (name: string) => (name === 'allways' ? allways : coroutine)
    new Function('module', 'exports', 'require', code)(module, module.exports, required)
    const program = module.exports.default as allways.Program
    const violated = violations(program)
    return { counts: violated.some((one) => /^E\d/.test(one)) ? '' : counts(program), violations: violated }
  } finally {
    release()
  }
}

const late = `const late = (ms) => new Promise((resolve) => setTimeout(() => resolve('late'), ms))`

test('a process ends although a receive that lost its race is pending', () => {
  const worker = `const worker = await spawn('worker', async () => { await Promise.race([receive(), late(5)]) })`
  expect(found(`${worker}; await join(worker)`, late)).toEqual({ counts: '1/0', violations: [] })
})

test('a process whose function has settled waits as a daemon does for what an activity waits for', () => {
  expect(found(`(async () => { await receive('never') })()`)).toEqual({ counts: '1/0', violations: [] })
})

test('who joins it waits for ever', () => {
  const worker = `const worker = await spawn('worker', async () => { (async () => { await receive('never') })() })`
  expect(found(`${worker}; await join(worker)`).counts).toBe('0/1')
})

test('a promise that nobody can settle is a deadlock', () => {
  expect(found('await new Promise(() => {})')).toEqual({
    counts: '0/1',
    violations: ['deadlock: main waits for a promise that nobody can settle'],
  })
})

test('a rejection that nobody handles is a violation, after what was called before', () => {
  const rejects = `Promise.reject(new Error('nobody')); await send(await self(), 1)`
  expect(found(rejects).violations).toEqual(['exception: Error: nobody'])
  expect(found(`assert(false, 'first'); throw new Error('second')`).violations).toEqual(['assertion: first'])
})

test('an operation acts when it is called, awaited or not', () => {
  const order = `const me = await self(); send(me, 1); const two = send(me, 2); await receive((n) => n === 2); await two`
  expect(found(order).violations).toEqual([])
})

test('operations and calls are promises', () => {
  const asserts = `
    const me = await self()
    const call = (async () => 7)()
    await assert(call instanceof Promise && typeof call.then === 'function' && Promise.resolve(call) === call, 'a promise')
    await assert((await call) === 7 && (await call) === 7, 'awaited twice')
    const got = receive()
    send(me, 'hello')
    await assert((await got) === 'hello' && (await got.then((text) => text + '!')) === 'hello!', 'an answer')`
  expect(found(asserts).violations).toEqual([])
})

test('a poll takes nothing that an older receive waits for', () => {
  const body = `
    const me = await self()
    const older = receive('a')
    await send(me, { kind: 'a' })
    await send(me, { kind: 'b' })
    const polled = await poll()
    await assert(polled === undefined || polled.kind === 'b', 'the older one waits for a')
    await older`
  // With queues of senders, the other message is behind that one, which nobody has received so far.
  expect(found(body)).toEqual({ counts: '2/0 2/0 2/0 2/0 1/0', violations: [] })
})

test('a message that is undefined is refused where a timer may fire instead', () => {
  const body = `await send(await self(), undefined); await Promise.race([receive(), late(5)])`
  expect(found(body, late).violations.join()).toMatch(/^E208: the message undefined may come where a timer is armed/)
})

test('timers without end and without an operation are refused', () => {
  expect(found('setInterval(() => {}, 5)').violations.join()).toMatch(/^E202: process "main" only lets timers fire/)
})

test('a promise of another process is refused', () => {
  const before = 'let shared'
  const body = `
    shared = new Promise(() => {})
    await spawn('other', async () => { await Promise.race([receive(), shared]) })
    await spawn('third', async () => { await shared })`
  // Nobody settles it; what matters is that nothing of one process runs in the other.
  expect(found(body, before).violations.length).toBe(1)
})

test('a signal withdraws a receive, and so does the time within which it waits', () => {
  const body = `
    const controller = new AbortController()
    const first = receive('a', { signal: controller.signal }).catch((error) => error.name)
    controller.abort()
    await assert((await first) === 'AbortError', 'rejected')
    await assert((await receive('a', { within: 5 })) === undefined, 'nothing came')
    await send(await self(), { kind: 'a' })
    await receive('a')`
  expect(found(body)).toEqual({ counts: '1/0', violations: [] })
})

test('a generator waits within a time by a poll, and takes no signal', () => {
  const program = allways.program('p', function* () {
    yield* allways.send(yield* allways.self(), { kind: 'a' })
    yield* allways.receive('a', { within: 5 })
  })
  expect([counts(program), violations(program)]).toEqual(['2/0', []])
  const signalled = allways.program('p', function* () {
    yield* allways.receive('a', { signal: new AbortController().signal })
  })
  expect(violations(signalled).join()).toMatch(/^E208: receive\(\) was given a signal in a generator/)
})

test('operations of shared objects act once, in the order of their calls, awaited or not', () => {
  const released = `const lock = await mutex('lock'); const count = await atomic('count', 1)
    await lock.acquire(); const released = lock.release(); count.update((n) => n + 1); await count.store(7)
    await assert((await count.load()) === 7); await released; await lock.acquire()`
  expect(found(released).violations).toEqual([])
})

test('activities that ask shared objects at once get each their own reply', () => {
  const waiting = `const lock = await mutex('lock'); const count = await atomic('count', 7)
    await lock.acquire(); const again = lock.acquire(); const tried = lock.tryAcquire(); const loaded = count.load()
    await assert((await loaded) === 7 && (await tried) === false); await lock.release(); await again`
  // Two replies are under way at once, from two servers: they come in both orders.
  expect(found(waiting)).toEqual({ counts: '2/0', violations: [] })
})

test('a receive that takes anything leaves replies to those who asked', () => {
  const any = `const me = await self(); const count = await atomic('count', 7); const any = receive()
    await assert((await count.load()) === 7); await send(me, 3); await assert((await any) === 3)`
  expect(found(any)).toEqual({ counts: '1/0', violations: [] })
})
