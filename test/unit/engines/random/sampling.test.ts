import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../../src/core/trace.ts'
import { unitFormat } from '../../../../src/core/verdict.ts'
import type { Engine, EngineEvent, EngineRequest, Options, WorkUnit } from '../../../../src/engines/engine.ts'
import { pct } from '../../../../src/engines/random/pct.ts'
import { random } from '../../../../src/engines/random/random.ts'
import { assert, choose, poll, receive, self, send, spawn } from '../../../../src/model/process.ts'
import type { Paths } from '../../../../src/program/path.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { decisionText, paths } from '../../semantics/worlds.ts'

const setting: Options = { seed: 5, schedule: 'left-to-right', eager: false, samples: 60, depth: 3 }

/** Three senders, some receives that may time out, and a choice. */
const subject = paths(function* () {
  const main = yield* self()
  for (const name of ['a', 'b', 'c']) {
    yield* spawn(name, function* () {
      yield* send(main, yield* choose([1, 2]))
    })
  }
  yield* poll()
  yield* receive()
})

function executions(engine: Engine<'path'>, program: Paths, chosen: Options, unit?: WorkUnit): string[] {
  return drive(engine, program, chosen, unit).flatMap((event) => (event.kind === 'execution' ? [event.text] : []))
}

type Seen = (EngineEvent & { kind: 'execution'; text: string }) | Exclude<EngineEvent, { kind: 'execution' }>

function drive(
  engine: Engine<'path'>,
  program: Paths,
  chosen: Options,
  unit?: WorkUnit,
  request?: (execution: number) => EngineRequest,
): Seen[] {
  const seen: Seen[] = []
  let count = 0
  const search = engine.explore(program, chosen, unit)
  for (let step = search.next(); !step.done; ) {
    const event = step.value
    if (event.kind === 'execution') seen.push({ ...event, text: event.decisions().map(decisionText).join(', ') })
    else seen.push(event)
    step = search.next(event.kind === 'execution' ? request?.(++count) : undefined)
  }
  return seen
}

describe.each([random, pct])('$name', (engine) => {
  test('claims no more than a sample can show', () => {
    expect(engine.claims).toBe('passed')
  })

  test('samples as many executions as asked for, to their end', () => {
    const found = drive(engine, subject, setting).filter((event) => event.kind === 'execution')
    expect(found.length).toBe(60)
    expect(found.at(-1)?.explored).toBe(1)
    expect(new Set(found.map(({ text }) => text)).size).toBeGreaterThan(30)
  })

  test('samples the same for the same seed, and something else for another', () => {
    const first = executions(engine, subject, setting)
    expect(executions(engine, subject, setting)).toEqual(first)
    expect(executions(engine, subject, { ...setting, seed: 6 })).not.toEqual(first)
  })

  test('samples the same however the range is split', () => {
    const whole = executions(engine, subject, setting)
    const units: WorkUnit[] = []
    const found: string[] = []
    let searches = 0
    for (let unit: WorkUnit | undefined; searches === 0 || unit !== undefined; unit = units.pop()) {
      searches++
      const copy = unit && (JSON.parse(JSON.stringify(unit)) as WorkUnit)
      const request = searches % 2 === 0 ? 'share' : 'surrender'
      for (const event of drive(engine, subject, setting, copy, (execution) =>
        execution === 7 ? request : undefined,
      )) {
        if (event.kind === 'execution') found.push(event.text)
        if (event.kind === 'surplus') units.push(event.unit)
      }
    }
    expect(searches).toBeGreaterThan(4)
    expect([...found].sort()).toEqual([...whole].sort())
  })

  test('reports violations with decisions that reproduce them', () => {
    const failing = paths(function* () {
      const coin = yield* choose(['heads', 'tails'])
      yield* assert(coin === 'heads', 'tails came up')
      yield* receive()
    })
    const violations = drive(engine, failing, setting).filter((event) => event.kind === 'violation')
    expect(new Set(violations.map(({ violation }) => violation.kind))).toEqual(new Set(['assertion', 'deadlock']))
    for (const { violation, decisions } of violations) {
      expect(reproduced(replay(failing, decisions, { places: false }), violation)).toBeDefined()
    }
  })

  test('ends with a diagnostic when the program is at fault', () => {
    const faulty = paths(function* () {
      yield* choose([0])
      yield 'something'
    })
    expect(drive(engine, faulty, setting)).toMatchObject([{ kind: 'diagnostic', diagnostic: { code: 'E208' } }])
  })

  test('refuses the unit of another engine', () => {
    const unit: WorkUnit = { format: unitFormat, engine: 'dpor', state: { seed: null, from: 0, to: null } }
    expect(drive(engine, subject, setting, unit)).toMatchObject([{ kind: 'diagnostic', diagnostic: { code: 'E405' } }])
  })
})

