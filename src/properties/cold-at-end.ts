/** Monitors that wait for something: where nothing more can happen, none of them may be hot. */
import type { Ending, EndProperty, Violation } from '../core/property.ts'

export function coldAtEnd(monitor: string): EndProperty {
  return { kind: 'monitor', name: monitor, sees: 'ending', violation: (ending) => hotAt(ending, monitor) }
}

function hotAt({ processes }: Ending, monitor: string): Violation | undefined {
  // A process stopped by `assume` or a bound says "this execution does not count"; of one that failed, that is the finding.
  if (processes.some(({ status }) => status === 'stopped' || status === 'failed')) return undefined
  const hot = processes.find(({ id }) => id === monitor)?.hot
  if (hot === undefined) return undefined
  const message = `still hot when nothing more can happen: ${hot.reason}`
  return { kind: 'monitor', property: monitor, message, process: monitor, stack: hot.stack }
}
