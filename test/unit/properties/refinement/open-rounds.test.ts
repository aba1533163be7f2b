/**
 * Open rounds anywhere in a quorum tree, against what is meant: no two values are committed. All sequences of calls are looked at, those with the same calls
 * as one, which is right if they lead to one tree.
 */
import { expect, test } from 'vitest'
import { added, committed, type Decree, type Tree } from '../../../../src/properties/refinement/qtree.ts'
import { amount, cut } from '../../../amount.ts'

interface Add {
  readonly kind: 'add'
  readonly round: number
  /** Nothing: it is open. */
  readonly value: string | undefined
  readonly parent: number
}

interface Commit {
  readonly kind: 'commit'
  readonly round: number
  readonly value: string | undefined
}

const rounds = [1, 2, 3]
const values = ['x', 'y', undefined]
const adds = rounds.flatMap((round) =>
  values.flatMap((value) => [0, ...rounds].map((parent): Add => ({ kind: 'add', round, value, parent }))),
)
const commits = rounds.flatMap((round) => values.map((value): Commit => ({ kind: 'commit', round, value })))

/** By round: what the calls say of it, where they do not contradict each other. */
interface Said {
  readonly parent: number
  readonly isOpen: boolean
  readonly value: string | undefined
  readonly isCommitted: boolean
}

/** Nothing, if the calls say different things of one round. */
function saidBy(calls: readonly (Add | Commit)[]): ReadonlyMap<number, Said> | undefined {
  const said = new Map<number, Said>()
  for (const round of rounds) {
    const [first, ...others] = calls.filter((one) => one.kind === 'add' && one.round === round) as Add[]
    if (first === undefined) continue
    if (others.some(({ parent, value }) => parent !== first.parent || value !== first.value)) return undefined
    const told = calls.filter((one) => one.kind === 'commit' && one.round === round)
    const known = new Set([first, ...told].flatMap(({ value }) => value ?? []))
    if (known.size > 1) return undefined
    const isOpen = first.value === undefined
    said.set(round, { parent: first.parent, isOpen, value: [...known][0], isCommitted: told.length > 0 })
  }
  return said
}

function nextAbove(said: ReadonlyMap<number, Said>, round: number): Said | undefined {
  const above = said.get(said.get(round)?.parent ?? 0)
  return above === undefined || above.value !== undefined ? above : nextAbove(said, said.get(round)?.parent ?? 0)
}

/** Whether a call may come after these, which may be. */
function isRight(before: readonly (Add | Commit)[], call: Add | Commit, decree: Decree): boolean {
  const said = saidBy([...before, call])
  const known = saidBy(before)
  if (said === undefined || known === undefined) return false
  if (call.kind === 'add' && call.parent > 0 && (call.parent >= call.round || !known.has(call.parent))) return false
  if (call.kind === 'commit') {
    const node = known.get(call.round)
    if (node === undefined || (node.value ?? call.value) === undefined) return false
  }
  for (const [round, { isCommitted, value }] of said) {
    const isPassed = [...said].some(([later, { parent }]) => parent < round && round < later)
    if (isCommitted && isPassed) return false
    const above = nextAbove(said, round)
    const isBound = decree === 'single' && value !== undefined && above !== undefined
    if (isBound && above.value !== value) return false
  }
  return true
}

function after(tree: Tree, call: Add | Commit, decree: Decree): Tree | undefined {
  const { round, value } = call
  const opened = value === undefined ? { isOpen: true as const } : { value }
  const grown =
    call.kind === 'add'
      ? added(tree, { round, parent: call.parent, ...opened }, decree)
      : committed(tree, round, value as string, decree)
  return 'refused' in grown ? undefined : grown.tree
}

interface Reached {
  readonly calls: readonly (Add | Commit)[]
  readonly tree: Tree
}

/** Calls that were allowed, each set of them once, with what came of them. */
function reached(decree: Decree, longest: number): readonly Reached[] {
  const all = new Map<string, Reached>([['', { calls: [], tree: [] }]])
  // What is found on the way is looked at as well.
  for (const { calls, tree } of all.values()) {
    if (calls.length === longest) continue
    for (const call of [...adds, ...commits]) {
      if (calls.includes(call)) continue
      const next = after(tree, call, decree)
      const isAllowed = next !== undefined
      if (isAllowed !== isRight(calls, call, decree)) expect({ calls, call, isAllowed }).toBe('as the calls say')
      if (next === undefined) continue
      const list = [...calls, call]
      const key = list
        .map((one) => JSON.stringify(one))
        .sort()
        .join()
      const before = all.get(key)
      if (before !== undefined) expect(next, key).toEqual(before.tree)
      else all.set(key, { calls: list, tree: next })
    }
  }
  return [...all.values()]
}

test.each(['single', 'log'] as const)('%s: what is refused is what calls cannot be together', cut, (decree) => {
  expect(reached(decree, amount({ quick: 4, rest: 6, all: 8 })).length).toBeGreaterThan(500)
})

test('no two values are committed', () => {
  let open = 0
  for (const { calls, tree } of reached('single', amount({ quick: 6, all: 8 }))) {
    const decided = tree.filter(({ status }) => status === 'committed')
    if (new Set(decided.map(({ value }) => value)).size > 1) expect(calls).toBe('on one value')
    if (decided.filter(({ isOpen }) => isOpen === true).length > 1) open++
  }
  expect(open).toBeGreaterThan(50)
})

/** Sequences that were allowed once, the last call of which is too much. */
const add = (round: number, value: string | undefined, parent: number): Add => ({ kind: 'add', round, value, parent })
const commit = (round: number, value?: string): Commit => ({ kind: 'commit', round, value })

test.each<readonly [string, readonly (Add | Commit)[]]>([
  ['an open round under a committed one', [add(1, 'x', 0), commit(1), add(2, undefined, 1), commit(2, 'y')]],
  ['under one that is not committed', [add(1, 'x', 0), add(2, undefined, 1), commit(2, 'y')]],
  ['under an open one', [add(1, undefined, 0), commit(1, 'x'), add(2, undefined, 1), commit(2, 'y')]],
  ['above an open one', [add(1, undefined, 0), add(2, undefined, 1), commit(2, 'y'), commit(1, 'x')]],
  ['above one under an open one', [add(1, undefined, 0), add(2, undefined, 1), add(3, 'y', 2), commit(1, 'x')]],
  ['a round under an open one under another', [add(1, 'x', 0), add(2, undefined, 1), add(3, 'y', 2)]],
])('another value is refused: %s', (_, calls) => {
  let tree: Tree = []
  for (const call of calls.slice(0, -1)) tree = after(tree, call, 'single') as Tree
  const last = calls.at(-1) as Add | Commit
  const { round, value } = last
  const grown =
    last.kind === 'add' ? added(tree, last as never, 'single') : committed(tree, round, value as string, 'single')
  expect(grown).toMatchObject({ refused: { rule: 'value' } })
})

test('entries of a log under an open one are of their own', () => {
  const calls = [add(1, undefined, 0), add(2, 'y', 1), commit(1, 'x'), commit(2)]
  expect(calls.reduce<Tree>((tree, call) => after(tree, call, 'log') as Tree, [])).toHaveLength(2)
})
