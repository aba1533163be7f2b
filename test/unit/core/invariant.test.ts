/** A defect of ours ends the check, also where user code catches what is thrown. */
import { afterEach, expect, test, vi } from 'vitest'
import { InternalError, invariant } from '../../../src/core/invariant.ts'
import { checkResult, program, receive, self, send } from '../../../src/index.ts'
import { Turns } from '../../../src/model/services/turns.ts'
import { found } from '../model/services/checked.ts'

afterEach(() => vi.restoreAllMocks())

const fails = (): never => invariant(false, 'nothing') as never

test.each([
  ['uncaught', fails],
  [
    'caught',
    () => {
      try {
        fails()
      } catch {
        // As users do it.
      }
    },
  ],
])('in a generator, %s', async (_, act) => {
  const failing = program('p', function* () {
    yield* send(yield* self(), 1)
    yield* receive()
    act()
  })
  await expect(checkResult(failing)).rejects.toThrow(InternalError)
  const sound = program('p', function* () {
    yield* send(yield* self(), 1)
  })
  expect(await checkResult(sound)).toMatchObject({ ok: true, value: { kind: 'verified' } })
})

test.each(['await put()', 'await put().catch(() => 0)', 'await Promise.allSettled([put(), put()])', 'void put()'])(
  'in an async process: %s',
  async (put) => {
    vi.spyOn(Turns.prototype, 'inTurn').mockImplementation(fails)
    const body = `const db = await database({ isolation: 'serializable', tables: { u: {} } })
    const put = () => db.transaction((tx) => tx.put('u', 'a', {}))
    ${put}; await db.transaction(() => 1)`
    await expect(found(body)).rejects.toThrow('this must hold: nothing')
  },
)
