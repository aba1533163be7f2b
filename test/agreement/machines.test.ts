/**
 * The tools by which engines of systems are compared, and the same comparison the way users ask: through `checkResult`, whose
 * judge replays every violation. The many systems are in `machine-{bag,fifo,lossy}.test.ts`.
 */
// @module-tag cut
import { assert, checkResult, monitor, type Notification, type Program, receive } from 'allways'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/core/evidence.ts'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import { localRefusal } from '../../src/engines/local/networks.ts'
import { amount, atLeast, inTurn, isQuick, isSlow, longIf } from '../amount.ts'
import { disagreement, newMachineTally, soakMachines } from './machine-agreement.ts'
import { generatedPlan } from './machine-generate.ts'
import { searchGlobally } from './machine-oracle.ts'
import { type Deed, generatedSystem, type MachinePlan, type SystemPlan } from './machine-plan.ts'
import { referenceOf } from './machine-reference.ts'
import { shrinkPlan } from './machine-shrink.ts'

const systems = amount({ quick: 3, rest: 8, thorough: 12, all: 24 })
const mostExecutions = 1_000

const silent: MachinePlan = {
  on: [[], [], []],
  others: undefined,
  timer: [],
  request: [],
  start: [],
  requests: 0,
  durable: [],
}

/** What is violated, or nothing known if the search did not end. */
async function violated(
  program: Program,
  engine: string,
  maxExecutions = mostExecutions,
): Promise<readonly string[] | undefined> {
  // Searches of states end by themselves.
  const bounded = engine === 'dpor' || engine === 'exhaustive' ? { maxExecutions } : {}
  const result = await checkResult(program, { engine, keepGoing: true, ...bounded })
  if (!result.ok) throw new Error(`${engine}: ${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`)
  const verdict = result.value
  if (verdict.kind === 'incomplete' || (verdict.kind === 'violated' && !verdict.exhausted)) return undefined
  return evidenceOf(verdict.evidence, 'execution')
    .map(({ violation }) => violationKey(violation))
    .sort()
}

describe('asked for a verdict', () => {
  test.each(isQuick ? ['stateful', 'dpor'] : ['stateful', 'dpor', 'exhaustive'])(
    '%s tells every violation of generated systems',
    async (engine) => {
      let compared = 0
      for (let seed = 0; seed < systems; seed++) {
        const plan = generatedPlan(seed)
        const found = await violated(generatedSystem(plan), engine)
        if (found === undefined) continue
        const expected = [...searchGlobally(referenceOf(plan)).violated.keys()].sort()
        expect({ seed, found }).toEqual({ seed, found: expected })
        compared++
      }
      expect(compared).toBeGreaterThan(atLeast(systems / 3))
    },
  )

  for (const [row, network] of networkNames.entries())
    test(
      `stateful, dpor and exhaustive tell the same violations under ${network}`,
      longIf(true, row % 2 > 0),
      async () => {
        let compared = 0
        for (let seed = 0; seed < systems / 2; seed++) {
          const program = generatedSystem(generatedPlan(seed, { network, losses: seed % 2 === 0 ? 'any' : 0 }))
          const [expected, ...others] = [
            await violated(program, 'stateful'),
            await violated(program, 'dpor'),
            await violated(program, 'exhaustive'),
          ]
          for (const found of others)
            if (found !== undefined) expect({ seed, found }).toEqual({ seed, found: expected })
          if (others.every((found) => found !== undefined)) compared++
        }
        expect(compared).toBeGreaterThan(atLeast(systems / 5))
      },
    )

  for (const [row, network] of networkNames.entries())
    test(`dpor and exhaustive tell monitors the same under ${network}`, longIf(true, row % 2 === 0), async () => {
      for (const variant of inTurn(networkNames.indexOf(network), [
        [0, 3],
        [1, 2],
      ]).flat()) {
        // Over all networks, both places for each variant.
        for (const place of isSlow ? [0, 1] : [(variant + (networkNames.indexOf(network) >> 1)) % 2]) {
          const program = announcing(network, variant, place)
          const [found, expected] = [
            await violated(program, 'dpor', 5_000),
            await violated(program, 'exhaustive', 5_000),
          ]
          expect(expected).toBeDefined()
          expect({ variant, place, found }).toEqual({ variant, place, found: expected })
        }
      }
    })

  test('local tells violations of generated systems, if there are any', async () => {
    for (let seed = 0; seed < systems; seed++) {
      const plan = generatedPlan(seed)
      if (localRefusal(plan) !== undefined) continue
      const found = await violated(generatedSystem(plan), 'local')
      const keys = new Set(searchGlobally(referenceOf(plan)).violated.keys())
      expect({ seed, found: found?.filter((key) => !keys.has(key)) }).toEqual({ seed, found: [] })
      expect({ seed, any: found?.length !== 0 }).toEqual({ seed, any: keys.size > 0 })
    }
  })
})

