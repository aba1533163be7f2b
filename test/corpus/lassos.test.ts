/**
 * Executions without end, for every program of the corpus that has one: the part of the picture that is said to repeat is made by exactly
 * the decisions that repeat, and it begins and ends in one state.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import { checkRequest, replaySubject } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { type Event, isStep } from '../../src/core/event.ts'
import { type ExecutionEvidence, evidenceOf } from '../../src/core/evidence.ts'
import type { Setting } from '../../src/core/setting.ts'
import { atOnce } from '../../src/core/unhurried.ts'
import type { Program } from '../../src/program/program.ts'
import { columns } from '../../src/reports/columns.ts'
import { mermaid } from '../../src/reports/mermaid.ts'
import { pictureSteps } from '../../src/reports/picture-steps.ts'
import { corpusFolder, isSoon, readAnswers } from './answers.ts'

interface Lasso {
  readonly title: string
  readonly program: Program
  readonly setting: Setting
  readonly found: ExecutionEvidence
}

const models = [
  { file: 'model.p', entries: readAnswers('model.p') },
  { file: 'model.check.ts', entries: readAnswers().filter(({ name }) => name === 'starvation') },
]
const lassos = (
  await Promise.all(models.flatMap(({ file, entries }) => entries.map((entry) => lassosOf(entry, file))))
).flat()

describe('what a picture says to repeat', () => {
  test('is looked at for P programs and for systems, and where decisions are not steps', () => {
    expect(lassos.filter(({ title }) => title.startsWith('p-')).length).toBeGreaterThan(8)
    expect(lassos.filter(({ title }) => title.startsWith('starvation')).length).toBeGreaterThan(0)
    const uneven = lassos.filter(
      ({ found: { decisions, events } }) => decisions.length !== events.filter(isStep).length,
    )
    expect(uneven.length).toBeGreaterThan(0)
  })

  test.each(lassos)('$title', ({ program, setting, found }) => {
    const { keys, events } = walked(program, setting, found)
    expect(keys.end).toBe(keys.begin)
    expect(found.eventsBeforeRound).toBe(events.before)
    const repeating = found.events.slice(events.before)
    expect(repeating).toEqual(events.round)
    const steps = repeating.filter(isStep).length
    const first = found.events.length === events.before ? undefined : found.events.filter(isStep).length - steps + 1
    const row = atOnce(pictureSteps(found)).steps.find(
      ({ position, first: number }) => number !== undefined && position >= events.before,
    )
    expect(row?.first).toBe(first)
    const words =
      steps === 0
        ? 'nothing more has to happen'
        : steps === 1
          ? 'this step can repeat for ever'
          : `these ${steps} steps can repeat for ever`
    expect(columns(found)).toContain(words)
    expect(mermaid(found)).toContain(words)
  })
})

async function lassosOf(
  { name, answers }: ReturnType<typeof readAnswers>[number],
  file: string,
): Promise<readonly Lasso[]> {
  const { programs } = orThrow(await loadPrograms(join(corpusFolder, name, file)))
  const found: Lasso[] = []
  for (const { program: asked, setting, engines } of answers) {
    const { stateful } = engines
    const program = programs.find(({ program: one }) => one.name === asked)?.program
    if (program === undefined || stateful?.verdict !== 'violated' || !isSoon(stateful)) continue
    const request = orThrow(checkRequest(program, { engine: 'stateful', network: setting.network, time: '10m' }))
    const answer = orThrow(await runCheck(request))
    for (const one of evidenceOf(answer.verdict.evidence, 'execution'))
      if (one.repeatsFrom !== undefined)
        found.push({
          title: `${name} ${asked}, ${setting.network ?? 'its own network'}`,
          program,
          setting: request.setting,
          found: one,
        })
  }
  return found
}

/** The decisions taken once more, one by one. */
function walked(program: Program, setting: Setting, { decisions, repeatsFrom = 0 }: ExecutionEvidence) {
  const path = replaySubject(program, setting)?.begin({ decisions: decisions.length, details: true })
  if (path === undefined) throw new Error('a program has paths')
  for (const decision of decisions.slice(0, repeatsFrom)) path.take(decision)
  const [begin, before] = [path.key(), path.events().length]
  const round: Event[] = []
  for (const decision of decisions.slice(repeatsFrom)) round.push(...path.take(decision))
  return { keys: { begin, end: path.key() }, events: { before, round } }
}
