/** `replay` and `show` for traces of classes. */
import { resolve } from 'node:path'
import type { ReporterName } from '../check/catalogue.ts'
import { loadTarget, type ObjectOrigin, type ObjectTarget } from '../check/objects/target.ts'
import type { ObjectTrace, ObjectTraceFile, ObjectTraceNotes } from '../check/objects/trace-object.ts'
import { type ReplayedObjectTrace, replayObjectTrace } from '../check/objects/trace-replay.ts'
import { sourceLines } from '../check/source-places.ts'
import { noObjectCounts, type ObjectCounterexample, type ObjectScope } from '../core/object-verdict.ts'
import { jsonText } from '../reports/json.ts'
import type { ReportedObject } from '../reports/object-result.ts'
import { objectHeadline, textObject } from '../reports/object-text.ts'
import { glyphsFor, plainPaint } from '../reports/paint.ts'
import { type TextOptions, textResult } from '../reports/text.ts'
import { clip, pageWidth, printable, widthOf, wrap } from '../reports/text-width.ts'
import type { TypedFlags } from './arguments.ts'
import { traceCommands } from './commands-to-paste.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { refuse, textOptions } from './print.ts'
import { programFile } from './resume.ts'
import { changedSources } from './trace-source.ts'

export interface TraceTerminal {
  readonly io: Io
  readonly flags: TypedFlags
  readonly reporters: readonly ReporterName[]
}

/** 1 = it is violated again, 0 = still possible and fine, 2 = the trace no longer fits. */
export async function replayObject(typed: string, file: ObjectTraceFile, terminal: TraceTerminal): Promise<ExitCode> {
  const { io, flags } = terminal
  const { trace, notes, sources } = file
  const target = await loadTarget(targetOf(trace, programFile(trace.program.file, resolve(io.cwd, typed), io.cwd)))
  if (!target.ok) return refuse(target.diagnostics, io, flags)
  const { loaded } = target.value
  const changes = changedSources(trace.program, sources, loaded)
  const replayed = replayObjectTrace(target.value, trace, changes)
  if (!replayed.ok) return refuse(replayed.diagnostics, io, flags)
  const isChanged = loaded.digest !== trace.program.digest
  if (isChanged) io.stderr.write(` note: ${changes}\n`)
  const { counterexample } = replayed.value
  const isAsRecorded = counterexample?.violation.message === notes?.counterexample.violation.message
  // What was found out about causes is true of the sources it was found in.
  const known = isAsRecorded && !isChanged ? notes : undefined
  const result = resultOf(typed, trace, replayed.value, { ...known, sources: sourceLines })
  print(
    result,
    { standing: isAsRecorded ? 'reproduced' : 'violated otherwise', about: aboutOf(trace, notes) },
    terminal,
  )
  return counterexample === undefined ? exitCodes.ok : exitCodes.violated
}

export function showObject(typed: string, { trace, notes }: ObjectTraceFile, terminal: TraceTerminal): ExitCode {
  if (notes === undefined) {
    const hint = 'allways replay derives them from the class'
    return refuse(
      [{ code: 'E402', message: `the trace ${typed} has no steps to show`, hint }],
      terminal.io,
      terminal.flags,
    )
  }
  const { counterexample, lines } = notes
  const result = resultOf(
    typed,
    trace,
    { scope: scopeOf(trace), counterexample },
    { ...notes, sources: recorded(lines) },
  )
  print(result, { standing: 'recorded', about: aboutOf(trace, notes) }, terminal)
  return exitCodes.ok
}

function targetOf({ setting }: ObjectTrace, path: string): ObjectTarget {
  return { path, origin: originOf(setting), specification: setting.specification, hasClients: true }
}

function originOf({ subject }: ObjectTrace['setting']): ObjectOrigin {
  return 'class' in subject
    ? { kind: 'class', name: subject.class, args: [] }
    : { kind: 'export', name: subject.export }
}

