import { expect, test } from 'vitest'
import { editDistance, nearestName, nearestSlip, suggestion } from '../../../src/core/did-you-mean.ts'

test.each([
  ['', '', 0],
  ['dpor', 'dpor', 0],
  ['dpr', 'dpor', 1],
  ['dpro', 'dpor', 1],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
])('from "%s" to "%s" it takes %d changes', (left, right, changes) => {
  expect(editDistance(left, right)).toBe(changes)
  expect(editDistance(right, left)).toBe(changes)
})

test('the nearest name wins, whatever its case', () => {
  expect(nearestName('FIFA', ['bag', 'fifo', 'mailbox'])).toBe('fifo')
})

test('a name that shares little with all others has no nearest', () => {
  expect(nearestName('banana', ['bag', 'fifo', 'mailbox'])).toBeUndefined()
})

test('a suggestion is the nearest name, or all names when none is near', () => {
  expect(suggestion('causl', ['bag', 'causal'], 'networks')).toBe('did you mean "causal"?')
  expect(suggestion('x', ['bag', 'causal'], 'networks')).toBe('networks: bag, causal')
  expect(suggestion('x', [], 'parameters')).toBe('there are no parameters')
})

test('letters of a name that is too long to be meant are not compared', () => {
  const known = Array.from({ length: 200 }, (_, at) => `specification-${at}`)
  expect(nearestName('x'.repeat(2_000_000), known)).toBeUndefined()
})

test('a name may be longer by a third of its letters', () => {
  expect(nearestName('abcdef', ['abcd'])).toBe('abcd')
  expect(nearestName('abcdef', ['abc'])).toBeUndefined()
})

test('a short name is a slip only if its letters are exchanged', () => {
  expect(nearestSlip('pya', ['pay', 'pray'])).toBe('pay')
  expect(nearestSlip('m1', ['m2', 'n1'])).toBeUndefined()
  expect(nearestSlip('payy', ['pay'])).toBe('pay')
})
