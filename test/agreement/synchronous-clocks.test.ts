/** Timers whose clocks agree: dpor and exhaustive see the same executions, and timers fire in the order in which they are due. */
import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { Runnable } from '../../src/program/program.ts'
import { amount, atLeast, cut } from '../amount.ts'
import { enumerated } from './agreement.ts'
import { loaded, subjectOf, textOf } from './async-program.ts'
import { type AsyncText, generateAsync } from './async-text.ts'
import { disagreement } from './compare.ts'
import { type Explored, exploreAll } from './explored.ts'

/** By all interleavings, which dpor agrees with; nothing if there are too many. */
function agreed(text: AsyncText, network: NetworkName): Explored | undefined {
  return guarded(text, network, (subject) => {
    const truth = enumerated(subject, 300)
    if (truth === undefined) return undefined
    const problem = disagreement(truth, exploreAll(dpor, subject, { cap: 10 * (truth.classes.size + 10) }))
    if (problem !== undefined) expect.fail(`${problem}\n${textOf(text)}`)
    return truth
  })
}

function guarded<T>(text: AsyncText, network: NetworkName, explore: (subject: Runnable) => T): T {
  const release = guardDeterminism()
  try {
    return explore(subjectOf(loaded(text, new Map()), network))
  } finally {
    release()
  }
}

const count = amount({ quick: 4, rest: 60, thorough: 150, all: 1_000 })

test(`dpor explores each execution of ${count} async programs exactly once`, cut, () => {
  let [compared, several, fired] = [0, 0, 0]
  for (let seed = 0; seed < count; seed++) {
    const options = `{ clock: 'synchronous', clockSkew: ${seed % 3} }`
    const text = { ...generateAsync(new Random(seed), { processes: 2, statements: 5, timers: true }), options }
    const truth = agreed(text, seed % 2 === 0 ? 'fifo' : 'mailbox')
    if (truth === undefined) continue
    compared++
    if (truth.classes.size > 1) several++
    if ([...truth.classes.keys()].some((key) => key.includes('"fire"'))) fired++
  }
  expect(compared / count, 'share small enough to enumerate').toBeGreaterThan(atLeast(0.4))
  expect(several / compared, 'share with several executions').toBeGreaterThan(atLeast(0.2))
  expect(fired / compared, 'share with timers that fire').toBeGreaterThan(atLeast(0.3))
})

/** One process and main, over the network that keeps the order of all that is sent. */
function outcome(clock: string, main: string, other: string): string {
  const timeout = 'const timeout = (ms) => new Promise((done) => setTimeout(() => done("over"), ms));'
  const text = { bodies: [timeout + main, timeout + other], options: `{ deadlock: 'error', ${clock} }` }
  const { violations, stopped } = guarded(text, 'mailbox', (subject) => exploreAll(dpor, subject, { cap: 5_000 }))
  return stopped ?? (violations.size === 0 ? 'holds' : [...violations].join())
}

const synchronous = (skew: number): string => `clock: 'synchronous', clockSkew: ${skew}`

describe('of two timers of different processes the one that is due first fires first', () => {
  const main = 'await receive(); const first = await Promise.race([receive(), timeout(8)]); await assert(first === "b")'
  const other = 'const over = timeout(5); await send(to(0), "armed"); await over; await send(to(0), "b")'
  test.each([
    [synchronous(0), 'holds'],
    [synchronous(2), 'holds'],
    // Due 3 ms later.
    [synchronous(3), 'assertion'],
    ["clock: 'any'", 'assertion'],
  ])('with %s: %s', (clock, expected) => {
    expect(outcome(clock, main, other)).toContain(expected)
  })
})

test('a timer that is cleared, or that its process need not wait for, holds nothing up', () => {
  const main = 'await receive(); await timeout(8)'
  const cleared = 'const t = setTimeout(() => {}, 5); await send(to(0), 1); clearTimeout(t)'
  expect(outcome(synchronous(0), main, cleared)).toBe('holds')
  const left = 'setTimeout(() => {}, 5).unref(); await send(to(0), 1)'
  expect(outcome(synchronous(0), main, left)).toBe('holds')
})

test('an interval fires no less often than it is due', () => {
  const main =
    'await receive(); let n = 0; const over = timeout(8); for (;;) { if (await Promise.race([receive(), over]) === "over") break; n++ } await assert(n >= 2)'
  const other =
    'let n = 0; const t = setInterval(async () => { if (++n === 3) clearInterval(t); await send(to(0), n) }, 3); await send(to(0), 0)'
  expect(outcome(synchronous(0), main, other)).toBe('holds')
})

test('what a timer begins is done before another one fires', () => {
  const main = 'await receive(); await timeout(8); await assert(await receive() === "b" && await receive() === "c")'
  const other =
    'setTimeout(async () => { await send(to(0), "b"); await null; await send(to(0), "c") }, 5); await send(to(0), 1)'
  expect(outcome(synchronous(0), main, other)).toBe('holds')
})

test('the time is known when a timer has fired, and refused before', () => {
  const other = 'await timeout(7); await send(to(0), 1)'
  const known =
    'const from = await receive(); await timeout(3); const t = Date.now(); await timeout(4); await assert(Date.now() - t === 4)'
  expect(outcome(synchronous(0), known, other)).toBe('holds')
  expect(outcome(synchronous(0), 'await receive(); Date.now()', other)).toContain('does not know the time')
})

test('clocks that do not go with what else is said are refused', () => {
  const text = (options: string): AsyncText => ({ bodies: ['await timeout(1)'], options })
  expect(() => loaded(text('{ clockSkew: 5 }'), new Map())).toThrow('nothing is known of its clocks')
  expect(() => loaded(text("{ clock: 'synchronous', clockSkew: -1 }"), new Map())).toThrow('no number')
  const program = loaded(text("{ clock: 'synchronous', faults: { crashes: 1 } }"), new Map())
  const setting = settingFrom({ params: {}, faults: { crashes: 1 } })
  expect(() => program.views.runnable?.(setting)).toThrow('may crash')
})
