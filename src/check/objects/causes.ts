/**
 * Root causes of the violations of a class (thesis §2.3.2): take executions of a failing client, compute the lines that must be
 * atomic, take them to be atomic, check all clients again, and go on until none fails.
 */
import type { AtomicSection } from '../../core/code.ts'
import type { ObjectCauses } from '../../core/object-verdict.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { alternatives } from '../../properties/repair/alternatives.ts'
import type { RecordedExecution } from '../../properties/repair/execution.ts'
import { type RootCauses, rootCauses } from '../../properties/repair/root-causes.ts'
import { sampleExecutions } from './executions.ts'
import type { ObjectRequest } from './request.ts'
import { subjectOf } from './subjects.ts'

export interface CauseSearch {
  readonly request: ObjectRequest
  /** The client that failed first. */
  readonly client: Client
  /** The next client that fails with these sections, with how many clients were verified before it. */
  readonly nextFailing: (sections: readonly AtomicSection[]) => Promise<Failing>
}

export interface Failing {
  readonly client: Client | undefined
  readonly verified: number
  /** False if a budget ended the check of the repair. */
  readonly isComplete: boolean
}

/** Repairs of each kind that are told. */
const mostShown = 8

/** Every round adds sections, so the loop ends by itself; this only bounds how long a user waits. */
const longestLoop = 12

export async function findCauses({ request, client, nextFailing }: CauseSearch): Promise<ObjectCauses> {
  const first = sampleExecutions(subjectOf(request, client, request.sections).subject, request.seed)
  const initial = rootCauses(first)
  const causes: Omit<ObjectCauses, 'applied'> = {
    repairs: alternatives(initial, first, mostShown),
    violating: first.violating.length,
    linearizable: first.linearizable.length,
    capped: initial.capped || !first.isComplete,
  }
  return { ...causes, applied: await repaired({ request, nextFailing }, initial, first) }
}

interface Samples {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
}

async function repaired(
  { request, nextFailing }: Omit<CauseSearch, 'client'>,
  initial: RootCauses,
  first: Samples,
): Promise<ObjectCauses['applied']> {
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
