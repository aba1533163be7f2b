/** Clients of a class that threads explore ahead: the answer and the counts are those of one thread. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunOptions } from '../../../src/check/run.ts'
import { vacuityIn } from '../../../src/core/verdict.ts'
import { long, longIf } from '../../amount.ts'
import { fixtures } from '../../cli/harness.ts'
import { checked, listenToThreads, told, withoutStacks } from './threads.ts'

const file = join(process.cwd(), fixtures, 'objects', 'ahead.check.ts')

listenToThreads()

const ended = () => told.filter(({ kind }) => kind === 'ended').length

const rows = [
  ['Tally', false],
  ['Tiring', false],
  ['Named', true],
] as const

for (const [name, keepGoing] of rows) {
  const isFurther = name !== 'Tally'
  test(`${name}: as one thread finds it`, { ...longIf(isFurther, isFurther), timeout: 60_000 }, async () => {
    const options = { keepGoing, causes: false }
    const alone = await checked({ name, file, options })
    const together = await checked({ name, file, options: { ...options, workers: 2 } })
    expect(withoutStacks(together.verdict)).toEqual(withoutStacks(alone.verdict))
    expect(vacuityIn(together.verdict)).toEqual(vacuityIn(alone.verdict))
    expect(ended()).toBeGreaterThan(0)
  })
}

test('what a budget left is explored by others, with the counts of one thread', {
  ...long,
  timeout: 60_000,
}, async () => {
  const alone = await checked({ name: 'Tally', file, options: {} })
  let rest: RunOptions['resume']
  for (const [workers, time] of [
    [3, '300ms'],
    [1, '20ms'],
    [2, '10m'],
  ] as const) {
    const part = await checked({ name: 'Tally', file, options: { workers, time } }, rest)
    if (part.verdict.kind === 'incomplete') rest = part.rest
    else expect(part.verdict.counts).toEqual(alone.verdict.counts)
  }
})

test('a thread that dies leaves its clients to the sweep', { timeout: 60_000 }, async () => {
  const text = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => { throw new Error('for no reason') })
    parentPort.postMessage({ kind: 'ready' })
  `
  const change = { file: new URL(`data:text/javascript,${encodeURIComponent(text)}`) }
  const alone = await checked({ name: 'Tally', file, options: {} })
  const together = await checked({ name: 'Tally', file, options: { workers: 3 }, change })
  expect(together.verdict).toMatchObject({ kind: 'verified', counts: alone.verdict.counts })
  expect(told.some(({ kind }) => kind === 'ready')).toBe(true)
})
