/**
 * A property of what is repeated for ever, from outside: of a kind of program that is given as paths alone, and of processes. Two lamps
 * are switched on and off, each by its own process, for ever; a third process may break the switches once, after which all is as it is.
 */
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import type { Event } from '../../src/core/event.ts'
import { evidenceOf } from '../../src/core/evidence.ts'
import type { CycleProperty } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import type { Value } from '../../src/core/value.ts'
import { program, receive, self, send } from '../../src/index.ts'
import type { Path, Paths } from '../../src/program/path.ts'
import { type Program, registerProgram } from '../../src/program/program.ts'
import { replay } from '../../src/semantics/replay.ts'

interface Lamps {
  readonly left: boolean
  readonly right: boolean
  readonly isBroken: boolean
}

interface Options {
  readonly breaks?: boolean
  /** Only a lamp whose neighbour is off can be switched. */
  readonly takesTurns?: boolean
}

function lampPath({ breaks = false, takesTurns = false }: Options): Path {
  const states: Lamps[] = [{ left: false, right: false, isBroken: false }]
  const events: Event[] = []
  const now = (): Lamps => states.at(-1) ?? { left: false, right: false, isBroken: true }
  const step = (process: string): Decision => ({ kind: 'step', process })
  return {
    enabled() {
      const { left, right, isBroken } = now()
      if (isBroken) return []
      return [
        ...(takesTurns && right ? [] : [step('left')]),
        ...(takesTurns && left ? [] : [step('right')]),
        ...(breaks ? [step('vandal')] : []),
      ]
    },
    take({ process }) {
      const { left, right } = now()
      states.push({
        left: process === 'left' ? !left : left,
        right: process === 'right' ? !right : right,
        isBroken: process === 'vandal',
      })
      const event: Event = { kind: 'choose', process, index: events.length, option: 0, options: 1, value: process }
      events.push(event)
      return [event]
    },
    back() {
      states.pop()
      events.pop()
    },
    key: () => JSON.stringify(now()),
    events: () => [...events],
    violations: () => [],
    shown: () => [],
    ending: () => ({ processes: [] }),
    isBlocked: () => false,
    states: () => new Map<string, Value>(Object.entries(now())),
  }
}

const bothOn: CycleProperty = again('both on', (states) => states.get('left') === true && states.get('right') === true)
const leftOn: CycleProperty = again('left on', (states) => states.get('left') === true)

function again(name: string, isGood: (states: ReadonlyMap<string, Value>) => boolean): CycleProperty {
  const violation = { kind: 'liveness', property: name, message: `never again: ${name}` } as const
  return { kind: 'liveness', name, sees: 'cycle', isGood, violation }
}

function lampPaths(property: CycleProperty, options: Options = {}): Paths {
  return { isExclusive: false, judges: ['liveness'], cycles: [property], begin: () => lampPath(options) }
}

function lamps(property: CycleProperty, options: Options = {}): Program {
  const views = { path: () => lampPaths(property, options) }
  return registerProgram({ name: 'lamps', params: {}, every: {}, network: 'bag', options: {}, views, stack: undefined })
}

async function checked(subject: Program) {
  const result = await checkResult(subject, { engine: 'stateful' })
  if (!result.ok) throw new Error(result.diagnostics[0]?.message)
  const [found] = evidenceOf(result.value.evidence, 'execution')
  const { decisions = [], repeatsFrom } = found ?? {}
  const processes = decisions.map(({ process }) => process)
  return { kind: result.value.kind, stem: processes.slice(0, repeatsFrom), round: processes.slice(repeatsFrom) }
}

