/** Where the quorum tree differs from Algorithm 4 as it is printed: over all sequences of up to five calls, of three rounds and two values. */
import { expect, test } from 'vitest'
import { added, committed, type Tree } from '../../../../src/properties/refinement/qtree.ts'
import { type PrintedCall, type PrintedTree, printed, printedRoot } from './printed-qtree.ts'

const rounds = [1, 2, 3]
const alphabet: readonly PrintedCall[] = [
  ...rounds.flatMap((round) =>
    ['a', 'b'].flatMap((value) => [0, ...rounds].map((parent): PrintedCall => ({ kind: 'add', round, value, parent }))),
  ),
  ...rounds.map((round): PrintedCall => ({ kind: 'commit', round })),
]

function textOf(call: PrintedCall): string {
  return call.kind === 'add' ? `add ${call.round} ${call.value} ${call.parent}` : `commit ${call.round}`
}

interface Compared {
  /** Neither refuses them before their last call. */
  sequences: number
  /** Calls that were made before: printed they fail, and here they change nothing. */
  repeated: number
  readonly onlyPrinted: string[]
  readonly onlyHere: string[]
  /** What the printed object has made of nodes that were committed. */
  readonly demoted: Set<string>
}

function compare(most: number): Compared {
  const found: Compared = { sequences: 0, repeated: 0, onlyPrinted: [], onlyHere: [], demoted: new Set() }
  const visit = (calls: readonly PrintedCall[], tree: Tree, before: PrintedTree): void => {
    for (const call of alphabet) {
      found.sequences++
      const grown = call.kind === 'add' ? added(tree, call, 'single') : committed(tree, call.round, undefined, 'single')
      const after = printed(before, call)
      const all = [...calls, call]
      const isRepeated = calls.includes(call)
      if (isRepeated) {
        found.repeated++
        expect({ grown, after }, all.map(textOf).join('; ')).toEqual({ grown: { tree }, after: undefined })
      } else if ('tree' in grown !== (after !== undefined))
        (after === undefined ? found.onlyHere : found.onlyPrinted).push(all.map(textOf).join('; '))
      for (const { round, status } of before)
        if (status === 'committed' && after?.find((node) => node.round === round)?.status !== status && after)
          found.demoted.add(all.map(textOf).join('; '))
      if (all.length < most && 'tree' in grown && after !== undefined) visit(all, grown.tree, after)
    }
  }
  visit([], [], printedRoot)
  return found
}

test('it differs in 12 of 11,313 sequences, and in what is repeated', () => {
  const { sequences, repeated, onlyPrinted, onlyHere, demoted } = compare(5)
  expect(sequences).toBe(11_313)
  expect(repeated).toBe(1_438)
  expect(onlyHere).toEqual([])
  // Round 2 under the root, beside round 1, which is committed: round 3 is committed as well, and the condition asks for no more than that round 2 is below it.
  const beside = ['a', 'b'].flatMap((value) =>
    [
      [`add 3 ${value} 1`, 'commit 1', 'commit 3'],
      [`add 3 ${value} 1`, 'commit 3', 'commit 1'],
      ['commit 1', `add 3 ${value} 1`, 'commit 3'],
    ].flatMap((middle) => ['a', 'b'].map((other) => [`add 1 ${value} 0`, ...middle, `add 2 ${other} 0`].join('; '))),
  )
  expect(onlyPrinted.sort()).toEqual(beside.sort())
  // There, and nowhere else, its loop takes back what was decided.
  expect([...demoted].sort()).toEqual(onlyPrinted)
})

test('shorter sequences show no difference but in what is repeated', () => {
  expect(compare(4)).toMatchObject({ onlyPrinted: [], onlyHere: [] })
})
