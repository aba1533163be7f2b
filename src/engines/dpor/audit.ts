/**
 * The audit. Restarting only the processes whose events changed explores silently wrong if two processes share a variable:
 * so some executions are run again from scratch, in another interleaving, and compared event by event. A difference is the
 * user's mistake, reported with the operation that differed.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Event } from '../../core/event.ts'
import type { Decision } from '../../core/trace.ts'
import type { Address, Value } from '../../core/value.ts'
import { sameValue } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import { replay } from '../../semantics/replay.ts'
import type { GraphEvent, GraphProcess } from './graph.ts'
import { linearize } from './linearize.ts'
import type { Search } from './search.ts'

/** Re-runs the current graph; the first difference, if any. */
export function audit(search: Search, reversed: boolean): Diagnostic | undefined {
  const decisions = linearize(search.graph, { reversed })
  // Places cost more than the whole audit, so they are looked up only once there is something to report.
  return compared(search, decisions, false) === undefined ? undefined : compared(search, decisions, true)
}

function compared(search: Search, decisions: readonly Decision[], places: boolean): Diagnostic | undefined {
  const replayed = replay(search.subject, decisions, { places })
  for (const event of replayed.events) {
    const recorded = search.graph.process(event.process)?.events[event.index]
    if (recorded === undefined || !isSame(recorded, event)) return difference(event, recorded)
  }
  const { drift } = replayed
  if (drift === undefined) return undefined
  const process = search.graph.process(drift.decision.process) as GraphProcess
  const index = replayed.events.filter((event) => event.process === process.id).length
  return notDeterministic(process.id, process.events[index], 'does something else', undefined)
}

function isSame(recorded: GraphEvent, event: Event): boolean {
  switch (event.kind) {
    case 'send':
      return recorded.kind === 'send' && targetOf(recorded) === event.to && sameValue(recorded.payload, event.value)
    case 'receive':
      return (recorded.kind === 'receive' || recorded.kind === 'poll') && recorded.source !== undefined
    case 'timeout':
      return recorded.kind === 'poll' && recorded.source === undefined
    case 'choose':
      return recorded.kind === 'choose' && sameValue(recorded.answer, event.value)
    case 'spawn':
      return recorded.kind === 'spawn' && recorded.child?.id === event.child
    case 'join':
      return recorded.kind === 'join'
    case 'stop':
      return recorded.kind === 'block'
    case 'fail':
      return recorded.kind === 'error'
  }
}

function difference(event: Event, recorded: GraphEvent | undefined): Diagnostic {
  return notDeterministic(event.process, recorded, `is ${describeEvent(event)}`, event.stack, event.index)
}

function notDeterministic(
  process: string,
  recorded: GraphEvent | undefined,
  now: string,
  stack: string | undefined,
  index = recorded?.index ?? 0,
): Diagnostic {
  const before = recorded === undefined ? 'the end of the process' : describeRecorded(recorded)
  return {
    code: 'E201',
    message: `process "${process}" is not deterministic: operation ${index + 1} was ${before}, and in the same execution run again it ${now}`,
    hint: 'a process may depend only on what it receives and chooses: no clock, no randomness, no variable shared with others',
    stack,
  }
}

function describeRecorded(event: GraphEvent): string {
  if (event.kind === 'send') return `send(${targetOf(event)}, ${showValue(event.payload as Value, 40)})`
  if (event.kind === 'choose') return `choose → ${showValue(event.answer as Value, 40)}`
  if (event.kind === 'block') return 'a failed assumption'
  if (event.kind === 'error') return 'a failure'
  return `${event.kind}(…)`
}

function targetOf(send: GraphEvent): string | undefined {
  return (send.operation?.target as Address<never> | undefined)?.id
}

function describeEvent(event: Event): string {
  switch (event.kind) {
    case 'send':
      return `send(${event.to}, ${showValue(event.value, 40)})`
    case 'choose':
      return `choose → ${showValue(event.value, 40)}`
    case 'stop':
      return 'a failed assumption'
    case 'fail':
      return `a failure (${event.violation.message})`
    case 'timeout':
      return 'poll(…) that finds nothing'
    default:
      return `${event.kind}(…)`
  }
}
