/** A trace as text: its own heading, and below it exactly what was printed when the violation was found. */
import type { Counterexample } from '../core/evidence.ts'
import { headline, textFinding } from '../reports/finding.ts'
import { glyphsFor, plainPaint } from '../reports/paint.ts'
import type { ReportedFinding, ReportedResult } from '../reports/result.ts'
import type { TextOptions } from '../reports/text.ts'
import { clip, pageWidth, printable, widthOf, wrap } from '../reports/text-width.ts'

export interface TraceView {
  readonly result: ReportedResult
  readonly counterexample: Counterexample
  readonly finding: ReportedFinding
  /** 'reproduced', 'recorded'. */
  readonly standing: string
  /** What the trace file says about how it was found. */
  readonly about: string
}

export function traceText(view: TraceView, options: TextOptions): string {
  const { result, counterexample, finding } = view
  const dress = { paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false), legend: true }
  const [, ...sections] = textFinding({ result, counterexample, finding }, dress).split('\n\n')
  return [heading(view, options), ...sections].join('\n\n')
}

function heading({ result, counterexample, finding, standing, about }: TraceView, options: TextOptions): string {
  const paint = options.paint ?? plainPaint
  const glyphs = glyphsFor(options.ascii ?? false)
  const where = finding.place === undefined ? result.file : `${finding.place.file}:${finding.place.line}`
  const room = pageWidth - 5 - widthOf(standing)
  const title = clip(printable(`${where}  ${headline(counterexample.violation, glyphs)}`, glyphs.ascii), room, glyphs)
  const gap = ' '.repeat(pageWidth - 3 - widthOf(title) - widthOf(standing))
  const subject = wrap(printable(`${result.program} · ${about}`, glyphs.ascii), pageWidth - 3)
  const first = ` ${paint.red(glyphs.bad)} ${paint.bold(title)}${gap}${paint.red(standing)}`
  return [first, ...subject.map((line) => `   ${paint.dim(line)}`)].join('\n')
}
