import { describe, expect, test } from 'vitest'
import { CheckFailedError, check, checkResult, linearizable } from '../../../src/index.ts'

const objects = 'test/cli/fixtures/objects'

async function thrown(promise: Promise<unknown>): Promise<CheckFailedError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CheckFailedError)
  return error as CheckFailedError
}

describe('check(file)', () => {
  test('gives the verdict of the last program, where all hold', async () => {
    const verdict = await check(`${objects}/counter.check.ts`, { testName: 'locked' })
    expect(verdict).toMatchObject({ kind: 'verified', scope: { params: { processes: 2, calls: 2 } } })
  })

  test('throws what the command line would print, with the verdict', async () => {
    const file = new URL('../../cli/fixtures/objects/counter.check.ts', import.meta.url)
    const error = await thrown(check(file, { testName: 'Counter', options: { reduction: 'safe' } }))
    expect(error.message).toMatch(/^ ✗ Counter is not linearizable/)
    expect(error.message).toContain('lines 5–6 of Counter.increment must be atomic')
    expect(error.verdict).toMatchObject({ kind: 'violated', scope: { options: { reduction: 'safe' } } })
  })

  test('throws when a budget ended a search, unless that is allowed', async () => {
    const options = { testName: 'locked', processes: 4, calls: 4, time: '20ms' } as const
    const file = `${objects}/counter.check.ts`
    expect((await thrown(check(file, options))).message).toContain('incomplete')
    expect(await check(file, { ...options, allowIncomplete: true })).toMatchObject({ kind: 'incomplete' })
  })

  test('throws diagnostics for mistakes', async () => {
    const codes = async (file: string, options = {}) =>
      (await thrown(check(file, options))).diagnostics.map(({ code }) => code)
    expect(await codes('missing.check.ts')).toEqual(['E101'])
    expect(await codes(`${objects}/counter.ts`)).toEqual(['E103'])
    expect(await codes(`${objects}/counter.check.ts`, { testName: 'nothing' })).toEqual(['E106'])
    expect(await codes(`${objects}/mistakes/unknown-operation.check.ts`)).toEqual(['E308'])
  })

  test('checkResult throws nothing', async () => {
    const file = `${objects}/counter.check.ts`
    const codes = async (given: unknown, options: unknown) => {
      const result = await checkResult(given as string, options as object)
      return result.ok ? [] : result.diagnostics.map(({ code }) => code)
    }
    expect(await codes(file, null)).toEqual(['E107'])
    expect(await codes(file, { testName: 3 })).toEqual(['E107'])
    expect(await codes(new URL('http://x/y.check.ts'), {})).toEqual(['E101'])
  })

  test('checkResult gives the verdict of the first program that does not hold', async () => {
    expect(await checkResult(`${objects}/counter.check.ts`)).toMatchObject({ ok: true, value: { kind: 'violated' } })
  })
})

test('check() refuses a class, whose accesses it cannot see, and names what can', async () => {
  class Counter {
    count = 0
    increment(): number {
      return this.count++
    }
  }
  const declared = linearizable(Counter, { operations: { increment: [] } })
  const error = await thrown(check(declared))
  expect(error.diagnostics).toMatchObject([{ code: 'E308', place: { file: 'test/unit/check/check-files.test.ts' } }])
  expect(error.message).toContain("checkFile('stack.check.ts')")
})
