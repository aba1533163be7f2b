/** P programs by states up to names of machines: the orbits that brute force finds, each once, and the same violations. */
import { describe, expect, test } from 'vitest'
import { orderUsed } from '../../../src/ir/order-of-machines.ts'
import { amount, atLeast, cut, seedsOf } from '../../amount.ts'
import { referenceProgram } from './generate-references.ts'
import { orbitsOf } from './orbits.ts'
import { filteredBy, networks, programsIn } from './symbolic-filters.ts'

const mostStates = amount({ quick: 300, rest: 600, all: 3_000 })

describe.each(networks)('under %s a state stands for all that differ in names', { timeout: 3_600_000 }, (network) => {
  test.each([true, false])('in programs with siblings, without end: %s', cut, (isEndless) => {
    const sums = { compared: 0, states: 0, orbits: 0, violated: 0 }
    const seeds = seedsOf(network, networks, { quick: 12, rest: 60, all: 5_000 })
    for (const seed of seeds)
      for (const ir of programsIn(referenceProgram(seed, { isEndless, hasSiblings: true }))) {
        expect(orderUsed(ir)).toBeUndefined()
        const known = orbitsOf(ir, network, mostStates)
        if (known === undefined) continue
        const found = filteredBy(ir, { network, mode: 'states', filter: 'symmetry' })
        const { orbits: size, orbitsOfEnds: ends, violations } = known
        expect({ seed, ...found }).toMatchObject({ seed, size, ends, violations })
        sums.compared++
        sums.states += known.states
        sums.orbits += known.orbits
        if (violations.length > 0) sums.violated++
      }

    expect(sums.compared).toBeGreaterThan(seeds.length * atLeast(0.6))
    expect(sums.orbits).toBeLessThan(sums.states)
  })
})

/** The first of two machines to say hello is the first in a set, or is not: both can be. */
const ordered = (relation: '==' | '!='): string =>
  [
    'event hello: machine;',
    'machine Main { var seen: set[machine]; var first: machine; start state S {',
    '  entry { new Worker(this); new Worker(this); }',
    '  on hello do (who: machine) { if (first == null) { first = who; }',
    `    seen += (who); if (sizeof(seen) == 2) { assert seen[0] ${relation} first, "order"; } } } }`,
    'machine Worker { start state S { entry (m: machine) { send m, hello, this; } } }',
    'test tc [main=Main]: { Main, Worker };',
  ].join('\n')

test.each(networks)('under %s programs that look at the order of machines would lose violations', (network) => {
  const found = (relation: '==' | '!=', filter: 'none' | 'symmetry'): number =>
    programsIn(ordered(relation)).reduce((sum, ir) => {
      try {
        return sum + (filteredBy(ir, { network, mode: 'states', filter })?.violations.length ?? 0)
      } catch {
        // It is found with names that the execution does not have.
        return sum
      }
    }, 0)
  expect(found('==', 'none') + found('!=', 'none')).toBe(2)
  // They are refused, but not here.
  expect(found('==', 'symmetry') + found('!=', 'symmetry')).toBeLessThan(2)
})
