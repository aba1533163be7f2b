/** What symbolic search keeps of a P program, as text and as data. */
import { DiagnosticError } from '../core/diagnostic.ts'
import type { FrontierEvent } from '../engines/symbolic/frontier.ts'
import { nameOf, type Ways } from '../engines/symbolic/guard-text.ts'
import { printedGuards, toldSearch } from '../engines/symbolic/print-guards.ts'
import { symbolic } from '../engines/symbolic/symbolic.ts'
import type { IrView } from '../program/program.ts'
import type { CheckRequest } from './request.ts'

export const guardsFormat = 'allways-guards/1'

const modeWords = { states: 'by states', rounds: 'in rounds', steps: 'step by step' } as const

/** Mistakes are thrown, by this and by what is below. */
export function guardsText(request: CheckRequest): string {
  const { program, setting, options } = request
  const subject = subjectOf(request)
  const head = `${program.name}, ${setting.network}, ${modeWords[toldSearch(subject, options).mode]}`
  return [head, ...printedGuards(subject, options)].join('\n')
}

/** The same for programs: a way of a guard is what it needs of variables, true or false. */
export function guardsData(request: CheckRequest): object {
  const { program, setting, options } = request
  const { mode, events } = toldSearch(subjectOf(request), options)
  const { name, place } = program
  return {
    program: name,
    file: place?.file ?? null,
    network: setting.network,
    mode,
    events: [...events].map(eventData),
  }
}

function subjectOf({ engine, explored }: CheckRequest): IrView {
  if (engine !== symbolic)
    throw new DiagnosticError({
      code: 'E107',
      message: `--print guards is about engine "${symbolic.name}", and engine "${engine.name}" keeps none`,
      hint: `choose --engine ${symbolic.name}`,
    })
  return explored.subject as IrView
}

function eventData(event: FrontierEvent): object {
  if (event.kind !== 'frontier') return event
  const held = event.held.map(({ name, values, more }) => ({
    name,
    values: values.map(({ value, ways }) => ({ value, ...waysData(ways) })),
    moreValues: more,
  }))
  return { ...event, count: Number(event.count), alive: waysData(event.alive), held }
}

function waysData({ first, more }: Ways): object {
  const ways = first.map((way) =>
    Object.fromEntries([...way].sort(([left], [right]) => left - right).map(([at, value]) => [nameOf(at), value])),
  )
  return { ways, moreWays: Number(more) }
}
