import { expect, test } from 'vitest'
import { Witness } from '../../../src/core/witness.ts'

function told(tell: (witness: Witness) => void): Witness {
  const witness = new Witness()
  tell(witness)
  return witness
}

test('what several witnesses know together is open where none of them has an answer', () => {
  const one = told((witness) => {
    witness.ask('message-never-received', 'a', 2)
    witness.ask('message-never-received', 'b')
    witness.ask('process-never-ran', 'p', 0)
  })
  const other = told((witness) => {
    witness.ask('message-never-received', 'a', 3)
    witness.answer('message-never-received', 'b')
    witness.answer('choice-of-one', 'q')
  })
  one.add(structuredClone(other.known()))
  expect(one.open()).toEqual([
    { code: 'process-never-ran', subject: 'p', count: 0 },
    { code: 'message-never-received', subject: 'a', count: 5 },
  ])
  expect(one.outcomes()).toEqual([])
  one.ask('choice-of-one', 'q')
  expect(one.open().map(({ subject }) => subject)).toEqual(['p', 'a'])
})

test('what calls came to adds up', () => {
  const one = told((witness) => {
    witness.came('operation-returned', 'get', 2)
    witness.came('operation-threw', 'get')
  })
  const other = told((witness) => {
    witness.came('operation-waited', 'get', 3)
    witness.came('operation-returned', 'set', 0)
    witness.came('operation-returned', 'get', 5)
  })
  one.add(structuredClone(other.known()))
  expect(one.outcomes()).toEqual([
    { operation: 'get', returned: 7, threw: 1, waited: 3 },
    { operation: 'set', returned: 0, threw: 0, waited: 0 },
  ])
  expect(one.open()).toEqual([])
})
