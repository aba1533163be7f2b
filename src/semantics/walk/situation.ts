/**
 * What processes do, remembered: a process is a function of the answers it was given, so what it does after the same answers is
 * known once its code has run that far. A situation is a process after such answers. Code runs only where a situation is new; whoever
 * samples executions meets most of them again.
 */
import type { Operation } from '../../core/operation.ts'
import type { EndedProcess, Violation } from '../../core/property.ts'
import { Address, type Value } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import { type Answered, Coroutine } from '../coroutine.ts'
import type { ProcessStart } from '../process-start.ts'

/** How many are kept: each takes a few hundred bytes. Beyond, code runs again. */
const mostKept = 1 << 16

/** In place of a message, of a poll that found nothing. */
export const nothingCame = 'nothing came'

/** What tells one answer to an operation from another: an option, who sent the message and when in its life, or that none came. */
export type AnswerKey = undefined | number | Situation | typeof nothingCame

export interface Beginning {
  readonly start: ProcessStart
  readonly address: Address<never>
  readonly first: Situation
}

export class Situation {
  readonly start: ProcessStart
  readonly status: Coroutine['status']
  /** What the process asks for; code of its filter may look at variables that have changed since: see `SteadyProcess`. */
  readonly operation: Operation | undefined
  readonly violation: Violation | undefined
  /** Of one that asks for a spawn. */
  readonly child: Beginning | undefined
  /** The situation before, and the answer that led here; nothing at the beginning. */
  readonly before: Situation | undefined
  readonly answered: Answered | undefined
  /** What its filter takes, by situations of senders. */
  readonly takes = new Map<Situation, boolean>()
  /** How the process has ended, if it has. */
  readonly ended: EndedProcess | undefined
  /** After the answer that is no question: that a message was sent, a process begun or ended. */
  #only: Situation | undefined
  #next: Map<AnswerKey, Situation> | undefined

  constructor(memory: Memory, coroutine: Coroutine, before?: Situation, answered?: Answered) {
    const { start, status, pending, violation } = coroutine
    this.start = start
    this.status = status
    this.operation = pending
    this.violation = violation
    this.before = before
    this.answered = answered
    this.ended = pending === undefined ? endedBy(coroutine) : undefined
    this.child = pending?.kind === 'spawn' ? memory.beginning(coroutine.child) : undefined
  }

  after(key: AnswerKey): Situation | undefined {
    return key === undefined ? this.#only : this.#next?.get(key)
  }

  keep(key: AnswerKey, next: Situation): void {
    if (key === undefined) this.#only = next
    else {
      this.#next ??= new Map()
      this.#next.set(key, next)
    }
  }

  /** All answers so far. */
  answers(): readonly Answered[] {
    const all: Answered[] = []
    for (let at: Situation | undefined = this; at?.answered !== undefined; at = at.before) all.push(at.answered)
    return all.reverse()
  }
}

function endedBy({ start: { id, daemon }, status, returned }: Coroutine): EndedProcess {
  return { id, daemon, value: returned as Value, status: status === 'asking' ? 'waiting' : status }
}

/** The situations of one program that were met. */
export class Memory {
  readonly #subject: Runnable
  #kept = 0

  constructor(subject: Runnable) {
    this.#subject = subject
  }

  beginning(start: ProcessStart): Beginning {
    const coroutine = new Coroutine(start, this.#subject)
    return { start, address: Address.of(start.id), first: new Situation(this, coroutine) }
  }

  /** The process in this situation, its code having run as far. */
  coroutineAt(situation: Situation): Coroutine {
    return Coroutine.replayed(situation.start, this.#subject, situation.answers())
  }

  /** The situation that the process has come to by an answer. */
  come(before: Situation, key: AnswerKey, answered: Answered, coroutine: Coroutine): Situation {
    const next = new Situation(this, coroutine, before, answered)
    if (this.mayKeep()) before.keep(key, next)
    return next
  }

  /** Whether there is room for one thing more that is known of a situation. */
  mayKeep(): boolean {
    return ++this.#kept <= mostKept
  }
}
