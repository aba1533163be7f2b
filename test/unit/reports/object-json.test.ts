import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { jsonReport } from '../../../src/reports/json.ts'
import type { Reported } from '../../../src/reports/result.ts'
import { counts, reportedObject, scope, stuck, twice, violated } from './objects.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/allways-report-1.json', import.meta.url), 'utf8'))
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(schema)

function only(result: Reported): { readonly [name: string]: unknown } {
  const plain = JSON.parse(JSON.stringify(jsonReport([result])))
  expect(validate(plain), JSON.stringify(validate.errors)).toBe(true)
  return plain.results[0]
}

describe('a class in the JSON report', () => {
  test('that holds has counts of its own and nothing that failed', () => {
    expect(only(reportedObject({ kind: 'verified', scope, counts }))).toMatchObject({
      kind: 'object',
      program: 'Stack',
      engine: 'stateful',
      verdict: 'verified',
      scope: '12 clients of up to 2 processes × 2 calls, every interleaving of accesses, 3,456 states',
      setting: { reduction: 'lazy', bounds: { processes: 2, calls: 2 } },
      counts: { clients: 12, states: 3456, transitions: 7890, irreducible: 0, traces: 0, finals: 40 },
      violation: null,
      client: null,
      history: null,
      causes: null,
    })
  })

  test('that fails says which client, what was called, and which lines must be atomic', () => {
    expect(only(reportedObject(violated()))).toMatchObject({
      verdict: 'violated',
      violation: { kind: 'linearizability', message: 'pop() → 1 || pop() → 1', place: null, steps: 10 },
      trace: '.allways/traces/stack.linearizable.3f9a.trace.json',
      client: twice.client,
      history: [
        { process: 'p1', operation: 'pop', args: [], result: { kind: 'returned', value: 1 }, invoked: 0, returned: 3 },
        { process: 'p2', operation: 'pop', args: [], result: { kind: 'returned', value: 1 }, invoked: 1, returned: 2 },
      ],
      explanation: { order: [0], stuck: 1 },
      causes: {
        repairs: [
          { sections: [{ file: 'stack.ts', function: 'Stack.pop', lines: { first: 16, last: 17 } }] },
          { disabled: 4 },
        ],
        applied: { clients: 36, holds: true },
      },
    })
  })

  test('that deadlocks has calls without an end, and the place of the last one that waits', () => {
    const found = only(reportedObject(violated({ counterexample: stuck, causes: undefined })))
    expect(found).toMatchObject({
      violation: { kind: 'deadlock', place: { file: 'stack.ts', line: 18 } },
      history: [{ returned: null, result: { kind: 'pending' } }, { returned: null }],
      causes: null,
    })
  })

  test('validates when incomplete, with given clients, with further violations', () => {
    only(reportedObject({ kind: 'incomplete', scope, counts, because: 'time', outOf: 36 }))
    only(reportedObject({ kind: 'verified', scope: { ...scope, bounds: undefined }, counts }))
    expect(only(reportedObject(violated({ others: [twice] })))).toMatchObject({ others: [{ client: twice.client }] })
  })

  test('counts the violations that are like one of those told, if there are any', () => {
    expect(only({ ...reportedObject(violated()), alike: 3 })).toMatchObject({ alike: 3 })
    expect(only({ ...reportedObject(violated()), alike: 0 })).not.toHaveProperty('alike')
    expect(only(reportedObject(violated()))).not.toHaveProperty('alike')
  })

  test('is refused by the schema when it says verified beside a violation', () => {
    const report = JSON.parse(JSON.stringify(jsonReport([reportedObject(violated())])))
    report.results[0].verdict = 'verified'
    expect(validate(report)).toBe(false)
  })
})

describe('a recorded history in the JSON report', () => {
  const historyCounts = { calls: 2, processes: 2, pending: 0, failed: 0, parts: 1, steps: 7 }
  const base = { kind: 'history', program: 'register', file: 'run.history.jsonl', seconds: 0.0123 } as const

  test('that fails shows the part that has no linearization', () => {
    const picture = { history: twice.history, order: [0], stuck: 1, words: 'after pop(), pop() returns null, not 1' }
    const place = { file: 'run.history.jsonl', line: 4, column: 1 }
    expect(only({ ...base, verdict: { kind: 'violated', counts: historyCounts, picture, place } })).toMatchObject({
      kind: 'history',
      engine: 'linearizability',
      verdict: 'violated',
      scope: '2 calls by 2 processes, specification register',
      seconds: 0.012,
      violation: { message: 'after pop(), pop() returns null, not 1', place: { line: 4 } },
      history: [{ process: 'p1' }, { process: 'p2' }],
      explanation: { order: [0], stuck: 1, words: 'after pop(), pop() returns null, not 1' },
    })
  })

  test('validates when it holds and when it was not settled', () => {
    only({ ...base, verdict: { kind: 'verified', counts: historyCounts } })
    const unsettled = only({ ...base, verdict: { kind: 'incomplete', counts: historyCounts, because: 'memory' } })
    expect(unsettled.scope).toContain('stopped by the memory budget')
  })
})
