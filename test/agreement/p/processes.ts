/** P programs as processes and as machines apart: what engines say of them, and by the reference semantics whether that is so. */
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { sameViolation } from '../../../src/core/property.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { dpor } from '../../../src/engines/dpor/dpor.ts'
import type { EngineEvent } from '../../../src/engines/engine.ts'
import { local } from '../../../src/engines/local/local.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Checked, TestCase } from '../../../src/frontends/p/symbols.ts'
import type { Path, Paths } from '../../../src/program/path.ts'
import type { IrView } from '../../../src/program/program.ts'
import { irMachines } from '../../../src/semantics/ir/machines.ts'
import { irRunnable } from '../../../src/semantics/ir/runnable.ts'
import { shownBy, toldBy } from './product.ts'
import type { Delivery } from './world.ts'

export interface Explored {
  readonly ends: readonly string[]
  readonly violations: readonly string[]
  readonly executions: number
}

const options = { schedule: 'sends-first', seed: 0, eager: false }

export interface Subject {
  readonly checked: Checked
  readonly test: TestCase
  readonly delivery: Delivery
  readonly paths: Paths
  /** Whether monitors learn of something that no event shows. */
  readonly announces: boolean
}

function viewOf({ checked, test, delivery }: Subject, options: { readonly [name: string]: string } = {}): IrView {
  const setting = { params: {}, network: delivery, faults: {}, bounds: {}, options, start: 'initial' } as const
  return { program: lower(checked, test), setting }
}

/** Nobody minds machines that wait. Undefined: it takes too long. */
export function foundByLocal(subject: Subject, most: number): readonly string[] | undefined {
  const violations = new Set<string>()
  let steps = 0
  for (const event of local.explore(irMachines(viewOf(subject, { deadlock: 'allow' })), {})) {
    if (++steps > most) return undefined
    if (event.kind === 'diagnostic') throw new DiagnosticError(event.diagnostic)
    if (event.kind === 'violation') violations.add(confirmed(subject.paths, event))
  }
  return [...violations].sort()
}

/** Undefined: there are too many executions. */
export function exploredByDpor(subject: Subject, most: number): Explored | undefined {
  const { paths } = subject
  const runnable = irRunnable(viewOf(subject))
  const ends = new Set<string>()
  const violations = new Set<string>()
  let executions = 0
  for (const event of dpor.explore(runnable, options)) {
    if (event.kind === 'diagnostic') throw new DiagnosticError(event.diagnostic)
    if (event.kind === 'violation') violations.add(confirmed(paths, event))
    if (event.kind !== 'execution') continue
    if (++executions > most) return undefined
    const path = ledTo(paths, event.decisions())
    if (path.enabled().length > 0) throw new Error('an execution that has ended goes on')
    if (path.violations().every(({ kind }) => kind === 'deadlock' || kind === 'liveness')) ends.add(shownBy(path))
  }
  return { ends: [...ends].sort(), violations: [...violations].sort(), executions }
}

function confirmed(paths: Paths, { violation, decisions }: Extract<EngineEvent, { kind: 'violation' }>): string {
  const found = ledTo(paths, decisions).violations()
  if (!found.some((one) => sameViolation(one, violation))) throw new Error(`not confirmed: ${violation.message}`)
  return toldBy(violation)
}

function ledTo(paths: Paths, decisions: readonly Decision[]): Path {
  const path = paths.begin()
  for (const decision of decisions) path.take(decision)
  return path
}
