import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Threads } from '../../../src/check/drive.ts'
import type { RunOptions } from '../../../src/check/run.ts'
import { vacuityIn } from '../../../src/core/verdict.ts'
import { cut, longIf, oneIn } from '../../amount.ts'
import { fixtures } from '../../cli/harness.ts'
import { corpusFolder } from '../../corpus/answers.ts'
import { checked, listenToThreads, told, withoutStacks } from './threads.ts'

listenToThreads()

const eight = { params: { n: 8 } }

/** What one thread says, asked once. */
let known: ReturnType<typeof checked> | undefined
const byOne = () => (known ??= checked({ name: 'nworkers', options: eight }))

describe('threads', () => {
  test('explore a search together, with the counts of one', { timeout: 60_000 }, async () => {
    const alone = await byOne()
    expect(told).toEqual([])
    const together = await checked({ name: 'nworkers', options: { ...eight, workers: 3 } })
    expect(together.verdict).toMatchObject({ kind: 'verified', counts: alone.verdict.counts })
    expect(vacuityIn(together.verdict)).toEqual(vacuityIn(alone.verdict))
    expect(told.some(({ kind }) => kind === 'ended')).toBe(true)
  })

  test('are ended by a budget of time, and others go on from there', { ...longIf(true), timeout: 60_000 }, async () => {
    const alone = await byOne()
    let rest: RunOptions['resume']
    for (const workers of [3, 2, 1]) {
      const time = workers === 1 ? '10m' : '400ms'
      const part = await checked({ name: 'nworkers', options: { ...eight, workers, time } }, rest)
      if (part.verdict.kind === 'incomplete') {
        expect(part.verdict.because).toBe('time')
        rest = part.rest
        expect(rest?.units.length).toBeGreaterThan(0)
      } else expect(part.verdict.counts).toEqual(alone.verdict.counts)
    }
  })

  const endings = [
    ['dies', "throw new Error('for no reason')"],
    ['ends', 'process.exit(0)'],
    ['fails', "parentPort.postMessage({ kind: 'unfit' })"],
  ] as const

  test.each(oneIn(3, endings))(
    'one that %s when it is given something leaves it to the others',
    { ...cut, timeout: 60_000 },
    async (_how, act) => {
      const text = `
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => { ${act} })
      parentPort.postMessage({ kind: 'ready' })
    `
      const file = new URL(`data:text/javascript,${encodeURIComponent(text)}`)
      const alone = await byOne()
      const together = await checked({ name: 'nworkers', options: { ...eight, workers: 3 }, change: { file } })
      expect(together.verdict).toMatchObject({ kind: 'verified', counts: alone.verdict.counts })
      expect(told.some(({ kind }) => kind === 'ready')).toBe(true)
    },
  )

  const others: readonly (readonly [string, Partial<Threads>])[] = [
    ['whose sources have changed', { digest: 'another' }],
    ['that is another one of the same name', { exportName: 'other' }],
    ['that is not there', { path: join(corpusFolder, 'nowhere.check.ts') }],
    ['asked something else', { options: { params: { n: 7 } } }],
  ]
  for (const [at, [which, change]] of others.entries())
    test(`explore no program ${which}`, { ...longIf(at > 0, at > 1), timeout: 60_000 }, async () => {
      const together = await checked({ name: 'nworkers', options: { ...eight, workers: 2 }, change })
      expect(together.verdict).toMatchObject({ kind: 'verified', counts: { executions: 80_640 } })
      expect(told).toEqual([{ kind: 'unfit' }])
    })

  test('find the first violation of one thread', { ...longIf(true), timeout: 60_000 }, async () => {
    const file = join(process.cwd(), fixtures, 'late.check.ts')
    const asked = { name: 'late', file, options: { params: { n: 8 } } }
    const alone = await checked(asked)
    expect(alone.verdict.kind).toBe('violated')
    const together = await checked({ ...asked, options: { ...asked.options, workers: 3 } })
    expect(withoutStacks(together.verdict)).toEqual(withoutStacks(alone.verdict))
    expect(told.some(({ kind }) => kind === 'ready')).toBe(true)
  })
})
