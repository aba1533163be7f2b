/** A whole state of a P program as the oracle has it: plain data, with its text as its key. */
import type { MachineSymbol } from '../../../src/frontends/p/symbols.ts'
import type { Trigger } from './handle.ts'
import type { Answer, Effect, Message } from './handling.ts'
import { defaultOf, nothing, type Plain, plainOf, type Value } from './value.ts'

export const deliveries = ['sender-queue', 'mailbox', 'fifo', 'bag', 'causal'] as const
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

export type Entry = Exclude<Effect, { readonly kind: 'announce' }> & {
  /** With causal order: what is under way, to anybody, that its sender knew of. */
  readonly after?: readonly string[]
}

export interface World {
  readonly machines: Record<string, Machine>
  readonly monitors: Record<string, { readonly state: string; readonly fields: Fields }>
  /** What is under way, each channel in the order of sending. */
  readonly channels: Record<string, readonly Entry[]>
  /** With causal order: of what is under way, what each machine knows of, by the channel and the place in it. */
  readonly known: Record<string, readonly string[]>
}

/** A copy whose machines, monitors and channels can be replaced: what they have is itself never changed. */
export function copyOf({ machines, monitors, channels, known }: World): World {
  const copies = Object.entries(machines).map(([id, machine]) => [id, { ...machine }] as const)
  return {
    machines: Object.fromEntries(copies),
    monitors: { ...monitors },
    channels: { ...channels },
    known: { ...known },
  }
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
  const channel = {
    'sender-queue': from,
    causal: from,
    fifo: `${from} > ${targetOf(entry)}`,
    bag: JSON.stringify(entry),
  }[delivery]
  const before = world.channels[channel] ?? []
  if (delivery !== 'causal') {
    world.channels[channel] = [...before, entry]
    return
  }
  const known = world.known[from] ?? []
  world.channels[channel] = [...before, { ...entry, after: known }]
  world.known[from] = [...known, placeOf(channel, before.length)].sort()
}

function targetOf(entry: Entry): string {
  return entry.kind === 'create' ? entry.id : entry.to
}

/** What is under way is named by its channel and its place there: an order that does not depend on how it came about. */
function placeOf(channel: string, at: number): string {
  return `${channel}:${at}`
}

/** What can come next: the first of each channel, or what comes after nothing else that is for the same machine. */
export function arriving(
  { channels }: World,
  delivery: Delivery,
): readonly { readonly channel: string; readonly at: number; readonly entry: Entry }[] {
  const all = Object.entries(channels).flatMap(([channel, entries]) =>
    entries.map((entry, at) => ({ channel, at, entry })),
  )
  if (delivery !== 'causal') return all.filter(({ at }) => at === 0)
  return all.filter(({ entry }) =>
    all.every(
      (other) =>
        targetOf(other.entry) !== targetOf(entry) || entry.after?.includes(placeOf(other.channel, other.at)) !== true,
    ),
  )
}

/** It is under way no more, and who gets it knows what its sender knew. */
export function arrive(world: World, channel: string, at: number): void {
  const entries = world.channels[channel] ?? []
  const entry = entries[at] as Entry
  const to = targetOf(entry)
  if (entry.after !== undefined) world.known[to] = [...new Set([...(world.known[to] ?? []), ...entry.after])].sort()
  keep(world, channel, (one) => one !== entry)
}

/** What is for halted machines is gone as soon as it could come, or with causal order at once: nothing else waits for it. */
export function tidy(world: World): World {
  const isAlive = (entry: Entry): boolean => entry.kind === 'create' || world.machines[entry.to]?.status !== 'halted'
  for (const [channel, entries] of Object.entries(world.channels)) {
    const first = entries.findIndex(isAlive)
    keep(world, channel, (entry, at) => (entry.after === undefined ? first !== -1 && at >= first : isAlive(entry)))
  }
  for (const [id, { status }] of Object.entries(world.machines)) if (status === 'halted') delete world.known[id]
  return world
}

/** Those that stay move up, wherever they are spoken of. */
function keep(world: World, channel: string, stays: (entry: Entry, at: number) => boolean): void {
  const entries = world.channels[channel] ?? []
  const kept = entries.filter(stays)
  if (kept.length === entries.length) return
  if (kept.length === 0) delete world.channels[channel]
  else world.channels[channel] = kept
  const places = new Map(entries.map((entry, at) => [placeOf(channel, at), kept.indexOf(entry)]))
  const renamed = (names: readonly string[]): readonly string[] =>
    names
      .flatMap((name) => {
        const at = places.get(name)
        return at === undefined ? [name] : at === -1 ? [] : [placeOf(channel, at)]
      })
      .sort()
  for (const [name, others] of Object.entries(world.channels)) {
    world.channels[name] = others.map((one) => (one.after === undefined ? one : { ...one, after: renamed(one.after) }))
  }
  for (const [id, names] of Object.entries(world.known)) {
    const left = renamed(names)
    if (left.length === 0) delete world.known[id]
    else world.known[id] = left
  }
}

/** Equal states have equal keys, however their parts came together. */
export function keyOf({ machines, monitors, channels, known }: World): string {
  return JSON.stringify([machines, monitors, channels, known].map((part) => Object.entries(part).sort(byName)))
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
