/** Who waits for what, in the reader's words. */

import { DiagnosticError } from '../core/diagnostic.ts'
import { filterText, isOfKind, matches } from '../core/filter.ts'
import { type Operation, type SpawnDetail, senderNamedBy, takenBefore, type Where } from '../core/operation.ts'
import type { Waiting } from '../core/property.ts'
import { running } from '../core/running.ts'
import { isError, stackOrGiven, type Thrown, thrownBy } from '../core/thrown.ts'
import type { Address, Value } from '../core/value.ts'
import { showValue } from '../core/value-text.ts'

/** A message that nobody has received. */
interface Unread {
  readonly from: string
  readonly value: Value
}

export function describeWaiting(process: string, operation: Operation, unread: readonly Unread[]): Waiting {
  const isJoin = operation.kind === 'join'
  const sender = isJoin ? undefined : senderNamedBy(operation)
  const isWanted = ({ from, value }: Unread) =>
    !isJoin && takesFrom(operation, from) && takes(process, operation, value, from)
  // Who waits for messages of one process wants to know whose the others are.
  const shown = ({ from, value }: Unread) => `${showValue(value, 60)}${sender === undefined ? '' : ` from ${from}`}`
  const heldBack = unread.filter(isWanted)
  return {
    process,
    forWhat: isJoin ? `the end of ${(operation.target as Address<never>).id}` : describeWanted(operation.where, sender),
    inbox: unread.filter((one) => !heldBack.includes(one)).map(shown),
    ...(heldBack.length === 0 ? {} : { heldBack: heldBack.map(shown) }),
    ...takenInVain(operation),
    ...promiseMade(operation),
    stack: operation.stack,
  }
}

function promiseMade({ where }: Operation): Pick<Waiting, 'madeAt'> {
  const { madeAt } = Object(where) as { readonly madeAt?: string | undefined }
  return madeAt === undefined ? {} : { madeAt }
}

function takenInVain(operation: Operation): Pick<Waiting, 'taken' | 'takenAt'> {
  const taken = takenBefore.get(operation) ?? []
  if (taken.length === 0) return {}
  return {
    taken: taken.map(({ message }) => showValue(message as Value, 60)),
    takenAt: taken.map(({ stack }) => stack),
  }
}

/** What a process is about to do: 'receive a message of kind "ack"'. */
export function describePending(operation: Operation): string {
  const { kind, target, where, detail } = operation
  switch (kind) {
    case 'receive':
    case 'poll':
      return `${kind} ${describeWanted(where, senderNamedBy(operation))}`
    case 'send':
    case 'join':
      return `${kind} ${kind === 'send' ? 'to ' : ''}${(target as Address<never>).id}`
    case 'spawn':
      return `spawn ${(detail as SpawnDetail).name}`
    default:
      return kind
  }
}

function describeWanted(where: Where, sender: Address<never> | undefined): string {
  const from = sender === undefined ? '' : ` from ${sender.id}`
  if (where === undefined) return `a message${from}`
  if (typeof where === 'string') return `a message of kind "${where}"${from}`
  if (typeof where === 'object' || 'waitsFor' in where) return `${where.waitsFor}${from}`
  return `a message${from} with ${filterText(where)}`
}

/** Whether a receive takes messages of this process at all; its filter is not asked about those of others. */
export function takesFrom(operation: Operation, sender: string): boolean {
  const named = senderNamedBy(operation)
  return named === undefined || named.id === sender
}

/**
 * Whether the filter of a receive takes a message. One that throws takes it as well: the process fails as it receives it
 * (`thrownOn`), so that it depends on the message alone, as everything that engines ask of filters.
 */
export function takes(process: string, operation: Operation, message: Value, sender: string): boolean {
  return askedOf(process, operation, message, sender) !== false
}

/** What the filter of a receive throws that is answered with a message; what comes from nowhere is none. */
export function thrownOn(
  process: string,
  operation: Operation | undefined,
  message: unknown,
  source: unknown,
): Omit<Thrown, 'message'> | undefined {
  if (source === undefined || operation?.where === undefined || typeof operation.where === 'string') return undefined
  const answer = askedOf(process, operation, message as Value, (source as { readonly from: string }).from)
  if (typeof answer === 'boolean') return undefined
  const { isAssertion, sentence, stack: thrown } = answer.thrown
  const stack = stackOrGiven(thrown, operation.stack)
  if (isAssertion) return { isAssertion, sentence, stack }
  const filter = `the filter of a ${operation.kind}`
  const words = isError(answer.thrown.error) ? `exception in ${filter}: ${sentence}` : `${filter} ${sentence}`
  return { isAssertion, sentence: words, stack }
}

type Answer = boolean | { readonly thrown: Thrown & { readonly error: unknown } }

function askedOf(process: string, operation: Operation, message: Value, sender: string): Answer {
  const { where } = operation
  if (where === undefined) return true
  if (typeof where === 'string') return isOfKind(message, where)
  const before = running.process
  running.process = process
  try {
    return matches(operation, message, sender)
  } catch (error) {
    refuseMistaken(process, operation, message, error)
    return { thrown: { ...thrownBy(error), error } }
  } finally {
    running.process = before
  }
}

/** What cannot be part of a check at all is the user's mistake. */
function refuseMistaken(process: string, operation: Operation, message: Value, error: unknown): void {
  const { mistake } = running
  running.mistake = undefined
  if (mistake !== undefined) {
    const inFilter = `in the filter of a ${operation.kind} of process "${process}"`
    const stack = stackOrGiven(mistake.stack, operation.stack)
    throw new DiagnosticError({ ...mistake, message: `${mistake.message}, ${inFilter}`, stack })
  }
  if (!(error instanceof DiagnosticError)) return
  const { message: words, stack = operation.stack } = error.diagnostic
  const asked = `in a ${operation.kind} of process "${process}", for ${showValue(message, 60)}`
  throw new DiagnosticError({ ...error.diagnostic, message: `${words} ${asked}`, stack })
}

/** As both, asking a filter of the user's twice: one that answers differently depends on more than the message. */
export function takesSteadily(process: string, operation: Operation, message: Value, sender: string): boolean {
  if (!takesFrom(operation, sender)) return false
  const isTaken = takes(process, operation, message, sender)
  if (typeof operation.where === 'function' && takes(process, operation, message, sender) !== isTaken) {
    throw new DiagnosticError({
      code: 'E201',
      message: `process "${process}" is not deterministic: the filter of a ${operation.kind} first ${isTaken ? 'took' : 'refused'} ${showValue(message, 60)} and then, asked again, did not`,
      hint: 'a filter may look at the message and at variables of its process, and change nothing',
      stack: operation.stack,
    })
  }
  return isTaken
}
