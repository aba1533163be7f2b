import { expect, test } from 'vitest'
import { passagesOf } from '../../../../src/properties/repair/control.ts'
import { access, codeFunction, lines, site } from './recorded.ts'

const pop = codeFunction('pop', lines(1, 20), [lines(5, 15), lines(8, 10)])
const peek = codeFunction('peek', lines(30, 40))
const callback = codeFunction('pop > (arrow)', lines(17, 19))

const inPop = (line: number, what = 'read x', column = 1) => access(10, pop, line, what, { column })
const inPeek = (line: number, callLine: number, column = 1) =>
  access(10, peek, line, 'read x', { callers: [site(pop, callLine, column)] })

test('going down a function stays in its frame and goes round no loop', () => {
  expect(passagesOf([inPop(2), inPop(3), inPop(9)])).toEqual([
    { frame: 0, loop: undefined },
    { frame: 0, loop: undefined },
  ])
})

test('an earlier line of a loop is its next round, of the innermost loop around both places', () => {
  expect(passagesOf([inPop(8), inPop(10), inPop(8), inPop(12), inPop(6)])).toEqual([
    { frame: 0, loop: undefined },
    { frame: 0, loop: lines(8, 10) },
    { frame: 0, loop: undefined },
    { frame: 0, loop: lines(5, 15) },
  ])
})

test('the same place again is the next round, another place on its line is not', () => {
  const [read, other, write] = [inPop(6), inPop(6, 'read x', 9), inPop(6, 'write x')]
  expect(passagesOf([read, other, write, read, other])).toEqual([
    { frame: 0, loop: undefined },
    { frame: 0, loop: undefined },
    { frame: 0, loop: lines(5, 15) },
    { frame: 0, loop: undefined },
  ])
})

test('several accesses of one step are no rounds', () => {
  const element = (step: number) => access(10, pop, 6, 'write items.1', { step })
  expect(passagesOf([element(1), element(1), element(2)])).toEqual([
    { frame: 0, loop: undefined },
    { frame: 0, loop: lines(5, 15) },
  ])
})

test('an expression over several lines outside loops is evaluated upwards in one round', () => {
  expect(passagesOf([inPop(3), inPop(2, 'write x')])).toEqual([{ frame: 0, loop: undefined }])
})

test("accesses of one activation share its frame, of two activations only the caller's", () => {
  expect(passagesOf([inPeek(31, 2), inPeek(32, 2), inPeek(31, 3), inPop(4)])).toEqual([
    { frame: 1, loop: undefined },
    { frame: 0, loop: undefined },
    { frame: 0, loop: undefined },
  ])
})

test('two calls on one line are two activations', () => {
  expect(passagesOf([inPeek(31, 2, 1), inPeek(31, 2, 9)])).toEqual([{ frame: 0, loop: undefined }])
})

test('a function that begins anew was called again by a loop of its caller', () => {
  expect(passagesOf([inPeek(31, 6), inPeek(31, 6)])).toEqual([{ frame: 0, loop: lines(5, 15) }])
  expect(passagesOf([inPeek(31, 9), inPeek(32, 9), inPeek(31, 9)])).toEqual([
    { frame: 1, loop: undefined },
    { frame: 0, loop: lines(8, 10) },
  ])
})

test('a callback called again needs no loop in the function it is written in', () => {
  const outer = codeFunction('all', lines(50, 60), [lines(50, 60)])
  const callers = [site(outer, 55), site(pop, 17)]
  const element = access(10, callback, 18, 'read x', { callers })
  expect(passagesOf([element, element])).toEqual([{ frame: 1, loop: undefined }])
})

test('accesses whose outermost functions differ share no frame', () => {
  expect(passagesOf([inPop(2), access(10, peek, 31, 'read x')])).toEqual([{ frame: -1, loop: undefined }])
})
