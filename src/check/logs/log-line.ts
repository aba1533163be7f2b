/** One line of the log of a machine: whose life begins, or what happened in it. What is not needed to order calls is not kept. */
import { notJson, parsedJson } from '../../artifact/artifact.ts'
import { schemaProblems } from '../../artifact/schemas.ts'
import { cutText } from '../../core/cut-text.ts'
import type { Params } from '../../core/setting.ts'
import { anyText } from '../../core/value-text.ts'
import { fieldsOf, isCount, valueOfJson } from '../../runtime/body.ts'
import { callsFromJson, type TimedCall } from '../../runtime/call-history.ts'
import { logFormat } from '../../runtime/log.ts'

export interface LogHeader {
  readonly kind: 'header'
  readonly machine: string
  readonly system: string
  readonly params: Params
  readonly incarnation: number
  readonly machines: readonly string[]
  /** Objects whose calls are in the log. */
  readonly refines: readonly string[]
  /** The life whose state it went on with, and all calls until then, if they were known. */
  readonly earlier: { readonly incarnation: number; readonly calls: readonly TimedCall[] | undefined } | undefined
}

export interface LogEvent {
  readonly kind: 'event'
  readonly machine: string
  /** From 1, in each life. */
  readonly step: number
  readonly received: { readonly from: string; readonly incarnation: number; readonly number: number } | undefined
  readonly sent: readonly { readonly to: string; readonly number: number }[]
  readonly calls: readonly TimedCall[]
  readonly event: EventKind
  readonly isStop: boolean
  /** Its handler failed. */
  readonly isFailed: boolean
  /** Lines of this life that were not written, as it says when it stops. */
  readonly unlogged: number
}

interface LineProblem {
  readonly kind: 'problem'
  readonly message: string
  readonly hint: string
  /** Column from 1, where it is known. */
  readonly column?: number | undefined
}

const hint = 'a log is what allways run --log has written, unchanged'

export function parseLogLine(text: string, isLast: boolean): LogHeader | LogEvent | LineProblem {
  const parsed = parsedJson(text)
  if ('why' in parsed) return unparsed(parsed, isLast)
  const fields = fieldsOf(parsed.json)
  if (fields === undefined) return problem('the line is not an object')
  const { machine, format } = fields
  if (format !== undefined && format !== logFormat) return otherFormat(format)
  if (typeof machine !== 'string') return wrong('machine', machine, 'a text')
  const read = format === undefined ? eventOf(fields, machine) : headerOf(fields, machine)
  const [misshapen] = read.kind === 'problem' ? [] : schemaProblems('log-1', fields)
  return misshapen === undefined ? read : problem(misshapen)
}

type Fields = { readonly [field: string]: unknown }

function headerOf(fields: Fields, machine: string): LogHeader | LineProblem {
  const { system, incarnation, machines, refines, earlier } = fields
  const params = valueOfJson(fields.params)
  if (typeof system !== 'string') return wrong('system', system, 'a text')
  if (!isCount(incarnation)) return wrong('incarnation', incarnation, 'a whole number')
  if (!areTexts(machines)) return wrong('machines', machines, 'a list of texts')
  if (refines === undefined)
    return problem('the log was written without the calls that machines announce', 'run the machines again, with --log')
  if (!areTexts(refines)) return wrong('refines', refines, 'a list of texts')
  if (params === undefined || fieldsOf(params.value) === undefined) return wrong('params', fields.params, 'an object')
  const about = { kind: 'header', machine, system, incarnation, machines, refines } as const
  const known = { ...about, params: params.value as Params }
  if (earlier === undefined) return { ...known, earlier }
  const { incarnation: last, calls } = fieldsOf(earlier) ?? {}
  const read = calls === null ? undefined : callsFromJson(calls)
  if (!isCount(last) || (calls !== null && read === undefined))
    return wrong('earlier', earlier, 'a life with its calls')
  return { ...known, earlier: { incarnation: last, calls: read } }
}

const eventKinds = ['start', 'message', 'request', 'timer', 'restart', 'stop'] as const
type EventKind = (typeof eventKinds)[number]

function eventOf(fields: Fields, machine: string): LogEvent | LineProblem {
  const { step, event, sent = [], calls = [], violation, counters } = fields
  const { kind: said, from, incarnation, number } = fieldsOf(event) ?? {}
  if (step === undefined)
    return problem('the event has no number, so that nobody would notice a missing one', 'run the machines again')
  if (!isCount(step)) return wrong('step', step, 'a whole number')
  const kind = eventKinds.find((one) => one === said)
  if (kind === undefined) return wrong('event', event, `one of ${eventKinds.join(', ')}`)
  const isMessage = kind === 'message'
  const isNamed = typeof from === 'string' && isCount(incarnation) && isCount(number)
  if (isMessage && !isNamed) return wrong('event', event, 'a message with its sender, incarnation and number')
  const messages = Array.isArray(sent) ? sent.map(sentOf) : [undefined]
  if (!messages.every((one) => one !== undefined)) return wrong('sent', sent, 'a list of messages with their numbers')
  const announced = callsFromJson(calls)
  if (announced === undefined) return wrong('calls', calls, 'a list of calls with their times')
  const received = isMessage && isNamed ? { from, incarnation, number } : undefined
  const { unlogged } = fieldsOf(counters) ?? {}
  return {
    kind: 'event',
    machine,
    step,
    received,
    sent: messages,
    calls: announced,
    event: kind,
    isStop: kind === 'stop',
    isFailed: violation !== undefined,
    unlogged: isCount(unlogged) ? unlogged : 0,
  }
}

function sentOf(one: unknown): LogEvent['sent'][number] | undefined {
  const { to, number } = fieldsOf(one) ?? {}
  return typeof to === 'string' && isCount(number) ? { to, number } : undefined
}

function areTexts(candidate: unknown): candidate is readonly string[] {
  return Array.isArray(candidate) && candidate.every((one) => typeof one === 'string')
}

function unparsed({ why, at = 0 }: { readonly why: string; readonly at?: number | undefined }, isLast: boolean) {
  const column = at + 1
  if (why !== notJson) return { ...problem(why.replace(/^it /, 'the line ')), column }
  const cut = 'remove the line: what stands before it can be judged, and is all that the log knows'
  if (isLast) return { ...problem('the last line is cut off, as when a machine is killed', cut), column }
  return { ...problem('the line is not JSON'), column }
}

function otherFormat(format: unknown): LineProblem {
  const isOurs = typeof format === 'string' && format.startsWith('allways-log/')
  if (isOurs) return problem(`the format is ${cutText(anyText(format), 60)}, and this allways reads ${logFormat}`)
  return problem('the format is not that of a log of machines')
}

function wrong(field: string, found: unknown, expected: string): LineProblem {
  return problem(
    found === undefined ? `"${field}" is missing` : `"${field}" is ${cutText(anyText(found), 60)}, not ${expected}`,
  )
}

function problem(message: string, what = hint): LineProblem {
  return { kind: 'problem', message, hint: what }
}
