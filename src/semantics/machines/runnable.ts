/**
 * A system of machines as processes: each waits for any message, and where it has events of its own it may also find nothing,
 * which is when one of those happens. A handler is one choice among its outcomes and then its sends, one by one; nobody
 * but the machine itself sees a state in between, so the states that can be met together are those of the system.
 *
 * Faults strike machines as they strike processes (ADR 14), with two differences: a machine crashes between two events only, and
 * comes back with its durable fields. On a `bag` a lost message cannot be told from one that is still under way, so that none is lost.
 */
import { mostOf, normalFaults } from '../../core/faults.ts'
import { type LibraryFilter, Operation, reliable } from '../../core/operation.ts'
import type { CycleProperty, Property } from '../../core/property.ts'
import type { Bounds } from '../../core/setting.ts'
import { Address, sameValue, type Value } from '../../core/value.ts'
import {
  type Announced,
  type Envelope,
  type InternalEvent,
  type LocalState,
  liarMark,
  type MachineEvent,
  type Machines,
  type Outcome,
  type Saying,
} from '../../program/machines.ts'
import type { MonitorDeclaration, ProcessBeside, Runnable } from '../../program/program.ts'
import type { AbstractObject } from '../../program/refinement.ts'
import type { Watch } from '../../program/watch.ts'
import { placeOfAnnounced } from '../refinement/announced-at.ts'
import { isCall } from '../refinement/calls-at-start.ts'
import { ViolatedError } from '../violated-error.ts'
import { neverHotForEver } from '../watching.ts'
import { networkOf } from './channels/channels.ts'
import { sendingPlaces } from './context.ts'
import { refuseMistakes } from './mistakes.ts'
import { sightsOf } from './sayings.ts'

/** A machine that handles more events than this in one execution is taken for unbounded. */
const defaultMaxSteps = 1_000

export interface JudgedBy {
  readonly monitors?: readonly MonitorDeclaration[] | undefined
  readonly liveness?: readonly CycleProperty[] | undefined
  readonly watches?: readonly Watch[] | undefined
  readonly refines?: readonly AbstractObject[] | undefined
  readonly called?: readonly Value[] | undefined
}

export function runnableOf(
  machines: Machines,
  bounds: Bounds = {},
  { monitors = [], liveness = [], watches = [], refines = [], called = [] }: JudgedBy = {},
): Runnable {
  return {
    main: { body: main, args: [machines] },
    monitors,
    beside: liarsOf(machines),
    watches,
    refines,
    called: [...called, ...(machines.start.called ?? [])],
    network: machines.network,
    faults: normalFaults(networkOf(machines.network).holdsBack ? machines.faults : { ...machines.faults, losses: 0 }),
    maxSteps: bounds.maxSteps ?? defaultMaxSteps,
    boundedByUser: bounds.maxSteps !== undefined,
    endlessHint:
      'this engine follows every execution to its end: --engine local or stateful remember states instead, and --max-steps n is a bound',
    shownMessage: (message) => unwrapped(message as object).message,
    properties: [...invariantsOf(machines), ...liveness, ...watches.map(neverHotForEver)],
    exposing: {
      mustAct: (process, state) => mustAct(machines, process, state),
      delivers: mostOf(machines.faults, 'losses') === 0,
    },
  }
}

function mustAct(machines: Machines, process: string, state: Value): boolean {
  const machine = machines.machines.indexOf(process)
  return actsByItself(machines.internal(machine, state as unknown as LocalState))
}

/** A crash is nothing that has to happen. */
export function actsByItself(events: readonly InternalEvent[]): boolean {
  return events.some(({ kind }) => kind !== 'crash')
}

function invariantsOf(machines: Machines): readonly Property[] {
  return machines.invariants.map(({ name, violation }) => ({
    kind: 'invariant',
    name,
    sees: 'state',
    violation: (announced) => {
      const exposed = announced as unknown as ReadonlyMap<string, Exposed>
      // Before all machines have begun there is no state of the system.
      if (machines.machines.some((machine) => !exposed.has(machine))) return undefined
      const states = machines.machines.map((machine) => exposed.get(machine) as Exposed)
      const found = violation(states, createdIn(machines, exposed))
      if (found !== undefined) refuseMistakes(found)
      return found
    },
  }))
}

/** The stack of an operation that stands in no file of the user's. */
const nowhere = ''

type Steps<Result = void> = Generator<unknown, Result, unknown>

/**
 * A state with the machines that its machine created, as they began. These exist from then on, as all that a handler does takes effect
 * together, and not only when their processes are spawned.
 */
interface Exposed extends LocalState {
  readonly begun?: ReadonlyMap<string, LocalState>
}

