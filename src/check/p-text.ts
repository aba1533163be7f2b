/** P programs as they are explored, as text. */
import { optionsFrom } from '../core/options.ts'
import { printIr } from '../ir/print.ts'
import type { Program } from '../program/program.ts'
import { settingOf } from './system.ts'

/** Nothing of a program that is not one of P. */
export function irText(program: Program, given: { readonly [option: string]: string }): string | undefined {
  const options = optionsFrom(program.options, given)
  const view = program.views.ir?.(settingOf(program, { params: program.params, options }))
  return view && printIr(view.program).trimEnd()
}
