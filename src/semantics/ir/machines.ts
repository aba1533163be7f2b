/**
 * An IR program as machines whose states are explored apart. What a machine does until it waits for the network again is one event: it handles a
 * message, and then what waits in its inbox, as long as there is something to take. Creations are messages, as in `delivery.ts`: so a machine is there
 * from the beginning, and takes nothing until its creation comes. Which machines there are is found out on the way (`MoreMachinesError`).
 *
 * Monitors see all machines together, and so does who judges waiting; both are refused.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type {
  Envelope,
  Happening,
  InternalEvent,
  LocalState,
  MachineEvent,
  Machines,
  Outcome,
} from '../../program/machines.ts'
import { MoreMachinesError } from '../../program/machines.ts'
import type { IrView } from '../../program/program.ts'
import type { CalledByEvents } from '../../program/refinement.ts'
import { type MachineState, machineText } from './configuration.ts'
import { firstConfiguration } from './first-configuration.ts'
import { type Carried, type LocalEffect, type LocalTurn, localTurn, type Occasion } from './local-turn.ts'
import { nextInInbox, type Rules, stateOf } from './moves.ts'
import { irRules } from './paths.ts'
import { type RetracedStep, retraced } from './retraced.ts'
import { keyOf, type MachineRef } from './value.ts'

/** Systems with more machines are not explored: it may be that there is no end to them. */
const mostMachines = 100

export function irMachines({ program, setting, witness, refines = [] }: IrView): Machines {
  const [refined] = refines
  if (refined !== undefined) throw new DiagnosticError(uncalled(refined))
  const rules = irRules(program, setting, { witness })
  refuseUnseen(rules, setting.options.deadlock === 'allow')
  const { configuration } = firstConfiguration(rules)
  return machinesOf(new Kept(rules), createdFromTheBeginning([...configuration.machines.values()], rules))
}

function uncalled({ object: { name } }: CalledByEvents): Diagnostic {
  const what = `whether the program refines a specification, such as "${name}"`
  return { ...unseen(what, {}), hint: 'use --engine stateful, exhaustive, random or pct' }
}

function refuseUnseen({ code: { ir } }: Rules, allowsWaiting: boolean): void {
  const [monitor] = ir.monitors.map(({ machine }) => ir.machines[machine])
  if (monitor !== undefined)
    throw new DiagnosticError(unseen(`the monitor ${monitor.name}, which sees all of them together`, monitor))
  if (allowsWaiting) return
  const blocks = ir.functions.flatMap((each) => each.blocks)
  const receive = blocks.map(({ end }) => end).find(({ kind }) => kind === 'receive')
  if (receive === undefined) return
  const what = 'whether this receive waits for ever'
  const { hint, ...told } = unseen(what, receive)
  throw new DiagnosticError({ ...told, hint: `${hint}; or allow machines to wait for ever: --deadlock allow` })
}

function unseen(what: string, { place }: Pick<Diagnostic, 'place'>): Diagnostic {
  return {
    code: 'E309',
    message: `states of machines explored apart do not tell ${what}`,
    hint: 'use --engine stateful, dpor, exhaustive, random or pct',
    place,
  }
}

/** The first machine, and those that are created in first turns. */
function createdFromTheBeginning(first: readonly MachineState[], rules: Rules): readonly MachineState[] {
  const found = new Map(first.map((machine) => [machine.ref, machine]))
  for (const machine of found.values()) {
    for (const { turn } of ways(machine, { kind: 'begin' }, rules))
      for (const effect of turn.effects)
        if (effect.kind === 'create' && found.size < mostMachines && !found.has(effect.machine.ref))
          found.set(effect.machine.ref, effect.machine)
  }
  return [...found.values()].map(absent)
}

/** What a machine is created with comes with its creation. */
function absent(machine: MachineState): MachineState {
  return { ...machine, argument: null }
}

interface Way {
  readonly choices: readonly number[]
  readonly turn: LocalTurn
}

