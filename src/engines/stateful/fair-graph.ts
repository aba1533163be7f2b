/**
 * States, steps and what fairness asks for, and in them an execution without end on which nothing is ever good again.
 *
 * A property of cycles says: again and again a state is good. It is broken if and only if some fair execution has no good state from
 * some time on, so good states are taken out and the rest is cut into strongly connected components (Tarjan 1972). Fairness is weak:
 * a duty that stays possible is done some time. On a walk that goes round a whole component for ever each duty is impossible again and
 * again or done again and again, if any walk inside manages that: so it is enough to look at whole components, and none has to be taken
 * apart further (Lichtenstein and Pnueli, "Checking That Finite State Concurrent Programs Satisfy Their Linear Specification", 1985; as a
 * fixpoint Emerson and Lei, "Modalities for Model Checking", 1987, which the tests compute).
 *
 * Choices may be fair in the strong sense: of one that is made again and again each option is taken again and again. There a component
 * is taken apart: if it offers an option and never takes it inside, none of the steps that offer it is on the round, so they are taken
 * out and what is left is cut into components again (Streett's condition, with steps in place of states; Emerson and Lei, 1987, §5).
 *
 * A property may also say since when there must be no good state: then a way from there to the component, without a good state, is part of
 * the stem (`owing-walk.ts`). Inside a component no state is good, so which components are fair does not depend on it.
 *
 * A state where nothing has to happen lasts for ever: it is a component that is fair without a step.
 *
 * A state in the middle of something says nothing about duties where others are at rest. A component of such states alone goes on for ever in the middle of that,
 * and there counts what others have to do meanwhile.
 */
import { IntVector } from '../../collections/int-vector.ts'
import { type Owing, owingWalk } from './owing-walk.ts'

/** Steps by number: from the first state to where the round begins, and round it. */
export interface Lasso {
  readonly stem: readonly number[]
  readonly round: readonly number[]
}

/** After so many steps of work whoever drives the search may have a look at its budgets. */
const restEvery = 10_000

const none = -1

export class FairGraph {
  /** By state: where its duties stand in a row, with -1 behind them; -1 for a state in the middle of something. */
  readonly #dutiesAt = new IntVector(1024)
  /** Of states in the middle of something: the same of what has to happen meanwhile; -1 where that is not known. */
  readonly #meanwhileAt = new Map<number, number>()
  readonly #duties = new IntVector(1024)
  readonly #lastStep = new IntVector(1024)
  /** By step; steps of a state are a list, the last one first. */
  readonly #stepBefore = new IntVector(1024)
  readonly #targets = new IntVector(1024)
  readonly #doneAt = new IntVector(1024)
  /** By step: what it offers, of those that do. */
  readonly #offered = new Map<number, readonly number[]>()

  get states(): number {
    return this.#dutiesAt.length
  }

  /** The first state is where executions begin. Without duties: in the middle of something; `meanwhile` it may be known what has to happen. */
  addState(duties: readonly number[] | undefined, meanwhile?: readonly number[] | undefined): number {
    this.#lastStep.push(none)
    const isKnown = duties === undefined && meanwhile !== undefined
    if (isKnown) this.#meanwhileAt.set(this.states, this.#row(meanwhile))
    return this.#dutiesAt.push(duties === undefined ? none : this.#row(duties))
  }

  /** `offered`: options of fair choices that are made on it; those that are taken are among what is done. */
  addStep(source: number, target: number, done: readonly number[], offered: readonly number[] = []): number {
    this.#targets.push(target)
    this.#doneAt.push(this.#row(done))
    const step = this.#stepBefore.push(this.#lastStep.at(source))
    this.#lastStep.set(source, step)
    if (offered.length > 0) this.#offered.set(step, offered)
    return step
  }

