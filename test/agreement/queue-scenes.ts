/** Senders and consumers of a queue as data, and what they see of it on the queue of `allways/services`, as engines find out. */
import type { Event } from '../../src/core/event.ts'
import type { FaultBudget } from '../../src/core/faults.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { type Operation, type Program, program, spawn } from '../../src/index.ts'
import { type Delivery, type Queue, queue } from '../../src/model/services/services.ts'
import type { Runnable } from '../../src/program/program.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { usualSetting } from './explored.ts'

/** A message is taken and then settled, or left alone; or the dead letters are asked for. */
export type Consuming = 'ack' | 'reject' | 'leave' | 'dead letters'

export interface QueueScene {
  readonly delivery: Delivery
  readonly order: 'fifo' | 'any'
  readonly attempts: number
  readonly senders: readonly (readonly number[])[]
  readonly consumers: readonly (readonly Consuming[])[]
  readonly faults: FaultBudget
}

type Steps = Generator<Operation, void, unknown>

export function queueProgram({ delivery, order, attempts, senders, consumers }: QueueScene): Program {
  return program('scene', { deadlock: 'allow' }, function* () {
    const all = yield* queue<number>({ delivery, order, attempts })
    for (const [at, bodies] of senders.entries()) {
      yield* spawn(`s${at}`, { crashes: false }, function* (): Steps {
        for (const body of bodies) yield* all.send(body)
      })
    }
    for (const [at, script] of consumers.entries()) yield* spawn(`c${at}`, consume, all, script)
  })
}

function* consume(all: Queue<number>, script: readonly Consuming[]): Steps {
  for (const step of script) {
    if (step === 'dead letters') yield* all.deadLetters()
    else {
      const message = yield* all.receive()
      if (step === 'ack') yield* message.ack()
      if (step === 'reject') yield* message.reject()
    }
  }
}

export function queueSubject(scene: QueueScene): Runnable {
  const { faults } = scene
  const view = queueProgram(scene).views.runnable?.(settingFrom({ params: {}, network: 'fifo', faults }))
  if (view === undefined) throw new Error('no runnable view')
  return view
}

/** What the consumers of an execution saw, as text. */
export function seenBy(scene: QueueScene, events: readonly Event[]): string {
  return scene.consumers.map((_, at) => events.flatMap((event) => seenIn(event, `c${at}`)).join(' ')).join(' | ')
}

function seenIn(event: Event, consumer: string): readonly string[] {
  if (event.process !== consumer) return []
  if (event.kind === 'crash') return [event.restarts ? 'again' : 'gone']
  if (event.kind !== 'receive') return []
  const { kind, value } = event.value as unknown as { kind: string; value: unknown }
  if (kind === 'queue.dead') return [`dead:${[...(value as number[])].sort().join()}`]
  const { body, attempt } = value as { body: number; attempt: number }
  return [`${body}.${attempt}`]
}

/** All that consumers may see together; nothing if there are more executions than that. */
export function allSeen(engine: Engine<'runnable'>, scene: QueueScene, cap: number): ReadonlySet<string> | undefined {
  const subject = queueSubject(scene)
  const seen = new Set<string>()
  let executions = 0
  for (const event of engine.explore(subject, usualSetting)) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'violation') throw new Error(event.violation.message)
    if (event.kind !== 'execution') continue
    if (++executions > cap) return undefined
    seen.add(seenBy(scene, replay(pathsOf(subject), event.decisions(), { places: false }).events))
  }
  return seen
}
