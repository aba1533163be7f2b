/** Outcomes of a P program as the product has them, in the oracle's words. */
import { sameViolation, type Violation } from '../../../src/core/property.ts'
import { Address, type Value } from '../../../src/core/value.ts'
import type { EngineEvent } from '../../../src/engines/engine.ts'
import { exhaustive } from '../../../src/engines/exhaustive/exhaustive.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { statefulPaths } from '../../../src/engines/stateful/path-search.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Checked, TestCase } from '../../../src/frontends/p/symbols.ts'
import type { Path, Paths } from '../../../src/program/path.ts'
import { irPaths } from '../../../src/semantics/ir/paths.ts'
import type { FailureClass } from './handling.ts'
import { violationOf } from './interpreter.ts'
import { type Plain, sorted } from './value.ts'
import { type Delivery, lineOf } from './world.ts'

export function productPaths(checked: Checked, test: TestCase, delivery: Delivery): Paths {
  return irPaths(lower(checked, test), { network: delivery, bounds: {} })
}

export interface Walked {
  readonly ends: readonly string[]
  readonly violations: readonly string[]
  readonly states: number
}

/** Every state by its key, in every way it can be left. Without keys every execution is walked; undefined: there are too many. */
export function walk(paths: Paths, { byKeys, most }: { byKeys: boolean; most: number }): Walked | undefined {
  const path = paths.begin()
  const ends = new Set<string>()
  const violations = new Set<string>()
  const seen = new Set<string>()
  let visited = 0
  const visit = (): boolean => {
    visited++
    if (visited > most) return false
    const key = path.key()
    if (byKeys && key !== undefined) {
      if (seen.has(key)) return true
      seen.add(key)
    }
    const enabled = path.enabled()
    if (enabled.length === 0) {
      const found = path.violations()
      for (const violation of found) violations.add(toldBy(violation))
      if (found.every(({ kind }) => kind === 'deadlock' || kind === 'liveness')) ends.add(shownBy(path))
    }
    for (const decision of enabled) {
      path.take(decision)
      const isDone = visit()
      path.back()
      if (!isDone) return false
    }
    return true
  }
  return visit() ? { ends: [...ends].sort(), violations: [...violations].sort(), states: seen.size } : undefined
}

/** What an engine finds, without what goes on for ever. */
export function foundBy(engine: 'stateful' | 'exhaustive', paths: Paths): readonly string[] {
  return violationsAmong(engine === 'stateful' ? statefulPaths.explore(paths, {}) : exhaustive.explore(paths, {}))
}

/** What is found where handlers are remembered; each violation is met again by its decisions, along a path that remembers nothing. */
export function searchedFor(checked: Checked, test: TestCase, network: Delivery, paths: Paths): readonly string[] {
  const setting = { params: {}, network, faults: {}, bounds: {}, options: {}, start: 'initial' } as const
  const events = [...statefulIr.explore({ program: lower(checked, test), setting }, {})]
  for (const event of events) if (event.kind === 'violation' && event.repeatsFrom === undefined) retake(paths, event)
  return violationsAmong(events)
}

function retake(paths: Paths, { violation, decisions }: Extract<EngineEvent, { kind: 'violation' }>): void {
  const path = paths.begin()
  for (const decision of decisions) path.take(decision)
  if (path.violations().some((one) => sameViolation(one, violation))) return
  throw new Error(`not met again: ${violation.message}`)
}

/** Without what goes on for ever. */
export function violationsAmong(events: Iterable<EngineEvent>): readonly string[] {
  const found = new Set<string>()
  for (const event of events) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'violation' && event.repeatsFrom === undefined) found.add(toldBy(event.violation))
  }
  return [...found].sort()
}

export function toldBy({ kind, message, process = '', waiting = [] }: Violation): string {
  if (kind === 'deadlock')
    return violationOf(
      'deadlock',
      waiting
        .map((one) => one.process)
        .sort()
        .join(', '),
    )
  if (kind === 'liveness') return violationOf('hot', process)
  if (kind === 'assertion') return violationOf('assertion', process)
  const told = message.startsWith(`${process}: `) ? message.slice(process.length + 2) : message
  const failure = classes.find(([prefix]) => told.startsWith(prefix))?.[1]
  if (failure !== undefined && told !== message) return violationOf(failure, process)
  // A monitor's own words.
  return kind === 'monitor' ? violationOf('assertion', process) : `${kind}: ${message}`
}

const classes: readonly (readonly [string, FailureClass])[] = [
  ['unhandled event', 'unhandled event'],
  ['null ', 'null'],
  ['send not permitted', 'not permitted'],
  ['index out of range', 'index'],
  ['missing key', 'missing key'],
  ['duplicate key', 'duplicate key'],
  ['bad cast', 'cast'],
  ['empty choice', 'choose'],
  ['too many choices', 'choose'],
  ['division by zero', 'division'],
  ['endless handler', 'endless'],
]

export function shownBy(path: Path): string {
  return path
    .shown()
    .map(({ process, state }) => {
      if (typeof state === 'string') return lineOf(process, state, {})
      const { kind, ...fields } = state as { readonly [name: string]: Value }
      return lineOf(
        process,
        String(kind),
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)])),
      )
    })
    .sort()
    .join('\n')
}

function plain(value: Value): Plain {
  if (value === undefined || value === null) return null
  if (value instanceof Address) return { machine: value.id }
  if (value instanceof Set) return { set: sorted([...value].map(plain)) }
  if (value instanceof Map) return { map: sorted([...value].map(([key, item]) => [plain(key), plain(item)])) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part as Value)]))
}
