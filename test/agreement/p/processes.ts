/** P programs as processes: what the engine dpor says of them, and by the reference semantics whether that is so. */
import { sameViolation } from '../../../src/core/property.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { dpor } from '../../../src/engines/dpor/dpor.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Checked, TestCase } from '../../../src/frontends/p/symbols.ts'
import type { Path, Paths } from '../../../src/program/path.ts'
import { irRunnable } from '../../../src/semantics/ir/runnable.ts'
import { shownBy, toldBy } from './product.ts'
import type { Delivery } from './world.ts'

export interface Explored {
  readonly ends: readonly string[]
  readonly violations: readonly string[]
  readonly executions: number
}

const options = { schedule: 'sends-first', seed: 0, eager: false }

/** Undefined: there are too many executions. */
export function exploredByDpor(
  { checked, test, delivery, paths }: { checked: Checked; test: TestCase; delivery: Delivery; paths: Paths },
  most: number,
): Explored | undefined {
  const setting = { params: {}, network: delivery, faults: {}, bounds: {}, options: {}, start: 'initial' } as const
  const runnable = irRunnable({ program: lower(checked, test), setting })
  const ends = new Set<string>()
  const violations = new Set<string>()
  let executions = 0
  for (const event of dpor.explore(runnable, options)) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'violation') {
      const { violation, decisions } = event
      const found = ledTo(paths, decisions).violations()
      if (!found.some((one) => sameViolation(one, violation))) throw new Error(`not confirmed: ${violation.message}`)
      violations.add(toldBy(violation))
    }
    if (event.kind !== 'execution') continue
    if (++executions > most) return undefined
    const path = ledTo(paths, event.decisions())
    if (path.enabled().length > 0) throw new Error('an execution that has ended goes on')
    if (path.violations().every(({ kind }) => kind === 'deadlock' || kind === 'liveness')) ends.add(shownBy(path))
  }
  return { ends: [...ends].sort(), violations: [...violations].sort(), executions }
}

function ledTo(paths: Paths, decisions: readonly Decision[]): Path {
  const path = paths.begin()
  for (const decision of decisions) path.take(decision)
  return path
}