/** Choices that are made to go all the ways of one turn: nobody can be interrupted meanwhile. */
const mostMade = 100_000

/** Every way to choose in one turn, in the order of the options. */
function* ways(machine: MachineState, occasion: Occasion, rules: Rules): Generator<Way> {
  const open: (readonly number[])[] = [[]]
  let made = 0
  for (let choices = open.pop(); choices !== undefined; choices = open.pop()) {
    made += choices.length
    if (made > mostMade) throw new DiagnosticError(tooManyWays(machine, rules))
    const work = localTurn(machine, occasion, rules)
    let worked = work.next()
    for (const choice of choices) worked = work.next(choice)
    if (worked.done === true) yield { choices, turn: worked.value }
    else for (let option = worked.value.length - 1; option >= 0; option--) open.push([...choices, option])
  }
}

function tooManyWays(machine: MachineState, { code }: Rules): Diagnostic {
  const { name, place } = stateOf(machine, code)
  return {
    code: 'E309',
    message: `engine "local" goes every way through a handler by itself, and in state ${name} of ${machine.ref.process} a handler has too many`,
    hint: 'use --engine stateful, random or pct; or choose less often in one handler',
    place,
  }
}

/** Local states by their texts. */
class Kept {
  readonly rules: Rules
  readonly #states = new Map<string, MachineState>()
  readonly #messages = new Map<string, Carried>()

  constructor(rules: Rules) {
    this.rules = rules
  }

