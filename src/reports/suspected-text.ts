/** An execution over classes of values that goes wrong, and that was found for no values: what there is to show of it. */
import type { SuspectedExecution } from '../core/evidence.ts'
import type { Unhurried } from '../core/unhurried.ts'
import { executionSections, headline } from './execution-page.ts'
import type { PageDress } from './page.ts'
import type { ReportedFinding } from './result.ts'
import { pageWidth, wrap } from './text-width.ts'

export function* suspectedSections(
  one: SuspectedExecution,
  finding: ReportedFinding,
  dress: PageDress,
): Unhurried<readonly (readonly string[])[]> {
  const { paint, glyphs } = dress
  const [message = [], picture = [], where = []] = yield* executionSections({ found: one, finding }, dress)
  const title = `possible over classes: ${headline(one.violation, glyphs)}`
  return [[`   ${paint.bold(title)}`], message, picture, where, triedLines(one)]
}

function triedLines({ tried, isExhausted }: SuspectedExecution): readonly string[] {
  const known = isExhausted
    ? `with up to ${tried} values in each class, nothing goes wrong along these deliveries`
    : `with up to ${tried} values in each class, nothing was found to go wrong along these deliveries, and not everything was tried`
  const text = `${known}: classes may be too coarse to tell. To go on: divide a class that stands for many, or explore some values alone, --values ${tried}`
  return wrap(text, pageWidth - 3).map((line) => `   ${line}`)
}
