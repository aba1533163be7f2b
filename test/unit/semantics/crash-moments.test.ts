/** Moments in which a process may crash, and those in which it may not; loops in invariants are counted anew each time. */
import { expect, test } from 'vitest'
import {
  assume,
  atomic,
  check,
  checkResult,
  invariant,
  join,
  machine,
  program,
  receive,
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
