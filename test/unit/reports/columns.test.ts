import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import type { EndedProcess, Violation } from '../../../src/core/property.ts'
import type { Value } from '../../../src/core/value.ts'
import { columns } from '../../../src/reports/columns.ts'
import type { Picture } from '../../../src/reports/picture-steps.ts'
import { widthOf } from '../../../src/reports/text-width.ts'
import { counterexample } from './executions.ts'
import { election, electionScript, lateWork, lateWorkScript, relay } from './programs.ts'

async function golden(picture: Picture, name: string): Promise<void> {
  await expect(`${columns(picture)}\n`).toMatchFileSnapshot(`./golden/columns-${name}.txt`)
}

describe('pictures', () => {
  test('of two processes', async () => golden(counterexample(relay(2, 'a book')), '2-processes'))

  test('of five processes with long values', async () =>
    golden(counterexample(relay(5, 'a book with a rather long title')), '5-processes'))

  test('of nine processes with long values', async () =>
    golden(counterexample(relay(9, 'a book with a rather long title that fits into no column')), '9-processes'))

  test('of more processes than fit write out the steps of the others', async () =>
    golden(counterexample(relay(14, 'a book')), '14-processes'))

  test('leave out what only concerns monitors that did not fail, and say so', async () => {
    const { events, processes } = counterexample(election(3), { script: electionScript })
    const picture = { events, processes }
    const text = columns(picture)
    expect(text).not.toContain('one leader')
    expect(text).toContain('4 steps that only tell monitors not shown')
    await golden(picture, 'monitor-hidden')
  })
})

/** Rows of the picture, without header and legend. */
function rows(events: readonly Event[], options = {}): readonly string[] {
  return columns({ events, processes: [] }, { legend: false, ...options })
    .split('\n')
    .slice(1)
}

const sent = (process: string, index: number, message: number, to: string, value: Value): Event => ({
  kind: 'send',
  process,
  index,
  message,
  to,
  value,
  network: 'fifo',
  notification: false,
})
const received = (process: string, index: number, message: number, from: string, value: Value): Event => ({
  kind: 'receive',
  process,
  index,
  message,
  from,
  value,
})

test('that a machine is Byzantine is said below, where its column is too narrow', () => {
  const liar = 'source (Byzantine)'
  const picture = (others: number): string => {
    const names = Array.from({ length: others }, (_, at) => `replica ${at} with a long name`)
    const events = names.flatMap((name, at) => [
      sent(liar, 2 * at, at, name, 'a value that takes some room'),
      received(name, 0, at, liar, 'a value that takes some room'),
    ])
    return columns({ events, processes: [] })
  }
  expect(picture(1)).toContain(liar)
  expect(picture(1)).not.toContain('source is Byzantine')
  for (const others of [6, 20]) {
    expect(picture(others).split('\n')[0]).not.toContain(liar)
    expect(picture(others)).toContain('source is Byzantine')
  }
})

