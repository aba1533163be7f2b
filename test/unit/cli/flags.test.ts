import { describe, expect, test } from 'vitest'
import { exitCodeOf, worse } from '../../../src/cli/exit-codes.ts'
import { searchFlags } from '../../../src/cli/flags.ts'
import { type Io, ioOf } from '../../../src/cli/io.ts'
import { paramCombinations, parseParams } from '../../../src/cli/params.ts'
import type { Params } from '../../../src/core/setting.ts'
import type { Verdict } from '../../../src/core/verdict.ts'

function ioWith(env: Io['env']): Io {
  const sink = { write: () => {}, isTTY: false, columns: 80 }
  return ioOf({ cwd: '/', env, stdout: sink, stderr: sink, onInterrupt: () => () => {} })
}

describe('budgets', () => {
  test.each([
    [{}, 60_000],
    [{ CI: 'true' }, 600_000],
    [{ CI: '1' }, 600_000],
    [{ CI: '' }, 60_000],
    [{ CI: 'false' }, 60_000],
  ])('with %o in the environment a search may take %d ms', (env, milliseconds) => {
    expect(searchFlags('check', {}, ioWith(env))).toMatchObject({
      ok: true,
      value: { options: { time: milliseconds } },
    })
  })

  test('there is a budget of memory even if nobody sets one', () => {
    const flags = searchFlags('check', {}, ioWith({}))
    expect(flags.ok && flags.value.options.memory).toBeGreaterThan(64 * 1024 * 1024)
  })
})

describe('parameters', () => {
  function values(typed: readonly string[], defaults: Params) {
    const flags = parseParams(typed)
    if (!flags.ok) return undefined
    const combinations = paramCombinations(flags.value, defaults)
    return combinations.ok ? combinations.value : combinations.diagnostics
  }

  const cases: readonly (readonly [typed: string, defaults: Params, expected: readonly Params[]])[] = [
    ['n=3', { n: 1 }, [{ n: 3 }]],
    ['n=2,3', { n: 1 }, [{ n: 2 }, { n: 3 }]],
    ['s=2,3', { s: '' }, [{ s: '2' }, { s: '3' }]],
    ['s=a,b,c', { s: '' }, [{ s: 'a' }, { s: 'b' }, { s: 'c' }]],
    ['s="a,b"', { s: '' }, [{ s: 'a,b' }]],
    ['s="a,b",c', { s: '' }, [{ s: 'a,b' }, { s: 'c' }]],
    ['s=c,"a \\"quoted\\", b"', { s: '' }, [{ s: 'c' }, { s: 'a "quoted", b' }]],
    ['s="",a', { s: '' }, [{ s: '' }, { s: 'a' }]],
    ['s=', { s: 'x' }, [{ s: '' }]],
    ['s=say "a,b"', { s: '' }, [{ s: 'say "a,b"' }]],
    ['f=true,false', { f: true }, [{ f: true }, { f: false }]],
    ['s="quoted"', { s: '' }, [{ s: 'quoted' }]],
    ['s=a=b', { s: '' }, [{ s: 'a=b' }]],
    ['b=5n', { b: 1n }, [{ b: 5n }]],
    ['b=5,6', { b: 1n }, [{ b: 5n }, { b: 6n }]],
    ['l=[1,2]', { l: [] }, [{ l: [1, 2] }]],
    ['o={"#set":[1]}', { o: new Set<number>() }, [{ o: new Set([1]) }]],
    ['n=abc', { n: 1 }, [{ n: 'abc' }]],
    ['other=1', { n: 1 }, [{}]],
  ]

  test.each(cases)('%s for %o means %o', (typed, defaults, expected) => {
    expect(values([typed], defaults)).toEqual(expected)
  })

  test.each([
    ['s=a,,b', /comma with no value/, /--param 's="a,b"'/],
    ['s=,a', /comma with no value/, /--param 's="",a'/],
    ['s=a,', /comma with no value/, /--param 's="",a'/],
    ['s="a,b', /begins with a quote/, /--param 's="a,b"'/],
    ['s="a"b,c', /begins with a quote/, /--param 's="a,b"'/],
  ])('%s is a mistake', (typed, message, hint) => {
    expect(values([typed], { s: '' })).toEqual([
      { code: 'E107', message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
    ])
  })

  test('every combination of several parameters is run', () => {
    expect(values(['a=1,2', 'b=true', 'b=false'], { a: 0, b: true })).toEqual([
      { a: 1, b: true },
      { a: 1, b: false },
      { a: 2, b: true },
      { a: 2, b: false },
    ])
  })
})

describe('exit codes', () => {
  test('the worst wins: internal error, mistake, violated, incomplete, ok', () => {
    const order = [0, 3, 1, 2, 70] as const
    for (const [at, left] of order.entries()) {
      for (const [other, right] of order.entries()) expect(worse(left, right)).toBe(order[Math.max(at, other)])
    }
  })

  test('an incomplete search is 3 unless that is allowed', () => {
    expect(exitCodeOf(verdict('incomplete'), {})).toBe(3)
    expect(exitCodeOf(verdict('incomplete'), { allowIncomplete: true })).toBe(0)
    expect(exitCodeOf(verdict('violated'), { allowIncomplete: true })).toBe(1)
    expect(['proved', 'verified', 'passed'].map((kind) => exitCodeOf(verdict(kind), {}))).toEqual([0, 0, 0])
  })

  test('what never happened is 1 if that is asked for', () => {
    const vacuity = [{ code: 'choice-of-one', subject: 'main', count: 1 }]
    expect(exitCodeOf(verdict('verified', { vacuity }), {})).toBe(0)
    expect(exitCodeOf(verdict('verified', { vacuity }), { strict: true })).toBe(1)
    expect(exitCodeOf(verdict('verified'), { strict: true })).toBe(0)
  })

  const verdict = (kind: string, rest: object = {}) => ({ kind, ...rest }) as Verdict
})
