import { describe, expect, test } from 'vitest'
import type { AtomicSection } from '../../../../src/core/code.ts'
import type { RecordedAccess } from '../../../../src/properties/repair/execution.ts'
import { recordingOf } from '../../../../src/properties/repair/recording.ts'
import { eliminates } from '../../../../src/properties/repair/transactions.ts'
import { access, codeFunction, execution, lines, site } from './recorded.ts'

const pop = codeFunction('pop', lines(1, 20), [lines(5, 15)])
const peek = codeFunction('peek', lines(30, 40))
const set = codeFunction('set', lines(50, 60))

const section = (name: string, first: number, last: number): AtomicSection => ({
  file: 'stack.ts',
  function: name,
  lines: lines(first, last),
})
const inPop = (line: number, what: string) => access(10, pop, line, what)
const inPeek = (line: number, callLine: number, what: string) =>
  access(10, peek, line, what, { callers: [site(pop, callLine)] })
const change = [access(20, set, 51, 'write x'), access(20, set, 52, 'write y')]

/** An execution in which `before` and `after` are interrupted by writes of what they read. */
function isEliminated(repair: readonly AtomicSection[], before: RecordedAccess, after: RecordedAccess): boolean {
  return eliminates(repair, recordingOf(execution(before, ...change, after)))
}

describe('an interrupted section eliminates an execution', () => {
  test('if both accesses are on its lines', () => {
    const reads = [inPop(2, 'read x'), inPop(4, 'read y')] as const
    expect(isEliminated([], ...reads)).toBe(false)
    expect(isEliminated([section('pop', 2, 4)], ...reads)).toBe(true)
    expect(isEliminated([section('pop', 1, 20)], ...reads)).toBe(true)
    expect(isEliminated([section('pop', 2, 3)], ...reads)).toBe(false)
    expect(isEliminated([section('pop', 2, 2), section('pop', 4, 4)], ...reads)).toBe(false)
    expect(isEliminated([{ ...section('pop', 2, 4), file: 'other.ts' }], ...reads)).toBe(false)
  })

  test('if both are in one round of a loop, or the section holds the loop', () => {
    const reads = [inPop(9, 'read x'), inPop(8, 'read y')] as const
    expect(isEliminated([section('pop', 8, 9)], ...reads)).toBe(false)
    expect(isEliminated([section('pop', 5, 14)], ...reads)).toBe(false)
    expect(isEliminated([section('pop', 5, 15)], ...reads)).toBe(true)
    expect(isEliminated([section('pop', 8, 9)], inPop(8, 'read x'), inPop(9, 'read y'))).toBe(true)
  })

  test('if both are called from its lines', () => {
    const reads = [inPeek(31, 6, 'read x'), inPeek(33, 7, 'read y')] as const
    expect(isEliminated([section('pop', 6, 7)], ...reads)).toBe(true)
    expect(isEliminated([section('peek', 31, 33)], ...reads)).toBe(false)
    expect(isEliminated([section('peek', 31, 33)], inPeek(31, 6, 'read x'), inPeek(33, 6, 'read y'))).toBe(true)
    expect(isEliminated([section('pop', 6, 7)], inPop(7, 'read x'), inPeek(33, 7, 'read y'))).toBe(true)
  })

  test('but not if it could have run before or after the interruption', () => {
    const recording = recordingOf(execution(inPop(2, 'read z'), ...change, inPop(4, 'read y')))
    expect(eliminates([section('pop', 2, 4)], recording)).toBe(false)
  })
})

test('the order of locks is kept: a section around half a critical section of another process is interrupted', () => {
  const lock = (call: number, where: typeof pop, line: number) =>
    access(call, where, line, 'write mutex', { isLock: true })
  const locked = [lock(20, set, 51), access(20, set, 52, 'write y'), lock(20, set, 53)]
  const recording = recordingOf(
    execution(lock(10, pop, 2), lock(10, pop, 3), ...locked, lock(10, pop, 4), lock(10, pop, 6)),
  )
  expect(eliminates([section('pop', 2, 3)], recording)).toBe(false)
  expect(eliminates([section('pop', 2, 4)], recording)).toBe(true)
})
