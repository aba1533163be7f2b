/**
 * A declared system as the machines view. Handlers are run now and then twice, because a handler that depends on anything but its
 * state and the event would break every search.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { mostOf } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Origin } from '../../core/snapshot.ts'
import { atOnce, type Unhurried } from '../../core/unhurried.ts'
import { encodeInOrder, sameToTheEye } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type {
  AlikeSets,
  Announced,
  Created,
  Envelope,
  InternalEvent,
  LocalState,
  MachineEvent,
  Machines,
  Outcome,
  SystemInvariant,
} from '../../program/machines.ts'
import type { AbstractObject } from '../../program/refinement.ts'
import { type MachineDefinition, nextTimer, type SystemDefinition } from '../../program/system-definition.ts'
import { callsAtStart } from '../refinement/calls-at-start.ts'
import { callsFirst } from '../refinement/calls-first.ts'
import { askForCalls } from '../refinement/ghost.ts'
import { notedRules, rulesOf } from './action-rules.ts'
import { AlikeParties } from './alike-parties.ts'
import { allExecuted, notDeterministic } from './all-executed.ts'
import { beginning, checkDurable, checkState, choosesAtBeginning, otherBeginning } from './beginning.ts'
import { Calls } from './calls.ts'
import type { Born, Member } from './context.ts'
import { allRequests, checkTimers, type Requests, requestsAfter } from './driver-requests.ts'
import { begun, type Executed, handlerName } from './execute.ts'
import { FieldsRead } from './fields-read.ts'
import { FieldsSaid } from './fields-said.ts'
import { HandlersRan } from './handlers-ran.ts'
import { systemInvariant } from './invariants.ts'
import { apart, comparesIdentities, isByChance, together } from './likenesses.ts'
import { answersEverywhere } from './liveness.ts'
import { mistakeBehind } from './mistakes.ts'
import { NextActions, nextAction, refuseCrashes } from './next-actions.ts'
import { notedInvariant } from './noted-invariant.ts'
import { byzantineOf } from './sayings.ts'
import { byName } from './states-by-name.ts'
import { ValueNumbers } from './value-numbers.ts'

/** Handlers run twice: the first calls, then one in so many. */
const auditedFirst = 64
const auditEvery = 256

/** The system at its beginning. A mistake that shows there is thrown. */
export function machinesOf(definition: SystemDefinition, witness?: Witness): Machines {
  const kinds = new Set([...definition.machines.values()].map((one) => one.definition))
  const fields = witness && new FieldsRead(witness)
  const said = witness && new FieldsSaid(witness)
  const members = membersOf(definition, { ran: witness && new HandlersRan(witness, kinds), fields, said, witness })
  for (const { definition: kind } of members) if (kind.next !== undefined) refuseCrashes(kind, definition.faults)
  const beginnings = members.map(beginning)
  for (const object of definition.refines) askForCalls(object, witness)
  const names = [...definition.machines.keys()]
  const liars = [...definition.byzantine.keys()]
  const invariants = [
    ...definition.invariants.map((one) => systemInvariant(one, { machines: names, liars, fields }, witness)),
    ...definition.liveness.map((one) => answersEverywhere(one, names, fields)),
  ]
  const start = {
    states: beginnings.map(({ state }) => state),
    underWay: beginnings.flatMap(({ sent }) => sent),
    waits: beginnings.map(({ waits }) => waits),
    announced: beginnings.map(({ announced }) => callsFirst(announced, definition.refines)),
    called: callsAtStart(
      beginnings.map(({ announced }, at) => ({ ...(members[at] as Member), announced })),
      definition,
    ),
  }
  const byzantine = byzantineOf(definition, witness)
  if (byzantine !== undefined) said?.expect(byzantine, definition)
  const machines = new SystemMachines(definition, members, { start, invariants, byzantine })
  machines.noteBeginnings(beginnings)
  return machines
}

/** All machines of a system as their handlers see it, by number. */
function membersOf(
  definition: SystemDefinition,
  told: Pick<Member, 'ran' | 'fields' | 'said' | 'witness'>,
): readonly Member[] {
  const { refines } = definition
  const names = new Set(definition.names)
  const liars = new Set(definition.byzantine.keys())
  return [...definition.machines].map(([self, { definition: machine, args }]) => {
    const peers = Object.freeze([...names].filter((name) => name !== self))
    const setup = Object.freeze({ self, peers, args })
    return { definition: machine, setup, names, liars, refines, ...told }
  })
}

