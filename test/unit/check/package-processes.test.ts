/** Packages in async processes: what is async in them runs under control, as ES modules and as CommonJS; wrongly used, they are found out. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import type { LoadedProgram } from '../../../src/frontends/frontend.ts'
import { checkResult } from '../../../src/index.ts'

/** A counter that two activities raise, behind a guard. */
const guarded = (guard: string, run: (at: string) => string): string =>
  `${guard}; let n = 0; const raise = async () => { const was = n; await null; n = was + 1 }
  await Promise.all([1, 2].map((at) => ${run('at')})); await assert(n === 2)`

type Answers = readonly [verdict: string, executions: number]

const all: { readonly [name: string]: readonly [body: string, ...Answers] } = {
  'p-limit': [guarded('const limit = pLimit(1)', () => 'limit(raise)'), 'verified', 1],
  'p-limit of two': [guarded('const limit = pLimit(2)', () => 'limit(raise)'), 'violated', 0],
  'p-limit of the module': [guarded('', () => 'shared(raise)'), 'verified', 1],
  'p-queue': [guarded('const queue = new PQueue({ concurrency: 1 })', () => 'queue.add(raise)'), 'verified', 1],
  'p-queue of two': [guarded('const queue = new PQueue({ concurrency: 2 })', () => 'queue.add(raise)'), 'violated', 0],
  'async-mutex': [guarded('const mutex = new Mutex()', () => 'mutex.runExclusive(raise)'), 'verified', 1],
  'async-lock': [guarded('const lock = new AsyncLock()', () => `lock.acquire('k', raise)`), 'verified', 1],
  'async-lock by other keys': [
    guarded('const lock = new AsyncLock()', (at) => `lock.acquire('k' + ${at}, raise)`),
    'violated',
    0,
  ],
  'generic-pool': [
    guarded(
      'const p = pool.createPool({ create: async () => ({}), destroy: async () => {} }, { max: 1 })',
      () => 'p.use(raise)',
    ),
    'verified',
    1,
  ],
  'p-timeout': [
    `let name; try { await pTimeout(new Promise(() => {}), { milliseconds: 5 }) } catch (error) { name = error.name }; await assert(name === 'TimeoutError')`,
    'verified',
    1,
  ],
  dataloader: [
    `let batches = 0; const loader = new DataLoader(async (keys) => { batches++; await self(); return keys.map((key) => key * 10) })
    const [a, b] = await Promise.all([loader.load(1), loader.load(2)]); await assert(a + b === 30 && batches === 1)`,
    'verified',
    1,
  ],
  'lru-cache': [
    `const cache = new LRUCache({ max: 2, ttl: 10 }); cache.set('a', 1); await assert(cache.get('a') === 1)
    await new Promise((resolve) => setTimeout(resolve, 100)); await assert(cache.get('a') === undefined)`,
    'verified',
    1,
  ],
  // Each sends two messages in its order: 4! / (2! · 2!).
  'p-limit in two processes': [
    `const me = await self(); const worker = async (n) => { const limit = pLimit(1); await Promise.all([n, n + 1].map((x) => limit(() => send(me, x)))) }
    await spawn('a', worker, 1); await spawn('b', worker, 3)
    let sum = 0; for (let got = 0; got < 4; got++) sum += await receive(); await assert(sum === 10)`,
    'verified',
    6,
  ],
}

const names = Object.keys(all)
const folder = mkdtempSync(join(tmpdir(), 'allways-async-packages-'))
let programs: readonly LoadedProgram[] = []

beforeAll(async () => {
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  const head = `import AsyncLock from 'async-lock'
import { Mutex } from 'async-mutex'
import { assert, program, receive, self, send, spawn } from 'allways'
import DataLoader from 'dataloader'
import pool from 'generic-pool'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import PQueue from 'p-queue'
import pTimeout from 'p-timeout'
const shared = pLimit(1)
`
  const written = names.map((name, at) => `export const p${at} = program('p${at}', async () => { ${all[name]?.[0]} })`)
  writeFileSync(join(folder, 'p.check.mjs'), head + written.join('\n'))
  const loaded = await loadPrograms(join(folder, 'p.check.mjs'))
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message)
  programs = loaded.value.programs
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(names.map((name, at) => [name, at] as const))('%s', async (name, at) => {
  const { program } = programs.find(({ exportName }) => exportName === `p${at}`) as LoadedProgram
  const result = await checkResult(program)
  const [, verdict, executions] = all[name] ?? []
  expect(result.ok ? [result.value.kind, result.value.counts.executions] : result.diagnostics).toEqual([
    verdict,
    executions,
  ])
})
