/** What a generated piece of P can refer to, and what it is allowed to do where it stands. */
import type { Random } from '../../../src/core/random.ts'

/** Types by their text in P. */
export const types = [
  'int',
  'bool',
  'string',
  'Color',
  'machine',
  'event',
  'any',
  'seq[int]',
  'set[int]',
  'map[int, int]',
  '(int, bool)',
  'tRec',
  'seq[tRec]',
  'map[string, seq[int]]',
  'set[(int, bool)]',
  'float',
  'data',
  'seq[any]',
  'map[int, seq[set[int]]]',
  'seq[map[string, any]]',
  'Main',
  'Part',
  'PartSet',
] as const
export type TypeText = (typeof types)[number]

/** References to machines by what they may be sent. */
export const permissions: ReadonlySet<TypeText> = new Set(['Main', 'Part', 'PartSet'])

/** What `Part` and `PartSet` say that it may be sent. */
export const permittedToPart: readonly string[] = ['e0', 'e1']

/** Of things with elements: what `foreach` and `choose` give. */
export const elementTypes: Partial<Record<TypeText, TypeText>> = {
  'seq[int]': 'int',
  'set[int]': 'int',
  'map[int, int]': 'int',
  'seq[tRec]': 'tRec',
  'map[string, seq[int]]': 'string',
  'set[(int, bool)]': '(int, bool)',
  'seq[any]': 'any',
  'map[int, seq[set[int]]]': 'int',
}

export interface Variable {
  readonly name: string
  readonly type: TypeText
  /** Counters of loops and test parameters are not assigned to. */
  readonly isFixed?: boolean
}

export interface EventPlan {
  readonly name: string
  readonly payload: TypeText | undefined
  /** What handles it sends and raises greater ones only, so that every execution ends. */
  readonly rank: number
}

export interface FunctionPlan {
  readonly name: string
  readonly params: readonly TypeText[]
  readonly returns: TypeText | undefined
  /** Sends, announces, chooses or receives, and so is nothing for monitors. */
  readonly acts: boolean
  /** Raises or goes to a state: nothing for places where that is forbidden. */
  readonly jumps: boolean
  /** Sends the last event. */
  readonly sends: boolean
}

export interface MachinePlan {
  readonly name: string
  /** What its start state's entry takes. */
  readonly takes: 'nothing' | 'machine' | 'tInit' | '(machine, int)'
  readonly states: readonly string[]
  readonly fields: readonly Variable[]
  /** Under which name others create it; its own unless told. */
  readonly as?: string
  /** What it says that it receives and sends; undefined: nothing, so all. */
  readonly receives?: readonly string[] | undefined
  readonly sends?: readonly string[] | undefined
  /** Whether its creator must create it. */
  readonly isNeeded?: boolean
}

export interface Scope {
  readonly random: Random
  readonly machine: MachinePlan
  readonly isMonitor: boolean
  /** A function of no machine: it has no fields. */
  readonly isShared: boolean
  /** Whether things may go wrong in this program. */
  readonly isRisky: boolean
  readonly events: readonly EventPlan[]
  readonly variables: readonly Variable[]
  readonly functions: readonly FunctionPlan[]
  /** Machines that may be created here. */
  readonly creates: readonly MachinePlan[]
  /** The least rank that may be sent and raised; beyond all events: none. */
  readonly least: number
  /** Sends, raises and gotos cost fuel here, because this may happen again and again. */
  readonly isCostly: boolean
  readonly mayJump: boolean
  readonly mayReceive: boolean
  readonly isLoop: boolean
  /** What is returned here; undefined: nothing. */
  readonly returns: TypeText | undefined
  readonly mayReturn: boolean
  /** How deep statements stand in each other. */
  readonly depth: number
}

export function chance(random: Random, percent: number): boolean {
  return random.below(100) < percent
}

/** Of what may go wrong: never in programs where nothing should. */
export function risk({ random, isRisky }: Scope, percent: number): boolean {
  return isRisky && chance(random, percent)
}

export function variablesOf({ variables }: Scope, type: TypeText): readonly Variable[] {
  return variables.filter((variable) => variable.type === type)
}

/** The lines of a block, one step further in. */
export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
