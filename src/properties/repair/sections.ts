/**
 * Repairs in the source: sets of atomic sections, their order (thesis §2.3.2, Definition 4), their unions (§2.3.2.2), and
 * the sections that segments of executions stand for.
 *
 * A segment becomes the least lines of one function that cover it: of the innermost activation in which the whole segment
 * happens, so that an access inside a called function counts where it is called. A segment over several rounds of a loop
 * needs the whole loop; its first and last line alone may even be one and the same line.
 */
import type { AtomicSection, LineRange } from '../../core/code.ts'
import { invariant } from '../../core/invariant.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { contains, framesOf } from './control.ts'
import type { Eliminator, Segment } from './eliminators.ts'
import { accessAt, type Recording } from './recording.ts'

/** Sections in source order that do not overlap within a function. */
export type Repair = readonly AtomicSection[]

/** Definition 4: every section of the right is inside a section of the left, which so forbids at least as much. */
export function subsumes(left: Repair, right: Repair): boolean {
  return right.every((inner) => left.some((outer) => sameFunction(outer, inner) && contains(outer.lines, inner.lines)))
}

/** The least repair that subsumes all the given sections: overlapping ones become one. */
export function flatten(sections: readonly AtomicSection[]): Repair {
  const merged: AtomicSection[] = []
  for (const section of sections.toSorted(compareSections)) {
    const last = merged.at(-1)
    if (last !== undefined && sameFunction(last, section) && section.lines.first <= last.lines.last) {
      merged[merged.length - 1] = { ...last, lines: span([last.lines, section.lines]) }
    } else merged.push(section)
  }
  return merged.toSorted(compareInSource)
}

/** Each may be compared with all the others. */
const repairsPerBreath = 64

/** Without duplicates and those that subsume another; at most `limit`, those with the fewest lines. */
export function* minimalRepairs(
  repairs: Iterable<Repair>,
  limit = Number.POSITIVE_INFINITY,
): Unhurried<readonly Repair[]> {
  const distinct = new Map<string, { readonly repair: Repair; readonly lines: number }>()
  let made = 0
  for (const repair of repairs) {
    if (++made % repairsPerBreath === 0) yield
    distinct.set(repairKey(repair), { repair, lines: lineCount(repair) })
  }
  // A repair that subsumes another has more lines, or as many in fewer sections: it comes later in this order.
  const bySize = [...distinct.values()].sort(
    (left, right) => left.lines - right.lines || right.repair.length - left.repair.length,
  )
  const minimal: Repair[] = []
  for (const [at, { repair }] of bySize.entries()) {
    if (minimal.length === limit) break
    if (at % repairsPerBreath === repairsPerBreath - 1) yield
    if (!minimal.some((other) => subsumes(repair, other))) minimal.push(repair)
  }
  return minimal
}

/** Fewer sections first, then fewer lines, then the order of the source. */
export function compareRepairs(left: Repair, right: Repair): number {
  if (left.length !== right.length) return left.length - right.length
  if (lineCount(left) !== lineCount(right)) return lineCount(left) - lineCount(right)
  for (const [i, section] of left.entries()) {
    const other = right[i]
    const order = other === undefined ? 0 : compareInSource(section, other)
    if (order !== 0) return order
  }
  return 0
}

export function repairKey(repair: Repair): string {
  return repair.map(({ file, function: name, lines }) => `${file}\n${name}\n${lines.first}-${lines.last}`).join('\n')
}

/** As in 'lines 8–9 of pop'. */
export function sectionName({ function: name, lines }: AtomicSection): string {
  return lines.first === lines.last ? `line ${lines.first} of ${name}` : `lines ${lines.first}–${lines.last} of ${name}`
}

export function repairOf(recording: Recording, eliminator: Eliminator): Repair {
  return flatten(eliminator.flatMap((segment) => sectionsOf(recording, segment)))
}

/** One section; several only if the accesses share no frame, so that no single one can hold them. */
function sectionsOf(recording: Recording, segment: Segment): readonly AtomicSection[] {
  const lane = recording.lanes.find((each) => each.includes(segment.first))
  invariant(lane !== undefined, 'the first access of a segment is in a lane')
  const accesses = lane.slice(lane.indexOf(segment.first), lane.indexOf(segment.last) + 1)
  const arrivals = accesses.slice(1).flatMap((access) => recording.arrivals[access] ?? [])
  const frame = Math.min(...arrivals.map((arrival) => arrival.frame))
  const loops = arrivals.flatMap((arrival) => (arrival.frame === frame && arrival.loop) || [])
  const byFunction = new Map<string, AtomicSection>()
  for (const access of accesses) {
    const site = framesOf(accessAt(recording, access))[Math.max(frame, 0)]
    invariant(site !== undefined, 'a frame shared by accesses exists in all of them')
    const { file, name } = site.function
    const line = { first: site.line, last: site.line }
    const known = byFunction.get(JSON.stringify([file, name]))?.lines ?? line
    byFunction.set(JSON.stringify([file, name]), { file, function: name, lines: span([known, line, ...loops]) })
  }
  return [...byFunction.values()]
}

function span(ranges: readonly LineRange[]): LineRange {
  return {
    first: Math.min(...ranges.map(({ first }) => first)),
    last: Math.max(...ranges.map(({ last }) => last)),
  }
}

function lineCount(repair: Repair): number {
  return repair.reduce((sum, { lines }) => sum + lines.last - lines.first + 1, 0)
}

function sameFunction(left: AtomicSection, right: AtomicSection): boolean {
  return left.file === right.file && left.function === right.function
}

/** Functions apart, then by line. */
function compareSections(left: AtomicSection, right: AtomicSection): number {
  return compareText(left.file, right.file) || compareText(left.function, right.function) || compareLines(left, right)
}

function compareInSource(left: AtomicSection, right: AtomicSection): number {
  return compareText(left.file, right.file) || compareLines(left, right) || compareText(left.function, right.function)
}

function compareLines({ lines: left }: AtomicSection, { lines: right }: AtomicSection): number {
  return left.first - right.first || left.last - right.last
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
