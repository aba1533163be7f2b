/** What Node gives programs, in async processes: events as promises, storage along calls, intervals, clocks, names of classes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import type { LoadedProgram } from '../../../src/frontends/frontend.ts'
import { checkResult } from '../../../src/index.ts'

/** Each holds in plain Node, where operations are async functions that give something at once. */
const holds: { readonly [name: string]: string } = {
  'once of an emitter': `const bus = new EventEmitter(); setImmediate(() => bus.emit('go', 3)); await assert((await once(bus, 'go'))[0] === 3)`,
  'once of the class, named': `const bus = new EventEmitter(); setImmediate(() => bus.emit('go', 3)); await assert((await EventEmitter.once(bus, 'go'))[0] === 3)`,
  'once rejects by error': `const bus = new EventEmitter(); setImmediate(() => bus.emit('error', new Error('x'))); let caught; try { await once(bus, 'go') } catch (e) { caught = e } await assert(caught.message === 'x')`,
  'once of a target': `const t = new EventTarget(); queueMicrotask(() => t.dispatchEvent(new Event('x'))); const [e] = await once(t, 'x'); await assert(e.type === 'x')`,
  'once with a signal': `const c = new AbortController(); setTimeout(() => c.abort(), 5); let name; try { await once(new EventEmitter(), 'go', { signal: c.signal }) } catch (e) { name = e.name } await assert(name === 'AbortError')`,
  'on as an iterator': `const bus = new EventEmitter(); const seen = []; setImmediate(() => { bus.emit('d', 1); bus.emit('d', 2) }); for await (const [v] of on(bus, 'd')) { seen.push(v); if (seen.length === 2) break } await assert(seen.join() === '1,2')`,
  'a listener with a signal': `const t = new EventTarget(); const c = new AbortController(); let n = 0; t.addEventListener('x', () => n++, { signal: c.signal }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); await assert(n === 1)`,
  intervals: `let n = 0; for await (const _ of every(5)) if (++n === 3) break; await assert(n === 3)`,
  'scheduler.wait': `const before = Date.now(); await scheduler.wait(5); await assert(Date.now() - before >= 5)`,
  'storage behind an await': `await als.run(7, async () => { await null; await assert(als.getStore() === 7) }); await assert(als.getStore() === undefined)`,
  'storage behind an operation': `await als.run(7, async () => { await self(); await assert(als.getStore() === 7) }); await self(); await assert(als.getStore() === undefined)`,
  'storage of two requests': `const h = async (id) => { await self(); const one = als.getStore() === id; await null; return one && als.getStore() === id }; const both = await Promise.all([als.run('a', () => h('a')), als.run('b', () => h('b'))]); await assert(both.join() === 'true,true')`,
  'storage where a call is awaited outside': `const h = async () => { await self(); await null; return als.getStore() }; const a = als.run('a', () => h()); const b = als.run('b', () => h()); await assert(als.getStore() === undefined); await assert((await a) + (await b) === 'ab'); await assert(als.getStore() === undefined)`,
  'storage in a callback and a timer': `const seen = await new Promise((done) => als.run(1, () => setTimeout(() => Promise.resolve().then(() => done(als.getStore())), 1))); await assert(seen === 1)`,
  'storage entered for good': `const h = async () => { await null; als.enterWith(5); await self(); return als.getStore() }; const got = await h(); await assert(got === 5)`,
  'storage caught in a catch': `await als.run(3, async () => { try { await (async () => { await self(); throw 1 })() } catch { await assert(als.getStore() === 3) } })`,
  'a bound function': `const bound = als.run(4, () => AsyncLocalStorage.bind(() => als.getStore())); await null; await assert(bound() === 4)`,
  'the clock has begun': `await assert(performance.now() > 0 && performance.timeOrigin + performance.now() === Date.now())`,
  'the constructor of a promise': `await assert(Promise.resolve(1).constructor === Promise && (async () => {})().constructor === Promise && new Promise(() => {}) instanceof Promise)`,
  'kept Promise': `await assert(Kept.resolve(1) instanceof Promise && Promise.resolve(1) instanceof Kept)`,
  'a clone of a promise': `let name; try { structuredClone({ p: Promise.resolve() }) } catch (e) { name = e.name } await assert(name === 'DataCloneError')`,
  'a clone': `await assert(structuredClone({ a: [1] }).a[0] === 1)`,
}

const head = `
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, on, once } from 'node:events'
import { scheduler, setInterval as every } from 'node:timers/promises'
import { assert, program, self } from 'allways'
const als = new AsyncLocalStorage()
const Kept = Promise
`
const names = Object.keys(holds)
const folder = mkdtempSync(join(tmpdir(), 'allways-host-'))
let programs: readonly LoadedProgram[] = []

beforeAll(async () => {
  const file = join(folder, 'p.check.mjs')
  const written = names.map((name, at) => `export const p${at} = program('p${at}', async () => { ${holds[name]} })`)
  writeFileSync(file, head + written.join('\n'))
  const loaded = await loadPrograms(file)
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message)
  programs = loaded.value.programs
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(names.map((name, at) => [name, at] as const))('%s', async (_, at) => {
  const { program } = programs.find(({ exportName }) => exportName === `p${at}`) as LoadedProgram
  const result = await checkResult(program)
  expect(result.ok ? result.value.kind : result.diagnostics).toBe('verified')
})

test('all of it holds in plain Node', async () => {
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const {
    default: EventEmitter,
    on,
    once,
  } = (await import('node:events')) as unknown as { default: object; on: object; once: object }
  const timers = await import('node:timers/promises')
  const failed: string[] = []
  const given = {
    AsyncLocalStorage,
    ...{ EventEmitter, on, once },
    ...{ scheduler: timers.scheduler, every: timers.setInterval, self: async () => 1, Kept: Promise },
  }
  for (const name of names) {
    const assert = async (held: boolean): Promise<void> => void (held || failed.push(name))
    const all = { ...given, assert, als: new AsyncLocalStorage() }
    await (new Function(...Object.keys(all), `return (async () => { ${holds[name]} })()`)(
      ...Object.values(all),
    ) as Promise<void>)
  }
  // A clock of whole milliseconds beside one of fractions.
  expect(failed).toEqual(['the clock has begun'])
})

test('an emitter that captures what listeners reject with is refused', async () => {
  const file = join(folder, 'capturing.check.mjs')
  const body = 'await null; new EventEmitter({ captureRejections: true })'
  writeFileSync(file, `${head}export default program('capturing', async () => { ${body} })`)
  const loaded = await loadPrograms(file)
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message)
  const [found] = loaded.value.programs
  if (found === undefined) throw new Error('there is a program')
  const result = await checkResult(found.program)
  expect(result.ok ? result.value.kind : result.diagnostics).toMatchObject([
    { code: 'E208', message: expect.stringContaining('captureRejections'), place: { line: expect.any(Number) } },
  ])
})
