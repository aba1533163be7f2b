/** What engines find in an IR program, with every violation replayed. */
import type { NetworkName } from '../../../../src/core/operation.ts'
import type { Violation } from '../../../../src/core/property.ts'
import type { Bounds } from '../../../../src/core/setting.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { exhaustive } from '../../../../src/engines/exhaustive/exhaustive.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import type { Paths } from '../../../../src/program/path.ts'
import { irPaths } from '../../../../src/semantics/ir/paths.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'

export interface Asked {
  readonly network?: NetworkName
  readonly bounds?: Bounds
  readonly blocks?: number
}

export interface Found {
  readonly violations: readonly Violation[]
  readonly counts: { readonly [name: string]: number }
}

export function pathsIn(ir: Ir, { network = 'sender-queue', bounds = {}, blocks }: Asked = {}): Paths {
  return irPaths(ir, { network, bounds }, { blocks })
}

export function statesOf(ir: Ir, asked: Asked = {}): Found {
  return found(ir, asked, statefulPaths.explore(pathsIn(ir, asked), {}))
}

export function interleavingsOf(ir: Ir, asked: Asked = {}): Found {
  return found(ir, asked, exhaustive.explore(pathsIn(ir, asked), {}))
}

/** Each violation is replayed in paths of its own, which know nothing of those that were explored. */
function found(ir: Ir, asked: Asked, events: Iterable<EngineEvent>): Found {
  const violations: Violation[] = []
  let counts: { readonly [name: string]: number } = {}
  let executions = 0
  for (const event of events) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'execution') executions++
    if ('counts' in event) counts = event.counts ?? counts
    if (event.kind !== 'violation') continue
    const { violation, decisions, repeatsFrom } = event
    const replayed = replay(pathsIn(ir, asked), decisions, { places: true, repeatsFrom })
    const again = reproduced(replayed, violation)
    if (again === undefined) throw new Error(`not reproduced: ${violation.message}`)
    violations.push(again)
  }
  return { violations, counts: { ...counts, executions } }
}

export function messages({ violations }: Found): readonly string[] {
  return [...new Set(violations.map(({ kind, message }) => `${kind}: ${message}`))].sort()
}
