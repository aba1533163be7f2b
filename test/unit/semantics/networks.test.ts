import { describe, expect, test } from 'vitest'
import { type NetworkName, networkNames } from '../../../src/core/operation.ts'
import { Address } from '../../../src/core/value.ts'
import { join, receive, send, spawn } from '../../../src/model/process.ts'
import { deliverableTo, steps, worldOf } from './worlds.ts'

const main = Address.of<unknown>('main')

function* sender(...values: readonly unknown[]) {
  for (const value of values) yield* send(main, value)
}

describe('two messages of one sender', () => {
  const delivered = (network: NetworkName) => {
    const world = worldOf(function* () {
      yield* spawn('a', sender, 0, 1)
      yield* receive()
    }, network)
    steps(world, 'main', 'a', 'a')
    return deliverableTo(world, 'main')
  }

  test('overtake each other in a bag only', () => {
    expect(networkNames.map(delivered)).toEqual([[0, 1], [0], [0], [0], [0]])
  })
})

describe('two messages of unrelated senders', () => {
  const delivered = (network: NetworkName) => {
    const world = worldOf(function* () {
      yield* spawn('a', sender, 'from a')
      yield* spawn('b', sender, 'from b')
      yield* receive()
    }, network)
    steps(world, 'main', 'main', 'b', 'a')
    return deliverableTo(world, 'main')
  }

  test('keep their sending order in a mailbox only', () => {
    expect(networkNames.map(delivered)).toEqual([[0, 1], [0, 1], [0, 1], [0], [0, 1]])
  })
})

describe('a message sent because of another', () => {
  // a tells main, then b; b, being told, tells main too.
  function* relay() {
    yield* receive()
    yield* send(main, 'second')
  }
  const delivered = (network: NetworkName) => {
    const world = worldOf(function* () {
      const b = yield* spawn('b', relay)
      yield* spawn('a', function* () {
        yield* send(main, 'first')
        yield* send(b, 'go on')
      })
      yield* receive()
      yield* receive()
    }, network)
    steps(world, 'main', 'main', 'a', 'a')
    const decision = { kind: 'deliver', process: 'b', message: 1 } as const
    if (!world.allows(decision)) throw new Error('not even the message in between can be delivered')
    world.take(decision)
    steps(world, 'b')
    return world
  }

  test('may arrive first unless the network is causal or a mailbox', () => {
    const networks = ['bag', 'fifo', 'causal', 'mailbox'] as const
    expect(networks.map((network) => deliverableTo(delivered(network), 'main'))).toEqual([[0, 2], [0, 2], [0], [0]])
  })

  test('cannot have been sent while the first is at the head of a sender queue', () => {
    expect(() => delivered('sender-queue')).toThrow('not even the message in between')
  })

  test('may be taken once the first was', () => {
    const world = delivered('causal')
    world.take({ kind: 'deliver', process: 'main', message: 0 })
    expect(deliverableTo(world, 'main')).toEqual([2])
  })
})

test('a spawn carries causality: what the parent sent before comes before what the child sends', () => {
  const world = worldOf(function* () {
    const sink = yield* spawn('sink', function* () {
      yield* receive()
    })
    yield* send(sink, 'parent')
    yield* spawn('child', function* () {
      yield* send(sink, 'child')
    })
  }, 'causal')
  steps(world, 'main', 'main', 'main', 'child')
  expect(deliverableTo(world, 'sink')).toEqual([0])
})

test('a join carries causality: what a process sent comes before what is sent after its end', () => {
  const world = worldOf(function* () {
    const sink = yield* spawn('sink', function* () {
      yield* receive()
    })
    const child = yield* spawn('child', function* () {
      yield* send(sink, 'child')
    })
    yield* join(child)
    yield* send(sink, 'parent')
  }, 'causal')
  steps(world, 'main', 'main', 'child', 'main', 'main')
  expect(deliverableTo(world, 'sink')).toEqual([0])
})

describe('a message that the receive does not take', () => {
  test('holds up its sender in a sender queue', () => {
    const world = worldOf(function* () {
      yield* spawn('a', sender, { kind: 'no' }, { kind: 'yes' })
      yield* receive('yes')
    }, 'sender-queue')
    steps(world, 'main', 'a', 'a')
    expect(deliverableTo(world, 'main')).toEqual([])
  })

  test.each(networkNames.filter((name) => name !== 'sender-queue'))('holds nothing back under %s', (network) => {
    const world = worldOf(function* () {
      yield* spawn('a', sender, { kind: 'no' }, { kind: 'yes' })
      yield* receive('yes')
    }, network)
    steps(world, 'main', 'a', 'a')
    expect(deliverableTo(world, 'main')).toEqual([1])
  })
})

describe('messages of different networks', () => {
  const delivered = (first: NetworkName, second: NetworkName) => {
    const world = worldOf(function* () {
      yield* spawn('a', function* () {
        yield* send(main, 1, { network: first })
        yield* send(main, 2, { network: second })
      })
      yield* receive()
    })
    steps(world, 'main', 'a', 'a')
    return deliverableTo(world, 'main')
  }

  test('never hold each other back, while messages of one network do', () => {
    for (const first of networkNames) {
      for (const second of networkNames) {
        expect(delivered(first, second)).toEqual(first === second && first !== 'bag' ? [0] : [0, 1])
      }
    }
  })

  test('carry causality to each other: a bag message makes two causal ones dependent', () => {
    const world = worldOf(function* () {
      const b = yield* spawn('b', function* () {
        yield* receive()
        yield* send(main, 'second', { network: 'causal' })
      })
      yield* spawn('a', function* () {
        yield* send(main, 'first', { network: 'causal' })
        yield* send(b, 'go on', { network: 'bag' })
      })
      yield* receive()
    })
    steps(world, 'main', 'main', 'a', 'a')
    world.take({ kind: 'deliver', process: 'b', message: 1 })
    steps(world, 'b')
    expect(deliverableTo(world, 'main')).toEqual([0])
  })
})
