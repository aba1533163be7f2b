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
import { executionsOf, isViolating, type SampledExecutions, sampleExecutions } from './executions.ts'
import type { ObjectRequest } from './request.ts'
import { subjectOf } from './subjects.ts'

export interface CauseSearch {
  readonly request: ObjectRequest
  /** The client that failed first. */
  readonly client: Client
  /** The next client that fails with these sections, with how many clients were verified before it. */
  readonly nextFailing: (sections: readonly AtomicSection[]) => Promise<Failing>
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

export async function findCauses({ request, client, nextFailing }: CauseSearch): Promise<Causes> {
  const { first, initial } = clientCauses(request, client)
  const causes: Omit<Causes, 'applied'> = {
    repairs: alternatives(initial, first, mostShown),
    violating: first.violating.length,
    linearizable: first.linearizable.length,
    capped: initial.capped || !first.isComplete,
  }
  return { ...causes, applied: await repaired({ request, nextFailing }, initial, first) }
}

/** New samples that are looked through for executions which a repair leaves, and how many of these are added at a time. */
const mostDraws = 6
const mostAdded = 24

/**
 * Executions of one client, and repairs of which the first leaves it no violation. What a sample misses may be just what tells
 * causes apart: while violations are left, executions that show them are added.
 */
export function clientCauses(
  request: ObjectRequest,
  client: Client,
): { readonly first: SampledExecutions; readonly initial: RootCauses } {
  const draw = executionsOf(subjectOf(request, client, request.sections).subject)
  let first = draw(request.seed)
  let initial = rootCauses(first)
  for (let extra = 1; extra <= mostDraws; extra++) {
    const sections = initial.repairs[0]?.sections
    if (sections === undefined) break
    const repaired = subjectOf(request, client, sections).subject
    if (isViolating(repaired) !== true) break
    const left = draw(request.seed + extra).violating.filter((one) => !eliminates(sections, recordingOf(one)))
    const telling = left.length > 0 ? left : sampleExecutions(repaired, request.seed + extra).violating
    first = { ...first, violating: [...first.violating, ...telling.slice(0, mostAdded)] }
    initial = rootCauses(first)
  }
  return { first, initial }
}

interface Samples {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
}

async function repaired(
  { request, nextFailing }: Omit<CauseSearch, 'client'>,
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
    const more = sampleExecutions(subjectOf(request, failing.client, sections).subject, request.seed)
    if (more.violating.length === 0) return { sections, clients: failing.verified, holds: false }
    violating = [...violating, ...more.violating]
    linearizable = [...linearizable, ...more.linearizable]
    found = rootCauses({ violating, linearizable })
  }
  return undefined
}
