/** Operations that the program did not write: they stand for what several of its own wait for. */

import { Operation } from '../../core/operation.ts'
import { OwnError } from '../../core/own-error.ts'
import { running } from '../../core/running.ts'
import type { Armed } from '../../jobs/armed.ts'
import { makingStackOf } from '../../jobs/making-places.ts'
import type { Activity } from './activity.ts'

export type Asked = Pick<Operation, 'kind' | 'where' | 'detail' | 'stack'>

/** Nothing of the program runs from here on. */
export class Stopped extends OwnError {}

/** The process does not know of it. */
export function withoutNotice(make: () => Operation): Operation {
  const { async, process } = running
  running.async = undefined
  running.process = undefined
  try {
    return make()
  } finally {
    running.async = async
    running.process = process
  }
}

/** Timers that fire one after the other without an operation. */
export const firingLimit = 10_000

/** What may fire, in words that differ. */
export function firings(next: readonly Armed[]): readonly string[] {
  return next.map(({ kind, delay }, at) => `${at + 1}: ${kind}${kind === 'timer' ? ` of ${delay} ms` : ''}`)
}

export function choiceAmong(options: readonly string[], stack: string | undefined): Operation {
  const payload = Object.freeze([...options])
  return withoutNotice(() => new Operation('choose', undefined, payload, undefined, undefined, stack))
}

/** Waits for ever. */
export function stuck(waiting: Activity | undefined): Asked {
  const madeAt = waiting && makingStackOf(waiting.source)
  const where = { waitsFor: 'a promise that nobody can settle', takes: () => false, madeAt }
  return { kind: 'receive', where, detail: undefined, stack: waiting?.waitsAt }
}
