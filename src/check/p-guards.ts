/** What symbolic search keeps of a P program, as text. */
import { DiagnosticError } from '../core/diagnostic.ts'
import { symbolicOptions } from '../engines/symbolic/options.ts'
import { printedGuards } from '../engines/symbolic/print-guards.ts'
import { symbolic } from '../engines/symbolic/symbolic.ts'
import type { IrView } from '../program/program.ts'
import type { CheckRequest } from './request.ts'

/** Mistakes are thrown. */
export function guardsText({ engine, program, setting, explored, options }: CheckRequest): string {
  if (engine !== symbolic)
    throw new DiagnosticError({
      code: 'E107',
      message: `--print guards is about engine "${symbolic.name}", and engine "${engine.name}" keeps none`,
      hint: `choose --engine ${symbolic.name}`,
    })
  const mode = options.mode ?? symbolicOptions.mode.default
  const ways: { readonly [mode: string]: string } = { states: 'by states', rounds: 'in rounds' }
  const head = `${program.name}, ${setting.network}, ${ways[String(mode)] ?? 'step by step'}`
  return [head, ...printedGuards(explored.subject as IrView, options)].join('\n')
}
