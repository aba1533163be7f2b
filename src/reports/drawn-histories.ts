/** Everything in a result that has calls to draw on a page. */
import { type ClientCounterexample, evidenceOf } from '../core/evidence.ts'
import { accessColumns } from './access-columns.ts'
import { rankedRepairs, sourcesOf } from './client-page.ts'
import { accessSteps, pictureOf } from './client-steps.ts'
import type { DrawnHistory } from './history-html.ts'
import { glyphsFor } from './paint.ts'
import type { Reported } from './result.ts'

/** Recorded histories, and executions of clients; the causes stand beside the first of these. */
export function drawnHistories(result: Reported): readonly DrawnHistory[] {
  const { program, file, verdict } = result
  const sources = sourcesOf(result)
  const repairs = evidenceOf(verdict.evidence, 'sections').flatMap(rankedRepairs)
  const recorded = evidenceOf(verdict.evidence, 'history').map((picture) => ({ picture, options: { title: file } }))
  const clients = evidenceOf(verdict.evidence, 'execution').flatMap(({ client, ...found }) =>
    client === undefined ? [] : [{ ...found, client }],
  )
  const executions = clients.map((found: ClientCounterexample, at) => {
    const steps = accessColumns(accessSteps(found, sources, glyphsFor(false)), { maxRows: 400 })
    const rootCauses = at === 0 && repairs.length > 0 ? [{ repairs }] : []
    const options = { title: `${program}: ${found.client.text}`, steps, rootCauses, sources }
    return { picture: pictureOf(found), options }
  })
  return [...recorded, ...executions]
}
