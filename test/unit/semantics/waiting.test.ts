import { describe, expect, test } from 'vitest'
import { Operation } from '../../../src/core/operation.ts'
import { Address } from '../../../src/core/value.ts'
import { check, checkResult, program, send, spawn } from '../../../src/index.ts'
import { join, receive } from '../../../src/model/process.ts'
import { describeWaiting, takesFrom } from '../../../src/semantics/waiting.ts'

const from = Address.of<never>('client 2')
const inbox = [
  { from: 'client 1', value: { kind: 'unlock' } },
  { from: 'client 2', value: 7 },
]

describe('what a process waits for', () => {
  test.each([
    [receive(), 'a message'],
    [receive({ from }), 'a message from client 2'],
    [receive('unlock'), 'a message of kind "unlock"'],
    [receive('unlock', { from }), 'a message of kind "unlock" from client 2'],
    [receive((n: number) => n > 1), 'a message with (n) => n > 1'],
    [receive((n: number) => n > 1, { from }), 'a message from client 2 with (n) => n > 1'],
    [join(from), 'the end of client 2'],
    [
      new Operation('receive', undefined, undefined, { waitsFor: 'mutex "m"', takes: () => true }, undefined),
      'mutex "m"',
    ],
  ])('is %#: $1', (operation, words) => {
    expect(describeWaiting('server', operation, []).forWhat).toBe(words)
  })

  test('messages in its inbox are shown with their senders if it waits for one sender', () => {
    expect(describeWaiting('server', receive('unlock', { from }), inbox).inbox).toEqual([
      'unlock from client 1',
      '7 from client 2',
    ])
    expect(describeWaiting('server', receive('lock'), inbox).inbox).toEqual(['unlock', '7'])
  })
})

test('a receive that names nobody takes from everybody, one that names a sender from no one else', () => {
  expect(['client 1', 'client 2'].map((sender) => takesFrom(receive('x'), sender))).toEqual([true, true])
  expect(['client 1', 'client 2'].map((sender) => takesFrom(receive('x', { from }), sender))).toEqual([false, true])
})

test('what a sender-queue holds back is told apart from what is not taken', async () => {
  type Sent = { readonly kind: 'a' | 'b' | 'go' }
  const held = program('held', function* () {
    const p = yield* spawn('p', function* () {
      yield* receive<Sent>('go')
      yield* receive<Sent>('a')
    })
    const q = yield* spawn('q', function* () {
      yield* receive<Sent>('b')
      yield* send(p, { kind: 'go' })
    })
    yield* send(p, { kind: 'a' })
    yield* send(q, { kind: 'b' })
  })
  for (const network of ['bag', 'fifo', 'causal', 'mailbox'])
    expect((await check(held, { network })).kind).toBe('verified')
  for (const engine of ['dpor', 'exhaustive']) {
    const result = await checkResult(held, { network: 'sender-queue', engine })
    const waiting = [
      { process: 'p', inbox: ['a'] },
      { process: 'q', inbox: [], heldBack: ['b'] },
    ]
    expect(result).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { waiting } }] } })
    const failing = check(held, { network: 'sender-queue', engine })
    await expect(failing).rejects.toThrow(/b is behind a\s+message in the queue of its sender/)
  }
})
