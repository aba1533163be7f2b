/**
 * One line of a history file:
 *
 *     {"process": 1, "type": "invoke", "op": "put", "args": ["x", 1], "time": 12}
 *     {"process": 1, "type": "ok", "op": "put", "value": null, "time": 15}
 *
 * Lines with `f` instead of `op` are read as Jepsen and Knossos write them: `value` holds the arguments in the invocation and
 * the result in the return, where null is a result that is not known.
 */
import { endOfText, notJson, parsedJson } from '../artifact/artifact.ts'
import { schemaProblems } from '../artifact/schemas.ts'
import { nearestSlip, suggestion } from '../core/did-you-mean.ts'
import type { Value } from '../core/value.ts'
import { type Json, valueFromJson } from '../core/value-json.ts'
import { type RoundedNumber, roundedNumber } from './history-numbers.ts'

export const historyFormat = 'allways-history/1'

const eventTypes = ['invoke', 'ok', 'fail', 'info'] as const
export type EventType = (typeof eventTypes)[number]

export interface HistoryEvent {
  readonly kind: 'event'
  readonly process: string
  readonly type: EventType
  readonly operation: string | undefined
  /** In Knossos' style: what `value` means depends on the operation. */
  readonly style: 'own' | 'knossos'
  readonly args: readonly Value[] | undefined
  readonly value: Value
  readonly hasValue: boolean
  /** It returned, but what is not known. */
  readonly unknown: boolean
  readonly error: string | undefined
  readonly time: number | undefined
  readonly key: Value
}

export interface HistoryHeader {
  readonly kind: 'header'
  readonly specification: string | undefined
  readonly initial: Value
  /** For counters: what `increment` and its like return. */
  readonly returns: 'old' | 'new' | undefined
  /** Operations whose `fail` is an observation (they returned false) instead of something that did not happen. */
  readonly observedFailures: readonly string[]
}

export interface LineProblem {
  readonly kind: 'problem'
  readonly message: string
  readonly hint: string
  /** Column from 1, where it is known. */
  readonly column?: number
}

const eventHint = `a line is {"process": 1, "type": "invoke" | "ok" | "fail" | "info", "op": "put", "args": ["x", 1], "value": …}`

export function parseLine(text: string, isLast: boolean): HistoryEvent | HistoryHeader | LineProblem {
  const parsed = parsedJson(text)
  if ('why' in parsed) return unparsed(parsed, isLast)
  const { json } = parsed
  const rounded = roundedNumber(text)
  if (rounded !== undefined) return unheld(rounded)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return problem('the line is not an object', eventHint)
  const fields = json as { readonly [key: string]: Json | undefined }
  try {
    const read = fields.format === undefined ? eventOf(fields) : headerOf(fields)
    const stray = repeatedField(text, fields) ?? strayField(fields)
    if (stray !== undefined) return stray
    const [misshapen] = schemaProblems('history-1', fields)
    return misshapen === undefined ? read : problem(misshapen, eventHint)
  } catch (error) {
    if (error instanceof WrongField) return problem(error.message, error.hint)
    return problem(`a value cannot be read: ${error instanceof Error ? error.message : error}`, eventHint)
  }
}

const headerFields = ['format', 'specification', 'initial', 'returns', 'observedFailures']
const readFields = ['process', 'type', 'op', 'args', 'value', 'unknown', 'error', 'time', 'key']
const foreignFields = [...readFields, 'f']
const ownFields = [...readFields, 'note']

/**
 * A field that is not read changes the verdict quietly when it was meant for one that is: `valu` makes a call return nothing.
 * Jepsen writes much that is not needed here, so of its lines only the fields that are nearly right are refused.
 */
function strayField(fields: Fields): LineProblem | undefined {
  const isHeader = fields.format !== undefined
  const known = isHeader ? headerFields : fields.f === undefined ? ownFields : foreignFields
  const isForeign = !isHeader && fields.f !== undefined
  const stray = Object.keys(fields).find(
    (name) => !known.includes(name) && (!isForeign || nearestSlip(name, known) !== undefined),
  )
  if (stray === undefined) return undefined
  const said = suggestion(stray, known, isHeader ? 'a header has' : 'an event has')
  const hint = isHeader || nearestSlip(stray, known) !== undefined ? said : `${said}; "note" may hold anything`
  return problem(`"${stray.slice(0, 40)}" is no field of ${isHeader ? 'a header' : 'an event'}`, hint)
}

/** Of fields that stand twice the last one would be read. Within values they say what nobody can tell, either. */
function repeatedField(text: string, fields: Fields): LineProblem | undefined {
  if (namesIn(text) === keysOf(fields as Json)) return undefined
  const repeated = Object.keys(fields).find((name) => text.split(JSON.stringify(name)).length > 2)
  const which = repeated === undefined ? 'a field' : `"${repeated.slice(0, 40)}"`
  return problem(`${which} stands twice in one object`, 'write each field once')
}

