/** How scenes end on the database of `allways/services`, as engines find out. */
import type { Ending } from '../../src/core/property.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { Isolation } from '../../src/model/services/services.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import { crashed, programOf, type Scene, type SceneEnd } from './database-scripts.ts'
import { exploreAll } from './explored.ts'

export interface SceneEnds {
  readonly endings: ReadonlySet<string>
  readonly executions: number
}

/** All endings, as texts; nothing if there are more executions than that. */
export function endingsFound(
  engine: Engine<'runnable'> | Engine<'path'>,
  scene: Scene,
  { isolation, cap = Number.POSITIVE_INFINITY }: { readonly isolation: Isolation; readonly cap?: number },
): SceneEnds | undefined {
  const { crashes = 0, restarts = 0 } = scene
  const faults = crashes === 0 ? undefined : { crashes, restarts }
  const view = programOf(scene, isolation).views.runnable?.(settingFrom({ params: {}, network: 'fifo', faults }))
  if (view === undefined) throw new Error('no runnable view')
  const endings = new Set<string>()
  const violation = ({ processes }: Ending) => {
    const returned = (id: string): unknown => processes.find((process) => process.id === id)?.value
    const isGone = (id: string) => processes.some((process) => process.id === id && process.status === 'crashed')
    const transactions = scene.transactions.map((_, at) => (isGone(`t${at}`) ? crashed : returned(`t${at}`)))
    endings.add(JSON.stringify({ transactions, rows: returned('main') } as SceneEnd))
    return undefined
  }
  const noting = { kind: 'final', sees: 'ending', name: 'noted', violation } as const
  const subject = { ...view, properties: [noting, deadlockFreedom] }
  const { stopped, violations, executions } = exploreAll(engine, subject, { cap, classes: false })
  if (stopped === 'cap') return undefined
  if (stopped !== undefined || violations.size > 0) throw new Error(stopped ?? [...violations].join('\n'))
  return { endings, executions }
}
