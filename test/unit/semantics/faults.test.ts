/** What faults do to an execution under the reference semantics. */
import { expect, test } from 'vitest'
import type { FaultBudget } from '../../../src/core/faults.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { join, poll, receive, send, spawn } from '../../../src/model/process.ts'
import { program } from '../../../src/model/program.ts'
import type { Runnable } from '../../../src/program/program.ts'
import { World } from '../../../src/semantics/world.ts'
import { enabledTexts, eventTexts, steps } from './worlds.ts'

function subject(faults: FaultBudget, main: () => Generator<unknown, unknown, unknown>): Runnable {
  const view = program('faulty', { faults }, main).views.runnable
  if (view === undefined) throw new Error('programs are runnable')
  return view(settingFrom({ params: {}, network: 'fifo', faults }))
}

function* listener() {
  yield* receive<string>()
  yield* receive<string>()
}

test('a lost message holds nothing back', () => {
  const world = new World(
    subject({ losses: 1 }, function* () {
      const other = yield* spawn('other', listener)
      yield* send(other, 'first')
      yield* send(other, 'second')
    }),
  )
  steps(world, 'main')
  world.take({ kind: 'lose', process: 'main' })
  steps(world, 'main')
  expect(enabledTexts(world)).toEqual(['other receives #1'])
})

test('a duplicated message is received twice, and the budget ends', () => {
  const world = new World(
    subject({ duplicates: 1 }, function* () {
      const other = yield* spawn('other', listener)
      yield* send(other, 'first')
      yield* send(other, 'second')
    }),
  )
  steps(world, 'main')
  world.take({ kind: 'duplicate', process: 'main' })
  expect(enabledTexts(world), 'the copy comes first, and is not duplicated again').toEqual([
    'main steps',
    'other receives #0',
  ])
  steps(world, 'main')
  expect(enabledTexts(world), 'nothing is left to go wrong').toEqual(['main steps', 'other receives #0'])
  world.take({ kind: 'deliver', process: 'other', message: 0 })
  expect(enabledTexts(world)).toEqual(['main steps', 'other receives #1'])
})

test('a crashed process has ended, and is neither waited for nor blocked', () => {
  const world = new World(
    subject({ crashes: 1 }, function* () {
      yield* join(yield* spawn('other', listener))
    }),
  )
  steps(world, 'main')
  expect(enabledTexts(world)).toEqual(['other: crash'])
  expect(world.moves(), 'nothing has to go wrong: it may end here').toEqual([])
  expect(world.isBlocked()).toBe(true)
  world.take({ kind: 'crash', process: 'other' })
  steps(world, 'main')
  expect(world.isBlocked()).toBe(false)
  expect(world.ending().processes.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'main returned',
    'other crashed',
  ])
})

test('a process that restarts keeps what it has not received, and spawns new processes', () => {
  const world = new World(
    subject({ crashes: 1, restarts: 1 }, function* () {
      const other = yield* spawn('other', function* () {
        yield* spawn('helper', { crashes: false }, function* () {})
        yield* listener()
      })
      yield* send(other, 'first')
    }),
  )
  steps(world, 'main')
  expect(enabledTexts(world), 'nothing was done that a restart could repeat').not.toContain('other: restart')
  steps(world, 'other', 'main')
  world.take({ kind: 'restart', process: 'other' })
  steps(world, 'other')
  expect(enabledTexts(world)).toEqual(['other receives #0'])
  expect(eventTexts(world.events)).toContain('other spawns other/helper#2')
})

test('a partition keeps messages from being received until it heals', () => {
  const world = new World(
    subject({ partitions: 1 }, function* () {
      const other = yield* spawn('other', function* () {
        yield* poll<string>()
        yield* receive<string>()
      })
      yield* send(other, 'first')
    }),
  )
  steps(world, 'main')
  expect(enabledTexts(world), 'a partition that keeps nothing is none').toEqual([
    'main steps',
    'other receives nothing',
  ])
  steps(world, 'main')
  world.take({ kind: 'partition', process: 'other' })
  expect(enabledTexts(world)).toEqual(['other receives nothing', 'other: heal'])
  world.take({ kind: 'timeout', process: 'other' })
  expect(world.moves()).toEqual([])
  expect(world.ending().processes[1]?.waiting?.inbox).toEqual([])
  world.take({ kind: 'heal', process: 'other' })
  expect(enabledTexts(world), 'the budget is used up').toEqual(['other receives #0'])
})

test('processes spawned not to crash do not, nor does main', () => {
  const world = new World(
    subject({ crashes: 1 }, function* () {
      yield* spawn('sturdy', { crashes: false }, listener)
      yield* spawn('other', listener)
    }),
  )
  steps(world, 'main', 'main')
  expect(enabledTexts(world)).toEqual(['other: crash'])
})
