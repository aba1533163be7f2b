/** Fewer blocks, the same executions. */
import { expect, it } from 'vitest'
import type { IrBlock } from '../../../src/ir/ir.ts'
import { simplified } from '../../../src/ir/simplify.ts'
import { long } from '../../amount.ts'
import { block, bool, branch, jump, local, number, returned, set } from './small-ir.ts'

const yes = local(0, bool)
/** An instruction to recognise a block by. */
const marked = (mark: number) => [set(1, number(mark))]
const shape = (blocks: readonly IrBlock[]) =>
  blocks.map(({ instructions, end, isLoop }) => {
    const marks = instructions.map((one) =>
      one.kind === 'setLocal' && one.value.kind === 'constant' ? one.value.value : one,
    )
    const ways = end.kind === 'jump' ? [end.to] : end.kind === 'branch' ? [end.then, end.otherwise] : end.kind
    return [marks.map((mark) => ('value' in mark ? mark.value : mark)), ways, ...(isLoop ? ['loop'] : [])]
  })

it('leaves out what cannot be reached', () => {
  expect(shape(simplified([block(marked(0), returned()), block(marked(1), jump(0))]))).toEqual([[[0], 'return']])
})

it('goes past empty blocks, however many', () => {
  const blocks = [
    block(marked(0), branch(yes, 1, 4)),
    block([], jump(2)),
    block([], jump(3)),
    block(marked(3), returned()),
    block(marked(4), jump(3)),
  ]
  expect(shape(simplified(blocks))).toEqual([
    [[0], [2, 1]],
    [[4], [2]],
    [[3], 'return'],
  ])
})

it('makes one block of those that follow each other', () => {
  const blocks = [block(marked(0), jump(2)), block(marked(1), returned()), block(marked(2), jump(1))]
  expect(shape(simplified(blocks))).toEqual([[[0, 2, 1], 'return']])
})

it('keeps a block that two others lead to', () => {
  const blocks = [
    block(marked(0), branch(yes, 1, 2)),
    block(marked(1), jump(3)),
    block(marked(2), jump(3)),
    block(marked(3), returned()),
  ]
  expect(shape(simplified(blocks))).toEqual([
    [[0], [1, 2]],
    [[1], [3]],
    [[2], [3]],
    [[3], 'return'],
  ])
})

it('keeps where loops begin, empty ones too', () => {
  const blocks = [block(marked(0), jump(1)), block([], jump(2), true), block([], jump(1))]
  expect(shape(simplified(blocks))).toEqual([
    [[0], [1]],
    [[], [1], 'loop'],
  ])
})

it('keeps the first block first, if a loop leads back to it', () => {
  const blocks = [block([], branch(yes, 1, 2), true), block(marked(1), jump(0)), block(marked(2), returned())]
  expect(shape(simplified(blocks))).toEqual([
    [[], [1, 2], 'loop'],
    [[1], [0]],
    [[2], 'return'],
  ])
})

it('has no trouble with very many blocks', long, () => {
  const many = 20_000
  const blocks = Array.from({ length: many }, (_, at) =>
    block(marked(at), at + 1 < many ? branch(yes, at + 1, 0) : returned(), at === 0),
  )
  expect(simplified(blocks)).toHaveLength(many)
})
