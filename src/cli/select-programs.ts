/**
 * Loads the selected files and picks the programs and class checks that were asked for. A file that cannot be loaded does not
 * stop the others.
 */
import { loadPrograms } from '../check/load.ts'
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import type { LoadedFile, LoadedObjectCheck, LoadedProgram } from '../frontends/frontend.ts'
import { type SelectedFile, selectFiles } from './select-files.ts'
import { isNamed, namesHint } from './select-objects.ts'

interface InFile {
  readonly path: string
  readonly loaded: LoadedFile
}

export interface SelectedProgram extends LoadedProgram, InFile {}

/** A check of a class as it is declared; to run it, its file is loaded in another form. */
export interface DeclaredObject extends LoadedObjectCheck, InFile {}

export interface Selection {
  readonly programs: readonly SelectedProgram[]
  readonly objects: readonly DeclaredObject[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function selectPrograms(
  typed: readonly string[],
  testName: string | undefined,
  cwd: string,
): Promise<Selection> {
  const files = await selectFiles(typed, cwd)
  if (!files.ok) return { programs: [], objects: [], diagnostics: files.diagnostics }
  const programs: SelectedProgram[] = []
  const objects: DeclaredObject[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files.value) {
    const loaded = await loadPrograms(file.path)
    if (!loaded.ok) {
      diagnostics.push(...loaded.diagnostics)
      continue
    }
    const inFile = { path: file.path, loaded: loaded.value }
    const chosen = chosenIn(file, loaded.value)
    programs.push(...chosen.programs.map((program) => ({ ...program, ...inFile })))
    objects.push(...chosen.objects.map((object) => ({ ...object, ...inFile })))
  }
  const named = {
    programs: programs.filter(({ program }) => isNamed(program.name, testName)),
    objects: objects.filter(({ check }) => isNamed(check.name, testName)),
  }
  const names = [...programs.map(({ program }) => program.name), ...objects.map(({ check }) => check.name)]
  const isFound = named.programs.length + named.objects.length > 0 || names.length === 0
  if (testName === undefined || isFound) return { ...named, diagnostics }
  return { programs: [], objects: [], diagnostics: [...diagnostics, noneNamed(testName, names)] }
}

type Chosen = Pick<LoadedFile, 'programs' | 'objects'>

/** With a line, what is declared at or above it; what comes first if nothing is. */
function chosenIn({ line }: SelectedFile, { programs, objects }: LoadedFile): Chosen {
  if (line === undefined) return { programs, objects }
  const all = [...programs, ...objects].sort((left, right) => lineOf(left) - lineOf(right))
  const above = all.filter((one) => lineOf(one) <= line)
  const only = above.at(-1) ?? all[0]
  return { programs: programs.filter((one) => one === only), objects: objects.filter((one) => one === only) }
}

function lineOf({ place }: { readonly place: Place | undefined }): number {
  return place?.line ?? 0
}

function noneNamed(testName: string, names: readonly string[]): Diagnostic {
  return {
    code: 'E106',
    message: `no program has "${testName}" in its name`,
    hint: namesHint(testName, names, 'programs'),
  }
}
