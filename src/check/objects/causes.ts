/**
 * Root causes of the violations of a class (thesis §2.3.2): take executions of a failing client, compute the lines that must be
 * atomic, take them to be atomic, check all clients again, and go on until none fails.
 */
import type { AtomicSection } from '../../core/code.ts'
import type { Causes } from '../../core/evidence.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { alternatives } from '../../properties/repair/alternatives.ts'
import type { RecordedExecution } from '../../properties/repair/execution.ts'
import { recordingOf } from '../../properties/repair/recording.ts'
import { type RootCauses, rootCauses } from '../../properties/repair/root-causes.ts'
import { eliminates } from '../../properties/repair/transactions.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { type Executions, executionsOf, type SampledExecutions } from './executions.ts'
import { type JudgedClass, subjectOf } from './subjects.ts'

type UnlessOver = <Answer>(work: Unhurried<Answer>) => Promise<Answer | undefined>

interface CauseSearch {
  readonly judged: JudgedClass
  /** The client that failed first. */
  readonly client: Client
  readonly seed: number
  /** The next client that fails with these sections, with how many clients were verified before it. */
  readonly nextFailing: (sections: readonly AtomicSection[]) => Promise<Failing>
  /** Does what takes long, in slices; nothing when a budget is spent before it is done. */
  readonly unlessOver: UnlessOver
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
  const measured = await search.unlessOver(alternatives(initial, first, mostShown))
  const causes: Omit<Causes, 'applied'> = {
    repairs: measured ?? unmeasured(initial, first),
    violating: first.violating.length,
    linearizable: first.linearizable.length,
    capped: initial.capped || !first.isComplete || measured === undefined,
  }
  return { ...causes, applied: await repaired(search, initial, first) }
}

/** Root causes alone: each rules out all that some sections do. */
function unmeasured({ repairs, serial }: RootCauses, { violating }: Samples): Causes['repairs'] {
  const ruledOut = violating.length - serial
  return repairs.slice(0, mostShown).map(({ sections, disabled }) => ({ sections, ruledOut, disabled }))
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
  unlessOver,
}: Omit<CauseSearch, 'nextFailing'>): Promise<ClientCauses | undefined> {
  const executions = await unlessOver(executionsOf(subjectOf(judged, client)))
  let found = executions && (await unlessOver(firstCauses(executions, seed)))
  for (let extra = 1; executions !== undefined && found !== undefined && extra <= mostDraws; extra++) {
    const sections = found.initial.repairs[0]?.sections
    if (sections === undefined) break
    const subject = subjectOf({ ...judged, sections }, client)
    const more = await unlessOver(withWhatIsLeft(found, { executions, subject, sections, seed: seed + extra }))
    if (more === undefined || more === found) break
    found = more
  }
  return found
}

function* firstCauses(executions: Executions, seed: number): Unhurried<ClientCauses> {
  const first = yield* executions(seed)
  return { first, initial: yield* rootCauses(first) }
}

interface Left {
  readonly executions: Executions
  /** With the sections taken to be atomic. */
  readonly subject: ObjectSubject
  readonly sections: readonly AtomicSection[]
  readonly seed: number
}

/** With more executions, if the sections leave any that violate something; else as it was. */
function* withWhatIsLeft(found: ClientCauses, { executions, subject, sections, seed }: Left): Unhurried<ClientCauses> {
  const repaired = yield* executionsOf(subject)
  if ((yield* repaired(0, only)).violating.length === 0) return found
  const left = (yield* executions(seed)).violating.filter((one) => !eliminates(sections, recordingOf(one)))
  const telling = left.length > 0 ? left : (yield* repaired(seed)).violating
  const first = { ...found.first, violating: [...found.first.violating, ...telling.slice(0, mostAdded)] }
  return { first, initial: yield* rootCauses(first) }
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
  { judged, seed, nextFailing, unlessOver }: CauseSearch,
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
    const executions = await unlessOver(executionsOf(subjectOf({ ...judged, sections }, failing.client)))
    const more = executions && (await unlessOver(executions(seed)))
    violating = [...violating, ...(more?.violating ?? [])]
    linearizable = [...linearizable, ...(more?.linearizable ?? [])]
    const isMore = more !== undefined && more.violating.length > 0
    const next = isMore ? await unlessOver(rootCauses({ violating, linearizable })) : undefined
    if (next === undefined) return { sections, clients: failing.verified, holds: false }
    found = next
  }
  return undefined
}
