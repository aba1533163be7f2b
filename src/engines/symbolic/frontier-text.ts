/** All executions after each step as text for people. */

import { grouped } from '../../core/grouped.ts'
import { type Frontier, type FrontierEvent, type HeldValues, mostSteps } from './frontier.ts'
import { waysText } from './guard-text.ts'
import type { SearchOptions } from './options.ts'

const widest = 90

export function* frontierLines(events: Iterable<FrontierEvent>, mode: SearchOptions['mode']): Generator<string, void> {
  const unit = mode === 'rounds' ? 'round' : 'step'
  const noun = mode === 'states' ? 'state' : 'execution'
  for (const event of events) {
    if (event.kind === 'frontier') {
      yield `after ${counted(BigInt(event.after), unit)}: ${counted(event.count, noun)}`
      yield* indented(depthLines(event))
    } else if (event.kind === 'violation') yield `  ✗ after ${counted(BigInt(event.after), unit)}: ${event.message}`
    else yield endText(event.because, unit)
  }
}

function endText(because: Extract<FrontierEvent, { readonly kind: 'end' }>['because'], unit: string): string {
  if (because === 'steps') return `… ${unit}s after number ${mostSteps} are not printed`
  return because === 'nodes' ? '… from here on diagrams are too large to be read' : 'nothing more can happen'
}

function counted(count: bigint, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1n ? '' : 's'}`
}

function* indented(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `  ${line}`
}

function* depthLines({ variables, alive, held, more, same }: Frontier): Generator<string> {
  for (const { name, meaning } of variables) yield `${name}: ${meaning}`
  yield* wrapped('D: ', waysText(alive))
  for (const one of held) {
    yield one.name
    yield* indented(valueLines(one))
  }
  if (more > 0) yield `… ${more} more that differ`
  if (held.length > 0) yield `all else, ${same} of these, is the same in all`
}

/** Each value with the guard under which it is held. */
function* valueLines({ values, more }: HeldValues): Generator<string> {
  for (const { value, ways } of values) yield* wrapped(`${value} if `, waysText(ways))
  if (more > 0) yield `… ${more} more values`
}

/** Ways one after the other, as many to a line as there is room for. */
function* wrapped(head: string, ways: readonly string[]): Generator<string> {
  let line = head
  for (const [at, way] of ways.entries()) {
    const next = at === 0 ? way : ` ∨ ${way}`
    if (at > 0 && line.length + next.length > widest) {
      yield line
      line = `  ∨ ${way}`
    } else line += next
  }
  yield line
}
