/** `allways-snapshot/1`: the states of all machines of a running system and the messages under way between them. */
import { schemaProblems } from '../artifact/schemas.ts'
import { cutText } from '../core/cut-text.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { isPlainObject } from '../core/option-shape.ts'
import type { Params } from '../core/setting.ts'
import { type Envelope, type LocalState, type Snapshot, snapshotFormat } from '../core/snapshot.ts'
import type { Value } from '../core/value.ts'
import { type Json, valueFromJson, valueToJson } from '../core/value-json.ts'
import { fieldsOf, isCount, jsonOfBytes, jsonOfText, valueOfJson } from './body.ts'
import { callsFromJson, callsToJson, mostCalls, type TimedCall } from './call-history.ts'
import { localStateFromJson, localStateToJson } from './local-state.ts'

/** What to do about a snapshot that did not come. */
export const needsAll =
  'a snapshot needs every machine of the system to be running, with the same parameters and the same key'

export function snapshotToJson(snapshot: Snapshot): Json {
  const { format, system, params, machines, states, underWay, missing, takenAt, calls, callsUnknown } = snapshot
  return {
    format,
    system,
    params: valueToJson(params),
    takenAt,
    missing,
    machines: [...machines],
    states: states.map(localStateToJson),
    underWay: underWay.map(({ from, to, message }) => ({ from, to, message: valueToJson(message) })),
    ...(calls === undefined ? {} : { calls: calls.map(({ by, call }) => ({ by, call: valueToJson(call) })) }),
    ...(callsUnknown === undefined ? {} : { callsUnknown }),
  }
}

/** `shown` names the source, for diagnostics. */
export function readSnapshot(text: string, shown: string): Result<Snapshot> {
  const json = fieldsOf(jsonOfText(text)?.json)
  if (json === undefined) return damaged(shown, 'it is not a JSON object')
  return snapshotFromJson(json, shown)
}

export function snapshotFromJson(json: unknown, shown: string): Result<Snapshot> {
  const fields = fieldsOf(json) ?? {}
  const { format, system, machines, missing, takenAt } = fields
  if (format !== snapshotFormat) {
    const found = typeof format === 'string' ? `"${cutText(format)}"` : 'missing'
    return damaged(shown, `its format is ${found}, not "${snapshotFormat}"`)
  }
  if (typeof system !== 'string' || typeof takenAt !== 'string' || !isCount(missing))
    return damaged(shown, '"system", "takenAt" or "missing" is not as it should be')
  if (!isNames(machines)) return damaged(shown, '"machines" is not a list of different names')
  const params = valueOfJson(fields.params)
  // As a value: JSON also writes what is no object as one, such as a map.
  if (params === undefined || !isPlainObject(params.value)) return damaged(shown, '"params" is not an object')
  const states = Array.isArray(fields.states) ? fields.states.map(localStateFromJson) : []
  if (states.length !== machines.length || !states.every((state) => state !== undefined))
    return damaged(shown, '"states" does not hold one state for each machine')
  const underWay = Array.isArray(fields.underWay)
    ? fields.underWay.map((one) => envelopeOf(one, machines))
    : [undefined]
  if (!underWay.every((one) => one !== undefined)) return damaged(shown, '"underWay" is not a list of messages')
  const calls = Array.isArray(fields.calls) ? fields.calls.map((one) => callOf(one, machines)) : undefined
  const { callsUnknown } = fields
  const isWrong = fields.calls !== undefined && (calls === undefined || calls.some((one) => one === undefined))
  if (isWrong || (callsUnknown !== undefined && typeof callsUnknown !== 'string'))
    return damaged(shown, '"calls" is not a list of calls, or "callsUnknown" is not a text')
  const [misshapen] = schemaProblems('snapshot-1', json)
  if (misshapen !== undefined) return damaged(shown, misshapen)
  return success({
    ...(calls === undefined ? {} : { calls: calls as NonNullable<Snapshot['calls']> }),
    ...(callsUnknown === undefined ? {} : { callsUnknown: callsUnknown as string }),
    format: snapshotFormat,
    system,
    params: params.value as Params,
    machines,
    states,
    underWay,
    missing,
    takenAt,
  })
}

function envelopeOf(json: unknown, machines: readonly string[]): Envelope | undefined {
  const { from, to, message } = fieldsOf(json) ?? {}
  const value = message === undefined ? undefined : valueOfJson(message)
  if (typeof from !== 'string' || typeof to !== 'string' || value === undefined) return undefined
  if (!machines.includes(from) || !machines.includes(to)) return undefined
  return { from, to, message: value.value }
}

function callOf(json: unknown, machines: readonly string[]): { readonly by: string; readonly call: Value } | undefined {
  const { by, call } = fieldsOf(json) ?? {}
  const value = call === undefined ? undefined : valueOfJson(call)
  if (typeof by !== 'string' || value === undefined || !machines.includes(by)) return undefined
  return { by, call: value.value }
}

function isNames(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((name) => typeof name === 'string') && new Set(json).size === json.length
}

