/**
 * Invariants over one execution and everything equivalent to it: all states that some order of the same events meets, which are its
 * consistent cuts (Cooper and Marzullo, "Consistent Detection of Global Predicates", 1991). Cuts are many, and an invariant reads
 * little: states that it cannot tell apart are taken together (`read-tree.ts`), and it is asked about a cut of each kind.
 *
 * For engines that see one execution of each class. An invariant is about states that are met together, and those depend on the
 * order that such engines leave open.
 */
import { invariant } from '../core/invariant.ts'
import { type StateProperty, seeing, type Violation, violationKey } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import type { Path, Paths } from '../program/path.ts'
import type { Runnable } from '../program/program.ts'
import { eventsOf, type Followed, type Lifetime, type Lifetimes, leastCut, lifetimesIn, never } from './lifetimes.ts'
import { ReadTree } from './machines/read-tree.ts'
import { StatesRead } from './machines/states-read.ts'
import { renumbered } from './partial-order.ts'
import { pathsOf } from './world-path.ts'

export interface CutViolation {
  readonly violation: Violation
  /** An order of some of the decisions that ends where the violation is. */
  readonly decisions: readonly Decision[]
}

/** A larger tree is forgotten: memory does not grow with the number of executions. */
const mostNodes = 200_000

type State = Value | undefined

/** By process: what may be met together. */
type Alternatives = readonly (readonly Lifetime[])[]

interface Broken {
  readonly violation: Violation
  /** By number of a process in the execution: how many of its events there are in the least cut that breaks it. */
  readonly cut: readonly number[]
}

export class Cuts {
  readonly #paths: Paths
  readonly #invariants: readonly StateProperty[]
  readonly #told = new Set<string>()
  /** All that were ever met, by name. */
  readonly #processes = new Map<string, number>()
  /** By invariant. */
  #trees: readonly Tree[] = []
  #isFirst = true

  constructor(subject: Runnable) {
    this.#paths = pathsOf(subject)
    this.#invariants = seeing(subject.properties, 'state')
  }

