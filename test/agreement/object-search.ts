/** Explores one client of a class under a setting of the stateful engine, and says how its executions can end. */
import { type JudgedClass, subjectOf } from '../../src/check/objects/subjects.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { parseClient } from '../../src/properties/linearizability/client-text.ts'
import { AssignedAfterAllError } from '../../src/semantics/memory/search-error.ts'
import type { ObjectEnding } from '../../src/semantics/memory/subject.ts'
import { ObjectWorld } from '../../src/semantics/memory/world.ts'
import { optionsOf, type StateCounts, type StatefulSetting } from '../stateful-setting.ts'

export interface Endings {
  /** Results of all calls and who waits for ever, as texts, sorted. */
  readonly outcomes: readonly string[]
  /** Those that are wrong in some execution, with what is wrong. */
  readonly violations: readonly string[]
  readonly counts: StateCounts
}

export type Searched = { readonly kind: 'ended'; readonly endings: Endings } | { readonly kind: 'too large' }

export function clientOf(text: string): Client {
  const client = parseClient(text)
  if (!client.ok) throw new Error(JSON.stringify(client.diagnostics))
  return client.value
}

/** The setting of a variant, in words. */
export function settingText({ reduction, static: safeSets, stateless, order }: StatefulSetting): string {
  return `${reduction}${safeSets ? '' : ' without safe sets'}, ${order}${stateless ? ', stateless' : ''}`
}

export function search(
  request: JudgedClass & { readonly seed?: number },
  client: Client,
  setting: StatefulSetting,
  mostTransitions = Number.POSITIVE_INFINITY,
): Searched {
  for (;;) {
    try {
      return searchOnce(request, client, setting, mostTransitions)
    } catch (error) {
      // A field was assigned that never seemed to be: now it is known.
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}

function searchOnce(
  { seed = 0, ...request }: JudgedClass & { readonly seed?: number },
  client: Client,
  setting: StatefulSetting,
  mostTransitions: number,
): Searched {
  const subject = subjectOf(request, client)
  // As a sweep does it: what is wrong with a call that runs alone is thrown here.
  const preparing = subject.prepare?.()
  while (preparing?.next().done === false);
  const outcomes = new Set<string>()
  const violations = new Set<string>()
  const judge = (ending: ObjectEnding) => {
    const violation = subject.judge(ending)
    const outcome = outcomeText(ending)
    outcomes.add(outcome)
    if (violation !== undefined) violations.add(`${violation.kind}: ${outcome}`)
    return violation
  }
  let counts: StateCounts | undefined
  const world = new ObjectWorld({ ...subject, judge })
  for (const event of stateful.explore(world, optionsOf(setting, seed))) {
    if (event.kind === 'diagnostic') throw new Error(JSON.stringify(event.diagnostic))
    if (event.kind === 'progress' || event.kind === 'ending') counts = event.counts as StateCounts
    if (counts !== undefined && counts.transitions >= mostTransitions) return { kind: 'too large' }
  }
  if (counts === undefined) throw new Error('the search said nothing')
  return { kind: 'ended', endings: { outcomes: [...outcomes].sort(), violations: [...violations].sort(), counts } }
}

export function outcomeText({ results, waiting }: ObjectEnding): string {
  const texts = results.map((each) => each.join('; ')).join(' || ')
  return waiting.length === 0 ? texts : `${texts}, waiting: ${waiting.map(({ process }) => process).join(' ')}`
}
