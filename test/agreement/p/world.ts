/** A whole state of a P program as the oracle has it: plain data, with its text as its key. */
import type { MachineSymbol } from '../../../src/frontends/p/symbols.ts'
import type { Trigger } from './handle.ts'
import type { Answer, Effect, Message } from './handling.ts'
import { defaultOf, nothing, type Plain, plainOf, type Value } from './value.ts'

export const deliveries = ['sender-queue', 'mailbox', 'fifo', 'bag'] as const
export type Delivery = (typeof deliveries)[number]

export type Fields = Record<string, Value>

export interface Machine {
  readonly type: string
  status: 'unborn' | 'idle' | 'busy' | 'blocked' | 'halted'
  /** These three as they were when the handler that is running began. */
  state: string
  fields: Fields
  counts: Record<string, number>
  inbox: readonly Message[]
  run: Run | undefined
}

/** A handler that has begun and not ended. */
export interface Run {
  readonly trigger: Trigger
  readonly answers: readonly Answer[]
  /** How many of its effects monitors were told about. */
  readonly told: number
  /** The last of them while the machine is busy: it is still to be done. */
  readonly pending: Effect | undefined
  /** For what a blocked machine waits, and how it looks. */
  readonly waits: readonly string[]
  readonly now: { readonly state: string; readonly fields: Fields } | undefined
}

export type Entry = Exclude<Effect, { readonly kind: 'announce' }>

export interface World {
  readonly machines: Record<string, Machine>
  readonly monitors: Record<string, { readonly state: string; readonly fields: Fields }>
  /** What is under way: the first entry of each channel can come next. */
  readonly channels: Record<string, readonly Entry[]>
}

/** A copy whose machines, monitors and channels can be replaced: what they have is itself never changed. */
export function copyOf({ machines, monitors, channels }: World): World {
  const copies = Object.entries(machines).map(([id, machine]) => [id, { ...machine }] as const)
  return { machines: Object.fromEntries(copies), monitors: { ...monitors }, channels: { ...channels } }
}

export function begun(trigger: Trigger): Run {
  return { trigger, answers: [], told: 0, pending: undefined, waits: [], now: undefined }
}

export function fieldsOf({ fields }: MachineSymbol): Fields {
  return Object.fromEntries(fields.map(({ name, type }) => [name, defaultOf(type)]))
}

export function machineOf({ machines }: World, id: string): Machine {
  const found = machines[id]
  if (found === undefined) throw new Error(`${id} does not exist`)
  return found
}

export function runOf({ run }: Machine): Run {
  if (run === undefined) throw new Error('nothing runs')
  return run
}

/** Puts what a machine has sent or created on its way. With mailboxes there is no way: it is there at once. */
export function post(world: World, delivery: Exclude<Delivery, 'mailbox'>, from: string, entry: Entry): void {
  const to = entry.kind === 'create' ? entry.id : entry.to
  const channel = { 'sender-queue': from, fifo: `${from} > ${to}`, bag: JSON.stringify(entry) }[delivery]
  world.channels[channel] = [...(world.channels[channel] ?? []), entry]
}

/** What is for halted machines is gone as soon as it could come. */
export function tidy(world: World): World {
  for (const [channel, entries] of Object.entries(world.channels)) {
    const first = entries.findIndex((entry) => entry.kind === 'create' || world.machines[entry.to]?.status !== 'halted')
    if (first === -1) delete world.channels[channel]
    else world.channels[channel] = entries.slice(first)
  }
  return world
}

/** Equal states have equal keys, however their parts came together. */
export function keyOf({ machines, monitors, channels }: World): string {
  return JSON.stringify([machines, monitors, channels].map((part) => Object.entries(part).sort(byName)))
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** What an outcome tells of a state: everybody's state and variables. Of halted machines only that they are. */
export function shown({ machines, monitors }: World, symbols: ReadonlyMap<string, MachineSymbol>): string {
  const lines = Object.entries(machines).map(([id, { type, status, state, fields, run }]) => {
    if (status === 'halted') return lineOf(id, 'halted', {})
    const now = status === 'blocked' && run?.now !== undefined ? run.now : { state, fields }
    return lineOf(id, now.state, shownFields(now.fields, symbols.get(type)))
  })
  const watching = Object.entries(monitors).map(([name, { state, fields }]) =>
    lineOf(name, state, shownFields(fields, symbols.get(name))),
  )
  return [...lines, ...watching].sort().join('\n')
}

/** One machine of a state that is shown. */
export function lineOf(id: string, state: string, fields: { readonly [name: string]: Plain }): string {
  return `${id}: ${state} ${JSON.stringify(Object.entries(fields).sort(byName))}`
}

function shownFields(fields: Fields, symbol: MachineSymbol | undefined): { [name: string]: Plain } {
  const typed = symbol?.fields ?? []
  return Object.fromEntries(typed.map(({ name, type }) => [name, plainOf(fields[name] ?? nothing, type)]))
}