function damaged(shown: string, why: string): Result<never> {
  return failure({
    code: 'E604',
    message: `${shown} is not a snapshot: ${why}`,
    hint: 'snapshots are written by a running system, through its control channel',
  })
}

/** What one machine contributes. */
export interface SnapshotPart {
  readonly state: LocalState
  /** Received after its state was recorded, sent before the sender's was; and what it was about to receive from itself. */
  readonly underWay: readonly { readonly from: number; readonly sequence: number; readonly message: Json }[]
  readonly missing: number
  /** Which lives of all machines it speaks of, by machine. */
  readonly incarnations: readonly number[]
  /** Of a system that refines an object. */
  readonly calls?: PartCalls | undefined
}

/** Calls of abstract objects that a machine has announced. */
export interface PartCalls {
  /** Nothing if there were more than can be kept. */
  readonly made: readonly TimedCall[] | undefined
  /** Whether they include those of earlier lives. */
  readonly isKept: boolean
  /** Whether this machine, or another one that it knows of, has had an earlier life. */
  readonly hasRestarts: boolean
}

export function partBytes({ state, underWay, missing, incarnations, calls }: SnapshotPart): Buffer {
  const made = calls?.made === undefined ? null : callsToJson(calls.made)
  const called = calls === undefined ? {} : { calls: { ...calls, made } }
  return Buffer.from(JSON.stringify({ state: localStateToJson(state), underWay, missing, incarnations, ...called }))
}

/** Undefined if it is not one. */
function partCallsOf(json: unknown): PartCalls | undefined {
  const { made, isKept, hasRestarts } = fieldsOf(json) ?? {}
  const calls = made === null ? undefined : callsFromJson(made)
  if (typeof isKept !== 'boolean' || typeof hasRestarts !== 'boolean' || (made !== null && !calls)) return undefined
  return { made: calls, isKept, hasRestarts }
}

/** Undefined if it is not one. */
export function partOf(bytes: Buffer, machines: number): SnapshotPart | undefined {
  const { state, underWay, missing, incarnations, calls } = fieldsOf(jsonOfBytes(bytes)?.json) ?? {}
  const local = localStateFromJson(state)
  if (local === undefined || !isCount(missing) || !Array.isArray(underWay)) return undefined
  const messages = underWay.map((one: unknown) => {
    const { from, sequence, message } = fieldsOf(one) ?? {}
    if (!isCount(from) || from >= machines || !isCount(sequence) || message === undefined) return undefined
    return valueOfJson(message) === undefined ? undefined : { from, sequence, message: message as Json }
  })
  if (!messages.every((one) => one !== undefined)) return undefined
  if (!Array.isArray(incarnations) || incarnations.length !== machines || !incarnations.every(isCount)) return undefined
  const called = calls === undefined ? undefined : partCallsOf(calls)
  if (calls !== undefined && called === undefined) return undefined
  return { state: local, underWay: messages, missing, incarnations, calls: called }
}

/** Otherwise a part may hold messages of a life that the sender's own part knows nothing of. */
export function isOfSameLives(parts: readonly SnapshotPart[]): boolean {
  return parts.every(({ incarnations }) => incarnations.every((one, at) => one === parts[at]?.incarnations[at]))
}

/** All parts, by machine. */
export function assembled(
  parts: readonly SnapshotPart[],
  about: Pick<Snapshot, 'system' | 'params' | 'machines' | 'takenAt'>,
): Snapshot {
  const { machines } = about
  const nameOf = (number: number): string => machines[number] as string
  const underWay = parts.flatMap((part, to) =>
    [...part.underWay]
      .sort((left, right) => left.from - right.from || left.sequence - right.sequence)
      .map(({ from, message }) => ({ from: nameOf(from), to: nameOf(to), message: valueFromJson(message) })),
  )
  const missing = parts.reduce((sum, part) => sum + part.missing, 0)
  const states = parts.map(({ state }) => state)
  return { format: snapshotFormat, ...about, states, underWay, missing, ...calledIn(parts, machines) }
}

/** Calls of all machines in the order of their times; or why they are not known. */
function calledIn(
  parts: readonly SnapshotPart[],
  machines: readonly string[],
): Pick<Snapshot, 'calls' | 'callsUnknown'> {
  const known = parts.map(({ calls }) => calls)
  if (known.every((one) => one === undefined)) return {}
  const unknown = machines.filter((_, at) => known[at]?.made === undefined)
  if (unknown.length > 0)
    return {
      callsUnknown: `${unknown.join(', ')} announced more than ${mostCalls} calls, or in a life that did not keep them`,
    }
  const forgetful = machines.filter((_, at) => known[at]?.isKept === false)
  if (forgetful.length > 0 && known.some((one) => one?.hasRestarts))
    return { callsUnknown: `a machine was restarted, and ${forgetful.join(', ')} would not remember what it announced` }
  const timed = known.flatMap((one, by) => (one?.made ?? []).map((call) => ({ ...call, by })))
  timed.sort((left, right) => left.at - right.at || left.by - right.by)
  return { calls: timed.map(({ by, call }) => ({ by: machines[by] as string, call })) }
}