describe('rows', () => {
  test('of a message received at once are one arrow', () => {
    const events = [sent('a', 0, 0, 'b', 1), received('b', 0, 0, 'a', 1)]
    expect(rows(events)).toEqual(['   1–2  #0 1 ────▶'])
  })

  test('of a message received later are a short arrow with a name, then a long one', () => {
    const events = [
      sent('a', 0, 0, 'b', 1),
      sent('b', 0, 1, 'a', 2),
      received('b', 1, 0, 'a', 1),
      received('a', 1, 1, 'b', 2),
    ]
    expect(rows(events)).toEqual([
      '   1  #0 1 ─▶ b  │',
      '   2  │          a ◀─ #1 2',
      '   3  ├──────────▶ #0 1',
      '   4  ◀─ #1 2 ───┤',
    ])
  })

  test('of a message nobody received end in a circle', () => {
    expect(rows([sent('a', 0, 0, 'b', 'x')])).toEqual(['   1  #0 "x" ─○ b'])
  })

  test('of a process that sends to itself say so', () => {
    expect(rows([sent('a', 0, 0, 'a', 1), received('a', 1, 0, 'a', 1)])).toEqual([
      '   1  #0 1 ─▶ itself',
      '   2  ▶ #0 1 from itself',
    ])
  })

  test('of polls, choices and stops are in words, and equal polls are folded with their numbers', () => {
    const events: Event[] = [
      { kind: 'timeout', process: 'a', index: 0 },
      { kind: 'timeout', process: 'a', index: 1 },
      { kind: 'timeout', process: 'a', index: 2 },
      { kind: 'choose', process: 'a', index: 3, option: 1, options: 3, value: 'b' },
      { kind: 'stop', process: 'a', index: 4 },
    ]
    expect(rows(events)).toEqual(['   1–3  poll: nothing ×3', '     4  chooses "b" (2 of 3)', '        stops here'])
  })

  test('of what a machine does by itself are one, whether it had one thing to do or several', () => {
    const events: Event[] = [
      { kind: 'timeout', process: 'a', index: 0, instead: { kind: 'crash' } },
      { kind: 'timeout', process: 'a', index: 1, instead: 'acts by itself' },
      { kind: 'choose', process: 'a', index: 2, option: 1, options: 2, value: { kind: 'timer.again' } },
      { kind: 'choose', process: 'a', index: 3, option: 0, options: 2, value: 'x' },
      { kind: 'timeout', process: 'a', index: 4, instead: { kind: 'crash' } },
      { kind: 'choose', process: 'a', index: 5, option: 0, options: 2, value: 'y' },
    ]
    expect(rows(events)).toEqual([
      '     1  crash',
      '   2–3  timer.again',
      '     4  chooses "x" (1 of 2)',
      '     5  crash',
      '     6  chooses "y" (1 of 2)',
    ])
  })

  test('of a process that only spawns and joins are sentences without a column', () => {
    const events: Event[] = [
      { kind: 'spawn', process: 'main', index: 0, child: 'a', daemon: false },
      { kind: 'spawn', process: 'main', index: 1, child: 'b', daemon: true },
      { kind: 'timeout', process: 'a', index: 0 },
      { kind: 'join', process: 'main', index: 2, target: 'a' },
    ]
    expect(rows(events)).toEqual(['   1–2  main spawns a, b', '     3  poll: nothing', '     4  main joins a'])
  })

  test('in ASCII use no other character', () => {
    const events = [sent('a', 0, 0, 'ä', 'größer'), received('ä', 0, 0, 'a', 'größer')]
    expect(rows(events, { ascii: true })).toEqual(['   1-2  #0 "gr\\u{f6}\\u{df}er" ---->'])
  })

  test('of a long execution are left out in the middle, and how many is said', () => {
    const events = Array.from({ length: 1500 }, (_, index) => sent('a', index, index, 'b', index))
    const lines = rows(events, { maxRows: 8 })
    expect(lines).toHaveLength(9)
    expect(lines[2]?.trim()).toBe('… 1,492 rows left out …')
    expect(lines[8]?.trim()).toBe('1500  #1499 1499 ─○ b')
  })

  test('of a long execution that goes round are shown once, and how often is said', () => {
    const round = (index: number) => [
      sent('a', 2 * index, 2 * index, 'b', 'left'),
      sent('a', 2 * index + 1, 2 * index + 1, 'b', 'right'),
    ]
    const events = [sent('a', 0, 0, 'b', 'first'), ...Array.from({ length: 500 }, (_, index) => round(index)).flat()]
    expect(rows(events, { maxRows: 20 }).map((line) => line.trim())).toEqual([
      '1  #0 "first" ─○ b',
      '2  #0 "left" ─○ b',
      '3  #1 "right" ─○ b',
      '… these 2 rows 500 times, one after the other …',
    ])
    expect(rows(events.slice(0, 9), { maxRows: 20 })).toHaveLength(9)
  })

  test('show where a step was asked for when there is room', () => {
    const events = [sent('a', 0, 0, 'b', 1), received('b', 0, 0, 'a', 1)]
    const places = new Map(events.map((event, at) => [event, { file: 'x/y.ts', line: at + 5, column: 1 }]))
    expect(rows(events, { places })).toEqual(['   1–2  #0 1 ────▶   line 5'])
  })
})

test('a column ends where its process ended', () => {
  const found = counterexample(lateWork, { script: lateWorkScript })
  const [last] = columns(found, { legend: false }).split('\n').slice(-1)
  // client and supervisor returned after their only send.
  expect(last).toBe('        ✗ worked after being stopped')
})

const names = fc.oneof(
  fc.constantFrom('main', 'a', 'b', 'worker 1', 'worker 2', '处理器', 'a/b#2'),
  fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
)
const values: fc.Arbitrary<Value> = fc.oneof(
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.constantFrom<Value>(
    '日本語のとても長い値'.repeat(8),
    '👩‍👩‍👧‍👦'.repeat(30),
    'e\u0301'.repeat(120),
    '\u001b[31mred',
    'a\nb\tc',
    undefined,
  ),
  fc.array(fc.integer(), { maxLength: 60 }),
  fc.record({ kind: fc.string(), term: fc.nat() }),
)

