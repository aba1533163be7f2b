/** A search that is printed step by step, for people who want to see what diagrams are about. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { type Options, optionsFrom } from '../../core/options.ts'
import type { IrView } from '../../program/program.ts'
import { frontierLines } from './frontier-text.ts'
import { GivenUp } from './function-run.ts'
import { type SearchOptions, symbolicOptions } from './options.ts'
import { waysOf } from './trial.ts'
import { givenUp, unfitFor } from './unfit.ts'

/** Unless told otherwise step by step: there variables stand for choices alone. */
export function* printedGuards(subject: IrView, options: Options): Generator<string, void> {
  const unfit = unfitFor(subject, options)
  if (unfit !== undefined) throw new DiagnosticError(unfit)
  const chosen = optionsFrom(symbolicOptions, options)
  const [way] = waysOf({ ...chosen, mode: chosen.mode === 'auto' ? 'steps' : chosen.mode }, subject)
  try {
    yield* frontierLines(subject, way as SearchOptions)
  } catch (error) {
    throw error instanceof GivenUp ? new DiagnosticError(givenUp(error)) : error
  }
}
