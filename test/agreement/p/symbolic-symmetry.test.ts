/** P programs by states up to names of machines: the orbits that brute force finds, each once, and the same violations. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { orderUsed } from '../../../src/ir/order-of-machines.ts'
import { amount, atLeast, byRow, long, seedsOf } from '../../amount.ts'
import { referenceProgram } from './generate-references.ts'
import { orbitsOf } from './orbits.ts'
import { filteredBy, networks, programsIn } from './symbolic-filters.ts'

const mostStates = amount({ quick: 300, rest: 400, all: 3_000 })

describe.each(networks)('under %s a state stands for all that differ in names', { timeout: 3_600_000 }, (network) => {
  test.each([true, false])(
    'in programs with siblings, without end: %s',
    byRow(networks.indexOf(network)),
    (isEndless) => {
      const sums = { compared: 0, states: 0, orbits: 0, violated: 0 }
      const seeds = seedsOf(network, networks, { quick: 4, rest: 30, thorough: 60, all: 5_000 })
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
    },
  )
})

/** Four machines of which two know each other, and the other two: nothing tells which, and not any two may change places. */
const pairs = [
  'event meet: machine; event greet;',
  'machine Main { start state S { entry {',
  '  var a: machine; var b: machine; var c: machine; var d: machine;',
  '  a = new Guest(); b = new Guest(); c = new Guest(); d = new Guest();',
  '  if ($) { pair(a, b); pair(c, d); } else if ($) { pair(a, c); pair(b, d); } else { pair(d, a); pair(c, b); }',
  '} } }',
  'fun pair(one: machine, other: machine) { send one, meet, other; send other, meet, one; }',
  'machine Guest { var peer: machine; var n: int; start state S {',
  '  on meet do (p: machine) { peer = p; if ($) { send peer, greet; } }',
  '  on greet do { n = n + 1; } } }',
  'test tc [main=Main]: { Main, Guest };',
].join('\n')

test.each(networks)('under %s machines that look alike are told apart by whom they know', long, (network) => {
  for (const ir of programsIn(pairs)) {
    const known = orbitsOf(ir, network, 10_000)
    expect(known?.orbits).toBeLessThan((known?.states ?? 0) / 2)
    const found = filteredBy(ir, { network, mode: 'states', filter: 'symmetry', most: 10_000 })
    expect(found).toMatchObject({ size: known?.orbits, ends: known?.orbitsOfEnds, violations: [] })
  }
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
