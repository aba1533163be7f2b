import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/core/random.ts'
import { withVariables } from './pool.ts'
import { assignmentAt, type Known, randomGuard, randomSummary } from './truth-table.ts'

const variables = 6

interface Drawn {
  readonly guard: Known
  readonly of: Known
  readonly changed: readonly { readonly now: Known; readonly before: Known }[]
}

/** Some are as they were in most places. */
function drawn(diagrams: ReturnType<typeof withVariables>, random: Random): Drawn {
  const summary = (): Known => randomSummary(diagrams, random, [0, 1, 7, -3])
  const guard = randomGuard(diagrams, random, variables)
  const changed = Array.from({ length: 1 + random.below(5) }, () => {
    const before = summary()
    if (random.below(4) === 0) return { now: before, before }
    const [here, other] = [randomGuard(diagrams, random, variables), summary()]
    const diagram = diagrams.ite(here.diagram, other.diagram, before.diagram)
    const table = here.table.map((holds, at) => (holds === 1 ? other.table[at] : before.table[at]) as number)
    return { now: { diagram, table }, before }
  })
  return { guard, of: summary(), changed }
}

function expected({ guard, of, changed }: Drawn, index: number): string | undefined {
  const places = changed.flatMap(({ now, before }, place) =>
    now.table[index] === before.table[index] ? [] : [`${place}=${now.table[index]}`],
  )
  return guard.table[index] === 1 && places.length > 0 ? `${of.table[index]}: ${places.join(' ')}` : undefined
}

describe.each(['above', 'below'] as const)('with new variables %s', (order) => {
  test.each(Array.from({ length: 30 }, (_, seed) => seed))(
    'everything that is different is told, with an assignment that leads there: %i',
    (seed) => {
      const diagrams = withVariables(order, variables)
      const one = drawn(diagrams, new Random(700 + seed))
      const told = new Set<string>()
      const asked = {
        guard: one.guard.diagram,
        of: one.of.diagram,
        changed: one.changed.map(({ now, before }) => ({ now: now.diagram, before: before.diagram })),
      }
      const created = diagrams.created
      const walk = diagrams.differences(asked, ({ of, count, places, values, assignment }) => {
        const all = Array.from({ length: count }, (_, at) => `${places[at]}=${values[at]}`)
        const text = `${of}: ${all.join(' ')}`
        told.add(text)
        const index = Array.from({ length: variables }, (_, at) => (assignment.get(at) === true ? 1 << at : 0)).reduce(
          (sum, bit) => sum + bit,
        )
        expect(expected(one, index)).toBe(text)
      })
      for (const _ of walk);
      const all = Array.from({ length: 2 ** variables }, (_, index) => expected(one, index))
      expect([...told].sort()).toEqual([...new Set(all.filter((text) => text !== undefined))].sort())
      expect(diagrams.created).toBe(created)
    },
  )

  test('what many choices lead to is told once, however many there are', () => {
    const diagrams = withVariables(order, 40)
    const parity = Array.from({ length: 39 }, (_, at) => diagrams.literal(at)).reduce((all, one) =>
      diagrams.ite(one, diagrams.not(all), all),
    )
    let told = 0
    const asked = {
      guard: diagrams.literal(39),
      of: diagrams.leaf(5),
      changed: [{ now: parity, before: diagrams.leaf(2) }],
    }
    for (const _ of diagrams.differences(asked, () => told++));
    expect(told).toBe(2)
  })

  test('in the order of assignments, and with breaths', () => {
    const diagrams = withVariables(order, 16)
    const of = diagrams.fromTable(
      Array.from({ length: 16 }, (_, at) => at).sort((one, other) => diagrams.levelOf(one) - diagrams.levelOf(other)),
      Array.from({ length: 1 << 16 }, (_, at) => at),
    )
    const told: number[] = []
    let breaths = 0
    const changed = [{ now: diagrams.always, before: diagrams.never }]
    for (const _ of diagrams.differences({ guard: diagrams.always, of, changed }, (one) => told.push(one.of))) breaths++
    expect(told).toEqual(Array.from({ length: 1 << 16 }, (_, at) => at))
    expect(breaths).toBeGreaterThan(10)
  })
})

test('an assignment names no variable that is not on the way', () => {
  const diagrams = withVariables('above', 3)
  const changed = [{ now: diagrams.literal(1), before: diagrams.never }]
  const found: (boolean | undefined)[] = []
  const walk = diagrams.differences({ guard: diagrams.always, of: diagrams.leaf(9), changed }, ({ assignment }) =>
    found.push(...[0, 1, 2].map((variable) => assignment.get(variable))),
  )
  for (const _ of walk);
  expect(found).toEqual([false, true, false])
  expect(assignmentAt(2, 3)).toEqual(new Map([0, 1, 2].map((variable) => [variable, found[variable]])))
})
