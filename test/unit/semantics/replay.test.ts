import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/core/trace.ts'
import { assert, choose, receive, self, send } from '../../../src/model/process.ts'
import { replay, reproduced } from '../../../src/semantics/replay.ts'
import { eventTexts, paths } from './worlds.ts'

const subject = paths(function* () {
  yield* send(yield* self(), yield* choose([1, 2]))
  const got = yield* receive<number>()
  yield* assert(got === 1, `got ${got}`)
  yield* receive()
})

const choice = (option: number): Decision => ({ kind: 'choose', process: 'main', option })
const step: Decision = { kind: 'step', process: 'main' }
const delivery: Decision = { kind: 'deliver', process: 'main', message: 0 }

test('decisions replay to the same events every time', () => {
  const decisions = [choice(1), step, delivery]
  const first = replay(subject, decisions, { places: false })
  expect(eventTexts(first.events)).toEqual([
    'main chooses 1',
    'main sends #0 to main',
    'main receives #0',
    'main fails: got 2',
  ])
  expect(replay(subject, decisions, { places: false }).events.map(({ kind }) => kind)).toEqual(
    first.events.map(({ kind }) => kind),
  )
  expect(first).toMatchObject({ ended: true, drift: undefined, violations: [{ kind: 'assertion', message: 'got 2' }] })
})

test('end checks are asked only where nothing more can happen', () => {
  const unfinished = replay(subject, [choice(0), step], { places: false })
  expect(unfinished).toMatchObject({ ended: false, violations: [] })
  const finished = replay(subject, [choice(0), step, delivery], { places: false })
  expect(finished).toMatchObject({
    ended: true,
    violations: [{ kind: 'deadlock', message: 'main waits for a message' }],
  })
})

test('a decision that is not enabled is a drift that names the step and what was enabled', () => {
  const drifted = replay(subject, [choice(0), delivery, step], { places: false })
  expect(drifted.drift).toEqual({ step: 1, decision: delivery, enabled: [step] })
  expect(eventTexts(drifted.events)).toEqual(['main chooses 0'])
})

test('a decision of a process that does not exist is a drift', () => {
  const stranger: Decision = { kind: 'step', process: 'nobody' }
  expect(replay(subject, [stranger], { places: false }).drift).toEqual({
    step: 0,
    decision: stranger,
    enabled: [choice(0), choice(1)],
  })
})

describe('a violation', () => {
  const violation = { kind: 'assertion', property: 'got 2', message: 'got 2', process: 'main' } as const

  test('is reproduced by decisions that lead to it', () => {
    expect(reproduced(replay(subject, [choice(1), step, delivery], { places: false }), violation)).toMatchObject(
      violation,
    )
  })

  test('is not reproduced by decisions that lead elsewhere, or drift', () => {
    expect(reproduced(replay(subject, [choice(0), step, delivery], { places: false }), violation)).toBeUndefined()
    expect(reproduced(replay(subject, [choice(1), step, delivery, step], { places: false }), violation)).toBeUndefined()
  })
})

test('events carry the place of their operation only when asked', () => {
  const [withPlace] = replay(subject, [choice(0)], { places: true }).events
  const [without] = replay(subject, [choice(0)], { places: false }).events
  expect(withPlace?.stack).toContain('replay.test.ts')
  expect(without?.stack).toBeUndefined()
})
