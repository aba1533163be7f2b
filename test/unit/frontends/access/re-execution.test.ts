import { describe, expect, test } from 'vitest'
import { amount, cut } from '../../../amount.ts'
import {
  compiled,
  compiledScript,
  type FrameLog,
  type FramePosition,
  type Loaded,
  rewritten,
  start,
} from './miniature-runtime.ts'
import { randomProgram } from './random-programs.ts'
import { snippets } from './snippets.ts'

/** A suspension of a first execution: what had been answered, and where all frames were. */
interface Suspension {
  readonly log: FrameLog
  readonly stack: readonly FramePosition[]
}

class Arrived extends Error {}

function suspensionsOf({ exports, miniature }: Loaded, args: readonly unknown[], limit: number): readonly Suspension[] {
  const suspensions: Suspension[] = []
  miniature.configure({ ticks: 1000 })
  miniature.onStop = () => {
    suspensions.push({ log: miniature.root.copy(), stack: miniature.stack() })
    if (suspensions.length >= limit) throw new Arrived()
  }
  miniature.runLogged(exports.main, args)
  return suspensions
}

/** Where frames are when the log has been answered, with nothing performed meanwhile. */
function stackAfter({ exports, miniature }: Loaded, args: readonly unknown[], log: FrameLog): readonly FramePosition[] {
  let stack: readonly FramePosition[] = []
  miniature.configure({ log, ticks: 1000 })
  miniature.onStop = () => {
    stack = miniature.stack()
    throw new Arrived()
  }
  miniature.runLogged(exports.main, args)
  expect(miniature.performed).toBe(0)
  return stack
}

function expectSameStack(actual: readonly FramePosition[], expected: readonly FramePosition[]): void {
  expect(actual.map(({ site }) => site)).toEqual(expected.map(({ site }) => site))
  actual.forEach(({ live, site }, index) => {
    const before = expected[index]?.live ?? []
    const changed = live.findIndex((value, position) => !Object.is(value, before[position]))
    expect({ site, changed, count: live.length }).toEqual({ site, changed: -1, count: before.length })
  })
}

describe('code that is executed again with the logged answers arrives at the same positions with the same values', () => {
  const synchronous = snippets.filter(({ source }) => !source.includes('async'))
  for (const { name, source } of synchronous) {
    test(name, () => {
      const loaded = start(compiled(rewritten(source)))
      const suspensions = suspensionsOf(loaded, [], 150)
      expect(suspensions.length).toBeGreaterThan(0)
      for (const { log, stack } of suspensions) expectSameStack(stackAfter(loaded, [], log), stack)
    })
  }

  test('random programs', cut, () => {
    for (let seed = 1; seed <= amount({ quick: 50, thorough: 200, all: 200 }); seed++) {
      const loaded = start(compiledScript(rewritten(randomProgram(seed))))
      const object = (loaded.exports.make as (f: number, g: number) => unknown)(1, 2)
      const args = [seed % 3, { k: 1 }, object]
      for (const { log, stack } of suspensionsOf(loaded, args, 40))
        expectSameStack(stackAfter(loaded, args, log), stack)
    }
  })
})
