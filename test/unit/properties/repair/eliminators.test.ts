import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../../src/core/unhurried.ts'
import { eliminatorsOf } from '../../../../src/properties/repair/eliminators.ts'
import type { RecordedAccess, RecordedExecution } from '../../../../src/properties/repair/execution.ts'
import { recordingOf } from '../../../../src/properties/repair/recording.ts'
import { access, codeFunction, execution, lines } from './recorded.ts'

const method = codeFunction('method', lines(1, 99))

function eliminators(recorded: RecordedExecution, limits?: Parameters<typeof eliminatorsOf>[1]) {
  return atOnce(eliminatorsOf(recordingOf(recorded), limits))
}

test('a search that takes long takes a breath once in 256 steps', () => {
  const work = eliminatorsOf(recordingOf(execution(...figure224(10, 3))))
  let breaths = 0
  while (work.next().done !== true) breaths++
  expect(breaths).toBeGreaterThan(0)
})

/** Segments as 'call first-last'. */
function segmentsOf(...accesses: readonly RecordedAccess[]): readonly string[] {
  return eliminators(execution(...accesses)).eliminators.map((each) =>
    each.map(({ call, first, last }) => `${call} ${first}-${last}`).join(', '),
  )
}

describe("the thesis' examples", () => {
  test('Figure 2.23: of the segments of Example 1 only [a1, a3] is optimal', () => {
    const [a1, a2, a3, a4] = ['write x', 'write own', 'read y', 'read y'].map((what, i) =>
      access(10, method, i + 1, what),
    )
    const [a5, a6] = ['write other', 'write x'].map((what, i) => access(20, method, i + 1, what))
    const [a7, a8] = ['write another', 'write y'].map((what, i) => access(21, method, i + 1, what))
    const all = [a1, a5, a6, a7, a8, a2, a3, a4].flatMap((each) => each ?? [])
    expect(segmentsOf(...all)).toEqual(['10 0-6'])
  })

  // k parallel conflicts from each process to the next, left before they are entered: every choice is optimal, k^n in all.
  test.each([
    [2, 2, 4],
    [5, 2, 25],
    [3, 3, 27],
    [10, 3, 1000],
    [4, 4, 256],
    [3, 5, 243],
  ])(
    'Figure 2.24: %i parallel conflicts between %i processes give %i optimal eliminators',
    (parallel, count, expected) => {
      const { eliminators: found, capped } = eliminators(execution(...figure224(parallel, count)))
      expect(found.length).toBe(expected)
      expect(found.every((each) => each.length === count)).toBe(true)
      expect(capped).toBe(false)
    },
  )

  test('a search cut short says so', () => {
    const { eliminators: found, capped } = eliminators(execution(...figure224(10, 3)), { eliminators: 100, steps: 1e6 })
    expect(found.length).toBe(100)
    expect(capped).toBe(true)
    expect(eliminators(execution(...figure224(10, 3)), { eliminators: 2000, steps: 100 }).capped).toBe(true)
  })
})

function figure224(parallel: number, count: number): readonly RecordedAccess[] {
  const processes = Array.from({ length: count }, (_, i) => i + 1)
  const conflicts = Array.from({ length: parallel }, (_, i) => i)
  const left = processes.flatMap((process) =>
    conflicts.map((i) => access(process * 10, method, i + 1, `write from${process}.${i}`)),
  )
  const entered = processes.flatMap((process) =>
    conflicts.map((i) => access(process * 10, method, 50 + i, `write from${process === 1 ? count : process - 1}.${i}`)),
  )
  return [...left, ...entered]
}

describe('execution eliminators', () => {
  test('a serial execution has none', () => {
    const first = [access(10, method, 1, 'read x'), access(10, method, 2, 'write x')]
    const second = [access(20, method, 1, 'read x'), access(20, method, 2, 'write x')]
    expect(segmentsOf(...first, ...second)).toEqual([])
  })

  test('a lost update is eliminated by the call that writes last', () => {
    const read = (call: number) => access(call, method, 1, 'read x')
    const write = (call: number) => access(call, method, 2, 'write x')
    expect(segmentsOf(read(10), read(20), write(10), write(20))).toEqual(['20 1-3'])
    expect(segmentsOf(read(10), read(20), write(20), write(10))).toEqual(['10 0-3'])
  })

  test('a segment does not reach from one call to another', () => {
    const other = [access(20, method, 1, 'write x'), access(20, method, 2, 'write y')]
    expect(segmentsOf(access(10, method, 1, 'read x'), ...other, access(11, method, 2, 'read y'))).toEqual([])
    expect(segmentsOf(access(10, method, 1, 'read x'), ...other, access(10, method, 2, 'read y'))).toEqual(['10 0-3'])
  })

  test('going on in program order may cross calls', () => {
    const between = [access(20, method, 1, 'write x'), access(21, method, 1, 'write y')]
    expect(segmentsOf(access(10, method, 1, 'read x'), ...between, access(10, method, 2, 'read y'))).toEqual(['10 0-3'])
  })

  test('a whole object conflicts with its parts, parts with each other only if they are the same', () => {
    const around = (inside: RecordedAccess) =>
      segmentsOf(access(10, method, 1, 'read list.1'), inside, access(10, method, 2, 'read list.1'))
    expect(around(access(20, method, 1, 'write list.*'))).toEqual(['10 0-2'])
    expect(around(access(20, method, 1, 'write list.1'))).toEqual(['10 0-2'])
    expect(around(access(20, method, 1, 'write list.2'))).toEqual([])
    expect(around(access(20, method, 1, 'read list.*'))).toEqual([])
  })

  test('accesses of locks are no conflicts, but stand inside segments', () => {
    const lock = (call: number, line: number) => access(call, method, line, 'write mutex', { isLock: true })
    const other = [lock(20, 1), access(20, method, 2, 'write x'), lock(20, 3)]
    const [first, ...rest] = [
      access(10, method, 1, 'read x'),
      lock(10, 2),
      access(10, method, 3, 'write x'),
      lock(10, 4),
    ]
    expect(segmentsOf(first as RecordedAccess, ...other, ...rest)).toEqual(['10 0-5'])
    expect(segmentsOf(lock(10, 1), ...other, lock(10, 2))).toEqual([])
  })
})

describe('actions', () => {
  test('are single accesses, also of one line: `count++` can be interrupted', () => {
    const [read1, read2] = [access(10, method, 2, 'read count'), access(20, method, 2, 'read count')]
    const [write1, write2] = [access(10, method, 2, 'write count'), access(20, method, 2, 'write count')]
    expect(segmentsOf(read1, read2, write1, write2)).toEqual(['20 1-3'])
  })

  test('are all accesses that happened at once', () => {
    const swap = (call: number, step: number) =>
      ['read count', 'write count'].map((what) => access(call, method, 2, what, { step }))
    expect(segmentsOf(access(10, method, 1, 'read count'), ...swap(20, 1), ...swap(10, 2))).toEqual(['10 0-4'])
    expect(segmentsOf(access(10, method, 1, 'read count'), ...swap(20, 1), ...swap(11, 2))).toEqual([])
  })
})
