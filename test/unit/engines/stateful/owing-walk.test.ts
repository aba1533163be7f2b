/** Fair executions without a good state since some time: in random graphs, against the graph of pairs of a state and what is owed. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { FairGraph, type Lasso } from '../../../../src/engines/stateful/fair-graph.ts'
import { amount } from '../../../amount.ts'

interface Sketch {
  readonly duties: readonly (readonly number[])[]
  readonly steps: readonly { readonly from: number; readonly to: number; readonly done: readonly number[] }[]
  readonly good: ReadonlySet<number>
  readonly since: 'start' | ReadonlySet<number>
}

const allDuties = [0, 1]

function sketched(random: Random): Sketch {
  const size = 1 + random.below(7)
  const some = (share: number): readonly number[] => allDuties.filter(() => random.below(share) === 0)
  const duties = Array.from({ length: size }, () => some(random.pick([1, 2, 3])))
  const steps = duties.flatMap((_, from) =>
    Array.from({ length: random.below(4) }, () => ({ from, to: random.below(size), done: some(3) })),
  )
  const states = [...duties.keys()]
  const good = new Set(states.filter(() => random.below(4) === 0))
  const since = random.below(3) === 0 ? 'start' : new Set(states.filter(() => random.below(4) === 0))
  return { duties, steps, good, since }
}

function lassoIn({ duties, steps, good, since }: Sketch): Lasso | undefined {
  const graph = new FairGraph()
  for (const at of duties) graph.addState(at)
  for (const { from, to, done } of steps) graph.addStep(from, to, done)
  const begins = since === 'start' ? since : (state: number) => since.has(state)
  const search = graph.lasso((state) => good.has(state), undefined, begins)
  for (let next = search.next(); ; next = search.next()) if (next.done) return next.value
}

function owedAt({ good, since }: Sketch, state: number, before: boolean): boolean {
  return !good.has(state) && (before || (since !== 'start' && since.has(state)))
}

interface Pair {
  readonly state: number
  readonly isOwed: boolean
}

/** As a greatest fixpoint over pairs (Emerson and Lei 1987); a state may stay as it is, which does nothing. */
function isBroken(sketch: Sketch): boolean {
  const { duties, steps, since } = sketch
  const keyOf = ({ state, isOwed }: Pair): string => `${state} ${isOwed}`
  const reached = new Map<string, Pair>()
  const edges: { readonly from: string; readonly to: string; readonly done: readonly number[] }[] = []
  const open: Pair[] = [{ state: 0, isOwed: owedAt(sketch, 0, since === 'start') }]
  for (const pair of open) {
    if (reached.has(keyOf(pair))) continue
    reached.set(keyOf(pair), pair)
    edges.push({ from: keyOf(pair), to: keyOf(pair), done: [] })
    for (const { to, done } of steps.filter(({ from }) => from === pair.state)) {
      const next = { state: to, isOwed: owedAt(sketch, to, pair.isOwed) }
      edges.push({ from: keyOf(pair), to: keyOf(next), done })
      open.push(next)
    }
  }
  let left = new Set([...reached].flatMap(([key, { isOwed }]) => (isOwed ? [key] : [])))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const duty of allDuties) {
      const inside = edges.filter(({ from, to }) => left.has(from) && left.has(to))
      const isImpossible = (key: string): boolean => duties[reached.get(key)?.state as number]?.includes(duty) === false
      const leads = new Set([...left].filter(isImpossible))
      for (let before = -1; before !== leads.size; ) {
        before = leads.size
        for (const { from, to, done } of inside) if (done.includes(duty) || leads.has(to)) leads.add(from)
      }
      left = leads
    }
  }
  return left.size > 0
}

/** Whether something is owed all round the round. */
function isOwedOn(sketch: Sketch, { stem, round }: Lasso): boolean {
  let [at, isOwed] = [0, owedAt(sketch, 0, sketch.since === 'start')]
  for (const step of stem) {
    at = sketch.steps[step]?.to as number
    isOwed = owedAt(sketch, at, isOwed)
  }
  return isOwed && round.every((step) => !sketch.good.has(sketch.steps[step]?.to as number))
}

describe('since when there was no good state', () => {
  test('is part of what a lasso is: there is one exactly if the pairs have a fair execution', () => {
    const seen = { broken: 0, held: 0, apart: 0 }
    for (let seed = 0; seed < amount({ quick: 2_000, all: 100_000 }); seed++) {
      const sketch = sketched(new Random(seed))
      const lasso = lassoIn(sketch)
      expect({ seed, isBroken: lasso !== undefined }).toEqual({ seed, isBroken: isBroken(sketch) })
      if (lasso !== undefined) expect({ seed, isOwed: isOwedOn(sketch, lasso) }).toEqual({ seed, isOwed: true })
      seen[lasso === undefined ? 'held' : 'broken']++
      // What differs from what would be found if it did not matter since when.
      const anytime = { ...sketch, since: new Set(sketch.duties.keys()) }
      if (lasso === undefined && isBroken(anytime)) seen.apart++
    }
    expect(Math.min(seen.broken, seen.held, seen.apart)).toBeGreaterThan(200)
  })

  test('is forgotten at a good state', () => {
    const graph = new FairGraph()
    for (let state = 0; state < 3; state++) graph.addState([])
    const steps = [graph.addStep(0, 1, []), graph.addStep(1, 2, [])]
    const isGood = (state: number): boolean => state === 1
    // Of the states that last, 2 comes after a good one, and 0 is where it begins.
    expect(graph.lasso(isGood, undefined, 'start').next()).toEqual({ done: true, value: { stem: [], round: [] } })
    expect(graph.lasso(isGood, undefined, (state) => state === 1).next().value).toBeUndefined()
    expect(graph.lasso(isGood, undefined, (state) => state === 2).next()).toEqual({
      done: true,
      value: { stem: steps, round: [] },
    })
  })
})
