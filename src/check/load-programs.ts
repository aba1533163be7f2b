/** The programs that a module exports. */
import type { LoadedProgram } from '../frontends/frontend.ts'
import { isProgram, type Program, registerProgram } from '../program/program.ts'
import type { ModuleExports } from './load-evaluate.ts'
import { placeOf } from './source-places.ts'

/** A program that is exported under two names is one program. */
export function programsIn(module: ModuleExports): readonly LoadedProgram[] {
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
export function withOwnNames(programs: readonly LoadedProgram[]): readonly LoadedProgram[] {
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
