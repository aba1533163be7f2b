/** What monitors and final conditions are told and judge, and what monitors may not do; the same by every engine. */
import { describe, expect, test } from 'vitest'
import { Address } from '../../../src/core/value.ts'
import {
  assert,
  assume,
  checkResult,
  choose,
  final,
  join,
  monitor,
  type Notification,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../src/index.ts'

function* talking() {
  yield* send(yield* self<number>(), 1)
  yield* receive<number>()
}

const acting = {
  *send() {
    yield* send(Address.of<number>('main'), 2)
  },
  *spawn() {
    yield* spawn('another', function* () {})
  },
  *join() {
    yield* join(Address.of('main'))
  },
  *poll() {
    yield* poll<Notification>()
  },
  *choose() {
    yield* choose([1, 2])
  },
  *assume() {
    yield* assume(false)
  },
  *self() {
    yield* self()
  },
}

describe.each(['dpor', 'exhaustive', 'stateful'])('%s', (engine) => {
  test.each(Object.entries(acting))('refuses a monitor that performs %s', async (kind, body) => {
    const meddler = monitor('meddler', { observes: () => true }, body)
    const watched = program('watched', { properties: [meddler] }, talking)
    expect(await checkResult(watched, { engine })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E218', message: `monitor "meddler" performed ${kind}(…)`, place: expect.anything() }],
    })
  })

  test('tells a monitor that a poll received undefined, and not that one found nothing', async () => {
    const told = monitor('told', { observes: ({ kind }) => kind === 'receive' }, function* () {
      const { message } = yield* receive<Notification>()
      yield* assert(message !== undefined, 'undefined was received')
    })
    const silent = function* () {
      yield* poll<undefined>()
    }
    const undefinedSent = function* () {
      yield* send(yield* self<undefined>(), undefined)
      yield* poll<undefined>()
    }
    expect(await checkResult(program('silent', { properties: [told] }, silent), { engine })).toMatchObject({
      value: { kind: 'verified' },
    })
    expect(await checkResult(program('sent', { properties: [told] }, undefinedSent), { engine })).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { message: 'undefined was received' } }] },
    })
  })

  test('does not judge executions that an assumption of a daemon rules out', async () => {
    const judged = final('judged', ({ returned }) => returned.get('main') === 1)
    const ruled = program('ruled out', { properties: [judged] }, function* () {
      const option = yield* choose([1, 2])
      yield* spawn('daemon', { daemon: true }, function* () {
        yield* assume(option === 1)
      })
      return option
    })
    expect(await checkResult(ruled, { engine })).toMatchObject({ value: { kind: 'verified' } })
  })
})
