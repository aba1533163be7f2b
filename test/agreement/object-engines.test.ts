/**
 * Every engine sees the same executions of a class: `dpor`, every order of the steps of a path, and the stateful search in full agree on
 * outcomes and violations; what `random` and `pct` sample is among them.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import type { JudgedClass } from '../../src/check/objects/subjects.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { random } from '../../src/engines/random/random.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { amount, atLeast, isLittle, long } from '../amount.ts'
import { judgements, loadText, requestOf } from './object-agreement.ts'
import { cases, casesModule } from './object-cases.ts'
import { full } from './object-compare.ts'
import { byDpor, byFusedDpor, byPaths, bySamples, endingsBy } from './object-engines.ts'
import { clientText, generateObject, moduleText } from './object-generate.ts'
import { clientOf, search } from './object-search.ts'

const mostTransitions = 600
const mostByDpor = 250
const mostByPaths = 100

interface Tally {
  dpor: number
  paths: number
  sampled: number
  tooMany: number
  violated: number
  deadlocking: number
  executions: number
  fusedExecutions: number
}

test('on classes with hidden accesses', long, async () => {
  const loaded = await loadText(casesModule)
  const tally = newTally()
  for (const { class: className, client } of cases) {
    for (const judgement of judgements) {
      const request = { ...requestOf(loaded, className, client), ...judgement }
      expect(problemOf(request, clientOf(client), tally), `${client} ${JSON.stringify(judgement)}`).toBeUndefined()
    }
  }
  expect(tally.dpor, 'explored by dpor').toBeGreaterThan(20)
})

test('on clients that wait for ever', async () => {
  const loaded = await loadText(casesModule)
  const tally = newTally()
  for (const client of ['{ take() } || { take() }', '{ take() } || { set() }', '{ set() } || { take(); set() }']) {
    for (const judgement of judgements) {
      const request = { ...requestOf(loaded, 'Stuck', client), ...judgement }
      expect(problemOf(request, clientOf(client), tally), `${client} ${JSON.stringify(judgement)}`).toBeUndefined()
    }
  }
  // Each client under the two judgements that call it a mistake.
  expect(tally.deadlocking).toBe(6)
})

const classes = amount({ quick: 4, rest: 16, thorough: 30, all: 200 })

test(`on ${classes} generated classes`, async () => {
  const texts = Array.from({ length: classes }, (_, seed) => generateObject(1_000 + seed))
  const loaded = await loadText(moduleText(texts.map((text) => text.class)))
  const tally = newTally()
  for (const text of texts) {
    const request = requestOf(loaded, text.class.name, '{ first(0) }')
    const client = clientText(text.client)
    for (const judgement of judgements) {
      const problem = problemOf({ ...request, ...judgement }, clientOf(client), tally)
      expect(problem, `${client}\n${moduleText([text.class])}`).toBeUndefined()
    }
  }
  expect(tally.dpor, 'explored by dpor').toBeGreaterThan(atLeast(classes / 2))
  expect(tally.paths, 'explored in every order').toBeGreaterThan(atLeast(classes / 8))
  expect(tally.sampled, 'sampled by random and pct').toBeGreaterThan(atLeast(classes))
  // The first few have none.
  if (!isLittle) expect(tally.violated, 'with violations').toBeGreaterThan(classes / 6)
  expect(tally.fusedExecutions / tally.executions, 'executions left by taking steps together').toBeLessThan(0.9)
})

function newTally(): Tally {
  return { dpor: 0, paths: 0, sampled: 0, tooMany: 0, violated: 0, deadlocking: 0, executions: 0, fusedExecutions: 0 }
}

function problemOf(request: JudgedClass, client: Client, tally: Tally): unknown {
  const searched = search(request, client, full, mostTransitions)
  if (searched.kind === 'too large') return undefined
  const { outcomes, violations } = searched.endings
  if (violations.length > 0) tally.violated++
  if (violations.some((violation) => violation.startsWith('deadlock'))) tally.deadlocking++
  const dpor = endingsBy(byDpor, { request, client, limit: mostByDpor })
  const fused = endingsBy(byFusedDpor, { request, client, limit: mostByDpor })
  const paths = endingsBy(byPaths, { request, client, limit: mostByPaths })
  if (dpor === undefined) tally.tooMany++
  else if (fused !== undefined) {
    tally.dpor++
    tally.executions += dpor.executions
    tally.fusedExecutions += fused.executions
  }
  if (paths !== undefined) tally.paths++
  for (const [engine, found] of Object.entries({ dpor, fused, paths })) {
    if (found === undefined) continue
    const seen = { outcomes: found.outcomes, violations: found.violations }
    if (JSON.stringify(seen) !== JSON.stringify({ outcomes, violations })) return { engine, seen, outcomes, violations }
    if (dpor !== undefined && paths !== undefined && paths.executions < dpor.executions) return { engine, dpor, paths }
  }
  for (const engine of [random, pct]) {
    const sampled = endingsBy(bySamples(engine), { request, client, limit: 5 })
    if (sampled !== undefined) tally.sampled++
    const strange = sampled?.outcomes.filter((outcome) => !outcomes.includes(outcome)) ?? []
    const wrong = sampled?.violations.filter((violation) => !violations.includes(violation)) ?? []
    if (strange.length + wrong.length > 0) return { engine: engine.name, strange, wrong, outcomes, violations }
  }
  return undefined
}
