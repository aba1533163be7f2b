import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call } from '../../../src/core/history.ts'
import { type HistoryLanesOptions, historyLanes } from '../../../src/reports/history-lanes.ts'
import type { HistoryPicture } from '../../../src/reports/history-picture.ts'
import { plainPaint } from '../../../src/reports/paint.ts'
import { widthOf } from '../../../src/reports/text-width.ts'
import { called, queueHistory, twicePopped } from './histories.ts'

function lines(picture: HistoryPicture, options?: HistoryLanesOptions): readonly string[] {
  return historyLanes(picture, options).split('\n')
}

function drawn(calls: readonly Call[], picture: Partial<HistoryPicture> = {}): readonly string[] {
  return lines({ history: { calls }, words: 'words', ...picture }, { legend: false }).slice(0, -1)
}

describe('lanes', () => {
  test('show calls as bars, numbers from left to right, and the call that cannot come next', () => {
    expect(lines(twicePopped)).toEqual([
      '   p1  ├─ push(1) ─①─────────────┤ → undefined  ├─ pop() ─✗─────────────────┤ → 1',
      '   p2               ├─ push(2) ─②──────────────────────────┤ → undefined  ├─ pop() ─╌',
      '   p3                             ├─ pop() ─③──────────────────────────────┤ → 1',
      '   pop() of p1 returned 1, but 1 had been popped before',
      '   ① ② ③ the longest order that explains the results · ✗ cannot come next · ╌ never returned',
    ])
  })

  test('need no more than ASCII', () => {
    expect(lines(twicePopped, { ascii: true })).toEqual([
      '   p1  |- push(1) -1-------------| -> undefined  |- pop() -x------------------| -> 1',
      '   p2               |- push(2) -2---------------------------| -> undefined  |- pop() -.',
      '   p3                             |- pop() -3--------------------------------| -> 1',
      '   pop() of p1 returned 1, but 1 had been popped before',
      '   1 2 3 the longest order that explains the results * x cannot come next * . never returned',
    ])
  })

  test('begin and end in the order of time, whatever the moments are', () => {
    const overlapping = [called('a', ['f'], { at: -7, until: 100 }), called('b', ['g'], { at: 99.5, until: 1e9 })]
    expect(drawn(overlapping)).toEqual([
      '   a  ├─ f() ─┤ → undefined', //
      '   b   ├─ g() ─┤ → undefined',
    ])
    const apart = [called('a', ['f'], { at: 0, until: 1 }), called('b', ['g'], { at: 2, until: 3 })]
    expect(drawn(apart)).toEqual([
      '   a  ├─ f() ─┤ → undefined', //
      '   b           ├─ g() ─┤ → undefined',
    ])
  })

  test('a call at the moment of a return overlaps it, as it does not come after', () => {
    const calls = [called('a', ['f'], { at: 0, until: 1 }), called('b', ['g'], { at: 1, until: 2 })]
    expect(drawn(calls)).toEqual([
      '   a  ├─ f() ─┤ → undefined', //
      '   b   ├─ g() ─┤ → undefined',
    ])
  })

  test('numbers follow the order, not the calls', () => {
    const calls = [called('a', ['f'], { at: 0, until: 3 }), called('b', ['g'], { at: 1, until: 2 })]
    expect(drawn(calls, { order: [1, 0] })).toEqual([
      '   a  ├─ f() ───②─┤ → undefined', //
      '   b   ├─ g() ─①─┤ → undefined',
    ])
  })

  test('say what was thrown, that a result is unknown, and that nothing fits', () => {
    const calls = [
      called('a', ['f'], { at: 0, until: 1 }, { kind: 'threw', error: 'RangeError: full' }),
      called('b', ['g'], { at: 2, until: 3 }, { kind: 'unknown' }),
    ]
    expect(lines({ history: { calls }, order: [], stuck: 1, words: 'why' })).toEqual([
      '   a  ├─ f() ─┤ → threw RangeError: full',
      '   b           ├─ g() ─✗─┤ → ?',
      '   why',
      '   ✗ cannot come first',
    ])
  })

  test('of a history that holds say that the order is one of possibly many', () => {
    const calls = [called('a', ['f'], { at: 0, until: 1 }, { value: [1, 'x'] })]
    expect(lines({ history: { calls }, order: [0], words: 'linearizable' })).toEqual([
      '   a  ├─ f() ─①─┤ → [1, "x"]',
      '   linearizable',
      '   ① an order that explains the results',
    ])
  })

  test('are sorted by name with numbers in them', () => {
    const calls = ['p10', 'p9', 'p1'].map((process, at) => called(process, ['f'], { at, until: at + 10 }))
    expect(drawn(calls).map((line) => line.trim().split(' ')[0])).toEqual(['p1', 'p9', 'p10'])
  })

  test('an order that contradicts the history keeps its marks inside the calls', () => {
    const calls = [called('a', ['f'], { at: 0, until: 1 }), called('b', ['g'], { at: 2, until: 3 })]
    expect(drawn(calls, { order: [1, 0] })).toEqual([
      '   a  ├─ f() ─②─┤ → undefined',
      '   b             ├─ g() ─①─┤ → undefined',
    ])
  })

  test('an empty history is its words', () => {
    expect(lines({ history: { calls: [] }, words: 'nothing\nwas called' })).toEqual(['   nothing', '   was called'])
  })
})

