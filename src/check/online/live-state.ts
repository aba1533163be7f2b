/** A snapshot of a running system as the start of a search: the same handlers, from where the system is now. */
import { cutText } from '../../core/cut-text.ts'
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { defaultsOf } from '../../core/options.ts'
import type { Setting } from '../../core/setting.ts'
import type { Snapshot } from '../../core/snapshot.ts'
import { showValue } from '../../core/value-text.ts'
import type { Machines } from '../../program/machines.ts'
import type { Program } from '../../program/program.ts'
import { callOf } from '../../program/refinement.ts'
import { isRecord, kindOf } from '../../semantics/machines/context.ts'
import { located } from '../locate.ts'
import { excessiveParam, resolveParams } from '../resolve-setting.ts'
import { chosenSystem, settingOf } from '../system.ts'

export interface LiveState {
  readonly program: Program
  readonly setting: Setting
  /** From the states of the snapshot. */
  readonly machines: Machines
  readonly snapshot: Snapshot
}

export interface SnapshotOrigin {
  /** Names the source. */
  readonly shown: string
  /** The machines themselves were asked; a file may have come from anywhere. */
  readonly isLive: boolean
}

/** Parameters are those the system runs with; nobody has to repeat them. */
export function liveState(program: Program, snapshot: Snapshot, { shown, isLive }: SnapshotOrigin): Result<LiveState> {
  if (snapshot.system !== program.name)
    return foreign(shown, `it is of system "${snapshot.system}", and "${program.name}" is checked`)
  const params = resolveParams(program, snapshot.params)
  if (!params.ok) return foreign(shown, `its parameters do not fit: ${params.diagnostics[0]?.message}`)
  const excess = isLive ? undefined : excessIn(program, snapshot)
  if (excess !== undefined) return foreign(shown, excess)
  const chosen = chosenSystem(program, params.value)
  if (!chosen.ok) return chosen
  const { machines: fitting } = chosen.value
  const problem =
    misfit(fitting, snapshot) ?? strayCall(fitting, snapshot) ?? (isLive ? undefined : incomplete(fitting, snapshot))
  if (problem !== undefined) return foreign(shown, problem)
  const forgotten = callsMissing(fitting, snapshot, shown)
  if (forgotten !== undefined) return failure(forgotten)
  const options = defaultsOf(program.options)
  const setting = settingOf(program, { params: params.value, options, start: snapshot })
  try {
    const machines = chosen.value.machines.from(snapshot.states, snapshot.underWay)
    return success({ program, setting, machines, snapshot })
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    const { diagnostic } = error
    return diagnostic.code === 'E608' ? foreign(shown, diagnostic.message) : failure(located(diagnostic))
  }
}

/** Nothing can be said about an object of which it is not known what it is. */
function callsMissing(
  { refines = [] }: Machines,
  { calls, callsUnknown }: Snapshot,
  shown: string,
): Diagnostic | undefined {
  if (refines.length === 0 || calls !== undefined) return undefined
  const names = refines.map(({ name }) => `"${name}"`).join(', ')
  const why = callsUnknown === undefined ? 'it has no calls' : cutText(callsUnknown)
  return {
    code: 'E610',
    message: `${shown} does not say which calls of ${names} were announced before it: ${why}`,
    hint: 'run every machine with --state-dir, which keeps them; or watch the system without refines(…)',
  }
}

/** Machines keep calls of objects that the system refines: another one is of another version of the file, or was written by somebody else. */
function strayCall({ refines = [] }: Machines, { calls = [] }: Snapshot): string | undefined {
  if (refines.length === 0) return undefined
  const stray = calls.find(({ call }) => refines.every((object) => callOf(object, call) === undefined))
  const names = refines.map(({ name }) => `"${name}"`).join(', ')
  return stray && `it has ${showValue(stray.call, 80)} of "${stray.by}", which is no call of ${names}`
}

/** Each state has them all, and each search begins with one. */
const mostUnderWay = 1_000

/** Looked at before the system is made, which takes as much as its parameters say. */
function excessIn(program: Program, { params, underWay }: Snapshot): string | undefined {
  if (underWay.length > mostUnderWay)
    return `it has ${underWay.length} messages under way, and a search begins with at most ${mostUnderWay}`
  return excessiveParam(program, params)
}

/** A handler that takes a field away says `undefined` instead, or its snapshots cannot be told from damaged ones. */
function incomplete({ machines, start }: Machines, { states }: Snapshot): string | undefined {
  for (const [at, { data }] of states.entries()) {
    const first = start.states[at]?.data
    const fields = isRecord(first) ? Object.keys(Object(first)) : []
    const missing = fields.find((field) => !Object.hasOwn(Object(data), field))
    if (missing !== undefined) return `the state of "${machines[at]}" has no "${missing}", which it begins with`
  }
  return undefined
}

/** What handlers could not be given, as far as that can be told without running them. */
function misfit({ machines, start }: Machines, snapshot: Snapshot): string | undefined {
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(', ')
  if (snapshot.machines.join('\n') !== machines.join('\n'))
    return `its machines are ${names(snapshot.machines)}, and those of the system are ${names(machines)}`
  for (const [at, { data }] of snapshot.states.entries()) {
    const first = start.states[at]?.data
    if (isRecord(data) !== isRecord(first))
      return `the state of "${machines[at]}" is not what that machine has as its state`
    if (!isRelated(data, first))
      return `the state of "${machines[at]}" has none of the fields that it begins with: ${names(Object.keys(Object(first)))}`
  }
  if (!snapshot.underWay.every(({ message }) => kindOf(message) !== undefined))
    return 'a message under way has no kind, and machines send none like that'
  return undefined
}

/** Handlers may add fields and take some away; a state that has none of those at the beginning is another machine's. */
function isRelated(data: unknown, first: unknown): boolean {
  if (!isRecord(first)) return true
  const fields = Object.keys(Object(first))
  return fields.length === 0 || fields.some((field) => Object.hasOwn(Object(data), field))
}

function foreign(shown: string, why: string): Result<never> {
  return failure({
    code: 'E608',
    message: `${shown} does not fit the system that is checked: ${cutText(why)}`,
    hint: 'check with the file that the system was started from',
  })
}
