/** `list`: what there is to check, and with what. */
import { engineList, networkList } from '../../check/catalogue.ts'
import { valueToJson } from '../../core/value-json.ts'
import { showValue } from '../../core/value-text.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { printDiagnostics, refuse } from '../print.ts'
import { type SelectedProgram, selectPrograms } from '../select-programs.ts'

export async function list(files: readonly string[], flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  if (!forms.ok) return refuse(forms.diagnostics, io, flags)
  const asJson = forms.value.includes('json')
  if (flags.engines === true) {
    const all = { engines: engineList(), networks: networkList() }
    io.stdout.write(asJson ? jsonObject(all) : enginesText())
    return exitCodes.ok
  }
  const { programs, diagnostics } = await selectPrograms(files, flags.testName, io.cwd)
  printDiagnostics(diagnostics, io, flags)
  io.stdout.write(asJson ? jsonObject({ programs: programs.map(programJson) }) : programsText(programs))
  return diagnostics.length > 0 ? exitCodes.mistake : exitCodes.ok
}

function jsonObject(content: object): string {
  return `${JSON.stringify({ format: 'allways-list/1', ...content }, undefined, 2)}\n`
}

function programJson({ program, loaded, place }: SelectedProgram): object {
  const { name, network, deadlock } = program
  return {
    program: name,
    file: loaded.file,
    line: place?.line ?? null,
    params: valueToJson(program.params),
    network,
    deadlock,
  }
}

function programsText(programs: readonly SelectedProgram[]): string {
  const rows = programs.map(({ program, loaded, place }) => [
    place === undefined ? loaded.file : `${loaded.file}:${place.line}`,
    program.name,
    program.network,
    Object.entries(program.params)
      .map(([name, value]) => `${name}=${showValue(value, 40)}`)
      .join(' '),
  ])
  return table(rows)
}

function enginesText(): string {
  const engines = engineList().map(({ name, claims, summary }) => [name, claims, summary])
  const networks = networkList().map(({ name, alias, summary }) => [name, alias ?? '', summary])
  return `engines\n${table(engines)}\nnetworks\n${table(networks)}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => ` ${line}`.trimEnd()).join('\n') + (lines.length > 0 ? '\n' : '')
}
