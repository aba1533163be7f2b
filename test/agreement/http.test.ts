/** Clients of generated endpoints are answered what the guide says that they may be, and nothing else, with and without losses. */
// @module-tag cut
import { expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { Random } from '../../src/core/random.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { amount, atLeast } from '../amount.ts'
import { allThatMayBeAnswered } from './http-oracle.ts'
import { type Asking, allAnswered, type HttpScene } from './http-scenes.ts'

const scenes = amount({ quick: 20, rest: 28, thorough: 200, all: 10_000 })
/** Executions beyond which a scene is left out. */
const [most, mostEnumerated] = [100, 120]

test(`${scenes} generated scenes`, () => {
  const tally = { compared: 0, several: 0, struck: 0, enumerated: 0 }
  for (let seed = 0; seed < scenes; seed++) {
    const scene = generated(seed)
    const release = guardDeterminism()
    try {
      const found = allAnswered(dpor, scene, most)
      if (found === undefined) continue
      tally.compared++
      const expected = allThatMayBeAnswered(scene)
      expect(found, `seed ${seed}: ${JSON.stringify(scene)}`).toEqual(expected)
      if (expected.size > 1) tally.several++
      if (expected.size > allThatMayBeAnswered({ ...scene, losses: 0 }).size) tally.struck++
      const all = allAnswered(exhaustive, scene, mostEnumerated)
      if (all === undefined) continue
      tally.enumerated++
      expect(all, `seed ${seed}, by exhaustive: ${JSON.stringify(scene)}`).toEqual(expected)
    } finally {
      release()
    }
  }
  expect(tally.compared / scenes, 'not left out').toBeGreaterThan(0.5)
  expect(tally.several, 'with several outcomes').toBeGreaterThan(atLeast(0.25 * scenes))
  expect(tally.struck, 'where losses show').toBeGreaterThan(atLeast(0.15 * scenes))
  expect(tally.enumerated, 'small enough for exhaustive').toBeGreaterThan(atLeast(0.15 * scenes))
})

function generated(seed: number): HttpScene {
  const random = new Random(seed)
  let ids = 0
  const asking = (): Asking => ({ id: 'abcd'.charAt(ids++), retries: random.pick([undefined, undefined, 0, 1]) })
  const isWide = random.below(2) === 0
  const clients = isWide ? [[asking()], [asking()]] : [random.below(2) === 0 ? [asking(), asking()] : [asking()]]
  return { clients, losses: random.below(3) }
}