/** Any events at all, also impossible ones: a picture must not depend on being well formed. */
function anyEvent(processes: readonly string[]): fc.Arbitrary<Event> {
  const process = fc.constantFrom(...processes)
  const base = { process, index: fc.nat(5000) }
  const violation: fc.Arbitrary<Violation> = fc.record({
    kind: fc.constant('assertion' as const),
    property: fc.string(),
    message: fc.string({ unit: 'binary', maxLength: 200 }),
    process,
  })
  return fc.oneof(
    fc.record({
      kind: fc.constant('send' as const),
      ...base,
      message: fc.nat(6),
      to: process,
      value: values,
      network: fc.constant('fifo' as const),
      notification: fc.constant(false),
    }),
    fc.record({ kind: fc.constant('receive' as const), ...base, message: fc.nat(6), from: process, value: values }),
    fc.record({ kind: fc.constant('spawn' as const), ...base, child: process, daemon: fc.boolean() }),
    fc.record({ kind: fc.constant('join' as const), ...base, target: process }),
    fc.record({ kind: fc.constant('timeout' as const), ...base }),
    fc.record({ kind: fc.constant('choose' as const), ...base, option: fc.nat(9), options: fc.nat(10), value: values }),
    fc.record({ kind: fc.constant('stop' as const), ...base }),
    fc.record({ kind: fc.constant('fail' as const), ...base, violation }),
  )
}

const pictures: fc.Arbitrary<Picture> = fc.uniqueArray(names, { minLength: 1, maxLength: 16 }).chain((processes) =>
  fc.record({
    events: fc.array(anyEvent(processes), { maxLength: 40 }),
    processes: fc.constant(
      processes.map(
        (id): EndedProcess => ({ id, daemon: false, status: id.length % 2 === 0 ? 'returned' : 'waiting', value: id }),
      ),
    ),
    violation: fc.constantFrom<Violation | undefined>(
      undefined,
      { kind: 'final', property: 'p', message: 'm' },
      {
        kind: 'deadlock',
        property: 'p',
        message: 'm',
        waiting: processes.map((process) => ({ process, forWhat: `the end of ${process}`.repeat(4), inbox: [] })),
      },
    ),
  }),
)

describe('whatever the events are', () => {
  test('no line is wider than 100 columns, and nothing moves the cursor', () => {
    fc.assert(
      fc.property(pictures, fc.boolean(), (picture, ascii) => {
        const places = new Map(
          picture.events.map((event, at) => [event, { file: `src/${event.process}.ts`, line: at + 1, column: 1 }]),
        )
        const text = columns(picture, { ascii, places })
        for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(100)
        expect(text).toMatch(ascii ? /^[\x20-\x7e\n]*$/ : /^(?:[^\p{Cc}\p{Cf}\p{Cs}]|\n)*$/u)
        expect(text).not.toMatch(/ $/m)
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('who sent a message is seen, by a line that begins in its column or by its name', () => {
    const hop = fc.record({
      processes: fc.integer({ min: 2, max: 11 }),
      from: fc.nat(10),
      to: fc.nat(10),
      length: fc.integer({ min: 1, max: 200 }),
      isLater: fc.boolean(),
    })
    fc.assert(
      fc.property(hop, ({ processes, from, to, length, isLater }) => {
        fc.pre(from < processes && to < processes && from !== to)
        const name = (at: number): string => `p${at}.`
        const polls = Array.from(
          { length: processes },
          (_, at): Event => ({ kind: 'timeout', process: name(at), index: 0 }),
        )
        const value = 'm'.repeat(length)
        const between: Event = { kind: 'timeout', process: name(to), index: 1 }
        const events = [
          ...polls,
          sent(name(from), 1, 0, name(to), value),
          ...(isLater ? [between] : []),
          received(name(to), 2, 0, name(from), value),
        ]
        const ended = polls.map(
          ({ process }): EndedProcess => ({ id: process, daemon: false, status: 'returned', value }),
        )
        const lines = columns({ events, processes: ended }, { legend: false }).split('\n')
        const column = lines[0]?.indexOf(name(from)) ?? -1
        const row = lines.at(-1) ?? ''
        const isSeen = !/^[ │]?$/.test(row[column] ?? '') || row.includes(name(from))
        expect(isSeen, lines.join('\n')).toBe(true)
      }),
      { numRuns: 600, seed: 3 },
    )
  })

  test('the numbers on the rows are exactly those of the decisions, each once and in order', () => {
    fc.assert(
      fc.property(pictures, (picture) => {
        const lines = columns(picture, { legend: false }).split('\n').slice(1)
        const numbers = lines.flatMap((line) => {
          const [, first, last] = /^ +(\d+)(?:–(\d+))? {2}/.exec(line.slice(0, 12)) ?? []
          if (first === undefined || line.startsWith(' '.repeat(9))) return []
          return Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, at) => Number(first) + at)
        })
        const decided = picture.events.filter(({ kind }) => kind !== 'fail' && kind !== 'stop').length
        expect(numbers).toEqual(Array.from({ length: decided }, (_, at) => at + 1))
      }),
      { numRuns: 200, seed: 2 },
    )
  })
})
