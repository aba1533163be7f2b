import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import type { Violation } from '../../../src/core/property.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { countedExecutions, exploredIn } from '../../../src/core/verdict.ts'
import type { Driven, Host, Progress, Search, Watch } from '../../../src/distribute/driver.ts'
import { driveInline } from '../../../src/distribute/inline.ts'
import type { Engine, EngineEvent, EngineRequest, WorkUnit } from '../../../src/engines/engine.ts'
import type { Runnable } from '../../../src/program/program.ts'

const subject: Runnable = {
  main: { body: function* () {}, args: [] },
  monitors: [],
  network: 'fifo',
  properties: [],
  maxSteps: 100,
  boundedByUser: false,
}

function unit(from: number, to: number): WorkUnit {
  return { format: 'allways-unit/1', engine: 'counting', state: { from, to } }
}

/** Explores the numbers of a range: odd ones are blocked, each has so many events as its number, some go wrong. */
function countingEngine(special: (number: number) => EngineEvent | Error | undefined = () => undefined): Engine {
  return {
    name: 'counting',
    summary: 'counts',
    needs: 'runnable',
    decides: [],
    claims: 'verified',
    options: {},
    counted: countedExecutions,
    units: 'split',
    *explore(_subject, _options, part): Generator<EngineEvent, void, EngineRequest> {
      const { from, to } = (part ?? unit(0, 10)).state as { from: number; to: number }
      for (let number = from; number < to; number++) {
        const event = special(number)
        if (event instanceof Error) throw event
        if (event !== undefined) yield event
        const decisions = (): readonly Decision[] => [{ kind: 'choose', process: 'main', option: number }]
        const request = yield {
          kind: 'execution',
          blocked: number % 2 === 1,
          events: number,
          length: number,
          explored: (number + 1 - from) / 1000,
          decisions,
        }
        if (request !== 'surrender') continue
        if (number + 1 < to) yield { kind: 'surplus', unit: unit(number + 1, to) }
        return
      }
    },
  }
}

function violation(message: string): EngineEvent {
  const broken: Violation = { kind: 'assertion', property: message, message, process: 'main' }
  return { kind: 'violation', violation: broken, decisions: [], foundIn: 1 }
}

/** A clock that moves by a fixed amount whenever it is read. */
function hostWithTick(tick: number): Host & { pauses: number } {
  let now = 0
  return {
    pauses: 0,
    now: () => (now += tick),
    memory: () => 100,
    async pause() {
      this.pauses++
    },
  }
}

const unwatched: Watch = { budget: {}, keepGoing: false }

async function drive(
  engine: Engine,
  units: readonly WorkUnit[],
  watch: Partial<Watch> = {},
  host = hostWithTick(0),
): Promise<Driven> {
  const search: Search = { engine, subject, options: {}, units }
  return await driveInline(search, { ...unwatched, ...watch }, host)
}

describe('counting', () => {
  test('an exhausted search adds up executions, blocked ones and events over its units, and keeps the longest', async () => {
    // 0…9: five even, five odd, 45 events in all; 20…21 adds one of each and 41 events.
    const driven = await drive(countingEngine(), [unit(0, 10), unit(20, 22)])
    expect(driven).toEqual({
      because: 'exhausted',
      counts: { executions: 6, blocked: 6, events: 86, longest: 21 },
      explored: 0.012,
      found: [],
      evidence: [],
      diagnostic: undefined,
      remaining: [],
    })
  })

  test('surplus nobody asked for is explored as well', async () => {
    const engine = countingEngine((number) => (number === 3 ? { kind: 'surplus', unit: unit(100, 102) } : undefined))
    const driven = await drive(engine, [unit(0, 4)])
    expect(driven.counts).toEqual({ executions: 3, blocked: 3, events: 6 + 201, longest: 101 })
  })
})

