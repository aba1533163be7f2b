import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { countedCalls, type Verdict } from '../../../src/core/verdict.ts'
import { jsonReport } from '../../../src/reports/json.ts'
import type { Reported } from '../../../src/reports/result.ts'
import { incomplete, reportedObject, scope, stuck, twice, verified, violated } from './objects.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/allways-report-1.json', import.meta.url), 'utf8'))
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(schema)

function only(result: Reported): { readonly [name: string]: unknown } {
  const plain = JSON.parse(JSON.stringify(jsonReport([result])))
  expect(validate(plain), JSON.stringify(validate.errors)).toBe(true)
  return plain.results[0]
}

describe('a class in the JSON report', () => {
  test('that holds has counts of its own and nothing that failed', () => {
    expect(only(reportedObject(verified()))).toMatchObject({
      program: 'Stack',
      engine: 'stateful',
      network: null,
      params: { processes: 2, calls: 2 },
      verdict: 'verified',
      scope: '12 clients of up to 2 processes × 2 calls, every interleaving of accesses, 3,456 states',
      setting: { granularity: 'access', options: { reduction: 'lazy' } },
      counts: { clients: 12, states: 3456, transitions: 7890, irreducible: 0, traces: 0, finals: 40 },
      violation: null,
      evidence: [],
    })
  })

  test('that fails says which client, what was called, and which lines must be atomic', () => {
    expect(only(reportedObject(violated()))).toMatchObject({
      verdict: 'violated',
      violation: { kind: 'linearizability', message: 'pop() → 1 || pop() → 1', place: null, steps: 10 },
      trace: '.allways/traces/stack.linearizable.3f9a.trace.json',
      evidence: [
        {
          kind: 'execution',
          client: twice.client.text,
          history: [
            {
              process: 'p1',
              operation: 'pop',
              args: [],
              result: { kind: 'returned', value: 1 },
              invoked: 0,
              returned: 3,
            },
            {
              process: 'p2',
              operation: 'pop',
              args: [],
              result: { kind: 'returned', value: 1 },
              invoked: 1,
              returned: 2,
            },
          ],
          order: [0],
          stuck: 1,
        },
        {
          kind: 'sections',
          repairs: [
            { sections: [{ file: 'stack.ts', function: 'Stack.pop', lines: { first: 16, last: 17 } }] },
            { disabled: 4 },
          ],
          applied: { clients: 36, holds: true },
        },
      ],
    })
  })

  test('that deadlocks has calls without an end, and the place of the last one that waits', () => {
    const found = only(reportedObject(violated({ found: [stuck], causes: null })))
    expect(found).toMatchObject({
      violation: { kind: 'deadlock', place: { file: 'stack.ts', line: 18 } },
      evidence: [{ history: [{ returned: null, result: { kind: 'pending' } }, { returned: null }], stuck: null }],
    })
  })

  test('validates when incomplete, with given clients, with further violations', () => {
    only(reportedObject(incomplete('time')))
    only(reportedObject(verified({ scope: { ...scope, params: {} } })))
    const { evidence } = only(reportedObject(violated({ found: [twice, twice], causes: null })))
    expect(evidence).toMatchObject([{ client: twice.client.text }, { client: twice.client.text }])
  })

  test('counts the violations that are like one of those told, if there are any', () => {
    expect(only(reportedObject(violated({ alike: 3 })))).toMatchObject({ alike: 3 })
    expect(only(reportedObject(violated({ alike: 0 })))).not.toHaveProperty('alike')
    expect(only(reportedObject(violated()))).not.toHaveProperty('alike')
  })

  test('is refused by the schema when it says verified beside a violation', () => {
    const report = JSON.parse(JSON.stringify(jsonReport([reportedObject(violated())])))
    report.results[0].verdict = 'verified'
    expect(validate(report)).toBe(false)
  })
})

describe('a recorded history in the JSON report', () => {
  const base = {
    scope: {
      engine: 'histories',
      counted: countedCalls,
      params: {},
      seed: 0,
      deadlock: 'allow',
      criterion: 'linearizable',
      specification: 'register',
    },
    counts: { calls: 2, processes: 2, pending: 0, failed: 0, parts: 1, steps: 7 },
    evidence: [],
  } as const

  function reported(verdict: Verdict): Reported {
    return { program: 'register', file: 'run.history.jsonl', seconds: 0.0123, findings: [], verdict }
  }

  test('that fails shows the part that has no linearization', () => {
    const words = 'after pop(), pop() returns null, not 1'
    const place = { file: 'run.history.jsonl', line: 4, column: 1 }
    const violation = { kind: 'linearizability', property: 'linearizable', message: words } as const
    const { history } = twice.client
    const evidence = [{ kind: 'history', history, order: [0], stuck: 1, words, violation, place }] as const
    expect(only(reported({ ...base, kind: 'violated', evidence, exhausted: false }))).toMatchObject({
      engine: 'histories',
      verdict: 'violated',
      scope: '2 calls by 2 processes, specification register',
      seconds: 0.012,
      violation: { message: words, place: { line: 4 } },
      evidence: [{ kind: 'history', history: [{ process: 'p1' }, { process: 'p2' }], order: [0], stuck: 1, words }],
    })
  })

  test('validates when it holds and when it was not settled', () => {
    only(reported({ ...base, kind: 'verified' }))
    const unsettled = only(reported({ ...base, kind: 'incomplete', because: 'memory', explored: 0, remaining: [] }))
    expect(unsettled.scope).toMatch(/^not settled: .*; stopped by the memory budget/)
  })
})
