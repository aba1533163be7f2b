/**
 * One run of a handler: the state is copied before and frozen afterwards, so that what comes of an event depends on the
 * state, the event and the choices alone, and nothing that user code keeps can change it later.
 */

import { answerText, isLater } from '../../core/answer.ts'
import { copyValue, setField, type Taken, takenCopy } from '../../core/copy-value.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { nearestSlip } from '../../core/did-you-mean.ts'
import { throwDefect } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import { loopLimit, running } from '../../core/running.ts'
import { thrownBy } from '../../core/thrown.ts'
import { freezeValue, type Value, type ValueProblem } from '../../core/value.ts'
import type { Announced, LocalState, MachineEvent, Outcome } from '../../program/machines.ts'
import { type Handler, type MachineDefinition, nextTimer } from '../../program/system-definition.ts'
import { type Born, contextFor, describe, isRecord, kindOf, type Member, Recording } from './context.ts'
import { isAboutFrozen, mistakenViolation } from './mistakes.ts'
import { KnownSignatures } from './signatures.ts'

export interface Executed extends Outcome {
  readonly born: readonly Born[]
  /** How many options there were at each choice. */
  readonly options: readonly number[]
  readonly announced: readonly Announced[]
  /** Timers that were set, in milliseconds. */
  readonly waits: ReadonlyMap<string, number>
}

/** What comes of an event if the handler chooses so; the first option where `choices` says nothing. */
export function execute(member: Member, state: LocalState, event: MachineEvent, choices: readonly number[]): Executed {
  switch (event.kind) {
    case 'message': {
      const { on } = member.definition
      const handler = on.get(kindOf(event.message) ?? '') ?? on.get('*')
      if (handler === undefined) return unhandled(member, state, event.message)
      const run = { handler, event, from: event.from, choices }
      member.said?.look(event.from, event.message, (message) =>
        handled(unwatched(member), state, { ...run, args: [message] }),
      )
      return handled(member, state, { ...run, args: [event.message] })
    }
    case 'timer': {
      const fired = { ...state, timers: state.timers.filter((name) => name !== event.name) }
      return handled(member, fired, { handler: member.definition.timers.get(event.name), event, args: [], choices })
    }
    case 'request': {
      const handler = member.definition.requests.get(event.name)
      const asked = { ...state, requests: state.requests + 1 }
      return handled(member, asked, { handler, event, args: [event.argument], choices })
    }
    case 'crash':
      return begun(member, { ...state, timers: [], crashes: state.crashes + 1 }, choices)
  }
}

/** As it stands in the declaration. */
export function handlerName({ definition }: Member, event: MachineEvent): string {
  switch (event.kind) {
    case 'message': {
      const kind = kindOf(event.message) ?? '*'
      return fieldName('on', definition.on.has(kind) ? kind : '*')
    }
    case 'timer':
      return definition.next === undefined ? fieldName('timers', event.name) : '"next"'
    case 'request':
      return fieldName('requests', event.name)
    case 'crash':
      return 'start'
  }
}

function fieldName(part: string, name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `${part}.${name}` : `${part}[${JSON.stringify(name)}]`
}

/** A machine that begins, or comes back after a crash with nothing but its durable fields. */
export function begun(member: Member, before: LocalState | undefined, choices: readonly number[]): Executed {
  const { definition, setup } = member
  const timers = definition.next === undefined ? [] : [nextTimer]
  const blank: LocalState = { data: undefined, requests: 0, crashes: 0, ...before, timers }
  const made = guarded(member, () => takenCopy(definition.state(setup)))
  if ('problem' in made) return failed(blank, new Recording(blank), made.problem)
  const taken = made.value as Taken
  if ('problem' in taken) return failed(blank, new Recording(blank), noValue(member, taken.problem))
  const data = withDurable(definition, taken.value, before?.data)
  const forged = new KnownSignatures(before?.data).problemIn(data, member)
  if (forged !== undefined) return failed(blank, new Recording(blank), stolen(member, forged))
  const fresh: LocalState = { ...blank, data }
  const { start } = definition
  return handled(member, fresh, { handler: start, event: { kind: 'crash' }, args: [], choices })
}

