/** What a handler is given to act with; everything it does is written down here and takes effect when it returns. */

import { emptyAnnouncement } from '../../core/announced.ts'
import { takenCopy } from '../../core/copy-value.ts'
import { knowingNames } from '../../core/known-names.ts'
import { isProcessName, placeCapture } from '../../core/operation.ts'
import { checkNoMore, checkShape, shapes } from '../../core/option-shape.ts'
import { mistake } from '../../core/running.ts'
import type { Value, ValueProblem } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { Announced, Envelope, LocalState } from '../../program/machines.ts'
import type { AbstractObject } from '../../program/refinement.ts'
import { uncalled } from '../../program/refinement.ts'
import {
  type HandlerContext,
  instanceOf,
  type MachineDefinition,
  type MachineInstance,
  type MachineSetup,
} from '../../program/system-definition.ts'
import { noteAnnounced } from '../refinement/announced-at.ts'
import { unaskedCall } from '../refinement/unasked-calls.ts'
import type { FieldsRead } from './fields-read.ts'
import type { FieldsSaid } from './fields-said.ts'
import type { HandlersRan } from './handlers-ran.ts'
import type { KnownSignatures } from './signatures.ts'

/** Ends a handler whose assertion failed; the recording knows already. */
class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** What happened in one run of a handler. */
export class Recording {
  readonly sent: Envelope[] = []
  readonly announced: Announced[] = []
  readonly born: Born[] = []
  /** As in `LocalState`. */
  created: LocalState['created']
  readonly timers: Set<string>
  /** Timers that were set in this run, with how long they should wait. */
  readonly waits = new Map<string, number>()
  /** How many options there were at each choice, and which was taken. */
  readonly options: number[] = []
  readonly taken: number[] = []
  /** The same for people: the option itself, if it is a text or the like. */
  readonly chose: Value[] = []
  assertion: { readonly message: string; readonly stack: string | undefined } | undefined
  /** The handler has returned. */
  isOver = false

  constructor({ timers, created }: Pick<LocalState, 'timers' | 'created'>) {
    this.timers = new Set(timers)
    this.created = created
  }

  take(options: readonly unknown[], at: number): void {
    const option = options[at]
    this.options.push(options.length)
    this.taken.push(at)
    this.chose.push(isPlain(option) ? option : at)
  }
}

/** A machine to be, when the handler has returned. */
export interface Born {
  readonly name: string
  readonly as: string
  readonly instance: MachineInstance
  readonly after: number
}

/** Where messages were sent, when places are captured. */
export const sendingPlaces = new WeakMap<Envelope, string>()

/** A machine of a system, with all that its handlers may know. */
export interface Member {
  readonly definition: MachineDefinition
  readonly setup: MachineSetup
  /** Names of all machines that are there from the beginning. */
  readonly names: ReadonlySet<string>
  /** Of these, the Byzantine ones. */
  readonly liars: ReadonlySet<string>
  /** Objects that the system refines. */
  readonly refines?: readonly AbstractObject[] | undefined
  /** Is told of the handlers that run. */
  readonly ran?: HandlersRan | undefined
  readonly fields?: FieldsRead | undefined
  readonly said?: FieldsSaid | undefined
  readonly witness?: Witness | undefined
}

export interface Acting {
  readonly from: string | undefined
  /** Whether it begins, or comes back. */
  readonly isStart: boolean
  /** What to choose, from the first choice on; the first option afterwards. */
  readonly choices: readonly number[]
  /** Signatures of others that the handler may pass on. */
  readonly known: KnownSignatures
}

const knownActions = knowingNames(() => ({ of: 'the context of a handler', noun: ['field', 'it has'] }))

