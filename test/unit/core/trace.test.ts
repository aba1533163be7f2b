import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decision, describeDecision, sameDecision } from '../../../src/core/trace.ts'

const names = fc.oneof(fc.constantFrom('a', 'b', 'a steps', 'a receives #1'), fc.string({ maxLength: 12 }))
const decisions: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({ kind: fc.constant('step' as const), process: names }),
  fc.record({ kind: fc.constant('deliver' as const), process: names, message: fc.nat(3) }),
  fc.record({ kind: fc.constant('timeout' as const), process: names }),
  fc.record({ kind: fc.constant('choose' as const), process: names, option: fc.nat(3) }),
)

describe('decisions', () => {
  test.each<[Decision, string]>([
    [{ kind: 'step', process: 'worker' }, 'worker steps'],
    [{ kind: 'deliver', process: 'worker', message: 3 }, 'worker receives #3'],
    [{ kind: 'timeout', process: 'worker' }, 'worker receives nothing'],
    [{ kind: 'choose', process: 'worker', option: 1 }, 'worker chooses option 2'],
  ])('%o is said as %s', (decision, words) => {
    expect(describeDecision(decision)).toBe(words)
  })

  test('are the same exactly when all their fields are', () => {
    fc.assert(
      fc.property(decisions, decisions, (left, right) => {
        expect(sameDecision(left, { ...left })).toBe(true)
        expect(sameDecision(left, right)).toBe(JSON.stringify(left) === JSON.stringify(right))
      }),
      { seed: 40, numRuns: 1000 },
    )
  })
})
