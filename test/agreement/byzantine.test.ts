/** Engines of systems in which some machines lie, against plain enumeration: which states correct machines come to, and which they do not. */
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { localRefusal } from '../../src/engines/local/networks.ts'
import { amount, atLeast, cut } from '../amount.ts'
import { type Enumerated, enumerated } from './byzantine-oracle.ts'
import { drawnPlan, type Plan, systemOf } from './byzantine-plan.ts'
import { exploreAll } from './explored.ts'
import { type Searched, searchedByDpor, searchedGlobally, searchedLocally, viewsOf } from './machine-engines.ts'

const plans = amount({ quick: 20, rest: 80, all: 4_000 })

const tally = { compared: 0, relayed: 0, local: 0, dpor: 0, exhaustive: 0, unmet: 0 }

test(`engines come to the states that plain enumeration finds, in ${plans} systems with liars`, {
  timeout: 300_000,
  ...cut,
}, () => {
  for (let seed = 0; seed < plans; seed++) {
    const plan = drawnPlan(seed)
    const oracle = enumerated(plan, 1_000)
    if (oracle.isCut || oracle.met.size < 2) continue
    tally.compared++
    if (oracle.relayed) tally.relayed++
    compare(seed, plan, oracle)
  }
  expect(tally.compared).toBeGreaterThan(plans / 3)
  expect(tally.relayed).toBeGreaterThan(atLeast(plans / 15))
  expect(tally.local).toBeGreaterThan(atLeast(plans / 15))
  expect(tally.dpor).toBeGreaterThan(atLeast(plans / 10))
  expect(tally.exhaustive).toBeGreaterThan(atLeast(plans / 80))
  expect(tally.unmet).toBeGreaterThan(atLeast(plans / 6))
})

function compare(seed: number, plan: Plan, oracle: Enumerated): void {
  const met = new Set<string>()
  const { forbidden, broken } = asked(seed, oracle)
  const views = viewsOf(systemOf(plan, forbidden, (text) => met.add(text)))
  for (const order of ['depth', 'breadth'] as const) {
    met.clear()
    const found = searchedGlobally(views, order)
    expect({ seed, order, ended: found.ended }).toEqual({ seed, order, ended: true })
    expect({ seed, order, met: [...met].sort() }).toEqual({ seed, order, met: [...oracle.met].sort() })
    expect({ seed, order, broken: brokenIn(found) }).toEqual({ seed, order, broken })
  }
  if (localRefusal(views.machines) === undefined) {
    const found = searchedLocally(views, 20_000)
    if (found.ended) {
      tally.local++
      expect({ seed, broken: brokenIn(found) }).toEqual({ seed, broken })
    }
  }
  const byDpor = searchedByDpor(views, 2_000)
  if (byDpor.ended) {
    tally.dpor++
    expect({ seed, broken: brokenIn(byDpor) }).toEqual({ seed, broken })
  }
  if (oracle.met.size > 6) return
  const explored = exploreAll(exhaustive, views.runnable, { cap: 200, classes: false })
  if (explored.stopped !== undefined) return
  tally.exhaustive++
  const names = [...explored.violations].flatMap((key) =>
    forbidden.map((_, at) => `state ${at}`).filter((name) => key.includes(`"${name}"`)),
  )
  expect({ seed, broken: [...new Set(names)].sort() }).toEqual({ seed, broken })
}

/** Some states that are met, and some that nobody comes to, though each machine alone may. */
function asked(
  seed: number,
  { met }: Enumerated,
): { readonly forbidden: readonly string[]; readonly broken: readonly string[] } {
  const random = new Random(seed)
  const all = [...met].map((text) => JSON.parse(text) as readonly (readonly unknown[])[])
  const mixed = Array.from({ length: 12 }, () => {
    const [left, right] = [random.pick(all), random.pick(all)]
    return JSON.stringify([left[0], ...right.slice(1)])
  })
  const unmet = [...new Set(mixed)].filter((text) => !met.has(text)).slice(0, 3)
  tally.unmet += unmet.length
  const forbidden = [...random.shuffle([...met]).slice(0, 3), ...unmet]
  const broken = forbidden.flatMap((text, at) => (met.has(text) ? [`state ${at}`] : [])).sort()
  return { forbidden, broken }
}

function brokenIn({ claims }: Searched): readonly string[] {
  expect(claims.filter(({ replays }) => !replays)).toEqual([])
  return [...new Set(claims.map(({ violation }) => violation.property))].sort()
}
