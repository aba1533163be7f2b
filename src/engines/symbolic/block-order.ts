/**
 * In which order blocks of a function are visited, so that all ways into a block have been gone before it: reverse post-order, with loops before what follows; and
 * a loop is begun again when all ways through it have come back.
 */
import type { IrFunction } from '../../ir/ir.ts'
import { successorsOf } from '../../ir/visit.ts'

class BlockOrder {
  /** By block: its place in the order. */
  readonly #places: readonly number[]
  /** By block that begins a loop: the last place of the blocks of the loop. */
  readonly #loops: ReadonlyMap<number, number>

  constructor(declared: IrFunction) {
    this.#places = placesOf(declared)
    this.#loops = loopsOf(declared, this.#places)
  }

  /** Which of these comes next. */
  first(pending: Iterable<number>): number {
    const open = [...pending].sort((one, other) => this.#place(one) - this.#place(other))
    let [first = 0] = open
    for (const next of open.slice(1)) {
      const last = this.#loops.get(first)
      if (last === undefined || this.#place(next) > last) return first
      first = next
    }
    return first
  }

  #place(block: number): number {
    return this.#places[block] as number
  }
}

/** Of loops as statements make them: each is entered at the block that it goes back to. */
const orders = new WeakMap<IrFunction, BlockOrder>()

/** Made once for a function, however many handlers run it. */
export function blockOrderOf(declared: IrFunction): BlockOrder {
  const known = orders.get(declared)
  if (known !== undefined) return known
  const order = new BlockOrder(declared)
  orders.set(declared, order)
  return order
}

function loopsOf({ blocks }: IrFunction, places: readonly number[]): ReadonlyMap<number, number> {
  const into: number[][] = blocks.map(() => [])
  for (const [block, { end }] of blocks.entries()) for (const next of successorsOf(end)) into[next]?.push(block)
  const place = (block: number): number => places[block] as number
  const loops = new Map<number, number>()
  for (const header of blocks.keys()) {
    const body = new Set(into[header]?.filter((block) => place(block) >= place(header) && place(block) < blocks.length))
    if (body.size === 0) continue
    for (const block of body) if (block !== header) for (const before of into[block] ?? []) body.add(before)
    loops.set(header, Math.max(...[...body].filter((block) => place(block) < blocks.length).map(place)))
  }
  return loops
}

function placesOf({ blocks }: IrFunction): readonly number[] {
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
