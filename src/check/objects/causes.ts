/**
 * Root causes of the violations of a class (thesis §2.3.2): take executions of a failing client, compute the lines that must be
 * atomic, take them to be atomic, check all clients again, and go on until none fails.
 */
import type { AtomicSection } from '../../core/code.ts'
import type { Causes } from '../../core/evidence.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { alternatives } from '../../properties/repair/alternatives.ts'
import type { RecordedExecution } from '../../properties/repair/execution.ts'
import { recordingOf } from '../../properties/repair/recording.ts'
import { type RootCauses, rootCauses } from '../../properties/repair/root-causes.ts'
import { eliminates } from '../../properties/repair/transactions.ts'
import { executionsOf, type SampledExecutions } from './executions.ts'
import { type JudgedClass, subjectOf } from './subjects.ts'

interface CauseSearch {
  readonly judged: JudgedClass
  /** The client that failed first. */
  readonly client: Client
  readonly seed: number
  /** The next client that fails with these sections, with how many clients were verified before it. */
  readonly nextFailing: (sections: readonly AtomicSection[]) => Promise<Failing>
  /** True when a budget is spent, so that nothing more is to be looked for. */
  readonly isOver: () => Promise<boolean>
}

interface Failing {
  readonly client: Client | undefined
  readonly verified: number
  /** False if a budget ended the check of the repair. */
  readonly isComplete: boolean
}

/** Repairs of each kind that are told. */
const mostShown = 8

/** Every round adds sections, so the loop ends by itself; this only bounds how long a user waits. */
const longestLoop = 12

/** Nothing if a budget ended the search before any were found. */
export async function findCauses(search: CauseSearch): Promise<Causes | undefined> {
  const found = await clientCauses(search)
  if (found === undefined) return undefined
  const { first, initial } = found
  const causes: Omit<Causes, 'applied'> = {
    repairs: alternatives(initial, first, mostShown),
    violating: first.violating.length,
    linearizable: first.linearizable.length,
    capped: initial.capped || !first.isComplete,
  }
  return { ...causes, applied: await repaired(search, initial, first) }
}

/** New samples that are looked through for executions which a repair leaves, and how many of these are added at a time. */
const mostDraws = 6
const mostAdded = 24

/**
 * Executions of one client, and repairs of which the first leaves it no violation. What a sample misses may be just what tells
 * causes apart: while violations are left, executions that show them are added.
 */
export async function clientCauses({
  judged,
  client,
  seed,
  isOver,
}: Omit<CauseSearch, 'nextFailing'>): Promise<ClientCauses | undefined> {
  const draw = await executionsOf(subjectOf(judged, client), isOver)
  if (await isOver()) return undefined
  let first = await draw(seed)
  if (await isOver()) return undefined
  let initial = rootCauses(first)
  for (let extra = 1; extra <= mostDraws; extra++) {
    const sections = initial.repairs[0]?.sections
    if (sections === undefined || (await isOver())) break
    const repaired = await executionsOf(subjectOf({ ...judged, sections }, client), isOver)
    if ((await repaired(0, only)).violating.length === 0) break
    const left = (await draw(seed + extra)).violating.filter((one) => !eliminates(sections, recordingOf(one)))
    const telling = left.length > 0 ? left : (await repaired(seed + extra)).violating
    first = { ...first, violating: [...first.violating, ...telling.slice(0, mostAdded)] }
    initial = rootCauses(first)
  }
  return { first, initial }
}

const only = { violating: 1, linearizable: 0 }

interface ClientCauses {
  readonly first: SampledExecutions
  readonly initial: RootCauses
}

interface Samples {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
}

async function repaired(
  { judged, seed, nextFailing, isOver }: CauseSearch,
  initial: RootCauses,
  first: Samples,
): Promise<Causes['applied']> {
  let { violating, linearizable } = first
  let found = initial
  for (let round = 0; round < longestLoop; round++) {
    const sections = found.repairs[0]?.sections
    if (sections === undefined) return undefined
    const failing = await nextFailing(sections)
    if (failing.client === undefined) return { sections, clients: failing.verified, holds: failing.isComplete }
    const more = await (await executionsOf(subjectOf({ ...judged, sections }, failing.client), isOver))(seed)
    if (more.violating.length === 0 || (await isOver())) return { sections, clients: failing.verified, holds: false }
    violating = [...violating, ...more.violating]
    linearizable = [...linearizable, ...more.linearizable]
    found = rootCauses({ violating, linearizable })
  }
  return undefined
}
