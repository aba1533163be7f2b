import { describe, expect, test } from 'vitest'
import { countedExecutions, exploredIn } from '../../../src/core/verdict.ts'
import type { Crew } from '../../../src/distribute/crew.ts'
import { driveWithCrew } from '../../../src/distribute/crew-drive.ts'
import { type Driven, isBudget, type Search } from '../../../src/distribute/driver.ts'
import { driveInline } from '../../../src/distribute/inline.ts'
import { PretendedCrew } from '../../pretended-crew.ts'
import { tickingHost } from '../../ticking-host.ts'
import { drawn, numbers, subject } from './numbers.ts'

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