  #row(duties: readonly number[]): number {
    const at = this.#duties.length
    for (const duty of duties) this.#duties.push(duty)
    this.#duties.push(none)
    return at
  }

  target(step: number): number {
    return this.#targets.at(step)
  }

  stepsOf(state: number): readonly number[] {
    return [...this.#steps(state)].reverse()
  }

  isStep(step: number, target: number, done: readonly number[]): boolean {
    return this.target(step) === target && String([...this.#rowAt(this.#doneAt.at(step))]) === String(done)
  }

  /**
   * The lasso with the shortest stem whose round has no good state, and one that is asked for; it stops for a rest now and then. Any
   * state of a component may lie on the round, so it is enough that the component has one that is asked for. With `since`, there is no
   * good state on the stem either, from there on. A step may be good though no state beside it is: then no round has it.
   */
  *lasso(
    isGood: (state: number) => boolean,
    isAskedFor?: ((state: number) => boolean) | undefined,
    since?: Owing['since'] | undefined,
    isGoodStep?: ((step: number) => boolean) | undefined,
  ): Generator<undefined, Lasso | undefined> {
    if (this.states === 0) return undefined
    const { components, count, isOut } = yield* this.#fairlyChoosing(isGood, isGoodStep)
    const { isFair, isAtRest } = yield* this.#fairComponents(components, count, isOut)
    const isBroken = isAskedFor === undefined ? isFair : this.#withState(isFair, components, isAskedFor)
    if (!isBroken.includes(true)) return undefined
    const mayBegin = (state: number): boolean => this.#isAtRest(state) || isAtRest[components.at(state)] === false
    const isEnd = (state: number): boolean => isBroken[components.at(state)] === true && mayBegin(state)
    const stem = yield* since === undefined ? this.#walk(0, { isEnd }) : owingWalk(this, { isGood, since, isEnd })
    if (stem === undefined) return undefined
    const first = stem.length === 0 ? 0 : this.target(stem.at(-1) as number)
    const isInside = (state: number, step: number): boolean =>
      components.at(state) === components.at(first) && !isOut(step)
    return { stem, round: yield* this.#round(first, isInside, isAskedFor) }
  }

  /** Of these components those with such a state. */
  #withState(
    among: readonly boolean[],
    components: IntVector,
    isWanted: (state: number) => boolean,
  ): readonly boolean[] {
    const found = among.map(() => false)
    for (let state = 0; state < this.states; state++) {
      const component = components.at(state)
      if (component !== none && among[component] === true && isWanted(state)) found[component] = true
    }
    return found
  }

  #isAtRest(state: number): boolean {
    return this.#dutiesAt.at(state) !== none
  }

  *#steps(state: number): Generator<number> {
    for (let step = this.#lastStep.at(state); step !== none; step = this.#stepBefore.at(step)) yield step
  }

  *#rowAt(at: number): Generator<number> {
    for (let next = at; this.#duties.at(next) !== none; next++) yield this.#duties.at(next)
  }

  /** Components in which every option that is offered is taken, of the steps that are left then. */
  *#fairlyChoosing(
    isGood: (state: number) => boolean,
    isGoodStep: ((step: number) => boolean) | undefined,
  ): Generator<undefined, Choosing> {
    const out = new Set<number>()
    const isOut = (step: number): boolean => out.has(step) || isGoodStep?.(step) === true
    for (;;) {
      const { components, count } = yield* this.#components(isGood, isOut)
      const unfair = yield* this.#unfairSteps(components, isOut)
      if (unfair.length === 0) return { components, count, isOut }
      for (const step of unfair) out.add(step)
    }
  }

  /** Steps inside a component that offer what no step inside it takes. */
  *#unfairSteps(components: IntVector, isOut: (step: number) => boolean): Generator<undefined, readonly number[]> {
    if (this.#offered.size === 0) return []
    const inside: { readonly step: number; readonly component: number }[] = []
    const taken = new Map<number, Set<number>>()
    for (let state = 0; state < this.states; state++) {
      if (state % restEvery === restEvery - 1) yield undefined
      const component = components.at(state)
      if (component === none) continue
      for (const step of this.#steps(state)) {
        if (isOut(step) || components.at(this.target(step)) !== component) continue
        if (this.#offered.has(step)) inside.push({ step, component })
        const options = taken.get(component) ?? new Set()
        taken.set(component, options)
        for (const option of this.#rowAt(this.#doneAt.at(step))) options.add(option)
      }
    }
    const isTaken = (component: number, option: number): boolean => taken.get(component)?.has(option) === true
    return inside
      .filter(({ step, component }) => this.#offered.get(step)?.some((option) => !isTaken(component, option)))
      .map(({ step }) => step)
  }

  /** Components of the states that are not good, by state; good states have none. */
  *#components(
    isGood: (state: number) => boolean,
    isOut: (step: number) => boolean,
  ): Generator<undefined, { readonly components: IntVector; readonly count: number }> {
    const components = filled(this.states, none)
    const order = filled(this.states, none)
    const low = filled(this.states, none)
    const next = filled(this.states, none)
    const open = new IntVector()
    const path = new IntVector()
    let [met, count, work] = [0, 0, 0]
    const enter = (state: number): void => {
      order.set(state, met)
      low.set(state, met++)
      next.set(state, this.#lastStep.at(state))
      open.push(state)
      path.push(state)
    }
    for (let root = 0; root < this.states; root++) {
      if (order.at(root) === none && !isGood(root)) enter(root)
      while (path.length > 0) {
        if (++work % restEvery === 0) yield undefined
        const state = path.at(path.length - 1)
        const step = next.at(state)
        if (step !== none) {
          next.set(state, this.#stepBefore.at(step))
          if (isOut(step)) continue
          const target = this.target(step)
          if (order.at(target) === none) {
            if (!isGood(target)) enter(target)
          } else if (components.at(target) === none) low.set(state, Math.min(low.at(state), order.at(target)))
          continue
        }
        path.pop()
        if (path.length > 0) {
          const before = path.at(path.length - 1)
          low.set(before, Math.min(low.at(before), low.at(state)))
        }
        if (low.at(state) !== order.at(state)) continue
        for (let one = none; one !== state; ) {
          one = open.pop()
          components.set(one, count)
        }
        count++
      }
    }
    return { components, count }
  }

  /** By component: whether every duty that is possible in all its states is done by a step inside, and whether one of them is at rest. */
  *#fairComponents(
    components: IntVector,
    count: number,
    isOut: (step: number) => boolean,
  ): Generator<undefined, { readonly isFair: readonly boolean[]; readonly isAtRest: readonly boolean[] }> {
    const isAtRest: boolean[] = Array.from({ length: count }, () => false)
    for (let state = 0; state < this.states; state++)
      if (components.at(state) !== none && this.#isAtRest(state)) isAtRest[components.at(state)] = true
    /** What is possible in all states looked at so far; nothing yet: undefined. */
    const undone: (Set<number> | undefined)[] = Array.from({ length: count }, () => undefined)
    for (let state = 0; state < this.states; state++) {
      if (state % restEvery === restEvery - 1) yield undefined
      const component = components.at(state)
      if (component === none || isAtRest[component] !== this.#isAtRest(state)) continue
      undone[component] = this.#stillPossible(state, undone[component])
    }
    for (let state = 0; state < this.states; state++) {
      if (state % restEvery === restEvery - 1) yield undefined
      const left = undone[components.at(state)]
      if (left === undefined || left.size === 0) continue
      for (const step of this.#steps(state)) {
        if (isOut(step) || components.at(this.target(step)) !== components.at(state)) continue
        for (const duty of this.#rowAt(this.#doneAt.at(step))) left.delete(duty)
      }
    }
    return { isFair: undone.map((left) => left !== undefined && left.size === 0), isAtRest }
  }

  #stillPossible(state: number, before: ReadonlySet<number> | undefined): Set<number> {
    const now = new Set(this.#dutiesIn(state))
    return before === undefined ? now : new Set([...now].filter((duty) => before.has(duty)))
  }

  *#dutiesIn(state: number): Generator<number> {
    if (this.#isAtRest(state)) return yield* this.#rowAt(this.#dutiesAt.at(state))
    const meanwhile = this.#meanwhileAt.get(state)
    // Nobody knows what has to happen: something that nobody does.
    if (meanwhile === undefined) yield none
    else yield* this.#rowAt(meanwhile)
  }

  /** Once round a fair component: to where each duty of the first state is done or impossible, to what is asked for, and back. */
  *#round(
    first: number,
    isInside: (state: number, step: number) => boolean,
    isAskedFor: ((state: number) => boolean) | undefined,
  ): Generator<undefined, readonly number[]> {
    let round: readonly number[] = []
    let undone = this.#stillPossible(first, undefined)
    let at = first
    const counts = this.#isAtRest(first)
    const after = (step: number, left: ReadonlySet<number>): Set<number> => {
      const state = this.target(step)
      const possible = this.#isAtRest(state) === counts ? this.#stillPossible(state, left) : new Set(left)
      for (const duty of this.#rowAt(this.#doneAt.at(step))) possible.delete(duty)
      return possible
    }
    while (undone.size > 0) {
      const isEnd = (_: number, step: number): boolean => step !== none && after(step, undone).size < undone.size
      const walk = (yield* this.#walk(at, { isEnd, isInside })) as readonly number[]
      for (const step of walk) undone = after(step, undone)
      round = [...round, ...walk]
      at = this.target(round.at(-1) as number)
    }
    if (isAskedFor !== undefined && ![first, ...round.map((step) => this.target(step))].some(isAskedFor)) {
      round = [...round, ...((yield* this.#walk(at, { isEnd: isAskedFor, isInside })) as readonly number[])]
      at = this.target(round.at(-1) as number)
    }
    for (;;) {
      const isEnd = (state: number): boolean => state === first
      round = [...round, ...((yield* this.#walk(at, { isEnd, isInside })) as readonly number[])]
      // On the way back there may have been further choices.
      const untaken = this.#untaken(round)
      if (untaken.size === 0) return round
      const isTaking = (_: number, step: number): boolean =>
        step !== none && [...this.#rowAt(this.#doneAt.at(step))].some((option) => untaken.has(option))
      round = [...round, ...((yield* this.#walk(first, { isEnd: isTaking, isInside })) as readonly number[])]
      at = this.target(round.at(-1) as number)
    }
  }

  /** What these steps offer, and none of them takes. */
  #untaken(steps: readonly number[]): ReadonlySet<number> {
    const untaken = new Set(steps.flatMap((step) => this.#offered.get(step) ?? []))
    for (const step of steps) for (const option of this.#rowAt(this.#doneAt.at(step))) untaken.delete(option)
    return untaken
  }

  /** The shortest way to a state, or over a step into it, of those that are looked for. */
  *#walk(from: number, { isEnd, isInside }: Walk): Generator<undefined, readonly number[] | undefined> {
    if (isEnd(from, none)) return []
    const queue = [from]
    /** By state: the step over which it was met. */
    const over = new Map<number, number>([[from, none]])
    const sources = new Map<number, number>()
    for (const [at, state] of queue.entries()) {
      if (at % restEvery === restEvery - 1) yield undefined
      for (const step of this.stepsOf(state)) {
        const target = this.target(step)
        if (isInside?.(target, step) === false) continue
        const isFound = isEnd(target, step)
        if (!isFound && over.has(target)) continue
        sources.set(step, state)
        if (isFound) return this.#wayBack(step, over, sources)
        over.set(target, step)
        queue.push(target)
      }
    }
    return undefined
  }

  #wayBack(last: number, over: ReadonlyMap<number, number>, sources: ReadonlyMap<number, number>): readonly number[] {
    const steps: number[] = []
    for (let step = last; step !== none; step = over.get(sources.get(step) as number) as number) steps.push(step)
    return steps.reverse()
  }
}

interface Walk {
  readonly isEnd: (state: number, step: number) => boolean
  /** Everywhere, unless told otherwise. */
  readonly isInside?: ((state: number, step: number) => boolean) | undefined
}

interface Choosing {
  readonly components: IntVector
  readonly count: number
  /** Steps that no round may have. */
  readonly isOut: (step: number) => boolean
}

function filled(length: number, item: number): IntVector {
  const vector = new IntVector(Math.max(length, 1))
  for (let at = 0; at < length; at++) vector.push(item)
  return vector
}