/** The methods need no `this`: handlers may take them apart. */
export function contextFor(member: Member, acting: Acting, recording: Recording): HandlerContext {
  const { from, isStart, choices, known } = acting
  const { definition, setup, names } = member
  return Object.freeze({
    __proto__: knownActions,
    ...setup,
    from,
    send: (to: string, message: Value, ...extra: readonly unknown[]) => {
      checkTime('send', recording)
      checkNoMore(extra, 'send(to, message)')
      checkName(to, names)
      const envelope = Object.freeze({ from: setup.self, to, message: frozenMessage(message) })
      known.refuse(envelope.message, member)
      if (placeCapture.enabled) sendingPlaces.set(envelope, new Error().stack ?? '')
      recording.sent.push(envelope)
    },
    setTimer: (name: string, options: { readonly milliseconds: number }, ...extra: readonly unknown[]) => {
      checkTime('setTimer', recording)
      checkNoMore(extra, 'setTimer(name, { milliseconds })')
      checkTimer(name, definition)
      if (options !== undefined) checkShape(options, timerShapes, { of: `timer "${name}"` })
      recording.timers.add(name)
      recording.waits.set(name, checkedWait(name, options?.milliseconds))
    },
    cancelTimer: (name: string, ...extra: readonly unknown[]) => {
      checkTime('cancelTimer', recording)
      checkNoMore(extra, 'cancelTimer(name)')
      checkTimer(name, definition)
      recording.timers.delete(name)
      recording.waits.delete(name)
    },
    choose: <Option>(options: readonly Option[], ...extra: readonly unknown[]): Option => {
      checkTime('choose', recording)
      checkNoMore(extra, 'choose(options)')
      checkOptions(options)
      const at = recording.options.length
      const taken = choices[at] ?? 0
      recording.take(options, taken)
      return options[taken] as Option
    },
    assert: (condition: boolean, message = 'assertion failed', ...extra: readonly unknown[]) => {
      checkNoMore(extra, 'assert(condition, message)')
      if (typeof condition !== 'boolean')
        mistake({
          code: 'E107',
          message: `assert() needs true or false and got ${describe(condition)}`,
          hint: 'compare, or write assert(Boolean(…))',
        })
      checkMessage(message)
      if (condition) return
      const failed = new AssertionFailed(message)
      recording.assertion ??= { message, stack: failed.stack }
      throw failed
    },
    announce: announcing(member, recording),
    create: creating(member, isStart, recording),
  })
}

function announcing(member: Member, recording: Recording): HandlerContext['announce'] {
  return (event: Value, ...extra: readonly unknown[]) => {
    checkTime('announce', recording)
    checkNoMore(extra, 'announce(event)')
    const empty = emptyAnnouncement(event)
    if (empty !== undefined) mistake({ code: 'E228', ...empty })
    const operation = uncalled(event)
    if (operation !== undefined) mistake({ code: 'E205', ...operation })
    const stack = placeCapture.enabled ? (new Error().stack ?? '') : undefined
    const unasked = unaskedCall(event, stack === undefined ? member : { ...member, stack })
    if (unasked !== undefined) mistake(unasked)
    const taken = takenCopy(event)
    if ('problem' in taken) notAValue('the announced event', taken.problem)
    const announced = Object.freeze({ event: taken.value, after: recording.sent.length })
    if (stack !== undefined) noteAnnounced(announced, stack)
    recording.announced.push(announced)
  }
}

const timerShapes = { milliseconds: shapes.anything }

function creating(
  { setup: { self }, liars }: Member,
  isStart: boolean,
  recording: Recording,
): HandlerContext['create'] {
  return (name: string, machine: object, ...extra: readonly unknown[]) => {
    checkTime('create', recording)
    checkNoMore(extra, 'create(name, machine)')
    if (liars.size > 0) return wrongCreation('belongs in systems without Byzantine machines')
    const instance = instanceOf(machine)
    const problem = isStart
      ? 'belongs in handlers of messages, timers and requests, not in start'
      : creationProblem(name)
    if (problem !== undefined || instance === undefined) return wrongCreation(problem ?? 'got no machine to create')
    const { created = {} } = recording
    // Names such as "constructor" are names too.
    const count = (Object.hasOwn(created, name) ? (created[name] as number) : 0) + 1
    recording.created = { ...created, [name]: count }
    const address = `${self}/${name}${count > 1 ? `#${count}` : ''}`
    recording.born.push({ name: address, as: name, instance, after: recording.sent.length })
    return address
  }
}

