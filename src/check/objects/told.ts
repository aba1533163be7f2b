/** An ended execution of a client for people: its calls, its steps, and why no order of the calls explains it. */
import type { ClientExecution, CodeStep } from '../../core/evidence.ts'
import type { Call } from '../../core/history.ts'
import type { Violation } from '../../core/property.ts'
import { showValue } from '../../core/value-text.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { printClient } from '../../properties/linearizability/client-text.ts'
import { alone, type Explanation } from '../../semantics/memory/sequential.ts'
import type { ObjectEnding } from '../../semantics/memory/subject.ts'
import { type Referee, showResult } from './referee.ts'

export interface Telling {
  readonly client: Client
  readonly referee: Referee
  readonly judge: (ending: ObjectEnding) => Violation | undefined
}

export function toldOf(
  { client, referee, judge }: Telling,
  ending: ObjectEnding,
  steps: readonly CodeStep[],
): ClientExecution {
  const { calls } = ending.history
  const { order, stuck } = referee.explain(ending)
  const indexOf = (process: number, call: number): number => indexOfCall(calls, `p${process + 1}`, call)
  const violation = judge(ending)
  const told = { text: printClient(client), steps, history: ending.history }
  const explained = { ...told, order: order.map(([process, call]) => indexOf(process, call)) }
  if (violation !== undefined && violation.kind !== 'linearizability')
    return { ...explained, stuck: undefined, words: violation.message }
  if (stuck?.process === alone) return { ...explained, stuck: undefined, words: aloneInWords(ending, stuck) }
  const at = stuck === undefined ? undefined : indexOf(stuck.process, stuck.call)
  return { ...explained, stuck: at, words: inWords(ending, { order, stuck }, indexOf) }
}

function indexOfCall(calls: readonly Call[], process: string, call: number): number {
  const own = calls.flatMap((one, index) => (one.process === process ? [index] : []))
  return own[call] ?? -1
}

function callText(call: Call | undefined): string {
  return call === undefined ? '' : `${call.operation}(${call.args.map((arg) => showValue(arg)).join(', ')})`
}

/** Of a call in brackets, which nobody disturbs. */
function aloneInWords({ setup }: ObjectEnding, { call, instead }: NonNullable<Explanation['stuck']>): string {
  const would = doesInstead(instead)
  return `before the others, ${callText(setup[call])} ${would}, not ${showResult(setup[call]?.result)}`
}

function inWords(
  { setup, history: { calls } }: ObjectEnding,
  { order, stuck }: Explanation,
  indexOf: (process: number, call: number) => number,
): string {
  if (stuck === undefined) return 'no order of the calls gives these results'
  const name = (index: number): string => callText(calls[index])
  const at = indexOf(stuck.process, stuck.call)
  const before = [...setup.map(callText), ...order.map(([process, call]) => name(indexOf(process, call)))]
  const after = before.length === 0 ? 'first' : `after ${before.join(', ')}`
  const instead = doesInstead(stuck.instead)
  const given = showResult(calls[at]?.result)
  const isAlike = stuck.instead === given
  const what = isAlike ? 'another thing that looks the same' : given
  return `no order of the calls gives these results: ${after}, ${name(at)} ${instead}, not ${what}`
}

/** As `showResult` gives it; nothing for a call that waits. */
function doesInstead(result: string | undefined): string {
  if (result === undefined) return 'would wait for ever'
  if (result.startsWith('threw ')) return result.replace('threw', 'throws')
  // No value that is returned is written so.
  return /^[\p{L}\p{N}_$]+: /u.test(result) ? `throws ${result}` : `returns ${result}`
}
