/**
 * Liveness by brute force: the states of a system from nothing but its paths, and in them a fair execution that is bad as a greatest
 * fixpoint (Emerson and Lei 1987), with sets and without components. What must not have been good since some time before is remembered
 * in a second copy of the states.
 */
import type { Decision } from '../../src/core/trace.ts'
import type { Value } from '../../src/core/value.ts'
import { doneBy, dutiesOf, type Path, type Paths } from '../../src/program/path.ts'

type States = ReadonlyMap<string, Value>

/** What must come about: again and again, some time, or each time after `from`. */
export type Question =
  | { readonly form: 'liveness' | 'eventually'; readonly isGood: (states: States) => boolean }
  | {
      readonly form: 'leadsTo'
      readonly isGood: (states: States) => boolean
      readonly from: (states: States) => boolean
    }
  /** Of a monitor, which may be good in the middle of a handler. */
  | { readonly form: 'never hot for ever'; readonly isGood: (states: States) => boolean }

interface State {
  readonly duties: ReadonlySet<string>
  readonly seen: States
  readonly steps: { readonly to: string; readonly done: ReadonlySet<string>; readonly onTheWay: readonly States[] }[]
}

export interface Graph {
  readonly first: string
  readonly states: ReadonlyMap<string, State>
}

/** Nothing if there are more states. Handlers are taken whole: a state is one in which every machine waits. */
export function graphByBruteForce(paths: Paths, mostStates: number): Graph | undefined {
  const states = new Map<string, State>()
  const begun = beginning(paths)
  const open = [begun]
  for (const decisions of open) {
    const path = after(paths, decisions)
    const key = String(path.key())
    if (states.has(key)) continue
    if (states.size === mostStates) return undefined
    const duties = dutiesOf(path)
    if (duties === undefined) throw new Error('every machine waits')
    const state: State = { duties, seen: path.states?.(true) ?? new Map(), steps: [] }
    states.set(key, state)
    for (const decision of path.enabled()) {
      for (const { taken, ...step } of wholeHandlers(paths, decisions, decision)) {
        open.push(taken)
        state.steps.push(step)
      }
    }
  }
  return { first: String(after(paths, begun).key()), states }
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

interface Handled {
  readonly taken: readonly Decision[]
  readonly done: ReadonlySet<string>
  readonly to: string
  /** What is seen after each decision of the handler. */
  readonly onTheWay: readonly States[]
}

function* wholeHandlers(paths: Paths, before: readonly Decision[], first: Decision): Generator<Handled> {
  const done = new Set(doneBy(after(paths, before), first))
  const open: (readonly Decision[])[] = [[...before, first]]
  for (const taken of open) {
    const path = after(paths, taken)
    if (dutiesOf(path) !== undefined) {
      const onTheWay = taken.slice(before.length).map((_, at) => after(paths, taken.slice(0, before.length + at + 1)))
      yield { taken, done, to: String(path.key()), onTheWay: onTheWay.map((one) => one.states?.() ?? new Map()) }
    } else for (const next of path.enabled()) if (next.process === first.process) open.push([...taken, next])
  }
}

/** A state, and whether something is owed there. */
interface Pair {
  readonly duties: ReadonlySet<string>
  readonly isOwed: boolean
  readonly steps: readonly { readonly to: string; readonly done: ReadonlySet<string>; readonly isGood: boolean }[]
}

/** All pairs that executions come to. */
function pairsOf({ first, states }: Graph, question: Question): ReadonlyMap<string, Pair> {
  const isOwed = ({ seen }: State, before: boolean): boolean => {
    if (question.isGood(seen)) return false
    if (question.form === 'leadsTo') return before || question.from(seen)
    return question.form === 'eventually' ? before : true
  }
  const pairs = new Map<string, Pair>()
  const stateAt = (key: string): State => states.get(key) as State
  const open = [{ key: first, isOwed: isOwed(stateAt(first), question.form === 'eventually') }]
  for (const { key, isOwed: owed } of open) {
    const name = `${owed} ${key}`
    if (pairs.has(name)) continue
    const steps = stateAt(key).steps.map(({ to, done, onTheWay }) => {
      const next = { key: to, isOwed: isOwed(stateAt(to), owed) }
      open.push(next)
      const isGood = question.form === 'never hot for ever' && onTheWay.some(question.isGood)
      return { to: `${next.isOwed} ${to}`, done, isGood }
    })
    pairs.set(name, { duties: stateAt(key).duties, isOwed: owed, steps })
  }
  return pairs
}

/** All states in which something is owed, less and less: each must lead, among those left, to where each duty is done or impossible. */
export function isBrokenIn(graph: Graph, question: Question): boolean {
  const pairs = pairsOf(graph, question)
  const duties = new Set([...pairs.values()].flatMap((pair) => [...pair.duties]))
  let left = new Set([...pairs].flatMap(([key, { isOwed }]) => (isOwed ? [key] : [])))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const duty of duties) left = leadingTo(pairs, left, duty)
  }
  return left.size > 0
}

function leadingTo(pairs: ReadonlyMap<string, Pair>, left: ReadonlySet<string>, duty: string): Set<string> {
  const leading = new Set([...left].filter((key) => pairs.get(key)?.duties.has(duty) === false))
  for (let size = -1; size !== leading.size; ) {
    size = leading.size
    for (const key of left) {
      const steps = pairs.get(key)?.steps ?? []
      const isLeading = steps.some(
        ({ to, done, isGood }) => !isGood && left.has(to) && (leading.has(to) || done.has(duty)),
      )
      if (isLeading) leading.add(key)
    }
  }
  return leading
}
