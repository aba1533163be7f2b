import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { stateful } from '../../../../src/engines/stateful/stateful.ts'
import type { Stateful } from '../../../../src/program/stateful.ts'
import { truthOf } from '../../../agreement/stateful-oracle.ts'
import type { Instruction, PlaceOf, Source } from '../../../agreement/stateful-program.ts'
import { GeneratedView } from '../../../agreement/stateful-view.ts'
import { optionsOf, type StateCounts, type StatefulSetting } from '../../../stateful-setting.ts'

export const usual: StatefulSetting = { reduction: 'lazy', static: true, stateless: false, order: 'sequential' }
export const reductions = ['none', 'safe', 'eager', 'lazy'] as const
export const sourceSets = ['eager', 'lazy'] as const

export function program(shared: number, ...bodies: readonly (readonly Instruction[])[]): GeneratedView {
  return new GeneratedView({ name: 'written', shared, registers: 3, bodies, later: [] })
}

export const shared = (field: number): PlaceOf => ({ shared: field })
export const fieldOf = (register: number, field: number): PlaceOf => ({ of: register, field })
export const reading = (field: number, into = 0): Instruction => ({ kind: 'read', into, from: shared(field) })
export const writing = (field: number, value: number | Source = 1): Instruction => ({
  kind: 'write',
  to: shared(field),
  value: typeof value === 'number' ? { constant: value } : value,
})
export const jumpIf = (equals: number, to: number): Instruction => ({
  kind: 'jump',
  to,
  when: { register: 0, equals, negated: false },
})
export const jump = (to: number): Instruction => ({ kind: 'jump', to, when: undefined })
export const pause: Instruction = { kind: 'pause' }
export const locking = (field: number): Instruction => ({ kind: 'lock', at: shared(field) })
export const unlocking = (field: number): Instruction => ({ kind: 'unlock', at: shared(field) })

export interface Explored {
  readonly events: readonly EngineEvent[]
  readonly counts: StateCounts
  /** Keys of the final states, in the order they were found. */
  readonly finals: readonly string[]
  /** Processes explored from the initial state, in order. */
  readonly first: readonly number[]
}

export function explored(view: Stateful, setting: Partial<StatefulSetting> = {}, seed = 0): Explored {
  const first: number[] = []
  const watched = { processes: view.processes, walk: () => watchedWalk(view, first) }
  const events = [...stateful.explore(watched, optionsOf({ ...usual, ...setting }, seed))]
  const last = events.findLast((event) => event.kind === 'progress')
  if (last === undefined) throw new Error(`no counts: ${JSON.stringify(events)}`)
  const finals = events.flatMap((event) => (event.kind === 'ending' ? [event.key] : []))
  return { events, counts: last.counts as StateCounts, finals, first }
}

function watchedWalk(view: Stateful, first: number[]) {
  const walk = view.walk()
  let depth = 0
  return {
    ...walk,
    step: (process: number) => {
      if (depth++ === 0) first.push(process)
      return walk.step(process)
    },
    back: () => {
      depth--
      walk.back()
    },
  }
}

export function allFinals(view: GeneratedView): readonly string[] {
  const truth = truthOf(view, 100_000)
  if (truth === undefined) throw new Error('the program is too large')
  return [...truth.finals.keys()].sort()
}
