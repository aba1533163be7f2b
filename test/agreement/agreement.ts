/** The comparison that tests and soaks share: dpor against both oracles, and a failing program in its smallest form. */
import type { Event } from '../../src/core/event.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Decision } from '../../src/core/trace.ts'
import { dpor, dporWith } from '../../src/engines/dpor/dpor.ts'
import { interleavings } from '../../src/engines/exhaustive/exhaustive.ts'
import type { Runnable } from '../../src/program/program.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { classKey } from './class.ts'
import { disagreement } from './compare.ts'
import { type Explored, type ExploreOptions, exploreAll, noneExplored, noteClass, violationKey } from './explored.ts'
import { runnableOf } from './interpret.ts'
import { printProgram } from './print.ts'
import { shrink } from './shrink.ts'
import type { ProgramText } from './text.ts'

/** Interleavings beyond which a program is left out. */
export const usualCap = 300

/** Every interleaving's class, or nothing when there are too many. */
export function truthOf(text: ProgramText, network: NetworkName, cap = usualCap): Explored | undefined {
  return enumerated(runnableOf(text, network), cap)
}

export function enumerated(subject: Runnable, cap = usualCap): Explored | undefined {
  const truth = noneExplored()
  for (const event of interleavings(pathsOf(subject))) {
    if (event.kind === 'violation') truth.violations.add(violationKey(event.violation))
    if (event.kind !== 'execution') continue
    if (++truth.executions > cap) return undefined
    if (hasVainCrash(subject, event.path.events(), event.decisions())) continue
    noteClass(truth, classKey(event.path.events(), event.path.ending().processes), event.blocked)
  }
  return truth
}

/**
 * Whether a daemon crashed that would have waited for ever, so that nobody can tell the crash from waiting: without the crash the
 * same happens, and nothing more.
 */
function hasVainCrash(subject: Runnable, events: readonly Event[], decisions: readonly Decision[]): boolean {
  if (subject.faults?.crashes === undefined) return false
  const daemons = new Set(events.flatMap((event) => (event.kind === 'spawn' && event.daemon ? [event.child] : [])))
  return decisions.some(({ kind, process }, at) => {
    if (kind !== 'crash' || !daemons.has(process)) return false
    const { ended, drift, processes } = replay(pathsOf(subject), decisions.toSpliced(at, 1), { places: false })
    const isWaiting = processes.some(({ id, status }) => id === process && status === 'waiting')
    return ended && drift === undefined && isWaiting
  })
}

/** What dpor gets wrong about a program, given what is true of it. */
export function dporProblem(
  text: ProgramText,
  network: NetworkName,
  truth: Explored,
  options: ExploreOptions = {},
): string | undefined {
  // Ten times too many executions are as wrong as a million.
  const cap = 10 * (truth.classes.size + 10)
  const engine = options.memory === undefined ? dpor : dporWith(options.memory)
  return disagreement(truth, exploreAll(engine, runnableOf(text, network), { ...options, cap }))
}

/** What dpor gets wrong, given the keys of all consistent graphs; they say nothing of violations. */
export function declaredProblem(
  text: ProgramText,
  network: NetworkName,
  declared: ReadonlySet<string>,
): string | undefined {
  const found = exploreAll(dpor, runnableOf(text, network), { cap: 10 * (declared.size + 10) })
  const classes = new Map([...declared].map((key) => [key, 1]))
  return disagreement({ ...found, classes }, found)
}

/** The smallest program with a problem, as text, with the problem. */
export function smallest(
  text: ProgramText,
  network: NetworkName,
  problemOf: (text: ProgramText) => string | undefined,
): string {
  const small = shrink(text, (smaller) => problemOf(smaller) !== undefined)
  return [`${text.name}, ${network}: ${problemOf(small)}`, '', printProgram(small, network)].join('\n')
}
