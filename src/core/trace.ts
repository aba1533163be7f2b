/**
 * A trace is a list of decisions: with the setting, all that replay reads. Everything else in a trace file is derived, for
 * people and viewers that have no program at hand.
 */
import type { Setting } from './setting.ts'

export const traceFormat = 'allways-trace/2'

/** What the scheduler, the network or the environment decided. Messages are numbered in sending order from 0. */
export type Decision =
  | { readonly kind: 'step'; readonly process: string }
  | { readonly kind: 'deliver'; readonly process: string; readonly message: number }
  | { readonly kind: 'timeout'; readonly process: string }
  | { readonly kind: 'choose'; readonly process: string; readonly option: number }
  /** The message that the process sends gets lost, or is sent twice; the second time is a step of its own. */
  | { readonly kind: 'lose' | 'duplicate'; readonly process: string }
  /** Instead of its next operation the process ends, or begins again. */
  | { readonly kind: 'crash' | 'restart'; readonly process: string }
  /** The process is cut off from all others, or no longer. */
  | { readonly kind: 'partition' | 'heal'; readonly process: string }

/** Which program it is, as plain data. */
export interface ProgramRef {
  readonly name: string
  readonly file: string
  /** Of all its sources. */
  readonly digest: string
  /** Of a class: what leads to it in the file. */
  readonly origin?: ClassOrigin | undefined
}

export type ClassOrigin =
  /** A check that the file exports under this name. */
  | { readonly kind: 'export'; readonly name: string }
  /** A class that the file exports, with arguments for its operations as they were typed. */
  | { readonly kind: 'class'; readonly name: string; readonly args: readonly string[] }

interface TraceOrigin {
  readonly engine: string
  readonly seed: number
  readonly version: string
}

export interface Trace {
  readonly format: typeof traceFormat
  readonly program: ProgramRef
  readonly setting: Setting
  readonly decisions: readonly Decision[]
  /** Of an execution without end: how many of the decisions come before those that repeat for ever. */
  readonly repeatsFrom?: number | undefined
  readonly foundBy: TraceOrigin
}

/** One decision in words: 'worker receives #3'. */
export function describeDecision(decision: Decision): string {
  switch (decision.kind) {
    case 'step':
      return `${decision.process} steps`
    case 'deliver':
      return `${decision.process} receives #${decision.message}`
    case 'timeout':
      return `${decision.process} receives nothing`
    case 'choose':
      return `${decision.process} chooses option ${decision.option + 1}`
    case 'lose':
      return `${decision.process} sends a message that gets lost`
    case 'duplicate':
      return `${decision.process} sends a message that is duplicated`
    case 'crash':
      return `${decision.process} crashes`
    case 'restart':
      return `${decision.process} crashes and restarts`
    case 'partition':
      return `${decision.process} is cut off from the others`
    case 'heal':
      return `${decision.process} is connected again`
  }
}

export function sameDecision(left: Decision, right: Decision): boolean {
  if (left.kind !== right.kind || left.process !== right.process) return false
  switch (left.kind) {
    case 'deliver':
      return left.message === (right as typeof left).message
    case 'choose':
      return left.option === (right as typeof left).option
    default:
      return true
  }
}
