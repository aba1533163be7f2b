/** A key-value store with 100,000 calls by 50 processes: what the search costs, in configurations. */
import { expect, test } from 'vitest'
import { type Draw, simulatedHistory } from '../../corpus/histories/simulate.ts'
import type { Call } from '../../src/core/history.ts'
import { Random } from '../../src/core/random.ts'
import { decideHistory } from '../../src/properties/linearizability/decide-history.ts'
import { kv } from '../../src/properties/linearizability/specifications/map.ts'
import { long, longIf } from '../amount.ts'

const draw: Draw = (random) => {
  const key = `k${random.below(100)}`
  return random.below(2) === 0 ? ['get', key] : ['put', key, `${random.below(5)}`]
}
const shape = { processes: 50, calls: 100_000, pending: 200, unknown: 0, wrong: 0 }
const history = simulatedHistory(new Random(1), kv(), draw, shape)

test('it is linearizable, with little more than one configuration per call', long, () => {
  const found = decideHistory(history, kv())
  const progress = found.ok ? found.value.progress : undefined
  expect(found.ok && found.value.linearizable).toBe(true)
  expect(progress).toMatchObject({ parts: 100, decidedParts: 100, operations: 100_000, decidedOperations: 100_000 })
  expect(progress?.configurations).toBeLessThan(105_000)
})

test('six megabytes for what was searched are enough for all parts together', longIf(true, true), () => {
  const found = decideHistory(history, kv(), { memory: 100 * 64 * 1024 })
  expect(found.ok && found.value.linearizable && found.value.progress.configurations).toBeLessThan(105_000)
})

test('one stale read among them is found', long, () => {
  const at = history.calls.findIndex(
    ({ operation, result }, call) => call > 50_000 && operation === 'get' && result.kind === 'returned',
  )
  const stale = { ...(history.calls[at] as Call), result: { kind: 'returned', value: 'never written' } as const }
  const found = decideHistory({ calls: history.calls.with(at, stale) }, kv())
  expect(found.ok && !found.value.linearizable && found.value.stuck).toBe(stale)
})
