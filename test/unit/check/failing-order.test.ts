/** Which of two processes fails first is a matter of the order, not of what they depend on. */
import { expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'
import { assert, receive, send, spawn } from '../../../src/model/process.ts'
import { program } from '../../../src/model/program.ts'

test('two processes that fail in either order are violations, and no process is called nondeterministic', async () => {
  const failing = program('two fail', function* () {
    for (const name of ['ann', 'ben']) {
      const one = yield* spawn(name, function* () {
        yield* receive()
        yield* assert(false, `${name} fails`)
      })
      yield* send(one, { kind: 'go' })
    }
  })
  const found = await checkResult(failing, { keepGoing: true })
  expect(found).toMatchObject({ ok: true, value: { kind: 'violated' } })
})
