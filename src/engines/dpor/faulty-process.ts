/**
 * A process that faults may strike, as a coroutine that asks more: before each operation where a fault is possible stands a choice
 * between nothing and the faults (Must has choices anyway, §2.3.5). What a fault does is a matter of the process alone: a lost message is
 * not sent, a duplicated one sent twice, a crash ends the process or begins it again. So faults are explored as choices are.
 *
 * A partition that heals only delays messages, as a network may without one. One that does not heal shows in processes that wait for
 * ever although a message is there; so "wait for ever" is a choice before each receive, and `isPossible` asks at the end whether
 * one partition explains all those that did.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Fault, FaultBudget } from '../../core/faults.ts'
import { Operation } from '../../core/operation.ts'
import type { Runnable } from '../../program/program.ts'
import { type Answered, Coroutine } from '../../semantics/coroutine.ts'
import { faultsAt } from '../../semantics/faults.ts'
import type { ProcessStart } from '../../semantics/process-start.ts'

/** What becomes of the operation that follows. */
export type Struck = 'nothing' | Fault

/** A coroutine as far as the search is concerned. */
export type ProcessCode = Pick<
  Coroutine,
  'pending' | 'child' | 'violation' | 'returned' | 'announced' | 'hot' | 'position' | 'resume'
> & {
  readonly status: Coroutine['status'] | 'crashed' | 'cut off'
}

/** Begins a process and answers what it asks, as it was answered before. */
export function processCode(start: ProcessStart, subject: Runnable, answers: readonly Answered[]): ProcessCode {
  if (subject.faults === undefined || start.monitor) return Coroutine.replayed(start, subject, answers)
  const process = new FaultyProcess(start, subject, subject.faults)
  for (const { kind, answer, source } of answers) {
    if (process.pending?.kind !== kind) throw new DiagnosticError(notDeterministic(start.id, kind))
    process.resume(answer, source)
  }
  return process
}

function notDeterministic(process: string, kind: string) {
  return {
    code: 'E201' as const,
    message: `process "${process}" is not deterministic: its ${kind}(…) is gone when it is run again`,
    hint: 'a process may depend only on what it receives and chooses: no clock, no randomness, no variable shared with others',
  }
}

/** Choices between faults, one per list of options: they are recognised by it. */
const choices = new Map<string, Operation>()
const faultChoices = new WeakSet<Operation>()

export function isFaultChoice(operation: Operation | undefined): boolean {
  return operation !== undefined && faultChoices.has(operation)
}

class FaultyProcess implements ProcessCode {
  status: ProcessCode['status'] = 'asking'
  pending: Operation | undefined = undefined
  position = 0
  readonly #id: string
  readonly #subject: Runnable
  readonly #budget: FaultBudget
  #coroutine: Coroutine
  /** How often the pending send is still to be performed, the pending one included. */
  #copies = 1
  /** What it still sends after a crash, the pending one first, and what becomes of it then. */
  #words: readonly Operation[] = []
  #fate: 'crash' | 'restart' | undefined

  constructor(start: ProcessStart, subject: Runnable, budget: FaultBudget) {
    this.#id = start.id
    this.#subject = subject
    this.#budget = budget
    this.#coroutine = new Coroutine(start, subject)
    this.#look()
  }

  get child(): ProcessStart {
    return this.#coroutine.child
  }

  get violation() {
    return this.#coroutine.violation
  }

  get returned(): unknown {
    return this.#coroutine.returned
  }

  /** Faults do not strike monitors. */
  get hot(): undefined {
    return undefined
  }

  get announced(): unknown {
    return this.#coroutine.announced
  }

  resume(answer: unknown, source?: unknown): void {
    this.position++
    if (this.#fate !== undefined) return this.#dies(this.#fate, this.#words.slice(1))
    if (isFaultChoice(this.pending)) return this.#strike(answer as Struck)
    if (--this.#copies > 0) return
    this.#coroutine.resume(answer, source)
    this.#look()
  }

  /** Ends, or begins again, once it has sent what it still sends. */
  #dies(fate: 'crash' | 'restart', words: readonly Operation[]): void {
    const isSilent = words.length === 0
    this.#words = words
    this.#fate = isSilent ? undefined : fate
    if (isSilent && fate === 'restart') {
      this.#coroutine = this.#coroutine.restarted()
      return this.#look()
    }
    this.status = isSilent ? 'crashed' : 'asking'
    this.pending = words[0] ?? this.#coroutine.pending
  }

  /** Asks what becomes of the operation that comes next, if there are two possibilities. */
  #look(): void {
    const { status, pending } = this.#coroutine
    this.#copies = 1
    const faults = faultsAt(this.#coroutine, this.#subject)
    const mayBeCutOff = (this.#budget.partitions ?? 0) > 0 && pending?.kind === 'receive' && mayTakeTime(pending)
    const options: readonly Struck[] = ['nothing', ...faults, ...(mayBeCutOff ? (['partition'] as const) : [])]
    const isAsked = options.length > 1
    this.status = isAsked ? 'asking' : status
    this.pending = isAsked ? choiceOf(options) : pending
  }

  #strike(struck: Struck): void {
    const { status, pending } = this.#coroutine
    switch (struck) {
      case 'nothing':
        this.status = status
        this.pending = pending
        return
      case 'duplicate':
        this.pending = pending
        this.#copies = 2
        return
      case 'lose':
        this.#coroutine.resume(undefined)
        return this.#look()
      case 'restart':
      case 'crash':
        return this.#dies(struck, this.#coroutine.connections?.lastWords(this.#id) ?? [])
      case 'partition':
        this.status = 'cut off'
        this.pending = pending
    }
  }
}

/** Answers of memory come at once. */
function mayTakeTime({ where }: Operation): boolean {
  return typeof where !== 'object' || where.takesTime === true
}

function choiceOf(options: readonly Struck[]): Operation {
  const key = String(options)
  const known = choices.get(key)
  if (known !== undefined) return known
  const operation = new Operation('choose', undefined, options, undefined, undefined)
  choices.set(key, operation)
  faultChoices.add(operation)
  return operation
}
