/** Searches that are made to breathe, or that have no room: nothing is lost, and nothing is done twice. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DiagramsFull } from '../../../../src/bdd/diagram.ts'
import { type Diagram, Diagrams } from '../../../../src/bdd/diagrams.ts'
import type { Counts } from '../../../../src/core/verdict.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import type { SearchOptions } from '../../../../src/engines/symbolic/options.ts'
import { Patience } from '../../../../src/engines/symbolic/patience.ts'
import { SymbolicSearch } from '../../../../src/engines/symbolic/search.ts'
import { symbolic } from '../../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { settingOf } from '../../../agreement/p/explored.ts'
import { readProgram } from '../../../agreement/p/read.ts'

function programOf(model: string, name: string): Ir {
  const read = readProgram(readFileSync(new URL(`../../../../corpus/${model}/model.p`, import.meta.url), 'utf8'))
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const test = read.checked.tests.find((one) => one.name === name)
  if (test === undefined) throw new Error(`${model} has no test ${name}`)
  return lower(read.checked, test)
}

interface Searched {
  readonly counts: Counts
  readonly breaths: number
  readonly violations: readonly string[]
}

function searched(ir: Ir, options: SearchOptions, means: { readonly effort?: number } = {}): Searched {
  let [counts, breaths]: [Counts, number] = [{}, 0]
  const violations: string[] = []
  for (const event of new SymbolicSearch(
    { program: ir, setting: settingOf('sender-queue') },
    options,
    means,
  ).events()) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'progress' && event.isBreath === true) breaths++
    if (event.kind === 'violation') violations.push(JSON.stringify(event.decisions))
  }
  return { counts, breaths, violations }
}

const asked = [
  ['p-counter', 'counter5', 'states'],
  ['p-counter', 'neverBelowZero', 'steps'],
  ['p-last-zero', 'lastZero3', 'rounds'],
  ['p-last-zero', 'hasty', 'rounds'],
  ['p-raft', 'oneCandidate', 'steps'],
  ['p-token-ring', 'rude', 'states'],
  ['p-litmus', 'L3', 'rounds'],
] as const

describe.each(asked)('%s %s by %s', (model, name, mode) => {
  test('is the same search, however often it takes a breath', () => {
    const options = { mode, order: mode === 'states' ? 'above' : 'below', filter: 'none' } as const
    const ir = programOf(model, name)
    const atOnce = searched(ir, options)
    const often = searched(ir, options, { effort: 20 })
    expect(often.breaths).toBeGreaterThan(atOnce.breaths)
    expect({ ...often, breaths: 0 }).toEqual({ ...atOnce, breaths: 0 })
  })
})

test('stops are many, and few of them are breaths: each sixteenth, or the first after some effort', () => {
  const diagrams = new Diagrams()
  const patience = new Patience(diagrams, 100)
  const breaths = () => Array.from({ length: 32 }, () => patience.isBreathless()).filter((is) => is).length
  expect(breaths()).toBe(2)
  const five = Array.from({ length: 5 }, () => diagrams.literal(diagrams.variable()))
  for (let at = 1; at < five.length; at++) diagrams.and(five[at - 1] as Diagram, five[at] as Diagram)
  expect(diagrams.spent).toBeGreaterThan(10)
  expect(patience.isBreathless()).toBe(true)
  expect(patience.isBreathless()).toBe(false)
})

test('a search without room for more nodes says that there is none, with the steps that it took', () => {
  const subject = { program: programOf('p-counter', 'counter10'), setting: settingOf('sender-queue') }
  const options = { mode: 'steps', order: 'above', filter: 'none' }
  const events: EngineEvent[] = [...symbolic.explore(subject, options, undefined, { room: () => 0 })]
  expect(events.at(-1)).toEqual({ kind: 'full' })
  const { counts } = events.findLast(({ kind }) => kind === 'progress') as EngineEvent & { readonly counts: Counts }
  expect(counts.steps).toBeGreaterThan(3)
  expect(counts.bddNodes).toBe(1024)
})

test('a step for which there is no room is taken again without what nobody needs', () => {
  const ir = programOf('p-counter', 'counter5')
  const subject = { program: ir, setting: settingOf('sender-queue') }
  const options = { mode: 'states', order: 'above', filter: 'none' } as const
  const never = Number.POSITIVE_INFINITY
  /** Live nodes are few: it is garbage that fills the table. */
  const countsWith = (means: { readonly collectsAfter: number; readonly mostNodes?: number }): Counts => {
    const search = new SymbolicSearch(subject, options, means)
    let counts: Counts = {}
    for (const event of search.events()) if (event.kind === 'progress') counts = event.counts
    return counts
  }
  const { bddNodes = 0, bddBytes: _, ...whole } = countsWith({ collectsAfter: never })
  const {
    bddNodes: fewer,
    bddBytes: _bytes,
    ...again
  } = countsWith({ collectsAfter: never, mostNodes: (bddNodes * 3) >> 2 })
  expect(again).toEqual(whole)
  expect(fewer).toBe((bddNodes * 3) >> 2)
  expect(() => countsWith({ collectsAfter: never, mostNodes: 500 })).toThrow(DiagramsFull)
})
