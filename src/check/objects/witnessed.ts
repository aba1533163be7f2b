/** Executions of a class, told to a witness: which operations were called, and what their calls came to. */
import type { Call } from '../../core/history.ts'
import { running } from '../../core/running.ts'
import type { Witness } from '../../core/witness.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { mostRounds } from '../../semantics/memory/timers.ts'

interface Told {
  readonly check: ObjectCheck
  /** Methods that no client calls, though nobody said so. */
  readonly leftOut: readonly string[]
}

export function witnessed(made: ObjectSubject, { check, leftOut }: Told, witness: Witness): ObjectSubject {
  for (const name of check.operations.keys()) {
    witness.ask('operation-never-called', name, 0)
    witness.came('operation-returned', name, 0)
  }
  for (const method of leftOut) witness.ask('operation-left-out', method, 0)
  running.timersCut = false
  return {
    ...made,
    judge: (ending) => {
      for (const call of [...ending.setup, ...ending.history.calls]) tell(witness, call)
      if (running.timersCut) witness.ask('timers-cut', `timers that have fired ${mostRounds} times`)
      running.timersCut = false
      return made.judge(ending)
    },
  }
}

function tell(witness: Witness, { operation, result: { kind } }: Call): void {
  witness.answer('operation-never-called', operation)
  if (kind === 'threw') witness.ask('operation-always-throws', operation)
  else if (kind === 'returned') witness.answer('operation-always-throws', operation)
  // What a call returned that nobody can tell is something that it returned.
  const came = kind === 'threw' ? 'operation-threw' : kind === 'pending' ? 'operation-waited' : 'operation-returned'
  witness.came(came, operation)
}
