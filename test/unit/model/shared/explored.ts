/** Programs explored by dpor, with deadlock as a violation. */

import { type NetworkName, networkNames } from '../../../../src/core/operation.ts'
import { settingFrom } from '../../../../src/core/setting.ts'
import { dpor } from '../../../../src/engines/dpor/dpor.ts'
import type { EngineEvent, Options } from '../../../../src/engines/engine.ts'
import type { Program } from '../../../../src/program/program.ts'
import { deadlockFreedom } from '../../../../src/properties/deadlock.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'

const setting: Options = { seed: 1, schedule: 'sends-first', eager: false, samples: 0, depth: 0 }

function subjectOf(of: Program, network: NetworkName) {
  const runnable = of.views.runnable
  if (runnable === undefined) throw new Error('no runnable view')
  const view = runnable(settingFrom({ params: of.params, network }))
  return { ...view, properties: [...view.properties, deadlockFreedom] }
}

/** Executions and blocked ones. Shared objects do not depend on the program's network: all four must count the same. */
export function counts(of: Program): string {
  const all = networkNames.map((network) => countsOver(of, network))
  return new Set(all).size === 1 ? (all[0] as string) : all.join(' ')
}

function countsOver(of: Program, network: NetworkName): string {
  const executions = exploredOver(of, network).filter((event) => event.kind === 'execution')
  const blocked = executions.filter((event) => event.blocked).length
  return `${executions.length - blocked}/${blocked}`
}

function exploredOver(of: Program, network: NetworkName): readonly EngineEvent[] {
  return [...dpor.explore(subjectOf(of, network), setting)]
}

/** What is violated, each message once, as the judge sees it; mistakes with their code. */
export function violations(of: Program): readonly string[] {
  const subject = subjectOf(of, 'fifo')
  const found = exploredOver(of, 'fifo').flatMap((event) => {
    if (event.kind === 'diagnostic') return `${event.diagnostic.code}: ${event.diagnostic.message}`
    if (event.kind !== 'violation') return []
    const again = reproduced(replay(pathsOf(subject), event.decisions, { places: false }), event.violation)
    return `${event.violation.kind}: ${again?.message ?? 'does not reproduce'}`
  })
  return [...new Set(found)].sort()
}
