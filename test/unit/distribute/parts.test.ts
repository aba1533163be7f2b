import { describe, expect, test } from 'vitest'
import type { WorkUnit } from '../../../src/core/verdict.ts'
import type { Driven, EndOfSearch, Found } from '../../../src/distribute/driver.ts'
import { type Part, Parts } from '../../../src/distribute/parts.ts'

function unit(name: string): WorkUnit {
  return { format: 'allways-unit/1', engine: 'none', state: name }
}

/** A part that ends, with one execution and perhaps something that it found. */
function driven(because: EndOfSearch, message?: string, remaining: readonly WorkUnit[] = []): Driven {
  const found: readonly Found[] =
    message === undefined
      ? []
      : [
          {
            violation: { kind: 'assertion', property: message, message, process: 'main' },
            decisions: [],
            foundIn: 0,
          },
        ]
  return { because, counts: { executions: 1 }, explored: 0.1, found, evidence: [], remaining }
}

function named(parts: Driven): readonly string[] {
  return parts.found.map(({ violation }) => violation.message)
}

function begun() {
  const parts = new Parts((units) => units.length / 10)
  const root = parts.first(undefined)
  const take = (): Part => parts.take() as Part
  return { parts, root, take }
}

describe('the parts of a search', () => {
  test('stand in the order of one thread: what is given later comes before what was given earlier', () => {
    const { parts, root } = begun()
    parts.give(root, [unit('e'), unit('f')], 1)
    parts.give(root, [unit('b'), unit('c'), unit('d')], 3)
    parts.end(root, driven('time', undefined, [unit('a')]))
    expect(parts.result('time').remaining.map(({ state }) => state)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('a part that is lost waits again as it was, without what it gave away', () => {
    const { parts, root, take } = begun()
    parts.give(root, [unit('b'), unit('c')], 1)
    const lost = take()
    parts.give(lost, [unit('c')], 1)
    parts.end(take(), driven('exhausted', 'c'))
    parts.again(lost)
    parts.end(root, driven('exhausted'))
    expect([lost.isDropped, parts.waiting]).toEqual([true, 1])
    const again = take()
    expect(again.units).toEqual([unit('b'), unit('c')])
    parts.end(again, driven('exhausted', 'b'))
    expect(named(parts.result(undefined))).toEqual(['b'])
    expect(parts.result(undefined).counts).toEqual({ executions: 2 })
  })

  test('what comes after the first violation does not count, unless that violation is lost', () => {
    const { parts, root, take } = begun()
    parts.give(root, [unit('e')], 1)
    const last = take()
    parts.give(root, [unit('d')], 1)
    const finished = take()
    parts.give(root, [unit('b'), unit('c')], 1)
    const lost = take()
    parts.give(lost, [unit('c')], 1)
    const first = take()
    parts.end(finished, driven('exhausted'))
    parts.end(first, driven('violation', 'c'))
    expect([last.isDropped, finished.isDropped, lost.isDropped]).toEqual([true, true, false])
    parts.again(lost)
    parts.end(root, driven('exhausted'))
    // What had ended is not explored again; what had not waits as it was.
    const left = [take(), take()]
    expect(left.map(({ units }) => units)).toEqual([[unit('b'), unit('c')], [unit('e')]])
    expect([finished.isDropped, parts.take()]).toEqual([false, undefined])
    for (const one of left) parts.end(one, driven('exhausted'))
    expect(parts.result(undefined)).toMatchObject({ because: 'exhausted', counts: { executions: 4 }, found: [] })
  })

  test('of two violations the earlier one is reported, whichever is found first', () => {
    const { parts, root, take } = begun()
    parts.give(root, [unit('b'), unit('c')], 2)
    const [b, c] = [take(), take()]
    parts.end(c, driven('violation', 'c'))
    expect(b.isDropped).toBe(false)
    parts.end(b, driven('violation', 'b'))
    expect(c.isDropped).toBe(true)
    parts.end(root, driven('exhausted'))
    expect(named(parts.result(undefined))).toEqual(['b'])
  })

  test('if one part could not write down what it left, nothing is left of the whole', () => {
    const { parts, root, take } = begun()
    parts.give(root, [unit('b')], 1)
    parts.end(take(), driven('interrupt'))
    parts.end(root, driven('interrupt', undefined, [unit('a')]))
    expect(parts.result('interrupt')).toMatchObject({ because: 'interrupt', remaining: [] })
  })
})
