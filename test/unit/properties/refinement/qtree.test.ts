/** The quorum tree against what characterises it: a set of calls and who comes before whom, without a tree. */
import { expect, test } from 'vitest'
import type { Value } from '../../../../src/core/value.ts'
import { type AbstractCall, type AbstractObject, abstractObjectOf } from '../../../../src/program/refinement.ts'
import {
  added,
  committed,
  compareRounds,
  decided,
  type Grown,
  type Tree,
} from '../../../../src/properties/refinement/qtree.ts'
import { qtree } from '../../../../src/properties/refinement/quorum-tree.ts'
import { amount } from '../../../amount.ts'

type Call =
  | { readonly kind: 'add'; readonly round: number; readonly value: string; readonly parent: number }
  | { readonly kind: 'commit'; readonly round: number }
  | { readonly kind: 'decided'; readonly round: number }

const rounds = [1, 2, 3]
const alphabet: readonly Call[] = [
  ...rounds.flatMap((round) =>
    ['a', 'b'].flatMap((value) => [0, ...rounds].map((parent): Call => ({ kind: 'add', round, value, parent }))),
  ),
  ...rounds.map((round): Call => ({ kind: 'commit', round })),
  ...rounds.map((round): Call => ({ kind: 'decided', round })),
]

function grown(tree: Tree, call: Call, decree: 'single' | 'log'): Grown {
  if (call.kind === 'add') return added(tree, call, decree)
  return call.kind === 'commit' ? committed(tree, call.round, undefined, decree) : decided(tree, call.round)
}

/** Whether calls that came one after the other are all right: each pair, and what each needs before it. */
function isRight(calls: readonly Call[], decree: 'single' | 'log'): boolean {
  const adds = calls.filter((call) => call.kind === 'add')
  const addOf = (round: number, before = calls.length) =>
    calls.slice(0, before).find((call) => call.kind === 'add' && call.round === round) as
      | Extract<Call, { kind: 'add' }>
      | undefined
  const isUnder = (round: number, above: number): boolean => {
    for (let at: number | undefined = round; at !== undefined && at > 0; at = addOf(at)?.parent) {
      if (at === above) return true
    }
    return false
  }
  return calls.every((call, at) => {
    switch (call.kind) {
      case 'add': {
        const same = adds.filter((one) => one.round === call.round)
        const isOne = same.every((one) => one.value === call.value && one.parent === call.parent)
        const above = call.parent === 0 ? undefined : addOf(call.parent, at)
        const isLinked = call.parent === 0 || (above !== undefined && call.parent < call.round)
        const isBound = decree === 'log' || above === undefined || above.value === call.value
        return isOne && isLinked && isBound
      }
      case 'commit':
        return (
          addOf(call.round, at) !== undefined && !adds.some((one) => one.parent < call.round && call.round < one.round)
        )
      default:
        return calls
          .slice(0, at)
          .some((one) => one.kind === 'commit' && isUnder(one.round, call.round) && addOf(call.round, at) !== undefined)
    }
  })
}

test.each(['single', 'log'] as const)(
  '%s: the tree refuses what some order of the calls cannot have, and nothing else',
  (decree) => {
    let sequences = 0
    const visit = (calls: readonly Call[], tree: Tree, left: number): void => {
      for (const call of alphabet) {
        if (calls.some((one) => one === call)) continue
        sequences++
        const next = [...calls, call]
        const after = grown(tree, call, decree)
        const isAllowed = 'tree' in after
        if (isAllowed !== isRight(next, decree)) expect({ next, isAllowed }).toBe('as the calls say')
        if (isAllowed && left > 1) visit(next, after.tree, left - 1)
      }
    }
    visit([], [], 6)
    expect(sequences).toBeGreaterThan(1_000)
  },
)

test.each(['single', 'log'] as const)(
  '%s: what conflicts, and what a call lacks, is what the tree refuses, with values told by commits as well',
  (decree) => {
    const object = abstractObjectOf(qtree('tree', { decree })) as AbstractObject
    const { conflicts, needs } = object as Required<AbstractObject>
    const told = [...alphabet, ...['a', 'b'].map((value): object => ({ kind: 'commit', round: 2, value }))]
    const all = told.map((call) => ({ ...call, kind: `tree.${(call as Call).kind}` }) as AbstractCall)
    let refusals = 0
    const visit = (calls: readonly AbstractCall[], state: Value, left: number): void => {
      for (const call of all) {
        const after = object.after(state, call)
        const isRefused = 'refused' in after
        const lacks = needs.call(object, call, calls)
        const both = calls.map((one) => [conflicts.call(object, call, one), conflicts.call(object, one, call)])
        const isTold = lacks !== undefined || both.some(([one]) => one !== undefined)
        if (isRefused !== isTold) expect({ calls, call, isRefused }).toBe('as pairs and pasts say')
        if (both.some(([one, other]) => (one === undefined) !== (other === undefined)))
          expect({ calls, call }).toBe('the same in either order')
        if (isRefused) refusals++
        else if (left > 1) visit([...calls, call], after.state, left - 1)
      }
    }
    visit([], object.first, amount({ quick: 4, all: 5 }))
    expect(refusals).toBeGreaterThan(1_000)
  },
)

test('what is repeated changes nothing', () => {
  const first = added([], { round: 1, value: 'a', parent: 0 }, 'single') as { tree: Tree }
  const again = added(first.tree, { round: 1, value: 'a', parent: 0 }, 'single')
  expect(again).toEqual(first)
  const once = committed(first.tree, 1, undefined, 'single') as { tree: Tree }
  expect(committed(once.tree, 1, undefined, 'single')).toEqual(once)
})

test('an open node has the value of its commit, and so do those under it', () => {
  const open = added([], { round: 1, isOpen: true, parent: 0 }, 'single') as { tree: Tree }
  const under = added(open.tree, { round: 2, value: 'b', parent: 1 }, 'single') as { tree: Tree }
  expect(committed(under.tree, 1, 'a', 'single')).toMatchObject({ refused: { rule: 'value' } })
  const done = committed(under.tree, 1, 'b', 'single') as { tree: Tree }
  expect(added(done.tree, { round: 3, value: 'a', parent: 1 }, 'single')).toMatchObject({ refused: { rule: 'value' } })
})

test('rounds are numbers or lists of numbers, and the root is before all', () => {
  expect([[2, 1], [1, 9], 0, [2], [1, 10]].sort(compareRounds)).toEqual([0, [1, 9], [1, 10], [2], [2, 1]])
})
