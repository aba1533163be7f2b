/** Operations that wait for nothing are found where a loop performs them for ever, whatever transformed the code, or did not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announce, assert, assume, checkResult, type Operation, program, self } from '../../../src/index.ts'
import { longIf } from '../../amount.ts'

const forEver: readonly (readonly [string, () => Operation<unknown>])[] = [
  ['announce', () => announce({ kind: 'tick' })],
  ['self', () => self()],
  ['assert', () => assert(true)],
  ['assume', () => assume(true)],
]

// Each place is looked for; the test runner would map all stacks to sources, which takes a tenth of a millisecond each.
const ofTests = Error.prepareStackTrace
beforeAll(() => void Reflect.deleteProperty(Error, 'prepareStackTrace'))
afterAll(() => {
  if (ofTests !== undefined) Error.prepareStackTrace = ofTests
})

describe.each(forEver)('%s', (name, made) => {
  test('again and again is E202', longIf(name === 'announce' || name === 'self', name === 'announce'), async () => {
    const endless = program('endless', function* () {
      while (true) yield* made()
    })
    const result = await checkResult(endless)
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E202' }] })
    expect(JSON.stringify(result)).toContain(`the last one ${name}(…)`)
  })
})

test('so many that end are none', async () => {
  const long = program('long', function* () {
    for (let at = 0; at < 40_000; at++) yield* at % 2 === 0 ? assert(true) : announce({ kind: 'tick' })
  })
  expect(await checkResult(long)).toMatchObject({ ok: true, value: { kind: 'verified' } })
})
