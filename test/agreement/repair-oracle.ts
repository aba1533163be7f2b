/**
 * Repairs by brute force, from the definitions alone: every decomposition of the calls into intervals, or every set of
 * atomic sections, the graph of each one as a matrix, the minimal ones among those with a cycle.
 */
import type { AtomicSection } from '../../src/core/code.ts'
import type { Eliminator } from '../../src/properties/repair/eliminators.ts'
import type { RecordedAccess, RecordedExecution } from '../../src/properties/repair/execution.ts'

/** Minimal sets of non-singleton intervals whose interval graph is cyclic (thesis §2.3.3.2); an action is an access. */
export function bruteForceEliminators({ accesses }: RecordedExecution): readonly Eliminator[] {
  const calls = [...new Set(accesses.map(({ call }) => call))].map((call) =>
    accesses.flatMap((access, index) => (access.call === call ? [index] : [])),
  )
  const order = orderOf(accesses, 'without locks')
  const cyclic = decompositions(calls).filter((intervals) =>
    intervals.some((each) => isOnCycle(order, intervals, each)),
  )
  const eliminators = cyclic.map((intervals) =>
    intervals
      .filter((interval) => interval.length > 1)
      .map((interval) => ({
        call: accesses[interval[0] as number]?.call as number,
        first: interval[0] as number,
        last: interval.at(-1) as number,
      })),
  )
  return minimal(eliminators, (left, right) =>
    right.every((inner) =>
      left.some((outer) => outer.call === inner.call && outer.first <= inner.first && inner.last <= outer.last),
    ),
  )
}

/** Sets of disjoint sections over the lines of all functions of the executions: what repairs can be. */
export function repairCandidates(executions: readonly RecordedExecution[]): readonly Sections[] {
  const functions = new Map(
    executions.flatMap(({ accesses }) => accesses.map(({ site }) => [site.function.name, site.function] as const)),
  )
  let candidates: readonly Sections[] = [[]]
  for (const { file, name, lines } of [...functions.values()].sort((l, r) => l.lines.first - r.lines.first)) {
    const sets = sectionSets(lines.first, lines.last)
    candidates = candidates.flatMap((repair) =>
      sets.map((set) => [...repair, ...set.map(([first, last]) => ({ file, function: name, lines: { first, last } }))]),
    )
  }
  return candidates
}

export type Sections = readonly AtomicSection[]

/** Those that subsume no other. */
export function minimalCandidates(candidates: readonly Sections[]): readonly Sections[] {
  return minimal(candidates, candidateSubsumes)
}

/** Tells for sets of sections whether they eliminate an execution of code without loops and calls. */
export function elimination(
  { accesses }: RecordedExecution,
  which: 'with locks' | 'without locks',
): (repair: Sections) => boolean {
  const order = orderOf(accesses, which)
  return (repair) => {
    const sectionOf = ({ site }: RecordedAccess) =>
      repair.find(({ function: name, lines: { first, last } }) => {
        return name === site.function.name && first <= site.line && site.line <= last
      })
    const transactions = blocks(accesses, (left, right) => {
      return sectionOf(left) !== undefined && sectionOf(left) === sectionOf(right)
    })
    return transactions.some((each) => isOnCycle(order, transactions, each))
  }
}

/** Minimal sets that eliminate an execution without its locks; also without lines that locks make superfluous. */
export function alternatives(execution: RecordedExecution, candidates: readonly Sections[]): readonly Sections[] {
  const optimal = minimalCandidates(candidates.filter(elimination(execution, 'without locks')))
  return optimal.flatMap(withSomeLines).filter(elimination(execution, 'with locks'))
}

function withSomeLines([first, ...others]: Sections): readonly Sections[] {
  if (first === undefined) return [[]]
  const rest = withSomeLines(others)
  const isLine = first.lines.first === first.lines.last
  return [...rest.map((each) => [first, ...each]), ...(isLine ? rest : [])]
}

export function candidateSubsumes(left: Sections, right: Sections): boolean {
  return right.every((inner) =>
    left.some(
      (outer) =>
        outer.function === inner.function &&
        outer.lines.first <= inner.lines.first &&
        inner.lines.last <= outer.lines.last,
    ),
  )
}

type Interval = readonly number[]

function decompositions(calls: readonly (readonly number[])[]): readonly (readonly Interval[])[] {
  const [first, ...others] = calls
  if (first === undefined) return [[]]
  const rest = decompositions(others)
  return compositions(first).flatMap((intervals) => rest.map((tail) => [...intervals, ...tail]))
}

function compositions(call: readonly number[]): readonly (readonly Interval[])[] {
  if (call.length === 0) return [[]]
  return call.flatMap((_, i) => compositions(call.slice(i + 1)).map((tail) => [call.slice(0, i + 1), ...tail]))
}

/** Neighbours in a call that are `joined` share a block. */
function blocks(
  accesses: readonly RecordedAccess[],
  joined: (left: RecordedAccess, right: RecordedAccess) => boolean,
): readonly Interval[] {
  const open = new Map<number, number[]>()
  const all: number[][] = []
  for (const [index, access] of accesses.entries()) {
    const block = open.get(access.call)
    const last = block && (accesses[block.at(-1) as number] as RecordedAccess)
    if (block !== undefined && last !== undefined && joined(last, access)) block.push(index)
    else {
      const begun = [index]
      all.push(begun)
      open.set(access.call, begun)
    }
  }
  return all
}

/** Program order and conflicts, as a matrix. */
function orderOf(accesses: readonly RecordedAccess[], which: 'with locks' | 'without locks'): readonly boolean[][] {
  return accesses.map((left, i) =>
    accesses.map((right, j) => {
      if (i >= j) return false
      if (left.process === right.process) return true
      if (which === 'without locks' && (left.isLock || right.isLock)) return false
      const overlap = left.part === right.part || left.part === -1 || right.part === -1
      return left.object === right.object && overlap && (left.mode === 'write' || right.mode === 'write')
    }),
  )
}

function isOnCycle(order: readonly boolean[][], intervals: readonly Interval[], from: Interval): boolean {
  const reached = new Set<Interval>()
  const frontier = [from]
  for (let current = frontier.pop(); current !== undefined; current = frontier.pop()) {
    for (const other of intervals) {
      if (other === current || reached.has(other)) continue
      if (!current.some((i) => other.some((j) => order[i]?.[j]))) continue
      if (other === from) return true
      reached.add(other)
      frontier.push(other)
    }
  }
  return false
}

function sectionSets(first: number, last: number): readonly (readonly (readonly [number, number])[])[] {
  if (first > last) return [[]]
  const sets = [...sectionSets(first + 1, last)]
  for (let end = first; end <= last; end++) {
    for (const rest of sectionSets(end + 1, last)) sets.push([[first, end], ...rest])
  }
  return sets
}

function minimal<T>(items: readonly T[], subsumes: (left: T, right: T) => boolean): readonly T[] {
  return items.filter(
    (item) => !items.some((other) => other !== item && subsumes(item, other) && !subsumes(other, item)),
  )
}
