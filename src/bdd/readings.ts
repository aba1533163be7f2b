/** What can be read off a diagram without building a node: leaves, counts, models, values. */
import { PairTable } from '../collections/pair-table.ts'
import { type Assignment, type Diagram, mustHold } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import type { Walk } from './walk.ts'

/** The values of all leaves, ascending. */
export function leavesOf(store: DiagramStore, walk: Walk, diagram: Diagram): readonly number[] {
  const below = walk.below([diagram])
  const values: number[] = []
  for (let at = 0; at < below.length; at++) {
    if (store.isLeaf(below.at(at))) values.push(store.valueOf(below.at(at)))
  }
  return values.sort((one, other) => one - other)
}

/** The values of the leaves that are met where the guard holds, ascending. Each pair of a node and what is left of the guard is visited once. */
export function leavesWithin(store: DiagramStore, diagram: Diagram, care: Diagram): readonly number[] {
  const met = new Set<number>()
  const pairs = new PairTable()
  const add = (node: Diagram, guard: Diagram): void => {
    if (guard === 0) return
    // A guard that is not 0 holds somewhere.
    if (store.isLeaf(node)) met.add(store.valueOf(node))
    else pairs.intern(node, guard)
  }
  add(diagram, care)
  // Pairs are numbered as they are met, so those from `next` on are still to do.
  for (let next = 0; next < pairs.size; next++) {
    const node = pairs.left(next)
    const guard = pairs.right(next)
    const level = Math.min(store.levelOf(node), store.levelOf(guard))
    const isNode = store.levelOf(node) === level
    const isGuard = store.levelOf(guard) === level
    add(isNode ? store.low(node) : node, isGuard ? store.low(guard) : guard)
    add(isNode ? store.high(node) : node, isGuard ? store.high(guard) : guard)
  }
  return [...met].sort((one, other) => one - other)
}

/** How many assignments of all variables satisfy the guard. */
export function countOf(store: DiagramStore, walk: Walk, guard: Diagram): bigint {
  const { order } = store
  const below = walk.below([guard])
  /** Assignments of the variables from the node's level on. */
  const counts = new Map<Diagram, bigint>()
  const place = (node: Diagram): number => (store.isLeaf(node) ? order.end : store.levelOf(node))
  for (let at = 0; at < below.length; at++) {
    const node = below.at(at)
    if (store.isLeaf(node)) {
      mustHold(node <= 1, 'the leaves of a guard are 0 and 1')
      counts.set(node, BigInt(node))
    } else {
      // A variable that is skipped is free.
      const share = (child: Diagram) => counts.get(child)! << BigInt(place(child) - place(node) - 1)
      counts.set(node, share(store.low(node)) + share(store.high(node)))
    }
  }
  return counts.get(guard)! << BigInt(place(guard) - order.top)
}

/** An assignment that satisfies the guard, of the variables on one way to leaf 1: false where both values will do. */
export function modelOf(store: DiagramStore, guard: Diagram): ReadonlyMap<number, boolean> | undefined {
  if (guard === 0) return undefined
  const model = new Map<number, boolean>()
  let node = guard
  while (!store.isLeaf(node)) {
    const isHigh = store.low(node) === 0
    model.set(store.order.variableAt(store.levelOf(node)), isHigh)
    node = isHigh ? store.high(node) : store.low(node)
  }
  mustHold(node === 1, 'the leaves of a guard are 0 and 1')
  return model
}

/** The leaf that an assignment leads to. */
export function valueUnder(store: DiagramStore, diagram: Diagram, assignment: Assignment): number {
  let node = diagram
  while (!store.isLeaf(node)) {
    const variable = store.order.variableAt(store.levelOf(node))
    node = assignment.get(variable) === true ? store.high(node) : store.low(node)
  }
  return store.valueOf(node)
}

/** Assignments under which a guard holds, as ways down its diagram: variables that are not on a way do not matter there. */
export interface Ways {
  /** As many as were asked for. */
  readonly first: readonly ReadonlyMap<number, boolean>[]
  /** How many there are. */
  readonly count: bigint
}

export function waysOf(store: DiagramStore, walk: Walk, guard: Diagram, most: number): Ways {
  const counts = new Map<Diagram, bigint>()
  const below = walk.below([guard])
  for (let at = 0; at < below.length; at++) {
    const node = below.at(at)
    if (store.isLeaf(node)) counts.set(node, node === 1 ? 1n : 0n)
    else counts.set(node, (counts.get(store.low(node)) ?? 0n) + (counts.get(store.high(node)) ?? 0n))
  }
  const first: ReadonlyMap<number, boolean>[] = []
  const open: (readonly [node: Diagram, way: ReadonlyMap<number, boolean>])[] = [[guard, new Map()]]
  for (let next = open.pop(); next !== undefined && first.length < most; next = open.pop()) {
    const [node, way] = next
    if (counts.get(node) === 0n) continue
    if (store.isLeaf(node)) first.push(way)
    else {
      const variable = store.order.variableAt(store.levelOf(node))
      open.push([store.low(node), new Map([...way, [variable, false]])])
      open.push([store.high(node), new Map([...way, [variable, true]])])
    }
  }
  return { first, count: counts.get(guard) ?? 0n }
}
