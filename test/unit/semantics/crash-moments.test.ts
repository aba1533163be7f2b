/** Moments in which a process may crash, and those in which it may not; loops in invariants are counted anew each time. */
import { expect, test } from 'vitest'
import {
  assert,
  assume,
  atomic,
  check,
  checkResult,
  final,
  invariant,
  join,
  machine,
  type PropertyDeclaration,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
  system,
} from '../../../src/index.ts'

test('a process does not crash in the middle of an update, so that the atomic goes on', async () => {
  const updated = program('updated', { faults: { crashes: 1 } }, function* () {
    const total = yield* atomic('total', 0)
    const worker = yield* spawn('worker', function* () {
      yield* total.update((value) => value + 1)
    })
    yield* join(worker)
    yield* total.load()
  })
  // Without a crash, and with one before the update: as with any other request.
  for (const engine of ['dpor', 'exhaustive']) {
    expect((await check(updated, { engine })).kind).toBe('verified')
  }
  expect((await check(updated)).counts.executions).toBe(2)
})

test('a process may crash before an assumption that does not hold, and the execution counts then', async () => {
  const waiting = program('waiting', { faults: { crashes: 1 } }, function* () {
    yield* spawn('w', function* () {
      yield* assume(false)
    })
    yield* receive()
  })
  for (const engine of ['dpor', 'exhaustive']) {
    const result = await checkResult(waiting, { engine })
    expect(result).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { kind: 'deadlock' } }] } })
    expect(result).toMatchObject({
      value: {
        evidence: [
          {
            decisions: [
              { kind: 'step', process: 'main' },
              { kind: 'crash', process: 'w' },
            ],
          },
        ],
      },
    })
  }
  for (const engine of ['dpor', 'exhaustive']) {
    expect(await check(waiting, { engine, faults: {} })).toMatchObject({ kind: 'verified', counts: { blocked: 1 } })
  }
})

test('a process that restarts before an assumption may come to another end', async () => {
  const again = program('again', { faults: { crashes: 1, restarts: 1 } }, function* () {
    const worker = yield* spawn('worker', function* () {
      yield* assume((yield* receive<number>()) === 2)
    })
    yield* send(worker, 1)
    yield* send(worker, 2)
    yield* join(worker)
  })
  // Stopped by the first message; crashed or restarted before it; after it, crashed, or restarted to return.
  for (const engine of ['dpor', 'exhaustive']) expect((await check(again, { engine })).kind).toBe('verified')
  expect((await check(again)).counts).toMatchObject({ executions: 3, blocked: 1 })
})

test('a process that has done all of its operations may crash and do them again', async () => {
  const shop = (restarts: number) =>
    program('shop', { faults: { crashes: 1, restarts } }, function* () {
      const bank = yield* spawn('bank', { crashes: false, daemon: true }, function* () {
        for (let payments = 1; ; payments++) {
          yield* receive<'pay'>()
          yield* assert(payments === 1, 'paid twice')
        }
      })
      yield* spawn('shop', function* () {
        yield* send(bank, 'pay')
      })
    })
  for (const engine of ['dpor', 'exhaustive']) {
    const found = await checkResult(shop(1), { engine })
    expect(found).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { message: 'paid twice' } }] } })
    expect((await check(shop(0), { engine })).kind).toBe('verified')
  }
})

test('behind its last operation a crash is seen by conditions on results alone, and not once somebody has joined', async () => {
  const sent = (property: PropertyDeclaration[], joinsFirst: boolean) =>
    program('sent', { faults: { crashes: 1 }, properties: property }, function* () {
      const main = yield* self<'done'>()
      const worker = yield* spawn('worker', function* () {
        yield* send(main, 'done')
        return 'result'
      })
      if (joinsFirst) yield* join(worker)
      return yield* poll<'done'>()
    })
  const told = final('whoever has sent has a result', ({ returned }) => {
    return returned.get('main') === undefined || returned.get('worker') === 'result'
  })
  for (const joinsFirst of [false, true]) {
    for (const engine of ['dpor', 'exhaustive']) {
      expect(await checkResult(sent([told], joinsFirst), { engine })).toMatchObject({
        value: { kind: 'violated', evidence: [{ violation: { property: 'whoever has sent has a result' } }] },
      })
      expect((await check(sent([], joinsFirst), { engine })).kind).toBe('verified')
    }
  }
  // Crashed before the send, or not; behind it only where the condition is asked. Main finds the message, or does not.
  expect((await check(sent([], true))).counts.executions).toBe(3)
  expect(await checkResult(sent([told], true), { keepGoing: true })).toMatchObject({
    value: { counts: { executions: 5 } },
  })
})

test('an invariant may loop, under every engine', async () => {
  const counter = machine<{ count: number }>('counter', {
    state: () => ({ count: 0 }),
    requests: {
      add(state) {
        state.count++
      },
    },
  })
  const counting = system('counting', () => ({
    machines: { a: counter.as(), b: counter.as() },
    requests: { a: [['add'], ['add']], b: [['add']] },
    invariants: [
      invariant('bounded', (states) => {
        let sum = 0
        for (const name of Object.keys(states)) sum += (states[name] as { count: number }).count
        return sum <= 3
      }),
    ],
  }))
  for (const engine of ['local', 'stateful', 'dpor']) expect((await check(counting, { engine })).kind).toBe('verified')
})

test('an option that there is not is refused', async () => {
  const nothing = program('nothing', function* () {})
  expect(await checkResult(nothing, { retries: 2 } as never)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E107', message: 'there is no option "retries"' }],
  })
})
