/** The program that a trace, a checkpoint or another thread names: `ProgramRef` is how it is told. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Options } from '../core/options.ts'
import type { ProgramRef } from '../core/trace.ts'
import type { Admission, LoadedFile, LoadedProgram } from '../frontends/frontend.ts'
import { loadPrograms } from './load.ts'

export interface NamedProgram extends LoadedProgram {
  readonly path: string
  readonly loaded: LoadedFile
}

export type ProgramName = Pick<ProgramRef, 'name' | 'origin'>

interface Naming {
  /** With its clients given, a class that nobody declared a check for needs no arguments for its operations. */
  readonly clients: readonly string[] | undefined
  /** Where it is not the user who names the file. */
  readonly admits?: Admission | undefined
  /** What was chosen about the program when it was found there. */
  readonly options?: Options | undefined
}

export async function loadNamed(
  path: string,
  named: ProgramName,
  { clients, admits, options }: Naming,
): Promise<Result<NamedProgram>> {
  const { name, origin } = named
  if (origin?.kind === 'class') {
    const { loadObjects } = await import('./objects/load.ts')
    const loaded = await loadObjects(path, { admits })
    if (!loaded.ok) return loaded
    const { undeclaredClass } = await import('./objects/class-check.ts')
    const program = undeclaredClass(path, loaded.value, { name: origin.name, args: origin.args, clients })
    return program.ok ? success({ ...program.value, path, loaded: loaded.value }) : program
  }
  const loaded = await loadPrograms(path, { admits, legacy: options?.legacy === true })
  if (!loaded.ok) return loaded
  const { programs, diagnostics = [] } = loaded.value
  const found = programs.find(({ program, exportName }) =>
    origin === undefined ? program.name === name : exportName === origin.name,
  )
  if (found !== undefined) return success({ ...found, path, loaded: loaded.value })
  return failure(...(diagnostics.length > 0 ? diagnostics : [missing(loaded.value, named)]))
}

function missing({ file, programs }: LoadedFile, { name, origin }: ProgramName): Diagnostic {
  const [asked, names] =
    origin === undefined
      ? [name, programs.map(({ program }) => program.name)]
      : [origin.name, programs.map(({ exportName }) => exportName)]
  const what = origin === undefined ? 'has no program' : 'exports no check'
  const hint = `it has ${names.map((one) => `"${one}"`).join(', ')}`
  return { code: 'E404', message: `${file} ${what} "${asked}"`, hint }
}