  local(machine: MachineState): LocalState {
    const text = `${machine.ref.id}|${machineText(machine)}`
    if (!this.#states.has(text)) this.#states.set(text, machine)
    return { data: text, timers: [], requests: 0, crashes: 0 }
  }

  machine({ data }: LocalState): MachineState {
    return this.#states.get(data as string) as MachineState
  }

  envelope(from: MachineRef, effect: LocalEffect): Envelope {
    const { ref: to, argument } = effect.kind === 'send' ? { ref: effect.to, argument: null } : effect.machine
    const message = effect.kind === 'send' ? effect.message : { event: created, payload: argument }
    const text = `${message.event}(${keyOf(message.payload)})`
    if (!this.#messages.has(text)) this.#messages.set(text, message)
    return { from: from.process, to: to.process, message: text }
  }

  message(text: string): Carried {
    return this.#messages.get(text) as Carried
  }
}

/** Stands for an event where a machine is created. */
const created = -1
const nothingToReceive: InternalEvent = { kind: 'timer', name: 'null' }

function machinesOf(kept: Kept, all: readonly MachineState[]): Machines {
  const names = all.map(({ ref }) => ref.process)
  const first = all[0] as MachineState
  const system: Machines = {
    machines: names,
    start: {
      states: all.map((machine) => kept.local(machine)),
      underWay: [kept.envelope(first.ref, { kind: 'create', machine: first })],
    },
    network: kept.rules.delivery.network,
    faults: {},
    internal: (_, state) => (isRestless(kept.machine(state), kept.rules) ? [nothingToReceive] : []),
    handle(_, state, event) {
      const machine = kept.machine(state)
      const handled = [...handledBy(machine, event, kept)]
      const missing = handled.flatMap(({ effects }) => effects.flatMap((one) => notAmong(names, one)))
      if (missing.length > 0) throw new MoreMachinesError(machinesOf(kept, withMore(all, missing, kept.rules)))
      return handled.map((one) => outcomeOf(machine.ref, one, kept))
    },
    key: ({ data }) => data as string,
    invariants: [],
    from: () => invariant(false, 'a P program begins at the beginning') as never,
    decisions: (happenings) => decisionsOf(kept, all, happenings),
  }
  return system
}

function notAmong(names: readonly string[], effect: LocalEffect): readonly MachineState[] {
  return effect.kind === 'create' && !names.includes(effect.machine.ref.process) ? [effect.machine] : []
}

function withMore(
  all: readonly MachineState[],
  more: readonly MachineState[],
  { code }: Rules,
): readonly MachineState[] {
  const found = new Map([...all, ...more.map(absent)].map((machine) => [machine.ref, machine]))
  const [last] = more
  if (found.size <= mostMachines || last === undefined) return [...found.values()]
  const { name, place } = code.ir.machines[last.ref.machine] as { name: string; place: Diagnostic['place'] }
  throw new DiagnosticError({
    code: 'E309',
    message: `engine "local" explores systems with at most ${mostMachines} machines, and of "${name}" more and more are created`,
    hint: 'engines that can: stateful, dpor, exhaustive, random, pct',
    place,
  })
}

function isRestless(machine: MachineState, { code }: Rules): boolean {
  return machine.phase === 'begun' && machine.paused === undefined && stateOf(machine, code).onNull !== undefined
}

interface Handled {
  /** Of each turn: what it was taken for, and which options it chose. */
  readonly turns: readonly { readonly occasion: Occasion; readonly choices: readonly number[] }[]
  readonly machine: MachineState
  readonly effects: readonly LocalEffect[]
  readonly violation: Violation | undefined
}

/** Nothing, if the event cannot come: before a machine begins, its creation comes alone, and halted machines do nothing. */
function* handledBy(machine: MachineState, event: MachineEvent, kept: Kept): Generator<Handled> {
  const carried = event.kind === 'message' ? kept.message(event.message as string) : undefined
  const isCreation = carried?.event === created
  if (machine.phase !== (isCreation ? 'created' : 'begun')) return
  const begun = isCreation ? { ...machine, argument: carried.payload } : machine
  const message = isCreation ? undefined : carried
  const occasion: Occasion = isCreation
    ? { kind: 'begin' }
    : message === undefined
      ? { kind: 'nothing' }
      : { kind: 'message', message }
  yield* goingOn({ turns: [], machine: begun, effects: [], violation: undefined }, occasion, kept.rules)
}

/** As long as there is something in the inbox to take. */
function* goingOn(before: Handled, occasion: Occasion, rules: Rules): Generator<Handled> {
  for (const { choices, turn } of ways(before.machine, occasion, rules)) {
    const { machine, violation } = turn
    const effects = [...before.effects, ...turn.effects]
    const handled = { turns: [...before.turns, { occasion, choices }], machine, effects, violation }
    if (violation === undefined && nextInInbox(machine, rules.code) !== undefined)
      yield* goingOn(handled, { kind: 'inbox' }, rules)
    else yield handled
  }
}

function outcomeOf(self: MachineRef, { turns, machine, effects, violation }: Handled, kept: Kept): Outcome {
  return {
    state: kept.local(machine),
    sent: effects.map((effect) => kept.envelope(self, effect)),
    choices: turns.flatMap(({ choices }) => choices),
    violation,
  }
}

function decisionsOf(kept: Kept, all: readonly MachineState[], happenings: readonly Happening[]): readonly Decision[] {
  const refs = new Map(all.map(({ ref }) => [ref.process, ref]))
  const now = [...all]
  const steps = happenings.flatMap(({ machine: at, event, choices }): readonly RetracedStep[] => {
    const machine = now[at] as MachineState
    const same = (one: Handled): boolean => `${one.turns.flatMap((turn) => turn.choices)}` === `${choices}`
    const handled = [...handledBy(machine, event, kept)].find(same)
    invariant(handled !== undefined, 'a handler comes to the same outcome again')
    now[at] = handled.machine
    return handled.turns.map((turn): RetracedStep => {
      const message = turn.occasion.kind === 'message' ? turn.occasion.message : undefined
      const from = message && event.kind === 'message' ? refs.get(event.from) : undefined
      return { machine: machine.ref, from, message, choices: turn.choices }
    })
  })
  return retraced(steps, kept.rules).decisions
}
