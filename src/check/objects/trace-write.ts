/** Writes the trace of a client that fails, with all that is needed to show it without its program. */
import type { AtomicSection, CodeSite } from '../../core/code.ts'
import type { Causes, ClientCounterexample, CodeStep } from '../../core/evidence.ts'
import { historyToJson } from '../../reports/call-json.ts'
import { causesToJson, explanationToJson } from '../../reports/evidence-json.ts'
import { sourceLines } from '../source-places.ts'
import { writeTraceFile } from '../trace-file.ts'
import type { ClientBounds, ObjectTrace } from './trace-object.ts'

export interface ObjectTraceContext {
  readonly counterexample: ClientCounterexample
  readonly causes: Causes | undefined
  /** The verdict's scope in words. */
  readonly scope: string
  readonly bounds: ClientBounds | undefined
  readonly repairCommand: string | undefined
  /** Digests of the source files. */
  readonly sources: Readonly<Record<string, string>>
}

/** Below `directory`; returns the path. */
export function writeObjectTrace(directory: string, trace: ObjectTrace, context: ObjectTraceContext): string {
  const { counterexample, causes, scope, bounds, repairCommand, sources } = context
  const { violation, client } = counterexample
  const { steps, history } = client
  const { name, file } = trace.program
  const content = {
    ...trace,
    property: { name: violation.property, verdict: 'violated', kind: violation.kind, message: violation.message },
    scope,
    bounds,
    repairCommand,
    sources,
    history: historyToJson(history),
    explanation: explanationToJson(client),
    steps: stepsToJson(steps),
    causes: causes === undefined ? null : causesToJson(causes),
    lines: shownLines(steps, causes),
  }
  const { setting, decisions } = trace
  const key = JSON.stringify([name, file, setting, decisions, violation.kind])
  return writeTraceFile(directory, { program: name, property: violation.property, kind: violation.kind, key }, content)
}

/** Steps are named (process, index), as those of programs. */
function stepsToJson(steps: readonly CodeStep[]): readonly object[] {
  const counts = new Map<string, number>()
  return steps.map(({ process, kind, text, site, isSilent, inside }, at) => {
    const index = counts.get(process) ?? 0
    counts.set(process, index + 1)
    return {
      i: at + 1,
      id: `${process}#${index}`,
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
