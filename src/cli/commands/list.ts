/** `list`: what there is to check, and with what. */
import { engineList, networkList } from '../../check/catalogue.ts'
import { listedClass } from '../../check/objects/listed-class.ts'
import type { Diagnostic, Place } from '../../core/diagnostic.ts'
import { valueToJson } from '../../core/value-json.ts'
import { showValue } from '../../core/value-text.ts'
import { counted } from '../../reports/count-words.ts'
import { readable } from '../../reports/lines.ts'
import { type Glyphs, glyphsFor } from '../../reports/paint.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import { type Io, usesAscii } from '../io.ts'
import { printDiagnostics, refuse } from '../print.ts'
import { type SelectedProgram, selectPrograms } from '../select-programs.ts'
import { diagramsText } from '../state-diagrams.ts'

export async function list(files: readonly string[], flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  if (!forms.ok) return refuse(forms.diagnostics, io, flags)
  const asJson = forms.value.includes('json')
  const glyphs = glyphsFor(usesAscii(io, flags.ascii))
  if (flags.engines === true) {
    const ignored = [...files, ...(flags.testName === undefined ? [] : ['--test-name'])]
    if (ignored.length > 0) return refuse([besideEngines(ignored)], io, flags)
    const all = { engines: engineList(), networks: networkList() }
    if (asJson) io.stdout.json(jsonObject(all))
    else io.stdout.write(enginesText(glyphs))
    return exitCodes.ok
  }
  const { programs, diagnostics } = await selectPrograms(files, flags.testName, io.cwd, {
    legacy: flags.pLegacy ?? false,
  })
  printDiagnostics(diagnostics, io, flags)
  const listed = { programs: programs.filter(isSending).map(programJson), objects: programs.flatMap(objectJson) }
  const rows = [...programRows(programs.filter(isSending)), ...programs.flatMap(objectRow)]
  if (asJson) io.stdout.json(jsonObject({ ...listed, diagnostics: diagnostics.map(plain) }))
  else {
    const diagrams = forms.value.includes('mermaid') ? diagramsText(programs) : ''
    io.stdout.write(diagrams === '' ? table(rows, glyphs) : diagrams)
  }
  return diagnostics.length > 0 ? exitCodes.mistake : exitCodes.ok
}

function besideEngines(ignored: readonly string[]): Diagnostic {
  return {
    code: 'E107',
    message: `${ignored.join(', ')} cannot be given together with --engines`,
    hint: 'engines are the same for all files: leave out one or the other',
  }
}

function jsonObject(content: object): string {
  return JSON.stringify({ format: 'allways-list/1', ...content }, undefined, 2)
}

function plain({ code, message, hint, place }: Diagnostic): object {
  return { code, message, hint: hint ?? null, place: place ?? null }
}

/** All but classes, which are listed apart. */
function isSending({ program }: SelectedProgram): boolean {
  return program.views.object === undefined
}

function programJson({ program, loaded, place }: SelectedProgram): object {
  const { name, network = null, options } = program
  return {
    program: name,
    file: loaded.file,
    line: place?.line ?? null,
    declaredIn: place?.file ?? null,
    params: valueToJson(program.params),
    every: Object.fromEntries(Object.entries(program.every).map(([size, { least }]) => [size, least])),
    network,
    deadlock: options.deadlock?.default ?? null,
    ...(options.monitors === undefined ? {} : { monitors: options.monitors.default }),
    ...(program.abstracts === undefined ? {} : { abstracts: program.abstracts }),
  }
}

function objectJson(selected: SelectedProgram): readonly object[] {
  const { loaded, place } = selected
  const listed = listedClass(selected.program)
  if (listed === undefined) return []
  const { check } = listed
  const { name, criterion, processes, calls, deadlock } = check
  return [
    {
      object: name,
      file: loaded.file,
      line: place?.line ?? null,
      operations: [...check.operations.keys()],
      criterion,
      ...(check.clients.length > 0 ? { clients: check.clients } : { processes, calls, clients: listed.clients }),
      deadlock,
    },
  ]
}

/** Networks of programs stand in a column; what follows them, and what is said about a class, does not. */
function programRows(programs: readonly SelectedProgram[]): readonly (readonly string[])[] {
  const width = Math.max(0, ...programs.map(({ program }) => program.network?.length ?? 0))
  return programs.map(({ program, loaded, place }) => {
    const params = Object.entries(program.params).map(([name, value]) => {
      const least = program.every[name]?.least
      return `${name}=${showValue(value, 40)}${least === undefined ? '' : ` (every ≥ ${least})`}`
    })
    const { monitors } = program.options
    const { abstracts } = program
    const told = [
      ...params,
      ...(monitors === undefined ? [] : [`monitors: ${monitors.default}`]),
      ...(abstracts === undefined ? [] : [`all values of ${abstracts.join(', ')}`]),
    ]
    return [placeText(loaded, place), program.name, `${(program.network ?? '').padEnd(width)}  ${told.join(' ')}`]
  })
}

/** 'linearizable, 2 processes × 2 calls, 36 clients' */
function objectRow(selected: SelectedProgram): readonly (readonly string[])[] {
  const listed = listedClass(selected.program)
  if (listed === undefined) return []
  const { check } = listed
  const { criterion, processes, calls, clients } = check
  const bounds = clients.length > 0 ? [] : [`${counted(processes, 'process')} × ${counted(calls, 'call')}`]
  const count = listed.clients === undefined ? [] : [counted(listed.clients, 'client')]
  const { loaded, place } = selected
  return [[placeText(loaded, place), check.name, [criterion, ...bounds, ...count].join(', ')]]
}

/** A project or a folder has its programs in other files. */
function placeText({ file }: { readonly file: string }, place: Place | undefined): string {
  return place === undefined ? file : `${place.file}:${place.line}`
}

function enginesText(glyphs: Glyphs): string {
  const listed = engineList()
  const engines = [...new Set(listed.map(({ explores }) => explores))].map((kind) => {
    const rows = listed.filter(({ explores }) => explores === kind)
    return `engines for ${kind}\n${table(
      rows.map(({ name, claims, summary }) => [name, claims, summary]),
      glyphs,
    )}\n`
  })
  const networks = networkList().map(({ name, alias, summary }) => [name, alias ?? '', summary])
  return `${engines.join('')}networks\n${table(networks, glyphs)}`
}

function table(cells: readonly (readonly string[])[], glyphs: Glyphs): string {
  const rows = cells.map((row) => row.map((cell) => readable(cell, glyphs)))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => ` ${line}`.trimEnd()).join('\n') + (lines.length > 0 ? '\n' : '')
}
