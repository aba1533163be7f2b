/**
 * Logs of running machines: there is one execution, which has happened, and the logs tell its calls up to the order of those that do not depend on each
 * other. All orders that they allow are gone through, and states of the same calls with the same objects once.
 *
 * A call that is refused in every order is a violation. One that is refused in some and not in others is neither: which of them happened is not known.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { UndecidedOrder } from '../../core/evidence.ts'
import type { Decision } from '../../core/trace.ts'
import { type Counts, countedAnnounced } from '../../core/verdict.ts'
import type { Logged } from '../../program/logged.ts'
import type { Path } from '../../program/path.ts'
import type { Engine, EngineEvent } from '../engine.ts'

export const logs: Engine<'logged'> = {
  name: 'logs',
  summary: 'every order that logs of running machines allow; used by allways check --log',
  needs: 'logged',
  decides: ['refinement'],
  claims: 'passed',
  options: {},
  counted: countedAnnounced,
  units: 'whole',
  *explore(logged): Generator<EngineEvent, void> {
    try {
      yield* new OrderSearch(logged).events()
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      yield { kind: 'diagnostic', diagnostic: error.diagnostic }
    }
  },
}

/** Steps between two looks at the clock. */
const progressEvery = 64

class OrderSearch {
  readonly #path: Path
  readonly #keys = new KeyIndex()
  readonly #known: Counts
  readonly #taken: Decision[] = []
  readonly #untried: Decision[][] = []
  #states = 0
  #transitions = 0
  /** The first order in which a call is refused, and whether there is one in which none is. */
  #refused: UndecidedOrder | undefined
  #isAllowed = false

  constructor({ paths, callers, events }: Logged) {
    this.#path = paths.begin()
    const steps = callers.flatMap((one) => one.steps)
    const calls = steps.reduce((sum, step) => sum + step.calls.length, 0)
    this.#known = { calls, machines: callers.length, events }
  }

  *events(): Generator<EngineEvent, void> {
    this.#meet()
    for (let open = this.#untried.at(-1); open !== undefined; open = this.#untried.at(-1)) {
      // One order of each sort settles that nothing is settled.
      if (this.#isAllowed && this.#refused !== undefined) break
      const decision = open.shift()
      if (decision === undefined) this.#leave()
      else this.#take(decision)
      if (this.#transitions % progressEvery === 0) yield this.#progress(0)
    }
    yield this.#progress(1)
    if (this.#refused === undefined) return
    const { violation, decisions, foundIn } = this.#refused
    if (this.#isAllowed) yield { kind: 'evidence', evidence: this.#refused, decides: false }
    else yield { kind: 'violation', violation, decisions, foundIn }
  }

  #take(decision: Decision): void {
    this.#path.take(decision)
    this.#taken.push(decision)
    this.#transitions++
    this.#meet()
  }

  #meet(): void {
    const key = this.#path.key()
    if (key === undefined || this.#keys.find(key) >= 0) return this.#back()
    this.#keys.add(key)
    this.#states++
    const [violation] = this.#path.violations()
    if (violation !== undefined && this.#refused === undefined) {
      const { processes } = this.#path.ending()
      const found = { violation, decisions: [...this.#taken], foundIn: this.#taken.length, processes }
      this.#refused = { kind: 'undecided', ...found, events: [...this.#path.events()] }
    }
    if (violation !== undefined) return this.#back()
    const enabled = [...this.#path.enabled()]
    this.#isAllowed ||= enabled.length === 0
    this.#untried.push(enabled)
  }

  #leave(): void {
    this.#untried.pop()
    if (this.#taken.length > 0) this.#back()
  }

  #back(): void {
    this.#path.back()
    this.#taken.pop()
  }

  #progress(explored: number): EngineEvent {
    const counts = { ...this.#known, states: this.#states, transitions: this.#transitions }
    return { kind: 'progress', counts, explored }
  }
}
