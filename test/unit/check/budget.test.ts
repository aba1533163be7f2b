import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { parseBytes, parseDuration, parseWait } from '../../../src/check/budget.ts'
import { heapOfThread } from '../../../src/check/host.ts'

describe('durations', () => {
  test.each([
    ['60s', 60_000],
    ['250ms', 250],
    ['1.5m', 90_000],
    ['10 min', 600_000],
    ['2H', 7_200_000],
    ['1h1m', 3_660_000],
    ['1h 30m 5s', 5_405_000],
    [1234, 1234],
  ])('%s is %d milliseconds', (written, expected) => {
    expect(parseDuration(written, '--time')).toEqual({ ok: true, value: expected })
  })

  test.each([
    '',
    '60',
    'soon',
    '-5s',
    '0s',
    '5 parsecs',
    '1m1h',
    '1m1m',
    '1h30',
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%s is refused with E107', (written) => {
    expect(parseDuration(written, '--time')).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E107',
          message: expect.stringContaining('--time is'),
          hint: 'write for example 500ms, 60s, 10m, 1h30m',
        },
      ],
    })
  })
})

describe('amounts of memory', () => {
  test.each([
    ['1gb', 1_073_741_824],
    ['512MB', 536_870_912],
    ['100k', 102_400],
    [42, 42],
  ])('%s is %d bytes', (written, expected) => {
    expect(parseBytes(written, '--memory')).toEqual({ ok: true, value: expected })
  })

  test('a unit of time is not a unit of memory', () => {
    expect(parseBytes('60s', '--memory')).toMatchObject({ ok: false, diagnostics: [{ code: 'E107' }] })
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('the memory of a thread is its own heap, whatever the process takes besides', async () => {
  // What earlier tests left behind would be given back in between.
  collectGarbage()
  const before = heapOfThread()
  const code =
    "const held = Buffer.alloc(2 ** 28, 1); require('node:worker_threads').parentPort.postMessage(held.length)"
  const other = new Worker(code, { eval: true })
  const [taken] = (await once(other, 'message')) as [number]
  expect(heapOfThread() - before).toBeLessThan(taken / 2)
  await other.terminate()
  // What this thread takes is seen.
  const held = Buffer.alloc(taken, 1)
  expect(heapOfThread() - before).toBeGreaterThanOrEqual(held.length / 2)
})

test('what is waited for on a real clock is no longer than timers run', () => {
  expect(parseWait('576h', '--pause')).toEqual({ ok: true, value: 576 * 3_600_000 })
  expect(parseWait('9999h', '--pause')).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E107', message: '--pause is "9999h", which is longer than timers can run' }],
  })
})