function createdIn({ machines }: Machines, exposed: ReadonlyMap<string, Exposed>): ReadonlyMap<string, LocalState> {
  const begun = [...exposed.values()].flatMap((state) => [...(state.begun ?? [])])
  return new Map([...begun, ...exposed].filter(([name]) => !machines.includes(name)))
}

/** How a machine begins. */
interface First extends Pick<Outcome, 'state' | 'sent' | 'announced'> {
  /** Its number, if it was declared. */
  readonly machine: number
}

const createdMachine = -1

function* main(machines: Machines): Steps {
  const { states, underWay, announced, called } = machines.start
  const { refines = [] } = machines
  for (const [machine, name] of machines.machines.entries()) {
    const sent = underWay.filter(({ from }) => from === name)
    const state = states[machine] as LocalState
    const isTold = ({ event }: Announced) => called === undefined || !isCall(event, refines)
    yield* beginning(machines, name, { machine, state, sent, announced: announced?.[machine]?.filter(isTold) })
  }
}

function beginning(machines: Machines, name: string, first: First): Operation {
  const args = [machines, first]
  const recovered = (state: unknown) => [...args, state]
  const detail = { name, body: machineBody, args, daemon: true, replica: undefined, recovered }
  return new Operation('spawn', undefined, undefined, undefined, detail, nowhere)
}

/** From its beginning, or from the state in which it crashed. */
function* machineBody(machines: Machines, first: First, crashed?: Exposed): Steps {
  const { machine } = first
  const life = { machines, shown: new Set<string>() }
  let state: Exposed = crashed ?? first.state
  yield* exposed(state)
  if (crashed === undefined) yield* telling(life, first)
  else state = yield* after(life, state, machines.handle(machine, state, { kind: 'crash' }))
  for (;;) {
    const event = yield* nextEvent(machines, machine, state)
    state = yield* after(life, state, machines.handle(machine, state, event))
  }
}

/** A machine since it began, or since its last crash. */
interface Life {
  readonly machines: Machines
  /** Its signatures that it has sent, if liars wait for them. */
  readonly shown: Set<string>
}

function* after(life: Life, before: Exposed, outcomes: readonly Outcome[]): Steps<Exposed> {
  const outcome = yield* chosen(outcomes)
  const { violation, created = [] } = outcome
  if (violation !== undefined) {
    refuseMistakes(violation)
    throw new ViolatedError(violation)
  }
  const begun = new Map([...(before.begun ?? []), ...created.map(({ name, state }) => [name, state] as const)])
  const state = begun.size === 0 ? outcome.state : { ...outcome.state, begun }
  yield* exposed(state)
  yield* telling(life, outcome)
  return state
}

function exposed(state: Exposed): Operation {
  return new Operation('expose', undefined, state, undefined, undefined, nowhere)
}

/**
 * Calls of objects, which take effect with the handler, also those that the machines make which it created; then messages to machines, announcements to
 * monitors and new machines, in the order of the handler.
 */
function* telling(
  { machines, shown }: Life,
  { sent, announced = [], created = [] }: Pick<Outcome, 'sent' | 'announced' | 'created'>,
): Steps {
  const { refines = [] } = machines
  const isTold = ({ event }: Announced) => !isCall(event, refines)
  const all = [...announced, ...created.flatMap((one) => one.announced ?? [])]
  for (const one of all.filter((one) => !isTold(one))) yield* announcing(one)
  for (const [at, envelope] of [...sent, undefined].entries()) {
    for (const one of created) {
      const first = { ...one, machine: createdMachine, announced: one.announced?.filter(isTold) }
      if (one.after === at) yield* beginning(machines, one.as, first)
    }
    for (const one of announced) if (one.after === at && isTold(one)) yield* announcing(one)
    if (envelope !== undefined) yield* sending(machines, envelope)
  }
  for (const { saying, signature } of sightsOf(machines.byzantine, sent, shown))
    yield* overMemory(saying.process, sentBy(saying.envelope.from, { kind: sight, signature }))
}

function announcing(announced: Announced): Operation {
  const place = placeOfAnnounced(announced) ?? nowhere
  return new Operation('announce', undefined, announced.event, undefined, undefined, place)
}

/** The kind of what processes of Byzantine machines are told. */
const sight = 'sees'

/**
 * Byzantine machines: one process that takes no notice of anything, to which messages can be sent, and one for each thing that is said, when it can be.
 * As these are processes of their own, nothing is decided about the order in which things are said, and as they send on a bag nothing holds them back.
 */
function liarsOf({ byzantine }: Machines): readonly ProcessBeside[] {
  if (byzantine === undefined) return []
  const { names, sayings, note } = byzantine
  return [
    ...names.map((name) => ({ id: name, body: deaf, args: [], shownAs: liarName(name), isPrivate: false })),
    ...sayings.map((one) => {
      return { id: one.process, body: saying, args: [one, note], shownAs: liarName(one.envelope.from), isPrivate: true }
    }),
  ]
}

