/** Choices as variables: every way to choose is one assignment, and none is another one. */
import { describe, expect, test } from 'vitest'
import type { Diagram } from '../../../../src/bdd/diagrams.ts'
import type { Place } from '../../../../src/core/diagnostic.ts'
import { Random } from '../../../../src/core/random.ts'
import { Choices } from '../../../../src/engines/symbolic/choices.ts'
import { options } from '../../../../src/engines/symbolic/chosen-values.ts'
import { Evaluation } from '../../../../src/engines/symbolic/evaluation.ts'
import type { Instruction } from '../../../../src/engines/symbolic/function-run.ts'
import type { IrType } from '../../../../src/ir/ir.ts'
import { choices } from '../../../../src/semantics/ir/choices.ts'
import { codeOf } from '../../../../src/semantics/ir/code.ts'
import { Failed } from '../../../../src/semantics/ir/failed.ts'
import type { IrValue } from '../../../../src/semantics/ir/value.ts'
import { amount } from '../../../amount.ts'
import { any, int, mapOf, program, seqOf, setOf } from '../../semantics/ir/build.ts'
import { KnownSummaries, type Shape } from './known.ts'

const rounds = amount({ quick: 60, all: 3_000 })

/** What is left after a choice is made, and variables that stand for nothing are settled. */
function countAfter(known: KnownSummaries, guard: Diagram, possible: readonly Diagram[]): bigint {
  const { diagrams } = known
  const made = new Choices(diagrams)
  const { taken } = made.among(guard, possible, diagrams.always)
  const some = taken.reduce((all, one) => diagrams.or(all, one), diagrams.never)
  return diagrams.count(diagrams.and(diagrams.or(diagrams.not(guard), some), made.settled()))
}

describe('a choice', () => {
  test('among three has three assignments: a code that is left over has none', () => {
    const known = new KnownSummaries(new Random(0))
    const { always } = known.diagrams
    expect(countAfter(known, always, [always, always, always])).toBe(BigInt(known.assignments) * 3n)
  })

  test('that is not made has one assignment: its variables are not free', () => {
    const known = new KnownSummaries(new Random(0))
    const { always, never } = known.diagrams
    expect(countAfter(known, never, [always, always])).toBe(BigInt(known.assignments))
    const other = new KnownSummaries(new Random(0))
    const [half, all] = [other.diagrams.literal(0), other.diagrams.always]
    expect(countAfter(other, half, [all, all])).toBe((BigInt(other.assignments) / 2n) * 3n)
  })

  test('has an assignment for each option that is possible, with others made in the same step', () => {
    for (let seed = 0; seed < rounds; seed++) {
      const known = new KnownSummaries(new Random(seed))
      const { diagrams, random } = known
      const made = new Choices(diagrams)
      let [alive, ways] = [diagrams.always, known.row(() => 1)]
      for (let more = 1 + random.below(3); more > 0; more--) {
        const where = known.guard()
        const possible = Array.from({ length: 1 + random.below(5) }, () => known.guard())
        const { taken } = made.among(
          where.guard,
          possible.map(({ guard }) => guard),
          alive,
        )
        for (const [at, one] of taken.entries())
          for (const other of taken.slice(at + 1)) expect(diagrams.disjoint(diagrams.and(one, alive), other)).toBe(true)
        const some = taken.reduce((all, one) => diagrams.or(all, one), diagrams.never)
        alive = diagrams.and(alive, diagrams.or(diagrams.not(where.guard), some))
        const before = ways
        ways = known.row((at) => {
          const open = where.table[at] === true ? possible.filter(({ table }) => table[at] === true).length : 1
          return (before[at] as number) * open
        })
      }
      alive = diagrams.and(alive, made.settled())
      expect(diagrams.count(alive)).toBe(BigInt(ways.reduce((sum, each) => sum + each, 0)))
    }
  })
})

const place: Place = { file: 'test.p', line: 1, column: 1 }
const code = codeOf(program({ machines: { Main: { states: { S: {} } } } }), {})

type Among = 'below' | 'element'

describe('what may be chosen', () => {
  const cases: readonly (readonly [Among, IrType, Shape])[] = [
    ['below', int, 'int'],
    ['element', seqOf(any), 'seq'],
    ['element', seqOf(any), 'deep'],
    ['element', setOf(any), 'set'],
    ['element', mapOf(int, any), 'map'],
  ]

  test.each(cases)('%s of %j, %s', (among, type, shape) => {
    for (let seed = 0; seed < rounds; seed++) {
      const known = new KnownSummaries(new Random(seed), code.values)
      const [from, guard] = [known.known(shape), known.guard()]
      let failed = known.diagrams.never
      const fails = (where: Diagram): void => {
        failed = known.diagrams.or(failed, where)
      }
      const evaluation = new Evaluation(known.lifting, code, { fails, goesOn: fails })
      const expression = { kind: 'local', local: 0, type, place } as const
      const instruction: Instruction<'choose'> = {
        kind: 'choose',
        among,
        from: expression,
        isFair: false,
        into: 0,
        place,
      }
      const scope = { locals: [from.summary], fields: [], self: known.diagrams.leaf(0) }
      const found = options(evaluation, instruction, scope, guard.guard)
      for (const at of known.row((each) => each)) {
        if (guard.table[at] !== true) continue
        const open = found
          .filter(({ possible }) => known.holds(possible, at))
          .map(({ value }) => known.valueIn(value, at))
        const expected = optionsOf(among, from.table[at] as IrValue)
        expect(known.holds(failed, at)).toBe(expected === undefined)
        if (expected !== undefined) expect(open).toEqual([...expected])
      }
    }
  })
})

/** Undefined: there is nothing to choose from. */
function optionsOf(among: Among, from: IrValue): readonly IrValue[] | undefined {
  try {
    return choices(among, from, place)
  } catch (error) {
    if (error instanceof Failed) return undefined
    throw error
  }
}
