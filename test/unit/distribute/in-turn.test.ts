import { expect, test } from 'vitest'
import { countedExecutions } from '../../../src/core/verdict.ts'
import type { Host } from '../../../src/distribute/driver.ts'
import { type Contender, driveInTurn } from '../../../src/distribute/in-turn.ts'
import type { Engine, EngineEvent } from '../../../src/engines/engine.ts'
import type { Runnable } from '../../../src/program/program.ts'

const subject = { main: { body: function* () {}, args: [] } } as unknown as Runnable

const violation: EngineEvent = {
  kind: 'violation',
  violation: { kind: 'assertion', property: 'p', message: 'p', process: 'main' },
  decisions: [],
  foundIn: 1,
}
const cannot: EngineEvent = {
  kind: 'diagnostic',
  diagnostic: { code: 'E309', message: 'it cannot', hint: 'ask another' },
}

/** Shows so many signs of progress, then `last`, if anything; does something at each sign. */
function signs(name: string, many: number, last?: EngineEvent, at: () => void = () => {}): Engine {
  return {
    name,
    summary: '',
    needs: 'runnable',
    decides: [],
    claims: 'verified',
    options: {},
    counted: countedExecutions,
    units: 'whole',
    *explore() {
      for (let states = 1; states <= many; states++) {
        at()
        yield { kind: 'progress', counts: { states }, explored: 0 }
      }
      if (last !== undefined) yield last
    },
  }
}

interface World extends Host {
  milliseconds: number
  bytes: number
  /** Milliseconds by which the clock goes on whenever somebody looks. */
  tick: number
}

function world(tick = 0): World {
  return {
    milliseconds: 0,
    bytes: 0,
    tick,
    now() {
      this.milliseconds += this.tick
      return this.milliseconds
    },
    memory() {
      return this.bytes
    },
    pause: () => Promise.resolve(),
  }
}

interface Limits {
  readonly turn?: number
  readonly bytes?: number
  readonly milliseconds?: number
  readonly keepGoing?: boolean
}

async function raced(engines: readonly Engine[], host: Host, limits: Limits = {}) {
  const { turn = 10, bytes, milliseconds, keepGoing = false } = limits
  const budget = { bytes, milliseconds }
  const contenders = engines.map((engine): Contender => {
    return { search: { engine, subject, options: {} }, watch: { budget, keepGoing }, turn }
  })
  const { because, by, driven } = await driveInTurn(contenders, host, { bytes })
  return { because, by, ended: driven.map((one) => one.because), states: driven.map(({ counts }) => counts.states) }
}

test.each([0, 1, 7, 60])('turns are counted in work: a clock that ticks %i ms changes nothing', async (tick) => {
  // Turns of ten: the second has 20 signs when the first has 30, and ends with its 25th in its third turn.
  const answer = await raced([signs('slow', 100), signs('quick', 25)], world(tick))
  expect(answer).toEqual({ because: 'exhausted', by: 1, ended: ['outrun', 'exhausted'], states: [30, 25] })
})

test('a violation ends the race, and the counts of the others stay theirs', async () => {
  const answer = await raced([signs('first', 100), signs('second', 13, violation)], world())
  expect(answer).toEqual({ because: 'violation', by: 1, ended: ['outrun', 'violation'], states: [20, 13] })
})

test('who collects all violations goes on, and the first to come to its end answers', async () => {
  const engines = [signs('first', 14, violation), signs('second', 5, violation)]
  expect(await raced(engines, world(), { keepGoing: true })).toMatchObject({ because: 'exhausted', by: 1 })
})

test('with too little memory for both, the one that took more is given up, and the other goes on', async () => {
  const host = world()
  const large = signs('large', 100, undefined, () => {
    host.bytes += 2
  })
  const small = signs('small', 50, undefined, () => {
    host.bytes += 1
  })
  // After two turns of each 20 + 10 + 20 + 10 bytes are taken, which is 0.6 of 100.
  expect(await raced([large, small], host, { bytes: 100 })).toEqual({
    because: 'exhausted',
    by: 1,
    ended: ['memory', 'exhausted'],
    states: [20, 50],
  })
})

test('the one that is left is stopped by the whole budget', async () => {
  const host = world()
  const grow = () => {
    host.bytes++
  }
  const answer = await raced([signs('a', 500, undefined, grow), signs('b', 500, undefined, grow)], host, { bytes: 100 })
  // Both have taken 30; of equals, the first is given up.
  expect(answer).toEqual({ because: 'memory', by: undefined, ended: ['memory', 'memory'], states: [30, 70] })
})

test('an engine that cannot explore the system leaves it to the others', async () => {
  const answer = await raced([signs('unable', 3, cannot), signs('able', 30)], world())
  expect(answer).toEqual({ because: 'exhausted', by: 1, ended: ['diagnostic', 'exhausted'], states: [3, 30] })
  expect(await raced([signs('unable', 3, cannot)], world())).toMatchObject({ because: 'diagnostic', by: 0 })
})

/** Says how fast it is; each sign takes ten milliseconds. */
function paced(name: string, pace: number, many: number, host: World): Engine {
  const plain = signs(name, many, undefined, () => {
    host.milliseconds += 10
  })
  return {
    ...plain,
    *explore(...given) {
      for (const event of plain.explore(...given)) yield event.kind === 'progress' ? { ...event, pace } : event
    },
  }
}

/** The first may take 100 ms alone, the second 60. */
async function tried(host: World, engines: readonly [Engine, Engine]) {
  const contenders = engines.map((engine, at): Contender => {
    return {
      search: { engine, subject, options: {} },
      watch: { budget: {}, keepGoing: false },
      trial: at === 0 ? 100 : 60,
    }
  })
  const { by, driven } = await driveInTurn(contenders, host)
  return { by, ended: driven.map((one) => one.because), states: driven.map(({ counts }) => counts.states) }
}

test('what ends in its trial is the answer, and the other one has no turn', async () => {
  const host = world()
  const answer = await tried(host, [paced('first', 1, 9, host), paced('second', 5, 3, host)])
  expect(answer).toEqual({ by: 0, ended: ['exhausted', 'outrun'], states: [9, undefined] })
})

test('who ends in the trial that comes second answers', async () => {
  const host = world()
  const { by, ended } = await tried(host, [paced('first', 5, 50, host), paced('second', 1, 5, host)])
  expect({ by, ended }).toEqual({ by: 1, ended: ['outrun', 'exhausted'] })
})

test('who is slower after the trial is outrun, although it would have ended soon', async () => {
  const host = world()
  const { by, ended, states } = await tried(host, [paced('first', 5, 50, host), paced('second', 4, 8, host)])
  expect({ by, ended }).toEqual({ by: 0, ended: ['exhausted', 'outrun'] })
  expect(states[1]).toBeLessThan(8)
})

test('who is as fast after the trial takes turns with the first', async () => {
  const host = world()
  const { by, ended } = await tried(host, [paced('first', 4, 50, host), paced('second', 4, 8, host)])
  expect({ by, ended }).toEqual({ by: 1, ended: ['outrun', 'exhausted'] })
})

test('a budget of time ends all, and nobody has answered', async () => {
  const answer = await raced([signs('a', 500), signs('b', 500)], world(1), { milliseconds: 200 })
  expect(answer).toMatchObject({ because: 'time', by: undefined, ended: ['time', 'time'] })
})