/** How many names of fields a JSON text has: before colons that are in no text. */
function namesIn(text: string): number {
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === quote) at = endOfText(text, at + 1)
    else if (letter === colon) names++
  }
  return names
}

const [quote, colon] = [0x22, 0x3a]

function keysOf(json: Json | undefined): number {
  if (typeof json !== 'object' || json === null) return 0
  const parts = Object.values(json) as readonly Json[]
  return parts.reduce<number>((sum, part) => sum + keysOf(part), Array.isArray(json) ? 0 : parts.length)
}

function unparsed({ why, at = 0 }: { readonly why: string; readonly at?: number | undefined }, isLast: boolean) {
  const column = at + 1
  if (why !== notJson) return { ...problem(why.replace(/^it /, 'the line '), excessHint), column }
  if (isLast) return { ...problem('the last line is cut off', 'remove it, or record the history to its end'), column }
  return { ...problem('the line is not JSON', eventHint), column }
}

const excessHint = 'write a longer number as a text or as {"#bigint": "…"}; deeper values are not read'

function unheld({ literal, at, field }: RoundedNumber): LineProblem {
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
  const hint =
    field === 'time'
      ? 'count times from the first event, or leave them out: the order of lines is then the order of events'
      : 'write it as a text or as {"#bigint": "…"}, everywhere in the history'
  return { ...problem(`the number ${shown} cannot be held exactly`, hint), column: at + 1 }
}

type Fields = { readonly [key: string]: Json | undefined }

/** Carries a problem out of the functions below, which read one field each. */
class WrongField extends Error {
  readonly hint: string

  constructor(message: string, hint = eventHint) {
    super(message)
    this.hint = hint
  }
}

function eventOf(fields: Fields): HistoryEvent {
  const { process, type, op, f, args, unknown, error, key } = fields
  if (process === undefined || process === null || typeof process === 'object')
    throw missing('process', process, 'a number or a text')
  const found = eventTypes.find((name) => name === type)
  if (found === undefined) throw missing('type', type, '"invoke", "ok", "fail" or "info"')
  const operation = op ?? f ?? undefined
  if (operation !== undefined && typeof operation !== 'string')
    throw missing(op === undefined ? 'f' : 'op', operation, 'a text')
  if (found === 'invoke' && operation === undefined) throw missing('op', operation, 'a text')
  if (args !== undefined && !Array.isArray(args)) throw missing('args', args, 'a list')
  if (unknown !== undefined && typeof unknown !== 'boolean') throw missing('unknown', unknown, 'true or false')
  return {
    kind: 'event',
    process: String(process),
    type: found,
    operation,
    style: op === undefined && f !== undefined ? 'knossos' : 'own',
    args: args === undefined ? undefined : (args as readonly Json[]).map(valueFromJson),
    value: fields.value === undefined ? undefined : valueFromJson(fields.value),
    hasValue: fields.value !== undefined,
    unknown: unknown === true,
    error: error === undefined || error === null ? undefined : String(error),
    time: timeOf(fields.time),
    key: key === undefined || key === null ? undefined : valueFromJson(key),
  }
}

function timeOf(time: Json | undefined): number | undefined {
  if (time === undefined || time === null) return undefined
  if (typeof time !== 'number' || !Number.isFinite(time)) throw missing('time', time, 'a number')
  return time
}

function headerOf(fields: Fields): HistoryHeader {
  const { format, specification, initial, returns, observedFailures = [] } = fields
  if (format !== historyFormat) {
    const foreign = typeof format === 'string' && format.startsWith('allways-history/')
    const message = foreign
      ? `the format is ${format}, and this allways reads ${historyFormat}`
      : 'the format is not that of a history'
    throw new WrongField(
      message,
      `the first line of a history may be {"format": "${historyFormat}", "specification": "kv"}`,
    )
  }
  if (specification !== undefined && typeof specification !== 'string')
    throw missing('specification', specification, 'a text')
  if (returns !== undefined && returns !== 'old' && returns !== 'new')
    throw missing('returns', returns, '"old" or "new"')
  const failures = Array.isArray(observedFailures) ? (observedFailures as readonly Json[]) : undefined
  if (!failures?.every((name) => typeof name === 'string'))
    throw missing('observedFailures', observedFailures, 'a list of texts')
  return {
    kind: 'header',
    specification,
    initial: initial === undefined ? undefined : valueFromJson(initial),
    returns,
    observedFailures: failures as readonly string[],
  }
}

function missing(field: string, found: Json | undefined, expected: string): WrongField {
  if (found === undefined) return new WrongField(`"${field}" is missing`)
  return new WrongField(`"${field}" is ${JSON.stringify(found).slice(0, 40)}, not ${expected}`)
}

function problem(message: string, hint: string): LineProblem {
  return { kind: 'problem', message, hint }
}
