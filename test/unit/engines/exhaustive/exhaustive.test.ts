import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import type { Decision } from '../../../../src/core/trace.ts'
import type { EngineEvent, EngineRequest, WorkUnit } from '../../../../src/engines/engine.ts'
import { exhaustive } from '../../../../src/engines/exhaustive/exhaustive.ts'
import { assert, choose, join, receive, self, send, spawn } from '../../../../src/model/process.ts'
import { monitor } from '../../../../src/model/program.ts'
import type { Paths } from '../../../../src/program/path.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'
import { decisionText, paths, runnable } from '../../semantics/worlds.ts'

const setting = { seed: 0, schedule: 'left-to-right', eager: false, samples: 1, depth: 1 } as const

/** n senders, main receives from all of them. */
function sendersAndReceives(n: number): Paths {
  return paths(function* () {
    const main = yield* self()
    for (let sender = 0; sender < n; sender++) {
      yield* spawn('sender', function* () {
        yield* send(main, sender)
      })
    }
    for (let received = 0; received < n; received++) yield* receive()
  }, 'bag')
}

interface Found {
  readonly executions: string[]
  readonly violations: string[]
  readonly units: WorkUnit[]
  readonly explored: number
}

function run(subject: Paths, unit?: WorkUnit, request: (event: EngineEvent) => EngineRequest = () => undefined): Found {
  const executions: string[] = []
  const violations: string[] = []
  const units: WorkUnit[] = []
  let explored = 0
  const search = exhaustive.explore(subject, setting, unit)
  for (let step = search.next(); !step.done; step = search.next(request(step.value))) {
    const event = step.value
    if (event.kind === 'execution') {
      executions.push(event.decisions().map(decisionText).join(', '))
      explored = event.explored
    }
    if (event.kind === 'violation') violations.push(event.violation.message)
    if (event.kind === 'surplus') units.push(event.unit)
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
  }
  return { executions, violations, units, explored }
}

/** The unit and everything it hands out, each unit after a trip through JSON. */
function runAll(subject: Paths, request: (event: EngineEvent) => EngineRequest): Found & { readonly searches: number } {
  const units: WorkUnit[] = []
  const all = { executions: [] as string[], violations: [] as string[], units, explored: 0, searches: 0 }
  for (let unit: WorkUnit | undefined; all.searches === 0 || unit !== undefined; unit = units.pop()) {
    const found = run(subject, unit && (JSON.parse(JSON.stringify(unit)) as WorkUnit), request)
    all.searches++
    all.executions.push(...found.executions)
    all.violations.push(...found.violations)
    all.explored += found.explored
    units.push(...found.units)
  }
  return all
}

describe('the search', () => {
  test('visits every interleaving once: two senders and two receives have 9', () => {
    // After the first spawn: second spawn, then two sends and two receives in 6 orders (either send first; both sends and then
    // the messages either way, or a receive in between); or the first send, the second spawn, and then 3 orders of the rest.
    const { executions, explored } = run(sendersAndReceives(2))
    expect(executions.length).toBe(9)
    expect(new Set(executions).size).toBe(9)
    expect(explored).toBeCloseTo(1, 12)
  })

  test('visits every option of a choice, in order', () => {
    const coins = paths(function* () {
      yield* choose(['heads', 'tails'])
      yield* choose(['heads', 'tails'])
    })
    const { executions } = run(coins)
    const [heads, tails] = [0, 1].map((option) => decisionText({ kind: 'choose', process: 'main', option }))
    expect(executions).toEqual([`${heads}, ${heads}`, `${heads}, ${tails}`, `${tails}, ${heads}`, `${tails}, ${tails}`])
  })

  test('of a program without decisions is one execution', () => {
    expect(run(paths(function* () {}))).toEqual({ executions: [''], violations: [], units: [], explored: 1 })
  })

  test('counts an execution as blocked when a process waits for ever', () => {
    const subject = paths(function* () {
      if (yield* choose([true, false])) yield* receive()
    })
    const events = [...exhaustive.explore(subject, setting)]
    expect(events.map((event) => (event.kind === 'execution' ? event.blocked : event.kind))).toEqual([
      'violation',
      true,
      false,
    ])
  })

  test('adds up to the events of the tree of executions: shared beginnings count once', () => {
    const subject = paths(function* () {
      yield* choose([0])
      yield* choose([0, 1])
      yield* choose([0, 1])
    })
    const events = [...exhaustive.explore(subject, setting)]
    // 3 for the first execution, 1 for its sibling, 2 and 1 for the other half: 1 + 2 + 4 edges.
    expect(events.map((event) => (event.kind === 'execution' ? [event.events, event.length] : []))).toEqual([
      [3, 3],
      [1, 3],
      [2, 3],
      [1, 3],
    ])
  })
})

describe('violations', () => {
  const failing = paths(function* () {
    yield* spawn('a', function* () {
      yield* choose([0])
      yield* assert(false, 'a failed')
    })
    yield* choose([0, 1])
    yield* choose([0, 1])
  })

  test('are reported once where they come about, not again for every execution that goes on from there', () => {
    const { executions, violations } = run(failing)
    // a's choice falls before, between or after main's two; each interleaving of decisions so far is one place:
    // once before, twice between (main chose 0 or 1), four times after.
    expect(executions.length).toBe(12)
    expect(violations.length).toBe(7)
  })

  test('carry decisions that lead to them', () => {
    for (const event of exhaustive.explore(failing, setting)) {
      if (event.kind !== 'violation') continue
      const replayed = replay(failing, event.decisions, { places: false })
      expect(reproduced(replayed, event.violation)).toBeDefined()
      expect(event.decisions.at(-1)).toEqual({ kind: 'choose', process: 'a', option: 0 })
    }
  })

  test('before any decision are reported by the first search only', () => {
    const subject = paths(
      function* () {
        yield* choose([0, 1])
      },
      'fifo',
      [
        monitor('watcher', { observes: [] }, function* () {
          yield* assert(false, 'born broken')
        }),
      ],
    )
    const { violations, executions, searches } = runAll(subject, () => 'surrender')
    expect({ violations, executions: executions.length, searches }).toEqual({
      violations: ['born broken'],
      executions: 2,
      searches: 2,
    })
  })
})