/** Where there are some, no machine is created. */
const noLiars: ReadonlySet<string> = new Set()

/** Where a system begins, what it is asked there, and who makes its requests: all of them unless told. */
interface Beginning {
  readonly start: Machines['start']
  readonly invariants: readonly SystemInvariant[]
  readonly byzantine: Machines['byzantine']
  readonly requests?: Requests | undefined
}

type Answered = readonly [LocalState, readonly Outcome[]]

class SystemMachines implements Machines {
  readonly machines: readonly string[]
  readonly start: Machines['start']
  readonly network: Machines['network']
  readonly faults: Machines['faults']
  readonly invariants: readonly SystemInvariant[]
  readonly byzantine: Machines['byzantine']
  readonly alike: Machines['alike']
  readonly actions: Machines['actions']
  readonly rules: Machines['rules']
  readonly hasAlike: boolean
  readonly alikeMachines: Machines['alikeMachines']
  readonly refines: readonly AbstractObject[]
  readonly witness: Witness | undefined
  readonly #definition: SystemDefinition
  readonly #members: readonly Member[]
  readonly #keys = new WeakMap<LocalState, string>()
  readonly #requests: Requests
  /** Of created machines: those that have been met, and what each is. */
  readonly #kinds: MachineDefinition[] = []
  readonly #created = new WeakMap<Origin, Member>()
  readonly #asked: readonly SystemInvariant[]
  readonly #calls = new Calls<SystemMachines>()
  /** Of the machine that is alone, without noting what they answer. */
  readonly #rules: Machines['rules']
  readonly #numbers = new ValueNumbers()
  readonly #actions = new NextActions(this.#numbers)
  /** Whether states share parts: states of handlers are copies. */
  readonly #isShared: boolean
  #handled = 0

  constructor(
    definition: SystemDefinition,
    members: readonly Member[],
    { start, invariants, byzantine, requests = allRequests(definition, members) }: Beginning,
  ) {
    this.#definition = definition
    this.#members = members
    this.#requests = requests
    this.machines = [...definition.machines.keys()]
    this.#isShared = members.some((member) => member.definition.next !== undefined)
    this.start = start
    this.network = definition.network
    this.refines = definition.refines
    this.faults = definition.faults
    this.byzantine = byzantine
    this.witness = members[0]?.witness
    this.#asked = invariants
    this.alike = this.#alike()
    const [member, ...others] = members
    this.#rules = member === undefined || others.length > 0 || byzantine !== undefined ? undefined : rulesOf(member)
    const asked = { calls: this.#calls, rulesIn: (system: SystemMachines) => system.#rules }
    this.actions = this.#rules && notedRules(this.#rules, member as Member, asked)
    this.rules = member?.definition.rules && this.actions
    this.alikeMachines = this.#alikeMachines()
    this.hasAlike = members.some((member) => member.definition.alike !== undefined)
    this.invariants = invariants.map((one, at) =>
      notedInvariant(one, this.#calls, (system) => system.#asked[at] as SystemInvariant),
    )
  }

  /** Of machines that stand where they begin. */
  noteBeginnings(beginnings: readonly Executed[]): void {
    for (const [machine, before] of beginnings.entries()) {
      this.#calls.keep(this.#calls.place() as number, (system) => {
        const member = system.#members[machine] as Member
        return system.#isSame([before], [begun(member, undefined, [])]) ? undefined : otherBeginning(member)
      })
    }
  }

  internal(machine: number, state: LocalState): readonly InternalEvent[] {
    const member = this.#memberOf(machine, state)
    if (member?.definition.next !== undefined) return this.#actions.isOver(member, state) ? [] : [nextAction]
    const events: InternalEvent[] = state.timers.map((name) => ({ kind: 'timer', name }))
    const { before, calls } = this.#requests[machine] ?? { before: 0, calls: [] }
    const request = calls[state.requests - before]
    if (request !== undefined) events.push({ kind: 'request', ...request })
    const crashes = state.crashes - (this.start.states[machine]?.crashes ?? 0)
    if (crashes < mostOf(this.faults, 'restarts')) events.push({ kind: 'crash' })
    return events
  }

