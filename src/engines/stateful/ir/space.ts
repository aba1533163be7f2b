/**
 * States of an IR program as vectors of numbers, and the steps between them. Monitors have one place; each machine has two, for its local state and
 * for what it has sent. A step is a look into tables and a few changes of a vector.
 *
 * Choices in the middle of a handler are part of the step. Handlers are atomic, unless the network has others come before each send.
 */
import { VectorTable } from '../../../collections/vector-table.ts'
import { invariant } from '../../../core/invariant.ts'
import type { Violation } from '../../../core/property.ts'
import type { Configuration, MachineState, MonitorState } from '../../../semantics/ir/configuration.ts'
import { firstConfiguration } from '../../../semantics/ir/first-configuration.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import type { RetracedStep } from '../../../semantics/ir/retraced.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'
import type { Permutation } from '../../../semantics/ir/way-back.ts'
import { FingerprintedVectors } from './fingerprinted-vectors.ts'
import { type HandlerOptions, HandlerTable } from './handled.ts'
import { Holdings } from './holdings.ts'
import { inputs, phases } from './local-states.ts'
import type { Ending } from './outcomes.ts'
import { Bags, Channels, type Outgoing, SenderQueues } from './outgoing.ts'
import { localPlace, monitorPlace, sentPlace } from './places.ts'
import type { Around, Loop, Move, Moving, Retraceable, SpaceStep } from './space-steps.ts'
import type { StateVectors } from './state-vectors.ts'
import { Symmetry } from './symmetry.ts'
import { MonitorTable } from './watched.ts'

export interface SpaceOptions extends HandlerOptions {
  /** Whether states tell through which temperatures monitors came on the last step; they do, unless it is said otherwise. */
  readonly keepsTemperatures?: boolean | undefined
  /** Whether states are the same up to names of machines. */
  readonly isSymmetric?: boolean | undefined
  /** Remembers states by fingerprints, of halves of so many bits; they are left in the order of their numbers, or the last one first. */
  readonly fingerprints?: { readonly bits: number; readonly isDepthFirst: boolean } | undefined
}

/** Nobody has created the first machine: its creation is sent by a slot of its own, behind all others. */
const none = -1
const noBreaths: readonly undefined[] = []

export class StateSpace {
  readonly #vectors: StateVectors
  readonly #handlers: HandlerTable
  readonly #monitors: MonitorTable
  readonly #outgoing: Outgoing
  readonly #holdings: Holdings
  /** Others may come before each send: messages go into inboxes at once. */
  readonly #interleaves: boolean
  /** Whether states tell through which temperatures monitors came on the last step. It matters to executions without end alone. */
  readonly #keepsTemperatures: boolean
  readonly #symmetry: Symmetry | undefined
  /** A state, and what moves in it. */
  #moving = 0
  #known: readonly Moving[] = []
  /** How the machines of the state that `after` told last were renamed; undefined: they were not. */
  renamed: Permutation | undefined
  /** Before anything has happened. */
  readonly first: number
  readonly violation: Violation | undefined

