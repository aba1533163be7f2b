/** Reports of long executions are made in parts: what is done between two breaths does not grow with the execution. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { placesFound } from '../../../src/check/findings.ts'
import { unhurriedJson, writingTrace } from '../../../src/check/trace-file.ts'
import type { Event } from '../../../src/core/event.ts'
import { type Counterexample, execution } from '../../../src/core/evidence.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { traceFormat } from '../../../src/core/trace.ts'
import { atOnce, breath, type Unhurried } from '../../../src/core/unhurried.ts'
import { mermaidDiagrams } from '../../../src/reports/mermaid.ts'
import type { Reported } from '../../../src/reports/result.ts'
import { resultPages } from '../../../src/reports/text.ts'
import { election } from './programs.ts'
import { reported, violated } from './reported.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-unhurried-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `messages` are sent, and then received; the last one is too much. `read` is told of looks at events; to see of what kind they are is none. */
function longExecution(messages: number, read: () => void): Counterexample {
  const events: Event[] = []
  for (let message = 0; message < messages; message++) {
    const common = { message, value: `message ${message % 7}`, stack: 'Error\n    at /home/user/a.check.ts:3:4' }
    const sent = { kind: 'send', process: 'sender', index: message, to: 'main', network: 'fifo' } as const
    events.push({ ...sent, ...common, notification: false })
  }
  for (let message = 0; message < messages; message++) {
    const common = { message, value: `message ${message % 7}`, stack: 'Error\n    at /home/user/a.check.ts:7:4' }
    events.push({ kind: 'receive', process: 'main', index: message, from: 'sender', ...common })
  }
  const violation = { kind: 'assertion', property: 'few', message: 'too many', process: 'main' } as const
  events.push({ kind: 'fail', process: 'main', index: messages, violation })
  const told = events.map(
    (event) => new Proxy(event, { get: (of, name) => [name === 'kind' || read(), Reflect.get(of, name)][1] }),
  )
  const decisions = told.slice(1).map(() => ({ kind: 'step', process: 'main' }) as const)
  return { violation, decisions, events: told, foundIn: decisions.length, processes: [] }
}

function pageOf(found: Counterexample): Reported {
  const program = election(3)
  const verdict = violated(program, found)
  return reported(program, verdict, { findings: [atOnce(placesFound(found))] })
}

const trace = {
  format: traceFormat,
  program: { name: 'long', file: 'a.check.ts', digest: 'sha256-0' },
  setting: settingFrom({ params: {} }),
  foundBy: { engine: 'dpor', seed: 0, version: '0.1.0' },
} as const

/** With how often each goes over all events, or over the steps of the picture made from them. */
const parts: readonly (readonly [string, number, (found: Counterexample) => () => Unhurried<unknown>])[] = [
  ['the places of events', 1, (found) => () => placesFound(found)],
  [
    'a trace',
    3,
    (found) => () =>
      writingTrace(
        folder,
        { ...trace, decisions: found.decisions },
        { counterexample: found, scope: '', places: new Map() },
      ),
  ],
  [
    'a page',
    10,
    (found) => {
      const result = pageOf(found)
      return () => resultPages(result)
    },
  ],
  ['a diagram', 3, (found) => () => mermaidDiagrams({ ...violated(election(3), found), evidence: [execution(found)] })],
]

interface Counted {
  readonly breaths: number
  /** Looks at events between two breaths, at most. */
  readonly most: number
}

function counted(messages: number, part: (found: Counterexample) => () => Unhurried<unknown>): Counted {
  let looks = 0
  const begin = part(longExecution(messages, () => looks++))
  looks = 0
  let [breaths, most] = [0, 0]
  for (const work = begin(); work.next().done !== true; breaths++) {
    most = Math.max(most, looks)
    looks = 0
  }
  return { breaths, most: Math.max(most, looks) }
}

describe.each(parts)('%s', (_, passes, part) => {
  const [short, long] = [counted(1_000, part), counted(4_000, part)]

  test('of an execution that is longer takes more breaths: one per pass for so many events more', () => {
    // 3,000 messages are 6,000 events.
    expect(long.breaths - short.breaths).toBeGreaterThanOrEqual(Math.floor((passes * 6_000) / breath) - passes)
  })

  test('of an execution that is longer does no more between two of them', () => {
    expect(long.most).toBeGreaterThan(0)
    expect(long.most).toBeLessThanOrEqual(16 * breath)
    expect(long.most).toBeLessThanOrEqual(short.most + breath)
  })
})

test('a brief page of a long execution looks at none of its events, or at very few', () => {
  const looks = (messages: number): number => {
    let count = 0
    const result = pageOf(longExecution(messages, () => count++))
    count = 0
    atOnce(resultPages(result, { isBrief: true }))
    return count
  }
  expect(looks(1_000)).toBeLessThan(10)
  expect(looks(4_000)).toBe(looks(1_000))
})

test('JSON that is written in parts is that which is written at once', () => {
  const list = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 })
  const long = fc.tuple(list, fc.nat({ max: 2 * breath })).map(([items, times]) => {
    return Array.from({ length: times }, (_, at) => items[at % Math.max(1, items.length)])
  })
  const content = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), long, fc.constant(undefined)))
  fc.assert(
    fc.property(content, (json) => {
      expect(atOnce(unhurriedJson(json))).toBe(JSON.stringify(json, undefined, 2))
    }),
  )
})

test('a trace that is written in parts is whole', () => {
  const found = longExecution(1_000, () => {})
  const context = { counterexample: found, scope: '', places: new Map() }
  const path = atOnce(writingTrace(folder, { ...trace, decisions: found.decisions }, context))
  const { decisions, steps } = JSON.parse(readFileSync(path, 'utf8'))
  expect(decisions).toEqual(found.decisions)
  expect(steps).toHaveLength(2_001)
})
