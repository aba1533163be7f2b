/** What an invariant is told of a state by reflection is what is so of the state itself: otherwise it may look no further. */
import { expect, test } from 'vitest'
import { checkResult, invariant, machine, system } from '../../../../src/index.ts'

interface Counted {
  readonly n: number
  readonly log: readonly number[]
}

const counter = machine('counter', {
  state: (): { n: number; log: number[] } => ({ n: 0, log: [] }),
  requests: {
    go(state) {
      state.n++
      state.log.push(state.n)
    },
  },
})

const isDescribed = (state: Counted, key: string): boolean => {
  const described = Object.getOwnPropertyDescriptor(state, key)
  return !(described?.value > 0) && described?.configurable === false && described.writable === false
}

const holding: readonly (readonly [string, (state: Counted) => boolean])[] = [
  ['isFrozen, and a field', (state) => Object.isFrozen(state) && state.n < 1],
  ['not isFrozen, or a field', (state) => !Object.isFrozen(state) || state.n < 1],
  ['isSealed', (state) => !Object.isSealed(state) || state.n < 1],
  ['isExtensible', (state) => Object.isExtensible(state) || state.n < 1],
  ['isExtensible of Reflect', (state) => Reflect.isExtensible(state) || state.n < 1],
  ['a part of it', (state) => !Object.isFrozen(state.log) || state.log.length < 1],
  ['a descriptor', (state) => isDescribed(state, 'n')],
  ['all descriptors', (state) => !((Object.getOwnPropertyDescriptors(state).n?.value as number) > 0)],
  ['the descriptor of an element', ({ log }) => Object.getOwnPropertyDescriptor(log, '0')?.writable === undefined],
  ['of the length of a list', ({ log }) => !(Object.getOwnPropertyDescriptor(log, 'length')?.value > 0)],
]

test.each(
  holding.flatMap(([name, holds]) => ['local', 'stateful', 'dpor'].map((engine) => [name, engine, holds] as const)),
)('%s, by %s', async (_, engine, holds) => {
  const one = system('one', () => ({
    machines: { x: counter.as() },
    requests: { x: [['go']] },
    invariants: [invariant('nothing came', ({ x }) => holds(x as never))],
  }))
  expect(await checkResult(one, { engine })).toMatchObject({ ok: true, value: { kind: 'violated' } })
})
