/** What a promise consists of, for comparing states and for what can be reached through it. */
import { type ControlledPromise, core } from '../../jobs/promise-core.ts'

export const isPromise = core.isPromise

export function partsOfPromise(promise: ControlledPromise): readonly unknown[] {
  const reactions = core.reactionsOf(promise).flatMap(({ holds, leadsTo }) => holds ?? [leadsTo])
  return [core.stateOf(promise), core.resolutionsOf(promise), core.valueOf(promise), ...reactions]
}
