/** A search that is printed step by step, for people who want to see what diagrams are about. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { type Options, optionsFrom } from '../../core/options.ts'
import type { IrView } from '../../program/program.ts'
import { type FrontierEvent, frontiers } from './frontier.ts'
import { frontierLines } from './frontier-text.ts'
import { type SearchOptions, symbolicOptions } from './options.ts'
import { waysOf } from './trial.ts'
import { unfitFor } from './unfit.ts'

/** A search that is told step by step. */
export interface ToldSearch {
  readonly mode: SearchOptions['mode']
  readonly events: Iterable<FrontierEvent>
}

/** Unless told otherwise step by step: there variables stand for choices alone. */
export function toldSearch(subject: IrView, options: Options): ToldSearch {
  const unfit = unfitFor(subject, options)
  if (unfit !== undefined) throw new DiagnosticError(unfit)
  const chosen = optionsFrom(symbolicOptions, options)
  const [way] = waysOf({ ...chosen, mode: chosen.mode === 'auto' ? 'steps' : chosen.mode }, subject)
  return { mode: (way as SearchOptions).mode, events: frontiers(subject, way as SearchOptions) }
}

export function printedGuards(subject: IrView, options: Options): Iterable<string> {
  const { mode, events } = toldSearch(subject, options)
  return frontierLines(events, mode)
}
