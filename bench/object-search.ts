/** One search of one client, and what it took. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type JudgedClass, subjectOf } from '../src/check/objects/subjects.ts'
import { stateful } from '../src/engines/stateful/stateful.ts'
import type { Client } from '../src/properties/linearizability/client.ts'
import { ObjectWorld } from '../src/semantics/memory/world.ts'
import { optionsOf, type StateCounts, type StatefulSetting } from '../test/stateful-setting.ts'
import { secondsSince } from './measure.ts'

export interface Took {
  /** False: given up at the limit of transitions. */
  readonly ended: boolean
  readonly states: number
  readonly transitions: number
  readonly cpuSeconds: number
  /** What the search holds at its end, which is its peak: it forgets nothing. */
  readonly bytes: number
  /** Outcomes, with those that are wrong marked; equal for all variants that end. */
  readonly outcomes: string
  readonly violated: boolean
}

export interface SearchOptions {
  readonly mostTransitions: number
  readonly untilViolation?: boolean
  readonly seed?: number
  readonly measuresMemory?: boolean
}

export function search(
  judged: JudgedClass,
  client: Client,
  setting: StatefulSetting,
  { mostTransitions, untilViolation = false, seed = 1, measuresMemory = false }: SearchOptions,
): Took {
  const subject = subjectOf(judged, client)
  const outcomes = new Set<string>()
  const judge: typeof subject.judge = (ending) => {
    const violation = subject.judge(ending)
    outcomes.add(`${violation === undefined ? '' : '! '}${JSON.stringify(ending.results)}`)
    return violation
  }
  const world = new ObjectWorld({ ...subject, judge })
  const held = measuresMemory ? bytesHeld() : 0
  let [ended, violated, counts, bytes] = [true, false, { states: 0, transitions: 0 }, 0]
  const before = process.cpuUsage()
  let [cpuSeconds, measuring] = [0, 0]
  for (const event of stateful.explore(world, optionsOf(setting, seed))) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'progress' || event.kind === 'ending') counts = event.counts as StateCounts
    if (event.kind === 'violation') violated = true
    cpuSeconds = secondsSince(before) - measuring
    // At the last event the search is over and still there; others may say that nothing is left, too.
    if (measuresMemory && event.kind === 'progress' && event.explored === 1) {
      const pause = process.cpuUsage()
      bytes = bytesHeld() - held
      measuring += secondsSince(pause)
    }
    if (counts.transitions >= mostTransitions) ended = false
    if (!ended || (untilViolation && violated)) break
  }
  const { states, transitions } = counts
  return { ended, states, transitions, cpuSeconds, bytes, outcomes: [...outcomes].sort().join('\n'), violated }
}

const collect = collector()

export function bytesHeld(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
