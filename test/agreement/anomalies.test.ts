/** Each anomaly is reached at the levels that allow it and at no others, as several engines and the definitions say. */
// @module-tag cut
import { expect, test } from 'vitest'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { statefulPaths } from '../../src/engines/stateful/path-search.ts'
import { cut, longIf, oneIn } from '../amount.ts'
import { type Anomaly, anomalies, levels } from './anomalies.ts'
import { endingsFound } from './database-explored.ts'
import { endingsOf } from './database-oracle.ts'

test.each(oneIn(3, anomalies))('$name', cut, ({ scene, shows, at }) => {
  for (const isolation of levels) {
    const found = endingsFound(dpor, scene, { isolation })?.endings
    const reached = [...(found ?? [])].some((text) => shows(JSON.parse(text)))
    expect(reached, isolation).toBe(at.includes(isolation))
    expect(found, isolation).toEqual(endingsOf(scene, isolation))
  }
})

const ofTwo = anomalies.filter(({ scene }) => scene.transactions.length === 2)

for (const [at, { name, scene }] of ofTwo.entries())
  test(`${name}: all states`, longIf(true, at % 4 > 0), () => {
    for (const isolation of levels)
      expect(endingsFound(statefulPaths, scene, { isolation })?.endings, isolation).toEqual(endingsOf(scene, isolation))
  })

// All interleavings of more than two or three statements are too many.
const small = anomalies.filter(({ name }) => /^(?:aborted|intermediate)/.test(name))

for (const [at, { name, scene }] of small.entries())
  test(`${name}: all interleavings`, longIf(true, at > 0), () => {
    for (const isolation of ['read committed', 'snapshot'] as const)
      expect(endingsFound(exhaustive, scene, { isolation })?.endings, isolation).toEqual(endingsOf(scene, isolation))
  })

/**
 * Orders of the messages that reach the server: at read committed each statement is one, and a commit that matters; a snapshot is read
 * without a message. So 8! / (4! 4!) and 6! / (3! 3!), and 9! / (3! 4! 2!), 7! / (3! 3! 1!) and 8! / (3! 3! 2!).
 */
test.each([
  ['write skew, rows (A5B, G2-item)', [70, 20, 20]],
  ['anomaly of a transaction that only reads', [1260, 140, 560]],
] as const)('%s: so many executions', (name, expected) => {
  const { scene } = anomalies.find((one) => one.name === name) as Anomaly
  const unlocked = levels.filter((isolation) => isolation !== 'repeatable read')
  expect(unlocked.map((isolation) => endingsFound(dpor, scene, { isolation })?.executions)).toEqual(expected)
})