function withDurable(definition: MachineDefinition, made: Value, before: Value | undefined): Value {
  if (before === undefined || definition.durable.length === 0) return made
  const [fresh, old] = [copyValue(made) as { [field: string]: Value }, before as { readonly [field: string]: Value }]
  for (const field of definition.durable) {
    if (Object.hasOwn(old, field)) setField(fresh, field, copyValue(old[field]))
    else delete fresh[field]
  }
  freezeValue(fresh)
  return fresh
}

/** What it does is only looked at, and is no part of an execution. */
function unwatched(member: Member): Member {
  return { ...member, ran: undefined, fields: undefined, witness: undefined, said: undefined }
}

interface Run {
  /** Nothing happens without one. */
  readonly handler: Handler | undefined
  /** What it is called for; a beginning is like the end of a crash. */
  readonly event: MachineEvent
  /** What stands between the state and the context. */
  readonly args: readonly Value[]
  readonly from?: string
  readonly choices: readonly number[]
}

function handled(member: Member, state: LocalState, run: Run): Executed {
  const recording = new Recording(state)
  const { handler, event, args, from, choices } = run
  if (handler === undefined) return finished(member, { state, data: state.data }, recording)
  member.ran?.note(handler, event.kind === 'message' ? kindOf(event.message) : undefined)
  const own = copyValue(state.data)
  const known = new KnownSignatures(state.data, event.kind === 'message' ? event.message : undefined)
  const context = contextFor(member, { from, isStart: event.kind === 'crash', choices, known }, recording)
  const returned = guarded(member, () => handler(own, ...args, context))
  recording.isOver = true
  if (recording.assertion !== undefined) return failed(state, recording, assertionOf(member, recording.assertion))
  if ('problem' in returned) return failed(state, recording, returned.problem)
  const after = returned.value === undefined ? own : returned.value
  if (isLater(after)) return failed(state, recording, laterReturned(member, event, after))
  const taken = after === own ? keptAsItIs(own) : takenCopy(after)
  if ('problem' in taken)
    return failed(state, recording, noValue(member, taken.problem, `, after ${handlerName(member, event)}`))
  const kept = taken.value
  if (isRecord(kept) !== isRecord(state.data))
    return failed(state, recording, otherKind(member, handlerName(member, event), [state.data, kept]))
  const forged = known.problemIn(kept, member)
  if (forged !== undefined) return failed(state, recording, stolen(member, forged, handlerName(member, event)))
  return finished(member, { state, data: kept }, recording)
}

/** The handler was given a copy of its own, which nobody else has. */
function keptAsItIs(own: unknown): Taken {
  const problem = freezeValue(own)
  return problem === undefined ? { value: own as Value } : { problem }
}

/** A signature that the machine keeps and cannot have. */
function stolen(member: Member, forged: Diagnostic, handler?: string): Violation {
  const message = handler === undefined ? `${forged.message}, at the beginning` : `${forged.message}, after ${handler}`
  const { stack } = member.definition
  return mistakenViolation('exception', { ...forged, message, stack }, member.setup.self)
}

interface Finished {
  /** Before. */
  readonly state: LocalState
  /** Afterwards. */
  readonly data: Value
}

function finished(member: Member, { state: before, data }: Finished, recording: Recording): Executed {
  member.fields?.met(data)
  const timers = Object.freeze([...recording.timers].sort())
  const { created } = recording
  const state = Object.freeze({ ...before, data, timers, ...(created === undefined ? {} : { created }) })
  return executed(state, recording, undefined)
}

/** Before anything was written down. */
export function failedIn(state: LocalState, violation: Violation): Executed {
  return failed(state, new Recording(state), violation)
}

/** A machine that failed does nothing more; its state is the one before. */
function failed(state: LocalState, recording: Recording, violation: Violation): Executed {
  return executed(state, recording, violation)
}

function executed(state: LocalState, recording: Recording, violation: Violation | undefined): Executed {
  const { sent, announced, born, taken, chose, options, waits } = recording
  return { state, sent, announced, born, choices: taken, chose, options, waits, violation }
}

/** Runs user code as the process it belongs to: guards, loop counter and mistakes are told whose it is. */
export function guarded(
  member: Member,
  code: () => unknown,
): { readonly value: unknown } | { readonly problem: Violation } {
  const { process, fuel, inert } = running
  running.process = member.setup.self
  running.inert = 'handler'
  running.fuel = loopLimit
  try {
    const value = code()
    throwDefect()
    const mistake = takenMistake()
    return mistake === undefined ? { value } : { problem: mistaken(member, mistake) }
  } catch (error) {
    const mistake = takenMistake() ?? (error instanceof DiagnosticError ? error.diagnostic : undefined)
    return { problem: mistake === undefined ? exceptionOf(member, error) : mistaken(member, mistake) }
  } finally {
    running.process = process
    running.inert = inert
    running.fuel = fuel
    running.unawaited = 0
  }
}

