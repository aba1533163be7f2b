/**
 * Generated programs as plain data: small enough to print, shrink and compare. A process has one variable, `last` (the value
 * it received or chose last, nothing after a timeout), and knows who sent it its last message.
 */
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'

export type Instruction =
  | {
      readonly kind: 'send'
      readonly to: Target
      readonly tag: Tag
      readonly value: number | 'last'
      readonly network: NetworkName | undefined
      readonly when: Condition
      /** Whether the message does not say who sent it, so that equal ones of different senders look alike. */
      readonly anonymous?: boolean
    }
  | { readonly kind: 'receive' | 'poll'; readonly filter: Filter; readonly from?: Target | undefined }
  | { readonly kind: 'choose'; readonly options: number }
  | { readonly kind: 'assume'; readonly that: Condition }
  | { readonly kind: 'assert'; readonly that: Condition }
  | { readonly kind: 'announce'; readonly tag: Tag }
  | {
      readonly kind: 'spawn'
      readonly name: string
      readonly daemon: boolean
      readonly crashes?: false | undefined
      readonly body: readonly Instruction[]
    }
  | { readonly kind: 'join'; readonly target: string }

export type Tag = 'x' | 'y'

/** A process id, or whoever sent the last message (nobody: then nothing is sent, and anybody's message received). */
export type Target = { readonly id: string } | 'sender'

export type Condition =
  | { readonly kind: 'always' }
  | { readonly kind: 'is'; readonly value: number }
  | { readonly kind: 'even' }
  | { readonly kind: 'nothing' }

export type Filter =
  | { readonly kind: 'any' }
  | { readonly kind: 'tag'; readonly tag: Tag }
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'parity'; readonly parity: number }
  /** A value other than the process's variable when the receive begins. */
  | { readonly kind: 'other' }
  /** The same, reading the variable itself, which changes later: the filter means what it says while the receive waits. */
  | { readonly kind: 'changing' }
  /** Throws on values of a parity, takes others of a tag. */
  | { readonly kind: 'throwing'; readonly parity: number; readonly tag: Tag }

export interface ProgramText {
  readonly name: string
  readonly main: readonly Instruction[]
  /** Is told all sends of this tag and all announcements; fails when it is told this value as its n-th notification. */
  readonly monitor: { readonly tag: Tag; readonly hears: number; readonly fears: number } | undefined
  /** A final condition that fails when the returned numbers add up to this. */
  readonly unwantedSum: number | undefined
  readonly faults?: FaultBudget | undefined
}

export interface GeneratedMessage {
  readonly kind: Tag
  readonly value: number
  readonly from: string | undefined
}

export function holds(condition: Condition, last: number | undefined): boolean {
  switch (condition.kind) {
    case 'always':
      return true
    case 'is':
      return last === condition.value
    case 'even':
      return last !== undefined && last % 2 === 0
    case 'nothing':
      return last === undefined
  }
}

export function accepts(filter: Filter, message: GeneratedMessage, last: number | undefined): boolean {
  switch (filter.kind) {
    case 'any':
      return true
    case 'tag':
      return message.kind === filter.tag
    case 'value':
      return message.value === filter.value
    case 'parity':
      return message.value % 2 === filter.parity
    case 'other':
    case 'changing':
      return message.value !== last
    case 'throwing':
      return throwsOn(filter, message) || message.kind === filter.tag
  }
}

export function throwsOn(filter: Filter, message: GeneratedMessage): boolean {
  return filter.kind === 'throwing' && message.value % 2 === filter.parity
}

/** The assertion in a filter that throws. */
export const refusal = 'refused'

export function childId(parent: string, name: string): string {
  return parent === 'main' ? name : `${parent}/${name}`
}

/** Whether the program names a network for some message. */
export function isMixed(body: readonly Instruction[]): boolean {
  return body.some((instruction) => {
    if (instruction.kind === 'send') return instruction.network !== undefined
    return instruction.kind === 'spawn' && isMixed(instruction.body)
  })
}

/** Whether every process named by an instruction exists by then and its address has reached whoever names it. */
export function isWellFormed(
  body: readonly Instruction[],
  id = 'main',
  known: ReadonlySet<string> = new Set(['main']),
): boolean {
  const mine = new Set(known)
  return body.every((instruction) => {
    switch (instruction.kind) {
      case 'send':
        return instruction.to === 'sender' || mine.has(instruction.to.id)
      case 'receive':
      case 'poll':
        return instruction.from === undefined || instruction.from === 'sender' || mine.has(instruction.from.id)
      case 'join':
        return instruction.target !== id && mine.has(instruction.target)
      case 'spawn': {
        const child = childId(id, instruction.name)
        mine.add(child)
        return isWellFormed(instruction.body, child, mine)
      }
      default:
        return true
    }
  })
}
