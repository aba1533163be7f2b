/** Orders of calls that one execution of each class does not show, and machines beside those that call. */
import { describe, expect, test } from 'vitest'
import {
  announce,
  byzantine,
  checkResult,
  join,
  machine,
  program,
  refines,
  refuse,
  send,
  spawn,
  specification,
  system,
} from '../../../../src/index.ts'
import type { AbstractCall } from '../../../../src/program/refinement.ts'

interface Ballot {
  vote?: string
}

const operations = {
  vote(state: Ballot, { value }: { readonly value: string }) {
    if (state.vote !== undefined && state.vote !== value) return refuse('two values')
    state.vote = value
    return state
  },
  commit(state: Ballot) {
    return state.vote === undefined ? refuse('nothing is voted for') : state
  },
}
const plain = specification('ballot', { state: {} as Ballot, operations })
const declared = specification('ballot', {
  state: {} as Ballot,
  operations,
  conflicts: (one: AbstractCall, other: AbstractCall) =>
    one.kind === 'ballot.vote' && other.kind === 'ballot.vote' && one.value !== other.value ? 'two values' : undefined,
  needs: (call: AbstractCall, past: readonly AbstractCall[]) =>
    call.kind === 'ballot.commit' && !past.some(({ kind }) => kind === 'ballot.vote') ? 'no vote' : undefined,
})

describe('a call between two that conflict comes where it came', () => {
  function* calls() {
    yield* announce(declared.vote({ value: 'a' }))
    yield* announce(declared.commit({}))
  }
  const violated = { value: { kind: 'violated' } }

  test.each(['dpor', 'exhaustive'])('of one process: %s', async (engine) => {
    const alone = program('alone', { properties: [refines(declared)] }, function* () {
      yield* calls()
      yield* announce(declared.vote({ value: 'b' }))
    })
    expect(await checkResult(alone, { engine })).toMatchObject(violated)
  })

  test.each(['dpor', 'exhaustive'])('of one that was joined: %s', async (engine) => {
    const joined = program('joined', { properties: [refines(declared)] }, function* () {
      yield* join(yield* spawn('worker', calls))
      yield* announce(declared.vote({ value: 'b' }))
    })
    expect(await checkResult(joined, { engine })).toMatchObject(violated)
  })
})

describe('messages in a mailbox that nobody reads', () => {
  const unread = (isMixed: boolean) =>
    program('unread', { network: isMixed ? 'bag' : 'mailbox', properties: [refines(plain)] }, function* () {
      const target = yield* spawn('target', { daemon: true }, function* () {})
      const through = isMixed ? ({ network: 'mailbox' } as const) : undefined
      yield* spawn('voter', function* () {
        yield* announce(plain.vote({ value: 'a' }))
        yield* through === undefined ? send(target, 1 as never) : send(target, 1 as never, through)
      })
      yield* spawn('committer', function* () {
        yield* through === undefined ? send(target, 2 as never) : send(target, 2 as never, through)
        yield* announce(plain.commit({}))
      })
    })

  test('are sent in any order, also that of who commits first', async () => {
    expect(await checkResult(unread(false))).toMatchObject({ value: { kind: 'violated' } })
    expect(await checkResult(unread(false), { engine: 'exhaustive' })).toMatchObject({ value: { kind: 'violated' } })
  })

  test.each([false, true])('dpor does not decide it (one network among others: %s)', async (isMixed) => {
    const result = await checkResult(unread(isMixed), { engine: 'dpor' })
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E309' }] })
  })
})

test.each([undefined, 'local', 'stateful'])('what a liar says makes others call: %s', async (engine) => {
  const replica = machine<object, { readonly kind: 'commit' }>('replica', {
    state: () => ({}),
    on: { commit: (_state, _message, { announce: tell }) => tell(declared.commit({})) },
  })
  const lied = system('lied', { faults: {} }, () => ({
    machines: { a: replica.as(), liar: byzantine(replica, { says: [{ kind: 'commit' }] }) },
    properties: [refines(declared)],
  }))
  expect(await checkResult(lied, { engine })).toMatchObject({ value: { kind: 'violated' } })
})
