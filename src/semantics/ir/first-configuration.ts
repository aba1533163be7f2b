/** How executions begin: monitors have begun, and the first machine has been created. */
import type { Violation } from '../../core/property.ts'
import type { Configuration, MonitorState } from './configuration.ts'
import { Broken, begunMonitors } from './monitors.ts'
import type { Rules } from './moves.ts'
import { newMachine } from './sent-and-created.ts'
import type { Turned } from './turn.ts'

export function firstConfiguration(rules: Rules): Turned {
  const { ir, values } = rules.code
  const { name = 'Main' } = ir.machines[ir.main] ?? {}
  const ref = values.machine({ creator: undefined, name, count: 1, machine: ir.main })
  // Its own name is taken, so that a namesake that it creates is the second one.
  const main = { ...newMachine(ref, null, rules), created: new Map([[name, 1]]) }
  const creation = { number: -1, from: undefined, to: ref, event: undefined, payload: null, past: [] }
  const { monitors, violation } = monitorsOrViolation(rules)
  const configuration: Configuration = {
    machines: new Map([[ref, main]]),
    underWay: rules.delivery.interleaves ? [] : [creation],
    monitors,
    refined: rules.refined?.first ?? 0,
    choosing: undefined,
    chosen: 0,
    known: new Map(),
    sent: 0,
    violation,
  }
  if (violation === undefined) return { configuration, events: [] }
  const { process = name, place } = violation
  return { configuration, events: [{ kind: 'fail', process, violation, place }] }
}

function monitorsOrViolation(rules: Rules): {
  readonly monitors: readonly MonitorState[]
  readonly violation: Violation | undefined
} {
  try {
    return { monitors: begunMonitors(rules), violation: undefined }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { monitors: [], violation: error.violation }
  }
}
