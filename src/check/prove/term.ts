/** The term of a program, for every size it may have, from its source: read when an engine asks for it, and refused where it says less than the program. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { faultDiagnostic, normalFaults } from '../../core/faults.ts'
import type { Setting } from '../../core/setting.ts'
import { sameValue } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { LoadedProgram } from '../../frontends/frontend.ts'
import { extractIcet } from '../../frontends/typescript/icet/extract.ts'
import type { Icet } from '../../program/icet.ts'
import { type Program, registerProgram } from '../../program/program.ts'
import { sourceLines } from '../source-places.ts'

/** Processes can be seen for every size at once; those without sizes, for the one that they have. */
export function withTerm(loaded: LoadedProgram): LoadedProgram {
  const { program } = loaded
  if (program.views.runnable === undefined || program.views.machines !== undefined) return loaded
  const icet = (setting: Setting): Icet => termOf(loaded, setting)
  return { ...loaded, program: registerProgram({ ...program, views: { ...program.views, icet } }) }
}

function termOf({ program, place }: LoadedProgram, setting: Setting): Icet {
  if (normalFaults(setting.faults) !== undefined) throw new DiagnosticError(faultsNotProved(program))
  const lines = place === undefined ? undefined : sourceLines(place.file)
  if (place === undefined || lines === undefined) throw new DiagnosticError(noSource(program))
  const { file, line, column } = place
  const term = extractIcet({ source: lines.join('\n'), file, at: { line, column }, readModule })
  const [first, ...others] = term.ok ? otherThanWritten(program, setting) : term.diagnostics
  if (first !== undefined) throw new DiagnosticError(first, ...others)
  if (!term.ok) throw new DiagnosticError(noSource(program))
  return term.value
}

/** The source has its own network and fixed parameters: a proof speaks of those and of no others. */
function otherThanWritten(program: Program, { network, params }: Setting): readonly Diagnostic[] {
  const changed = Object.entries(params).filter(([name, value]) => {
    return program.every[name] === undefined && !sameValue(value, program.params[name])
  })
  return [
    ...(network === program.network ? [] : [notAsWritten(program, `network "${program.network}", not "${network}"`)]),
    ...changed.map(([name, value]) => {
      return notAsWritten(program, `${name} = ${showValue(program.params[name])}, not ${showValue(value)}`)
    }),
  ]
}

function notAsWritten({ name, stack }: Program, what: string): Diagnostic {
  return {
    code: 'E107',
    message: `a proof is one of the program as its source says it: program "${name}" has ${what}`,
    hint: 'leave the flag out, or change the source',
    stack,
  }
}

/** Modules of the user's own that a check file imports. */
function readModule(specifier: string, from: string): { readonly source: string; readonly file: string } | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = resolve(dirname(resolve(from)), specifier)
  const tried = [path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`, resolve(path, 'index.ts')]
  const file = tried.find((one) => /\.[cm]?[jt]s$/.test(one) && existsSync(one))
  return file === undefined ? undefined : { source: readFileSync(file, 'utf8'), file }
}

function faultsNotProved(program: Program): Diagnostic {
  return {
    ...faultDiagnostic(
      `prove takes executions without faults only, and program "${program.name}" has a budget of faults`,
      'explore it at fixed sizes with allways check, or prove it without faults',
    ),
    stack: program.stack,
  }
}

function noSource({ name, stack }: Program): Diagnostic {
  return {
    code: 'E417',
    message: `the source of program "${name}" cannot be read`,
    hint: 'prove reads the file in which program(…) is called',
    stack,
  }
}
