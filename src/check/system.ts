/** From a program to the machines that can be run, or watched while they run. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import type { Violation } from '../core/property.ts'
import { type Params, type Setting, settingFrom } from '../core/setting.ts'
import type { Machines } from '../program/machines.ts'
import type { Program } from '../program/program.ts'
import { mistakeBehind } from '../semantics/machines/mistakes.ts'
import { located } from './locate.ts'
import { resolveParams } from './resolve-setting.ts'

/** A system whose parameters are chosen. */
export interface ChosenSystem {
  readonly name: string
  readonly params: Params
  readonly machines: Machines
}

export function isSystem(program: Program): boolean {
  return program.views.machines !== undefined
}

/** Every parameter that is not given has its default. */
export function chosenSystem(program: Program, given: Params): Result<ChosenSystem> {
  const view = program.views.machines
  if (view === undefined) {
    const hint = "only machines can be run: export default system('name', () => ({ machines: { … } }))"
    return failure(located({ code: 'E606', message: `"${program.name}" has no machines`, hint, stack: program.stack }))
  }
  const params = resolveParams(program, given)
  if (!params.ok) return failure(...params.diagnostics.map(located))
  try {
    const machines = view(settingOf(program, { params: params.value }))
    const [liar] = machines.byzantine?.names ?? []
    if (liar !== undefined) return failure(located(notRun(program, liar)))
    return success({ name: program.name, params: params.value, machines })
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(located(error.diagnostic))
    throw error
  }
}

/** Whoever runs a machine that lies has no use for its declaration. */
function notRun({ name, stack }: Program, liar: string): Diagnostic {
  const message = `"${name}" cannot be run: its machine "${liar}" is Byzantine`
  const hint = 'what it may say is for a check to explore: make the system without it, by a parameter'
  return { code: 'E606', message, hint, stack }
}

/** As the program itself says, but for what is given. */
export function settingOf(
  { network, faults = {} }: Program,
  given: Partial<Setting> & Pick<Setting, 'params'>,
): Setting {
  return settingFrom({ network, faults, ...given })
}

/** The diagnostic, if a handler of a running machine did what handlers may not do. */
export function mistakeIn(violation: Violation): Diagnostic | undefined {
  const mistake = mistakeBehind(violation)
  return mistake === undefined ? undefined : located(mistake)
}
