import { describe, expect, test } from 'vitest'
import { type Evidence, evidenceOf, execution, findingsIn } from '../../../src/core/evidence.ts'
import type { Violation } from '../../../src/core/property.ts'

const violation: Violation = { kind: 'assertion', property: 'few', message: 'few' }
const found = execution({ violation, decisions: [], events: [], foundIn: 0, processes: [] })
const explained: Evidence = { kind: 'history', history: { calls: [] }, order: [], words: 'an order explains them' }
const unexplained: Evidence = { kind: 'history', history: { calls: [] }, words: 'none does', violation }
const proof: Evidence = { kind: 'proof', assertions: [] }

describe('evidence', () => {
  test('of a violation is an execution, or a history that says what is violated', () => {
    expect(findingsIn([proof, explained, unexplained, found])).toEqual([unexplained, found])
    expect(findingsIn([proof, explained])).toEqual([])
  })

  test('keeps its identity, so that what the host knows about it can be found', () => {
    expect(findingsIn([unexplained])[0]).toBe(unexplained)
    expect(evidenceOf([proof, found], 'execution')[0]).toBe(found)
  })

  test('is taken by its kind, in order', () => {
    expect(evidenceOf([explained, found, unexplained], 'history')).toEqual([explained, unexplained])
    expect(evidenceOf([explained], 'sections')).toEqual([])
  })
})
