/** Sequential objects of the recorded histories that are not built in, as a user would write them. */
import type { Value } from '../../src/core/value.ts'
import { type Specification, specification } from '../../src/properties/linearizability/specification.ts'

/** `putAny(S)` stores some subset of S, `getAny` returns some subset of the state, `getAll` the state. */
export function nondeterministicRegister(): Specification<readonly Value[]> {
  return specification<readonly Value[]>({
    name: 'nondeterministic register',
    initial: [],
    operations: ['putAny', 'getAny', 'getAll'],
    observes: (operation) => operation !== 'putAny',
    apply(state, operation, [given], result) {
      if (operation === 'putAny') return subsets(given as readonly Value[]).map((subset) => ({ state: subset }))
      if (operation === 'getAll' || result.kind !== 'returned') return { state, returns: state }
      const seen = result.value as readonly Value[]
      return seen.every((one) => state.includes(one)) ? { state, returns: seen } : undefined
    },
  })
}

function subsets([first, ...others]: readonly Value[]): readonly (readonly Value[])[] {
  if (first === undefined) return [[]]
  const without = subsets(others)
  return [...without, ...without.map((subset) => [first, ...subset])]
}

export function deque(): Specification<readonly Value[]> {
  return specification<readonly Value[]>({
    name: 'deque',
    initial: [],
    operations: ['addFirst', 'addLast', 'pollFirst', 'peekLast'],
    apply(state, operation, [value]) {
      switch (operation) {
        case 'addFirst':
          return { state: [value, ...state] }
        case 'addLast':
          return { state: [...state, value] }
        case 'pollFirst':
          return { state: state.slice(1), returns: state[0] }
        default:
          return { state, returns: state.at(-1) }
      }
    },
  })
}

/** Money that is not there can be neither withdrawn nor transferred. */
export function bank(initial: readonly number[]): Specification<readonly number[]> {
  const changed = (balances: readonly number[], account: number, by: number) =>
    balances.map((balance, at) => (at === account ? balance + by : balance))
  return specification<readonly number[]>({
    name: 'bank',
    initial,
    operations: ['deposit', 'withdraw', 'transfer'],
    apply(balances, operation, args) {
      const [account = 0, second = 0, third = 0] = args as readonly number[]
      const before = balances[account] ?? 0
      if (operation === 'deposit') return { state: changed(balances, account, second), returns: before + second }
      const amount = operation === 'withdraw' ? second : third
      if (before < amount) return { state: balances, throws: 'IllegalArgumentException' }
      const less = changed(balances, account, -amount)
      return operation === 'withdraw'
        ? { state: less, returns: before - amount }
        : { state: changed(less, second, amount) }
    },
  })
}
