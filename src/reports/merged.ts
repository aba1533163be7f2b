/** What shards come to together: as text for a terminal, and as results of the JSON report. */

import { showValue } from '../core/value-text.ts'
import type { BudgetName, Verdict } from '../core/verdict.ts'
import { replayCommand } from './commands-to-paste.ts'
import { budgetWords, counted } from './count-words.ts'
import type { JsonEvidence, JsonViolation } from './evidence-json.ts'
import { violatedSentence } from './execution-account.ts'
import { type JsonResult, jsonReport } from './json.ts'
import { apart, commandLine, readable, secondsColumn, verdictLines } from './lines.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { accountOf } from './scope.ts'
import type { Shell } from './shell.ts'
import type { TextOptions } from './text.ts'
import { clip, pageWidth, widthOf, wrap } from './text-width.ts'
import { vacuityLines } from './vacuity.ts'

export interface Merged {
  readonly program: string
  readonly file: string
  /** Evidence of violations is in `findings`. */
  readonly verdict: Verdict
  readonly seconds: number
  readonly of: number
  /** In the order in which one thread would have met them. */
  readonly findings: readonly MergedFinding[]
  readonly shortfalls: readonly Shortfall[]
}

export interface MergedFinding {
  readonly evidence: JsonEvidence
  readonly report: string
  readonly shard: number
  /** The piece of the search. */
  readonly at: number
}

/** A shard without a report, or one that was not explored to its end. */
export interface Shortfall {
  readonly shard: number
  readonly report: string | undefined
  readonly because: BudgetName | undefined
}

interface JsonMerged extends Omit<JsonResult, 'shard'> {
  readonly shards: {
    readonly of: number
    readonly missing: readonly { readonly number: number; readonly because: BudgetName | null }[]
  }
}

export function mergedJson(all: readonly Merged[]): readonly JsonMerged[] {
  return all.map((merged): JsonMerged => {
    const { program, file, verdict, seconds, of, findings, shortfalls } = merged
    const { results } = jsonReport([{ program, file, verdict, seconds, findings: [] }])
    const [result] = results as [JsonResult]
    const [first] = findings
    return {
      ...result,
      scope: sentence(merged),
      violation: first?.evidence.violation ?? null,
      trace: first?.evidence.trace ?? null,
      evidence: findings.map(({ evidence }) => evidence),
      shards: { of, missing: shortfalls.map(({ shard: number, because }) => ({ number, because: because ?? null })) },
    }
  })
}

/** 'orders' (fifo, clients = 6). */
export function scopeText({ program, network, params }: JsonResult): string {
  const values = Object.entries(params as object).map(([name, value]) => `${name} = ${showValue(value, 40)}`)
  const words = [...(network === null ? [] : [network]), ...values]
  return `"${program}"${words.length === 0 ? '' : ` (${words.join(', ')})`}`
}

function sentence({ verdict, findings }: Merged): string {
  if (verdict.kind !== 'violated') return accountOf(verdict).sentence(verdict)
  const steps = findings[0]?.evidence.violation?.steps ?? 0
  return violatedSentence(verdict, { violations: findings.length, steps })
}

export function mergedText(merged: Merged, shell: Shell, options: TextOptions = {}): string {
  const dress = { shell, paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false) }
  const { verdict } = merged
  const below = verdict.kind === 'violated' ? violatedLines(merged, dress) : heldLines(merged, dress)
  return [...below, ...shortfallLines(merged, dress)].join('\n')
}

interface Dress {
  readonly shell: Shell
  readonly paint: Paint
  readonly glyphs: Glyphs
}

function heldLines(merged: Merged, { paint, glyphs }: Dress): readonly string[] {
  const { verdict, program, file, seconds, of } = merged
  const words = readable(`${program} ${glyphs.dash} ${sentence(merged)}`, glyphs)
  const facts = accountOf(verdict).facts({ program, file, verdict, seconds, findings: [] })
  const told = [[...facts, counted(of, 'shard')].join(` ${glyphs.dot} `)]
  if (verdict.kind !== 'incomplete') told.push(...accountOf(verdict).coverage(verdict))
  const notes = verdict.kind === 'incomplete' ? [] : vacuityLines(verdict)
  return [
    ...verdictLines({ kind: verdict.kind, words, seconds }, paint, glyphs),
    ...indented(told, glyphs).map((line) => paint.dim(line)),
    ...notes.flatMap((line) => wrap(readable(line, glyphs), pageWidth - 3).map((part) => `   ${paint.bold(part)}`)),
  ]
}

function indented(lines: readonly string[], glyphs: Glyphs): readonly string[] {
  const width = pageWidth - 3
  return lines.flatMap((line) => apart(wrap(readable(line, glyphs), width), width, glyphs)).map((line) => `   ${line}`)
}

function violatedLines(merged: Merged, { paint, glyphs, shell }: Dress): readonly string[] {
  const { program, file, findings, seconds } = merged
  return findings.flatMap(({ evidence, report, shard }, at) => {
    const { violation, trace } = evidence
    const title = clip(readable(titleOf(violation, file), glyphs), pageWidth - 23, glyphs)
    const time = secondsColumn(seconds)
    const gap = ' '.repeat(Math.max(2, pageWidth - widthOf(title) - widthOf(time) - 14))
    const heading = ` ${paint.red(glyphs.bad)} ${paint.bold(title)}${gap}${paint.red('violated')}   ${paint.dim(time)}`
    const about = at > 0 ? [] : [`${program} ${glyphs.dot} ${sentence(merged)}`]
    const found = `found in shard ${shard} of ${merged.of}, which ${report} reports`
    return [
      heading,
      ...indented([...about, violation?.message ?? '', found], glyphs),
      ...commandLine('replay', typeof trace === 'string' ? replayCommand(shell, trace) : undefined),
    ]
  })
}

function titleOf(violation: JsonViolation | null | undefined, file: string): string {
  const { place = null, kind = '', process = null } = violation ?? {}
  const where = place === null ? file : `${place.file}:${place.line}`
  return `${where}  ${kind} violated${process === null ? '' : ` in ${process}`}`
}

function shortfallLines({ verdict, shortfalls, of }: Merged, { paint, glyphs }: Dress): readonly string[] {
  const absent = shortfalls.filter(({ report }) => report === undefined).map(({ shard }) => shard)
  const lines = [
    ...(absent.length === 0 ? [] : [`missing: ${absent.length === 1 ? 'shard' : 'shards'} ${listed(absent)} of ${of}`]),
    ...shortfalls.flatMap(({ shard, report, because }) =>
      report === undefined
        ? []
        : [
            `shard ${shard} of ${of} (${report}) was ended by ${because === undefined ? 'its engine' : budgetWords[because]}`,
          ],
    ),
  ]
  const isViolated = verdict.kind === 'violated' && lines.length > 0
  const more = isViolated ? ['what is missing may hold a violation that comes before'] : []
  return indented([...lines, ...more], glyphs).map((line) => paint.bold(line))
}

function listed(numbers: readonly number[]): string {
  return numbers.length < 2 ? numbers.join('') : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
