/**
 * Operations of an async process that wait for their answers: in the order in which they were called, each with whoever goes on. Those
 * that act are performed one after the other. Receives wait together, and the oldest that a message matches takes it.
 */
import { filterText, matches } from '../../core/filter.ts'
import {
  type LibraryFilter,
  type Operation,
  senderNamedBy,
  type Taken,
  type UnionFilter,
} from '../../core/operation.ts'
import { mistake } from '../../core/running.ts'
import { type ControlledPromise, core, pendingPromise } from '../../jobs/promise-core.ts'
import { isAwaited } from '../../jobs/waiting.ts'
import { isReply, ReplyFilter } from '../replies.ts'
import type { Activity, End } from './activity.ts'

/** Something that will be answered, and who goes on then. */
export class Deferred implements End {
  /** Goes on at once with the answer, as long as nobody else asks for it. */
  activity: Activity | undefined
  #promise: ControlledPromise | undefined
  #value: unknown = undefined
  isOver = false

  constructor(activity: Activity | undefined) {
    this.activity = activity
  }

  get promise(): ControlledPromise {
    if (this.#promise === undefined) {
      this.#promise = pendingPromise()
      if (this.isOver) core.resolve(this.#promise, this.#value)
      else this.activity?.waitFor(this.#promise)
      this.activity = undefined
    }
    return this.#promise
  }

  answer(value: unknown): void {
    this.isOver = true
    if (this.activity !== undefined) this.activity.resume(value)
    else if (this.#promise !== undefined) core.resolve(this.#promise, value)
    else this.#value = value
  }

  reject(error: unknown): void {
    const { activity } = this
    if (activity === undefined) core.reject(this.promise, error)
    this.isOver = true
    activity?.fail(error)
  }

  returned(value: unknown): void {
    this.answer(value)
  }

  failed(error: unknown): void {
    this.reject(error)
  }

  /** Whether anything goes on with the answer, other than to settle what is settled, as for those that lost a race. */
  get isAwaited(): boolean {
    return this.activity !== undefined || (this.#promise !== undefined && isAwaited(this.#promise))
  }
}

export class Request extends Deferred {
  operation: Operation
  /** Whether it is a join that a receive stands for: its answer is that it has come. */
  #isOfEnd = false
  /** Takes back what stands for its signal and its time limit. */
  whenOver: (() => void) | undefined = undefined
  /** Of a poll: receives that were waiting when it was called. */
  readonly older: readonly Request[]

  constructor(operation: Operation, activity: Activity | undefined, older: readonly Request[]) {
    super(activity)
    this.operation = operation
    this.older = older
  }

  /** A join becomes the receive of what says that the process has ended. */
  becomes(receive: Operation): void {
    this.operation = receive
    this.#isOfEnd = true
  }

  override answer(value: unknown): void {
    super.answer(this.#isOfEnd ? undefined : value)
  }

  takes(message: unknown, sender?: string): boolean {
    // Receives of the program's own wait beside those of shared objects, which alone take replies.
    if (isReply(message) && !(this.operation.where instanceof ReplyFilter)) return false
    const named = senderNamedBy(this.operation)
    return (named === undefined || named.id === sender) && matches(this.operation, message, sender)
  }
}

/** One operation for all of them; a poll if something else may happen meanwhile. */
export function waitingFor(
  receives: readonly Request[],
  isPoll: boolean,
  isBesideClock: boolean,
): Pick<Operation, 'kind' | 'where' | 'detail'> {
  const union = isBesideClock ? apartFromReplies(receives) : unionOf(receives)
  return isPoll ? { kind: 'poll', ...definite(union) } : { kind: 'receive', ...union }
}

export function takenBy({ operation }: Request, message: unknown): Taken {
  return { message, stack: operation.stack }
}

/** What several receives take, as it is now: filters are asked again later. */
export function unionOf(receives: readonly Request[]): Pick<Operation, 'where' | 'detail'> {
  const [first, ...others] = receives.map(({ operation }) => operation)
  if (first === undefined || others.length === 0) return { where: first?.where, detail: first?.detail }
  const senders = new Set(receives.map(({ operation }) => senderNamedBy(operation)?.id))
  const operations = [first, ...others]
  const waitsFor = [...new Set(operations.map(wanted))].join(' or ')
  if (senders.size > 1) {
    return { where: unionFilter(receives, waitsFor, true), detail: undefined }
  }
  const { detail } = first
  if (operations.some(({ where }) => where === undefined)) return { where: undefined, detail }
  if (operations.some(({ where }) => typeof where === 'function')) {
    return { where: unionFilter(receives, waitsFor, false), detail }
  }
  const filter: LibraryFilter = {
    waitsFor,
    takes: (message) => operations.some((one) => matches(one, message)),
  }
  return { where: filter, detail }
}

/**
 * The same where the word of a clock may lie in the inbox, also of a timer that was cleared since: no receive of the program's own takes it,
 * whatever it takes besides.
 */
function apartFromReplies(receives: readonly Request[]): Pick<Operation, 'where' | 'detail'> {
  const operations = receives.map(({ operation }) => operation)
  const senders = new Set(operations.map((one) => senderNamedBy(one)?.id))
  const detail = senders.size > 1 ? undefined : operations[0]?.detail
  const waitsFor = [...new Set(operations.map(wanted))].join(' or ')
  if (senders.size > 1 || operations.some(({ where }) => typeof where === 'function'))
    return { where: unionFilter(receives, waitsFor, senders.size > 1), detail }
  const filter: LibraryFilter = {
    waitsFor,
    takes: (message, sender) => receives.some((one) => one.takes(message, sender)),
  }
  return { where: filter, detail }
}

function unionFilter(receives: readonly Request[], waitsFor: string, asksForSender: boolean): UnionFilter {
  const takes = (message: unknown, sender?: string): boolean => receives.some((one) => one.takes(message, sender))
  return Object.assign(takes, { waitsFor, asksForSender })
}

/** The same, but no message that is `undefined`: where nothing may come, that would be the same answer. */
export function definite(wanting: Pick<Operation, 'where' | 'detail'>): Pick<Operation, 'where' | 'detail'> {
  const { where, detail } = wanting
  if (typeof where === 'string') return { where, detail }
  const asksForSender = typeof where === 'function' && (where as Partial<UnionFilter>).asksForSender === true
  const waitsFor = wanted({ where })
  const takes = (message: unknown, sender?: string): boolean => {
    const isTaken = matches(wanting, message, sender)
    if (message === undefined && isTaken) refuseUndefined()
    return isTaken
  }
  if (typeof where === 'function') return { where: Object.assign(takes, { waitsFor, asksForSender }), detail }
  return { where: { waitsFor, takes }, detail }
}

function refuseUndefined(): never {
  return mistake({
    code: 'E208',
    message: 'the message undefined may come where a timer is armed, and would look like no message',
    hint: "send something else, such as { kind: 'done' }",
  })
}

/** As `describeWaiting` says it of one receive. */
function wanted({ where }: Pick<Operation, 'where'>): string {
  if (where === undefined) return 'a message'
  if (typeof where === 'string') return `a message of kind "${where}"`
  if (typeof where === 'object') return where.waitsFor
  if ('waitsFor' in where) return String(where.waitsFor)
  return `a message with ${filterText(where)}`
}

/** A poll takes nothing that an older receive waits for: that one would have taken it before. */
export function pollBehind(poll: Operation, older: readonly Request[]): Pick<Operation, 'where' | 'detail'> {
  const takes = (message: unknown, sender?: string): boolean =>
    !(isReply(message) && !(poll.where instanceof ReplyFilter)) &&
    matches(poll, message, sender) &&
    !older.some((one) => one.takes(message, sender))
  const asksForSender = older.some(({ operation }) => senderNamedBy(operation) !== undefined)
  return { where: Object.assign(takes, { waitsFor: wanted(poll), asksForSender }), detail: poll.detail }
}