function liarName(name: string): string {
  return `${name}${liarMark}`
}

function* deaf(): Steps {}

function* saying(one: Saying, note: (saying: Saying) => void): Steps {
  const { needs, envelope } = one
  for (const signature of needs) {
    const isSeen = (message: unknown) => (message as { readonly signature?: unknown }).signature === signature
    const where: LibraryFilter = { waitsFor: 'a signature', takes: isSeen }
    yield* new Operation('receive', undefined, undefined, where, undefined, nowhere)
  }
  note(one)
  yield* overMemory(envelope.to, sentBy(envelope.from, envelope.message))
}

/** Faults do not concern it: a liar that is not heard is one that says nothing. */
function overMemory(to: string, message: Value, place = nowhere): Operation {
  return new Operation('send', Address.of(to), message, reliable, 'bag', place)
}

function* nextEvent(machines: Machines, machine: number, state: LocalState): Steps<MachineEvent> {
  const internal = chosenEvents(machines, machine, state)
  const kind = internal.length === 0 ? 'receive' : 'poll'
  const shown = internal.map(eventValue)
  const instead = shown.length > 1 ? 'acts by itself' : (onlyAction(machines, machine, state) ?? shown[0])
  const message = (yield* new Operation(kind, undefined, instead, undefined, undefined, nowhere)) as object | undefined
  if (message !== undefined) return { kind: 'message', ...unwrapped(message) }
  return yield* oneOf(internal, shown)
}

/** Of a machine that is declared by its actions: what happens, if it is one thing alone; that something does, if it is chosen next. */
function onlyAction(machines: Machines, machine: number, state: LocalState): Value | undefined {
  const [event] = machines.internal(machine, state)
  if (event?.kind !== 'timer' || event.isAction !== true) return undefined
  const outcomes = machines.handle(machine, state, event)
  return outcomes.length === 1 ? outcomes[0]?.chose?.[0] : 'acts by itself'
}

/** What a machine may do by itself; a crash is not its choice. */
export function chosenEvents(machines: Machines, machine: number, state: LocalState): readonly ChosenEvent[] {
  return machines.internal(machine, state).filter((event) => event.kind !== 'crash')
}

type ChosenEvent = Exclude<InternalEvent, { readonly kind: 'crash' }>

/** What people read of a choice among events. */
function eventValue(event: ChosenEvent): Value {
  switch (event.kind) {
    case 'timer':
      return { kind: `timer.${event.name}` }
    case 'request':
      return { kind: `request.${event.name}`, ...(event.argument === undefined ? {} : { argument: event.argument }) }
  }
}

function* chosen(outcomes: readonly Outcome[]): Steps<Outcome> {
  const shown = outcomes.map(({ chose = [] }) => (chose.length === 1 ? chose[0] : chose) as Value)
  const areDistinct = new Set(shown.map((one) => JSON.stringify(one))).size === shown.length
  return yield* oneOf(
    outcomes,
    areDistinct ? shown : outcomes.map(({ choices }) => ({ kind: 'options', chosen: choices })),
  )
}

/** Nothing to choose among one. */
function* oneOf<Item>(items: readonly Item[], shown: readonly Value[]): Steps<Item> {
  if (items.length === 1) return items[0] as Item
  const answer = yield* new Operation('choose', undefined, Object.freeze([...shown]), undefined, undefined, nowhere)
  // Not by identity: the answer may come from an earlier execution.
  return items[shown.findIndex((one) => sameValue(one, answer))] as Item
}

function sending({ byzantine }: Machines, envelope: Envelope): Operation {
  const { from, to, message } = envelope
  const place = sendingPlaces.get(envelope) ?? nowhere
  const isForLiar = byzantine?.names.includes(to) === true
  if (isForLiar) return overMemory(to, sentBy(from, message), place)
  return new Operation('send', Address.of(to), sentBy(from, message), undefined, undefined, place)
}

/**
 * A process learns what it receives, a handler also from whom: the sender is put behind all fields of the message. It must be
 * part of the value, because engines take two equal messages for the same.
 */
function sentBy(from: string, message: Value): Value {
  const fields = message as { readonly [field: string]: Value }
  let name = 'from'
  while (Object.hasOwn(fields, name)) name = `${name}'`
  return Object.freeze({ ...fields, [name]: from })
}

function unwrapped(envelope: object): { readonly from: string; readonly message: Value } {
  const fields = { ...(envelope as { readonly [field: string]: Value }) }
  const last = Object.keys(fields).at(-1) as string
  const from = fields[last] as string
  delete fields[last]
  return { from, message: Object.freeze(fields) }
}
