/** Programs of processes by the search that remembers states, where it is asked: verdicts and exact counts. Every violation is replayed by the judge. */
import { expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { sameViolation } from '../../src/core/property.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import { statefulPaths } from '../../src/engines/stateful/path-search.ts'
import type { Paths } from '../../src/program/path.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { longIf } from '../amount.ts'
import { isSoon, type StatesAnswer } from './answers.ts'
import { type Entry, readCorpus, titleOf } from './entries.ts'

interface Question {
  readonly title: string
  readonly paths: () => Paths
  readonly expected: StatesAnswer
}

const entries = await readCorpus(({ engines }) => engines.stateful !== undefined)
const asked = entries.flatMap(questions)

for (const [at, one] of asked.filter(({ expected }) => isSoon(expected)).entries())
  test(one.title, longIf(at > 0), () => check(one))

for (const one of asked.filter(({ expected }) => expected.long)) test(one.title, longIf(true, true), () => check(one))

/** Of programs that have no other view of their states. */
function questions(entry: Entry): readonly Question[] {
  return entry.answers.flatMap((answer) => {
    const program = entry.programs.get(answer.program)
    const expected = answer.engines.stateful as StatesAnswer | undefined
    const view = program?.views.runnable
    if (program === undefined || view === undefined || expected === undefined) return []
    if (program.views.stateful !== undefined) return []
    const { params, network = program.network } = answer.setting
    const setting = settingFrom({ params: { ...program.params, ...params }, network })
    const title = `${titleOf(entry, answer)}, stateful: ${expected.verdict}`
    return [{ title, paths: () => pathsOf(view(setting)), expected }]
  })
}

function check({ paths, expected }: Question): void {
  const release = guardDeterminism()
  try {
    const { counts, violation } = searched(paths())
    expect(violation?.property).toBe(expected.violation?.property)
    if (expected.violation?.rule !== undefined) expect(violation?.rule).toBe(expected.violation.rule)
    if (violation === undefined) expect(counts).toMatchObject(expected.counts ?? {})
    expect(violation === undefined ? 'verified' : 'violated').toBe(expected.verdict)
  } finally {
    release()
  }
}

/** To its end, or to the first violation. */
function searched(paths: Paths) {
  let counts: Extract<EngineEvent, { kind: 'progress' }>['counts'] = {}
  for (const event of statefulPaths.explore(paths, {})) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'progress') counts = event.counts
    if (event.kind !== 'violation') continue
    const { violations } = replay(paths, event.decisions, { places: false })
    const violation = violations.find((one) => sameViolation(one, event.violation))
    if (violation === undefined) throw new Error(`found what the judge did not: ${event.violation.message}`)
    return { counts: {}, violation }
  }
  return { counts, violation: undefined }
}