  /**
   * What has not been told before. `known` are lifetimes by which at least as many states are met together as in the execution;
   * if nothing is wrong with those, the execution need not be followed. States are judged together if one of them is new.
   * Nothing, every so often: whoever asks may have a clock to look at.
   */
  *violations(
    execution: () => readonly Decision[],
    known: () => readonly Lifetimes[] | undefined,
  ): Generator<CutViolation | undefined, void> {
    if (this.#invariants.length === 0) return
    const lifetimes = known()
    if (lifetimes !== undefined && !(yield* this.#mayBreak(lifetimes))) return
    const decisions = execution()
    const followed = yield* follow(this.#paths.begin({ judgesStates: false }), decisions)
    const smallest = new Map<string, Broken>()
    for (const broken of this.#broken([this.#alternatives(lifetimesIn(followed))])) {
      if (broken === undefined) {
        yield undefined
        continue
      }
      const key = violationKey(broken.violation)
      const other = smallest.get(key)
      if (other === undefined || sizeOf(broken) < sizeOf(other)) smallest.set(key, broken)
    }
    for (const [key, { violation, cut }] of smallest) {
      this.#told.add(key)
      const path = eventsOf(followed.order, cut)
      yield { violation, decisions: renumbered(decisions, followed.order.events, path) }
    }
  }

  *#mayBreak(lifetimes: readonly Lifetimes[]): Generator<undefined, boolean> {
    const all = this.#alternatives(lifetimes)
    const rounds = this.#isFirst ? [all] : withNew(all)
    this.#isFirst = false
    for (const broken of this.#broken(rounds)) {
      if (broken !== undefined) return true
      yield undefined
    }
    return false
  }

  /** What is broken and has not been told, somewhere in each of these; and nothing, every so often. */
  *#broken(rounds: Iterable<Alternatives>): Generator<Broken | undefined> {
    for (const alternatives of rounds)
      for (const tree of this.#trees)
        for (const violating of tree.broken(alternatives))
          if (violating === undefined || !this.#told.has(violationKey(violating.violation))) yield violating
  }

  #alternatives(lifetimes: readonly Lifetimes[]): Alternatives {
    this.#meet(lifetimes.map(({ process }) => process))
    const alternatives: (readonly Lifetime[])[] = Array.from(this.#processes, () => [never])
    for (const { process, lifetimes: all } of lifetimes) alternatives[this.#processes.get(process) as number] = all
    return alternatives
  }

  /** An invariant that asks who is there has not been answered for those that nobody knew. */
  #meet(processes: readonly string[]): void {
    const before = this.#processes.size
    for (const process of processes)
      if (!this.#processes.has(process)) this.#processes.set(process, this.#processes.size)
    const isNew = this.#processes.size > before || this.#trees.length === 0
    if (!isNew && this.#trees.every(({ size }) => size <= mostNodes)) return
    this.#trees = this.#invariants.map((property) => new Tree(property, [...this.#processes.keys()]))
  }
}

/** One of the states at least is new: of the first process that has one, of the second and not the first, and so on. */
function* withNew(all: Alternatives): Generator<Alternatives> {
  let rest = all
  for (const [process, lifetimes] of all.entries()) {
    const fresh = lifetimes.filter(({ isNew }) => isNew)
    if (fresh.length === 0) continue
    yield rest.with(process, fresh)
    rest = rest.with(process, fresh.length === lifetimes.length ? [] : lifetimes.filter(({ isNew }) => !isNew))
  }
}

function sizeOf({ cut }: Broken): number {
  return cut.reduce((sum, events) => sum + events, 0)
}

/** What an invariant says of states, by what it reads of them. */
class Tree {
  readonly #tree: ReadTree<State>
  /** By state and question. */
  readonly #answers = new WeakMap<object, number[]>()

  constructor(property: StateProperty, processes: readonly string[]) {
    const { name } = property
    const read = new StatesRead(processes)
    this.#tree = new ReadTree<State>({
      name,
      violation: (states, listener) => property.violation(read.of(states, listener)),
    })
  }

  get size(): number {
    return this.#tree.size
  }

  *broken(alternatives: Alternatives): Generator<Broken | undefined> {
    for (const alike of this.#tree.combinations({ alternatives, ...this.#ofLifetimes })) {
      if (alike === 'breath') yield undefined
      if (alike === 'breath' || alike === 'new question' || alike.violation === undefined) continue
      const least = leastCut(alike.alternatives.filter((_, process) => alike.read.includes(process)))
      invariant(least !== undefined, 'states that are taken together are met together')
      yield { violation: alike.violation, cut: least.events }
    }
  }

  readonly #ofLifetimes = {
    stateOf: ({ state }: Lifetime) => state,
    answerOf: ({ state }: Lifetime, question: number) => this.#answer(state, question),
    together: (alternatives: Alternatives) => leastCut(alternatives)?.states,
  }

  #answer(state: State, question: number): number {
    if (typeof state !== 'object' || state === null) return this.#tree.answerOf(question, state)
    let answers = this.#answers.get(state)
    if (answers === undefined) {
      answers = []
      this.#answers.set(state, answers)
    }
    answers[question] ??= this.#tree.answerOf(question, state)
    return answers[question]
  }
}

/** Decisions that are followed between two breaths. */
const stride = 16

function* follow(path: Path, decisions: readonly Decision[]): Generator<undefined, Followed> {
  const none: ReadonlyMap<string, Value> = new Map()
  const statesOf = () => path.states?.() ?? none
  const states = statesOf()
  let known = states
  const changes: Followed['changes'][number][] = []
  for (const [at, decision] of decisions.entries()) {
    if (at % stride === stride - 1) yield undefined
    path.take(decision)
    const now = statesOf()
    changes.push([...now].filter(([process, state]) => known.get(process) !== state))
    known = now
  }
  const order = path.order?.()
  invariant(order !== undefined, 'cuts are asked of executions whose order is known')
  return { order, states, changes }
}
