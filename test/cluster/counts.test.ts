/** Searches that worker processes explore over Redis. Without one these tests are skipped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orThrow } from '../../src/core/diagnostic.ts'
import { vacuityIn } from '../../src/core/verdict.ts'
import { long, longIf } from '../amount.ts'
import { withoutStacks } from '../unit/check/threads.ts'
import { type Asked, alone, redisServer, root, sent, TestRedis } from './redis.ts'

const micro = 'corpus/microbenchmarks/model.check.ts'

/** Executions of the first are 9!·2/9 …: they are those of one thread, whose counts test/corpus knows. */
const searches: readonly Asked[] = [
  { file: micro, name: 'nworkers', options: { params: { n: 8 } } },
  { file: micro, name: 'ns+nr', options: { params: { n: 7 }, network: 'bag' } },
  { file: micro, name: 'ns+nr', options: { params: { n: 4 }, engine: 'exhaustive' } },
  { file: micro, name: 'nworkers', options: { params: { n: 8 }, engine: 'random', options: { samples: 20_000 } } },
  { file: 'test/cli/fixtures/late.check.ts', name: 'late', options: { params: { n: 8 } } },
  { file: 'test/cli/fixtures/late.check.ts', name: 'late', options: { params: { n: 7 }, keepGoing: true } },
]

describe.skipIf(redisServer === undefined)('two worker processes', long, () => {
  let redis: TestRedis

  beforeAll(async () => {
    redis = await TestRedis.started()
    await Promise.all([redis.worker(), redis.worker()])
  })

  afterAll(async () => {
    await redis?.ended()
  })

  for (const [at, asked] of searches.entries())
    test(
      `${asked.name} ${JSON.stringify(asked.options)}: the verdict of one thread, and no key is left`,
      longIf(true, at !== 4),
      async () => {
        const [{ result, notes }, expected] = [await sent(redis, asked), await alone(asked)]
        const { verdict } = orThrow(result)
        expect(withoutStacks(verdict)).toEqual(withoutStacks(expected))
        expect(vacuityIn(verdict)).toEqual(vacuityIn(expected))
        expect(notes.map(({ kind }) => kind)).toEqual(['begun'])
        expect(await redis.keys()).toEqual([])
      },
    )

  test('what a budget of time leaves is a checkpoint of one thread', longIf(true, true), async () => {
    const asked = { file: micro, name: 'nworkers', options: { params: { n: 9 }, time: '1500ms' } }
    const { verdict, rest } = orThrow((await sent(redis, asked)).result)
    expect(verdict).toMatchObject({ kind: 'incomplete', because: 'time' })
    expect(rest?.units.length).toBeGreaterThan(0)
    expect(await redis.keys()).toEqual([])
  })

  test('a submitter that dies is followed by another one', longIf(true, true), async () => {
    const redisFlags = ['--workers', redis.href, '--key-file', redis.keyFile]
    const bin = join(root, 'bin/allways.mjs')
    const begin = ['check', micro, '-t', 'nworkers', '--param', 'n=9', ...redisFlags]
    const first = spawn(process.execPath, [bin, ...begin], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    let told = ''
    first.stderr.on('data', (text: Buffer) => {
      told += text
    })
    while (!/note: run-/.test(told)) await delay(20)
    const run = /run-[0-9a-f]{16}/.exec(told)?.[0] ?? ''
    first.kill('SIGKILL')
    await once(first, 'exit')
    const { allways } = await import('../cli/harness.ts')
    const { code, stdout, stderr } = await allways(['check', '--resume', run, ...redisFlags, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // 9! · 2.
    expect(JSON.parse(stdout).results[0].counts.executions).toBe(725_760)
    expect(await redis.keys()).toEqual([])
  })
})