  handle(machine: number, state: LocalState, event: MachineEvent): readonly Outcome[] {
    return atOnce(this.handling(machine, state, event))
  }

  *handling(machine: number, state: LocalState, event: MachineEvent): Unhurried<readonly Outcome[]> {
    const member = this.#memberOf(machine, state)
    invariant(member !== undefined, 'machines are declared or were created')
    const outcomes = yield* this.#outcomes(member, state, event)
    const place = this.#calls.place()
    if (place !== undefined)
      this.#calls.keep(place, (system) => {
        const other = system.#memberOf(machine, state)
        // A machine that was created is known where it was created alone.
        if (other === undefined) return undefined
        if (system.#isSame(outcomes, atOnce(system.#outcomes(other, state, event)))) return undefined
        return mistakeBehind(notDeterministic(other, event))
      })
    if (!this.#isAudited() || this.#actions.isRefused(state)) return outcomes
    const { next } = member.definition
    const isAsBefore = (one: Answered) => this.#isAsBefore(member, event, one)
    for (const like of next === undefined ? [state] : [apart(state), together(state)]) {
      const others = yield* this.#outcomes(member, like, event)
      if (this.#isSame(outcomes, others)) continue
      const isChance = next === undefined || (yield* isByChance([state, outcomes], [like, others], isAsBefore))
      return refused(outcomes, others, isChance ? notDeterministic(member, event) : comparesIdentities(member))
    }
    return outcomes
  }

  *#isAsBefore(member: Member, event: MachineEvent, [state, outcomes]: Answered): Unhurried<boolean> {
    return this.#isSame(outcomes, yield* this.#outcomes(member, state, event))
  }

  *repeated(anew: Machines): Generator<undefined, Diagnostic | undefined> {
    return anew instanceof SystemMachines ? yield* this.#calls.repeated(anew) : undefined
  }

