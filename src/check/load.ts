/** From a path to the programs a check file exports. Nothing is written to disk, and every call loads the file afresh. */
import { basename, extname, resolve } from 'node:path'
import { type Diagnostic, DiagnosticError, failure, type Place, type Result, success } from '../core/diagnostic.ts'
import { running } from '../core/running.ts'
import { isProgram, type Program, registerProgram } from '../program/program.ts'
import { guardDeterminism } from './guard.ts'
import { type Bundle, bundle, sourceExtensions } from './load-bundle.ts'
import { missingFile } from './load-missing.ts'
import { codeFrame, displayPath, placeOf, registerBundle } from './source-places.ts'

export interface LoadedProgram {
  readonly exportName: string
  readonly program: Program
  /** Where the program was declared. */
  readonly place: Place | undefined
}

export interface LoadedFile {
  /** As users see it: relative to the working directory. */
  readonly file: string
  /** In the order they are declared. */
  readonly programs: readonly LoadedProgram[]
  /** Changes with every change of the user's own files. */
  readonly digest: string
  /** Digest of each of them. */
  readonly sources: Readonly<Record<string, string>>
}

export async function loadPrograms(file: string): Promise<Result<LoadedFile>> {
  const path = resolve(file)
  const shown = displayPath(path)
  const missing = missingFile(path, shown)
  if (missing !== undefined) return failure(missing)
  if (!sourceExtensions.includes(extname(path))) return failure(notASource(shown))
  const bundled = await bundle(path)
  if (!bundled.ok) return bundled
  const evaluated = await evaluate(bundled.value, shown)
  if (!evaluated.ok) return evaluated
  const programs = programsIn(evaluated.value)
  if (programs.length === 0) return failure(noProgram(evaluated.value, shown))
  const { digest, sources } = bundled.value
  return success({ file: shown, programs, digest, sources })
}

type ModuleExports = { readonly [name: string]: unknown }

let loads = 0

/** A data: URL leaves no file behind; the name in `sourceURL` is what stacks show, and makes every load a new module. */
async function evaluate({ code, map, folder }: Bundle, shown: string): Promise<Result<ModuleExports>> {
  const name = `allways:${++loads}/${encodeURIComponent(basename(shown))}`
  const text = Buffer.from(`${code}\n//# sourceURL=${name}\n`).toString('base64')
  const url = `data:text/javascript;base64,${text}`
  // Whoever formats stacks in the place of V8, as test runners do, shows the URL instead of the name.
  registerBundle([name, url], { map, folder })
  // Set already now, so that a module that keeps `Date.now` in a variable keeps the trap.
  const release = guardDeterminism()
  try {
    return success((await import(/* @vite-ignore */ url)) as ModuleExports)
  } catch (error) {
    return failure(failedLoad(error, name, shown))
  } finally {
    release()
    // A mistake made while declaring programs is reported here; no process must find it.
    running.mistake = undefined
  }
}

/** A program that is exported under two names is one program. */
function programsIn(module: ModuleExports): readonly LoadedProgram[] {
  const found = new Map<Program, LoadedProgram>()
  for (const [exportName, program] of Object.entries(module)) {
    if (!isProgram(program)) continue
    const known = found.get(program)
    if (known === undefined || known.exportName === 'default') {
      found.set(program, { exportName, program, place: placeOf(program.stack) })
    }
  }
  return withOwnNames([...found.values()].sort((left, right) => positionOf(left) - positionOf(right)))
}

/** Traces and filters go by name: programs of the same name also carry the name of their export. */
function withOwnNames(programs: readonly LoadedProgram[]): readonly LoadedProgram[] {
  return programs.map((loaded) => {
    const { program, exportName } = loaded
    const isUnique = programs.filter((other) => other.program.name === program.name).length === 1
    if (isUnique) return loaded
    return { ...loaded, program: registerProgram({ ...program, name: `${program.name} (${exportName})` }) }
  })
}

function positionOf({ place }: LoadedProgram): number {
  return place === undefined ? Number.MAX_SAFE_INTEGER : place.line * 1_000_000 + place.column
}

function failedLoad(error: unknown, bundleName: string, shown: string): Diagnostic {
  if (error instanceof DiagnosticError) return framed({ ...error.diagnostic, place: placeOf(error.diagnostic.stack) })
  if (!(error instanceof Error)) return { code: 'E104', message: `${shown} threw ${String(error)} while it was loaded` }
  const text = error.message.replaceAll(/data:text\/javascript\S+/g, shown)
  const unlinked = unlinkedAt(error, bundleName)
  if (unlinked !== undefined) return framed({ code: 'E102', message: text, place: placeOf(unlinked) })
  return framed({
    code: 'E104',
    message: `${shown} threw ${error.name}: ${text}`,
    hint: 'the top level of a check file runs when it is loaded, before any check',
    place: placeOf(error.stack),
  })
}

/** Node shows a missing export of a package as a line and carets above the message; given back as a stack frame. */
function unlinkedAt(error: Error, bundleName: string): string | undefined {
  const [location = '', , carets = ''] = error.stack?.split('\n') ?? []
  if (!(error instanceof SyntaxError) || !location.startsWith(`${bundleName}:`)) return undefined
  return `    at ${location}:${carets.indexOf('^') + 1}`
}

function framed(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, frame: diagnostic.place === undefined ? undefined : codeFrame(diagnostic.place) }
}

function notASource(shown: string): Diagnostic {
  return {
    code: 'E102',
    message: `${shown} is not a TypeScript or JavaScript module`,
    hint: `check files end in ${sourceExtensions.map((extension) => `.check${extension}`).join(', ')}`,
  }
}

function noProgram(module: ModuleExports, shown: string): Diagnostic {
  const exported = Object.entries(module).map(([name, value]) => `${name} (${kindOf(value)})`)
  return {
    code: 'E103',
    message:
      exported.length === 0 ? `${shown} exports nothing` : `${shown} exports ${exported.join(', ')}, but no program`,
    hint: "export one: export default program('name', function* () { … })",
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
