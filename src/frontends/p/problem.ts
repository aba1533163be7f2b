/** Mistakes in sources of P: where they are, in characters of a source, and what to do about them. */
import type { Diagnostic, Place } from '../../core/diagnostic.ts'
import type { DiagnosticCode } from '../../core/diagnostic-codes.ts'
import type { SourceText, Span } from './ast.ts'

export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
  readonly at: Span
  /** Another place that belongs to it, such as the bracket that is not closed. */
  readonly second?: { readonly at: Span; readonly label: string } | undefined
}

export function toDiagnostic(problem: Problem, sources: readonly SourceText[]): Diagnostic {
  const { code, message, hint, second } = problem
  const place = placeOf(problem.at, sources)
  if (second === undefined) return { code, message, hint, place }
  const other = placeOf(second.at, sources)
  const where = other.file === place.file ? `line ${other.line}` : `${other.file}:${other.line}:${other.column}`
  return { code, message: `${message} (${second.label}: ${where})`, hint, place }
}

/** Line and column of the beginning of a span. A byte-order mark has no column. */
export function placeOf(span: Span, sources: readonly SourceText[]): Place {
  const source = sources[span.source]
  if (source === undefined) throw new Error(`there is no source ${span.source}`)
  const lines = source.text.slice(source.text.startsWith('\ufeff') ? 1 : 0, span.start).split(/\r\n|\r|\n/)
  return { file: source.file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** What is wrong with one source. After the first few, further ones help nobody: they are counted out by `isFull`. */
export class Problems {
  #found: Problem[] = []
  readonly #starts = new Set<number>()
  #trusted = Number.POSITIVE_INFINITY

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  get isFull(): boolean {
    return this.#found.length >= mostProblems
  }

  /** What is found behind the offset follows from a mistake there. */
  distrustBehind(offset: number): void {
    this.#trusted = offset
    this.#found = this.#found.filter(({ at }) => at.start < offset)
  }

  /** One per place: what a second one says there follows from the first. */
  add(problem: Problem): void {
    const { start } = problem.at
    if (this.isFull || start > this.#trusted || this.#starts.has(start)) return
    this.#starts.add(start)
    this.#found.push(problem)
  }

  /** In the order of the source. */
  all(): readonly Problem[] {
    return this.#found.toSorted((left, right) => left.at.start - right.at.start)
  }
}

const mostProblems = 20
