/**
 * Where faults may strike a process, as a function of what it has done and asks for next. The budget of an execution is not
 * looked at here: it bounds how often a fault strikes, not where.
 */
import { type Fault, mostOf } from '../core/faults.ts'
import { callStep, droppable, finishing, isOverMemory, losable, type Operation, repeatable } from '../core/operation.ts'
import type { Address } from '../core/value.ts'
import type { Runnable } from '../program/program.ts'
import type { Coroutine } from './coroutine.ts'
import type { ProcessStart } from './process-start.ts'

const none: readonly Fault[] = []

/**
 * Faults that may strike before, or instead of, the pending operation or the assumption that stopped the process.
 *
 * A process crashes before an operation that others may notice or that waits, never before a choice: whether it had chosen makes no
 * difference then. A call of an abstract object is noticed by the object. Main, which sets everything up, does not crash, nor do monitors and the servers of shared objects. A process that
 * has done nothing in this life does not restart, because that would change nothing; a machine may, as it comes back with what it kept.
 */
export function faultsAt(coroutine: Coroutine, subject: Runnable): readonly Fault[] {
  const { start, pending = coroutine.stoppedAt } = coroutine
  const { faults: budget = {} } = subject
  if (coroutine.status === 'returned') return faultsAtEnd(coroutine, subject)
  if (pending === undefined || start.monitor) return none
  const { crashes = 0, restarts = 0, duplicates = 0 } = budget
  const found: Fault[] = []
  if (sendsOverNetwork(coroutine, pending)) {
    if (mostOf(budget, 'losses') > 0 && pending.where !== repeatable) found.push('lose')
    if (duplicates > 0 && pending.where !== losable && pending.where !== droppable) found.push('duplicate')
  }
  if (crashes > 0 && mayCrash(coroutine, pending)) {
    found.push('crash')
    if (restarts > 0 && (coroutine.position > 0 || start.recovered !== undefined)) found.push('restart')
  }
  return found
}

/**
 * Faults that may strike a process that has done all its operations, until somebody has joined it. One that restarts does them again;
 * that one crashed there is seen by conditions on what processes returned, by services at which it holds something, and by nobody else.
 */
function faultsAtEnd(
  { start, position, connections }: Coroutine,
  { faults = {}, properties }: Runnable,
): readonly Fault[] {
  const { crashes = 0, restarts = 0 } = faults
  if (crashes === 0 || !isMortal(start) || start.recovered !== undefined) return none
  const isSeen = connections?.isHolding === true || properties.some(({ kind }) => kind === 'final')
  const found: Fault[] = isSeen ? ['crash'] : []
  if (restarts > 0 && position > 0) found.push('restart')
  return found
}

/** Messages to oneself and to shared objects, and what monitors are told, do not travel. */
export function sendsOverNetwork({ notifying, start }: Coroutine, operation: Operation): boolean {
  if (operation.kind !== 'send' || notifying || isOverMemory(operation)) return false
  return (operation.target as Address<never>).id !== start.id
}

function mayCrash(coroutine: Coroutine, { kind, where, target }: Operation): boolean {
  if (!isMortal(coroutine.start) || !coroutine.isBetweenOperations) return false
  if (coroutine.start.recovered !== undefined) return kind === 'receive' || kind === 'poll'
  // Between a request to a shared object and its reply there is no moment: memory answers at once. Services take their time.
  const isAnsweredAtOnce = kind === 'receive' && typeof where === 'object' && where.takesTime !== true
  const isChoice = kind === 'choose' && target !== callStep
  return !isChoice && where !== finishing && !isAnsweredAtOnce
}

function isMortal({ id, sturdy, monitor }: ProcessStart): boolean {
  return id !== 'main' && sturdy !== true && !monitor
}

/** Whether a message has to cross the partition that cuts this process off. */
export function crosses(
  message: { readonly from: string; readonly to: string; readonly travels: boolean },
  cutOff: string,
) {
  return message.travels && (message.from === cutOff) !== (message.to === cutOff)
}
