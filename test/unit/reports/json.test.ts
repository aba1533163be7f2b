import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { Address } from '../../../src/core/value.ts'
import type { VerdictKind } from '../../../src/core/verdict.ts'
import { vacuityCodes } from '../../../src/core/witness.ts'
import { type JsonResult, jsonReport, jsonText } from '../../../src/reports/json.ts'
import type { Reported } from '../../../src/reports/result.ts'
import { counterexample } from './executions.ts'
import { crash, lateWork, lateWorkScript, philosophers, philosophersScript } from './programs.ts'
import { counts, finding, reported, scopeOf, violated } from './reported.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/allways-report-1.json', import.meta.url), 'utf8'))
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(schema)

function valid(report: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(report))
  expect(validate(plain), JSON.stringify(validate.errors)).toBe(true)
  return plain
}

const late = counterexample(lateWork, { script: lateWorkScript })
const lateFile = 'examples/late-work.check.ts'

function verdictOf(kind: Exclude<VerdictKind, 'violated'>): Reported {
  const base = { evidence: [], scope: scopeOf(lateWork), counts: counts({ executions: 3, events: 21, longest: 7 }) }
  return reported(
    lateWork,
    kind === 'incomplete' ? { kind, ...base, because: 'memory', explored: 0.25, remaining: [] } : { kind, ...base },
  )
}

function programResults(results: readonly Reported[]): readonly JsonResult[] {
  return jsonReport(results).results as readonly JsonResult[]
}

describe('the JSON report', () => {
  test('has notes of all kinds with their places, what actions model, and most calls of specifications', () => {
    const place = { file: lateFile, line: 1, column: 1 }
    const vacuity = vacuityCodes.map((code) => ({ code, subject: 'field "x"', count: 0, place }))
    const scope = scopeOf(lateWork, { modelled: ['one liar of four'] })
    const called = [{ operation: 'tree.commit', most: 2 }]
    const verdict = { kind: 'verified', evidence: [], scope, counts: counts({ states: 3 }), vacuity, called } as const
    expect(valid(jsonReport([reported(lateWork, verdict)]))).toMatchObject({
      results: [{ vacuity, called, setting: { modelled: ['one liar of four'] } }],
    })
  })

  test('of a verified program is the object that is documented', () => {
    const scope = scopeOf(lateWork, { params: { n: 4 } })
    const result = reported(lateWork, {
      kind: 'verified',
      evidence: [],
      scope,
      counts: counts({ executions: 24, events: 204, longest: 9 }),
    })
    expect(valid(jsonReport([{ ...result, program: 'ns+nr', file: 'corpus/ns-nr/model.check.ts' }]))).toEqual({
      format: 'allways-report/1',
      results: [
        {
          program: 'ns+nr',
          file: 'corpus/ns-nr/model.check.ts',
          engine: 'dpor',
          network: 'fifo',
          params: { n: 4 },
          verdict: 'verified',
          scope: 'all 24 executions, n = 4, fifo, no faults',
          setting: { seed: 0, deadlock: 'error' },
          counts: { executions: 24, blocked: 0, events: 204, longest: 9 },
          seconds: 0.02,
          violation: null,
          trace: null,
          evidence: [],
        },
      ],
    })
  })

  test('of a violation says what, who, where and how long', () => {
    const place = { file: lateFile, line: 14, column: 14 }
    const result = reported(lateWork, violated(lateWork, late), { findings: [finding(lateFile, late, { place })] })
    const [json] = jsonReport([result]).results
    expect(json?.violation).toEqual({
      kind: 'assertion',
      property: 'worked after being stopped',
      message: 'worked after being stopped',
      process: 'worker',
      place,
      steps: 7,
    })
    expect(json?.trace).toBe('.allways/traces/late-work.worked-after-being.3f9a.trace.json')
    valid(jsonReport([result]))
  })

  test('of a deadlock lists who waits', () => {
    const found = counterexample(philosophers, { script: philosophersScript })
    const report = jsonReport([reported(philosophers, violated(philosophers, found))])
    expect(report.results[0]?.violation?.waiting).toEqual([
      { process: 'philosopher 0', forWhat: 'a message', inbox: [] },
      { process: 'philosopher 1', forWhat: 'a message', inbox: [] },
    ])
    expect(report.results[0]?.violation?.process).toBe(null)
    valid(report)
  })

  test('lists further violations apart, in their order', () => {
    const other = counterexample(crash)
    const verdict = violated(lateWork, late, { others: [other] })
    const [json] = programResults([reported(lateWork, verdict, { findings: [finding(lateFile, late)] })])
    expect(json?.evidence.map(({ violation, trace }) => [violation?.kind, trace])).toEqual([
      ['assertion', json?.trace],
      ['exception', null],
    ])
    valid(jsonReport([reported(lateWork, verdict)]))
  })

  test('validates for every verdict', () => {
    for (const kind of ['proved', 'verified', 'passed', 'incomplete'] as const) valid(jsonReport([verdictOf(kind)]))
  })

  test('keeps parameters that JSON has no words for', () => {
    const params = { big: 12n, who: Address.of('n1'), set: new Set([1]) }
    const { verdict } = verdictOf('verified')
    const [json] = programResults([reported(lateWork, { ...verdict, scope: { ...verdict.scope, params } })])
    expect(json?.params).toEqual({ big: { '#bigint': '12' }, who: { '#address': 'n1' }, set: { '#set': [1] } })
  })

  test('has diagnostics only when there are some', () => {
    const place = { file: 'a.ts', line: 1, column: 2 }
    const report = jsonReport(
      [],
      [
        { code: 'E101', message: 'm', hint: 'g' },
        { code: 'E205', message: 'n', hint: 'h', place, stack: 'secret' },
      ],
    )
    expect(valid(report)).toEqual({
      format: 'allways-report/1',
      results: [],
      diagnostics: [
        { code: 'E101', message: 'm', hint: 'g', place: null },
        { code: 'E205', message: 'n', hint: 'h', place },
      ],
    })
    expect(jsonReport([])).toEqual({ format: 'allways-report/1', results: [] })
  })

  test('as text is one object that ends without a line break', () => {
    const text = jsonText([verdictOf('verified')])
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(jsonReport([verdictOf('verified')]))))
    expect(text).not.toMatch(/\n$/)
  })

  test('is refused by the schema when it says verified beside a violation', () => {
    const report = JSON.parse(jsonText([reported(lateWork, violated(lateWork, late))]))
    report.results[0].verdict = 'verified'
    expect(validate(report)).toBe(false)
  })
})