  constructor(rules: Rules, options: SpaceOptions = {}) {
    const { keepsTemperatures = true, isSymmetric = false, fingerprints } = options
    this.#keepsTemperatures = keepsTemperatures
    this.#interleaves = rules.delivery.interleaves
    this.#handlers = new HandlerTable(rules, options)
    this.#vectors =
      fingerprints === undefined
        ? new VectorTable()
        : new FingerprintedVectors({ isStack: fingerprints.isDepthFirst, bits: fingerprints.bits })
    this.#monitors = new MonitorTable(rules)
    this.#holdings = new Holdings(this.#handlers)
    this.#outgoing = outgoingOf(rules, this.#handlers.targetOf)
    const tables = { handlers: this.#handlers, monitors: this.#monitors, outgoing: this.#outgoing }
    if (isSymmetric)
      this.#symmetry = new Symmetry({ ...tables, values: rules.code.values, network: rules.delivery.network })
    const { configuration } = firstConfiguration(rules)
    this.violation = configuration.violation
    const [main] = configuration.machines.values()
    invariant(main !== undefined, 'a program has a first machine')
    const slot = this.#handlers.slotOf(main.ref)
    this.#vectors.set(monitorPlace, this.#monitors.numberOf(configuration.monitors, configuration.refined))
    this.#vectors.set(localPlace(slot), this.#handlers.localOf(main))
    this.first = this.#vectors.store()
  }

  get size(): number {
    // The vector without anything is no state.
    return this.#vectors.size - 1
  }

  /** Of a state. */
  get places(): number {
    return sentPlace(this.#handlers.refs.length)
  }

  /** Bytes of the tables that grow with states, and of what machines hold and send, which states share. */
  get bytes(): { readonly tableBytes: number; readonly valueBytes: number } {
    return { tableBytes: this.#vectors.bytes, valueBytes: this.#handlers.bytes }
  }

  get runs(): number {
    return this.#handlers.runs
  }

  /** Ways out of a state, in a fixed order; it is the loaded one until another is asked for. */
  steps(state: number): readonly SpaceStep[] {
    const steps: SpaceStep[] = []
    for (const move of this.#movesOf(state)) {
      const { slot, input, outcomes } = move
      const { locals, endings } = outcomes ?? this.#handlers.handled(this.#vectors.get(localPlace(slot)), input)
      for (let at = 0; at < locals.length; at++) this.#vectors.expect(localPlace(slot), locals[at] as number)
      for (let at = 0; at < locals.length; at++)
        steps.push({ move, local: locals[at] as number, ending: endings[at] as Ending })
    }
    return steps
  }

  /** Loads a state. What moves in it is asked for twice in a row: before it is left, and then. */
  #movesOf(state: number): readonly Moving[] {
    this.#vectors.load(state)
    if (this.#moving !== state) this.#known = this.#moves()
    this.#moving = state
    return this.#known
  }

  /** Who moves in the loaded state, and on what. */
  #moves(): readonly Moving[] {
    const moves: Moving[] = []
    const machines = this.#handlers.refs.length
    for (let slot = 0; slot < machines; slot++) {
      const local = this.#vectors.get(localPlace(slot))
      if (local === 0) continue
      const input = this.#ownInput(slot, local)
      if (input !== none) moves.push({ slot, input, sender: none, rest: 0, entry: none, outcomes: undefined })
      const sent = this.#vectors.get(sentPlace(slot))
      if (sent === 0) continue
      const arriving = this.#outgoing.arriving(sent)
      for (let at = 0; at < arriving.length; at += 2) {
        const move = this.#arrival(slot, arriving[at] as number, arriving[at + 1] as number)
        if (move !== undefined) moves.push(move)
      }
    }
    return moves
  }

  /** Runs the handlers of all ways out of a state that were not run before; it takes breaths. */
  preparing(state: number): Iterable<undefined> {
    this.#handlers.makeRoom()
    for (const move of this.#movesOf(state)) {
      move.outcomes = this.#handlers.atOnce(this.#vectors.get(localPlace(move.slot)), move.input)
      if (move.outcomes === undefined) return this.#preparingAll()
    }
    return noBreaths
  }

  /** From the first move on of which nothing is known. */
  *#preparingAll(): Generator<undefined, void> {
    for (const move of this.#known) {
      if (move.outcomes !== undefined) continue
      const local = this.#vectors.get(localPlace(move.slot))
      yield* this.#handlers.preparing(local, move.input)
      move.outcomes = this.#handlers.handled(local, move.input)
    }
  }

  /** The first machine begins by itself; others when their creation arrives. */
  #ownInput(slot: number, local: number): number {
    switch (this.#handlers.phase(local)) {
      case phases.busy:
        return inputs.inbox
      case phases.restless:
        return inputs.nothing
      case phases.interrupted:
        return inputs.goOn
      case phases.created:
        return slot === 0 || this.#interleaves ? inputs.begin : none
      default:
        return none
    }
  }

