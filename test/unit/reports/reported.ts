/** Results as the host would fill them, with places made up from the position of each event. */
import type { Place } from '../../../src/core/diagnostic.ts'
import type { Event } from '../../../src/core/event.ts'
import { type Counterexample, execution } from '../../../src/core/evidence.ts'
import { type Counts, countedExecutions, type Scope, type Verdict } from '../../../src/core/verdict.ts'
import type { Program } from '../../../src/program/program.ts'
import type { Reported, ReportedFinding } from '../../../src/reports/result.ts'

export function scopeOf(program: Program, changes: Partial<Scope> = {}): Scope {
  const { params, network, options } = program
  const deadlock = options.deadlock?.default === 'error' ? 'error' : 'allow'
  return { engine: 'dpor', counted: countedExecutions, network, params, seed: 0, deadlock, ...changes }
}

export function counts(changes: Counts = {}): Counts {
  return { executions: 0, blocked: 0, events: 0, longest: 0, ...changes }
}

export function reported(program: Program, verdict: Verdict, changes: Partial<Reported> = {}): Reported {
  const file = `examples/${program.name.replaceAll(' ', '-')}.check.ts`
  return { program: program.name, file, verdict, seconds: 0.02, findings: [], ...changes }
}

export function violated(
  program: Program,
  counterexample: Counterexample,
  options: { readonly others?: readonly Counterexample[]; readonly counts?: Counts; readonly exhausted?: boolean } = {},
): Verdict {
  const { others = [], exhausted = false } = options
  return {
    kind: 'violated',
    scope: scopeOf(program),
    counts: options.counts ?? counts({ executions: 1203 }),
    evidence: [counterexample, ...others].map(execution),
    exhausted,
  }
}

export function placesOf(file: string, events: readonly Event[]): ReadonlyMap<Event, Place> {
  return new Map(events.map((event, at) => [event, { file, line: 10 + at, column: 7 }]))
}

export function finding(
  file: string,
  counterexample: Counterexample,
  changes: Partial<ReportedFinding> = {},
): ReportedFinding {
  const tracePath = '.allways/traces/late-work.worked-after-being.3f9a.trace.json'
  return {
    places: placesOf(file, counterexample.events),
    tracePath,
    replayCommand: `npx allways replay ${tracePath}`,
    showCommand: `npx allways show ${tracePath} --reporter mermaid`,
    ...changes,
  }
}
