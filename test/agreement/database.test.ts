/** Generated transactions come to the same ends on the database of `allways/services` as the definitions say, at every level. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { amount, atLeast } from '../amount.ts'
import { levels } from './anomalies.ts'
import { endingsFound } from './database-explored.ts'
import { endingsOf } from './database-oracle.ts'
import type { Fields, Scene, Script } from './database-scripts.ts'

const scenes = amount({ quick: 12, rest: 80, thorough: 300, all: 5000 })

const crashing = amount({ quick: 4, rest: 20, thorough: 80, all: 2000 })

describe.each(levels)('%s', (isolation) => {
  test(`${crashing} generated scenes in which a client crashes end in the same ways`, () => {
    const tally = { several: 0 }
    for (let seed = 0; seed < crashing; seed++) {
      const { rows, transactions } = generated(seed)
      const crashes = { crashes: 1, restarts: seed % 2 }
      const scene = { rows, transactions: transactions.slice(0, 2).map((one) => one.slice(0, 2)), ...crashes }
      const expected = endingsOf(scene, isolation)
      const found = endingsFound(dpor, scene, { isolation })?.endings
      expect(found, `seed ${seed}: ${JSON.stringify(scene)}`).toEqual(expected)
      if (expected.size > endingsOf({ ...scene, crashes: 0 }, isolation).size + 2) tally.several++
    }
    expect(tally.several, 'with several ends that only a crash allows').toBeGreaterThan(atLeast(0.4 * crashing))
  })

  test('a function of a client that is gone answers for nobody else', () => {
    const add = { does: 'add', key: 'b', by: 1 } as const
    const lock = { does: 'lock', key: 'a' } as const
    const scene = {
      rows: { a: { n: 1 }, b: { n: 0 } },
      transactions: [
        [lock, add],
        [add, lock],
      ],
      crashes: 1,
    }
    expect(endingsFound(dpor, scene, { isolation })?.endings).toEqual(endingsOf(scene, isolation))
  })

  test(`${scenes} generated scenes end in the same ways`, () => {
    const tally = { several: 0, failing: 0, deadlocked: 0, unique: 0 }
    for (let seed = 0; seed < scenes; seed++) {
      const scene = generated(seed)
      const expected = endingsOf(scene, isolation)
      const found = endingsFound(dpor, scene, { isolation })?.endings
      expect(found, `seed ${seed}: ${JSON.stringify(scene)}`).toEqual(expected)
      const all = [...expected].join()
      if (expected.size > 1) tally.several++
      if (all.includes('"serialization"')) tally.failing++
      if (all.includes('"deadlock"')) tally.deadlocked++
      if (all.includes('"unique"')) tally.unique++
    }
    expect(tally.several, 'with several ends').toBeGreaterThan(atLeast(0.3 * scenes))
    expect(tally.unique, 'with something that must be unique').toBeGreaterThan(atLeast(0.02 * scenes))
    expect(tally.deadlocked, 'with a deadlock').toBeGreaterThan(atLeast(0.02 * scenes))
    const mayFail = isolation === 'snapshot' || isolation === 'serializable'
    if (mayFail) expect(tally.failing, 'with a serialization failure').toBeGreaterThan(atLeast(0.1 * scenes))
    else expect(tally.failing).toBe(0)
  })
})

function generated(seed: number): Scene {
  const random = new Random(seed)
  const [keys, counts] = [['a', 'b', 'c'] as const, [0, 1, 2] as const]
  // Transactions that write two rows in opposite orders meet deadlocks; others seldom do.
  const isWriting = random.below(4) === 0
  const crossing = isWriting ? (['a', 'b', 'b', 'a'] as const).values() : undefined
  const key = () => crossing?.next().value ?? random.pick(keys)
  const row = (): Fields =>
    random.below(3) === 0 ? { n: random.pick(counts), u: random.below(2) } : { n: random.pick(counts) }
  const statement = (): Script => {
    switch (isWriting ? random.pick([2, 5, 6]) : random.below(11)) {
      case 0:
      case 1:
        return { does: 'get', key: key() }
      case 2:
        return { does: 'lock', key: key() }
      case 3:
        return { does: 'put', key: key(), row: row() }
      case 4:
        return { does: 'insert', key: key(), row: row() }
      case 5:
        return { does: 'set', key: key(), row: row() }
      case 6:
        return { does: 'add', key: key(), by: 1 }
      case 7:
        return { does: 'delete', key: key() }
      case 8:
        return { does: 'scan to lock', from: random.below(2) }
      default:
        return { does: 'scan', from: random.below(2) }
    }
  }
  const transaction = (most: number): readonly Script[] => {
    const statements = Array.from({ length: isWriting ? 2 : 1 + random.below(most) }, statement)
    return random.below(8) === 0 ? [...statements, { does: 'roll back' }] : statements
  }
  // Three that are short, or two that are longer.
  const lengths = !isWriting && random.below(4) === 0 ? [1, 1, 2] : [3, 3]
  const b = row()
  // Rows that are there from the start must differ in what must be unique.
  return { rows: { a: { n: 1, u: 0 }, b: b.u === 0 ? { ...b, u: 1 } : b }, transactions: lengths.map(transaction) }
}
