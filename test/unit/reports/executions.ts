/** Executions of small programs, made by hand: decisions in words, then the first enabled ones. */

import type { Counterexample } from '../../../src/core/evidence.ts'
import type { Violation } from '../../../src/core/property.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { type Decision, describeDecision } from '../../../src/core/trace.ts'
import type { Program } from '../../../src/program/program.ts'
import { deadlockFreedom } from '../../../src/properties/deadlock.ts'
import { World } from '../../../src/semantics/world.ts'

interface Script {
  /** Decisions as `describeDecision` says them, taken in this order as soon as they are enabled. */
  readonly script?: readonly string[]
  /** Whether to go on with first enabled decisions after the script; on by default. */
  readonly toEnd?: boolean
  readonly foundIn?: number
}

/** The execution that takes the scripted decisions, each as early as others (first enabled ones) make it possible. */
export function counterexample(program: Program, { script = [], toEnd = true, foundIn }: Script = {}): Counterexample {
  const setting = settingFrom({ params: program.params, network: program.network, faults: program.faults ?? {} })
  const runnable = program.views.runnable?.(setting)
  if (runnable === undefined) throw new Error('the program has a runnable view')
  const world = new World({ ...runnable, properties: [deadlockFreedom, ...runnable.properties] })
  const decisions: Decision[] = []
  const take = (decision: Decision): void => {
    decisions.push(decision)
    world.take(decision)
  }
  for (const words of script) {
    const decision = world.enabled().find((enabled) => describeDecision(enabled) === words)
    if (decision === undefined)
      throw new Error(`${words} is not enabled; ${world.enabled().map(describeDecision).join(', ')} are`)
    take(decision)
  }
  while (toEnd && world.violations.length === 0) {
    const [next] = world.enabled()
    if (next === undefined) break
    take(next)
  }
  const ended = world.enabled().length === 0
  const violation: Violation | undefined = world.violations[0] ?? (ended ? world.endViolations()[0] : undefined)
  if (violation === undefined) throw new Error('the execution violates nothing')
  return {
    violation,
    decisions,
    events: world.events,
    foundIn: foundIn ?? decisions.length,
    processes: world.ending().processes,
  }
}
