import { describe, expect, test } from 'vitest'
import type { AtomicSection } from '../../../../src/core/code.ts'
import { atOnce } from '../../../../src/core/unhurried.ts'
import type { RecordedAccess } from '../../../../src/properties/repair/execution.ts'
import { recordingOf } from '../../../../src/properties/repair/recording.ts'
import {
  compareRepairs,
  flatten,
  minimalRepairs,
  repairOf,
  sectionName,
  subsumes,
} from '../../../../src/properties/repair/sections.ts'
import { access, codeFunction, execution, lines, site } from './recorded.ts'

const section = (name: string, first: number, last = first): AtomicSection => ({
  file: 'stack.ts',
  function: name,
  lines: lines(first, last),
})

describe('sets of sections', () => {
  test('a repair subsumes another if every section of that lies in one of its own', () => {
    const small = [section('push', 2, 3), section('pop', 8, 9)]
    expect(subsumes([section('push', 1, 3), section('pop', 8, 9)], small)).toBe(true)
    expect(subsumes(small, [section('pop', 8)])).toBe(true)
    expect(subsumes([section('push', 1, 9)], small)).toBe(false)
    expect(subsumes([section('push', 2, 3)], small)).toBe(false)
  })

  test('overlapping sections of a function become one, touching ones and those of others do not', () => {
    expect(flatten([section('pop', 9, 10), section('push', 2, 3), section('pop', 8, 9), section('pop', 11)])).toEqual([
      section('push', 2, 3),
      section('pop', 8, 10),
      section('pop', 11),
    ])
    expect(flatten([section('pop', 5, 20), section('pop > (arrow)', 7, 9), section('pop', 18, 22)])).toEqual([
      section('pop', 5, 22),
      section('pop > (arrow)', 7, 9),
    ])
  })

  test('minimal repairs subsume no other, also not one of as many lines', () => {
    const split = [section('pop', 1, 2), section('pop', 3, 4)]
    expect(atOnce(minimalRepairs([[section('pop', 1, 4)], split, [section('push', 30)], split.slice()]))).toEqual([
      [section('push', 30)],
      split,
    ])
  })

  test('fewer sections come first, then fewer lines, then earlier lines', () => {
    const expected = [
      [section('pop', 8)],
      [section('pop', 9)],
      [section('push', 1, 9)],
      [section('pop', 8), section('pop', 9)],
    ]
    expect(expected.toReversed().sort(compareRepairs)).toEqual(expected)
  })

  test('sections have names', () => {
    expect(sectionName(section('pop', 8, 9))).toBe('lines 8–9 of pop')
    expect(sectionName(section('pop', 8))).toBe('line 8 of pop')
  })
})

describe('the sections of a segment', () => {
  const pop = codeFunction('pop', lines(1, 20), [lines(5, 15)])
  const peek = codeFunction('peek', lines(30, 40))
  const inPop = (line: number, column = 1) => access(10, pop, line, 'read x', { column })
  const inPeek = (line: number, callLine: number) =>
    access(10, peek, line, 'read x', { callers: [site(pop, callLine)] })

  function sectionsOf(...accesses: readonly RecordedAccess[]): readonly string[] {
    const eliminator = [{ call: 10, first: 0, last: accesses.length - 1 }]
    return repairOf(recordingOf(execution(...accesses)), eliminator).map(sectionName)
  }

  test('reach from its first to its last line', () => {
    expect(sectionsOf(inPop(2), inPop(4), inPop(17))).toEqual(['lines 2–17 of pop'])
    expect(sectionsOf(inPop(6), inPop(9))).toEqual(['lines 6–9 of pop'])
  })

  test('over several rounds of a loop hold the whole loop', () => {
    expect(sectionsOf(inPop(9), inPop(6))).toEqual(['lines 5–15 of pop'])
    expect(sectionsOf(inPop(9), inPop(9))).toEqual(['lines 5–15 of pop'])
    expect(sectionsOf(inPop(2), inPop(9), inPop(9))).toEqual(['lines 2–15 of pop'])
  })

  test('stand in the called function if the segment does not leave it', () => {
    expect(sectionsOf(inPeek(31, 6), inPeek(33, 6))).toEqual(['lines 31–33 of peek'])
  })

  test('stand in the caller if it does, where the call counts for what is called', () => {
    expect(sectionsOf(inPeek(31, 6), inPop(8))).toEqual(['lines 6–8 of pop'])
    expect(sectionsOf(inPeek(31, 6), inPeek(33, 7))).toEqual(['lines 6–7 of pop'])
    expect(sectionsOf(inPeek(31, 6), inPeek(31, 6))).toEqual(['lines 5–15 of pop'])
  })

  test('are several if there is no common caller', () => {
    expect(sectionsOf(inPop(2), inPop(3), access(10, peek, 31, 'read x'))).toEqual([
      'lines 2–3 of pop',
      'line 31 of peek',
    ])
  })
})
