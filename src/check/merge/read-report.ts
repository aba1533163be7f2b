/** Reports as JSON, read back: of each the results that are of shards. What is not as we write it is told, and nothing of it is used. */
import { parsedJson } from '../../artifact/artifact.ts'
import { namedText } from '../../artifact/named-file.ts'
import { schemaProblems } from '../../artifact/schemas.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { DonePiece } from '../../core/shard.ts'
import { addCounts, type Counts, noCounts } from '../../core/verdict.ts'
import { type Known, mostCode, outcomeCodes, vacuityCodes } from '../../core/witness.ts'
import type { JsonEvidence } from '../../reports/evidence-json.ts'
import type { JsonResult, JsonShard } from '../../reports/json.ts'
import { isShard } from '../resolve-options.ts'
import { Field, isRecord } from '../trace-fields.ts'
import { checkScope } from './read-scope.ts'

export interface ShardReport {
  /** As the user typed it. */
  readonly report: string
  readonly result: JsonResult & { readonly shard: JsonShard }
}

/** A report without results says at most why. */
export interface ReadReport {
  readonly report: string
  readonly shards: readonly ShardReport[]
  readonly mistake: string | undefined
}

const longestReport = 256_000_000

export function readReport(path: string, report: string): Result<ReadReport> {
  const kind = {
    what: 'report',
    longest: longestReport,
    hint: 'name what allways check --shard i/n --json has printed',
  }
  const text = namedText(path, kind, report)
  if (!text.ok) return text
  const parsed = parsedJson(text.value)
  if ('why' in parsed) return failure(unfit(`the report ${report} cannot be read: ${parsed.why}`))
  const content = isRecord(parsed.json) ? parsed.json : {}
  if (content.format !== 'allways-report/1') return failure(unfit(`${report} is no report of this version of allways`))
  const problems: string[] = []
  const file = new Field(content, '', problems)
  const results = file.at('results').items()
  const whole = results.find((one) => !one.at('shard').isPresent)
  if (whole !== undefined) return failure(unfit(`${report} has a result that is of no shard: ${namesOf(whole)}`))
  const shards = results.map((one) => ({ report, result: shardResult(one) }))
  if (problems.length === 0) problems.push(...schemaProblems('report-1', content))
  if (problems.length > 0) return failure(unfit(`the report ${report} is damaged: ${problems[0]}`))
  return success({ report, shards, mistake: mistakeIn(content) })
}

/** What tells the searches of one run apart. */
export function searchKey({ result: { program, file, engine, network, params, faults = {} } }: ShardReport): string {
  return JSON.stringify([program, file, engine, network, params, faults])
}

export function unfit(message: string, hint = 'explore its shard again: allways check --shard i/n --json'): Diagnostic {
  return { code: 'E113', message, hint }
}

function namesOf(result: Field): string {
  return `"${String(result.at('program').raw)}"`
}

/** Why there are no results, or fewer. */
function mistakeIn({ diagnostics, defects }: { readonly [field: string]: unknown }): string | undefined {
  const [first] = [diagnostics, defects].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  if (!isRecord(first)) return undefined
  return `${typeof first.code === 'string' ? `${first.code} ` : ''}${String(first.message)}`
}

function shardResult(field: Field): ShardReport['result'] {
  for (const name of ['program', 'file', 'scope']) field.at(name).text()
  checkScope(field)
  const verdict = field.at('verdict').oneOf(['passed', 'violated', 'incomplete'])
  const counts = countsOf(field.at('counts'))
  const seconds = field.at('seconds')
  if (typeof seconds.raw !== 'number' || !(seconds.raw >= 0)) seconds.wrong('a number of seconds', 0)
  const evidence = field.at('evidence').items()
  for (const one of evidence) one.object()
  const findings = evidence.filter((one) => one.at('violation').isPresent && one.at('violation').raw !== null)
  for (const one of findings) findingOf(one)
  if ((verdict === 'violated') !== findings.length > 0) field.at('verdict').wrong('that of its evidence', 0)
  const shard = shardOf(field.at('shard'), { counts, findings: findings.length })
  return { ...(field.raw as JsonResult), evidence: evidence.map(({ raw }) => raw as JsonEvidence), counts, shard }
}

function findingOf(field: Field): void {
  const violation = field.at('violation')
  for (const name of ['kind', 'property', 'message']) violation.at(name).text()
  violation.at('steps').count()
  if (violation.at('process').raw !== null) violation.at('process').text()
  const place = violation.at('place')
  if (place.raw !== null) [place.at('file').text(), place.at('line').line()]
}

function countsOf(field: Field): Counts {
  return Object.fromEntries(field.entries().map(([name, one]) => [name, one.count()]))
}

function shardOf(field: Field, told: { readonly counts: Counts; readonly findings: number }): JsonShard {
  const [number, of, pieces] = [field.at('number').count(), field.at('of').count(), field.at('pieces').count()]
  if (!isShard({ number, of })) field.wrong('a shard', 0)
  const done = field.at('done').items().map(pieceOf)
  const search = field.at('search')
  const shard: JsonShard = {
    ...{ number, of, pieces, done },
    cut: field.at('cut').text(),
    foundIn: field
      .at('foundIn')
      .items()
      .map((one) => one.count()),
    ended: field
      .at('ended')
      .oneOf(['exhausted', 'undecided', 'violation', 'time', 'executions', 'memory', 'interrupt']),
    claim: field.at('claim').oneOf(['proved', 'verified', 'passed']),
    seen: field.at('seen').items().map(seenOf),
    search: {
      version: search.at('version').text(),
      program: search.at('program').text(),
      settings: search.at('settings').text(),
    },
  }
  checkSums(field, shard, told)
  return shard
}

/** What it says of its pieces is what it says of itself. */
function checkSums(
  field: Field,
  { done, pieces, foundIn, ended }: JsonShard,
  { counts, findings }: { readonly counts: Counts; readonly findings: number },
): void {
  const places = done.map(({ at }) => at)
  const isInOrder = places.every((at, index) => at < pieces && at > (places[index - 1] ?? -1))
  if (!isInOrder) field.at('done').wrong('pieces in their order', 0)
  if (foundIn.length !== findings || !foundIn.every((at) => at < pieces))
    field.at('foundIn').wrong('the pieces of its violations', 0)
  const sum = done.reduce((total, piece) => addCounts(total, piece.counts), noCounts)
  const isWhole = ended === 'exhausted' || ended === 'violation'
  const isSum = Object.entries(counts).every(([name, count]) => (isWhole ? (sum[name] ?? 0) : count) === count)
  if (!isSum) field.at('done').wrong('pieces that add up to its counts', 0)
}

function pieceOf(field: Field): DonePiece {
  return { at: field.at('at').count(), counts: countsOf(field.at('counts')), share: field.at('share').share() }
}

function seenOf(field: Field): Known[number] {
  const count = field.at('count')
  return {
    code: field.at('code').oneOf([...vacuityCodes, ...outcomeCodes, mostCode]),
    subject: field.at('subject').text(),
    count: count.isPresent ? count.count() : undefined,
  }
}
