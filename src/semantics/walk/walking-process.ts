/** A process of an execution that goes forwards only. It has a place in every execution in which its name comes up. */
import { isIdle, type NetworkName } from '../../core/operation.ts'
import type { EndedProcess } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import type { Coroutine } from '../coroutine.ts'
import { describeWaiting, takesSteadily } from '../waiting.ts'
import type { AnswerKey, Memory, Situation } from './situation.ts'

/** A message that nobody has received. */
export interface Letter {
  /** In sending order, from 0. */
  readonly number: number
  readonly from: string
  readonly to: string
  readonly value: Value
  readonly network: NetworkName
  /** Of the sender, when it sent the message: that says what it is, in every execution. */
  readonly sent: Situation
}

export class WalkingProcess {
  readonly id: string
  /** The execution that it is in: in others it has not begun. */
  walk: unknown
  situation: Situation
  /** Unread, in sending order. */
  inbox: Letter[] = []
  readonly #memory: Memory
  /** The process itself, if its code has run as far as this situation. */
  #coroutine: Coroutine | undefined
  #coroutineAt: Situation | undefined
  #moves: readonly Decision[] | undefined
  readonly #step: readonly Decision[]
  readonly #timeout: Decision
  readonly #options: Decision[] = []
  readonly #deliveries: Decision[] = []

  constructor(id: string, memory: Memory, first: Situation) {
    this.id = id
    this.#memory = memory
    this.situation = first
    this.#step = [{ kind: 'step', process: id }]
    this.#timeout = { kind: 'timeout', process: id }
  }

  /** In another execution. */
  begin(walk: unknown, first: Situation, inbox: Letter[]): void {
    this.walk = walk
    this.situation = first
    this.inbox = inbox
    this.#coroutine = undefined
    this.#coroutineAt = undefined
    this.#moves = undefined
  }

  get hasReturned(): boolean {
    return this.situation.status === 'returned'
  }

  /** A join depends on another process: it is the only thing that is not known here. */
  moves(hasEnded: (id: string) => boolean): readonly Decision[] {
    const { operation } = this.situation
    if (operation?.kind === 'join')
      return hasEnded((operation.target as { readonly id: string }).id) ? this.#step : none
    this.#moves ??= this.#movesNow()
    return this.#moves
  }

  put(letter: Letter): void {
    this.inbox.push(letter)
    this.#moves = undefined
  }

  take(number: number): Letter {
    const at = this.inbox.findIndex((letter) => letter.number === number)
    const [letter] = this.inbox.splice(at, 1)
    return letter as Letter
  }

  /** Goes on with an answer. */
  resume(key: AnswerKey, answer: unknown, source?: Letter): void {
    const before = this.situation
    this.#moves = undefined
    const known = before.after(key)
    if (known !== undefined) {
      this.situation = known
      return
    }
    const coroutine = this.#arrived()
    const kind = before.operation?.kind as string
    coroutine.resume(answer, source)
    this.situation = this.#memory.come(before, key, { kind, answer, source }, coroutine)
    this.#coroutineAt = this.situation
  }

  /** Whether it neither returned nor is a daemon that waits for more. */
  get isBlocked(): boolean {
    const { start, status, operation } = this.situation
    if (status === 'returned') return false
    return status !== 'asking' || !(start.daemon || isIdle(operation))
  }

  ended(): EndedProcess {
    const { start, operation, ended } = this.situation
    if (ended !== undefined || operation === undefined) return ended as EndedProcess
    const waiting = describeWaiting(this.id, operation, this.inbox)
    const daemon = start.daemon || isIdle(operation)
    return { id: this.id, daemon, value: undefined, status: 'waiting', waiting }
  }

  #movesNow(): readonly Decision[] {
    const { operation } = this.situation
    switch (operation?.kind) {
      case 'send':
      case 'spawn':
        return this.#step
      case 'receive':
        return this.#deliverable()
      case 'poll':
        return [this.#timeout, ...this.#deliverable()]
      case 'choose':
        return (operation.payload as readonly unknown[]).map((_, option) => this.#option(option))
      default:
        return none
    }
  }

  /** As `deliverable` of the reference semantics, of the networks on which nothing but messages to the same process holds one back. */
  #deliverable(): readonly Decision[] {
    if (this.inbox.length === 0) return none
    const decisions: Decision[] = []
    const taken: Letter[] = []
    for (const letter of this.inbox) {
      if (!this.#takes(letter)) continue
      if (!taken.some((earlier) => holdsBack(earlier, letter))) decisions.push(this.#delivery(letter.number))
      taken.push(letter)
    }
    return decisions
  }

  #takes({ sent, value, from }: Letter): boolean {
    const { situation } = this
    const known = situation.takes.get(sent)
    if (known !== undefined) return known
    const isOwnCode = typeof situation.operation?.where === 'function'
    const operation = isOwnCode ? this.#arrived().pending : situation.operation
    if (operation === undefined) return false
    const takes = takesSteadily(this.id, operation, value, from)
    if (this.#memory.mayKeep()) situation.takes.set(sent, takes)
    return takes
  }

  /** The process, its code having run as far as the situation. */
  #arrived(): Coroutine {
    if (this.#coroutine === undefined || this.#coroutineAt !== this.situation) {
      this.#coroutine = this.#memory.coroutineAt(this.situation)
      this.#coroutineAt = this.situation
    }
    return this.#coroutine
  }

  #option(option: number): Decision {
    this.#options[option] ??= { kind: 'choose', process: this.id, option }
    return this.#options[option] as Decision
  }

  #delivery(message: number): Decision {
    this.#deliveries[message] ??= { kind: 'deliver', process: this.id, message }
    return this.#deliveries[message] as Decision
  }
}

const none: readonly Decision[] = []

/** Whether what was sent first has to be received first. */
function holdsBack(earlier: Letter, later: Letter): boolean {
  if (earlier.network !== later.network || later.network === 'bag') return false
  return later.network === 'mailbox' || earlier.from === later.from
}
