import { describe, expect, test } from 'vitest'
import { atOnce, type Unhurried } from '../../../../src/core/unhurried.ts'
import { alternatives } from '../../../../src/properties/repair/alternatives.ts'
import type { RecordedAccess } from '../../../../src/properties/repair/execution.ts'
import {
  combinedRepairs as combining,
  rootCauses as findingRootCauses,
  type RootCauseInput,
  type RootCauses,
} from '../../../../src/properties/repair/root-causes.ts'
import { minimalRepairs, type Repair, sectionName } from '../../../../src/properties/repair/sections.ts'
import { access, codeFunction, execution, lines } from './recorded.ts'

const rootCauses = (input: RootCauseInput): RootCauses => atOnce(findingRootCauses(input))
const combinedRepairs = (alternatives: readonly (readonly Repair[])[], limit: number) =>
  atOnce(combining(alternatives, limit))

const named = ({ repairs }: RootCauses) =>
  repairs.map(({ sections, disabled }) => `${sections.map(sectionName).join(', ')} → ${disabled}`)

describe('the stack of the thesis, Figure 2.21', () => {
  const push = codeFunction('push', lines(1, 3))
  const pop = codeFunction('pop', lines(4, 11), [lines(7, 10)])
  const take = (call: number) => access(call, push, 2, 'write range')
  const store = (call: number, i: number) => access(call, push, 3, `write items.${i}`)
  const top = (call: number) => access(call, pop, 5, 'read range')
  const look = (call: number, i: number) => access(call, pop, 8, `read items.${i}`)
  const clear = (call: number, i: number) => access(call, pop, 9, `write items.${i}`)

  // { push(a) } || { push(b); pop() } || { pop() }: a belongs into items[1] but is not there yet when both pops look.
  const begin = [take(20), store(20, 0), take(10), top(21), look(21, 1), clear(21, 1), look(21, 0)]
  const otherPop = [top(30), look(30, 1), clear(30, 1), look(30, 0), clear(30, 0)]
  const bothPopB = execution(...begin, ...otherPop, clear(21, 0), store(10, 1))
  const popAfterwards = execution(...begin, clear(21, 0), store(10, 1), top(30), look(30, 1), clear(30, 1))

  test('Figure 2.22 has two repairs; the one that keeps the linearizable execution comes first', () => {
    const found = rootCauses({ violating: [bothPopB], linearizable: [popAfterwards] })
    expect(named(found)).toEqual(['lines 8–9 of pop → 0', 'lines 2–3 of push → 1'])
    expect(found).toMatchObject({ serial: 0, capped: false })
  })

  test('without linearizable executions they tie, and stand in source order', () => {
    const found = rootCauses({ violating: [bothPopB], linearizable: [] })
    expect(named(found)).toEqual(['lines 2–3 of push → 0', 'lines 8–9 of pop → 0'])
  })
})

describe('lines', () => {
  const increment = codeFunction('Counter.increment', lines(2, 4))
  const decrement = codeFunction('Counter.decrement', lines(5, 7))
  const update = (call: number, where: typeof increment): [RecordedAccess, RecordedAccess] => [
    access(call, where, where.lines.first + 1, 'read count'),
    access(call, where, where.lines.first + 1, 'write count'),
  ]

  test('`count++` that loses an update is to be atomic itself', () => {
    const [[read1, write1], [read2, write2]] = [update(10, increment), update(20, increment)]
    const found = rootCauses({ violating: [execution(read1, read2, write1, write2)], linearizable: [] })
    expect(named(found)).toEqual(['line 3 of Counter.increment → 0'])
  })

  describe('that unlink an element while another process is on its way to link one', () => {
    const add = codeFunction('List.add', lines(20, 40))
    const remove = codeFunction('List.remove', lines(50, 60))
    const lock = (call: number, where: typeof add, line: number) =>
      access(call, where, line, 'write mutex', { isLock: true })
    const walk = access(10, add, 27, 'read before')
    const link = access(10, add, 35, 'write current')
    const unlink = [access(20, remove, 54, 'read current', { column: 19 }), access(20, remove, 54, 'write before')]

    test('are in no repair if a lock keeps them together', () => {
      const locked = [lock(20, remove, 53), ...unlink, lock(20, remove, 56)]
      const lost = execution(walk, ...locked, lock(10, add, 32), link, lock(10, add, 39))
      expect(named(rootCauses({ violating: [lost], linearizable: [] }))).toEqual(['lines 27–35 of List.add → 0'])
    })

    test('are in the repair if nothing does: the other section could run in the middle of the line', () => {
      const found = rootCauses({ violating: [execution(walk, ...unlink, link)], linearizable: [] })
      expect(named(found)).toEqual(['lines 27–35 of List.add, line 54 of List.remove → 0'])
    })
  })

  test('accesses in functions without a common caller give a repair all the same', () => {
    const helper = codeFunction('helper', lines(70, 79))
    const [read, write] = [access(10, increment, 3, 'read count'), access(10, helper, 71, 'write count')]
    const lost = execution(read, ...update(20, increment), write)
    expect(named(rootCauses({ violating: [lost], linearizable: [] }))).toEqual([
      'line 3 of Counter.increment, line 71 of helper → 0',
    ])
  })

  test('violations that need different sections need them together', () => {
    const [[read1, write1], [read2, write2], [read3, write3]] = [
      update(10, increment),
      update(20, increment),
      update(10, decrement),
    ]
    const lostIncrement = execution(read1, read2, write2, write1)
    const lostDecrement = execution(read3, read2, write2, write3)
    const found = rootCauses({ violating: [lostIncrement, lostDecrement, lostIncrement], linearizable: [] })
    expect(named(found)).toEqual(['line 3 of Counter.increment, line 6 of Counter.decrement → 0'])
  })

  test('a violation without any interruption is counted, for no section rules it out', () => {
    const serial = execution(...update(10, increment), ...update(20, increment))
    const [[read1, write1], [read2, write2]] = [update(10, increment), update(20, increment)]
    const found = rootCauses({ violating: [serial, execution(read1, read2, write1, write2)], linearizable: [serial] })
    expect(named(found)).toEqual(['line 3 of Counter.increment → 0'])
    expect(found.serial).toBe(1)
    expect(rootCauses({ violating: [serial], linearizable: [] })).toEqual({ repairs: [], serial: 1, capped: false })
    expect(rootCauses({ violating: [], linearizable: [serial] })).toEqual({ repairs: [], serial: 0, capped: false })
  })
})