describe('budgets', () => {
  test('a budget of executions stops after exactly so many, complete and blocked together', async () => {
    for (const executions of [1, 2, 3, 7, 99]) {
      const driven = await drive(countingEngine(), [unit(0, 100), unit(200, 300)], { budget: { executions } })
      expect(driven.because).toBe('executions')
      expect(exploredIn(driven.counts, countedExecutions)).toBe(executions)
      expect(driven.remaining).toEqual([unit(executions, 100), unit(200, 300)])
    }
  })

  test('what a budget left, driven later, gives the total of an uninterrupted search', async () => {
    const engine = countingEngine()
    const whole = await drive(engine, [unit(0, 1000)])
    let units: readonly WorkUnit[] = [unit(0, 1000)]
    let explored = 0
    for (let run = 0; run < 10; run++) {
      const part = await drive(engine, units, { budget: { executions: 117 } })
      explored += exploredIn(part.counts, countedExecutions)
      units = part.remaining
    }
    expect(units).toEqual([])
    expect(explored).toBe(exploredIn(whole.counts, countedExecutions))
  })

  test('a budget that is spent at the very last execution leaves nothing, so the search is exhausted', async () => {
    const driven = await drive(countingEngine(), [unit(0, 10)], { budget: { executions: 10 } })
    expect(driven).toMatchObject({ because: 'exhausted', remaining: [] })
  })

  test('a budget of time stops a search that would go on', async () => {
    const driven = await drive(countingEngine(), [unit(0, 1e9)], { budget: { milliseconds: 1000 } }, hostWithTick(10))
    expect(driven.because).toBe('time')
    const explored = exploredIn(driven.counts, countedExecutions)
    expect(driven.remaining).toEqual([unit(explored, 1e9)])
  })

  test('a budget of memory stops as soon as it is reached', async () => {
    const driven = await drive(countingEngine(), [unit(0, 1000)], { budget: { bytes: 100 } })
    expect(driven).toMatchObject({ because: 'memory', remaining: [unit(1, 1000)] })
  })

  test('an abort before the start explores nothing and leaves everything', async () => {
    const driven = await drive(countingEngine(), [unit(0, 10)], { signal: AbortSignal.abort() })
    expect(driven).toMatchObject({
      because: 'interrupt',
      counts: {},
      remaining: [unit(0, 10)],
    })
  })

  test('an abort during a pause ends the search with the rest as remaining units', async () => {
    const controller = new AbortController()
    const host = { ...hostWithTick(20), pause: async () => controller.abort() }
    const driven = await drive(countingEngine(), [unit(0, 1e9)], { signal: controller.signal }, host)
    const explored = exploredIn(driven.counts, countedExecutions)
    expect(driven).toMatchObject({ because: 'interrupt', remaining: [unit(explored, 1e9)] })
  })

  test('what would take too long to write down is not kept', async () => {
    const engine: Engine = {
      ...countingEngine(),
      *explore(): Generator<EngineEvent, void, EngineRequest> {
        yield { kind: 'execution', blocked: false, events: 1, length: 1, explored: 0.5, decisions: () => [] }
        for (;;) yield { kind: 'surplus', unit: unit(0, 1) }
      },
    }
    const driven = await drive(engine, [unit(0, 1)], { budget: { executions: 1 } }, hostWithTick(100))
    expect(driven).toMatchObject({ because: 'executions', remaining: [], counts: { executions: 1 } })
  })

  test('what an engine cannot write down is not kept, and the search is not over', async () => {
    const engine: Engine = {
      ...countingEngine(),
      *explore(): Generator<EngineEvent, void, EngineRequest> {
        yield { kind: 'execution', blocked: false, events: 1, length: 1, explored: 0.5, decisions: () => [] }
        yield { kind: 'unsaved' }
      },
    }
    const driven = await drive(engine, [unit(0, 1)], { budget: { executions: 1 } }, hostWithTick(1))
    expect(driven).toMatchObject({ because: 'executions', remaining: [], counts: { executions: 1 } })
  })

  test('a search without room to go on ends as one that spent its memory', async () => {
    const engine: Engine = {
      ...countingEngine((number) => (number === 3 ? { kind: 'full' } : undefined)),
      units: 'whole',
    }
    const driven = await drive(engine, [unit(0, 10)])
    expect(driven).toMatchObject({ because: 'memory', remaining: [] })
  })

  test('a violation met while surrendering is not lost', async () => {
    const engine: Engine = {
      ...countingEngine(),
      *explore(): Generator<EngineEvent, void, EngineRequest> {
        yield { kind: 'execution', blocked: false, events: 1, length: 1, explored: 1, decisions: () => [] }
        yield violation('late')
      },
    }
    const driven = await drive(engine, [unit(0, 1)], { budget: { executions: 1 } })
    expect(driven).toMatchObject({ because: 'violation', found: [{ violation: { message: 'late' } }] })
  })
})

