import { describe, expect, test } from 'vitest'
import { Address } from '../../../src/core/value.ts'
import { final } from '../../../src/model/final.ts'
import { announce, assert, assume, choose, join, poll, receive, self, send, spawn } from '../../../src/model/process.ts'
import { monitor } from '../../../src/model/program.ts'
import { deliverableTo, enabledTexts, eventTexts, runOut, steps, worldOf } from './worlds.ts'

function* nothing() {}

describe('receive and poll', () => {
  test('a receive without a message waits; a send to oneself ends the waiting', () => {
    const world = worldOf(function* () {
      yield* spawn('a', nothing)
      yield* send(yield* self(), 'note')
      return yield* receive()
    })
    steps(world, 'main')
    expect(enabledTexts(world)).toEqual(['main steps'])
    steps(world, 'main')
    expect(enabledTexts(world)).toEqual(['main receives #0'])
    runOut(world)
    expect(world.ending().processes[0]).toMatchObject({ id: 'main', status: 'returned', value: 'note' })
  })

  test('a poll may find nothing even when a message is there', () => {
    const world = worldOf(function* () {
      yield* send(yield* self(), 'note')
      return { found: yield* poll() }
    })
    steps(world, 'main')
    expect(enabledTexts(world)).toEqual(['main receives nothing', 'main receives #0'])
    world.take({ kind: 'timeout', process: 'main' })
    expect(eventTexts(world.events)).toEqual(['main sends #0 to main', 'main times out'])
    expect(world.ending().processes).toMatchObject([{ id: 'main', status: 'returned', value: { found: undefined } }])
    expect(world.isBlocked()).toBe(false)
  })

  test('a filter that throws takes the message, and its process fails', () => {
    const world = worldOf(function* () {
      yield* send(yield* self(), null)
      yield* receive((message: { readonly deep: { readonly field: boolean } }) => message.deep.field)
    })
    steps(world, 'main')
    expect(enabledTexts(world)).toEqual(['main receives #0'])
    world.take({ kind: 'deliver', process: 'main', message: 0 })
    expect(world.enabled()).toEqual([])
    expect(world.violations).toMatchObject([
      {
        kind: 'exception',
        process: 'main',
        message: expect.stringMatching(/^exception in the filter of a receive: TypeError: Cannot/),
      },
    ])
  })
})

test('a choice enables one decision per option and answers with the option', () => {
  const world = worldOf(function* () {
    return yield* choose(['heads', 'tails', 'edge'])
  })
  expect(enabledTexts(world)).toEqual(['main chooses option 0', 'main chooses option 1', 'main chooses option 2'])
  world.take({ kind: 'choose', process: 'main', option: 2 })
  expect(world.ending().processes[0]?.value).toBe('edge')
  expect(world.events).toMatchObject([
    { kind: 'choose', process: 'main', index: 0, option: 2, options: 3, value: 'edge' },
  ])
})

describe('spawn and join', () => {
  test('a join is enabled when its process has returned, not before', () => {
    const world = worldOf(function* () {
      const child = yield* spawn('child', function* () {
        yield* choose([0])
      })
      yield* join(child)
    })
    steps(world, 'main')
    expect(enabledTexts(world)).toEqual(['child chooses option 0'])
    world.take({ kind: 'choose', process: 'child', option: 0 })
    expect(enabledTexts(world)).toEqual(['main steps'])
    runOut(world)
    expect(eventTexts(world.events)).toEqual(['main spawns child', 'child chooses 0', 'main joins child'])
  })

  test('a join waits for ever for a process that failed or was stopped', () => {
    const world = worldOf(function* () {
      const stopped = yield* spawn('stopped', function* () {
        yield* assume(false)
      })
      yield* join(stopped)
    })
    runOut(world)
    expect(world.ending().processes).toMatchObject([
      { id: 'main', status: 'waiting', waiting: { forWhat: 'the end of stopped' } },
      { id: 'stopped', status: 'stopped' },
    ])
  })

  test('ids name the parent and count repeated names, whoever spawns first', () => {
    function* parent() {
      yield* spawn('child', nothing)
      yield* spawn('child', nothing)
    }
    const ids = (...order: readonly string[]) => {
      const world = worldOf(function* () {
        yield* spawn('a', parent)
        yield* spawn('b', parent)
        yield* spawn('a', nothing)
      })
      steps(world, ...order)
      return world.ending().processes.map(({ id }) => id)
    }
    const expected = ['a', 'a#2', 'a/child', 'a/child#2', 'b', 'b/child', 'b/child#2', 'main']
    expect(ids('main', 'main', 'main', 'a', 'a', 'b', 'b').sort()).toEqual(expected)
    expect(ids('main', 'main', 'b', 'b', 'a', 'main', 'a').sort()).toEqual(expected)
  })

  test('a child may be named like a monitor or like main', () => {
    const watcher = monitor('watcher', { observes: [] }, nothing)
    const world = worldOf(
      function* () {
        yield* spawn('watcher', nothing)
        yield* spawn('main', nothing)
      },
      'fifo',
      [watcher],
    )
    runOut(world)
    expect(world.ending().processes.map(({ id }) => id)).toEqual(['watcher', 'main', 'watcher#2', 'main#2'])
  })
})