function resultOf(
  typed: string,
  trace: ObjectTrace,
  replayed: ReplayedObjectTrace,
  { causes, bounds, repairCommand, sources }: Partial<ObjectTraceNotes> & Pick<ReportedObject, 'sources'>,
): ReportedObject {
  const { name, file } = trace.program
  const counts = noObjectCounts
  const { counterexample } = replayed
  const scope = { ...replayed.scope, bounds }
  return {
    kind: 'object',
    program: name,
    file,
    verdict:
      counterexample === undefined
        ? { kind: 'passed', scope, counts }
        : { kind: 'violated', scope, counts, counterexample, others: [], causes },
    seconds: 0,
    findings:
      counterexample === undefined ? [] : [{ tracePath: typed, replayCommand: traceCommands(typed).replayCommand }],
    sources,
    repairCommand,
  }
}

/** What a trace says about the search it was found in. */
function scopeOf({ setting, foundBy }: ObjectTrace): ObjectScope {
  const { granularity, criterion, deadlock, specification } = setting
  return {
    engine: 'stateful',
    reduction: 'lazy',
    safeSets: true,
    stateless: false,
    order: 'sequential',
    seed: foundBy.seed,
    granularity,
    criterion,
    specification: specification ?? 'the class itself, run sequentially',
    bounds: undefined,
    deadlock,
    sections: [],
  }
}

function recorded(lines: ObjectTraceNotes['lines']): ReportedObject['sources'] {
  return (file) => {
    const known = lines.get(file)
    if (known === undefined) return undefined
    const last = Math.max(0, ...known.keys())
    return Array.from({ length: last }, (_, at) => known.get(at + 1) ?? '')
  }
}

function aboutOf({ foundBy, decisions }: ObjectTrace, notes: ObjectTraceNotes | undefined): string {
  return `found by ${foundBy.engine}: ${notes?.scope || `${decisions.length} decisions`}`
}

interface Heading {
  /** 'reproduced', 'recorded'. */
  readonly standing: string
  readonly about: string
}

function print(result: ReportedObject, heading: Heading, { io, flags, reporters }: TraceTerminal): void {
  const options = textOptions(io, flags)
  for (const form of reporters) {
    if (form === 'json') io.stdout.write(`${jsonText([result])}\n`)
    if (form === 'text') io.stdout.write(`${text(result, heading, options)}\n`)
    if (form === 'mermaid') io.stderr.write(` note: ${result.program} exchanges no messages to draw\n`)
  }
}

/** Its own heading, and below it exactly what was printed when the violation was found. */
function text(result: ReportedObject, heading: Heading, options: TextOptions): string {
  const { verdict } = result
  if (verdict.kind !== 'violated') return textResult(result, options)
  const dress = { paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false), legend: true }
  const [, ...sections] = textObject(result, dress).split('\n\n')
  return [headingText(result, verdict.counterexample, heading, dress), ...sections].join('\n\n')
}

function headingText(
  result: ReportedObject,
  counterexample: ObjectCounterexample,
  { standing, about }: Heading,
  {
    paint,
    glyphs,
  }: { readonly paint: NonNullable<TextOptions['paint']>; readonly glyphs: ReturnType<typeof glyphsFor> },
): string {
  const words = (line: string): string => printable(glyphs.ascii ? line.replaceAll('×', 'x') : line, glyphs.ascii)
  const title = clip(words(objectHeadline(result, counterexample)), pageWidth - 5 - widthOf(standing), glyphs)
  const gap = ' '.repeat(pageWidth - 3 - widthOf(title) - widthOf(standing))
  const subject = wrap(words(`${result.file} · ${about}`), pageWidth - 3)
  const first = ` ${paint.red(glyphs.bad)} ${paint.bold(title)}${gap}${paint.red(standing)}`
  return [first, ...subject.map((line) => `   ${paint.dim(line)}`)].join('\n')
}
