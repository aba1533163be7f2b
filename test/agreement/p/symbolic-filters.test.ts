/** P programs, all executions at once and with filters: whatever is left out, verdicts and the states in which executions end are the same. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import type { Diagram } from '../../../src/bdd/diagrams.ts'
import type { Candidate } from '../../../src/engines/symbolic/deliveries.ts'
import { LeftMovers } from '../../../src/engines/symbolic/filters/left-movers.ts'
import type { SymbolicSearch } from '../../../src/engines/symbolic/search.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, atLeast, byRow, seedsOf } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { generatedProgram } from './generate.ts'
import { referenceProgram } from './generate-references.ts'
import { referenceLitmus } from './reference-litmus.ts'
import { type Asked, filteredBy, lossOf, type Network, networks, programsIn } from './symbolic-filters.ts'

/** Whoever is first moves alone. */
class FirstAlone extends LeftMovers {
  readonly #search: SymbolicSearch

  constructor(search: SymbolicSearch) {
    super(search.exploration.state, { filter: 'creations', mode: 'states' })
    this.#search = search
  }

  override left(candidates: readonly Candidate[]): readonly Candidate[] {
    const { diagrams } = this.#search.exploration
    let some = diagrams.never
    return candidates.map((candidate) => {
      const guard = diagrams.minus(candidate.guard, some)
      some = diagrams.or(some, guard)
      return { ...candidate, guard }
    })
  }
}

/** Whoever is left out may be left out for ever. */
class WithoutEnd extends LeftMovers {
  override postponing(): Diagram {
    return 0
  }
}

const litmus = [
  {
    name: 'a monitor wants that a machine begins before another one is served',
    filter: 'creations',
    planted: ({ exploration: { state } }: SymbolicSearch) =>
      new LeftMovers(state, { filter: 'creations', mode: 'states' }, []),
    text: [
      'event go; event begun; event served;',
      'machine Main { start state S { entry { var k: machine; k = new Keeper(); new Asker(k); new Late(); } } }',
      'machine Keeper { start state S { on go do { announce served; } } }',
      'machine Asker { start state S { entry (k: machine) { send k, go; } } }',
      'machine Late { start state S { entry { announce begun; } } }',
      'spec First observes begun, served { var isThere: bool; start state W {',
      '  on begun do { isThere = true; } on served do { assert isThere, "served before"; } } }',
      'test tc [main=Main]: assert First in { Main, Keeper, Asker, Late };',
    ].join('\n'),
  },
  {
    name: 'a monitor sees what a machine does that nobody else knows',
    filter: 'sole',
    planted: ({ exploration: { state } }: SymbolicSearch) =>
      new LeftMovers(state, { filter: 'sole', mode: 'states' }, []),
    text: [
      'event go; event early; event late;',
      'machine Main { start state S { entry { new Loner(); new Other(); } } }',
      'machine Loner { start state S { entry { send this, go; } on go do { announce early; } } }',
      'machine Other { start state S { entry { send this, go; } on go do { announce late; } } }',
      'spec First observes early, late { var isThere: bool; start state W {',
      '  on early do { isThere = true; } on late do { assert isThere, "late before"; } } }',
      'test tc [main=Main]: assert First in { Main, Loner, Other };',
    ].join('\n'),
  },
  {
    name: 'a machine that nobody knows sends to itself for ever',
    filter: 'sole',
    planted: ({ exploration: { state } }: SymbolicSearch) => new WithoutEnd(state, { filter: 'sole', mode: 'states' }),
    text: [
      'event a; event b;',
      'machine Main { start state S { entry { new Other(this); new Loner(); send this, a; } on a do { assert false, "found"; } } }',
      'machine Other { var known: machine; start state S { entry (m: machine) { known = m; } } }',
      'machine Loner { start state S { entry { send this, b; } on b do { send this, b; } } }',
      'test tc [main=Main]: { Main, Other, Loner };',
    ].join('\n'),
  },
  {
    name: 'two machines that forget each other send to each other for ever',
    filter: 'sole',
    planted: ({ exploration: { state } }: SymbolicSearch) => new WithoutEnd(state, { filter: 'sole', mode: 'states' }),
    text: [
      'event a; event b: machine;',
      'machine Main { start state S { entry { new Other(this); new Ping(); send this, a; } on a do { assert false, "found"; } } }',
      'machine Other { var known: machine; start state S { entry (m: machine) { known = m; } } }',
      'machine Ping { start state S { entry { send new Pong(), b, this; } on b do (p: machine) { send p, b, this; } } }',
      'machine Pong { start state S { on b do (p: machine) { send p, b, this; } } }',
      'test tc [main=Main]: { Main, Other, Ping, Pong };',
    ].join('\n'),
  },
] as const