describe('the judge', () => {
  const judge = (property: CycleProperty, processes: readonly string[], repeatsFrom: number): readonly string[] => {
    const decisions = processes.map((process): Decision => ({ kind: 'step', process }))
    const { violations } = replay(lampPaths(property), decisions, { places: false, repeatsFrom })
    return violations.map(({ property: name }) => name)
  }

  test('confirms a round that is fair, comes back and has no good state', () => {
    expect(judge(bothOn, ['left', 'left', 'right', 'right'], 0)).toEqual(['both on'])
    expect(judge(bothOn, ['left', 'left', 'right', 'right', 'left'], 1)).toEqual(['both on'])
  })

  test.each([
    ['puts a process off for ever', leftOn, ['right', 'right'], 0],
    ['has no step, though somebody can move', leftOn, [], 0],
    ['does not come back', bothOn, ['left', 'left', 'right'], 0],
    ['has a good state', bothOn, ['left', 'right', 'left', 'right'], 0],
    ['begins after its end', leftOn, ['left', 'left'], 3],
  ])('refuses a round that %s', (_, property, processes, repeatsFrom) => {
    expect(judge(property, processes, repeatsFrom)).toEqual([])
  })

  test('looks at what was before the round if the property says since when', () => {
    const once: CycleProperty = { ...leftOn, since: 'start' }
    const afterRight: CycleProperty = { ...bothOn, since: (states) => states.get('right') === true }
    const round = ['left', 'left', 'right', 'right']
    expect(judge({ ...bothOn, since: 'start' }, round, 0)).toEqual(['both on'])
    // Both were on before, and nothing is asked for from the beginning any more.
    expect(judge({ ...bothOn, since: 'start' }, ['left', 'right', 'left', 'right', ...round], 4)).toEqual([])
    // It is the right lamp that asks, and it does on the round.
    expect(judge(afterRight, round, 0)).toEqual(['both on'])
    expect(judge(afterRight, ['left', 'left'], 0)).toEqual([])
    expect(judge(once, round, 0)).toEqual([])
  })

  test('says nothing about rounds of an execution that is not said to have one', () => {
    expect(replay(lampPaths(bothOn), [], { places: false }).violations).toEqual([])
  })
})

describe('a property that sees a cycle', () => {
  test('holds if only unfair executions break it', async () => {
    // Without `left` moving, the lamp stays off; but it can move all the time, so it does.
    expect((await checked(lamps(leftOn))).kind).toBe('verified')
  })

  test('is broken by a round in which every process moves, and the judge confirms it', async () => {
    const { kind, round } = await checked(lamps(bothOn))
    expect(kind).toBe('violated')
    expect(new Set(round)).toEqual(new Set(['left', 'right']))
  })

  test('is broken by a process that is kept from moving again and again', async () => {
    // With both off either can move, so `left` is possible; with `right` on it is not, and weak fairness lets it starve.
    const { kind, round } = await checked(lamps(leftOn, { takesTurns: true }))
    expect(kind).toBe('violated')
    expect(round).toEqual(['right', 'right'])
  })

  test('is broken by an end that is not good, which lasts for ever', async () => {
    expect(await checked(lamps(leftOn, { breaks: true }))).toEqual({ kind: 'violated', stem: ['vandal'], round: [] })
  })

  test.each(['exhaustive', 'random'])('is refused by %s', async (engine) => {
    const hint = 'engines that can: stateful'
    expect(await checkResult(lamps(leftOn), { engine })).toMatchObject({ diagnostics: [{ code: 'E302', hint }] })
  })

  test('is judged at the end of processes, whose states are never met again', async () => {
    const talk = program('talk', function* () {
      const me = yield* self<number>()
      yield* send(me, 1)
      yield* receive()
    })
    const runnable = talk.views.runnable
    if (runnable === undefined) throw new Error('processes are runnable')
    const views = {
      runnable: (setting: Parameters<typeof runnable>[0]) => ({ ...runnable(setting), properties: [leftOn] }),
    }
    const { kind, stem, round } = await checked(registerProgram({ ...talk, views }))
    expect([kind, stem, round]).toEqual(['violated', ['main', 'main'], []])
  })
})
