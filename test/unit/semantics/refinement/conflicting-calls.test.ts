/** Which two calls of an execution cannot both be, and where reports say so. */
import { expect, test } from 'vitest'
import type { Event } from '../../../../src/core/event.ts'
import { findingsIn, stepNumber } from '../../../../src/core/evidence.ts'
import {
  announce,
  checkResult,
  type Operation,
  program,
  qtree,
  refines,
  refuse,
  specification,
} from '../../../../src/index.ts'
import { abstractObjectOf, type Refined } from '../../../../src/program/refinement.ts'
import { mermaid } from '../../../../src/reports/mermaid.ts'
import { conflictingCalls } from '../../../../src/semantics/refinement/conflicting-calls.ts'

const tree = qtree('tree')

function found(
  refined: Refined,
  calls: readonly unknown[],
): readonly (readonly [number | undefined, string])[] | undefined {
  const events = calls.map((value) => ({ kind: 'announce', process: 'p', index: 0, value, isCall: true }) as Event)
  const object = abstractObjectOf(refined) as NonNullable<ReturnType<typeof abstractObjectOf>>
  return conflictingCalls(object, events)?.calls?.map(({ event, words }) => [event, words])
}

test('the cause is the call since which the object refuses the other', () => {
  const [one, two] = [tree.add({ round: 1, value: 'a', parent: 0 }), tree.add({ round: 2, value: 'b', parent: 0 })]
  const commit = tree.commit({ round: 1 })
  expect(found(tree, [one, commit, two])).toEqual([
    [1, 'commit round 1'],
    [2, 'add round 2 = "b" under root'],
  ])
  // The other way round it is the addition that makes a ghost of round 1.
  expect(found(tree, [one, two, commit])?.[0]).toEqual([1, 'add round 2 = "b" under root'])
  expect(found(tree, [one, two])).toBeUndefined()
})

test('a call that was never possible, for the same reason, has no cause; for another reason it has', () => {
  const late = tree.add({ round: 3, value: 'b', parent: 2 })
  expect(found(tree, [tree.add({ round: 1, value: 'a', parent: 0 }), late])?.map(([at]) => at)).toEqual([1])
  // Without its parent at first, and then with another value than its parent.
  const above = tree.add({ round: 2, value: 'a', parent: 0 })
  expect(found(tree, [tree.add({ round: 1, value: 'a', parent: 0 }), above, late])?.map(([at]) => at)).toEqual([1, 2])
})

const lock = specification('lock', {
  state: { by: '' },
  operations: {
    take(state: { by: string }, { by }: { readonly by: string }) {
      if (state.by !== '') return refuse(`held by ${state.by}`, { consequence: 'two clients hold it' })
      state.by = by
      return state
    },
    idle: (state: { by: string }) => state,
  },
})

const twice = program('twice', { properties: [refines(lock)] }, function* (): Generator<Operation, void> {
  yield* announce(lock.take({ by: 'ann' }))
  yield* announce(lock.idle({}))
  yield* announce(lock.take({ by: 'bob' }))
})

test.each(['dpor', 'exhaustive', 'random'])('%s: a finding has both calls by their steps', async (engine) => {
  const result = await checkResult(twice, { engine })
  const [finding] = result.ok ? findingsIn(result.value.evidence) : []
  if (finding?.kind !== 'execution') throw new Error(JSON.stringify(result))
  const { violation, events } = finding
  expect(violation.consequence).toBe('two clients hold it')
  const steps = (violation.calls ?? []).map(({ event, words }) => `${stepNumber(events, event as number)} ${words}`)
  expect(steps).toEqual(['1 take {by: "ann"}', '3 take {by: "bob"}'])
  const marked = mermaid(finding)
    .split('\n')
    .filter((line) => line.includes('✗'))
  expect(marked).toEqual([expect.stringContaining('lock.take{by: #34;bob#34;}')])
})
