/**
 * Traces of objects: a class, a client and the decisions, which is all that replay reads, and derived parts that show the
 * execution without its program.
 */
import type { AtomicSection, CodeSite } from '../../core/code.ts'
import type { Causes, ClientCounterexample, CodeStep, Repair } from '../../core/evidence.ts'
import type { Call, CallResult } from '../../core/history.ts'
import { propertyKinds } from '../../core/property.ts'
import { type Decision, type Trace, traceFormat } from '../../core/trace.ts'
import type { Criterion } from '../../core/verdict.ts'
import { type Field, originFromJson, programFromJson } from '../trace-fields.ts'

export interface ObjectTrace extends Omit<Trace, 'setting'> {
  readonly setting: ObjectTraceSetting
}

interface ObjectTraceSetting {
  readonly client: string
  /** The export that declares the check, or the exported class. */
  readonly subject: { readonly export: string } | { readonly class: string }
  readonly granularity: 'access' | 'await'
  readonly criterion: Criterion
  readonly deadlock: 'error' | 'allow'
  /** The name of the specification that was asked for instead of what the check says. */
  readonly specification?: string | undefined
}

export interface ObjectTraceFile {
  readonly kind: 'object'
  readonly trace: ObjectTrace
  /** Nothing if the file holds no more than replay needs. */
  readonly notes: ObjectTraceNotes | undefined
  readonly sources: Readonly<Record<string, string>>
}

export interface ClientBounds {
  readonly processes: number
  readonly calls: number
}

/** What was seen when the trace was written. */
export interface ObjectTraceNotes {
  readonly counterexample: ClientCounterexample
  readonly causes: Causes | undefined
  readonly scope: string
  readonly bounds: ClientBounds | undefined
  /** Prints the repair as a patch. */
  readonly repairCommand: string | undefined
  /** Lines of source, by file and line, as far as pictures show them. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>
}

export function objectTraceFile(file: Field): ObjectTraceFile {
  const trace: ObjectTrace = {
    format: traceFormat,
    program: programFromJson(file.at('program')),
    setting: settingFromJson(file.at('setting')),
    decisions: file.at('decisions').items().map(decisionFromJson),
    foundBy: originFromJson(file.at('foundBy')),
  }
  const sources = file.at('sources')
  return {
    kind: 'object',
    trace,
    notes: file.at('steps').isPresent && file.at('history').isPresent ? notesFromJson(file, trace) : undefined,
    sources: sources.isPresent
      ? Object.fromEntries(sources.entries().map(([name, digest]) => [name, digest.text()]))
      : {},
  }
}

function settingFromJson(field: Field): ObjectTraceSetting {
  const subject = field.at('subject')
  const byClass = subject.at('class')
  const specification = field.at('specification')
  return {
    client: field.at('client').text(),
    subject: byClass.isPresent ? { class: byClass.text() } : { export: subject.at('export').text() },
    granularity: field.at('granularity').oneOf(['access', 'await']),
    criterion: field.at('criterion').oneOf(['linearizable', 'outcomes']),
    deadlock: field.at('deadlock').oneOf(['error', 'allow']),
    ...(specification.isPresent ? { specification: specification.text() } : {}),
  }
}

function decisionFromJson(field: Field): Decision {
  return { kind: field.at('kind').oneOf(['step']), process: field.at('process').text() }
}

function notesFromJson(file: Field, { setting, decisions }: ObjectTrace): ObjectTraceNotes {
  const property = file.at('property')
  const explanation = file.at('explanation')
  const calls = file.at('history').items().map(callFromJson)
  const stuck = explanation.at('stuck')
  const causes = file.at('causes')
  const scope = file.at('scope')
  const bounds = file.at('bounds')
  const command = file.at('repairCommand')
  const indexOf = (field: Field): number => {
    const index = field.count()
    return index < calls.length ? index : field.wrong('the position of a call', 0)
  }
  return {
    counterexample: {
      violation: {
        kind: property.at('kind').oneOf(propertyKinds),
        property: property.at('name').text(),
        message: property.at('message').text(),
      },
      decisions,
      events: [],
      foundIn: decisions.length,
      processes: [],
      client: {
        text: setting.client,
        steps: file.at('steps').items().map(stepFromJson),
        history: { calls },
        order: explanation.at('order').items().map(indexOf),
        stuck: stuck.raw === null ? undefined : indexOf(stuck),
        words: explanation.at('words').text(),
      },
    },
    causes: causes.isPresent && causes.raw !== null ? causesFromJson(causes) : undefined,
    scope: scope.isPresent ? scope.text() : '',
    bounds: bounds.isPresent
      ? { processes: bounds.at('processes').count(), calls: bounds.at('calls').count() }
      : undefined,
    repairCommand: command.isPresent ? command.text() : undefined,
    lines: linesFromJson(file.at('lines')),
  }
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
    lines: { first: lines.at('first').count(), last: lines.at('last').count() },
  }
}

function linesFromJson(field: Field): ObjectTraceNotes['lines'] {
  if (!field.isPresent) return new Map()
  return new Map(
    field.entries().map(([file, lines]) => {
      const known = lines.entries().map(([line, text]) => [Number(line), text.text()] as const)
      return [file, new Map(known)] as const
    }),
  )
}
