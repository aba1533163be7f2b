/**
 * Engine `dpor` over shared memory against brute force: on generated programs with locks, deadlocks, heaps whose objects change their
 * numbers, atomic blocks and processes that begin others, it explores every Mazurkiewicz trace exactly once.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { memoryDpor } from '../../src/engines/dpor/memory.ts'
import { amount, atLeast, atMost } from '../amount.ts'
import { exploredTraces, tracesOf } from './memory-traces.ts'
import { generateShared } from './stateful-generate.ts'
import { truthOf } from './stateful-oracle.ts'
import { GeneratedView } from './stateful-view.ts'

const programs = amount({ quick: 60, thorough: 200, all: 3_000 })
const stateLimit = 1_500
const stepLimit = 20_000

test(`every trace of ${programs} generated programs is explored once`, () => {
  const tally = { compared: 0, deadlocking: 0, branching: 0, traces: 0, abandoned: 0 }
  for (let seed = 0; seed < programs; seed++) {
    const text = generateShared(seed)
    const view = new GeneratedView(text)
    const truth = truthOf(view, stateLimit)
    // A program with a loop that makes no progress has executions without end.
    if (truth === undefined || truth.cyclic || truth.paths > stepLimit) continue
    const all = tracesOf(view, stepLimit)
    if (all === undefined) continue
    const found = exploredTraces(view)
    const program = `seed ${seed}\n${text.bodies.map((body) => JSON.stringify(body)).join('\n')}`
    expect(new Set(found.finals.keys()), program).toEqual(new Set(all.finals.keys()))
    expect(new Set(found.finals.values()), program).toEqual(new Set(truth.finals.keys()))
    expect(found.twice, program).toBe(0)
    tally.compared++
    tally.traces += all.finals.size
    tally.abandoned += found.search.abandoned
    if (all.finals.size > 1) tally.branching++
    if ([...truth.finals.values()].some((violation) => violation?.includes('deadlock'))) tally.deadlocking++
  }
  expect(tally.compared / programs, 'share of programs compared').toBeGreaterThan(atLeast(0.6))
  expect(tally.branching / tally.compared, 'share with several traces').toBeGreaterThan(atLeast(0.6))
  expect(tally.deadlocking / tally.compared, 'share that can end waiting').toBeGreaterThan(atLeast(0.1))
  expect(tally.abandoned / tally.traces, 'executions begun for nothing').toBeLessThan(atMost(0.02))
})

test('the engine tells each execution, its violation, and how much is explored', () => {
  const view = new GeneratedView(generateShared(deadlockingSeed()))
  const [executions, violations] = [[] as number[], new Set<string>()]
  let blocked = 0
  for (const event of memoryDpor.explore(view, {})) {
    if (event.kind === 'violation') violations.add(event.violation.kind)
    if (event.kind !== 'execution') continue
    executions.push(event.explored)
    if (event.blocked) blocked++
    expect(event.length).toBe(event.decisions().length)
  }
  expect(executions.length).toBe(exploredTraces(view).finals.size)
  expect(executions.every((share, at) => share > 0 && share <= 1 && share >= (executions[at - 1] ?? 0))).toBe(true)
  expect(executions.at(-1)).toBe(1)
  expect(blocked).toBeGreaterThan(0)
  expect(violations).toContain('deadlock')
})

/** The first generated program that can end waiting, in one of several ways. */
function deadlockingSeed(): number {
  for (let seed = 0; ; seed++) {
    const truth = truthOf(new GeneratedView(generateShared(seed)), stateLimit)
    if (truth === undefined || truth.cyclic || truth.paths > 500) continue
    if (truth.finals.size > 2 && [...truth.finals.values()].some((one) => one?.includes('deadlock'))) return seed
  }
}
