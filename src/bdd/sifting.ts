/**
 * A better order of the variables, found by moving one after the other through all places and leaving it where the table was smallest: Rudell, "Dynamic
 * Variable Ordering for Ordered Binary Decision Diagrams" (ICCAD 1993). Every node keeps its number and its function.
 *
 * Departures: variables without nodes are passed over, as if they were not there; and a move is given up when there is no room for it.
 */
import { type Diagram, DiagramsFull } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { freeLevel, leafLevel } from './node-table.ts'

/** A variable is not moved on in a direction when the table has grown to this share of its smallest size. */
const mostGrowth = 1.2
/** Only so many variables are moved, those with most nodes: the others are not worth a pass over the table each. */
const mostVariables = 1000

export class Sifting {
  readonly #store: DiagramStore
  /** Levels that have nodes, from the root. The index of one is its slot; slots are neighbours although other levels may lie between. */
  readonly #levels: readonly number[]
  /** The nodes of each slot. */
  readonly #members: Diagram[][]
  /** By node: how many parents and roots it has. Exact for all nodes but leaves, which stay anyway. */
  #parents: Int32Array

  /** Not checked: a collection with these roots has just been done, so that all nodes are live. */
  constructor(store: DiagramStore, roots: Iterable<Diagram>) {
    this.#store = store
    const { table } = store
    this.#parents = new Int32Array(table.capacity)
    const byLevel = new Map<number, Diagram[]>()
    for (let number = 2; number < table.used; number++) {
      const level = table.levelOf(number)
      if (level === freeLevel || level === leafLevel) continue
      const members = byLevel.get(level)
      if (members === undefined) byLevel.set(level, [number])
      else members.push(number)
      this.#countChildren(number, 1)
    }
    for (const root of roots) this.#parents[root]!++
    this.#levels = [...byLevel.keys()].sort((one, other) => one - other)
    this.#members = this.#levels.map((level) => byLevel.get(level)!)
  }

  /** With a breath after each variable. */
  *run(): Generator<undefined, void> {
    const { order } = this.#store
    const largestFirst = this.#members
      .map((members, slot) => ({ size: members.length, variable: order.variableAt(this.#levels[slot]!) }))
      .sort((one, other) => other.size - one.size || one.variable - other.variable)
    try {
      for (const { variable } of largestFirst.slice(0, mostVariables)) {
        this.#place(variable)
        yield
      }
    } catch (error) {
      // No room for the next exchange, and none of it was done: the order that was reached is as good as any.
      if (!(error instanceof DiagramsFull)) throw error
    }
  }

  /** Moves a variable to the nearer end, then to the other one, then to the best slot on the way. */
  #place(variable: number): void {
    const { table, order } = this.#store
    const last = this.#levels.length - 1
    let slot = this.#levels.indexOf(order.levelOf(variable))
    let best = slot
    let smallest = table.size
    const moveTo = (end: number, isWorthIt: () => boolean): void => {
      const step = end > slot ? 1 : -1
      while (slot !== end && isWorthIt()) {
        this.#exchange(Math.min(slot, slot + step))
        slot += step
        if (table.size < smallest) {
          smallest = table.size
          best = slot
        }
      }
    }
    const isSmall = () => table.size <= smallest * mostGrowth
    const nearer = slot * 2 > last ? last : 0
    moveTo(nearer, isSmall)
    // Back over slots that were seen already, whatever their size is.
    moveTo(best, () => true)
    moveTo(last - nearer, isSmall)
    moveTo(best, () => true)
  }

  /** Exchanges the variables of a slot and the next one. Only nodes of the upper slot with a child in the lower one change. */
  #exchange(slot: number): void {
    const { table, order } = this.#store
    const upper = this.#levels[slot]!
    const lower = this.#levels[slot + 1]!
    const uppers = this.#members[slot]!
    const lowers = this.#members[slot + 1]!
    // Nothing may fail from here on: each changed node has two children that may be new.
    table.reserve(uppers.length * 2)
    if (this.#parents.length < table.capacity) this.#growParents()
    const isLower = (node: Diagram) => table.levelOf(node) === lower
    const changing = uppers.filter((node) => isLower(table.low(node)) || isLower(table.high(node)))
    const staying = uppers.filter((node) => !(isLower(table.low(node)) || isLower(table.high(node))))
    for (const node of uppers) table.takeOut(node)
    for (const node of lowers) table.takeOut(node)
    for (const node of staying) this.#putAt(node, lower)
    for (const node of lowers) this.#putAt(node, upper)
    order.exchange(upper, lower)
    for (const node of changing) this.#turn(node, upper, lower, staying)
    this.#members[slot + 1] = staying
    this.#members[slot] = [...lowers.filter((node) => !this.#isReleased(node)), ...changing]
  }

  #putAt(node: Diagram, level: number): void {
    this.#store.table.setLevel(node, level)
    this.#store.table.putBack(node)
  }

  /**
   * Makes a node test first what its children tested. A child on the upper level now is one of the former lower nodes. No number is released before
   * all nodes are turned, or a new node could take it and be mistaken for the old one.
   */
  #turn(node: Diagram, upper: number, lower: number, made: Diagram[]): void {
    const { table } = this.#store
    const low = table.low(node)
    const high = table.high(node)
    const isLowTested = table.levelOf(low) === upper
    const isHighTested = table.levelOf(high) === upper
    const child = (first: Diagram, second: Diagram): Diagram => {
      const before = table.created
      const found = table.node(lower, first, second)
      if (table.created > before) {
        made.push(found)
        this.#parents[found] = 0
        this.#countChildren(found, 1)
      }
      this.#parents[found]!++
      return found
    }
    const newLow = child(isLowTested ? table.low(low) : low, isHighTested ? table.low(high) : high)
    const newHigh = child(isLowTested ? table.high(low) : low, isHighTested ? table.high(high) : high)
    this.#parents[low]!--
    this.#parents[high]!--
    table.setChildren(node, newLow, newHigh)
    table.putBack(node)
  }

  /** Releases a former lower node that nobody refers to any more. Its children still have a parent: what was above it reaches them on another way. */
  #isReleased(node: Diagram): boolean {
    if (this.#parents[node] !== 0) return false
    this.#countChildren(node, -1)
    this.#store.table.takeOut(node)
    this.#store.table.release(node)
    return true
  }

  #countChildren(node: Diagram, by: 1 | -1): void {
    const { table } = this.#store
    this.#parents[table.low(node)]! += by
    this.#parents[table.high(node)]! += by
  }

  #growParents(): void {
    const parents = new Int32Array(this.#store.table.capacity)
    parents.set(this.#parents)
    this.#parents = parents
  }
}
