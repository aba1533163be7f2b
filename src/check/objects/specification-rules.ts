/** A specification in the place of the class itself: a search over the orders of a client's few calls. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Call } from '../../core/history.ts'
import { thrownBy } from '../../core/thrown.ts'
import { showValue } from '../../core/value-text.ts'
import { fits, type Specification } from '../../properties/linearizability/specification.ts'
import { machine } from '../../semantics/memory/process.ts'
import { alone, type Explanation } from '../../semantics/memory/sequential.ts'
import type { ObjectEnding } from '../../semantics/memory/subject.ts'
import type { Rules } from './referee.ts'

export class SpecificationRules implements Rules {
  readonly #specification: Specification

  constructor(specification: Specification) {
    this.#specification = specification
  }

  explain(ending: ObjectEnding): Explanation {
    const search = new OrderSearch(this.#specification, ending)
    let states: readonly unknown[] = [this.#initial()]
    for (const [at, call] of ending.setup.entries()) {
      const effects = states.flatMap((state) => effectsOf(this.#specification, state, call))
      states = effects.filter((effect) => fits(call.result, effect)).map(({ state }) => state)
      if (states.length === 0) return { order: [], stuck: { process: alone, call: at, instead: wordsFor(effects[0]) } }
    }
    for (const state of states) if (!search.isComplete) search.visit(state, [])
    return { order: search.best, stuck: search.isComplete ? undefined : search.stuck }
  }

  #initial(): unknown {
    return guarded(this.#specification, 'initial', () => this.#specification.initial())
  }
}

type Order = readonly (readonly [process: number, call: number])[]

class OrderSearch {
  readonly #specification: Specification
  /** The calls of each process. */
  readonly #calls: readonly (readonly Call[])[]
  readonly #ending: ObjectEnding
  readonly #refuted = new Set<string>()
  best: Order = []
  stuck: Explanation['stuck']
  isComplete = false

  constructor(specification: Specification, ending: ObjectEnding) {
    this.#specification = specification
    this.#ending = ending
    this.#calls = ending.results.map((_, index) =>
      ending.history.calls.filter(({ process }) => process === `p${index + 1}`),
    )
  }

  visit(state: unknown, order: Order): void {
    const counts = this.#calls.map((_, process) => order.filter(([each]) => each === process).length)
    if (this.#ending.results.every((results, process) => (counts[process] ?? 0) >= results.length)) {
      this.isComplete = true
      this.best = order
      return
    }
    const key = `${counts.join('.')} ${this.#specification.key(state)}`
    if (this.#refuted.has(key)) return
    for (const [process, calls] of this.#calls.entries()) {
      const at = counts[process] ?? 0
      const call = calls[at]
      if (call === undefined || !this.#isReady(counts, process, at)) continue
      this.#place(state, order, { process, at, call })
      if (this.isComplete) return
    }
    this.#refuted.add(key)
  }

  #place(
    state: unknown,
    order: Order,
    { process, at, call }: { readonly process: number; readonly at: number; readonly call: Call },
  ): void {
    const effects = effectsOf(this.#specification, state, call)
    const fitting = effects.filter((effect) => fits(call.result, effect))
    if (
      fitting.length === 0 &&
      call.result.kind !== 'pending' &&
      (this.stuck === undefined || order.length > this.best.length)
    ) {
      this.best = order
      this.stuck = { process, call: at, instead: wordsFor(effects[0]) }
    }
    for (const effect of fitting) {
      this.visit(effect.state, [...order, [process, at]])
      if (this.isComplete) return
    }
  }

  #isReady(counts: readonly number[], process: number, call: number): boolean {
    const before = this.#ending.before[process]?.[call]
    return before === undefined || before.every((count, other) => (counts[other] ?? 0) >= count)
  }
}

function effectsOf(specification: Specification, state: unknown, { operation, args, result }: Call) {
  const problem = specification.problem(operation, args)
  if (problem !== undefined) {
    throw new DiagnosticError({ code: 'E503', message: problem.message, hint: problem.hint })
  }
  const observed = specification.observation(operation, args, result)
  return guarded(specification, operation, () => specification.apply(state, operation, args, observed))
}

/** What the call would have returned. */
function wordsFor(effect: ReturnType<typeof effectsOf>[number] | undefined): string | undefined {
  return effect === undefined ? undefined : (effect.throws ?? showValue(effect.returns))
}

function guarded<T>(specification: Specification, operation: string, run: () => T): T {
  // What a specification does to its own states is no step of the class.
  const { heap } = machine
  machine.heap = undefined
  try {
    return run()
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    const { message: text, stack } = thrownBy(error)
    throw new DiagnosticError({
      code: 'E504',
      message: `the specification "${specification.name}" threw in ${operation}: ${text}`,
      hint: 'a specification gives the effects of an operation, or none if it cannot happen; it never throws',
      stack,
    })
  } finally {
    machine.heap = heap
  }
}
