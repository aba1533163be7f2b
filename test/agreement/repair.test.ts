/** Repairs agree with brute force: cycle enumeration with all decompositions, root causes with all sets of sections. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { atOnce } from '../../src/core/unhurried.ts'
import { eliminatorsOf } from '../../src/properties/repair/eliminators.ts'
import { recordingOf } from '../../src/properties/repair/recording.ts'
import { executionRepairs, rootCauses } from '../../src/properties/repair/root-causes.ts'
import { sectionName } from '../../src/properties/repair/sections.ts'
import { eliminates } from '../../src/properties/repair/transactions.ts'
import { amount, atLeast, long } from '../amount.ts'
import { randomClientExecution, randomCode, randomExecution } from './repair-executions.ts'
import { admittedOutcomes, type ListName, parseClient, runClient } from './repair-lists.ts'
import {
  alternatives,
  bruteForceEliminators,
  candidateSubsumes,
  elimination,
  minimalCandidates,
  repairCandidates,
} from './repair-oracle.ts'

const drawn = amount({ quick: 100, thorough: 800, all: 2000 })
const sets = amount({ quick: 25, thorough: 200, all: 600 })

const sorted = (items: readonly unknown[]): readonly string[] => items.map((item) => JSON.stringify(item)).sort()

describe('execution eliminators', () => {
  test(`of ${drawn} generated executions are the minimal cyclic decompositions`, () => {
    const sizes = { none: 0, one: 0, several: 0, manySegments: 0 }
    for (let seed = 0; seed < drawn; seed++) {
      const random = new Random(seed)
      const execution = randomExecution(random, {
        processes: 2 + random.below(2),
        callsPerProcess: 1 + random.below(3),
        accesses: 6 + random.below(6),
        objects: 1 + random.below(3),
      })
      const found = atOnce(eliminatorsOf(recordingOf(execution)))
      const expected = bruteForceEliminators(execution).map((each) => each.toSorted((l, r) => l.call - r.call))
      expect(sorted(found.eliminators), `seed ${seed}`).toEqual(sorted(expected))
      expect(found.capped).toBe(false)
      sizes[expected.length === 0 ? 'none' : expected.length === 1 ? 'one' : 'several']++
      if (expected.some((each) => each.length > 1)) sizes.manySegments++
    }
    // A generator that made mostly serial executions would compare nothing.
    expect(sizes.several).toBeGreaterThan(atLeast(drawn / 4))
    expect(sizes.manySegments).toBeGreaterThan(atLeast(drawn / 10))
    expect(sizes.none).toBeGreaterThan(atLeast(drawn / 20))
  })
})

describe('root causes', () => {
  test(`of ${sets} generated sets of executions are the minimal sets of sections that eliminate them all`, () => {
    const tally = { several: 0, joined: 0, oneLine: 0 }
    for (let seed = 0; seed < sets; seed++) {
      const random = new Random(seed)
      const code = randomCode(random)
      const executions = Array.from({ length: 1 + random.below(3) }, () => randomClientExecution(random, code))
      const candidates = repairCandidates(executions)
      const repairable = executions.map((each) => alternatives(each, candidates)).filter((each) => each.length > 0)
      const expected = minimalCandidates(
        candidates.filter((repair) => repairable.every((each) => each.some((one) => candidateSubsumes(repair, one)))),
      ).filter((repair) => repair.length > 0)
      const found = atOnce(rootCauses({ violating: executions, linearizable: [] }))
      expect(sorted(found.repairs.map(({ sections }) => sections)), `seed ${seed}`).toEqual(sorted(expected))
      expect(found.serial).toBe(executions.length - repairable.length)
      if (expected.length > 1) tally.several++
      if (repairable.length > 1) tally.joined++
      if (expected.flat().some(({ lines }) => lines.first === lines.last)) tally.oneLine++
    }
    expect(tally.several).toBeGreaterThan(atLeast(0.15 * sets))
    expect(tally.joined).toBeGreaterThan(atLeast(0.25 * sets))
    expect(tally.oneLine).toBeGreaterThan(atLeast(0.1 * sets))
  })

  test('disable a linearizable execution exactly if the graph of transactions, with locks, is cyclic', () => {
    const answers = { yes: 0, no: 0 }
    for (let seed = 0; seed < 1000; seed++) {
      const random = new Random(seed)
      const code = randomCode(random)
      const { repairs } = atOnce(rootCauses({ violating: [randomClientExecution(random, code)], linearizable: [] }))
      const other = randomClientExecution(random, code)
      const isEliminated = elimination(other, 'with locks')
      for (const { sections } of repairs) {
        const expected = isEliminated(sections)
        expect(eliminates(sections, recordingOf(other)), `seed ${seed}`).toBe(expected)
        answers[expected ? 'yes' : 'no']++
      }
    }
    expect(answers.yes).toBeGreaterThan(100)
    expect(answers.no).toBeGreaterThan(100)
  })
})

/** Thesis, Table 2.2, first-ranked repairs; those of rows with both methods shrunk combine several executions. */
const lists: readonly (readonly [string, ListName, string, string, string])[] = [
  ['RW1', 'RW', 'a', '{r(0); r(1); a(1)} {a(0); a(1); r(1)}', 'lines 27–35 of add'],
  ['RW2', 'RW', 'a', '{a(0); a(1); r(1); a(1)} {a(1); r(0); r(0); a(0)}', 'lines 27–35 of add'],
  ['RW3', 'RW', 'a', '{a(1); a(1)} {r(1); r(0)} {a(0); r(1)}', 'lines 27–35 of add'],
  ['RW4', 'RW', 'r', '{a(1); a(1); r(1)} {r(0); a(0); r(1)}', 'lines 48–54 of remove'],
  ['RW5', 'RW', 'r', '{a(0); a(1); r(1); r(1)} {a(1); r(0); r(1); a(1)}', 'lines 48–54 of remove'],
  ['RW6', 'RW', 'r', '{r(1); a(0)} {a(1); r(1)} {a(1); a(0)}', 'lines 48–54 of remove'],
  ['RW7', 'RW', 'ar', '{a(1); r(1); a(1)} {a(1); r(1); a(1)}', 'lines 27–35 of add, lines 48–54 of remove'],
  ['RW8', 'RW', 'ar', '{r(1); a(1); r(0); r(0)} {a(0); r(1); a(0); a(1)}', 'lines 27–35 of add, lines 48–54 of remove'],
  ['RW9', 'RW', 'ar', '{a(1); r(1)} {a(0); a(1)} {r(0); r(1)}', 'lines 27–35 of add, lines 48–54 of remove'],
  ['OPT1', 'OPT', 'a', '{r(1); r(0); a(0)} {a(1); r(1); a(0)}', 'lines 51–56 of add'],
  ['OPT2', 'OPT', 'a', '{a(0); a(1); a(1); r(0)} {a(0); a(1); r(1); a(1)}', 'lines 51–56 of add'],
  ['OPT3', 'OPT', 'a', '{a(0); r(1)} {a(0); a(1)} {a(0); a(0)}', 'lines 51–56 of add'],
  ['OPT4', 'OPT', 'r', '{r(0); a(0); r(0)} {a(0); r(0); a(1)}', 'lines 78–80 of remove'],
  ['OPT5', 'OPT', 'r', '{r(1); a(0); r(1); r(1)} {a(0); a(0); a(1); r(0)}', 'lines 78–80 of remove'],
  ['OPT6', 'OPT', 'r', '{a(1); r(0)} {a(0); a(1)} {r(0); r(1)}', 'lines 78–80 of remove'],
  ['OPT7', 'OPT', 'ar', '{r(1); r(1); a(0)} {a(1); r(0); r(1)}', 'lines 51–56 of add, lines 78–80 of remove'],
  [
    'OPT8',
    'OPT',
    'ar',
    '{a(1); r(1); a(1); r(0)} {r(0); r(1); a(1); r(0)}',
    'lines 51–56 of add, lines 78–80 of remove',
  ],
  ['OPT9', 'OPT', 'ar', '{a(0); r(1)} {a(0); a(1)} {a(0); a(0)}', 'lines 51–56 of add'],
]

