/**
 * Does a process do the same when it is run again alone? Engines restart one process without the others, with the closure and
 * the arguments it was given when its parent ran. A variable of the parent's that the process changes, or an object that both
 * hold, has changed by then: in a fresh run of everything that would not show. Nor would it show that a process asks whether two
 * messages are the same object: after a restart, messages that were one object in a fresh run are from different runs.
 */

import { copyValue } from '../core/copy-value.ts'
import type { Operation, SpawnDetail } from '../core/operation.ts'
import { Address, freezeValue, sameValue, type Value } from '../core/value.ts'
import { showValue } from '../core/value-text.ts'
import type { Difference } from '../program/path.ts'
import type { Runnable } from '../program/program.ts'
import { Coroutine } from './coroutine.ts'
import type { ProcessHistory } from './process-in-world.ts'
import { takes } from './waiting.ts'

/** The first process that does something else when it is run again alone. */
export function* restartDifference(
  subject: Runnable,
  histories: readonly ProcessHistory[],
): Generator<undefined, Difference | undefined> {
  for (const history of histories) {
    const found = yield* differenceOf(subject, history)
    if (found !== undefined) return found
    const byIdentity = yield* differenceOf(subject, copied(history))
    // Chance would make the difference as well.
    if (byIdentity !== undefined)
      return (yield* differenceOf(subject, history)) ?? { ...byIdentity, hint: identityHint }
  }
  return undefined
}

const identityHint = 'compare what is in messages: whether two of them are the same object has no meaning'

/** As it was, but every message it was given is an object of its own. */
function copied(history: ProcessHistory): ProcessHistory {
  const performed = history.performed.map((one) => {
    if (one.source === undefined) return one
    const answer = copyValue(one.answer)
    freezeValue(answer)
    return { ...one, answer }
  })
  return { ...history, performed }
}

/** Operations between two breaths: what a process does between two of its own may take long. */
const stride = 16

function* differenceOf(subject: Runnable, history: ProcessHistory): Generator<undefined, Difference | undefined> {
  const { start, earlier, performed, status, returned, pending } = history
  const again = new Coroutine(start, subject, earlier)
  const differs = (first: string, second: string, before = pending): Difference => ({
    process: start.id,
    first,
    second,
    stack: again.violation?.stack ?? again.pending?.stack ?? before?.stack ?? performed.at(-1)?.operation.stack,
  })
  for (const [at, { operation, answer, source }] of performed.entries()) {
    if (at % stride === stride - 1) yield
    if (!sameOperation(operation, again.pending))
      return differs(described(operation), described(again.pending), operation)
    if (source !== undefined && !takesAgain(start.id, again.pending, { value: answer as Value, from: source.from }))
      return differs(`received ${showValue(answer as Value, 60)}`, 'did not take it', operation)
    again.resume(answer, source)
  }
  if (again.status !== status) return differs(ended(status), ended(again.status))
  if (!sameValue(again.returned, returned)) {
    return differs(`returned ${showValue(returned as Value, 60)}`, `returned ${showValue(again.returned as Value, 60)}`)
  }
  if (pending !== undefined && !sameOperation(pending, again.pending)) {
    return differs(described(pending), described(again.pending))
  }
  return undefined
}

interface Arrived {
  readonly value: Value
  readonly from: string
}

function takesAgain(process: string, pending: Operation | undefined, { value, from }: Arrived): boolean {
  return pending?.where === undefined || takes(process, pending, value, from)
}

function sameOperation(left: Operation, right: Operation | undefined): boolean {
  if (right === undefined || left.kind !== right.kind) return false
  if (left.kind === 'spawn') return (left.detail as SpawnDetail).name === (right.detail as SpawnDetail).name
  return left.target === right.target && left.detail === right.detail && sameValue(left.payload, right.payload)
}

function described(operation: Operation | undefined): string {
  if (operation === undefined) return 'did nothing more'
  const { kind, target, payload, detail } = operation
  if (kind === 'send')
    return `sent ${showValue(payload as Value, 60)} to ${target instanceof Address ? target.id : '?'}`
  if (kind === 'choose') return `chose from ${showValue(payload as Value, 60)}`
  if (kind === 'spawn') return `spawned ${(detail as SpawnDetail).name}`
  return `performed ${kind}(…)`
}

function ended(status: ProcessHistory['status']): string {
  const words = { asking: 'went on', returned: 'returned', stopped: 'stopped at an assumption', failed: 'failed' }
  return words[status]
}
