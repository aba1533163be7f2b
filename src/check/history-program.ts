/** A recorded history as a program: its view is its calls, and its one execution has ended. */
import { DiagnosticError } from '../core/diagnostic.ts'
import { InternalError } from '../core/invariant.ts'
import type { Violation } from '../core/property.ts'
import type { Setting } from '../core/setting.ts'
import type { Witness } from '../core/witness.ts'
import type { Path, Paths } from '../program/path.ts'
import { type Program, registerProgram } from '../program/program.ts'
import type { RecordedCalls } from '../program/recorded.ts'
import { decideHistory, unknownCalls } from '../properties/linearizability/decide-history.ts'
import type { Specification } from '../properties/linearizability/specification.ts'

/** Named as what its calls are compared with. */
export function historyProgram(recorded: RecordedCalls): Program {
  const calls = (_setting: Setting, witness?: Witness): RecordedCalls => {
    if (recorded.history.calls.length === 0)
      witness?.ask('history-without-calls', recorded.specification.name, recorded.failed)
    const [first, ...others] = unknownCalls(recorded.history, recorded.specification as Specification)
    if (first !== undefined) throw new DiagnosticError(first, ...others)
    return recorded
  }
  return registerProgram({
    name: recorded.specification.name,
    params: {},
    every: {},
    network: 'fifo',
    options: {},
    views: { calls, path: () => pathsOf(recorded) },
    stack: undefined,
  })
}

function pathsOf(recorded: RecordedCalls): Paths {
  const path: Path = {
    enabled: () => [],
    take: ended,
    back: ended,
    key: () => undefined,
    events: () => [],
    violations: () => violationsIn(recorded),
    shown: () => [],
    ending: () => ({ processes: [] }),
    isBlocked: () => false,
  }
  return { isExclusive: true, judges: ['linearizability'], begin: () => path }
}

function ended(): never {
  throw new InternalError('what was recorded has ended')
}

function violationsIn({ history, specification: object, objectOf }: RecordedCalls): readonly Violation[] {
  const decided = decideHistory(history, object as Specification, { objectOf })
  if (!decided.ok || decided.value.linearizable) return []
  return [{ kind: 'linearizability', property: 'linearizable', message: decided.value.reason }]
}
