/** P programs that a check file names with `pModel`: read from beside it, with the functions that it gives them. */
import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { atPath } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import type { LoadedFile, LoadedProgram, Reading } from '../frontends/frontend.ts'
import { isPModel, type PModel } from '../program/p-model.ts'
import type { ModuleExports } from './load-evaluate.ts'
import { type PSources, readPSources } from './load-p-sources.ts'
import { pPrograms } from './p-programs.ts'
import { codeFrame, displayPath, placeOf } from './source-places.ts'

type Models = Pick<LoadedFile, 'programs' | 'warnings' | 'sources'> & {
  /** Of what they name; empty where there are none. */
  readonly digest: string
}

export function modelsIn(module: ModuleExports, file: string, { legacy }: Reading): Result<Models> {
  const programs: LoadedProgram[] = []
  const warnings: Diagnostic[] = []
  const all: PSources[] = []
  const seen = new Set<PModel>()
  for (const [exportName, model] of Object.entries(module)) {
    if (!isPModel(model) || seen.has(model)) continue
    seen.add(model)
    const loaded = loadModel(model, dirname(file), { legacy })
    if (!loaded.ok) return loaded
    all.push(loaded.value.read)
    const named = loaded.value.programs.map((one) => ({ ...one, exportName: `${exportName} ${one.exportName}` }))
    programs.push(...named)
    warnings.push(...loaded.value.warnings)
  }
  const digests = all.map(({ digest }) => digest).join('\n')
  const digest = all.length === 0 ? '' : createHash('sha256').update(digests).digest('hex')
  return success({ programs, warnings, sources: Object.assign({}, ...all.map(({ sources }) => sources)), digest })
}

type LoadedModel = Pick<LoadedFile, 'programs'> & {
  readonly read: PSources
  readonly warnings: readonly Diagnostic[]
}

/** The programs of one model, whose path is from a folder. */
export function loadModel(model: PModel, folder: string, { legacy }: Reading): Result<LoadedModel> {
  const read = sourcesOf(model, folder)
  if (!read.ok) return read
  const { foreign, abstract, refines } = model
  const mistaken = (mistake: Pick<Diagnostic, 'message' | 'hint'>): Diagnostic =>
    atModel({ code: 'E107', ...mistake }, model)
  const twice = twiceGiven(model)
  if (twice !== undefined) return failure(mistaken(twice))
  const given = { foreign, abstract, refines, mistaken }
  const compiled = pPrograms(read.value, { legacy: model.legacy ?? legacy ?? false, ...given })
  if (!compiled.ok) return compiled
  const unknown = unknownFunction(model, compiled.value.unwritten)
  if (unknown !== undefined) return failure(unknown)
  const chosen = chosenBy(model, compiled.value.programs)
  if (!chosen.ok) return chosen
  const place = placeOf(model.stack)
  const programs = chosen.value.map((one) => ({ ...one, place }))
  return success({ programs, warnings: compiled.value.warnings, read: read.value })
}

function sourcesOf(model: PModel, folder: string): Result<PSources> {
  const path = resolve(folder, model.path)
  const isP = atPath(path).kind === 'folder' || /\.p(?:proj)?$/.test(path)
  if (atPath(path).kind !== 'nothing' && isP) return readPSources(path)
  const message = isP ? `there is no ${displayPath(path)}` : `${displayPath(path)} is not a P program`
  const hint = 'paths of pModel are relative to the file that calls it: a .p file, a folder of them, or a .pproj file'
  return failure(atModel({ code: isP ? 'E101' : 'E102', message, hint }, model))
}

function chosenBy(model: PModel, programs: readonly LoadedProgram[]): Result<readonly LoadedProgram[]> {
  if (model.test === undefined) return success(programs)
  const named = programs.filter(({ program }) => program.name === model.test)
  if (named.length > 0) return success(named)
  const names = programs.map(({ program }) => program.name)
  const message = `${model.path} has no test "${model.test}"`
  return failure(atModel({ code: 'E106', message, hint: suggestion(model.test, names, 'tests') }, model))
}

/** A function that nobody calls would be ignored without a word. */
function unknownFunction(model: PModel, unwritten: readonly string[]): Diagnostic | undefined {
  const unknown = Object.keys(model.foreign).find((name) => !unwritten.includes(name))
  if (unknown === undefined) return undefined
  const message = `${model.path} declares no function "${unknown}" without a body`
  const hint =
    unwritten.length === 0
      ? 'all its functions are written in P: leave it out'
      : suggestion(unknown, unwritten, 'foreign functions')
  return atModel({ code: 'E107', message, hint }, model)
}

/** A function is written in TypeScript or known by classes of what it returns, and not both. */
function twiceGiven({ foreign, abstract }: PModel): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  for (const [type, { functions = {} }] of Object.entries(abstract)) {
    const name = Object.keys(functions).find((one) => Object.hasOwn(foreign, one))
    if (name === undefined) continue
    const message = `"${name}" is both in foreign and in the functions of abstract.${type}`
    return { message, hint: 'leave one of them out' }
  }
  return undefined
}

function atModel(diagnostic: Diagnostic, { stack }: PModel): Diagnostic {
  const place = placeOf(stack)
  return { ...diagnostic, place, frame: place && codeFrame(place) }
}