/** Two machines that announce what they receive; the monitor wants the announcement at that place to come from the second. */
function announcing(network: NetworkName, variant: number, place: number): Program {
  const answer: readonly Deed[] = variant >= 2 ? [{ kind: 'reply', message: 1 }] : []
  const machines: readonly MachinePlan[] = [0, 1].map((machine) => ({
    ...silent,
    requests: machine === 0 ? 1 : variant % 2,
    request: [{ kind: 'send', to: 1 - machine, message: 0 }],
    on: [[{ kind: 'announce' }, ...(machine === 0 ? [] : answer)], [{ kind: 'announce' }], []],
  }))
  const against = monitor('against', { observes: ['told'] }, function* () {
    for (let at = 0; ; at++) {
      const { by } = (yield* receive()) as Extract<Notification, { kind: 'announce' }>
      yield* assert(at !== place || by.id === 'm 1', 'the order that is right')
    }
  })
  return generatedSystem({ network, faults: {}, machines, invariants: [] }, [against])
}

describe('generated systems', () => {
  const plans = Array.from({ length: 200 }, (_, seed) => generatedPlan(seed))

  test('are the same for the same seed', () => {
    expect(generatedPlan(7)).toEqual(plans[7])
  })

  test.each<[string, number, (plan: SystemPlan) => boolean]>([
    ['a bag', 0.4, ({ network }) => network === 'bag'],
    ['order', 0.4, ({ network }) => network === 'fifo'],
    ['loss', 0.4, ({ faults }) => faults.losses === 'any'],
    ['duplicates', 0.1, ({ faults }) => faults.duplicates === 1],
    ['crashes', 0.1, ({ faults }) => faults.restarts === 1],
    ['fields that survive crashes', 0.08, ({ faults, machines }) => faults.restarts === 1 && machines.some(isDurable)],
    ['three machines', 0.1, ({ machines }) => machines.length === 3],
    ['kinds without handler', 0.05, ({ machines }) => machines.some(({ on }) => on.includes(undefined))],
    ['timers that are set', 0.15, (plan) => hasDeed(plan, ({ kind }) => kind === 'timer')],
    ['choices', 0.1, (plan) => hasDeed(plan, ({ kind }) => kind === 'choose')],
    ['assertions', 0.05, (plan) => hasDeed(plan, ({ kind }) => kind === 'assert')],
    ['numbers above all seen', 0.1, (plan) => hasDeed(plan, ({ kind }) => kind === 'exceed')],
    ['messages to themselves', 0.15, sendsToItself],
    [
      'invariants about all',
      0.3,
      ({ invariants }) => invariants.some(({ kind }) => kind === 'sum' || kind === 'never'),
    ],
    ['conflicts', 0.3, ({ invariants }) => invariants.some(({ kind }) => kind === 'clash' || kind === 'agree')],
  ])('often have %s', (_, share, has) => {
    expect(plans.filter(has).length / plans.length).toBeGreaterThanOrEqual(share)
  })
})

/** Disagreements that soaks have found. */
test.each<[string, SystemPlan]>([
  [
    // The second delivery was taken for a duplicate of the first message, and the message behind that for passed over.
    'equal messages in a row, with duplicates and without loss',
    {
      network: 'fifo',
      faults: { duplicates: 1 },
      machines: [
        { ...silent, start: [0, 0, 1].map((message) => ({ kind: 'send', to: 1, message })) },
        { ...silent, on: [[], undefined, []] },
      ],
      invariants: [],
    },
  ],
])('engines agree on %s', (_, plan) => {
  expect(disagreement(plan, newMachineTally())).toBeUndefined()
})

test('a plan is made as small as the failure allows', () => {
  const plan = generatedPlan(3)
  const sends = (each: SystemPlan) => hasDeed(each, ({ kind }) => kind === 'send' || kind === 'tell')
  expect(sends(plan)).toBe(true)
  const small = shrinkPlan(plan, sends)
  const left = small.machines.flatMap(deedsOf)
  expect(left.map(({ kind }) => kind)).toHaveLength(1)
  expect(small).toMatchObject({ faults: {}, network: 'bag', invariants: [] })
})

test('a soak compares as many systems as it is asked for', () => {
  const soak = soakMachines({ programs: 5, seed: 1 })
  const tallies = Array.from(soak, (tally) => tally.systems)
  expect(tallies).toEqual([1, 2, 3, 4, 5])
})

function isDurable({ durable }: SystemPlan['machines'][number]): boolean {
  return durable.length > 0
}

function sendsToItself({ machines }: SystemPlan): boolean {
  return machines.some((machine, at) => deedsOf(machine).some((deed) => 'to' in deed && deed.to === at))
}

function hasDeed({ machines }: SystemPlan, is: (deed: Deed) => boolean): boolean {
  return machines.flatMap(deedsOf).some(is)
}

function deedsOf({ on, others, timer, request, start }: SystemPlan['machines'][number]): readonly Deed[] {
  const inner = (deed: Deed): Deed => (deed.kind === 'when' ? inner(deed.deed) : deed)
  return [...on.flatMap((deeds) => deeds ?? []), ...(others ?? []), ...timer, ...request, ...start].map(inner)
}
