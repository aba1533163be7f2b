import { conflict, invariant, machine, system } from 'allways'
import { expectTypeOf, test } from 'vitest'

interface State {
  count: number
}
type Message = { kind: 'add'; by: number } | { kind: 'stop' }

test('handlers are given the message of their kind', () => {
  machine<State, Message, { step: number }>('m', {
    state: ({ self, peers, args }) => {
      expectTypeOf(self).toEqualTypeOf<string>()
      expectTypeOf(peers).toEqualTypeOf<readonly string[]>()
      return { count: args.step }
    },
    on: {
      add(state, message, context) {
        expectTypeOf(state).toEqualTypeOf<State>()
        expectTypeOf(message).toEqualTypeOf<{ kind: 'add'; by: number }>()
        expectTypeOf(context.from).toEqualTypeOf<string>()
        context.send('other', { kind: 'stop' })
        // @ts-expect-error no such message
        context.send('other', { kind: 'start' })
        expectTypeOf(context.choose([1, 2])).toEqualTypeOf<1 | 2>()
      },
      // @ts-expect-error no such kind
      start() {},
    },
    timers: {
      tick(state, context) {
        // @ts-expect-error nobody sent anything
        context.from
        return { count: state.count + context.args.step }
      },
    },
    durable: ['count'],
  })
})

test('durable fields are those of the state, and what handlers return is a state', () => {
  // @ts-expect-error no such field
  machine<State, Message>('m', { state: () => ({ count: 0 }), durable: ['total'] })
  // @ts-expect-error no state
  machine<State, Message>('m', { state: () => ({ count: 0 }), on: { stop: () => ({ total: 1 }) } })
})

test('without types, the state is inferred', () => {
  machine('m', {
    state: () => ({ names: ['a'] }),
    on: { hello: (state) => expectTypeOf(state).toEqualTypeOf<{ names: string[] }>() as never },
  })
})

test('arguments, parameters and states of invariants are typed', () => {
  const typed = machine<State, Message, { step: number }>('m', { state: () => ({ count: 0 }) })
  typed.as({ step: 1 })
  // @ts-expect-error no such argument
  typed.as({ steps: 1 })
  // @ts-expect-error it cannot do without
  typed.as()
  system('s', { params: { size: 3 } }, ({ size }) => {
    expectTypeOf(size).toEqualTypeOf<number>()
    return {
      machines: { a: typed.as({ step: size }) },
      invariants: [
        invariant<State>('i', (states) => (states.a?.count ?? 0) < 3),
        conflict<State, number>('c', { each: ({ count }) => count, conflict: (left, right) => left > right }),
      ],
    }
  })
})

test('a member of the union may stand for several kinds', () => {
  type Work = { kind: 'ask' } | { kind: 'job' | 'done'; id: string }
  machine<{ last: string }, Work>('worker', {
    state: () => ({ last: '' }),
    on: {
      done(state, message) {
        expectTypeOf(message.kind).toEqualTypeOf<'done'>()
        state.last = message.id
      },
      ask(_state, message) {
        expectTypeOf(message).toEqualTypeOf<{ kind: 'ask' }>()
      },
    },
  })
})
