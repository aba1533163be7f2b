import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../src/core/operation.ts'
import { Random } from '../../../src/core/random.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { announce, assert, choose, poll, receive, self, send, spawn } from '../../../src/model/process.ts'
import type { Path } from '../../../src/program/path.ts'
import { pathsOf } from '../../../src/semantics/world-path.ts'
import { decisionText, eventTexts, runnable } from './worlds.ts'

/** Everything a path says. */
function seen(path: Path): unknown {
  return {
    enabled: path.enabled().map(decisionText),
    events: eventTexts(path.events()),
    violations: path.violations().map(({ message }) => message),
    ending: path.ending(),
    shown: path.shown(),
    key: path.key(),
  }
}

function takeAll(path: Path, decisions: readonly Decision[]): Path {
  for (const decision of decisions) path.take(decision)
  return path
}

const busy = (network: NetworkName = 'fifo') =>
  runnable(function* () {
    const main = yield* self()
    for (const name of ['a', 'b']) {
      yield* spawn(name, function* () {
        yield* send(main, yield* choose([1, 2]))
        yield* send(main, 3)
      })
    }
    yield* poll()
    const got = yield* receive<number>()
    yield* assert(got !== 2, 'got 2')
    yield* receive()
  }, network)

describe('going back', () => {
  test.each(['bag', 'fifo', 'causal', 'mailbox'] as const)('leads to where the path was, under %s', (network) => {
    const paths = pathsOf(busy(network))
    for (let seed = 0; seed < 20; seed++) {
      const random = new Random(seed)
      const path = paths.begin()
      const decisions: Decision[] = []
      for (let step = 0; step < 60; step++) {
        const enabled = path.enabled()
        if (enabled.length === 0 || (decisions.length > 0 && random.below(3) === 0)) {
          path.back()
          decisions.pop()
        } else {
          const decision = random.pick(enabled)
          path.take(decision)
          decisions.push(decision)
        }
        expect(seen(path)).toEqual(seen(takeAll(paths.begin(), decisions)))
      }
    }
  })

  test('is a diagnostic when the program does not repeat itself', () => {
    let runs = 0
    const path = pathsOf(
      runnable(function* () {
        yield* choose(runs++ === 0 ? [0, 1] : [0])
        yield* choose([0])
      }),
    ).begin()
    path.take({ kind: 'choose', process: 'main', option: 1 })
    path.take({ kind: 'choose', process: 'main', option: 0 })
    path.back()
    expect(() => path.enabled()).toThrow('E201')
  })

  test('goes no further than to the beginning', () => {
    expect(() => pathsOf(busy()).begin().back()).toThrow('no further than to its beginning')
  })
})

describe('what comes about by a decision', () => {
  test('is what take gives, and what comes before the first is among all events', () => {
    const path = pathsOf(
      runnable(function* () {
        yield* choose([0])
        yield* assert(false, 'at once')
      }),
    ).begin()
    expect(path.events()).toEqual([])
    expect(eventTexts(path.take({ kind: 'choose', process: 'main', option: 0 }))).toEqual([
      'main chooses 0',
      'main fails: at once',
    ])
  })
})

/** What can follow each state of all executions, by key, however the state is reached. */
function futures(network: NetworkName): Map<string, Set<string>> {
  const path = pathsOf(busy(network)).begin()
  const found = new Map<string, Set<string>>()
  const after = <T>(decision: Decision, look: () => T): T => {
    path.take(decision)
    const result = look()
    path.back()
    return result
  }
  const visit = () => {
    const key = path.key() as string
    const enabled = path.enabled()
    const next = enabled.map((decision) => after(decision, () => `${decision.kind} ${decision.process} ${path.key()}`))
    const known = found.get(key)
    found.set(key, (known ?? new Set()).add(next.sort().join('\n')))
    if (known === undefined) for (const decision of enabled) after(decision, visit)
  }
  visit()
  return found
}

describe('keys', () => {
  test('do not depend on the order of what is independent', () => {
    const [first, second] = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((order) => {
      const path = takeAll(pathsOf(busy('bag')).begin(), [
        { kind: 'step', process: 'main' },
        { kind: 'step', process: 'main' },
      ])
      for (const process of order) path.take({ kind: 'choose', process, option: 0 })
      for (const process of order) path.take({ kind: 'step', process })
      return path.key()
    })
    expect(first).toBe(second)
  })

  test('tell mailboxes apart by the order of sending', () => {
    const keys = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((order) => {
      const path = takeAll(pathsOf(busy('mailbox')).begin(), [
        { kind: 'step', process: 'main' },
        { kind: 'step', process: 'main' },
      ])
      for (const process of ['a', 'b']) path.take({ kind: 'choose', process, option: 0 })
      for (const process of order) path.take({ kind: 'step', process })
      return path.key()
    })
    expect(new Set(keys).size).toBe(2)
  })

  test('tell apart what comes after an unread message of the causal network, and what does not', () => {
    const subject = runnable(function* () {
      const c = yield* spawn('c', function* () {
        yield* receive()
      })
      const b = yield* spawn('b', function* () {
        yield* receive()
        yield* send(c, 'y')
        yield* receive()
      })
      yield* spawn('a', function* () {
        yield* send(c, 'x')
        yield* send(b, 'go')
      })
      yield* send(b, 'go')
    }, 'causal')
    const step = (process: string): Decision => ({ kind: 'step', process })
    const [fromMain, fromA] = [2, 1].map((first): Path => {
      const second = 3 - first
      // Messages: x is 0, a's go is 1, main's is 2.
      const path = takeAll(pathsOf(subject).begin(), [step('main'), step('main'), step('main')])
      takeAll(path, [step('a'), step('a'), step('main')])
      path.take({ kind: 'deliver', process: 'b', message: first })
      path.take(step('b'))
      path.take({ kind: 'deliver', process: 'b', message: second })
      return path
    }) as [Path, Path]
    expect(fromMain.enabled().map(decisionText)).toEqual(['c receives #0', 'c receives #3'])
    expect(fromA.enabled().map(decisionText)).toEqual(['c receives #0'])
    expect(fromA.key()).not.toBe(fromMain.key())
  })

  test('tell values apart that a reader can tell apart', () => {
    const subject = runnable(function* () {
      const main = yield* self<Map<string, number>>()
      const isFirst = yield* choose([true, false])
      for (const name of ['a', 'b']) {
        yield* spawn(name, function* () {
          const entries: [string, number][] = [
            ['x', 1],
            ['y', 2],
          ]
          yield* send(main, new Map(name === 'a' ? entries : entries.reverse()))
        })
      }
      const map = yield* receive<Map<string, number>>()
      if (isFirst) yield* announce([...map.keys()])
    }, 'bag')
    const keys = [0, 1].map((message) =>
      takeAll(pathsOf(subject).begin(), [
        { kind: 'choose', process: 'main', option: 0 },
        { kind: 'step', process: 'main' },
        { kind: 'step', process: 'main' },
        { kind: 'step', process: 'a' },
        { kind: 'step', process: 'b' },
        { kind: 'deliver', process: 'main', message },
      ]).key(),
    )
    expect(new Set(keys).size).toBe(2)
  })

  test.each(['bag', 'fifo', 'causal', 'mailbox'] as const)('are equal only for equal futures, under %s', (network) => {
    const found = futures(network)
    expect(found.size).toBeGreaterThan(50)
    expect([...found.values()].filter(({ size }) => size > 1)).toEqual([])
  })
})