describe('how processes end', () => {
  test('a false assumption stops its process only; the execution is blocked and no deadlock', () => {
    const world = worldOf(function* () {
      yield* spawn('a', function* () {
        yield* assume(false)
        yield* assert(false)
      })
      yield* choose([0])
    })
    runOut(world)
    expect(eventTexts(world.events)).toEqual(['main spawns a', 'a stops', 'main chooses 0'])
    expect(world.isBlocked()).toBe(true)
    expect(world.violations).toEqual([])
    expect(world.endViolations()).toEqual([])
  })

  test('a failed assertion is a violation, and the other processes go on', () => {
    const world = worldOf(function* () {
      yield* spawn('a', function* () {
        yield* choose([0])
        yield* assert(false, 'never')
      })
      yield* choose([0])
      return 'done'
    })
    steps(world, 'main')
    world.take({ kind: 'choose', process: 'a', option: 0 })
    expect(world.violations).toMatchObject([{ kind: 'assertion', property: 'never', message: 'never', process: 'a' }])
    expect(enabledTexts(world)).toEqual(['main chooses option 0'])
    runOut(world)
    expect(eventTexts(world.events).slice(-2)).toEqual(['a fails: never', 'main chooses 0'])
    expect(world.ending().processes).toMatchObject([
      { id: 'main', status: 'returned', value: 'done' },
      { id: 'a', status: 'failed' },
    ])
    expect(world.isBlocked()).toBe(true)
  })

  test('a passed assertion is no event', () => {
    const world = worldOf(function* () {
      yield* assert(true)
      yield* assume(true)
    })
    expect(world.events).toEqual([])
    expect(world.isBlocked()).toBe(false)
  })

  test('an exception in a process is a violation', () => {
    const world = worldOf(function* () {
      yield* choose([0])
      throw new RangeError('too far')
    })
    runOut(world)
    expect(world.violations).toMatchObject([{ kind: 'exception', message: 'RangeError: too far', process: 'main' }])
  })

  test('a deadlock says who waits for what, with what lies in the inbox', () => {
    const world = worldOf(function* () {
      const b = yield* spawn('b', function* () {
        yield* receive<{ readonly kind: 'ack' | 'nack'; readonly term: number }>('ack')
      })
      yield* send(b, { kind: 'nack', term: 3 })
      yield* join(b)
    })
    runOut(world)
    expect(world.endViolations()).toEqual([
      {
        kind: 'deadlock',
        property: 'no deadlock',
        message: 'b waits for a message of kind "ack"; main waits for the end of b',
        waiting: [
          { process: 'b', forWhat: 'a message of kind "ack"', inbox: ['nack{term: 3}'], stack: undefined },
          { process: 'main', forWhat: 'the end of b', inbox: [], stack: undefined },
        ],
      },
    ])
  })

  test('a daemon that waits is neither blocked nor deadlocked', () => {
    const world = worldOf(function* () {
      yield* spawn('server', { daemon: true }, function* () {
        for (;;) yield* receive()
      })
    })
    runOut(world)
    expect(world.isBlocked()).toBe(false)
    expect(world.endViolations()).toEqual([])
  })

  test('a final condition sees what the processes returned', () => {
    const sum = final('sum', ({ returned }) => returned.get('a') === 1 || `a returned ${returned.get('a')}`)
    const world = worldOf(
      function* () {
        yield* spawn('a', function* () {
          return yield* choose([1, 2])
        })
      },
      'fifo',
      [sum],
    )
    steps(world, 'main')
    world.take({ kind: 'choose', process: 'a', option: 1 })
    expect(world.endViolations()).toEqual([{ kind: 'final', property: 'sum', message: 'a returned 2' }])
  })
})