  #memberOf(machine: number, { origin }: LocalState): Member | undefined {
    return origin === undefined ? this.#members[machine] : this.#created.get(origin)
  }

  /** Texts only where a plain look does not settle it: of a violation its message counts, and not the stack. */
  #isSame(outcomes: readonly Outcome[], others: readonly Outcome[]): boolean {
    return sameToTheEye(outcomes, others) || this.#text(outcomes) === this.#text(others)
  }

  *#outcomes(member: Member, state: LocalState, event: MachineEvent): Unhurried<readonly Outcome[]> {
    const { next } = member.definition
    const executed = yield* next !== undefined && event.kind === 'timer'
      ? this.#actions.executed(member, state)
      : allExecuted(member, state, event)
    return executed.map((one) => this.#begun(one))
  }

  /** With the machines that the handler created, as they begin. */
  #begun(executed: Executed): Outcome {
    const { born } = executed
    const outcome = outcomeOf(executed, this.#told(executed))
    if (born.length === 0 || outcome.violation !== undefined) return outcome
    const begun = born.map((one) => this.#beginning(one))
    const violation = begun.find(({ problem }) => problem !== undefined)?.problem
    return { ...outcome, created: begun.map(({ created }) => created), violation }
  }

  #beginning({ name, as, instance, after }: Born): { readonly created: Created; readonly problem?: Violation } {
    const { definition, args } = instance
    const setup = Object.freeze({ self: name, peers: Object.freeze([...this.machines]), args })
    const { refines, ran, fields, witness } = this.#members[0] as Member
    const watched = { ran, fields, witness }
    const member = { definition, setup, names: new Set(this.machines), liars: noLiars, refines, ...watched }
    const { state, sent, announced, options, violation } = begun(member, undefined, [])
    if (!this.#kinds.includes(definition)) {
      this.#kinds.push(definition)
      ran?.expect(definition)
    }
    const origin = Object.freeze({ name, kind: this.#kinds.indexOf(definition), args })
    this.#created.set(origin, member)
    const told = this.#told({ announced })
    const created = { name, as, state: Object.freeze({ ...state, origin }), sent, announced: told, after }
    if (violation === undefined) {
      checkState(member, state.data)
      checkDurable(member, state.data)
    }
    const problem = violation ?? (options.length > 0 ? choosesAtBeginning(member) : undefined)
    return problem === undefined ? { created } : { created, problem }
  }

  #told({ announced }: Pick<Executed, 'announced'>): readonly Announced[] {
    return callsFirst(announced, this.#definition.refines)
  }

  #alike(): Machines['alike'] {
    const [member, ...others] = this.#members
    const parts = member?.definition.alike
    if (member === undefined || parts === undefined || others.length > 0 || this.byzantine !== undefined)
      return undefined
    const parties = new AlikeParties(member, parts, this.#numbers, {
      outcomes: (state) => this.#outcomes(member, state, nextAction),
      hasInvariants: this.#asked.length > 0,
      violated: (state) => this.#asked.flatMap((one) => (one.violation([state]) === undefined ? [] : [one.name])),
    })
    return (state) => parties.text(state)
  }

  #alikeMachines(): Machines['alikeMachines'] {
    const sets = this.#definition.alike.map((names) => names.map((name) => this.machines.indexOf(name)))
    if (sets.length === 0) return undefined
    const handler: AlikeSets['handler'] = (machine, event) => {
      const member = this.#members[machine] as Member
      const { definition, setup } = member
      return { name: event === undefined ? '' : handlerName(member, event), stack: definition.stack, args: setup.args }
    }
    return { sets, handler }
  }

  #isAudited(): boolean {
    const call = this.#handled++
    return call < auditedFirst || call % auditEvery === 0
  }

  #text(outcomes: readonly Outcome[]): string {
    return outcomes
      .map(({ state, sent, violation, announced = [], created = [] }) => {
        const told = announced.map(({ event, after }) => encodeInOrder([event, after]))
        const begun = created.map((one) => [one.name, this.key(one.state), one.sent.map(envelopeKey), one.after])
        return JSON.stringify([this.key(state), sent.map(envelopeKey), violation?.message ?? null, told, begun])
      })
      .join()
  }

  key(state: LocalState): string {
    if (this.#isShared) return keyed(state, this.#numbers.whole(state.data))
    const known = this.#keys.get(state)
    if (known !== undefined) return known
    const key = keyed(state, encodeInOrder(state.data))
    this.#keys.set(state, key)
    return key
  }

  from(states: readonly LocalState[], underWay: readonly Envelope[]): Machines {
    const isKnown = (name: string) => this.machines.includes(name)
    invariant(
      underWay.every(({ from, to }) => isKnown(from) && isKnown(to)),
      'messages are between machines of the system',
    )
    for (const [machine, { timers }] of states.entries()) checkTimers(this.#members[machine] as Member, timers)
    const { requestsFrom } = this.#definition
    const driver = requestsFrom && requestsAfter(requestsFrom(byName(this.machines, states)), this.machines, states)
    const began = { start: { states, underWay }, invariants: this.#asked, byzantine: this.byzantine }
    return new SystemMachines(this.#definition, this.#members, { ...began, requests: driver })
  }
}

/** Something else came of the same event: if nothing did in one of them, the other one tells it. */
function refused(some: readonly Outcome[], others: readonly Outcome[], violation: Violation): readonly Outcome[] {
  return [...others, ...some].slice(0, 1).map((one) => ({ ...one, violation }))
}

/** With the text of its data. */
function keyed({ timers, requests, crashes, origin, created }: LocalState, text: string): string {
  // What has actions waits for nothing else.
  const isWaiting = requests + crashes > 0 || timers.length !== 1 || timers[0] !== nextTimer
  const own = isWaiting ? `${requests},${crashes},${JSON.stringify(timers)},${text}` : text
  return origin === undefined && created === undefined ? own : `${own}${encodeInOrder({ ...origin, created })}`
}

/** Equal for equal messages between the same machines, and only for those. */
export function envelopeKey({ from, to, message }: Envelope): string {
  return encodeInOrder([from, to, message])
}

function outcomeOf({ state, sent, choices, chose, violation, waits }: Executed, told: readonly Announced[]): Outcome {
  const announced = told.length > 0 ? told : undefined
  const chosen = choices.length > 0 ? chose : undefined
  return { state, sent, choices, violation, announced, chose: chosen, waits: waits.size > 0 ? waits : undefined }
}
