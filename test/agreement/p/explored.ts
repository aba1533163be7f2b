/** What `stateful` explores of an IR program, for tests that look at its events. */
import { expect } from 'vitest'
import type { NetworkName } from '../../../src/core/operation.ts'
import { violationKey } from '../../../src/core/property.ts'
import type { Setting } from '../../../src/core/setting.ts'
import type { EngineEvent } from '../../../src/engines/engine.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { irPaths } from '../../../src/semantics/ir/paths.ts'

export function settingOf(network: NetworkName) {
  return {
    params: {},
    network,
    faults: {},
    bounds: {},
    options: { deadlock: 'error' },
    start: 'initial',
  } as const satisfies Setting
}

/** Along a path of the reference semantics its decisions come to the same violation. */
export function expectRetaken(
  ir: Ir,
  network: NetworkName,
  { violation, decisions }: Extract<EngineEvent, { readonly kind: 'violation' }>,
): void {
  const path = irPaths(ir, settingOf(network)).begin()
  for (const decision of decisions) path.take(decision)
  expect(path.violations().map(violationKey)).toContain(violationKey(violation))
}
