/** Results on stdout as they come, in the forms asked for. With JSON among them, stdout holds that one object and nothing else. */

import type { ReporterName } from '../check/catalogue.ts'
import { type Limits, unlessSpent } from '../check/spent.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { coverageText } from '../reports/coverage-text.ts'
import { type Defect, jsonReport } from '../reports/json.ts'
import { mermaidDiagrams } from '../reports/mermaid.ts'
import type { Reported } from '../reports/result.ts'
import { resultPages, type TextOptions, textResult, textSummary, textWarnings } from '../reports/text.ts'
import type { TypedFlags } from './arguments.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { type ErrorContext, reportInternalError } from './internal-error.ts'
import type { Io } from './io.ts'
import { reportLimits } from './kept-traces.ts'
import { printDiagnostics, textOptions } from './print.ts'
import type { SearchHost } from './search.ts'
import type { Terminal } from './terminal.ts'

export class Output {
  readonly #io: Io
  readonly #flags: TypedFlags
  readonly #reporters: readonly ReporterName[]
  readonly #options: TextOptions
  readonly #results: Reported[] = []
  readonly #diagnostics: Diagnostic[] = []
  readonly #defects: Defect[] = []
  readonly #warnings: Diagnostic[] = []
  /** What a reader of JSON gets in place of results. */
  #instead: object | undefined
  #printed = 0
  #explained = false

  constructor(io: Io, flags: TypedFlags, reporters: readonly ReporterName[]) {
    this.#io = io
    this.#flags = flags
    this.#reporters = reporters
    this.#options = textOptions(io, flags)
  }

  /** Once somebody waits for the end, without what takes as long as executions are. */
  async result(result: Reported, waiting: Pick<SearchHost, 'signal' | 'clock'>): Promise<void> {
    this.#results.push(result)
    // What --strict fails for is in the notes.
    const isGood = exitCodeOf(result.verdict, { strict: this.#flags.strict }) === exitCodes.ok
    if (isGood && this.#flags.quiet === true) return
    const limits = reportLimits(waiting)
    if (this.#reporters.includes('text')) this.#print(await this.#text(result, limits))
    if (this.#reporters.includes('text') && this.#flags.coverage === true) this.#coverage(result)
    if (this.#reporters.includes('mermaid')) await this.#diagram(result, limits)
  }

  patch(text: string): void {
    if (this.#printed++ > 0) this.#sink().write('\n')
    this.#sink().patch(text)
  }

  /** What was asked for beside results. */
  text(text: string): void {
    this.#print(text)
  }

  /** The same, for a reader of JSON. */
  json(content: unknown): void {
    this.#sink().json(JSON.stringify(content, undefined, 2))
    this.#printed++
  }

  /** Text for people, and data for a reader of JSON, in place of results. */
  instead(text: () => string, data: () => object): void {
    if (this.#reporters.includes('text')) this.#print(text())
    if (this.#reporters.includes('json')) this.#instead = data()
  }

  /** Each once: a mistake in a flag is one in every check that the flag is for. */
  diagnostics(diagnostics: readonly Diagnostic[]): void {
    const known = new Set(this.#diagnostics.map(printed))
    const fresh = diagnostics.filter((one) => !known.has(printed(one)))
    this.#diagnostics.push(...fresh)
    printDiagnostics(fresh, this.#io, this.#flags)
  }

  /** What looks like a slip; results follow. */
  warnings(warnings: readonly Diagnostic[]): void {
    this.#warnings.push(...warnings)
    const isShown = warnings.length > 0 && (this.#flags.quiet !== true || this.#flags.strict === true)
    if (isShown) this.#io.stderr.write(`${textWarnings(warnings, this.#options)}\n`)
  }

  /** What failed because of us has no result, and is told with those of the others. */
  async defect(error: unknown, doing: ErrorContext): Promise<void> {
    const { program = null, file = null, engine = null } = doing
    this.#defects.push({ message: await reportInternalError(error, this.#io, doing), program, file, engine })
  }

  end(): void {
    const sumsUp = this.#reporters.includes('text') && this.#results.length > 1 && this.#flags.quiet !== true
    const areLeft = this.#diagnostics.length + this.#defects.length > 0
    if (sumsUp) this.#print(textSummary(this.#results, areLeft, this.#options))
    if (!this.#reporters.includes('json')) return
    const report = jsonReport(this.#results, this.#diagnostics, this.#defects, this.#warnings)
    const { format: _, results: __, ...mistakes } = report
    this.#io.stdout.json(
      JSON.stringify(this.#instead === undefined ? report : { ...this.#instead, ...mistakes }, undefined, 2),
    )
  }

  #coverage({ verdict: { coverage } }: Reported): void {
    if (coverage !== undefined) this.#print(coverageText(coverage, this.#options))
  }

  async #diagram({ program, verdict }: Reported, limits: Limits): Promise<void> {
    if (verdict.scope.criterion !== undefined)
      this.#io.stderr.line(` note: ${program} exchanges no messages to draw; --html draws its calls`)
    const drawn = await unlessSpent(mermaidDiagrams(verdict), limits, { patience: 0 })
    if ('answer' in drawn) for (const text of drawn.answer) this.#print(text)
    else this.#io.stderr.line(` note: interrupted: no diagram of ${program} was drawn`)
  }

  /** The notation is explained under the first picture only. */
  async #text(result: Reported, limits: Limits): Promise<string> {
    const options = { ...this.#options, legend: !this.#explained }
    if (result.verdict.kind === 'violated') this.#explained = true
    const whole = await unlessSpent(resultPages(result, options), limits, { patience: 0 })
    return 'answer' in whole ? whole.answer : textResult(result, { ...options, isBrief: true })
  }

  #print(text: string): void {
    this.#sink().write(`${this.#printed++ > 0 ? '\n' : ''}${text}\n`)
  }

  #sink(): Terminal {
    return this.#reporters.includes('json') ? this.#io.stderr : this.#io.stdout
  }
}

function printed({ code, message, hint, place, frame }: Diagnostic): string {
  return JSON.stringify([code, message, hint, place, frame])
}
