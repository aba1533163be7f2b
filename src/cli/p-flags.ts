/** What is said about P programs alone: which monitors watch, and programs printed as they are explored. */
import { located } from '../check/locate.ts'
import { guardsData, guardsFormat, guardsText } from '../check/p-guards.ts'
import { irText } from '../check/p-text.ts'
import { type CheckRequest, checkRequest } from '../check/request.ts'
import { type Diagnostic, DiagnosticError, orThrow } from '../core/diagnostic.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { SearchFlags } from './flags.ts'
import type { Output } from './output.ts'
import type { ProgramSearch } from './search.ts'
import type { SelectedProgram } from './select-programs.ts'

type PFlags = Pick<SearchFlags, 'monitors' | 'values' | 'legacy' | 'print' | 'coverage'>

/** What none of the programs can be told. */
export function unfitForAll(
  { monitors, values, legacy, print, coverage }: PFlags,
  programs: readonly SelectedProgram[],
): readonly Diagnostic[] {
  const inP = programs.filter(({ program }) => program.views.ir !== undefined)
  const isWatchable = programs.some(({ program }) => Object.hasOwn(program.options, 'monitors'))
  if (inP.length === 0) {
    const said = [
      ...(monitors === undefined ? [] : ['--monitors']),
      ...(values === undefined ? [] : ['--values']),
      ...(legacy ? ['--p-legacy'] : []),
      ...(coverage ? ['--coverage'] : []),
      ...(print === undefined ? [] : [`--print ${print}`]),
    ]
    const hint = 'leave it out, or name a .p file, a folder of them or a .pproj file'
    return said.map((flag) => ({ code: 'E107', message: `${flag} is for P programs, and there is none here`, hint }))
  }
  const [first] = inP
  if (values !== undefined && !programs.some(({ program }) => program.abstracts !== undefined)) {
    const message = `--values is for programs with abstracted types, and "${first?.program.name}" has none`
    const hint = "leave it out, or abstract a type in a check file: pModel('./model.p', { abstract: { … } })"
    return [located({ code: 'E107', message, hint, place: first?.place })]
  }
  if (monitors === undefined || isWatchable) return []
  return [
    located({
      code: 'E107',
      message: `--monitors is for programs without tests, and "${first?.program.name}" is a test, which says itself what watches`,
      hint: 'leave it out, or attach them in the test: "test tcName [main=M]: assert Spec in { M, … };"',
      place: first?.place,
    }),
  ]
}

/** What was said of options that the program has. Programs without tests are told which monitors watch; tests beside them say it themselves. */
export function saidOf(
  { program }: SelectedProgram,
  { monitors, values }: PFlags,
): { readonly [name: string]: string } {
  const said = Object.entries({ monitors, values }).flatMap(([name, value]) =>
    value !== undefined && Object.hasOwn(program.options, name) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(said)
}

/** What to do about a parameter that is set on the command line. */
export function paramsOfP(name: string): string {
  return `values of P's parameters come from its tests: "test param (${name} in [1, 2]) tcName …", and -t tcName___${name}_1 chooses one`
}

/** Of each search what engine `symbolic` keeps in its course. */
export function printGuards(searches: readonly ProgramSearch[], output: Output): ExitCode {
  const mistakes: Diagnostic[] = []
  const programs: object[] = []
  const data = (request: CheckRequest): object => {
    programs.push(guardsData(request))
    return { format: guardsFormat, programs }
  }
  for (const { selected, options } of searches) {
    const checked = checkRequest(selected.program, options)
    try {
      const request = orThrow(checked)
      output.instead(
        () => guardsText(request),
        () => data(request),
      )
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      mistakes.push(...error.diagnostics.map(located))
    }
  }
  output.diagnostics(mistakes)
  return mistakes.length > 0 ? exitCodes.mistake : exitCodes.ok
}

export function printPrograms(programs: readonly SelectedProgram[], flags: PFlags, output: Output): ExitCode {
  const mistakes: Diagnostic[] = []
  for (const one of programs) {
    try {
      const text = irText(one.program, saidOf(one, flags))
      if (text !== undefined) output.text(text)
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      mistakes.push(...error.diagnostics)
    }
  }
  output.diagnostics(mistakes)
  return mistakes.length > 0 ? exitCodes.mistake : exitCodes.ok
}
