/** Blocks without those that cannot be reached, that are empty, or that only one other block leads to. Executions stay the same. */
import type { IrBlock, IrEnd } from './ir.ts'
import { inReversePostOrder, redirected, successorsOf } from './visit.ts'

/** Numbered in reverse post-order, so that text reads from top to bottom and engines may go through them in this order. */
export function simplified(blocks: readonly IrBlock[]): readonly IrBlock[] {
  const direct = blocks.map((block) => ({ ...block, end: shortened(block.end, blocks) }))
  const merged = withoutLinks(direct)
  const order = inReversePostOrder(merged)
  const placeOf = new Map(order.map((block, place) => [block, place]))
  return order.flatMap((block) => {
    const kept = merged[block]
    return kept === undefined ? [] : [{ ...kept, end: redirected(kept.end, (to) => placeOf.get(to) ?? to) }]
  })
}

/** Goes to where an empty block would only go on to. A loop's beginning stays, and so chains of empty blocks end. */
function shortened(end: IrEnd, blocks: readonly IrBlock[]): IrEnd {
  return redirected(end, (to) => {
    let at = to
    for (let block = blocks[at]; block !== undefined; block = blocks[at]) {
      if (block.isLoop || block.instructions.length > 0 || block.end.kind !== 'jump') break
      at = block.end.to
    }
    return at
  })
}

/** Appends to a block what only this block jumps to. */
function withoutLinks(blocks: readonly IrBlock[]): readonly IrBlock[] {
  const reached = inReversePostOrder(blocks)
  const ways = new Map<number, number>([[0, 1]])
  for (const block of reached) {
    const end = blocks[block]?.end
    if (end !== undefined) for (const to of successorsOf(end)) ways.set(to, (ways.get(to) ?? 0) + 1)
  }
  const merged = [...blocks]
  // From the last one, so that what is appended is already whole.
  for (const block of [...reached].reverse()) {
    const first = merged[block]
    if (first === undefined || first.end.kind !== 'jump') continue
    const next = merged[first.end.to]
    if (next === undefined || next.isLoop || ways.get(first.end.to) !== 1) continue
    merged[block] = { ...next, instructions: [...first.instructions, ...next.instructions], isLoop: first.isLoop }
  }
  return merged
}
