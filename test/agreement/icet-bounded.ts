/** What is true of an ICET term for given sizes, by exploring every execution with dpor. */
import type { Event } from '../../src/core/event.ts'
import type { EndProperty } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { encodeValue, fingerprint, type Value } from '../../src/core/value.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { Icet } from '../../src/program/icet.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import type { Meaning } from '../../src/semantics/icet/evaluate.ts'
import { runIcet } from '../../src/semantics/icet/run-icet.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { usualSetting } from './explored.ts'

export type Sizes = { readonly [parameter: string]: number }

export interface Bounded {
  /** Who waits for what, when some process that is no daemon waits for ever. */
  deadlock: string | undefined
  /** An assertion or a `fail`. */
  failure: string | undefined
  /** What a process throws: a send to something that is no process, a field of nothing, a choice of nothing. */
  exception: string | undefined
  /** What an end check of the caller's finds. */
  ending: string | undefined
  /** A message that is never received. */
  orphan: string | undefined
  /** Why not everything was explored: too large, or some execution has no end. */
  stopped: string | undefined
  /** The stores of all processes at the end, over all executions. */
  readonly stores: Set<string>
  executions: number
}

export interface BoundedOptions {
  /** Events that may be explored, those of each execution counted again. */
  readonly budget?: number
  /** Whether to stop at the first problem; final stores are then not collected. */
  readonly first?: boolean
  readonly meaning?: Meaning
  /** What else must be true where an execution ends. */
  readonly properties?: readonly EndProperty[]
}

/** Operations of a process beyond which an execution is said to have no end; terms of the tests do far less. */
const longest = 400

export function boundedCheck(icet: Icet, sizes: Sizes, options: BoundedOptions = {}): Bounded {
  const { budget = 50_000, first = false, meaning = hashedMeaning(0), properties = [] } = options
  const subject = runIcet(icet, sizes, { meaning, properties: [deadlockFreedom, ...properties], maxSteps: longest })
  const found: Bounded = {
    deadlock: undefined,
    failure: undefined,
    exception: undefined,
    ending: undefined,
    orphan: undefined,
    stopped: undefined,
    stores: new Set(),
    executions: 0,
  }
  const begun = processesBegun(icet, sizes)
  let events = 0
  for (const event of dpor.explore(subject, usualSetting)) {
    if (event.kind === 'diagnostic') found.stopped = `${event.diagnostic.code}: ${event.diagnostic.message}`
    if (event.kind === 'violation') {
      const { kind, process, message } = event.violation
      if (kind === 'deadlock') found.deadlock ??= message
      else if (kind === 'exception') found.exception ??= `${process}: ${message}`
      else if (kind === 'final') found.ending ??= message
      else found.failure ??= `${process}: ${message}`
    }
    if (event.kind === 'execution') {
      found.executions++
      events += event.length
      const decisions = event.decisions()
      // Replaying takes longer than exploring, and most executions leave nothing behind.
      if (!first || unread(decisions, begun) > 0)
        noteEnding(found, replay(pathsOf(subject), decisions, { places: false }))
    }
    if (first && problemIn(found) !== undefined) return found
    if (events > budget) found.stopped ??= 'budget'
    if (found.stopped !== undefined) return found
  }
  return found
}

/** What is wrong, the worst first; nothing when all is well as far as it was explored. */
export function problemIn({ failure, exception, deadlock, orphan, ending }: Bounded): string | undefined {
  if (exception !== undefined) return `throws: ${exception}`
  if (failure !== undefined) return `fails: ${failure}`
  if (deadlock !== undefined) return `deadlock: ${deadlock}`
  if (orphan !== undefined) return `orphan: ${orphan}`
  return ending === undefined ? undefined : `ends otherwise: ${ending}`
}

/** Every combination of sizes up to the largest, each parameter from its least on. */
export function sizesUpTo(icet: Icet, largest: number): readonly Sizes[] {
  return icet.parameters.reduce<readonly Sizes[]>(
    (known, { name, least }) =>
      known.flatMap((sizes) =>
        Array.from({ length: Math.max(0, largest - least + 1) }, (_, at) => ({ ...sizes, [name]: least + at })),
      ),
    [{}],
  )
}

/** Opaque functions stand for any function: here, for one drawn at random, to truth values. */
export function hashedMeaning(seed: number): Meaning {
  return (text, inputs) => Number.parseInt(fingerprint([seed, text, [...inputs]]).slice(-1), 16) % 2 === 0
}

/** Messages that were sent and not received: steps are sends, after one for each process that begins. */
function unread(decisions: readonly Decision[], begun: number): number {
  const steps = decisions.filter(({ kind }) => kind === 'step').length
  return steps - begun - decisions.filter(({ kind }) => kind === 'deliver').length
}

function processesBegun({ processes }: Icet, sizes: Sizes): number {
  const begun = processes.map(({ name, count }) => {
    if (count === undefined) return name === 'main' ? 0 : 1
    return count.kind === 'number' ? count.value : (sizes[count.name] ?? 0)
  })
  return begun.reduce((sum, each) => sum + each, 0)
}

interface Ended {
  readonly events: readonly Event[]
  readonly processes: readonly { readonly id: string; readonly status: string; readonly value: Value }[]
}

function noteEnding(found: Bounded, { events, processes }: Ended): void {
  // An assumption that does not hold makes the execution one that does not count; a failure is noted elsewhere.
  if (processes.some(({ status }) => status === 'stopped' || status === 'failed')) return
  found.stores.add(encodeValue(Object.fromEntries(processes.map(({ id, value }) => [id, value]))))
  const received = new Set(events.flatMap((event) => (event.kind === 'receive' ? [event.message] : [])))
  const orphan = events.find((event) => event.kind === 'send' && !received.has(event.message))
  if (orphan?.kind === 'send') found.orphan ??= `${orphan.process} to ${orphan.to}: ${encodeValue(orphan.value)}`
}