  #arrival(sender: number, entry: number, rest: number): Moving | undefined {
    const slot = this.#handlers.targetOf(entry)
    const input = this.#handlers.inputOf(entry)
    const local = this.#vectors.get(localPlace(slot))
    const phase = this.#handlers.phase(local)
    const canArrive =
      input === inputs.begin ? phase === phases.created : phase === phases.idle || phase === phases.restless
    return canArrive ? { slot, input, sender, rest, entry, outcomes: undefined } : undefined
  }

  /** Where a step leads from the loaded state, which stays loaded; or what goes wrong on it. */
  after(step: SpaceStep): number | Violation {
    const broken = this.#take(step)
    return broken ?? this.#vectors.store()
  }

  /** Takes a step of the loaded state; where it leads is the loaded state then. */
  follow(step: SpaceStep): number {
    const broken = this.#take(step)
    invariant(broken === undefined, 'a step is followed to where it has led before')
    this.#moving = 0
    return this.#vectors.follow()
  }

  #take({ move: { slot, sender, rest }, local, ending }: SpaceStep): Violation | undefined {
    const vectors = this.#vectors
    vectors.set(monitorPlace, this.#monitors.afterDecision(vectors.get(monitorPlace)))
    if (sender !== none) vectors.set(sentPlace(sender), rest)
    if (ending.violation === undefined) vectors.set(localPlace(slot), local)
    const broken = this.#affect(slot, ending)
    if (broken !== undefined) {
      vectors.abandon()
      return broken
    }
    if (ending.isHalted) this.#halt(slot)
    if (!this.#keepsTemperatures) vectors.set(monitorPlace, this.#monitors.afterDecision(vectors.get(monitorPlace)))
    this.renamed = this.#symmetry?.settle(vectors)
    return undefined
  }

  #affect(slot: number, { effects, violation }: Pick<Ending, 'effects' | 'violation'>): Violation | undefined {
    const vectors = this.#vectors
    for (const effect of effects) {
      if (effect.kind === 'tell') {
        const told = this.#monitors.told(vectors.get(monitorPlace), effect.observation, (one) =>
          this.#handlers.observation(one),
        )
        if (told < 0) return this.#monitors.violation(told)
        vectors.set(monitorPlace, told)
        continue
      }
      if (effect.kind === 'create') vectors.set(localPlace(effect.slot), effect.local)
      if (effect.kind === 'create' && this.#interleaves) continue
      this.#send(slot, effect.entry)
    }
    return violation
  }

  #send(sender: number, entry: number): void {
    const vectors = this.#vectors
    const targetPlace = localPlace(this.#handlers.targetOf(entry))
    const target = vectors.get(targetPlace)
    if (this.#handlers.phase(target) === phases.halted) return
    const place = sentPlace(sender)
    if (this.#interleaves) vectors.set(targetPlace, this.#handlers.enqueued(target, this.#handlers.inputOf(entry)))
    else vectors.set(place, this.#outgoing.add(vectors.get(place), entry))
  }

  /** What is under way to a machine that has halted is gone. */
  #halt(slot: number): void {
    for (let sender = 0; sender < this.#handlers.refs.length; sender++) {
      const sent = this.#vectors.get(sentPlace(sender))
      if (sent === 0) continue
      const kept = this.#outgoing.without(sent, (entry) => this.#handlers.targetOf(entry) === slot)
      if (kept !== sent) this.#vectors.set(sentPlace(sender), kept)
    }
  }

  /** Moves of the loaded state whose handlers may go on for ever by what they choose. */
  *loops(): Generator<Loop> {
    for (const move of this.#known) {
      const { rounds } = move.outcomes ?? this.#handlers.handled(this.#vectors.get(localPlace(move.slot)), move.input)
      if (rounds === undefined) continue
      yield { move, places: rounds.places.map((place) => ({ ...place, around: this.#around(move, place) })) }
    }
  }

  /** In the middle of a handler that has done so much; undefined: a monitor found something before. */
  #around({ slot, sender, rest }: Move, { effects }: Pick<Ending, 'effects'>): Around | undefined {
    const vectors = this.#vectors
    vectors.set(monitorPlace, this.#monitors.afterDecision(vectors.get(monitorPlace)))
    if (sender !== none) vectors.set(sentPlace(sender), rest)
    const broken = this.#affect(slot, { effects, violation: undefined })
    const monitors = this.#monitors.afterDecision(vectors.get(monitorPlace))
    const meanwhile = [...this.pending()].filter(([one, entry]) => (entry < 0 ? one : this.targetOf(entry)) !== slot)
    vectors.abandon()
    return broken === undefined ? { watching: this.#monitors.states(monitors), pending: meanwhile } : undefined
  }

  /** What monitors are and were since the step before, of the loaded state. */
  get watching(): readonly MonitorState[] {
    return this.#monitors.states(this.#vectors.get(monitorPlace))
  }

  /** Who moves in the loaded state by itself, and what is under way in it: pairs of a slot and an entry, -1 for its own moves. */
  *pending(): Generator<readonly [slot: number, entry: number]> {
    for (let slot = 0; slot < this.#handlers.refs.length; slot++) {
      const local = this.#vectors.get(localPlace(slot))
      if (local !== 0 && this.#ownInput(slot, local) !== none) yield [slot, none]
      const arriving = this.#outgoing.arriving(this.#vectors.get(sentPlace(slot)))
      for (let at = 0; at < arriving.length; at += 2) yield [slot, arriving[at] as number]
    }
  }

  targetOf(entry: number): number {
    return this.#handlers.targetOf(entry)
  }

  /** Slots that there are in some state. */
  get machines(): number {
    return this.#handlers.refs.length
  }

  /** By its place in the program, what a machine is an instance of. */
  kindAt(slot: number): number {
    return (this.#handlers.refs[slot] as MachineRef).machine
  }

  phaseAt(slot: number): number {
    return this.#handlers.phase(this.#vectors.get(localPlace(slot)))
  }

  /** Machines that a machine refers to in the loaded state. */
  heldAt(slot: number): readonly number[] {
    return this.#holdings.ofLocal(this.#vectors.get(localPlace(slot)))
  }

  /** What is under way from a machine in the loaded state, in the order of sending if that counts. */
  sentAt(slot: number): readonly number[] {
    return this.#outgoing.entries(this.#vectors.get(sentPlace(slot)))
  }

  heldIn(entry: number): readonly number[] {
    return this.#holdings.ofEntry(entry)
  }

  isCreation(entry: number): boolean {
    return this.#handlers.inputOf(entry) === inputs.begin
  }

  /** Whether a machine of the loaded state goes on by sending something to itself. */
  sendsItself(slot: number): boolean {
    const local = this.#vectors.get(localPlace(slot))
    if (this.#handlers.phase(local) !== phases.interrupted) return false
    const { ref, paused } = this.#handlers.local(local)
    return paused?.waits.kind === 'send' && paused.waits.to === ref
  }

  /** Monitors that are told something on the way, by their places and as bits. */
  toldBy({ effects }: Ending): bigint {
    return effects.reduce(
      (all, effect) => (effect.kind === 'tell' ? all | this.#holdings.listeners(effect.observation) : all),
      0n,
    )
  }

  /** A state as the reference semantics knows it, up to the numbers of messages. */
  configuration(state: number): Configuration {
    this.#vectors.load(state)
    const machines: MachineState[] = []
    for (const slot of this.#handlers.refs.keys()) {
      const local = this.#vectors.get(localPlace(slot))
      if (local !== 0) machines.push(this.#handlers.local(local))
    }
    return {
      machines: new Map(machines.map((machine) => [machine.ref, machine])),
      underWay: [],
      monitors: this.#monitors.states(this.#vectors.get(monitorPlace)),
      refined: this.#monitors.refined(this.#vectors.get(monitorPlace)),
      choosing: undefined,
      chosen: 0,
      known: new Map(),
      sent: 0,
      violation: undefined,
    }
  }

  /** A step as it can be found again in the reference semantics. */
  retraced({ move: { slot, input, sender }, ending }: Retraceable): RetracedStep {
    return {
      machine: this.#handlers.refs[slot] as MachineRef,
      from: sender === none ? undefined : this.#handlers.refs[sender],
      message: this.#handlers.message(input),
      choices: ending.choices,
    }
  }
}

function outgoingOf({ delivery: { network } }: Rules, targetOf: (entry: number) => number): Outgoing {
  if (network === 'bag') return new Bags()
  return network === 'fifo' ? new Channels(targetOf) : new SenderQueues()
}
