/**
 * One client of a class under every engine: how its executions can end by `dpor`, by walking paths in every order, and by walking
 * some at random. The stateful search without any reduction is what they are compared with.
 */
import { type JudgedClass, subjectOf } from '../../src/check/objects/subjects.ts'
import { memoryDpor } from '../../src/engines/dpor/memory.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { objectPaths } from '../../src/semantics/memory/object-path.ts'
import { AssignedAfterAllError } from '../../src/semantics/memory/search-error.ts'
import type { ObjectEnding, ObjectSubject } from '../../src/semantics/memory/subject.ts'
import { ObjectWorld } from '../../src/semantics/memory/world.ts'
import { outcomeText } from './object-search.ts'

export interface Ended {
  readonly outcomes: readonly string[]
  readonly violations: readonly string[]
  /** Keys of final states. */
  readonly finals: ReadonlySet<string>
  readonly executions: number
}

/** Undefined if there are more executions than the limit, or one without end. */
type Explore = (subject: ObjectSubject, limit: number) => Explored | undefined

interface Explored {
  readonly finals: ReadonlySet<string>
  readonly executions: number
}

export const byDpor: Explore = (subject, limit) => dporOver(new ObjectWorld(subject), limit)

/** Invisible steps taken together with visible ones: fewer steps, and the same executions. */
export const byFusedDpor: Explore = (subject, limit) => dporOver(new ObjectWorld(subject).fused(), limit)

function dporOver(world: ObjectWorld, limit: number): Explored | undefined {
  let executions = 0
  for (const event of memoryDpor.explore(world, {})) {
    if (event.kind === 'diagnostic') {
      // A loop that waits has no end, as the engine says.
      if (event.diagnostic.code === 'E203') return undefined
      throw new Error(JSON.stringify(event.diagnostic))
    }
    if (event.kind === 'execution' && ++executions > limit) return undefined
  }
  return { finals: new Set(), executions }
}

/** What is longer is a loop that waits for somebody. */
const longest = 200

export const byPaths: Explore = (subject, limit) => {
  const path = objectPaths(subject).begin()
  const finals = new Set<string>()
  let executions = 0
  const visit = (): boolean => {
    const enabled = path.enabled()
    if (path.events().length > longest) return false
    if (enabled.length === 0) {
      finals.add(path.key())
      path.violations()
      return ++executions <= limit
    }
    for (const decision of enabled) {
      path.take(decision)
      const isDone = visit()
      path.back()
      if (!isDone) return false
    }
    return true
  }
  return visit() ? { finals, executions } : undefined
}

/** What an engine samples. */
export function bySamples(engine: Engine<'path'>): Explore {
  return (subject, limit) => {
    let executions = 0
    for (const event of engine.explore(objectPaths(subject), { seed: 7, samples: limit, depth: 3 })) {
      if (event.kind === 'diagnostic') return undefined
      if (event.kind === 'execution') executions++
    }
    return { finals: new Set(), executions }
  }
}

/** How executions end, as the judge is told while an engine explores. */
export function endingsBy(
  explore: Explore,
  { request, client, limit }: { readonly request: JudgedClass; readonly client: Client; readonly limit: number },
): Ended | undefined {
  for (;;) {
    try {
      const subject = subjectOf(request, client)
      const [outcomes, violations] = [new Set<string>(), new Set<string>()]
      const judge = (ending: ObjectEnding) => {
        const violation = subject.judge(ending)
        const outcome = outcomeText(ending)
        outcomes.add(outcome)
        if (violation !== undefined) violations.add(`${violation.kind}: ${outcome}`)
        return violation
      }
      const explored = explore({ ...subject, judge }, limit)
      return explored && { ...explored, outcomes: [...outcomes].sort(), violations: [...violations].sort() }
    } catch (error) {
      // A field was assigned that never seemed to be: now it is known.
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}