describe('calls that never return', () => {
  const calls = [
    called('p1', ['lock'], { at: 0, until: 1 }),
    called('p1', ['lock'], { at: 2 }),
    called('p2', ['wait'], { at: 3 }),
  ]

  test('end openly, and those that wait for ever are crossed', () => {
    expect(lines({ history: { calls }, waiting: [1], words: 'p1 waits for ever' })).toEqual([
      '   p1  ├─ lock() ─┤ → undefined  ├─ lock() ─✗─╌',
      '   p2                             ├─ wait() ──╌',
      '   p1 waits for ever',
      '   ✗ waits for ever · ╌ never returned',
    ])
  })

  test('look otherwise than those that go on below', () => {
    const many = [...queueHistory(8).calls, called('p9', ['wait'], { at: 1_000 })]
    const shown = lines({ history: { calls: many }, order: [0, 1, 2, 3], stuck: 4, words: '' })
    expect(shown.filter((line) => line.includes('wait()'))).toEqual([expect.stringMatching(/─╌$/)])
    expect(shown.filter((line) => line.includes('»─ ')).length).toBeGreaterThan(0)
    expect(shown.at(-2)).toMatch(/ · » goes on below$/)
    expect(shown.at(-1)).toBe('   ╌ never returned')
  })
})

describe('wide histories', () => {
  test('go on in further bands, with the names of the calls that are still open', () => {
    const history = queueHistory(8)
    expect(lines({ history, order: [0, 1, 2, 3], stuck: 4, words: 'queue was []' })).toEqual([
      '   p1  ├─ enqueue({id: 0}) ─①─────────────────────────────────────┤ → undefined',
      '   p2                        ├─ dequeue() ─②──────────────────────────────────────┤ → {id: 0}',
      '   p3                                       ├─ enqueue({id: 2}) ─③─────────────────»',
      '   p4                                                              ├─ dequeue() ─④─»',
      '',
      '   p1   ├─ enqueue({id: 4}) ─✗────────────────┤ → undefined',
      '   p2                          ├─ dequeue() ────┤ → {id: 4}',
      '   p3  »─ enqueue({id: 2}) ───┤ → undefined  ├─ enqueue({id: 6}) ─┤ → undefined',
      '   p4  »─ dequeue() ────────────┤ → {id: 2}    ├─ dequeue() ───────┤ → {id: 6}',
      '   queue was []',
      '   ① ② ③ the longest order that explains the results · ✗ cannot come next · » goes on below',
    ])
  })

  test('of hundreds of calls show those around the one that cannot be placed, and count the others', () => {
    const order = Array.from({ length: 150 }, (_, at) => at)
    const text = historyLanes({ history: queueHistory(300), order, stuck: 150, words: 'why' })
    const shown = text.split('\n')
    // 18 calls before the stuck one and 5 after it; two more are open when the first of these begins.
    expect(shown[0]).toBe('   … 130 earlier calls left out')
    expect(shown.at(-3)).toBe('   … 144 later calls left out')
    expect(text.match(/[├]─ /g)).toHaveLength(26)
    expect(shown.at(-1)).toBe(
      '   131 132 133 the longest order that explains the results · ✗ cannot come next · » goes on below',
    )
  })

  test('a call that was open long before stays in the picture', () => {
    const old = called('old', ['put', 0], { at: -1 })
    const history = { calls: [old, ...queueHistory(300).calls] }
    const shown = lines({ history, stuck: 200, words: 'why' })
    expect(shown.some((line) => line.startsWith('   old'))).toBe(true)
    expect(shown[0]).toBe('   … 179 earlier calls left out')
  })

  test('of hundreds of calls that never returned show the latest of them', () => {
    const calls = Array.from({ length: 400 }, (_, at) => called(`p${at}`, ['put', at], { at }))
    const text = historyLanes({ history: { calls }, stuck: 390, words: 'why' })
    expect(text.match(/├─ /g)).toHaveLength(30)
    // 24 calls from the 373rd on, and six of the 372 that are open when it begins.
    expect(text).toContain('… 366 earlier calls left out')
    expect(text).toContain('… 4 later calls left out')
  })
})

