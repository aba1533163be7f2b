import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { Random } from '../../../src/core/random.ts'
import { countedExecutions, exploredIn, type WorkUnit } from '../../../src/core/verdict.ts'
import type { Crew } from '../../../src/distribute/crew.ts'
import { driveWithCrew } from '../../../src/distribute/crew-drive.ts'
import { type Driven, isBudget, type Search } from '../../../src/distribute/driver.ts'
import { driveInline } from '../../../src/distribute/inline.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../../src/engines/engine.ts'
import type { Runnable } from '../../../src/program/program.ts'
import { PretendedCrew } from '../../pretended-crew.ts'
import { tickingHost } from '../../ticking-host.ts'

const subject: Runnable = {
  main: { body: function* () {}, args: [] },
  monitors: [],
  network: 'fifo',
  properties: [],
  maxSteps: 100,
  boundedByUser: false,
}

function unit(from: number, to: number): WorkUnit {
  return { format: 'allways-unit/1', engine: 'numbers', state: { from, to } }
}

interface Numbers {
  readonly all: number
  /** Numbers that are wrong, and what about them. */
  readonly wrong: ReadonlyMap<number, string>
  readonly diagnosed?: number | undefined
}

/** Explores numbers in order; asked to share, it gives away the later half. */
function numbers({ all, wrong, diagnosed }: Numbers): Engine {
  return {
    name: 'numbers',
    summary: 'counts',
    needs: 'runnable',
    decides: [],
    claims: 'verified',
    options: {},
    counted: countedExecutions,
    units: 'split',
    weighs: (one) => {
      const { from, to } = one.state as { from: number; to: number }
      return (to - from) / all
    },
    *explore(_subject, _options, part): Generator<EngineEvent, void, EngineRequest> {
      const { from, to } = (part ?? unit(0, all)).state as { from: number; to: number }
      for (let [number, end] = [from, to]; number < end; number++) {
        if (number === diagnosed) throw new DiagnosticError({ code: 'E201', message: `${number}`, hint: '' })
        const message = wrong.get(number)
        if (message !== undefined) {
          const violation = { kind: 'assertion', property: message, message, process: 'main' } as const
          yield { kind: 'violation', violation, decisions: [decision(number)], foundIn: 1 }
        }
        const request = yield {
          kind: 'execution',
          blocked: number % 2 === 1,
          events: number,
          length: number,
          explored: (number + 1 - from) / all,
          decisions: () => [decision(number)],
        }
        if (request === undefined) continue
        const middle = request === 'share' ? number + 1 + Math.ceil((end - number - 1) / 2) : number + 1
        if (middle < end) yield { kind: 'surplus', unit: unit(middle, end) }
        end = middle
      }
    },
  }
}

function decision(option: number) {
  return { kind: 'choose', process: 'main', option } as const
}

function drawn(seed: number): { readonly search: () => Search; readonly keepGoing: boolean } {
  const draws = new Random(seed)
  const all = 1 + draws.below(400)
  const many = draws.below(4)
  const wrong = new Map(Array.from({ length: many }, () => [draws.below(all), `wrong ${draws.below(3)}`] as const))
  const diagnosed = draws.below(5) === 0 ? draws.below(all) : undefined
  const engine = numbers({ all, wrong, diagnosed })
  return { search: () => ({ engine, subject, options: {} }), keepGoing: draws.below(2) === 0 }
}

function answer({ because, counts, found, diagnostic }: Driven) {
  return { because, counts, found, diagnostic }
}

describe('a search by several', () => {
  test('has the counts, the violations and the diagnostic of one thread, whoever is fast, slow or dies', async () => {
    let [given, died] = [0, 0]
    for (let seed = 0; seed < 400; seed++) {
      const { search, keepGoing } = drawn(seed)
      const alone = await driveInline(search(), { budget: {}, keepGoing }, tickingHost())
      for (const deaths of [0, 20, 100]) {
        const crew = new PretendedCrew({ size: 1 + (seed % 5), seed, search, keepGoing, deaths, whims: 50 })
        const together = await driveWithCrew(search(), { budget: {}, keepGoing }, crew.host, crew)
        expect(answer(together), `seed ${seed}, ${deaths} deaths`).toEqual(answer(alone))
        given += crew.given
        died += crew.died
      }
    }
    expect(given).toBeGreaterThan(1_000)
    expect(died).toBeGreaterThan(100)
  })

  test('stopped anywhere, it leaves the rest in order, which others explore later', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const { search, keepGoing } = drawn(seed)
      const alone = await driveInline(search(), { budget: {}, keepGoing }, tickingHost())
      const crew = new PretendedCrew({ size: 1 + (seed % 5), seed, search, keepGoing, deaths: 10 })
      let left = seed % 37
      crew.onStep = () => left--
      const signal = {
        get aborted() {
          return left <= 0
        },
      }
      const first = await driveWithCrew(search(), { budget: {}, keepGoing, signal }, crew.host, crew)
      // Nothing is left of what was never begun.
      if (!isBudget(first.because) || first.explored === 0) continue
      const starts = first.remaining.map(({ state }) => (state as { readonly from: number }).from)
      expect(starts).toEqual([...starts].sort((one, other) => one - other))
      const rest = { ...search(), units: first.remaining }
      const second = await driveInline(rest, { budget: {}, keepGoing }, tickingHost())
      const explored = exploredIn(first.counts, countedExecutions) + exploredIn(second.counts, countedExecutions)
      if (alone.because === 'exhausted') expect(explored).toBe(exploredIn(alone.counts, countedExecutions))
      else if (first.found.length === 0) expect(second.found[0]).toEqual(alone.found[0])
    }
  })

  test('goes on alone where nobody comes', async () => {
    const { search, keepGoing } = drawn(1)
    const alone = await driveInline(search(), { budget: {}, keepGoing }, tickingHost())
    const crew = new PretendedCrew({ size: 3, seed: 1, search, keepGoing, deaths: 1000 })
    expect(answer(await driveWithCrew(search(), { budget: {}, keepGoing }, crew.host, crew))).toEqual(answer(alone))
    expect(crew.given).toBe(0)
  })

  test('waits for nobody who does not hand over what is left: it is as it was given', async () => {
    const engine = numbers({ all: 1_000, wrong: new Map() })
    const search = (): Search => ({ engine, subject, options: {} })
    const deaf: Crew = {
      size: 1,
      after: 0,
      start: (hear) => hear(0, { kind: 'ready' }),
      explore: () => undefined,
      ask: () => undefined,
      explored: () => 0,
      wait: async () => undefined,
    }
    const driven = await driveWithCrew(
      search(),
      { budget: { milliseconds: 300 }, keepGoing: false },
      tickingHost(),
      deaf,
    )
    expect(driven.because).toBe('time')
    const rest = await driveInline(
      { ...search(), units: driven.remaining },
      { budget: {}, keepGoing: false },
      tickingHost(),
    )
    const { executions = 0, blocked = 0 } = driven.counts
    expect(rest.counts).toMatchObject({ executions: 500 - executions, blocked: 500 - blocked })
    expect(executions).toBeGreaterThan(0)
  })
})
