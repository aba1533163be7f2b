/** Loads the selected files and picks the programs that were asked for. A file that cannot be loaded does not stop the others. */
import { suggestion } from '../check/did-you-mean.ts'
import { type LoadedFile, type LoadedProgram, loadPrograms } from '../check/load.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { type SelectedFile, selectFiles } from './select-files.ts'

export interface SelectedProgram extends LoadedProgram {
  readonly path: string
  readonly loaded: LoadedFile
}

export interface Selection {
  readonly programs: readonly SelectedProgram[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function selectPrograms(
  typed: readonly string[],
  testName: string | undefined,
  cwd: string,
): Promise<Selection> {
  const files = await selectFiles(typed, cwd)
  if (!files.ok) return { programs: [], diagnostics: files.diagnostics }
  const programs: SelectedProgram[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files.value) {
    const loaded = await loadPrograms(file.path)
    if (loaded.ok) programs.push(...programsIn(file, loaded.value))
    else diagnostics.push(...loaded.diagnostics)
  }
  const named = programs.filter(({ program }) => isNamed(program.name, testName))
  if (testName === undefined || named.length > 0 || programs.length === 0) return { programs: named, diagnostics }
  return { programs: [], diagnostics: [...diagnostics, noneNamed(testName, programs)] }
}

function programsIn({ path, line }: SelectedFile, loaded: LoadedFile): readonly SelectedProgram[] {
  const all = loaded.programs.map((program) => ({ ...program, path, loaded }))
  if (line === undefined) return all
  const above = all.filter(({ place }) => (place?.line ?? 0) <= line)
  return above.length > 0 ? above.slice(-1) : all.slice(0, 1)
}

function isNamed(name: string, testName: string | undefined): boolean {
  return testName === undefined || name.toLowerCase().includes(testName.toLowerCase())
}

function noneNamed(testName: string, programs: readonly SelectedProgram[]): Diagnostic {
  const names = programs.map(({ program }) => program.name)
  return {
    code: 'E106',
    message: `no program has "${testName}" in its name`,
    hint: suggestion(testName, names, 'programs'),
  }
}
