/**
 * What is measured, each in a process of its own: by name, with an answer that is plain data. Times are CPU seconds; a search that
 * is shorter than `atLeastSeconds` is repeated, after a first time that is told apart because it pays for compilation.
 */
import type { LocalCounts } from '../../src/engines/local/counts.ts'
import { LocalSearch } from '../../src/engines/local/search.ts'
import type { Machines } from '../../src/program/machines.ts'
import { liveState, paxos } from '../../test/unit/engines/local/paxos.ts'
import { secondsSince } from '../measure.ts'
import { type Phases, timePhases } from './phases.ts'
import {
  boundedly,
  type Explored,
  type ExploredLocally,
  explore,
  globally,
  locally,
  type SearchName,
} from './searches.ts'

const atLeastSeconds = 2
/** Of what is short, where memory is measured. */
const repetitions = 15

export type Counts = Omit<Explored, 'held'>

export interface Timed extends Counts {
  readonly first: number
  readonly seconds: number
}

/** A search as it went deeper. */
export interface Level extends Pick<Counts, 'transitions' | 'states'> {
  readonly depth: number
  readonly heldBytes: number
  readonly seconds: number
}

export interface Limit extends Readonly<Phases> {
  readonly counts: LocalCounts
  readonly ended: boolean
  readonly violations: number
  readonly seconds: number
}

export const measures = {
  time: timed,
  held,
  peak,
  bounds,
  levels,
  limit,
  globalLimit,
  bug,
}

function timed(name: SearchName): Timed {
  const start = process.cpuUsage()
  const { held: _, ...counts } = explore(name)
  const first = secondsSince(start)
  return { ...counts, first, seconds: repeated(() => explore(name), first) }
}

/** What it takes when it is not the first time; long enough a search has long been compiled by its end. */
function repeated(run: () => unknown, first: number): number {
  if (first < atLeastSeconds) compile(run)
  const start = process.cpuUsage()
  for (let runs = 1; ; runs++) {
    run()
    const seconds = secondsSince(start)
    if (seconds >= atLeastSeconds) return seconds / runs
  }
}

/** Heap that a search holds at its end. */
function held(name: SearchName): number {
  compile(() => explore(name))
  return heldBy(() => explore(name).held, name === 'bounded' || name === 'unbounded' ? 1 : repetitions)
}

/** Most memory of a process that searches once. */
function peak(name: SearchName): number {
  explore(name)
  return process.resourceUsage().maxRSS * 1024
}

/** B-DFS with larger and larger bounds (LMC §3.2). */
function bounds(): readonly Level[] {
  compile(() => bounded(10))
  const levels: Level[] = []
  for (let bound = 1; ; bound++) {
    const { level, isCut } = bounded(bound)
    levels.push(level)
    if (!isCut) return levels
  }
}

function bounded(bound: number): { readonly level: Level; readonly isCut: boolean } {
  const subject = paxos({ machines: 3, proposals: ['v1'], general: true })
  const found = { transitions: 0, states: 0, isCut: false, seconds: 0 }
  const heldBytes = heldBy(
    () => {
      const start = process.cpuUsage()
      const { held, transitions, states, isCut } = boundedly(subject, bound)
      Object.assign(found, { transitions, states, isCut, seconds: secondsSince(start) })
      return held
    },
    bound < 12 ? repetitions : 1,
  )
  const { isCut, ...counts } = found
  return { level: { depth: bound, heldBytes, ...counts }, isCut }
}

/** Local search, stopped where it first comes so deep, for each depth; and at its end. */
function levels(): readonly Level[] {
  compile(() => explore('decomposed'))
  const found: Level[] = []
  for (let depth = 1; ; depth++) {
    const { level, ended } = stopped(depth)
    // It may become deeper by more than one.
    if (ended || level.depth === depth) found.push(level)
    if (ended) return found
  }
}

function stopped(atDepth: number): { readonly level: Level; readonly ended: boolean } {
  const subject = paxos({ machines: 3, proposals: ['v1'], general: false })
  const found = { depth: 0, transitions: 0, states: 0, seconds: 0, ended: false }
  const heldBytes = heldBy(() => {
    const { search, ended } = searched(subject, atDepth)
    const { depth, transitions, states } = search.counts()
    Object.assign(found, { depth, transitions, states, ended })
    return search
  }, repetitions)
  const { ended, ...counts } = found
  return { level: { ...counts, heldBytes }, ended }
}

/** Looked at through the handlers: they are where the search goes on. */
function searched(subject: Machines, atDepth: number): { readonly search: LocalSearch; readonly ended: boolean } {
  const deepEnough = new Error('deep enough')
  const seen: { search: LocalSearch | undefined } = { search: undefined }
  const search = new LocalSearch(
    watching(subject, () => {
      if ((seen.search?.counts().depth ?? 0) >= atDepth) throw deepEnough
    }),
  )
  seen.search = search
  try {
    for (const event of search.events()) if (event.kind === 'violation') throw new Error('Paxos is right')
    return { search, ended: true }
  } catch (error) {
    if (error !== deepEnough) throw error
    return { search, ended: false }
  }
}

function watching(subject: Machines, watch: () => void): Machines {
  const handle: Machines['handle'] = (machine, state, event) => {
    watch()
    return subject.handle(machine, state, event)
  }
  // The methods of the subject need it as their `this`.
  return new Proxy(subject, {
    get(target, key) {
      if (key === 'handle') return handle
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** More machines or more proposals, and how long to try. */
export interface Larger {
  readonly machines: number
  readonly proposals: number
  readonly seconds: number
}

function larger({ machines, proposals }: Larger): Machines {
  const values = Array.from({ length: proposals }, (_, at) => `v${at + 1}`)
  return paxos({ machines, proposals: values, general: false })
}

function limit(options: Larger): Limit {
  const phases = timePhases()
  const start = process.cpuUsage()
  const explored = locally(larger(options), options.seconds)
  return limitOf(explored, secondsSince(start), phases)
}

/** How far the `stateful` engine comes. */
function globalLimit(options: Larger): Pick<Counts, 'states' | 'transitions'> & { readonly ended: boolean } {
  const { states, transitions, ended } = globally(larger(options), options.seconds)
  return { states, transitions, ended }
}

/** From the live state of LMC §5.5 to the violation. */
function bug(): Limit & { readonly first: number } {
  const start = process.cpuUsage()
  locally(liveState(true))
  const first = secondsSince(start)
  const seconds = repeated(() => locally(liveState(true)), first)
  const phases = timePhases()
  return { ...limitOf(locally(liveState(true)), seconds, phases), first }
}

function limitOf({ counts, ended, violations }: ExploredLocally, seconds: number, phases: Readonly<Phases>): Limit {
  return { counts, ended, violations, seconds, ...phases }
}

/** Runs until nothing is likely to be compiled any more. */
function compile(run: () => unknown): void {
  const start = process.cpuUsage()
  while (secondsSince(start) < atLeastSeconds) run()
}

/** Heap that is given back when what was made is dropped: the median, as compiled code comes and goes meanwhile. */
function heldBy(make: () => unknown, times: number): number {
  const box: { content: unknown } = { content: undefined }
  // In a frame of its own, so that no register of this one holds on to it.
  const fill = () => {
    box.content = make()
  }
  const found = Array.from({ length: times }, () => {
    fill()
    const full = heapAfterCollection()
    box.content = undefined
    return full - heapAfterCollection()
  })
  return found.sort((left, right) => left - right)[Math.floor(times / 2)] as number
}

function heapAfterCollection(): number {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('needs --expose-gc')
  // A second time for what only the first shows to be garbage.
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
