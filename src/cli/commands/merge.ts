/** `merge`: from reports of shards, the verdict of the whole. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { atPath } from '../../artifact/named-file.ts'
import { merged } from '../../check/merge/merge.ts'
import { type ReadReport, readReport } from '../../check/merge/read-report.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { jsonReport } from '../../reports/json.ts'
import { mergedJson, mergedText } from '../../reports/merged.ts'
import { printable } from '../../reports/text-width.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from '../exit-codes.ts'
import { type Io, usesAscii } from '../io.ts'
import type { TypedMergeFlags } from '../merge-arguments.ts'
import { refuse, textOptions } from '../print.ts'

export function merge(typed: readonly string[], flags: TypedMergeFlags, io: Io): ExitCode {
  const files = typed.map((one) => filesAt(one, io.cwd))
  const read = files.flatMap((one) =>
    one.ok ? one.value.map((name) => readReport(resolve(io.cwd, name), name)) : [one],
  )
  const problems = read.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (problems.length > 0) return refuse(problems, io, flags)
  const reports = read.flatMap((one) => (one.ok ? [one.value] : []))
  const searches = merged(reports)
  if (!searches.ok) return refuse(searches.diagnostics, io, flags)
  for (const report of reports) tellMistake(report, flags, io)
  if (searches.value.length === 0) return refuse([nothingIn(typed)], io, flags)
  const codes = searches.value.map(({ verdict }) => exitCodeOf(verdict, flags))
  const told = searches.value.filter((_, at) => codes[at] !== exitCodes.ok || flags.quiet !== true)
  if (flags.json === true)
    io.stdout.json(JSON.stringify({ ...jsonReport([]), results: mergedJson(searches.value) }, undefined, 2))
  else if (told.length > 0)
    io.stdout.write(`${told.map((one) => mergedText(one, io.shell, textOptions(io, flags))).join('\n\n')}\n`)
  return codes.reduce<ExitCode>(worse, exitCodes.ok)
}

/** All reports of a folder that is named. */
function filesAt(typed: string, cwd: string): Result<readonly string[]> {
  if (atPath(resolve(cwd, typed)).kind !== 'folder') return success([typed])
  const names = readdirSync(resolve(cwd, typed)).filter((name) => name.endsWith('.json'))
  return names.length > 0 ? success(names.sort().map((name) => join(typed, name))) : failure(nothingIn([typed]))
}

function nothingIn(typed: readonly string[]): Diagnostic {
  return {
    code: 'E101',
    message: `there are no results of shards in ${typed.join(', ')}`,
    hint: 'name what allways check --shard i/n --json has printed',
  }
}

/** A mistake in one job of many is easily overlooked. */
function tellMistake({ report, mistake }: ReadReport, flags: TypedMergeFlags, io: Io): void {
  if (mistake !== undefined && flags.quiet !== true)
    io.stderr.line(` note: ${report} reports a mistake: ${printable(mistake, usesAscii(io, flags.ascii))}`)
}
