/** Fair executions without a good state, in random graphs, against a greatest fixpoint over sets of states. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { FairGraph, type Lasso } from '../../../../src/engines/stateful/fair-graph.ts'
import { amount } from '../../../amount.ts'

interface Step {
  readonly from: number
  readonly to: number
  readonly done: readonly number[]
  /** Options of fair choices. */
  readonly offered?: readonly number[]
}

interface Sketch {
  /** By state: undefined in the middle of something. */
  readonly duties: readonly (readonly number[] | undefined)[]
  readonly steps: readonly Step[]
  readonly good: ReadonlySet<number>
  /** States of which one is asked for. */
  readonly askedFor?: ReadonlySet<number>
}

const allDuties = [0, 1, 2]

function sketched(random: Random): Sketch {
  const size = 1 + random.below(8)
  const some = (share: number): readonly number[] => allDuties.filter(() => random.below(share) === 0)
  // From a state in the middle of something one step leads to one that is at rest, as the first is.
  const duties = Array.from({ length: size }, (_, state) =>
    state > 0 && random.below(8) === 0 ? undefined : some(random.pick([1, 2])),
  )
  const atRest = [...duties.keys()].filter((state) => duties[state] !== undefined)
  const steps = duties.flatMap((at, from) =>
    Array.from({ length: at === undefined ? 1 : random.below(4) }, () => ({
      from,
      to: at === undefined ? random.pick(atRest) : random.below(size),
      done: some(3),
    })),
  )
  const good = new Set([...duties.keys()].filter(() => random.below(3) === 0))
  return { duties, steps, good }
}

function lassoIn({ duties, steps, good, askedFor }: Sketch): Lasso | undefined {
  const graph = new FairGraph()
  for (const at of duties) graph.addState(at)
  for (const { from, to, done, offered } of steps) graph.addStep(from, to, done, offered)
  const search = graph.lasso((state) => good.has(state), askedFor && ((state) => askedFor.has(state)))
  for (let next = search.next(); ; next = search.next()) if (next.done) return next.value
}

/** Whether a state that can be reached lies on a fair execution without a good state; a state that is at rest may stay. */
function isBroken(sketch: Sketch): boolean {
  const { duties, good, askedFor } = sketch
  const stay = [...duties.keys()].flatMap((state) => (duties[state] ? [{ from: state, to: state, done: [] }] : []))
  const steps: readonly Step[] = [...sketch.steps, ...stay]
  let left = new Set([...duties.keys()].filter((state) => !good.has(state)))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    // What is asked for is met again and again, as each duty is done or impossible again and again.
    for (const duty of askedFor === undefined ? allDuties : [...allDuties, 'asked for' as const]) {
      const inside = steps.filter(({ from, to }) => left.has(from) && left.has(to))
      const isMet = (state: number): boolean =>
        duty === 'asked for' ? askedFor?.has(state) === true : duties[state]?.includes(duty) === false
      const leads = new Set([...left].filter(isMet))
      for (let before = -1; before !== leads.size; ) {
        before = leads.size
        for (const { from, to, done } of inside) {
          const isDone = duty !== 'asked for' && done.includes(duty)
          if (isDone || leads.has(to)) leads.add(from)
        }
      }
      left = leads
    }
  }
  const reached = new Set([0])
  for (let size = -1; size !== reached.size; ) {
    size = reached.size
    for (const { from, to } of steps) if (reached.has(from)) reached.add(to)
  }
  return [...left].some((state) => reached.has(state))
}

/** What is wrong with a lasso, if anything. */
function problem({ duties, steps, good, askedFor }: Sketch, { stem, round }: Lasso): string | undefined {
  let at = 0
  for (const step of stem) {
    if (steps[step]?.from !== at) return 'the stem is no way'
    at = steps[step].to
  }
  const first = at
  let undone = duties[first]
  if (undone === undefined) return 'the round begins in the middle of something'
  for (const step of round) {
    if (steps[step]?.from !== at) return 'the round is no way'
    at = steps[step].to
    const { done } = steps[step]
    undone = undone.filter((duty) => !done.includes(duty) && (duties[at] ?? allDuties).includes(duty))
    if (good.has(at)) return 'the round has a good state'
  }
  if (at !== first || good.has(first)) return 'the round does not come back, or to a good state'
  const met = [first, ...round.map((step) => steps[step]?.to as number)]
  if (askedFor !== undefined && !met.some((state) => askedFor.has(state)))
    return 'the round has no state that is asked for'
  const done = round.flatMap((step) => steps[step]?.done ?? [])
  if (round.some((step) => steps[step]?.offered?.some((option) => !done.includes(option))))
    return 'an option is never taken'
  return undone.length === 0 ? undefined : 'a duty is put off for ever'
}

const allOptions = [10, 11, 12]

/** Small enough to look at every set of its states; a step takes some of what it offers. */
function withChoices(random: Random): Sketch {
  const size = 1 + random.below(5)
  const some = (among: readonly number[], share: number): readonly number[] =>
    among.filter(() => random.below(share) === 0)
  const duties = Array.from({ length: size }, (_, state) =>
    state > 0 && random.below(6) === 0 ? undefined : some(allDuties, random.pick([2, 4])),
  )
  const steps = duties.flatMap((_, from) =>
    Array.from({ length: random.below(4) }, () => {
      const offered = some(allOptions, 3)
      return { from, to: random.below(size), done: [...some(allDuties, 2), ...some(offered, 2)], offered }
    }),
  )
  const good = new Set([...duties.keys()].filter(() => random.below(5) === 0))
  const askedFor = new Set([...duties.keys()].filter(() => random.below(2) === 0))
  return random.below(2) === 0 ? { duties, steps, good } : { duties, steps, good, askedFor }
}

