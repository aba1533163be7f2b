import { describe, expect, test } from 'vitest'
import type { MessageScope } from '../../../src/core/verdict.ts'
import { jsonReport } from '../../../src/reports/json.ts'
import { accountOf, scopeSentence } from '../../../src/reports/scope.ts'
import { counterexample } from './executions.ts'
import { lateWork, lateWorkScript } from './programs.ts'
import { counts, scopeOf, violated } from './reported.ts'

const scope = scopeOf(lateWork, { params: { n: 4 } })

describe('the scope of', () => {
  test('verified counts all executions', () => {
    const verdict = { kind: 'verified', evidence: [], scope, counts: counts({ executions: 24 }) } as const
    expect(scopeSentence(verdict)).toBe('all 24 executions, n = 4, fifo, no faults')
  })

  test('verified counts blocked executions among all', () => {
    const verdict = {
      kind: 'verified',
      evidence: [],
      scope,
      counts: counts({ executions: 30_000, blocked: 112 }),
    } as const
    expect(scopeSentence(verdict)).toBe('all 30,112 executions (112 blocked), n = 4, fifo, no faults')
  })

  test('verified with one execution is singular', () => {
    const verdict = {
      kind: 'verified',
      evidence: [],
      scope: scopeOf(lateWork),
      counts: counts({ executions: 1 }),
    } as const
    expect(scopeSentence(verdict)).toBe('the only execution, fifo, no faults')
  })

  test('verified within bounds names them', () => {
    const bounded = scopeOf(lateWork, { maxSteps: 1, deadlock: 'allow', network: 'fifo-eager' })
    const verdict = { kind: 'verified', evidence: [], scope: bounded, counts: counts({ executions: 2 }) } as const
    expect(scopeSentence(verdict)).toBe(
      'all 2 executions, fifo-eager, no faults, at most 1 step per process, deadlock allowed',
    )
  })

  test('passed is not exhaustive and names the seed', () => {
    const verdict = {
      kind: 'passed',
      evidence: [],
      scope: { ...scope, engine: 'pct', seed: 41 },
      counts: counts({ executions: 10_000 }),
    } as const
    expect(scopeSentence(verdict)).toBe(
      'no violation in 10,000 random executions (pct, seed 41), n = 4, fifo, no faults; not exhaustive',
    )
  })

  test('proved by exploring holds for all values of abstracted types', () => {
    const verdict = {
      kind: 'proved',
      evidence: [],
      scope: { ...scope, values: { types: ['Key', 'Val', 'Id'], of: 'all' } },
      counts: counts({ executions: 24 }),
    } as const
    const words = 'for all values of Key, Val and Id: all 24 executions of classes, n = 4, fifo, no faults'
    expect(scopeSentence(verdict)).toBe(words)
  })

  test.each([
    ['time', 'the time budget (--time)'],
    ['executions', 'the budget of executions (--max-executions)'],
    ['memory', 'the memory budget (--memory)'],
    ['interrupt', 'an interrupt'],
  ] as const)('incomplete by %s names the budget', (because, words) => {
    const verdict = {
      kind: 'incomplete',
      evidence: [],
      scope,
      counts: counts({ executions: 7 }),
      because,
      remaining: [],
    } as const
    const sentence = (explored: number) => scopeSentence({ ...verdict, explored })
    const rest = `n = 4, fifo, no faults; stopped by ${words}`
    expect(sentence(0.619)).toBe(`no violation in 7 executions so far (61 %, estimated), ${rest}`)
    expect(sentence(0.009)).toBe(`no violation in 7 executions so far, ${rest}`)
  })

  test('violated says how long the trace is and when it was found', () => {
    const found = counterexample(lateWork, { script: lateWorkScript })
    const sentence = (executions: number, exhausted = false) =>
      scopeSentence(violated(lateWork, found, { counts: counts({ executions }), exhausted }))
    expect(sentence(18_204)).toBe('7-step trace, found after 18,204 executions, fifo, no faults')
    expect(sentence(0)).toBe('7-step trace, found in the first execution, fifo, no faults')
    expect(sentence(24, true)).toBe('1 violation in 24 executions, fifo, no faults')
    const atOnce = violated(lateWork, { ...found, events: [] }, { counts: counts({ executions: 3 }), exhausted: false })
    expect(scopeSentence(atOnce)).toBe('at the start, found after 3 executions, fifo, no faults')
  })
})

describe('what is covered', () => {
  const covered = (faults: MessageScope['faults'], isSystem: boolean) => {
    const own = { ...scope, faults, ...(isSystem ? { isSystem: true } : {}) }
    const verdict = { kind: 'verified', evidence: [], scope: own, counts: counts({ executions: 24 }) } as const
    return accountOf(verdict).coverage(verdict)
  }
  const machines = 'covered: every order in which messages are delivered, timers fire and requests come, every choice'

  test('by a system of machines has faults where there may be some', () => {
    expect(covered({ losses: 'any' }, true)).toEqual([`${machines}, every fault`])
    expect(covered({ losses: 0 }, true)).toEqual([machines])
    expect(covered(undefined, true)).toEqual([machines])
  })

  test('by processes has them too', () => {
    const processes = 'covered: every order in which messages can be received, every empty poll, every choice'
    expect(covered({ crashes: 1 }, false)).toEqual([`${processes}, every fault`])
    expect(covered(undefined, false)).toEqual([processes])
  })
})

test('a trace that is shown says of its search what was said when it was found', () => {
  const found = counterexample(lateWork, { script: lateWorkScript })
  const verdict = violated(lateWork, found, { counts: counts({ executions: 1 }), exhausted: false })
  const reported = { program: 'late', file: 'late.check.ts', verdict, seconds: 0, findings: [] }
  const recordedScope = '7-step trace, found after 42 states of machines'
  const [told, untold] = jsonReport([{ ...reported, recordedScope }, reported]).results
  expect(told?.scope).toBe(recordedScope)
  expect(untold?.scope).toBe('7-step trace, found in the first execution, fifo, no faults')
})
