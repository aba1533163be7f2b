/** A recorded history that has no linearization: its lanes, where the call stands, and the command that draws all of it. */
import type { HistoryEvidence } from '../core/evidence.ts'
import { historyLanes } from './history-lanes.ts'
import { commandLine, placeText } from './lines.ts'
import type { PageDress } from './page.ts'
import type { Reported } from './result.ts'
import { pageWidth } from './text-width.ts'

interface HistoryFound {
  readonly result: Reported
  readonly found: HistoryEvidence
}

export function historySections({ result, found }: HistoryFound, dress: PageDress): readonly (readonly string[])[] {
  const { paint, glyphs, legend } = dress
  const { place } = found
  const at =
    place === undefined ? [] : [`   ${paint.bold('At   ')}${paint.cyan(placeText(place, pageWidth - 8, glyphs))}`]
  return [[historyLanes(found, { paint, ascii: glyphs.ascii, legend })], at, commandLine('page', result.commands?.page)]
}
