/**
 * Liveness by brute force: the states of a system from nothing but its paths, and in them a fair execution without a good state as a
 * greatest fixpoint (Emerson and Lei 1987), with sets and without components.
 */
import type { CycleProperty } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { doneBy, dutiesOf, type Path, type Paths } from '../../src/program/path.ts'

interface State {
  readonly duties: ReadonlySet<string>
  readonly isGood: boolean
  readonly steps: { readonly to: string; readonly done: ReadonlySet<string> }[]
}

/** Nothing if there are more states. Handlers are taken whole: a state is one in which every machine waits. */
export function isBrokenByBruteForce(paths: Paths, property: CycleProperty, mostStates: number): boolean | undefined {
  const states = new Map<string, State>()
  const open = [beginning(paths)]
  for (const decisions of open) {
    const path = after(paths, decisions)
    const key = String(path.key())
    if (states.has(key)) continue
    if (states.size === mostStates) return undefined
    const duties = dutiesOf(path)
    if (duties === undefined) throw new Error('every machine waits')
    const isGood = property.isGood(path.states?.() ?? new Map())
    const state: State = { duties, isGood, steps: [] }
    states.set(key, state)
    for (const decision of path.enabled()) {
      for (const { taken, done } of wholeHandlers(paths, decisions, decision)) {
        open.push(taken)
        state.steps.push({ to: String(after(paths, taken).key()), done })
      }
    }
  }
  return hasFairBadExecution(states)
}

function after(paths: Paths, decisions: readonly Decision[]): Path {
  const path = paths.begin({ decisions: decisions.length })
  for (const decision of decisions) path.take(decision)
  return path
}

/** What machines do before anything happens to them. */
function beginning(paths: Paths): readonly Decision[] {
  const path = paths.begin()
  const taken: Decision[] = []
  while (dutiesOf(path) === undefined) {
    const decision = path.enabled().find(({ kind }) => kind === 'step')
    if (decision === undefined) throw new Error('whoever does not wait can go on')
    path.take(decision)
    taken.push(decision)
  }
  return taken
}

function* wholeHandlers(
  paths: Paths,
  before: readonly Decision[],
  first: Decision,
): Generator<{ readonly taken: readonly Decision[]; readonly done: ReadonlySet<string> }> {
  const done = new Set(doneBy(after(paths, before), first))
  const open: (readonly Decision[])[] = [[...before, first]]
  for (const taken of open) {
    const path = after(paths, taken)
    if (dutiesOf(path) !== undefined) yield { taken, done }
    else for (const next of path.enabled()) if (next.process === first.process) open.push([...taken, next])
  }
}

/** All states that are not good, less and less: each must lead, among those left, to where each duty is done or impossible. */
function hasFairBadExecution(states: ReadonlyMap<string, State>): boolean {
  const duties = new Set([...states.values()].flatMap((state) => [...state.duties]))
  let left = new Set([...states].flatMap(([key, { isGood }]) => (isGood ? [] : [key])))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const duty of duties) left = leadingTo(states, left, duty)
  }
  return left.size > 0
}

function leadingTo(states: ReadonlyMap<string, State>, left: ReadonlySet<string>, duty: string): Set<string> {
  const leading = new Set([...left].filter((key) => states.get(key)?.duties.has(duty) === false))
  for (let size = -1; size !== leading.size; ) {
    size = leading.size
    for (const key of left) {
      const steps = states.get(key)?.steps ?? []
      if (steps.some(({ to, done }) => left.has(to) && (leading.has(to) || done.has(duty)))) leading.add(key)
    }
  }
  return leading
}