function takenMistake(): Diagnostic | undefined {
  const { mistake } = running
  running.mistake = undefined
  return mistake
}

export function mistaken(member: Member, diagnostic: Diagnostic): Violation {
  const { self } = member.setup
  const message = diagnostic.message.includes(`"${self}"`)
    ? diagnostic.message
    : `${diagnostic.message}, in machine "${self}"`
  return mistakenViolation('exception', { ...diagnostic, message }, self, member.definition.next !== undefined)
}

function exceptionOf(member: Member, error: unknown): Violation {
  if (isAboutFrozen(error)) return changesOthers(member, error as TypeError)
  const { isAssertion, sentence: message, stack } = thrownBy(error)
  const kind = isAssertion ? 'assertion' : 'exception'
  return { kind, property: message, message, process: member.setup.self, stack }
}

/** The state is a copy of the handler's own: what is frozen is a message, an argument, or something that was sent. */
function changesOthers({ definition, setup }: Member, { message, stack }: TypeError): Violation {
  const diagnostic: Diagnostic = {
    code: 'E230',
    message: `machine "${setup.self}" changes what is not its own: ${message}`,
    hint:
      definition.next === undefined
        ? 'a handler may change its state; of messages and arguments change a copy, as in { ...message, hops: 1 } or [...list].sort()'
        : 'an action makes another state out of the one before: { ...state, votes: [...state.votes, vote] }',
    stack,
  }
  return mistakenViolation('exception', diagnostic, setup.self)
}

function assertionOf(member: Member, assertion: NonNullable<Recording['assertion']>): Violation {
  const { message, stack } = assertion
  return { kind: 'assertion', property: message, message, process: member.setup.self, stack }
}

/** A finding, not a mistake at sight: the execution that brings the message there is what a user needs to see. */
function unhandled(member: Member, state: LocalState, message: Value): Executed {
  const kind = kindOf(message)
  const what = kind === undefined ? 'a message without kind' : `a message of kind "${kind}"`
  const nearest = kind === undefined ? undefined : nearestSlip(kind, [...member.definition.on.keys()])
  const instead = nearest === undefined ? '' : `; did you mean "${nearest}", which it has?`
  const text = `machine "${member.definition.name}" received ${what}, for which it has no handler${instead}`
  const { stack } = member.definition
  return failed(state, new Recording(state), {
    kind: 'exception',
    property: text,
    message: text,
    process: member.setup.self,
    stack,
  })
}

export function noValue(member: Member, { path, found }: ValueProblem, since = ''): Violation {
  const { self } = member.setup
  return wrongState(member, {
    message: `the state of machine "${self}" is not a value: state${path} is ${found}${since}`,
    hint: 'states are plain data, so that they can be compared and kept: objects, arrays, Map, Set, bigint',
  })
}

/** An arrow function that changes the state and returns what the change happens to be, such as a count. */
export function otherKind(member: Member, what: string, [before, after]: readonly [Value, unknown]): Violation {
  const { self } = member.setup
  return wrongState(member, {
    message: `the state of machine "${self}" was ${describe(before)}, and ${what} returned ${describe(after)}`,
    hint:
      member.definition.next === undefined
        ? 'a handler returns the whole state or nothing: put braces around the body of (state) => state.count++'
        : '"after" is the whole state: after: { ...state, count: state.count + 1 }',
  })
}

function wrongState(member: Member, problem: { readonly message: string; readonly hint: string }): Violation {
  const { stack } = member.definition
  return mistakenViolation('exception', { code: 'E224', ...problem, stack }, member.setup.self)
}

function laterReturned(member: Member, event: MachineEvent, later: unknown): Violation {
  const message = `${handlerName(member, event)} of machine "${member.definition.name}" returned ${answerText(later)}`
  const hint = 'handlers are plain functions: what comes later is a message, a timer or a request of its own'
  return mistakenViolation(
    'exception',
    { code: 'E225', message, hint, stack: member.definition.stack },
    member.setup.self,
  )
}
