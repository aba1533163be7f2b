/** What a machine or a monitor does with an event: the whole handler, with all that it raises and goes to. */
import type { FunctionSymbol, MachineSymbol, StateSymbol } from '../../../src/frontends/p/symbols.ts'
import type { Answer, Effect, FailureClass, Handling, Jump, Message, Self, Subject } from './handling.ts'
import { fail, tick } from './handling.ts'
import { call, jumpOf } from './perform.ts'
import { nothing, type Value } from './value.ts'

/** Why a handler runs. */
export type Trigger = { readonly kind: 'start'; readonly payload: Value } | ({ readonly kind: 'event' } & Message)

export interface Beginning {
  readonly subject: Subject
  /** As it was when the handler began. */
  readonly self: Self
  readonly trigger: Trigger
  readonly answers: readonly Answer[]
  readonly inbox: readonly Message[]
  readonly mayTake: boolean
  readonly pausesAfter: number | undefined
}

export interface Handled {
  readonly effects: readonly Effect[]
  readonly answers: readonly Answer[]
  readonly inbox: readonly Message[]
  /** As it is where the run ends. */
  readonly self: Self
  readonly end:
    | { readonly kind: 'idle' | 'halted' | 'pause' }
    | { readonly kind: 'failure'; readonly failure: FailureClass }
    | { readonly kind: 'choice'; readonly options: number }
    | { readonly kind: 'blocked'; readonly events: readonly string[] }
}

export function handle({ subject, self, trigger, answers, inbox, mayTake, pausesAfter }: Beginning): Handled {
  const handling: Handling = {
    subject,
    self: { ...self, fields: { ...self.fields }, counts: { ...self.counts } },
    answers: [...answers],
    asked: 0,
    inbox,
    mayTake,
    effects: [],
    pausesAfter,
    steps: 0,
  }
  const end = endOf(handling, trigger)
  return { effects: handling.effects, answers: handling.answers, inbox: handling.inbox, self: handling.self, end }
}

function endOf(handling: Handling, trigger: Trigger): Handled['end'] {
  try {
    return { kind: react(handling, trigger) }
  } catch (error) {
    const jump = jumpOf(error)
    if (jump.kind === 'failure' || jump.kind === 'choice' || jump.kind === 'blocked') return jump
    if (jump.kind === 'pause') return { kind: 'pause' }
    throw error
  }
}

function react(handling: Handling, trigger: Trigger): 'idle' | 'halted' {
  const { machine } = handling.self
  let next =
    trigger.kind === 'start' ? enter(handling, machine.start.name, trigger.payload) : dispatch(handling, trigger)
  while (next !== undefined && next !== 'halted') {
    tick(handling)
    next = next.kind === 'raise' ? dispatch(handling, next) : go(handling, next)
  }
  return next ?? 'idle'
}

/** What a function asks for by ending: to handle an event, or to go to a state. */
type Next = Extract<Jump, { readonly kind: 'raise' | 'goto' }> | undefined

function dispatch(handling: Handling, { event, payload }: Message): Next | 'halted' {
  const state = stateOf(handling.self)
  const handler = state.handlers.get(event)
  if (handler === undefined) {
    // A monitor does not leave its state for that.
    if (handling.self.machine.kind !== 'machine') fail('unhandled event')
    return run(handling, state.exit, nothing) ?? (event === 'halt' ? 'halted' : fail('unhandled event'))
  }
  if (handler.kind === 'do') return run(handling, handler.function, payload)
  // Of those that are deferred or ignored only raised ones come here, and they are gone.
  if (handler.kind !== 'goto') return undefined
  return go(handling, { state: handler.state, payload }, handler.with)
}

/** Neither function on the way can raise anything, but both can receive `halt`, which is raised then. */
function go(handling: Handling, to: { state: string; payload: Value }, between?: FunctionSymbol): Next {
  return (
    run(handling, stateOf(handling.self).exit, nothing) ??
    run(handling, between, to.payload) ??
    enter(handling, to.state, to.payload)
  )
}

function enter(handling: Handling, state: string, payload: Value): Next {
  handling.self.state = state
  return run(handling, stateOf(handling.self).entry, payload)
}

function run(handling: Handling, called: FunctionSymbol | undefined, payload: Value): Next {
  if (called === undefined) return undefined
  try {
    call(called, called.params.length > 0 ? [payload] : [], { handling })
    return undefined
  } catch (error) {
    const jump = jumpOf(error)
    if (jump.kind === 'raise' || jump.kind === 'goto') return jump
    throw error
  }
}

export function stateOf({ machine, state }: { machine: MachineSymbol; state: string }): StateSymbol {
  const found = machine.states.find(({ name }) => name === state)
  if (found === undefined) throw new Error(`${machine.name} has no state ${state}`)
  return found
}
