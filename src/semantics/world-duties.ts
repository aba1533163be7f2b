/**
 * What fairness asks of processes: each that can move all the time moves some time. Of processes that expose all they know it asks when
 * they are at rest: each that has something to do does something some time, and what is under way all the time arrives some time.
 */
import type { Decision } from '../core/trace.ts'
import { encodeValue } from '../core/value.ts'
import type { Exposing } from '../program/program.ts'
import type { World } from './world.ts'
import { isAtRest } from './world-key.ts'

/** Undefined: somebody is in the middle of something, or a bound or an assumption stopped the execution, which then does not count. */
export function worldDuties(world: World, exposing: Exposing | undefined): ReadonlySet<string> | undefined {
  const processes = world.histories()
  if (processes.some(({ status }) => status === 'stopped')) return undefined
  const moves = world.moves()
  if (exposing === undefined) return new Set(moves.map(({ process }) => process))
  if (!processes.every((process) => process.pending === undefined || isAtRest(process))) return undefined
  const exposed = world.announcements()
  return new Set(
    moves.flatMap((decision): readonly string[] => {
      const { kind, process } = decision
      const isDuty =
        kind === 'timeout'
          ? exposing.mustAct(process, exposed.get(process))
          : exposing.delivers || isToItself(world, decision)
      return isDuty ? dutiesDoneBy(world, decision) : []
    }),
  )
}

/** What a process sends to itself does not travel, so that it is never lost. */
function isToItself(world: World, decision: Decision): boolean {
  if (decision.kind !== 'deliver') return false
  return world.underWay().unread.some(({ number, from, to }) => number === decision.message && from === to)
}

/** To do something, and to take this message; equal messages from one process to another are one duty. */
export function dutiesDoneBy(world: World, decision: Decision): readonly string[] {
  const { kind, process } = decision
  if (kind !== 'deliver') return [process]
  const message = world.underWay().unread.find(({ number }) => number === decision.message)
  return message === undefined ? [process] : [process, encodeValue([message.from, message.to, message.value])]
}
