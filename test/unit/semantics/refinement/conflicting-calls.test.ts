/** Which two calls of an execution cannot both be, and where reports say so. */
import { expect, test } from 'vitest'
import type { Event } from '../../../../src/core/event.ts'
import { findingsIn, stepNumber } from '../../../../src/core/evidence.ts'
import {
  announce,
  checkResult,
  machine,
  type Operation,
  program,
  qtree,
  refines,
  refuse,
  specification,
  system,
} from '../../../../src/index.ts'
import { abstractObjectOf, type Refined } from '../../../../src/program/refinement.ts'
import { jsonReport } from '../../../../src/reports/json.ts'
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

test('the cause is a call that conflicts, and not what the refused one lacked before', () => {
  const one = tree.add({ round: 1, value: 'a', parent: 0 })
  const two = tree.add({ round: 2, value: 'b', parent: 0 })
  expect(found(tree, [two, one, tree.commit({ round: 1 })])).toEqual([
    [0, 'add round 2 = "b" under root'],
    [2, 'commit round 1'],
  ])
})

test('of several calls that conflict it is the one that the reason names', () => {
  const logs = qtree('logs', { decree: 'log' })
  const adds = [1, 3, 4].map((round) => logs.add({ round, value: 'a', parent: 0 }))
  const [one, three, four] = adds
  expect(found(logs, [one, logs.commit({ round: 1 }), three])?.[0]).toEqual([1, 'commit round 1'])
  expect(found(logs, [one, three, logs.commit({ round: 3 }), four])?.[0]).toEqual([2, 'commit round 3'])
})

interface Round {
  rounds: number
}

const proposer = machine<Round>('proposer', {
  state: () => ({ rounds: 0 }),
  requests: {
    add(state, round: number, context) {
      state.rounds++
      context.announce(tree.add({ round, value: `v${round}`, parent: 0 }))
    },
    commit({ rounds }, round: number, context) {
      if (rounds > 0) context.announce(tree.commit({ round }))
    },
  },
})

const late = system('late', { faults: {} }, () => ({
  machines: { ann: proposer.as(), bob: proposer.as() },
  requests: {
    ann: [
      ['add', 1],
      ['commit', 1],
    ],
    bob: [['add', 2]],
  },
  properties: [refines(tree)],
}))

test.each(['local', 'stateful', 'dpor', 'random'])(
  '%s: a finding of machines names two calls that conflict',
  async (engine) => {
    const result = await checkResult(late, { engine })
    if (!result.ok) throw new Error(JSON.stringify(result))
    const { results } = jsonReport([
      { program: 'late', file: 'late.check.ts', seconds: 0, verdict: result.value, findings: [] },
    ])
    const words = results.flatMap(({ violation }) => violation?.calls?.map((call) => call.words) ?? [])
    expect(words.sort()).toEqual(['add round 2 = "v2" under root', 'commit round 1'])
  },
)

test('a vote stands for what it comes to: the cause is the one that made the other quorum', () => {
  const vote = (phase: 'add' | 'commit', [round, value]: readonly [number, string], by: string) =>
    tree.vote({ phase, round, value, parent: 0, by, quorum: 2 })
  const added = ['ann', 'bob'].map((by) => vote('add', [1, 'x'], by))
  const other = ['eve', 'joe'].map((by) => vote('add', [1, 'y'], by))
  expect(found(tree, [other[0], ...added, other[1]])).toEqual([
    [2, 'vote of bob to add round 1 = "x" under root'],
    [3, 'vote of joe to add round 1 = "y" under root'],
  ])
  const late = ['ann', 'bob'].map((by) => vote('commit', [1, 'x'], by))
  const above = ['eve', 'joe'].map((by) => vote('add', [2, 'x'], by))
  const said = (calls: readonly unknown[]) => found(tree, calls)?.map(([at]) => at)
  expect(said([...added, ...above, ...late])).toEqual([3, 5])
  expect(said([...added, late[0], above[0], late[1], above[1]])).toEqual([4, 5])
  // Before the quorum that adds round 1 its commit is refused as well, for another reason.
  expect(said([...above, ...added, ...late])).toEqual([1, 5])
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