describe('every picture', () => {
  const name = fc.oneof(fc.constantFrom('p1', 'p2', 'p3'), fc.string({ unit: 'grapheme', maxLength: 30 }))
  const calls = fc
    .array(
      fc.record({
        process: name,
        operation: fc.oneof(fc.constantFrom('push', 'pop'), fc.string({ unit: 'grapheme' })),
        args: fc.array(fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', maxLength: 80 })), { maxLength: 3 }),
        value: fc.oneof(fc.constant(undefined), fc.string({ unit: 'grapheme', maxLength: 80 }), fc.object()),
        lasts: fc.integer({ min: 0, max: 12 }),
        isPending: fc.boolean(),
      }),
      { maxLength: 60 },
    )
    .map((list) => {
      const busy = new Map<string, number>()
      return list.map(({ process, operation, args, value, lasts, isPending }, at): Call => {
        // A process that never returns makes no further call: whoever would, is another.
        const free = (busy.get(process) ?? -1) < at
        const who = free ? process : `${process} ${at}`
        const times = isPending ? { at } : { at, until: at + lasts + 0.5 }
        busy.set(who, times.until ?? Number.POSITIVE_INFINITY)
        return called(who, [operation, ...args], times, { value: value as never })
      })
    })
  const pictures = fc.tuple(calls, fc.infiniteStream(fc.nat())).map(([list, numbers]): HistoryPicture => {
    const order = list.map((_, at) => at).filter(() => numbers.next().value % 3 > 0)
    const stuck = list.findIndex((_, at) => !order.includes(at))
    return { history: { calls: list }, order, stuck: stuck < 0 ? undefined : stuck, words: 'some words '.repeat(12) }
  })

  test.each([false, true])('fits the page and shows each call of its window once (ascii: %s)', (ascii) => {
    fc.assert(
      fc.property(pictures, (picture) => {
        const text = historyLanes(picture, { ascii, legend: false, maxCalls: 100 })
        expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(100)
        if (ascii) expect(text).toMatch(/^[\n\x20-\x7e]*$/)
        else expect(text.split('├─ ').length - 1).toBeGreaterThanOrEqual(picture.history.calls.length)
        return true
      }),
      { numRuns: 300, seed: 11 },
    )
  })
})

test('colours are put on whole stretches of finished lines', () => {
  const paint = { ...plainPaint, red: (text: string) => `<${text}>`, cyan: (text: string) => `(${text})` }
  const history = { calls: [called('a', ['f'], { at: 0, until: 1 }), called('b', ['g'], { at: 2, until: 3 })] }
  expect(lines({ history, order: [0], stuck: 1, words: 'why' }, { paint, legend: false })).toEqual([
    '   a  ├─ f() ─(①)─┤ → undefined',
    '   b             <├─ g() ─✗─┤ → undefined>',
    '   why',
  ])
})
