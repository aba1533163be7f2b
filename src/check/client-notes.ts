/** The derived parts of a trace that only classes have: calls, steps of code, lines that must be atomic, and the source around them. */
import type { AtomicSection, CodeSite } from '../core/code.ts'
import type { Causes, ClientExecution, CodeStep, Repair } from '../core/evidence.ts'
import type { Call, CallResult } from '../core/history.ts'
import { historyToJson } from '../reports/call-json.ts'
import { causesToJson, explanationToJson } from '../reports/evidence-json.ts'
import type { CheckOptions } from './request.ts'
import { sourceLines } from './source-places.ts'
import { CodeStepNames, checkNames } from './step-names.ts'
import { type Field, textsFromJson } from './trace-fields.ts'

/** What is known about the class when its trace is written. */
export interface ClientContext {
  readonly causes?: Causes | undefined
  /** How the class was checked, if there is a repair: the command that prints it as a patch is told the same. */
  readonly repairable?: ClientOptions | undefined
}

/** As the user set them. */
type ClientOptions = Pick<
  CheckOptions,
  'clients' | 'processes' | 'calls' | 'specification' | 'criterion' | 'granularity' | 'deadlock'
>

export interface ClientNotes extends ClientContext {
  readonly client: ClientExecution
  /** Lines of source, by file and line, as far as pictures show them. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>
}

export function clientToJson(client: ClientExecution, { causes, repairable }: ClientContext): object {
  const { steps, history } = client
  return {
    repairable: repairable === undefined ? undefined : clientOptions(repairable),
    history: historyToJson(history),
    explanation: explanationToJson(client),
    steps: stepsToJson(steps),
    causes: causes === undefined ? null : causesToJson(causes),
    lines: shownLines(steps, causes),
  }
}

function clientOptions(options: ClientOptions): ClientOptions {
  const { clients, processes, calls, specification, criterion, granularity, deadlock } = options
  return { clients, processes, calls, specification, criterion, granularity, deadlock }
}

function optionsFromJson(field: Field): ClientOptions {
  const said = <T>(name: string, read: (one: Field) => T): T | undefined => {
    const one = field.at(name)
    return one.isPresent ? read(one) : undefined
  }
  return {
    clients: said('clients', textsFromJson),
    processes: said('processes', (one) => one.count()),
    calls: said('calls', (one) => one.count()),
    specification: said('specification', (one) => one.text()),
    criterion: said('criterion', (one) => one.oneOf(['linearizable', 'outcomes'])),
    granularity: said('granularity', (one) => one.oneOf(['access', 'await'])),
    deadlock: said('deadlock', (one) => one.oneOf(['error', 'allow'])),
  }
}

/** Nothing if the file has no calls; problems are noted in the field. */
export function clientFromJson(file: Field, text: string): ClientNotes | undefined {
  if (!file.at('history').isPresent) return undefined
  const explanation = file.at('explanation')
  const calls = file.at('history').items().map(callFromJson)
  const stuck = explanation.at('stuck')
  const causes = file.at('causes')
  const repairable = file.at('repairable')
  const indexOf = (field: Field): number => {
    const index = field.count()
    return index < calls.length ? index : field.wrong('the position of a call', 0)
  }
  return {
    client: {
      text,
      steps: stepsFromJson(file.at('steps')),
      history: { calls },
      order: explanation.at('order').items().map(indexOf),
      stuck: stuck.raw === null ? undefined : indexOf(stuck),
      words: explanation.at('words').text(),
    },
    causes: causes.isPresent && causes.raw !== null ? causesFromJson(causes) : undefined,
    repairable: repairable.isPresent ? optionsFromJson(repairable) : undefined,
    lines: linesFromJson(file.at('lines')),
  }
}

function stepsToJson(steps: readonly CodeStep[]): readonly object[] {
  const names = new CodeStepNames()
  return steps.map(({ process, kind, text, site, isSilent, inside }) => {
    const { i, id } = names.of({ process })
    return {
      i,
      id,
      process,
      kind,
      text,
      ...siteToJson(site),
      ...(isSilent === true ? { silent: true } : {}),
      ...(inside === undefined || inside.length === 0
        ? {}
        : { inside: inside.map((one) => ({ text: one.text, ...siteToJson(one.site) })) }),
    }
  })
}

function siteToJson(site: CodeSite | undefined): object {
  if (site === undefined) return {}
  return { function: site.function.name, at: `${site.function.file}:${site.line}:${site.column}` }
}

/** Lines that pictures show: those of the steps, and those of repairs with their neighbours. */
function shownLines(steps: readonly CodeStep[], causes: Causes | undefined): object {
  const shown = new Map<string, Set<number>>()
  const add = (file: string, line: number): void => {
    shown.set(file, (shown.get(file) ?? new Set<number>()).add(line))
  }
  for (const { site, inside = [] } of steps) {
    for (const one of [site, ...inside.map((each) => each.site)]) {
      if (one !== undefined) add(one.function.file, one.line)
    }
  }
  for (const { file, lines } of sectionsOf(causes)) {
    for (let line = lines.first - 1; line <= lines.last + 1; line++) add(file, line)
  }
  return Object.fromEntries(
    [...shown].map(([file, numbers]) => {
      const source = sourceLines(file) ?? []
      const known = [...numbers].sort((left, right) => left - right).filter((line) => source[line - 1] !== undefined)
      return [file, Object.fromEntries(known.map((line) => [line, source[line - 1]]))]
    }),
  )
}

function sectionsOf(causes: Causes | undefined): readonly AtomicSection[] {
  return causes?.repairs[0]?.sections ?? []
}

function stepsFromJson(field: Field): readonly CodeStep[] {
  const names = new CodeStepNames()
  return field.items().map((one) => {
    const step = stepFromJson(one)
    checkNames(one, names.of(step))
    return step
  })
}

function stepFromJson(field: Field): CodeStep {
  const silent = field.at('silent')
  const inside = field.at('inside')
  return {
    process: field.at('process').text(),
    kind: field.at('kind').oneOf(['call', 'access', 'return']),
    site: siteFromJson(field),
    text: field.at('text').text(),
    ...(silent.isPresent && silent.flag() ? { isSilent: true } : {}),
    ...(inside.isPresent ? { inside: inside.items().flatMap(partFromJson) } : {}),
  }
}

function partFromJson(field: Field): NonNullable<CodeStep['inside']> {
  const site = siteFromJson(field)
  return site === undefined ? [] : [{ site, text: field.at('text').text() }]
}

function siteFromJson(field: Field): CodeSite | undefined {
  const at = field.at('at')
  const place = at.isPresent ? at.place() : undefined
  if (place === undefined) return undefined
  const { file, line, column } = place
  const name = field.at('function')
  const lines = { first: line, last: line }
  return { function: { file, name: name.isPresent ? name.text() : '', lines, loops: [] }, line, column }
}

function callFromJson(field: Field): Call {
  const returned = field.at('returned')
  return {
    process: field.at('process').text(),
    operation: field.at('operation').text(),
    args: field
      .at('args')
      .items()
      .map((item) => item.value()),
    result: resultFromJson(field.at('result')),
    invoked: field.at('invoked').count(),
    returned: returned.raw === null ? Number.POSITIVE_INFINITY : returned.count(),
  }
}

function resultFromJson(field: Field): CallResult {
  const kind = field.at('kind').oneOf(['returned', 'threw', 'unknown', 'pending'])
  if (kind === 'returned') return { kind, value: field.at('value').value() }
  return kind === 'threw' ? { kind, error: field.at('error').text() } : { kind }
}

function causesFromJson(field: Field): Causes {
  const applied = field.at('applied')
  return {
    repairs: field.at('repairs').items().map(repairFromJson),
    violating: field.at('violating').count(),
    linearizable: field.at('linearizable').count(),
    capped: field.at('capped').flag(),
    applied:
      applied.raw === null
        ? undefined
        : {
            sections: applied.at('sections').items().map(sectionFromJson),
            clients: applied.at('clients').count(),
            holds: applied.at('holds').flag(),
          },
  }
}

function repairFromJson(field: Field): Repair {
  return {
    sections: field.at('sections').items().map(sectionFromJson),
    ruledOut: field.at('ruledOut').count(),
    disabled: field.at('disabled').count(),
  }
}

function sectionFromJson(field: Field): AtomicSection {
  const lines = field.at('lines')
  return {
    file: field.at('file').text(),
    function: field.at('function').text(),
    lines: { first: lines.at('first').line(), last: lines.at('last').line() },
  }
}

function linesFromJson(field: Field): ClientNotes['lines'] {
  if (!field.isPresent) return new Map()
  return new Map(field.entries().map(([file, lines]) => [file, lines.numbered()] as const))
}