describe('violations and diagnostics', () => {
  const engine = countingEngine((number) => (number % 3 === 2 ? violation(`number ${number % 2}`) : undefined))

  test('the first violation ends the search', async () => {
    const driven = await drive(engine, [unit(0, 100)])
    expect(driven.because).toBe('violation')
    expect(driven.found.map((one) => one.violation.message)).toEqual(['number 0'])
    expect(exploredIn(driven.counts, countedExecutions)).toBe(2)
  })

  test('with keepGoing the search is exhausted and each distinct violation is kept once', async () => {
    const driven = await drive(engine, [unit(0, 100)], { keepGoing: true })
    expect(driven.because).toBe('exhausted')
    expect(driven.found.map((one) => one.violation.message)).toEqual(['number 0', 'number 1'])
    expect(exploredIn(driven.counts, countedExecutions)).toBe(100)
  })

  test('a diagnostic is a value, whether yielded or thrown', async () => {
    const diagnostic = { code: 'E201', message: 'not repeatable', hint: 'repeat' } as const
    const yields = countingEngine((number) => (number === 2 ? { kind: 'diagnostic', diagnostic } : undefined))
    const throws = countingEngine((number) => (number === 2 ? new DiagnosticError(diagnostic) : undefined))
    for (const complaining of [yields, throws]) {
      expect(await drive(complaining, [unit(0, 10)])).toMatchObject({ because: 'diagnostic', diagnostic })
    }
  })

  test('evidence is collected, and a search that decides nothing ends undecided', async () => {
    const evidence = { kind: 'proof', assertions: [] } as const
    for (const decides of [true, false]) {
      const engine = countingEngine((number) => (number === 2 ? { kind: 'evidence', evidence, decides } : undefined))
      const because = decides ? 'exhausted' : 'undecided'
      expect(await drive(engine, [unit(0, 10)])).toMatchObject({ because, evidence: [evidence], remaining: [] })
    }
  })

  test('any other exception is not caught', async () => {
    const broken = countingEngine((number) => (number === 2 ? new TypeError('ours') : undefined))
    await expect(drive(broken, [unit(0, 10)])).rejects.toThrow('ours')
  })

  test('audits see the first 16 executions, then ever fewer, and a complaint ends the search', async () => {
    const audited: number[] = []
    const audit = function* (decisions: readonly Decision[]) {
      yield
      const [decision] = decisions
      if (decision?.kind === 'choose') audited.push(decision.option + 1)
      return audited.length === 19 ? ({ code: 'E201', message: 'differs', hint: 'repeat' } as const) : undefined
    }
    const driven = await drive(countingEngine(), [unit(0, 1000)], { audit })
    expect(audited).toEqual([...Array.from({ length: 16 }, (_, before) => before + 1), 24, 36, 54])
    expect(driven).toMatchObject({ because: 'diagnostic', diagnostic: { message: 'differs' } })
  })
})

describe('time', () => {
  test('progress is reported at most every 100 ms', async () => {
    const reports: Progress[] = []
    const onProgress = (progress: Progress) => void reports.push(progress)
    await drive(countingEngine(), [unit(0, 5000)], { onProgress }, hostWithTick(7))
    expect(reports.length).toBeGreaterThan(2)
    for (const [at, report] of reports.entries()) {
      expect(report.milliseconds - (reports[at - 1]?.milliseconds ?? 0)).toBeGreaterThanOrEqual(100)
    }
  })

  test('the event loop gets its turn about every 50 ms', async () => {
    const host = hostWithTick(10)
    await drive(countingEngine(), [unit(0, 5000)], {}, host)
    const total = host.now()
    expect(host.pauses).toBeGreaterThan(total / 50 / 2)
  })

  test('a fast search looks at the clock less than once in a hundred executions', async () => {
    let looks = 0
    const host = { ...hostWithTick(0), now: () => 0 * looks++ }
    await drive(countingEngine(), [unit(0, 100_000)], {}, host)
    expect(looks).toBeLessThan(1000)
  })
})
