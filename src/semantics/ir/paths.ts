/**
 * The reference semantics of IR programs, as paths. Configurations never change, so going back is taking the last one away, and what a
 * decision needs is replayed from the first one alone.
 */
import type { Event } from '../../core/event.ts'
import { invariant } from '../../core/invariant.ts'
import type { CycleProperty, Ending, PropertyKind, Violation } from '../../core/property.ts'
import type { Setting } from '../../core/setting.ts'
import { type Decision, sameDecision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { Ir } from '../../ir/ir.ts'
import type { Path, Paths, Shown } from '../../program/path.ts'
import type { CalledByEvents } from '../../program/refinement.ts'
import { type CodeOptions, codeOf } from './code.ts'
import { type Configuration, machineNumber, monitorText, TextNumbers } from './configuration.ts'
import { coverageFor } from './coverage.ts'
import { deliveryOf } from './delivery.ts'
import { endingOf, endViolations } from './ending.ts'
import { ChoosingHandlers } from './endless-choices.ts'
import { firstConfiguration } from './first-configuration.ts'
import { livenessProperties, monitorStates } from './liveness.ts'
import { fairOptions, type Move, type Moves, movesIn, type Rules } from './moves.ts'
import { RefinedObjects } from './refined.ts'
import { shownIn } from './shown.ts'
import { afterMove } from './turn.ts'

/** Blocks that a machine may enter in one turn before somebody looks whether it ends. */
const mostBlocks = 100_000

export interface IrPathOptions extends Pick<CodeOptions, 'generates'> {
  /** Blocks that a machine may enter in one turn before somebody looks whether it ends. */
  readonly blocks?: number | undefined
  /** Is told what happens at all. */
  readonly witness?: Witness | undefined
  readonly refines?: readonly CalledByEvents[] | undefined
}

type IrSetting = Pick<Setting, 'network' | 'bounds'> & Partial<Pick<Setting, 'options'>>

/** How the executions of an IR program under a setting begin. */
export function irPaths(ir: Ir, { network, bounds, options }: IrSetting, own: IrPathOptions = {}): Paths {
  const rules = irRules(ir, { network, bounds }, own)
  const cycles = livenessProperties(rules.code)
  const allowsWaiting = options?.deadlock === 'allow'
  const shared = { rules, numbers: new TextNumbers(), allowsWaiting }
  let detailed: Shared | undefined
  return {
    isExclusive: false,
    judges: [
      ...judgedKinds(ir, cycles, allowsWaiting),
      ...(rules.refined === undefined ? [] : ['refinement' as const]),
    ],
    cycles,
    judgesEndsOfCycles: true,
    choosesFairly: hasFairChoices(ir),
    begin(options) {
      if (options?.details !== true) return new IrPath(shared)
      // What is printed is seen only by those that go step by step.
      const plain = { ...own, generates: false, witness: undefined }
      detailed ??= {
        rules: { ...irRules(ir, { network, bounds }, plain), details: true },
        numbers: new TextNumbers(),
        allowsWaiting,
      }
      return new IrPath(detailed)
    },
  }
}

export function irRules(ir: Ir, { network, bounds }: IrSetting, own: IrPathOptions = {}): Rules {
  const { refines = [], blocks = mostBlocks } = own
  const code = codeOf(ir, { ...own, coverage: coverageFor(ir, own.witness) })
  const delivery = deliveryOf(network)
  return {
    code,
    delivery,
    blocks,
    choosing: new ChoosingHandlers(code, { interleaves: delivery.interleaves, blocks }),
    turns: bounds.maxSteps,
    refined: refines.length === 0 ? undefined : new RefinedObjects(refines, ir, own.witness),
  }
}

function hasFairChoices({ functions }: Ir): boolean {
  return functions.some(({ blocks }) =>
    blocks.some(({ instructions }) => instructions.some((one) => one.kind === 'choose' && one.isFair)),
  )
}

/** Whether machines may wait in the middle of handlers. */
export function hasReceives({ functions }: Ir): boolean {
  return functions.some(({ blocks }) => blocks.some(({ end }) => end.kind === 'receive'))
}

function judgedKinds(ir: Ir, cycles: readonly CycleProperty[], allowsWaiting: boolean): readonly PropertyKind[] {
  return [
    'assertion',
    'exception',
    ...(allowsWaiting || !hasReceives(ir) ? [] : (['deadlock'] as const)),
    ...(ir.monitors.length > 0 ? (['monitor'] as const) : []),
    ...(cycles.length > 0 ? (['liveness'] as const) : []),
  ]
}

/** Of a handler that goes on for ever: that it does. */
function choosesDuty(process: string): string {
  return `${process} chooses`
}

/** What all paths of one program have in common. */
interface Shared {
  readonly rules: Rules
  readonly numbers: TextNumbers
  /** Nobody minds machines that wait for ever. */
  readonly allowsWaiting: boolean
}

/** A configuration on the way, and what is known of it. */
interface Stop {
  readonly configuration: Configuration
  /** Events until here. */
  readonly events: number
  moves: Moves | undefined
}

class IrPath implements Path {
  readonly #shared: Shared
  readonly #events: Event[] = []
  /** By process. */
  readonly #indices = new Map<string, number>()
  readonly #stops: Stop[] = []

  constructor(shared: Shared) {
    this.#shared = shared
    const { configuration, events } = firstConfiguration(shared.rules)
    this.#arrive(configuration, events)
  }

  enabled(): readonly Decision[] {
    return this.#moves().moves.map(({ decision }) => decision)
  }

  allows(decision: Decision): boolean {
    return this.#moveOf(decision) !== undefined
  }

  take(decision: Decision): readonly Event[] {
    const move = this.#moveOf(decision)
    invariant(move !== undefined, 'only what is enabled is taken')
    const before = this.#events.length
    const { configuration, events } = afterMove(this.#now(), move, this.#shared.rules)
    this.#arrive(configuration, events)
    return this.#events.slice(before)
  }

  #arrive(configuration: Configuration, events: ReturnType<typeof afterMove>['events']): void {
    for (const event of events) {
      const index = this.#indices.get(event.process) ?? 0
      this.#indices.set(event.process, index + 1)
      this.#events.push({ ...event, index })
    }
    this.#stops.push({ configuration, events: this.#events.length, moves: undefined })
  }

  back(): void {
    invariant(this.#stops.length > 1, 'a path goes back no further than to its beginning')
    this.#stops.pop()
    const { events } = this.#stop()
    while (this.#events.length > events) {
      const { process, index } = this.#events.pop() as Event
      this.#indices.set(process, index)
    }
  }

  key(): string {
    const { machines, choosing, monitors, refined, violation } = this.#now()
    const { numbers, rules } = this.#shared
    const locals = [...machines.values()].map((machine) => `${machine.ref.id}:${machineNumber(machine, numbers)}`)
    const watching = numbers.of(monitors.map(monitorText).join())
    const underWay = numbers.of(rules.delivery.key(this.#now()))
    const rest = `${watching}.${refined}|${underWay}|${choosing?.id ?? ''}|${violation === undefined ? '' : numbers.of(violation.message)}`
    return `${locals.sort().join()}|${rest}`
  }

  events(): readonly Event[] {
    return this.#events
  }

  violations(): readonly Violation[] {
    const { violation } = this.#now()
    const { refined } = this.#shared.rules
    if (violation?.kind === 'refinement' && refined !== undefined) return [refined.explained(violation, this.#events)]
    if (violation !== undefined) return [violation]
    const { moves, stopped } = this.#moves()
    // An execution that a bound stopped has not ended by itself.
    if (moves.length > 0 || stopped.length > 0) return []
    return endViolations(this.#now(), this.#shared.rules.code, this.#shared.allowsWaiting)
  }

  shown(): readonly Shown[] {
    return shownIn(this.#now(), this.#shared.rules.code)
  }

  ending(): Ending {
    return endingOf(this.#now(), this.#shared.rules.code, this.#moves().stopped)
  }

  isBlocked(): boolean {
    return this.ending().processes.some(
      ({ status, daemon }) => status === 'stopped' || status === 'failed' || (status === 'waiting' && !daemon),
    )
  }

  /** Monitors alone: machines have no properties of states. */
  states(): ReadonlyMap<string, Value> {
    return monitorStates(this.#now(), this.#shared.rules.code, this.#moves().moves.length === 0)
  }

  duties(): ReadonlySet<string> | undefined {
    const { choosing, underWay } = this.#now()
    const { moves, stopped } = this.#moves()
    if (choosing !== undefined || stopped.length > 0) return undefined
    const { delivery } = this.#shared.rules
    // A line that waits until its target has emptied its inbox is served then: a target empties it some time.
    const lines = moves.length === 0 ? [] : underWay.map((message) => delivery.line(message))
    return new Set([...lines, ...moves.flatMap((move) => this.#doneBy(move))])
  }

  /** A handler is in the way of nobody but its machine: what is on its way to others arrives some time, and they go on by themselves. */
  dutiesMeanwhile(): ReadonlySet<string> | undefined {
    const now = this.#now()
    const { choosing, underWay } = now
    if (choosing === undefined) return undefined
    const { rules } = this.#shared
    const { moves, stopped } = movesIn({ ...now, choosing: undefined }, rules)
    if (stopped.length > 0) return undefined
    const lines = underWay.filter(({ to }) => to !== choosing).map((message) => rules.delivery.line(message))
    const own = moves.filter(({ machine }) => machine.ref !== choosing).flatMap((move) => this.#doneBy(move))
    return new Set([...lines, ...own, choosesDuty(choosing.process)])
  }

  doneBy(decision: Decision): readonly string[] {
    const move = this.#moveOf(decision)
    return move === undefined ? [] : this.#doneBy(move)
  }

  offeredBy(decision: Decision): readonly string[] {
    const move = this.#moveOf(decision)
    return move?.kind === 'choose' ? fairOptions(move.machine) : []
  }

  /** Messages that come over the network are its duty, and what a machine does by itself its own. */
  #doneBy(move: Move): readonly string[] {
    switch (move.kind) {
      case 'choose': {
        const { decision, machine } = move
        const taken = fairOptions(machine).filter((_, at) => decision.kind === 'choose' && at === decision.option)
        return [...taken, choosesDuty(machine.ref.process)]
      }
      case 'arrive':
        return [this.#shared.rules.delivery.line(move.message)]
      case 'begin':
        return [move.message === undefined ? move.machine.ref.process : this.#shared.rules.delivery.line(move.message)]
      default:
        return [move.machine.ref.process]
    }
  }

  #moveOf(decision: Decision): Move | undefined {
    return this.#moves().moves.find((move) => sameDecision(move.decision, decision))
  }

  #moves(): Moves {
    const stop = this.#stop()
    stop.moves ??= movesIn(stop.configuration, this.#shared.rules)
    return stop.moves
  }

  #now(): Configuration {
    return this.#stop().configuration
  }

  #stop(): Stop {
    return this.#stops.at(-1) as Stop
  }
}