describe("the thesis' list sets", () => {
  test.each(lists)(
    '%s: the only repair of 600 executions is the one of Table 2.2',
    long,
    (_id, list, shrunk, text, expected) => {
      const client = parseClient(text)
      const admitted = admittedOutcomes(client)
      const random = new Random(1)
      const runs = Array.from({ length: 600 }, () => runClient(random, list, shrunk, client))
      const { repairs, serial, capped } = atOnce(
        rootCauses({
          violating: runs.filter(({ outcome }) => !admitted.has(outcome)).map(({ execution }) => execution),
          linearizable: runs.filter(({ outcome }) => admitted.has(outcome)).map(({ execution }) => execution),
        }),
      )
      expect(repairs.map(({ sections }) => sections.map(sectionName).join(', '))).toEqual([expected])
      expect({ serial, capped }).toEqual({ serial: 0, capped: false })
    },
  )

  test.each(['RW', 'OPT'] as const)('%s without shrunk sections admits only admitted outcomes', (list) => {
    const client = parseClient('{a(0); r(1)} {a(1); r(0)} {r(1); a(1)}')
    const random = new Random(2)
    const outcomes = new Set(Array.from({ length: 600 }, () => runClient(random, list, '', client).outcome))
    expect([...outcomes].filter((outcome) => !admittedOutcomes(client).has(outcome))).toEqual([])
  })

  test('every repair of an execution eliminates it, through loops, called functions and locks', () => {
    const client = parseClient('{a(1); r(1); a(0)} {a(1); r(0)} {r(1); a(1)}')
    const random = new Random(3)
    let repairs = 0
    for (let i = 0; i < 300; i++) {
      const { execution } = runClient(random, 'OPT', 'ar', client)
      for (const repair of atOnce(executionRepairs(execution)).repairs) {
        repairs++
        expect(eliminates(repair, recordingOf(execution)), repair.map(sectionName).join()).toBe(true)
      }
    }
    expect(repairs).toBeGreaterThan(400)
  })
})
