/**
 * A state of a whole IR program, as data that never changes: machines with their inboxes and what they are in the middle of, messages
 * under way, monitors. A machine that pauses, to choose, to receive or because others may come first, is a list of frames.
 */
import type { Place } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { type IrValue, keyOf, keysOf, type MachineRef } from './value.ts'

export interface Configuration {
  /** In the order of creation. */
  readonly machines: ReadonlyMap<MachineRef, MachineState>
  /** In sending order; with networks that put messages into inboxes at once, none. */
  readonly underWay: readonly Message[]
  /** In the order of the program's list. */
  readonly monitors: readonly MonitorState[]
  /** What abstract objects are, as a number (`refined.ts`); 0 where there are none. */
  readonly refined: number
  /** Who is in the middle of a handler and chooses: nothing else happens then. */
  readonly choosing: MachineRef | undefined
  /** Choices that were made in the turn under way; no part of what tells configurations apart. */
  readonly chosen: number
  /** Of networks that keep causal order: messages under way that a machine knows of, by number. */
  readonly known: ReadonlyMap<MachineRef, readonly number[]>
  /** Messages so far. */
  readonly sent: number
  /** What ended the execution. */
  readonly violation: Violation | undefined
}

export interface MachineState {
  readonly ref: MachineRef
  readonly phase: 'created' | 'begun' | 'halted'
  readonly state: number
  readonly fields: readonly IrValue[]
  /** What arrived and was not taken. */
  readonly inbox: readonly Message[]
  /** Undefined: it waits for a message to handle. */
  readonly paused: Paused | undefined
  /** How many machines of each name it has created. */
  readonly created: ReadonlyMap<string, number>
  /** What it was created with, until it begins. */
  readonly argument: IrValue
  /** How often it was its turn, where that is bounded. */
  readonly turns: number
}

export interface MonitorState {
  readonly state: number
  readonly fields: readonly IrValue[]
  /** Whether it was hot or cold at some time since the last decision: a handler may lead it through several states. */
  readonly wasHot: boolean
  readonly wasCold: boolean
}

/** A message, or that a machine was created. */
export interface Message {
  /** In sending order; creations have numbers of their own, below 0. */
  readonly number: number
  readonly from: MachineRef | undefined
  readonly to: MachineRef
  /** Undefined: the creation of the target. */
  readonly event: number | undefined
  readonly payload: IrValue
  /** Of networks that keep causal order: what was under way, to anybody, that its sender knew of. */
  readonly past: readonly number[]
}

export interface Paused {
  /** The innermost one; none in between two functions. */
  readonly frame: Frame
  /** What is still to be done after the frames, in order. */
  readonly agenda: readonly AgendaItem[]
  readonly waits: Waits
}

export interface Frame {
  readonly function: number
  readonly block: number
  /** The instruction that it pauses at or calls from; behind the last one the end of the block. */
  readonly at: number
  readonly locals: readonly IrValue[]
  readonly below: Frame | undefined
}

export type AgendaItem =
  | { readonly kind: 'call'; readonly function: number; readonly payload: IrValue }
  | { readonly kind: 'enter'; readonly state: number; readonly payload: IrValue }
  | { readonly kind: 'halt' }
  | { readonly kind: 'unhandled'; readonly event: number }

/** All of it follows from the frame, whose expressions have no effects. */
export type Waits =
  | {
      readonly kind: 'choose'
      readonly options: readonly IrValue[]
      readonly isFair: boolean
      readonly place: Place
    }
  | { readonly kind: 'receive'; readonly events: readonly number[]; readonly place: Place }
  /** Others come first, maybe: then the message is put into the inbox. */
  | {
      readonly kind: 'send'
      readonly to: MachineRef
      readonly event: number
      readonly payload: IrValue
      readonly place: Place
    }
  | { readonly kind: 'new'; readonly place: Place }

/** Numbers texts, the same text always by the same number. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>()

  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** Local states that are the same object are written once. */
const machineNumbers = new WeakMap<MachineState, number>()

/** Equal for local states that are equal, up to the numbers of messages. */
export function machineNumber(machine: MachineState, numbers: TextNumbers): number {
  const known = machineNumbers.get(machine)
  if (known !== undefined) return known
  const number = numbers.of(machineText(machine))
  machineNumbers.set(machine, number)
  return number
}

/** Different for local states that differ, up to the numbers of messages. */
export function machineText({ phase, state, fields, inbox, paused, created, argument, turns }: MachineState): string {
  if (phase === 'halted') return 'halted'
  let text = `${phase}|${state}|${keysOf(fields)}|${inbox.length === 0 ? '' : inbox.map(inboxKey).join()}|`
  if (created.size > 0) text += [...created].map(([name, count]) => `${name}:${count}`).sort()
  text += `|${keyOf(argument)}|${turns}|`
  return paused === undefined ? text : text + pausedText(paused)
}

/** Whose message it was makes no difference any more. */
function inboxKey({ event, payload }: Message): string {
  return `${event}(${keyOf(payload)})`
}

export function messageKey({ from, to, event, payload }: Message): string {
  return `${from?.id ?? ''}>${to.id}:${event ?? 'new'}(${keyOf(payload)})`
}

/** Different for machines that pause in different ways. */
export function pausedText({ frame, agenda, waits }: Paused): string {
  const frames: string[] = []
  for (let one: Frame | undefined = frame; one !== undefined; one = one.below)
    frames.push(`${one.function}.${one.block}.${one.at}(${keysOf(one.locals)})`)
  return `${waits.kind}|${frames.join(' ')}|${agenda.map(itemText).join(' ')}`
}

function itemText(item: AgendaItem): string {
  switch (item.kind) {
    case 'call':
      return `call ${item.function}(${keyOf(item.payload)})`
    case 'enter':
      return `enter ${item.state}(${keyOf(item.payload)})`
    case 'halt':
      return 'halt'
    case 'unhandled':
      return `unhandled ${item.event}`
  }
}

export function monitorText({ state, fields, wasHot, wasCold }: MonitorState): string {
  return `${state}${wasHot ? 'h' : ''}${wasCold ? 'c' : ''}(${keysOf(fields)})`
}
