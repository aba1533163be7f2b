/** `check(pModel('./model.p'))`: a P program from code, like any program. */
import { expect, test } from 'vitest'
import { CheckFailedError, check, checkResult } from '../../../src/check/check.ts'
import { pModel } from '../../../src/model/p-model.ts'

const election = '../../../corpus/p-ring-election/model.p'

test('is checked, from the file that names it', async () => {
  const verdict = await check(pModel(election, { test: 'three' }))
  expect(verdict).toMatchObject({ kind: 'verified' })
  await expect(check(pModel(election, { test: 'lax' }), { engine: 'dpor' })).rejects.toThrow('2 and 3 lead')
})

test('can be one of several by name', async () => {
  expect(await checkResult(pModel(election), { testName: 'lax' })).toMatchObject({ value: { kind: 'violated' } })
  expect(await checkResult(pModel(election), { testName: 'nobody' })).toMatchObject({ diagnostics: [{ code: 'E106' }] })
})

test('that is not there is a mistake of the line that names it', async () => {
  const failed = await check(pModel('./nowhere.p')).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(CheckFailedError)
  const { diagnostics, message } = failed as CheckFailedError
  expect(diagnostics).toMatchObject([{ code: 'E101', place: { line: 20 } }])
  expect(message).toMatch(/p-model\.test\.ts:20/)
})
