/** UpdateBack of the thesis, Figure 2.3, on sets of processes as masks. */
import { expect, test } from 'vitest'
import { candidates } from '../../../../src/engines/stateful/source-set.ts'

test('at first every process of the safe set may be chosen', () => {
  expect(candidates(0b101, 0, [])).toBe(0b101)
})

test('a process that covers itself is enough', () => {
  expect(candidates(0b111, 0b001, [0b001])).toBe(0)
})

test('next are those that the explored ones need', () => {
  expect(candidates(0b1111, 0b0001, [0b0101])).toBe(0b0100)
})

test('explored processes that need only each other are enough, whatever the others need', () => {
  expect(candidates(0b1111, 0b0111, [0b1111, 0b0110, 0b0110])).toBe(0)
})

test('nobody explored that needs nobody else: the empty set does not count', () => {
  expect(candidates(0b1111, 0b0011, [0b0101, 0b1010])).toBe(0b1100)
})

test('nothing is left once the safe set is explored', () => {
  expect(candidates(0b11, 0b11, [0b11, 0b11])).toBe(0)
})