describe('monitors', () => {
  test('are told before a send and after a receive', () => {
    const watcher = monitor('watcher', { observes: () => true }, nothing)
    const world = worldOf(
      function* () {
        yield* send(yield* self(), 'note')
        yield* receive()
        yield* announce('done')
      },
      'fifo',
      [watcher],
    )
    runOut(world)
    expect(eventTexts(world.events)).toEqual([
      'main notifies #0 to watcher',
      'main sends #1 to main',
      'main receives #1',
      'main notifies #2 to watcher',
      'main notifies #3 to watcher',
    ])
    const told = world.events.flatMap((event) => (event.kind === 'send' && event.notification ? [event.value] : []))
    const me = Address.of('main')
    expect(told).toEqual([
      { kind: 'send', from: me, to: me, message: 'note' },
      { kind: 'receive', by: me, message: 'note' },
      { kind: 'announce', by: me, message: 'done' },
    ])
  })

  test('are not told of a timeout, nor of what they do not observe', () => {
    const watcher = monitor('watcher', { observes: ['alarm'] }, nothing)
    const world = worldOf(
      function* () {
        yield* poll()
        yield* send(yield* self(), { kind: 'note' })
        yield* announce({ kind: 'note' })
        yield* announce({ kind: 'alarm' })
      },
      'fifo',
      [watcher],
    )
    world.take({ kind: 'timeout', process: 'main' })
    runOut(world)
    expect(eventTexts(world.events)).toEqual(['main times out', 'main sends #0 to main', 'main notifies #1 to watcher'])
  })

  test('are told in causal order, whatever the network of the program', () => {
    const watcher = monitor('watcher', { observes: () => true }, function* () {
      for (;;) yield* receive()
    })
    const world = worldOf(
      function* () {
        const b = yield* spawn('b', function* () {
          yield* receive()
        })
        yield* send(b, 'go')
      },
      'bag',
      [watcher],
    )
    // main tells the watcher, then b; b tells the watcher after it has received: the watcher hears of the send first.
    steps(world, 'main', 'main', 'main')
    world.take({ kind: 'deliver', process: 'b', message: 1 })
    steps(world, 'b')
    expect(deliverableTo(world, 'watcher')).toEqual([0])
  })

  test('fail as monitors, and their waiting is no deadlock', () => {
    const watcher = monitor('watcher', { observes: ['alarm'] }, function* () {
      yield* receive()
      yield* assert(false, 'alarm raised')
    })
    const raise = function* () {
      yield* announce({ kind: yield* choose(['alarm', 'note']) })
    }
    const world = worldOf(raise, 'fifo', [watcher])
    world.take({ kind: 'choose', process: 'main', option: 1 })
    expect(world.enabled()).toEqual([])
    expect(world.isBlocked()).toBe(false)
    expect(world.endViolations()).toEqual([])
    const alarmed = worldOf(raise, 'fifo', [watcher])
    runOut(alarmed)
    expect(alarmed.violations).toMatchObject([{ kind: 'monitor', message: 'alarm raised', process: 'watcher' }])
  })

  test('are told of a received message that is undefined', () => {
    const watcher = monitor('watcher', { observes: ({ kind }) => kind === 'receive' }, nothing)
    const world = worldOf(
      function* () {
        yield* send(yield* self(), undefined)
        yield* receive()
      },
      'fifo',
      [watcher],
    )
    runOut(world)
    expect(eventTexts(world.events)).toEqual([
      'main sends #0 to main',
      'main receives #0',
      'main notifies #1 to watcher',
    ])
  })
})

test('a message to a process that has not begun yet waits for it', () => {
  const world = worldOf(function* () {
    yield* send(Address.of<string>('late'), 'early')
    yield* spawn('late', function* () {
      return yield* receive<string>()
    })
  })
  steps(world, 'main', 'main')
  expect(deliverableTo(world, 'late')).toEqual([0])
})