test('random takes each of three options about equally often', () => {
  const dice = paths(function* () {
    yield* choose([0, 1, 2])
  })
  const counts = new Map<string, number>()
  for (const execution of executions(random, dice, { ...setting, samples: 3000 })) {
    counts.set(execution, (counts.get(execution) ?? 0) + 1)
  }
  expect(counts.size).toBe(3)
  // Standard deviation √(3000 · 1/3 · 2/3) ≈ 26: six of them either way.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(156)
})

describe('pct finds by its depth', () => {
  /** Two processes of ten steps each; a process's steps are numbered, so that an execution is an order of names. */
  const pair = paths(function* () {
    for (const name of ['a', 'b']) {
      yield* spawn(name, function* () {
        for (let step = 0; step < 10; step++) yield* choose([0])
      })
    }
  })

  const switches = (execution: string): number => {
    const names = execution
      .split(', ')
      .map((text) => text.split(' ')[0])
      .filter((name) => name !== 'main')
    return names.filter((name, at) => at > 0 && name !== names[at - 1]).length
  }

  test('depth 1 runs one process to its end before the other', () => {
    const found = executions(pct, pair, { ...setting, depth: 1 })
    expect(Math.max(...found.map(switches))).toBeLessThanOrEqual(2)
    expect(new Set(found.map((execution) => execution.split(', ').at(-1))).size).toBe(2)
  })

  test('each further depth adds at most one change of priority', () => {
    for (const depth of [2, 3, 4]) {
      const found = executions(pct, pair, { ...setting, depth, samples: 300 })
      // Main can be preempted by its children too: spawning adds at most one switch.
      expect(Math.max(...found.map(switches))).toBeLessThanOrEqual(depth + 1)
      expect(Math.max(...found.map(switches))).toBeGreaterThanOrEqual(depth)
    }
  })

  test('the first executions, from which the length is estimated, have no changes at all', () => {
    const found = executions(pct, pair, { ...setting, depth: 6, samples: 4 })
    expect(Math.max(...found.map(switches))).toBeLessThanOrEqual(2)
  })
})

test('pct finds a bug of depth 2 that needs one process to be interrupted late', () => {
  const late = paths(function* () {
    const log = yield* spawn('log', { daemon: true }, function* () {
      let previous = ''
      for (;;) {
        const next = yield* receive<string>()
        yield* assert(!(previous === 'begin' && next === 'stop'), 'stopped in between')
        previous = next
      }
    })
    yield* spawn('worker', function* () {
      for (let step = 0; step < 5; step++) yield* choose([0])
      yield* send(log, 'begin')
      yield* send(log, 'end')
    })
    yield* spawn('stopper', function* () {
      yield* send(log, 'stop')
    })
  }, 'mailbox')
  const messages = drive(pct, late, { ...setting, depth: 2, samples: 500 }).flatMap((event) =>
    event.kind === 'violation' ? [event.violation.message] : [],
  )
  expect(messages).toContain('stopped in between')
})

test('decisions handed out are a copy: the next sample does not change them', () => {
  const kept: (readonly Decision[])[] = []
  for (const event of random.explore(subject, setting)) if (event.kind === 'execution') kept.push(event.decisions())
  for (const decisions of kept)
    expect(replay(subject, decisions, { places: false })).toMatchObject({ ended: true, drift: undefined })
})
