/** The search for one client: its transition system, explored by the engine until the end or until a budget is spent. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { BudgetName, SearchCounts } from '../../core/verdict.ts'
import type { Host } from '../../distribute/driver.ts'
import type { EngineSetting } from '../../engines/engine.ts'
import { stateful } from '../../engines/stateful/stateful.ts'
import type { ObjectWorld } from '../../semantics/memory/world.ts'

export interface ClientFinding {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
}

export interface ClientSearch {
  readonly counts: SearchCounts
  readonly findings: readonly ClientFinding[]
  readonly diagnostic: Diagnostic | undefined
  /** Which budget ended it early. */
  readonly because: BudgetName | undefined
}

/** What may end a search, and who is told how far it is. */
export interface SearchWatch {
  readonly host: Host
  readonly spent: (states: number) => BudgetName | undefined
  readonly onProgress: (counts: SearchCounts) => void
  readonly keepGoing: boolean
}

const none: SearchCounts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }

export async function searchClient(
  world: ObjectWorld,
  setting: EngineSetting,
  watch: SearchWatch,
): Promise<ClientSearch> {
  const findings = new Map<string, ClientFinding>()
  let counts = none
  const ended = (because?: BudgetName, diagnostic?: Diagnostic): ClientSearch => ({
    counts,
    findings: [...findings.values()],
    diagnostic,
    because,
  })
  try {
    for (const event of stateful.explore(world, setting, stateful.root())) {
      if (event.kind === 'diagnostic') return ended(undefined, event.diagnostic)
      if (event.kind === 'ending') counts = event.counts
      if (event.kind === 'violation') {
        const { violation, decisions } = event
        if (!findings.has(violation.message)) findings.set(violation.message, { violation, decisions })
        if (!watch.keepGoing) return ended()
      }
      if (event.kind !== 'progress') continue
      counts = event.counts
      watch.onProgress(counts)
      // What is over is not ended by a budget.
      const because = event.explored === 1 ? undefined : watch.spent(counts.states)
      if (because !== undefined) return ended(because)
      await watch.host.pause()
    }
    return ended()
  } catch (error) {
    if (error instanceof DiagnosticError) return ended(undefined, error.diagnostic)
    throw error
  }
}