function subsets<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.reduce<readonly (readonly Item[])[]>(
    (all, item) => all.flatMap((one) => [one, one.concat([item])]),
    [[]],
  )
}

/** By definition: every set of states that a fair execution may be in for ever, and the options that it never offers again. */
function isBrokenBySomeSet({ duties, steps, good, askedFor }: Sketch): boolean {
  const closure = (from: number, among: readonly Step[]): ReadonlySet<number> => {
    const reached = new Set([from])
    for (let size = -1; size !== reached.size; ) {
      size = reached.size
      for (const step of among) if (reached.has(step.from)) reached.add(step.to)
    }
    return reached
  }
  const candidates = [...closure(0, steps)].filter((state) => !good.has(state))
  return subsets(candidates).some((states) => {
    if (!states.some((state) => duties[state] !== undefined)) return false
    if (askedFor !== undefined && !states.some((state) => askedFor.has(state))) return false
    return subsets(allOptions).some((never) => {
      const inside = steps.filter(
        ({ from, to, offered }) =>
          states.includes(from) && states.includes(to) && !offered?.some((option) => never.includes(option)),
      )
      if (!states.every((state) => states.every((other) => closure(state, inside).has(other)))) return false
      const isDone = (duty: number): boolean => inside.some(({ done }) => done.includes(duty))
      const isPutOff = (duty: number): boolean =>
        states.every((state) => duties[state]?.includes(duty) !== false) && !isDone(duty)
      const isOffered = (option: number): boolean => inside.some(({ offered }) => offered?.includes(option))
      return !allDuties.some(isPutOff) && !allOptions.some((option) => isOffered(option) && !isDone(option))
    })
  })
}

describe('the graph of what is fair', () => {
  test.each([
    ['a fair execution without a good state', false],
    ['one that also is where it is asked to be again and again', true],
  ])('has a lasso exactly if there is %s', (_, asks) => {
    const seen = { broken: 0, held: 0, rounds: 0 }
    for (let seed = 0; seed < amount({ quick: 5_000, all: 200_000 }); seed++) {
      const random = new Random(seed)
      const plain = sketched(random)
      const askedFor = new Set([...plain.duties.keys()].filter(() => random.below(3) === 0))
      const sketch = asks ? { ...plain, askedFor } : plain
      const lasso = lassoIn(sketch)
      expect({ seed, isBroken: lasso !== undefined }).toEqual({ seed, isBroken: isBroken(sketch) })
      seen[lasso === undefined ? 'held' : 'broken']++
      if (lasso === undefined) continue
      expect({ seed, problem: problem(sketch, lasso) }).toEqual({ seed, problem: undefined })
      if (lasso.round.length > 1) seen.rounds++
    }
    expect(Math.min(seen.broken, seen.held, seen.rounds)).toBeGreaterThan(200)
  })

  test('has a lasso exactly if one set of states and steps is gone round fairly, with fair choices', () => {
    const seen = { broken: 0, held: 0, apart: 0 }
    for (let seed = 0; seed < amount({ quick: 5_000, all: 100_000 }); seed++) {
      const sketch = withChoices(new Random(seed))
      const lasso = lassoIn(sketch)
      expect({ seed, isBroken: lasso !== undefined }).toEqual({ seed, isBroken: isBrokenBySomeSet(sketch) })
      seen[lasso === undefined ? 'held' : 'broken']++
      if (lasso !== undefined) expect({ seed, problem: problem(sketch, lasso) }).toEqual({ seed, problem: undefined })
      // What differs from what would be found if options owed nothing.
      if (lasso === undefined && isBroken(sketch)) seen.apart++
    }
    expect(Math.min(seen.broken, seen.held, seen.apart)).toBeGreaterThan(200)
  })

  test('goes round the part of a component that is left without an unfair choice', () => {
    const graph = new FairGraph()
    for (let state = 0; state < 3; state++) graph.addState([5])
    // Option 7 is never taken, so the way over state 1 is not gone for ever; the one over state 2 is.
    graph.addStep(0, 1, [5, 6], [6, 7])
    graph.addStep(1, 0, [5])
    const there = graph.addStep(0, 2, [5])
    const back = graph.addStep(2, 0, [5])
    const search = graph.lasso(
      () => false,
      (state) => state === 2,
    )
    expect(search.next()).toEqual({ done: true, value: { stem: [], round: [there, back] } })
    const unfair = graph.lasso(
      () => false,
      (state) => state === 1,
    )
    expect(unfair.next()).toEqual({ done: true, value: undefined })
  })

  test('stops for a rest while it looks at many states', () => {
    const graph = new FairGraph()
    const size = 100_000
    for (let state = 0; state < size; state++) graph.addState([0])
    for (let state = 0; state < size; state++) graph.addStep(state, (state + 1) % size, [])
    let rests = 0
    for (const _ of graph.lasso(() => false)) rests++
    // Once in 10,000 states or steps: for components a state is entered and left, and fairness looks at all of them twice.
    expect(rests).toBeGreaterThanOrEqual(30)
  })
})
