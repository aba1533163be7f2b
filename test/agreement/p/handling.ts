/**
 * One run of a handler from its beginning. Nothing is kept of a handler that pauses but the answers it was given so far: the
 * run is made again, and what it was answered before it is answered again.
 */
import type { Checked, MachineSymbol, TestCase, VariableSymbol } from '../../../src/frontends/p/symbols.ts'
import type { Value } from './value.ts'

export interface Subject {
  readonly checked: Checked
  readonly test: TestCase
}

export interface Message {
  readonly event: string
  readonly payload: Value
}

/** Which option was chosen, or what was received. */
export type Answer = number | Message

export type Effect =
  | ({ readonly kind: 'send'; readonly to: string } & Message)
  | ({ readonly kind: 'announce' } & Message)
  | { readonly kind: 'create'; readonly id: string; readonly type: string; readonly payload: Value }

export type FailureClass =
  | 'assertion'
  | 'unhandled event'
  | 'null'
  | 'not permitted'
  | 'index'
  | 'missing key'
  | 'duplicate key'
  | 'cast'
  | 'choose'
  | 'division'
  | 'endless'

/** A machine, or a monitor, while one of its handlers runs. */
export interface Self {
  readonly machine: MachineSymbol
  readonly id: string
  state: string
  readonly fields: Record<string, Value>
  /** How many machines of each type it has created. */
  readonly counts: Record<string, number>
}

export interface Handling {
  readonly subject: Subject
  readonly self: Self
  /** Grows by what is taken from the inbox. */
  readonly answers: Answer[]
  /** How many of the answers were used. */
  asked: number
  inbox: readonly Message[]
  /** Whether a message may be taken from the inbox: others may come before each `receive`, also if there is one already. */
  mayTake: boolean
  readonly effects: Effect[]
  /** Sends and creations after so many effects end the run, for others may go first. Undefined: none does. */
  readonly pausesAfter: number | undefined
  steps: number
}

export interface Frame {
  readonly handling: Handling
  readonly locals: Map<VariableSymbol, Value>
}

/** How the rest of a function, of a handler or of the whole run is left out. */
export type Jump =
  | { readonly kind: 'break' | 'continue' | 'pause' }
  | { readonly kind: 'return'; readonly value: Value }
  | ({ readonly kind: 'raise' } & Message)
  | { readonly kind: 'goto'; readonly state: string; readonly payload: Value }
  | { readonly kind: 'failure'; readonly failure: FailureClass }
  | { readonly kind: 'choice'; readonly options: number }
  | { readonly kind: 'blocked'; readonly events: readonly string[] }

/** Not an error: making one takes as long as a whole handler. */
export class Jumped {
  readonly jump: Jump

  constructor(jump: Jump) {
    this.jump = jump
  }
}

export function fail(failure: FailureClass): never {
  throw new Jumped({ kind: 'failure', failure })
}

const mostSteps = 20_000

export function tick(handling: Handling): void {
  handling.steps++
  if (handling.steps > mostSteps) fail('endless')
}

/** One of so many options. */
export function ask(handling: Handling, options: number): number {
  if (options === 1) return 0
  const answer = handling.answers[handling.asked]
  if (answer === undefined) throw new Jumped({ kind: 'choice', options })
  if (typeof answer !== 'number') throw new Error('a message was recorded where a choice is made')
  handling.asked++
  return answer
}

/** The first message of the inbox that is waited for, be it deferred or ignored otherwise. `halt` always is. */
export function take(handling: Handling, events: readonly string[]): Message {
  const recorded = handling.answers[handling.asked]
  handling.asked++
  if (typeof recorded === 'number') throw new Error('a choice was recorded where a message is received')
  if (recorded !== undefined) return recorded
  const at = handling.inbox.findIndex(({ event }) => event === 'halt' || events.includes(event))
  const message = handling.mayTake ? handling.inbox[at] : undefined
  if (message === undefined) throw new Jumped({ kind: 'blocked', events })
  handling.inbox = handling.inbox.toSpliced(at, 1)
  handling.answers.push(message)
  handling.mayTake = false
  return message
}

export function emit(handling: Handling, effect: Effect): void {
  handling.effects.push(effect)
  if (effect.kind === 'announce' || handling.pausesAfter === undefined) return
  if (handling.effects.length > handling.pausesAfter) throw new Jumped({ kind: 'pause' })
}
