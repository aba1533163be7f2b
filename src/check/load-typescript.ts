/** The TypeScript front end: the programs that a check file exports. Nothing is written to disk. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { FrontEnd, LoadedFile, LoadedObjectCheck, LoadedProgram } from '../frontends/frontend.ts'
import { isObjectCheck, type ObjectCheck } from '../program/object-check.ts'
import { isProgram, type Program, registerProgram } from '../program/program.ts'
import { bundle, sourceExtensions } from './load-bundle.ts'
import { evaluate, type ModuleExports } from './load-evaluate.ts'
import { withTerm } from './prove/term.ts'
import { placeOf } from './source-places.ts'

export const typescript: FrontEnd = {
  reads: 'a TypeScript or JavaScript module',
  extensions: sourceExtensions,
  checkFiles: /\.check\.(ts|mts|js|mjs)$/,
  shownNames: ['*.check.ts', '*.check.mts', '*.check.js', '*.check.mjs'],
  load,
}

async function load(path: string, shown: string): Promise<Result<LoadedFile>> {
  const bundled = await bundle(path)
  if (!bundled.ok) return bundled
  const evaluated = await evaluate(bundled.value, shown)
  if (!evaluated.ok) return evaluated
  const programs = programsIn(evaluated.value)
  const objects = objectChecksIn(evaluated.value)
  if (programs.length + objects.length === 0) return failure(noProgram(evaluated.value, shown))
  const { digest, sources } = bundled.value
  return success({ file: shown, programs, objects, digest, sources })
}

/** A program that is exported under two names is one program. */
function programsIn(module: ModuleExports): readonly LoadedProgram[] {
  const found = new Map<Program, LoadedProgram>()
  for (const [exportName, program] of Object.entries(module)) {
    if (!isProgram(program)) continue
    const known = found.get(program)
    if (known === undefined || known.exportName === 'default') {
      found.set(program, withTerm({ exportName, program, place: placeOf(program.stack) }))
    }
  }
  return withOwnNames([...found.values()].sort((left, right) => positionOf(left) - positionOf(right)))
}

/** Checks that classes are linearizable, each once. */
export function objectChecksIn(module: ModuleExports): readonly LoadedObjectCheck[] {
  const found = new Map<ObjectCheck, LoadedObjectCheck>()
  for (const [exportName, check] of Object.entries(module)) {
    if (isObjectCheck(check) && !found.has(check)) found.set(check, { exportName, check, place: placeOf(check.stack) })
  }
  return [...found.values()]
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

function noProgram(module: ModuleExports, shown: string): Diagnostic {
  const exported = Object.entries(module).map(([name, value]) => `${name} (${kindOf(value)})`)
  const machine = Object.entries(module).find(([, value]) => isMachine(value))?.[0]
  return {
    code: 'E103',
    message:
      exported.length === 0 ? `${shown} exports nothing` : `${shown} exports ${exported.join(', ')}, but no program`,
    hint:
      machine === undefined
        ? "export one: export default program('name', function* () { … })"
        : `machines are checked together: export default system('name', () => ({ machines: { a: ${machine === 'default' ? 'node' : machine}.as() } }))`,
  }
}

/** By its looks: what `machine` made belongs to the user's copy of the model. */
function isMachine(value: unknown): boolean {
  const { name, as } = (typeof value === 'object' && value !== null ? value : {}) as { name?: unknown; as?: unknown }
  return typeof name === 'string' && typeof as === 'function'
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (isMachine(value)) return 'a machine'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
