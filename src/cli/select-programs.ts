/**
 * Loads the selected files and picks the programs that were asked for, classes among them. A file that cannot be loaded does not
 * stop the others.
 */

import { loadPrograms } from '../check/load.ts'
import type { NamedProgram } from '../check/load-named.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../core/diagnostic.ts'
import { nearestName, suggestion } from '../core/did-you-mean.ts'
import type { LoadedFile, LoadedProgram, Reading } from '../frontends/frontend.ts'
import { type SelectedFile, selectFiles } from './select-files.ts'

export type SelectedProgram = NamedProgram

export interface Selection {
  readonly programs: readonly SelectedProgram[]
  readonly diagnostics: readonly Diagnostic[]
  /** What looks like a slip, in all files. */
  readonly warnings?: readonly Diagnostic[] | undefined
}

export async function selectPrograms(
  typed: readonly string[],
  testName: string | undefined,
  cwd: string,
  reading: Reading = {},
): Promise<Selection> {
  const files = await selectFiles(typed, cwd)
  if (!files.ok) return { programs: [], diagnostics: files.diagnostics }
  return await selectIn(files.value, testName, ({ path }) => loadPrograms(path, reading))
}

/** The programs of these files, each loaded as told. */
export async function selectIn(
  files: readonly SelectedFile[],
  testName: string | undefined,
  load: (file: SelectedFile) => Promise<Result<LoadedFile>>,
): Promise<Selection> {
  const programs: SelectedProgram[] = []
  const diagnostics: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const file of files) {
    const loaded = await load(file)
    diagnostics.push(...(loaded.ok ? (loaded.value.diagnostics ?? []) : loaded.diagnostics))
    if (!loaded.ok) continue
    warnings.push(...(loaded.value.warnings ?? []))
    const inFile = { path: file.path, loaded: loaded.value }
    const chosen = chosenIn(file, loaded.value)
    if (!chosen.ok) diagnostics.push(...chosen.diagnostics)
    else programs.push(...chosen.value.map((program) => ({ ...program, ...inFile })))
  }
  const named = namedBy(testName, programs)
  if (testName === undefined || named.length > 0 || programs.length === 0)
    return { programs: named, diagnostics, warnings }
  const names = programs.map(({ program }) => program.name)
  return { programs: [], diagnostics: [...diagnostics, noneNamed(testName, names)] }
}

/** With a line, what is declared at or above it. */
function chosenIn({ line }: SelectedFile, { programs }: LoadedFile): Result<readonly LoadedProgram[]> {
  if (line === undefined || programs.length === 0) return success(programs)
  const only = programs.findLast(({ place }) => (place?.line ?? 1) <= line)
  if (only === undefined) return failure(nothingAbove(line, programs[0]?.place))
  // A test with parameters is several programs.
  const isSame = (place: Place | undefined): boolean => place !== undefined && place.line === only.place?.line
  return success(programs.filter((one) => one === only || isSame(one.place)))
}

function nothingAbove(line: number, first: Place | undefined): Diagnostic {
  const place = first === undefined ? '' : ` of ${first.file}`
  return {
    code: 'E106',
    message: `no program is declared at or above line ${line}${place}`,
    hint: first === undefined ? 'leave the line out' : `the first one is in line ${first.line}`,
  }
}

/** The program of exactly that name, if there is one: "raft" is part of "calm raft", which could never be left out otherwise. */
function namedBy<One extends LoadedProgram>(testName: string | undefined, programs: readonly One[]): readonly One[] {
  if (testName === undefined) return programs
  const exactly = programs.filter(({ program }) => program.name === testName)
  if (exactly.length > 0) return exactly
  return programs.filter(({ program }) => program.name.toLowerCase().includes(testName.toLowerCase()))
}

function noneNamed(testName: string, names: readonly string[]): Diagnostic {
  // Names have spaces and commas in them.
  const hint =
    nearestName(testName, names) === undefined
      ? `programs: ${names.map((name) => JSON.stringify(name)).join(', ')}`
      : suggestion(testName, names, 'programs')
  return { code: 'E106', message: `no program has "${testName}" in its name`, hint }
}
