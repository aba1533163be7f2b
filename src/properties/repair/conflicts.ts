/** Conflicts between accesses (cf), and cycles in graphs over groups of accesses (thesis §2.3.3.1, Definition 7). */
import { invariant } from '../../core/invariant.ts'
import { wholeObject } from '../../program/stateful.ts'
import type { RecordedAccess } from './execution.ts'

/** From the earlier to the later, by number. */
export type Edge = readonly [from: number, to: number]

/** Every pair of conflicting accesses of different processes. */
export function allConflicts(accesses: readonly RecordedAccess[]): readonly Edge[] {
  return conflictEdges(accesses, () => false)
}

/**
 * Enough conflicts to order whatever `allConflicts` and program order together order: an access need not look behind a
 * write that touches all it touches itself, since that write is ordered after everything the access conflicts with.
 */
export function nearestConflicts(accesses: readonly RecordedAccess[]): readonly Edge[] {
  return conflictEdges(
    accesses,
    (earlier, later) => earlier.mode === 'write' && (earlier.part === later.part || earlier.part === wholeObject),
  )
}

function conflictEdges(
  accesses: readonly RecordedAccess[],
  hides: (earlier: RecordedAccess, later: RecordedAccess) => boolean,
): readonly Edge[] {
  const edges: Edge[] = []
  const byObject = new Map<number, { readonly access: RecordedAccess; readonly index: number }[]>()
  for (const [index, access] of accesses.entries()) {
    const earlier = byObject.get(access.object) ?? []
    byObject.set(access.object, earlier)
    for (let i = earlier.length - 1; i >= 0; i--) {
      const other = earlier[i]
      if (other === undefined || !conflicting(other.access, access)) continue
      if (other.access.process !== access.process) edges.push([other.index, index])
      if (hides(other.access, access)) break
    }
    earlier.push({ access, index })
  }
  return edges
}

/** The order of two accesses that conflict can make a difference; a whole object conflicts with all its parts. */
function conflicting(left: RecordedAccess, right: RecordedAccess): boolean {
  return (
    left.object === right.object &&
    (left.mode === 'write' || right.mode === 'write') &&
    (left.part === right.part || left.part === wholeObject || right.part === wholeObject)
  )
}

/** The groups that lie on cycles of the graph that the edges between their members make. */
export function groupsOnCycles(groupOf: readonly number[], edges: readonly Edge[]): ReadonlySet<number> {
  const next = new Map<number, number[]>()
  for (const [from, to] of edges) {
    const source = groupOf[from]
    const target = groupOf[to]
    invariant(source !== undefined && target !== undefined, 'every access is in a group')
    if (source === target) continue
    const targets = next.get(source)
    if (targets === undefined) next.set(source, [target])
    else targets.push(target)
  }
  return new Components(next).onCycles
}

/** Tarjan's strongly connected components; iterative, because program order makes long chains. */
class Components {
  readonly onCycles = new Set<number>()
  readonly #next: ReadonlyMap<number, readonly number[]>
  /** In the order of entering, and Tarjan's low link: the least number known to be reached within the component. */
  readonly #number = new Map<number, number>()
  readonly #low = new Map<number, number>()
  /** Entered, and their component not complete. Invariant: `#isOpen` has the same groups. */
  readonly #open: number[] = []
  readonly #isOpen = new Set<number>()

  constructor(next: ReadonlyMap<number, readonly number[]>) {
    this.#next = next
    for (const root of next.keys()) if (!this.#number.has(root)) this.#visit(root)
  }

  #visit(root: number): void {
    const path = [this.#enter(root)]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = top.targets[top.taken++]
      if (target === undefined) {
        this.#leave(top.group)
        path.pop()
        const parent = path.at(-1)
        if (parent !== undefined) this.#lower(parent.group, this.#lowOf(top.group))
      } else if (!this.#number.has(target)) path.push(this.#enter(target))
      else if (this.#isOpen.has(target)) this.#lower(top.group, this.#number.get(target) ?? 0)
    }
  }

  #enter(group: number): { readonly group: number; readonly targets: readonly number[]; taken: number } {
    this.#low.set(group, this.#number.size)
    this.#number.set(group, this.#number.size)
    this.#open.push(group)
    this.#isOpen.add(group)
    return { group, targets: this.#next.get(group) ?? [], taken: 0 }
  }

  #leave(group: number): void {
    if (this.#lowOf(group) !== this.#number.get(group)) return
    const component = this.#open.splice(this.#open.lastIndexOf(group))
    for (const member of component) {
      this.#isOpen.delete(member)
      if (component.length > 1) this.onCycles.add(member)
    }
  }

  #lowOf(group: number): number {
    return this.#low.get(group) ?? 0
  }

  #lower(group: number, to: number): void {
    if (to < this.#lowOf(group)) this.#low.set(group, to)
  }
}
