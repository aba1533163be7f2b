/** In which order blocks of a function are visited, so that all ways into a block have been gone before it: reverse post-order, with loops before what follows. */
import type { IrFunction } from '../../ir/ir.ts'
import { successorsOf } from '../../ir/visit.ts'

/** By block: its place in the order. */
export function blockOrder({ blocks }: IrFunction): readonly number[] {
  const seen = new Set<number>()
  const finished: number[] = []
  const open: { readonly block: number; readonly next: number[] }[] = []
  const enter = (block: number): void => {
    if (seen.has(block)) return
    seen.add(block)
    // What is entered first is finished first and so comes last: the way out of a loop is entered before its body.
    const end = blocks[block]?.end
    open.push({ block, next: end === undefined ? [] : [...successorsOf(end)] })
  }
  enter(0)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.next.pop()
    if (next !== undefined) enter(next)
    else finished.push((open.pop() as typeof top).block)
  }
  const order = blocks.map(() => blocks.length)
  for (const [at, block] of finished.reverse().entries()) order[block] = at
  return order
}
