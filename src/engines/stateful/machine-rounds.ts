/**
 * Executions of a system that never end. Fairness: a machine that has something to do all the time does something some time, and a
 * message that is under way all the time arrives some time, unless the network may lose it. No more is asked of timers: one that is set
 * anew again and again may never fire, while its machine does other things.
 */
import { IntVector } from '../../collections/int-vector.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { mostOf, normalFaults } from '../../core/faults.ts'
import type { CycleProperty, Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import type { InternalEvent, Machines } from '../../program/machines.ts'
import type { GlobalStates } from '../../program/stateful.ts'
import type { Watch } from '../../program/watch.ts'
import { type Channels, networkOf } from '../../semantics/machines/channels/channels.ts'
import type { LocalGraph } from '../../semantics/machines/local-graph.ts'
import { actsByItself } from '../../semantics/machines/runnable.ts'
import { neverHotForEver, type Watched, watchedStates, watchedText } from '../../semantics/watching.ts'
import { FairGraph } from './fair-graph.ts'
import type { Taken } from './global-search.ts'

export interface FoundRound {
  readonly violation: Violation
  /** Not there yet: still searching. */
  readonly lasso: { readonly stem: readonly Taken[]; readonly round: readonly Taken[] } | undefined
}

/** Of a state: neither, good, or one since which a good one is waited for. */
const [nothing, good, asked] = [0, 1, 2]

/** A search that may never end looks for rounds before its end: first in so many states, then in twice as many. */
const firstDue = 1_000

/** A state that stands for others comes round where none of them may. */
export const noRounds: Diagnostic = {
  code: 'E107',
  message: 'executions without end are judged by states that are told apart, and with "symmetry" some are not',
  hint: 'leave out --symmetry, or check what must come about in a system of its own',
}

export class MachineRounds {
  readonly #properties: readonly CycleProperty[]
  readonly #watches: readonly Watch[]
  /** By monitor: the steps on which it was cold. */
  readonly #coldSteps: readonly Set<number>[]
  readonly #graph: LocalGraph
  readonly #channels: Channels
  readonly #fair = new FairGraph()
  readonly #taken: Taken[] = []
  /** By property: for each state, what it says of it. */
  readonly #said: readonly IntVector[]
  /** What each property says of states of machines together, however much is under way beside them. */
  readonly #known = new Map<string, readonly number[]>()
  #due = firstDue

  constructor({ liveness = [], watches = [] }: GlobalStates, graph: LocalGraph, channels: Channels) {
    const properties = [...liveness, ...watches.map(neverHotForEver)]
    refuseHindsight(graph.machines)
    this.#properties = properties
    this.#watches = watches
    this.#coldSteps = watches.map(() => new Set())
    this.#graph = graph
    this.#channels = channels
    this.#said = properties.map(() => new IntVector(1024))
  }

  get isDue(): boolean {
    return this.#fair.states >= this.#due
  }

  /** States are numbered as they come. */
  addState(locals: readonly number[], underWay: unknown, watched: Watched): void {
    if (locals.length > this.#graph.machines.machines.length) throw new DiagnosticError(creating)
    const key = `${locals.join()}|${watchedText(watched)}`
    const known = this.#known.get(key) ?? this.#judged(locals, watched)
    this.#known.set(key, known)
    for (const [at, said] of known.entries()) this.#said[at]?.push(said)
    this.#fair.addState(this.#duties(locals, underWay))
  }

  #judged(locals: readonly number[], watched: Watched): readonly number[] {
    const { machines } = this.#graph.machines
    const states = new Map([
      ...locals.map((local, machine): [string, Value] => {
        return [machines[machine] as string, this.#graph.state(machine, local) as unknown as Value]
      }),
      ...watchedStates(this.#watches, watched, true),
    ])
    return this.#properties.map(({ isGood, since }) => {
      if (isGood(states)) return good
      return typeof since === 'function' && since(states) ? asked : nothing
    })
  }

  /** Machines by number, then messages. */
  #duties(locals: readonly number[], underWay: unknown): readonly number[] {
    const { faults, machines } = this.#graph.machines
    const duties = new Set<number>()
    for (const [machine, local] of locals.entries()) {
      const events = this.#graph.internal(machine, local).map((event) => this.#graph.eventAt(event) as InternalEvent)
      if (actsByItself(events)) duties.add(machine)
    }
    const isLossy = mostOf(faults, 'losses') > 0
    for (const { message } of this.#channels.deliveries(underWay)) {
      const { from, to } = this.#graph.messageAt(message)
      // What a machine sends to itself does not travel.
      if (isLossy && from !== to) continue
      duties.add(to)
      duties.add(machines.length + message)
    }
    return [...duties]
  }

  /** Nothing leads to the first state. */
  addStep(source: number, target: number, taken: Taken, watched: Watched): void {
    if (source < 0) return
    const { machine, message } = taken
    const { machines } = this.#graph.machines
    const done = message === undefined ? [machine] : [machine, machines.length + message]
    const step = this.#fair.addStep(source, target, done)
    for (const [at, wasCold] of watched.wasCold.entries()) if (wasCold) this.#coldSteps[at]?.add(step)
    this.#taken.push(taken)
  }

  *found(): Generator<FoundRound> {
    this.#due = 2 * this.#fair.states
    for (const [at, { violation, since }] of this.#properties.entries()) {
      const said = this.#said[at] as IntVector
      const coldSteps = this.#coldSteps[at - this.#properties.length + this.#watches.length]
      const search = this.#fair.lasso(
        (state) => said.at(state) === good,
        undefined,
        typeof since === 'function' ? (state) => said.at(state) === asked : since,
        coldSteps && ((step) => coldSteps.has(step)),
      )
      let found = search.next()
      for (; !found.done; found = search.next()) yield { violation, lasso: undefined }
      if (found.value === undefined) continue
      const [stem, round] = [found.value.stem, found.value.round].map((steps) => {
        return steps.map((step) => this.#taken[step] as Taken)
      })
      yield { violation, lasso: { stem: stem ?? [], round: round ?? [] } }
    }
  }
}

const creating = {
  code: 'E309',
  message: 'liveness cannot be decided of a system whose handlers create machines',
  hint: 'declare all machines in the system, or leave liveness out',
} as const

/**
 * A trace says of each message when it is sent whether and how often it arrives, which a search knows only afterwards; and where it shows
 * who sent first, sends of several machines interleave. There a state that is met again is not the same state of the trace. Crashes and
 * partitions are left out of the search of states, since they lead to no others: but a machine that has crashed owes nothing any more.
 */
function refuseHindsight({ network, faults }: Machines): void {
  const { losses, ...others } = normalFaults(faults) ?? {}
  const { sendingOrderShows, holdsBack } = networkOf(network)
  const isLossDecided = losses === undefined || (losses === 'any' && !holdsBack)
  if (isLossDecided && !sendingOrderShows && Object.keys(others).length === 0) return
  const unfit = [...(isLossDecided ? [] : ['losses']), ...Object.keys(others)]
  throw new DiagnosticError({
    code: 'E309',
    message: `liveness cannot be decided ${unfit.length > 0 ? `with ${unfit.join(' and ')} ` : ''}on network "${network}"`,
    hint: "use network bag, fifo, causal or sender-queue without faults, or network bag with { losses: 'any' }",
  })
}