function creationProblem(name: unknown): string | undefined {
  return isProcessName(name)
    ? undefined
    : `cannot name a machine ${typeof name === 'string' ? JSON.stringify(name) : describe(name)}`
}

function wrongCreation(problem: string): never {
  return mistake({
    code: 'E229',
    message: `create() ${problem}`,
    hint: 'create(\'worker\', worker.as()), with a name without "/" and "#"',
  })
}

function checkTime(method: string, { isOver }: Recording): void {
  if (!isOver) return
  mistake({
    code: 'E225',
    message: `${method}() belongs to the context of an event that is over`,
    hint: 'use the context that the handler is given; what comes later is a message or a timer',
  })
}

function checkName(to: unknown, names: ReadonlySet<string>): void {
  // What stands below a machine is an address that create() has made, here or elsewhere.
  if (typeof to === 'string' && names.has(to.split('/', 1)[0] as string)) return
  const got = typeof to === 'string' ? JSON.stringify(to) : describe(to)
  mistake({
    code: 'E223',
    message: `send() needs the name of a machine and got ${got}`,
    hint: `machines are ${[...names].map((name) => JSON.stringify(name)).join(', ')}`,
  })
}

function frozenMessage(message: unknown): Value {
  const taken = takenCopy(message)
  if ('problem' in taken) return notAValue('the message', taken.problem)
  if (kindOf(taken.value) === undefined) {
    mistake({
      code: 'E228',
      message: `send() needs a message with a kind and got ${describe(message)}`,
      hint: "handlers are found by kind: send(to, { kind: 'ack', … })",
    })
  }
  return taken.value
}

/** By which a handler is found. */
export function kindOf(message: unknown): string | undefined {
  const isRecord = typeof message === 'object' && message !== null
  const kind = isRecord ? (message as { readonly kind?: unknown }).kind : undefined
  return typeof kind === 'string' ? kind : undefined
}

export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function notAValue(what: string, { path, found }: ValueProblem): never {
  return mistake({
    code: 'E205',
    message: `${path === '' ? what : `${what.split(' ').at(-1)}${path}`} is ${found}, which is not a value`,
    hint: 'values are plain data: JSON-like objects and arrays, addresses, Map, Set, bigint',
  })
}

function checkTimer(name: unknown, definition: MachineDefinition): void {
  if (typeof name === 'string' && definition.timers.has(name)) return
  const known = [...definition.timers.keys()].map((timer) => JSON.stringify(timer))
  mistake({
    code: 'E226',
    message: `machine "${definition.name}" has no timer ${typeof name === 'string' ? JSON.stringify(name) : describe(name)}`,
    hint:
      known.length === 0 ? 'declare it: timers: { retry(state, context) { … } }' : `its timers are ${known.join(', ')}`,
  })
}

function checkedWait(name: string, milliseconds: unknown): number {
  if (typeof milliseconds === 'number' && milliseconds >= 0) return milliseconds
  return mistake({
    code: 'E226',
    message:
      milliseconds === undefined
        ? `timer "${name}" is set without saying for how long`
        : `timer "${name}" cannot be set to ${describe(milliseconds)} milliseconds`,
    hint: `setTimer('${name}', { milliseconds: 50 }); a check lets it fire at any time, a running system after so long`,
  })
}

function checkMessage(message: unknown): void {
  if (typeof message === 'string') return
  mistake({
    code: 'E107',
    message: `assert() needs a text as its message and got ${describe(message)}`,
    hint: "write what should hold, as in assert(sum === 3, 'the sum is 3')",
  })
}

function isPlain(option: unknown): option is string | number | boolean {
  return typeof option === 'string' || typeof option === 'number' || typeof option === 'boolean'
}

function checkOptions(options: unknown): void {
  if (Array.isArray(options) && options.length > 0) return
  mistake({
    code: 'E210',
    message: `choose() needs at least one option and got ${describe(options)}`,
    hint: 'pass a non-empty array',
  })
}

/** In the words of a diagnostic. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (value instanceof Map || value instanceof Set) return value instanceof Map ? 'a Map' : 'a Set'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'function') return 'a function'
  return `the ${typeof value} ${String(value)}`
}