describe('work units', () => {
  const subject = sendersAndReceives(3)
  const whole = run(subject).executions.sort()

  test('given up after each execution, together explore what one search explores', () => {
    const { executions, searches, explored } = runAll(subject, () => 'surrender')
    expect(searches).toBe(whole.length)
    expect(executions.sort()).toEqual(whole)
    expect(explored).toBeCloseTo(1, 9)
  })

  test('shared at random points, together explore what one search explores', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = new Random(seed)
      const { executions, searches } = runAll(subject, () => (random.below(20) === 0 ? 'share' : undefined))
      expect(searches).toBeGreaterThan(3)
      expect(executions.sort()).toEqual(whole)
    }
  })

  test('are not split when one alternative is left', () => {
    const coin = paths(function* () {
      yield* choose([0, 1])
    })
    const { executions, searches } = runAll(coin, () => 'share')
    expect({ executions: executions.length, searches }).toEqual({ executions: 2, searches: 1 })
  })

  test('are one when a long execution is given up, whatever it has alternatives', () => {
    const long = paths(function* () {
      for (let at = 0; at < 100; at++) yield* choose([0, 1, 2])
    })
    const search = exhaustive.explore(long, setting)
    for (let step = search.next(); step.value?.kind !== 'execution'; step = search.next());
    expect([search.next('surrender').value, search.next('surrender')]).toMatchObject([
      { kind: 'surplus', unit: { state: { prefix: { length: 99 }, untried: { length: 100 } } } },
      { done: true },
    ])
  })

  const step = { kind: 'step', process: 'main' }
  const all = { prefix: [], untried: null, weight: 1 }
  const begun = (...untried: readonly unknown[]) => ({ prefix: [step], untried, weight: 0.5 })
  test.each<[string, object]>([
    ['a foreign engine', { engine: 'dpor', state: all }],
    ['a foreign version', { format: 'allways-unit/2', state: all }],
    ['no state', { state: null }],
    ['nothing untried', { state: { ...all, untried: [] } }],
    ['no options', { state: begun({ depth: 1, options: [], weight: 0.5 }) }],
    ['a share above 1', { state: begun({ depth: 1, options: [step], weight: 2 }) }],
    ['options after more than the prefix', { state: begun({ depth: 2, options: [step], weight: 0.5 }) }],
    ['options before its end alone', { state: begun({ depth: 0, options: [step], weight: 0.5 }) }],
    ['a damaged decision', { state: { ...all, prefix: [{ kind: 'step' }] } }],
    ['a beginning that everything follows', { state: { ...all, prefix: [step] } }],
  ])('with %s are a diagnostic', (_what, changes) => {
    const unit = { format: 'allways-unit/1', engine: 'exhaustive', state: all, ...changes } as WorkUnit
    const events = [...exhaustive.explore(subject, setting, unit)]
    expect(events).toMatchObject([{ kind: 'diagnostic', diagnostic: { code: 'E405' } }])
  })
})

describe('a program that is at fault', () => {
  test('by a mistake in a process ends the search with a diagnostic', () => {
    const subject = paths(function* () {
      yield* choose([0, 1])
      yield send(yield* self(), 'lost')
    })
    const events = [...exhaustive.explore(subject, setting)]
    expect(events).toMatchObject([{ kind: 'diagnostic', diagnostic: { code: 'E207' } }])
  })

  test('by not being deterministic ends the search with a diagnostic', () => {
    let starts = 0
    const subject = paths(function* () {
      yield* choose(starts++ === 0 ? [0, 1] : [0])
      yield* choose([0])
    })
    const events = [...exhaustive.explore(subject, setting)]
    expect(events.map(({ kind }) => kind)).toEqual(['execution', 'diagnostic'])
    expect(events.at(-1)).toMatchObject({ diagnostic: { code: 'E201' } })
  })
})

test('decisions of an execution survive JSON', () => {
  for (const event of exhaustive.explore(sendersAndReceives(2), setting)) {
    if (event.kind !== 'execution') continue
    const decisions = JSON.parse(JSON.stringify(event.decisions())) as Decision[]
    expect(replay(sendersAndReceives(2), decisions, { places: false })).toMatchObject({ ended: true, drift: undefined })
  }
})

test('a search goes on with the faults of an execution that could have ended, with violations of its own', () => {
  const waiting = runnable(function* () {
    const a = yield* spawn('a', function* () {
      yield* receive()
    })
    yield* join(a)
    yield* assert(false, 'a is gone')
  })
  const subject = pathsOf({ ...waiting, faults: { crashes: 1 } })
  const found = [...exhaustive.explore(subject, setting)]
  // main waits for a, which waits for ever; or a crashes then, and main goes on.
  expect(found.filter(({ kind }) => kind === 'execution').length).toBe(2)
  const told = found.flatMap((event) => (event.kind === 'violation' ? [event] : []))
  expect(told.map(({ violation }) => violation.message)).toEqual([
    'a waits for a message; main waits for the end of a',
    'a is gone',
  ])
  for (const { violation, decisions } of told) {
    expect(reproduced(replay(subject, decisions, { places: false }), violation)).toBeDefined()
  }
})
