import { expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { unitFormat } from '../../../../src/core/verdict.ts'
import { dpor } from '../../../../src/engines/dpor/dpor.ts'
import type { DporOptions } from '../../../../src/engines/dpor/options.ts'
import type { EngineEvent, Options, WorkUnit } from '../../../../src/engines/engine.ts'
import {
  type Address,
  assert,
  assume,
  choose,
  join,
  type NetworkName,
  type Program,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../../src/index.ts'
import { deadlockFreedom } from '../../../../src/properties/deadlock.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'

const rootUnit: WorkUnit = { format: unitFormat, engine: 'dpor', state: { processes: [], events: [], weight: 1 } }
const setting: Options = { seed: 1, schedule: 'sends-first', eager: false, samples: 0, depth: 0 }

function subjectOf(of: Program, network: NetworkName = 'fifo', params = of.params) {
  const runnable = of.views.runnable
  if (runnable === undefined) throw new Error('no runnable view')
  const view = runnable(settingFrom({ params, network }))
  return { ...view, properties: [...view.properties, deadlockFreedom] }
}

function explored(of: Program, network: NetworkName = 'fifo', changes: Options = {}): EngineEvent[] {
  return [...dpor.explore(subjectOf(of, network), { ...setting, ...changes })]
}

function counts(events: readonly EngineEvent[]): string {
  const executions = events.filter((event) => event.kind === 'execution')
  const blocked = executions.filter((event) => event.blocked).length
  return `${executions.length - blocked}/${blocked}`
}

function* sender(to: Address<number>, value: number) {
  yield* send(to, value)
}

const race = program('race', { params: { n: 3 } }, function* ({ n }) {
  const receiver = yield* spawn('receiver', function* () {
    for (let i = 0; i < n; i++) yield* receive<number>()
  })
  for (let i = 0; i < n; i++) yield* spawn(`sender ${i}`, sender, receiver, i)
})

test.each(['sends-first', 'left-to-right', 'right-to-left', 'random'] as const)(
  'three senders and three receives have 3! executions whatever the schedule (%s)',
  (schedule: DporOptions['schedule']) => {
    for (let seed = 0; seed < 10; seed++) expect(counts(explored(race, 'fifo', { schedule, seed }))).toBe('6/0')
  },
)

test('two sends by one process, two receives: two executions under bag, one under fifo', () => {
  const pair = program('pair', function* () {
    const receiver = yield* spawn('receiver', function* () {
      yield* receive()
      yield* receive()
    })
    yield* send(receiver, 1)
    yield* send(receiver, 2)
  })
  expect(counts(explored(pair, 'bag'))).toBe('2/0')
  expect(counts(explored(pair, 'fifo'))).toBe('1/0')
})

test('the eager variant tells orders of unread messages apart: 4! instead of 4', () => {
  const one = program('one', function* () {
    const receiver = yield* spawn('receiver', function* () {
      yield* receive<number>()
    })
    for (let i = 0; i < 4; i++) yield* spawn(`sender ${i}`, sender, receiver, i)
  })
  expect(counts(explored(one))).toBe('4/0')
  expect(counts(explored(one, 'fifo', { eager: true }))).toBe('24/0')
})

test('the explored share reaches 1 at the last execution, not before', () => {
  const shares = explored(race, 'bag', { schedule: 'right-to-left' }).flatMap((event) =>
    event.kind === 'execution' ? [event.explored] : [],
  )
  expect(shares.at(-1)).toBeCloseTo(1, 9)
  expect(shares.slice(0, -1).every((share) => share < 0.999)).toBe(true)
})

test('a failed assertion is reported once with its causal past only, and the search goes on', () => {
  const failing = program('failing', function* () {
    const main = yield* self<number>()
    yield* spawn('bystander', function* () {
      yield* send(yield* self<number>(), 7)
    })
    yield* spawn('a', sender, main, 1)
    yield* spawn('b', sender, main, 2)
    const first = yield* receive<number>()
    yield* assert(first === 1, 'a is first')
  })
  const events = explored(failing)
  const violations = events.filter((event) => event.kind === 'violation')
  expect(violations.map((event) => event.violation.message)).toEqual(['a is first'])
  expect(counts(events)).toBe('1/1')
  const [violation] = violations
  expect(violation?.decisions.map((decision) => decision.process)).not.toContain('bystander')
  const replayed = replay(pathsOf(subjectOf(failing)), violation?.decisions ?? [], { places: false })
  expect(violation && reproduced(replayed, violation.violation)?.property).toBe('a is first')
})

test('a send added after a failure still revisits what led to it', () => {
  // Scheduled left to right, main fails on its own message before the other send exists.
  const late = program('late', function* () {
    const main = yield* self<number>()
    yield* spawn('late', sender, main, 2)
    yield* send(main, 1)
    yield* assert((yield* receive<number>()) === 2, 'the late one wins')
  })
  const events = explored(late, 'fifo', { schedule: 'left-to-right' })
  expect(counts(events)).toBe('1/1')
})

test('a deadlock names who waits for what', () => {
  const stuck = program('stuck', function* () {
    const other = yield* spawn('other', function* () {
      yield* receive<{ kind: 'go' }>('go')
    })
    yield* send(other, { kind: 'go' })
    yield* join(yield* spawn('waiter', { daemon: true }, () => waitFor('ack')))
  })
  function* waitFor(kind: string) {
    yield* receive(kind)
  }
  const violations = explored(stuck).filter((event) => event.kind === 'violation')
  expect(violations.map((event) => event.violation.message)).toEqual(['main waits for the end of waiter'])
})

test('a stopped process makes the execution blocked and is no deadlock', () => {
  const picky = program('picky', function* () {
    yield* assume((yield* choose([1, 2, 3])) === 2)
  })
  const events = explored(picky)
  expect(counts(events)).toBe('1/2')
  expect(events.filter((event) => event.kind === 'violation')).toEqual([])
})

test('a search surrendered after any number of executions and finished from its units explores the same number', () => {
  const total = explored(race, 'bag', { schedule: 'right-to-left' }).length
  for (let after = 1; after < total; after++) {
    const search = dpor.explore(subjectOf(race, 'bag'), { ...setting, schedule: 'right-to-left' })
    let seen = 0
    let step = search.next()
    const units: unknown[] = []
    while (!step.done) {
      if (step.value.kind === 'surplus') units.push(step.value.unit)
      else seen++
      step = search.next(seen === after ? 'surrender' : undefined)
    }
    const rest = units.map((unit) => {
      const copy = JSON.parse(JSON.stringify(unit)) as WorkUnit
      return [...dpor.explore(subjectOf(race, 'bag'), setting, copy)].length
    })
    expect(seen + rest.reduce((sum, each) => sum + each, 0)).toBe(total)
  }
})

test('a search surrendered in the middle of a long execution explores the same from its units', () => {
  const long = program('long', function* () {
    const main = yield* self<number>()
    const sink = yield* spawn('sink', function* () {})
    for (const who of ['a', 'b']) {
      yield* spawn(who, function* () {
        for (let turn = 0; turn < 700; turn++) yield* send(sink, turn)
        yield* send(main, 1)
      })
    }
    yield* receive<number>()
    yield* receive<number>()
  })
  const kinds = (events: readonly EngineEvent[]) => events.filter(({ kind }) => kind === 'execution').length
  const total = kinds(explored(long, 'bag'))
  const search = dpor.explore(subjectOf(long, 'bag'), setting)
  expect(search.next().value).toMatchObject({ kind: 'progress' })
  const units: WorkUnit[] = []
  for (let step = search.next('surrender'); !step.done; step = search.next('surrender')) {
    if (step.value.kind === 'surplus') units.push(JSON.parse(JSON.stringify(step.value.unit)))
  }
  const rest = units.map((unit) => kinds([...dpor.explore(subjectOf(long, 'bag'), setting, unit)]))
  expect(total).toBe(2)
  expect(rest.reduce((sum, each) => sum + each, 0)).toBe(total)
})

test('alternatives to one long execution are one unit', () => {
  const long = program('long', function* () {
    for (let at = 0; at < 100; at++) yield* choose([0, 1, 2])
  })
  const search = dpor.explore(subjectOf(long), setting)
  for (let step = search.next(); step.value?.kind !== 'execution'; step = search.next());
  expect([search.next('surrender').value, search.next('surrender')]).toMatchObject([
    { kind: 'surplus', unit: { state: { events: { length: 100 }, branches: { length: 100 } } } },
    { done: true },
  ])
})

test('saved alternatives that are not those of the events are a diagnostic', () => {
  const mixed = program('mixed', function* () {
    const main = yield* self<number>()
    yield* choose([1, 2])
    yield* send(main, 1)
    yield* receive<number>()
  })
  const codes = (...branches: readonly unknown[]) => {
    const events = [
      [0, 0],
      [0, 0],
      [0, [0, 1]],
    ]
    const state = { processes: ['main'], events, weight: 0.5 * branches.length, branches }
    const unit = { ...rootUnit, state }
    return [...dpor.explore(subjectOf(mixed), setting, unit)].map((event) => event.kind)
  }
  expect(codes([0, 0.5, [1]])).toEqual(['execution'])
  const others = [
    [0, 0.5, [2]],
    [0, 0.5, [null]],
    [1, 0.5, [0]],
    [1, 0.5, [2]],
    [2, 0.5, [null]],
    [2, 0.5, [[0, 0]]],
    [2, 0.5, [[0, 7]]],
    [3, 0.5, [0]],
    [0, 2, [1]],
    [0, 0.5, []],
    [0, 0.4, [1]],
  ]
  for (const one of others) expect([one, codes(one)]).toEqual([one, ['diagnostic']])
})

test('a saved option that the choice does not have is a diagnostic', () => {
  const coin = program('coin', function* () {
    yield* choose([1, 2])
  })
  const unit = { ...rootUnit, state: { processes: ['main'], events: [[0, 2]], weight: 1 } }
  const [event] = [...dpor.explore(subjectOf(coin), setting, unit)]
  expect(event).toMatchObject({ kind: 'diagnostic', diagnostic: { code: 'E405' } })
})

test('a saved receive that reads a message to somebody else is a diagnostic', () => {
  const two = program('two', function* () {
    const main = yield* self<number>()
    const other = yield* spawn('other', function* () {
      yield* receive<number>()
    })
    yield* send(main, 1)
    yield* send(other, 2)
    yield* receive<number>()
  })
  const events = (read: number) => [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, [0, read]],
  ]
  const codes = (read: number) => {
    const unit = { ...rootUnit, state: { processes: ['main'], events: events(read), weight: 1 } }
    return [...dpor.explore(subjectOf(two), setting, unit)].map((event) => event.kind)
  }
  expect(codes(1)).toEqual(['execution'])
  expect(codes(2)).toEqual(['diagnostic'])
})

test('a unit of another engine or a damaged one is a diagnostic', () => {
  const codesOf = (unit: WorkUnit) =>
    [...dpor.explore(subjectOf(race), setting, unit)].map(
      (event) => event.kind === 'diagnostic' && event.diagnostic.code,
    )
  expect(codesOf({ ...rootUnit, engine: 'other' })).toEqual(['E405'])
  expect(codesOf({ ...rootUnit, state: { processes: 1 } })).toEqual(['E405'])
  const main = { processes: ['main'], weight: 1 }
  const damaged = [
    { processes: ['nobody'], events: [[0, 0]], weight: 1 },
    { ...main, events: [null] },
    { ...main, events: [[1, 0]] },
    { ...main, events: [[0, -1]] },
    { ...main, events: [[0, 'x']] },
    { ...main, events: [[0, [0]]] },
    { ...main, events: [[0, [0, 0]]] },
    { ...main, events: [], weight: Number.NaN },
  ]
  for (const state of damaged) expect(codesOf({ ...rootUnit, state })).toEqual(['E405'])
})

/** Whether some order of arrival gives the receiver this list, each message told apart by `look`. */
function canArrive(
  messages: readonly unknown[],
  look: (message: unknown) => string,
  order: readonly string[],
): boolean {
  const watched = program('watched', function* () {
    const receiver = yield* spawn('receiver', function* () {
      const seen: string[] = []
      for (let i = 0; i < messages.length; i++) seen.push(look(yield* receive()))
      yield* assert(seen.join() !== order.join(), 'arrived')
    })
    for (const [at, message] of messages.entries()) {
      yield* spawn(`sender ${at}`, function* () {
        yield* send(receiver, message)
      })
    }
  })
  return explored(watched).some((event) => event.kind === 'violation')
}

test('messages that differ only in the order of fields or items are told apart in every order', () => {
  const messages = [{ k: 0, v: 1 }, { v: 1, k: 0 }, new Set([1, 2]), new Set([2, 1])]
  const look = (message: unknown) => (message instanceof Set ? [...message].join('') : JSON.stringify(message))
  const looks = messages.map(look)
  const orders = permutations(looks)
  expect(orders.filter((order) => !canArrive(messages, look, order))).toEqual([])
})

test('0 and -0 are told apart in every order', () => {
  const look = (message: unknown) => String(Object.is(message, -0))
  expect(canArrive([0, -0], look, ['true', 'false'])).toBe(true)
  expect(canArrive([0, -0], look, ['false', 'true'])).toBe(true)
})

test('equal messages of two senders are two objects, as in the reference semantics', () => {
  const equal = program('equal', function* () {
    const main = yield* self<{ a: number }>()
    for (const name of ['a', 'b']) {
      yield* spawn(name, function* () {
        yield* send(main, { a: 1 })
      })
    }
    const [first, second] = [yield* receive<{ a: number }>(), yield* receive<{ a: number }>()]
    yield* assert(first !== second, 'the same object')
  })
  expect(explored(equal).filter((event) => event.kind === 'violation')).toEqual([])
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

test('a mailbox keeps the order of two sends the second of which waited for the process of the first', () => {
  // Reading `a` second at x and `heir` first at y would be a circle: heir after a, a after second, second after heir.
  const handover = program('handover', function* () {
    const y = yield* spawn('y', { daemon: true }, sink)
    const x = yield* spawn('x', { daemon: true }, sink)
    const a = yield* spawn('a', sender, x, 1)
    yield* spawn('heir', function* () {
      yield* join(a)
      yield* send(y, 2)
    })
    yield* spawn('second', function* () {
      yield* send(y, 3)
      yield* send(x, 3)
    })
  })
  expect(counts(explored(handover, 'mailbox'))).toBe('3/0')
  expect(counts(explored(handover, 'causal'))).toBe('4/0')
})

function* sink() {
  yield* receive<number>()
}