/** States of programs whose executions are counted, too. Some of those have no end, and are given up. */
const mostByHistory = amount({ quick: 20, rest: 40, all: 200 })

const movers = ['creations', 'sole'] as const

interface Sums {
  compared: number
  whole: number
  violated: number
  readonly left: { [filter: string]: number }
}

function newSums(): Sums {
  return { compared: 0, whole: 0, violated: 0, left: {} }
}

/** By states, and what is lost. */
function compareMovers(ir: Ir, network: Network, sums: Sums): readonly (string | undefined)[] {
  const whole = filteredBy(ir, { network, mode: 'states', filter: 'none' })
  if (whole === undefined) return []
  sums.compared++
  sums.whole += whole.size
  if (whole.sites.length > 0) sums.violated++
  const byStates = movers.map((filter) => {
    const filtered = filteredBy(ir, { network, mode: 'states', filter })
    if (filtered === undefined) return `${filter}: more than without`
    sums.left[filter] = (sums.left[filter] ?? 0) + filtered.size
    const loss = lossOf(whole, filtered)
    return loss && `${filter}: ${loss}`
  })
  const steps = whole.size < mostByHistory ? filteredBy(ir, { network, mode: 'steps', filter: 'none' }) : undefined
  const bySteps = movers.map((filter) => {
    const filtered = steps && filteredBy(ir, { network, mode: 'steps', filter })
    const loss = filtered && lossOf(steps, filtered)
    return loss && `${filter}, step by step: ${loss}`
  })
  return [...byStates, ...bySteps]
}

describe.each(networks)('under %s what nothing can come before may come first', { timeout: 3_600_000 }, (network) => {
  const row = networks.indexOf(network)

  test.each([true, false])('in programs about who knows whom, without end: %s', byRow(row), (isEndless) => {
    const sums = newSums()
    const seeds = seedsOf(network, networks, { quick: 8, rest: 16, thorough: 40, all: 20_000 })
    for (const seed of seeds)
      for (const ir of programsIn(referenceProgram(seed, { isEndless })))
        expect({ seed, losses: compareMovers(ir, network, sums).filter(Boolean) }).toEqual({ seed, losses: [] })
    expect(sums.compared).toBeGreaterThan(seeds.length * 0.8)
    expect(sums.violated).toBeGreaterThan(seeds.length * atLeast(0.1))
    expect(sums.left.creations).toBeLessThan(sums.whole)
    expect(sums.left.sole).toBeLessThan(sums.left.creations as number)
  })

  test('in programs of P', byRow(row, 1), () => {
    const sums = newSums()
    const seeds = seedsOf(network, networks, { quick: 2, rest: 8, thorough: 20, all: 1_000 })
    for (const seed of seeds)
      for (const ir of [generated(seed), ...programsIn(generatedProgram(seed))])
        expect({ seed, losses: compareMovers(ir, network, sums).filter(Boolean) }).toEqual({ seed, losses: [] })
    expect(sums.compared).toBeGreaterThan(seeds.length)
  })

  test.each(litmus)('and a violation is found: $name', ({ text, filter, planted }) => {
    for (const ir of programsIn(text)) {
      const asked: Asked = { network, mode: 'states', filter }
      const whole = filteredBy(ir, { ...asked, filter: 'none' })
      expect(whole?.sites).toHaveLength(1)
      expect(filteredBy(ir, asked)?.sites).toEqual(whole?.sites)
      // The same filter without the condition that this is about.
      expect(filteredBy(ir, { ...asked, planted })?.sites).toEqual([])
    }
  })

  test.each(referenceLitmus)('and a violation is found if the reference is $name', ({ text }) => {
    for (const ir of programsIn(text))
      for (const mode of ['states', 'steps'] as const)
        expect(filteredBy(ir, { network, mode, filter: 'sole' })?.sites).toHaveLength(1)
  })

  test('but not whatever happens to be first', byRow(row, 1), () => {
    const seeds = seedsOf(network, networks, { quick: 20, rest: 20, thorough: 40, all: 400 })
    const losses = seeds.flatMap((seed) =>
      programsIn(referenceProgram(seed, { isEndless: false })).flatMap((ir) => {
        const asked: Asked = { network, mode: 'states', filter: 'sole' }
        const whole = filteredBy(ir, { ...asked, filter: 'none' })
        const filtered = filteredBy(ir, { ...asked, planted: (search) => new FirstAlone(search) })
        return whole && filtered ? (lossOf(whole, filtered) ?? []) : []
      }),
    )
    expect(losses.length).toBeGreaterThan(seeds.length * atLeast(0.1))
  })
})
