/** Votes of a quorum tree: those that say the same count together, in whatever order they come, and no others. */
import { qtree } from 'allways'
import { expect, test } from 'vitest'
import type { Value } from '../../../../src/core/value.ts'
import { type AbstractCall, type AbstractObject, abstractObjectOf } from '../../../../src/program/refinement.ts'

const tree = qtree('votes')
const object = abstractObjectOf(tree) as AbstractObject

type Phase = 'add' | 'commit'

function vote(phase: Phase, round: number, value: string, parent: number, by: string): AbstractCall {
  return tree.vote({ phase, round, value, parent, by, quorum: 2 })
}

/** Why the first call that is refused is refused, and how it is called. */
function refusal(calls: readonly AbstractCall[]): string | undefined {
  let state: Value = object.first
  for (const call of calls) {
    const applied = object.after(state, call)
    if ('refused' in applied) return `${object.described(call)}: ${applied.refused.reason}`
    state = applied.state
  }
  return undefined
}

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

const first = tree.add({ round: 1, value: 'x', parent: 0 })
const commit = (round: number) => tree.commit({ round })

test.each<readonly [string, readonly AbstractCall[]]>([
  ['parents', [vote('add', 2, 'x', 1, 'ann'), vote('add', 2, 'x', 0, 'bob')]],
  ['parents, one of which was never added', [vote('add', 2, 'x', 1, 'ann'), vote('add', 2, 'x', 7, 'bob')]],
  ['values', [vote('add', 2, 'x', 1, 'ann'), vote('add', 2, 'y', 1, 'bob')]],
])('votes of different %s add nothing', (_, votes) => {
  for (const order of orders(votes))
    expect(refusal([first, ...order, commit(2)])).toBe('commit round 2: round 2 was not added')
})

test('votes of different parents commit nothing', () => {
  const second = tree.add({ round: 2, value: 'x', parent: 1 })
  for (const order of orders([vote('commit', 2, 'x', 1, 'ann'), vote('commit', 2, 'x', 0, 'bob')]))
    expect(refusal([first, second, ...order, tree.decided({ round: 2 })])).toMatch(/^decided round 2: no round/)
})

test('whichever comes first of two quorums for different parents, the other one is refused', () => {
  const quorums = [1, 0].map((parent) => ['ann', 'bob'].map((by) => vote('add', 2, 'x', parent, by)))
  for (const [one, other] of orders(quorums) as readonly (readonly AbstractCall[][])[]) {
    const parent = other?.[1]?.parent === 0 ? 'root' : '1'
    const said = refusal([first, ...(one ?? []), ...(other ?? [])])
    expect(said).toMatch(`vote of bob to add round 2 = "x" under ${parent}: round 2 was added before, as "x" under `)
  }
})

test('a quorum for another parent than the one that was added is refused', () => {
  const votes = (phase: Phase) => ['ann', 'bob'].map((by) => vote(phase, 2, 'x', 0, by))
  const second = tree.add({ round: 2, value: 'x', parent: 1 })
  expect(refusal([first, second, ...votes('add')])).toMatch(/under root: round 2 was added before/)
  expect(refusal([first, second, ...votes('commit')])).toMatch(/under root: round 2 was added under 1, and not under/)
  expect(refusal([first, ...votes('add'), ...votes('commit'), commit(2)])).toBeUndefined()
})

test('all that is counted follows from which votes there are, in any order', () => {
  const [ann, bob, eve] = ['ann', 'bob', 'eve'] as const
  const votes = [vote('add', 1, 'x', 0, ann), vote('add', 1, 'x', 0, bob), vote('add', 1, 'y', 0, eve)]
  const states = orders([...votes, vote('add', 2, 'x', 1, ann)]).map((order) => {
    let state: Value = object.first
    for (const call of order) {
      const applied = object.after(state, call)
      if ('refused' in applied) throw new Error(applied.refused.reason)
      state = applied.state
    }
    return state
  })
  for (const state of states) expect(state).toEqual(states[0])
})

test('rounds that are equal are one, however they are written', () => {
  const votes = [2, [2]].map((round, at) =>
    tree.vote({ phase: 'add', round, value: 'x', parent: 0, by: `voter ${at}`, quorum: 2 }),
  )
  expect(refusal([...votes, commit(2)])).toBeUndefined()
})

test('votes of which some say more than others are refused where they are told', () => {
  const told = { phase: 'commit', round: 1, by: 'ann', quorum: 2 } as const
  const [valued, under] = [tree.vote({ ...told, value: 'x' }), tree.vote({ ...told, parent: 0 })]
  const bare = tree.vote({ ...told, by: 'bob' })
  for (const [some, part] of [
    [valued, 'value'],
    [under, 'parent'],
  ] as const) {
    for (const order of orders([some, bare]))
      expect(() => refusal([first, ...order])).toThrow(`one of them alone tells a ${part}`)
  }
  expect(refusal([first, bare, tree.vote(told), tree.decided({ round: 1 })])).toBeUndefined()
})

test('a vote to add a round says with which value', () => {
  const call = { phase: 'add', round: 1, parent: 0, by: 'ann', quorum: 2 } as const
  expect(() => tree.vote(call)).toThrow(/to add a round needs a value/)
  const written = { kind: 'votes.vote', ...call } as unknown as AbstractCall
  expect(object.problemOf?.(written)?.message).toMatch(/to add a round needs a value/)
})

test('who has made a quorum is forgotten: it is the same whoever of them came first', () => {
  const votes = ['ann', 'bob', 'eve'].map((by) => vote('add', 1, 'x', 0, by))
  const left = orders(votes).map((order) => order.reduce(afterCall, { state: object.first, told: [] }))
  expect(new Set(left.map(({ state }) => JSON.stringify(state))).size).toBe(1)
  const add = { kind: 'votes.add', round: 1, value: 'x', parent: 0 }
  expect(left.map(({ told }) => told)).toEqual(left.map(() => [undefined, add, undefined]))
})

function afterCall({ state, told }: { readonly state: Value; readonly told: readonly unknown[] }, call: AbstractCall) {
  const applied = object.after(state, call)
  if ('refused' in applied) throw new Error(applied.refused.reason)
  return { state: applied.state, told: [...told, applied.comesTo] }
}
