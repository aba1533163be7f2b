/** An order in which it goes wrong, among others that logs allow: what there is to show of it. */
import type { UndecidedOrder } from '../core/evidence.ts'
import type { Unhurried } from '../core/unhurried.ts'
import { executionSections, headline } from './execution-page.ts'
import type { PageDress } from './page.ts'
import type { ReportedFinding } from './result.ts'
import { pageWidth, wrap } from './text-width.ts'

export function* undecidedSections(
  one: UndecidedOrder,
  finding: ReportedFinding,
  dress: PageDress,
): Unhurried<readonly (readonly string[])[]> {
  const { paint, glyphs } = dress
  const title = `possible in this order: ${headline(one.violation, glyphs)}`
  const lines = wrap(leftOpen, pageWidth - 3).map((line) => `   ${line}`)
  return [[`   ${paint.bold(title)}`], ...(yield* executionSections({ found: one, finding }, dress)), lines]
}

const leftOpen =
  'The log does not say whether this order happened, or another one in which no call is refused. Calls of different machines can have happened in either order where no messages lead from one to the other; so can those of a machine that was killed before it wrote them.'