describe('repairs of several executions', () => {
  const section = (first: number, last = first) => [{ file: 'stack.ts', function: 'pop', lines: lines(first, last) }]

  test('join one alternative of each, overlapping sections becoming one', () => {
    const { repairs } = combinedRepairs([[section(1, 3), section(20)], [section(3, 5)]], 10)
    expect(repairs).toEqual([section(1, 5), [...section(3, 5), ...section(20)]].sort((l, r) => r.length - l.length))
  })

  test('stay small when a repair already holds an alternative of the next', () => {
    const { repairs, capped } = combinedRepairs([[section(1, 5)], [section(2, 3), section(9)], [section(4, 5)]], 10)
    expect(repairs).toEqual([section(1, 5)])
    expect(capped).toBe(false)
  })

  test('are cut at the limit, smallest first, and say so', () => {
    // Every execution has two alternatives of its own: 2^8 joined repairs, all minimal.
    const executions = Array.from({ length: 8 }, (_, i) => [section(i * 10 + 1), section(i * 10 + 3, i * 10 + 4)])
    expect(combinedRepairs(executions, 256)).toMatchObject({ capped: false, repairs: { length: 256 } })
    const { repairs, capped } = combinedRepairs(executions, 10)
    expect(capped).toBe(true)
    expect(repairs.length).toBe(10)
    expect(repairs).toContainEqual(executions.flatMap(([first]) => first ?? []))
  })
})

/** How often it stops to let others look at the clock. */
function breaths(work: Unhurried<unknown>): number {
  let count = 0
  while (work.next().done !== true) count++
  return count
}

describe('takes a breath', () => {
  const method = codeFunction('method', lines(1, 9))
  const [read, write] = ['read x', 'write x'] as const
  const lost = execution(
    access(10, method, 2, read),
    access(20, method, 2, read),
    access(10, method, 3, write),
    access(20, method, 3, write),
  )
  const violating = Array.from({ length: 20 }, () => lost)

  test('for each violating execution, and each time that a repair is compared with one that is not', () => {
    const { repairs } = rootCauses({ violating, linearizable: [] })
    expect(repairs.length).toBeGreaterThan(0)
    const apart = breaths(findingRootCauses({ violating, linearizable: [] }))
    expect(apart).toBeGreaterThanOrEqual(violating.length)
    const compared = breaths(findingRootCauses({ violating, linearizable: violating }))
    expect(compared - apart).toBe(violating.length * repairs.length)
  })

  test('for each time that a repair is measured', () => {
    const causes = rootCauses({ violating, linearizable: [] })
    const measured = breaths(alternatives(causes, { violating, linearizable: violating }, 8))
    expect(measured).toBeGreaterThanOrEqual(violating.length + 2 * violating.length * causes.repairs.length)
  })

  test('once in 64 repairs that are compared with each other', () => {
    const many = Array.from({ length: 640 }, (_, at) => [
      { file: 'x.ts', function: 'm', lines: { first: at, last: at } },
    ])
    expect(breaths(minimalRepairs(many))).toBe(20)
  })
})
