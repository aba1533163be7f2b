/** A call that an object refuses has the line at which it was announced, also when the handler had sent something before. */
import { expect, test } from 'vitest'
import { actions, checkResult, machine, refines, refuse, specification, system } from '../../../../src/index.ts'

const counter = specification('counter', {
  state: { count: 0 },
  operations: {
    count: ({ count }: { count: number }) => (count === 1 ? refuse('once is enough') : { count: count + 1 }),
  },
  conflicts: () => 'once is enough',
  needs: () => undefined,
})

interface Told {
  readonly kind: 'hello' | 'done'
}

const counts = machine<object, Told>('counts', {
  state: () => ({}),
  on: {
    hello: (_, _message, context) => {
      context.send(context.from, { kind: 'done' })
      context.announce(counter.count({}))
    },
  },
})
const lineOfCall = 23

const asks = machine<object, Told>('asks', {
  state: () => ({}),
  start: (_, context) => {
    for (const to of ['first', 'second']) context.send(to, { kind: 'hello' })
  },
  on: { done: () => {} },
})

const twice = system('twice', { faults: {} }, () => ({
  machines: { first: counts.as(), second: counts.as(), third: asks.as() },
  properties: [refines(counter)],
}))

test.each(['stateful', 'dpor', 'exhaustive', 'local', 'random'] as const)('found by %s', async (engine) => {
  const found = await checkResult(twice, { engine })
  const stack = expect.stringContaining(`announced-line.test.ts:${lineOfCall}:15`)
  const violation = { message: 'count: once is enough', stack }
  expect(found).toMatchObject({ value: { kind: 'violated', evidence: [{ violation }] } })
})

const acting = system('acting', { faults: {} }, () => ({
  machines: {
    all: actions<number>('all', {
      state: () => 0,
      next: (at) => (at === 2 ? [] : [{ name: 'count', after: at + 1, announces: [counter.count({})] }]),
    }).as(),
  },
  properties: [refines(counter)],
}))
const lineOfCallInAction = 53

test.each(['stateful', 'dpor', 'exhaustive', 'local'] as const)('of an action, found by %s', async (engine) => {
  const found = await checkResult(acting, { engine })
  const stack = expect.stringContaining(`announced-line.test.ts:${lineOfCallInAction}:`)
  expect(found).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { stack } }] } })
})
