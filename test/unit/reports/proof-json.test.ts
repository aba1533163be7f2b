import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { jsonReport } from '../../../src/reports/json.ts'
import type { Reported } from '../../../src/reports/result.ts'
import { at, incompleteProof, provedVerdict, reportedProof } from './proofs.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/allways-report-1.json', import.meta.url), 'utf8'))
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(schema)

function plain(result: Reported): { results: { [name: string]: unknown }[] } {
  return JSON.parse(JSON.stringify(jsonReport([result])))
}

function only(result: Reported): { readonly [name: string]: unknown } {
  const report = plain(result)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  return report.results[0] ?? {}
}

describe('a proof in the JSON report', () => {
  test('has the sequential program, with null for what is not there', () => {
    expect(only(reportedProof(provedVerdict))).toMatchObject({
      program: 'lock',
      engine: 'sequentialize',
      verdict: 'proved',
      scope:
        'no process waits for ever and none fails, for every clients ≥ 0; confirmed by execution for 3 of the 4 sizes clients = 0 to 3',
      network: null,
      setting: { sizes: { clients: 0 } },
      counts: { steps: 12 },
      seconds: 0.126,
      violation: null,
      trace: null,
      evidence: [
        {
          kind: 'sequentialProgram',
          lines: [
            { depth: 0, text: 'for each client {', place: at(15), sentAt: null },
            { depth: 1, place: at(16), sentAt: at(8) },
            { place: at(9) },
            { depth: 2, sentAt: at(17) },
            { text: '} else {', place: null },
            { text: '}' },
            { text: '}' },
          ],
        },
        { kind: 'proof', assertions: [], notCanonical: null, bounded: null },
      ],
    })
  })

  test('that was not found has its reason, and what small sizes have shown', () => {
    expect(only(reportedProof(incompleteProof()))).toMatchObject({
      verdict: 'incomplete',
      evidence: [
        {
          notCanonical: {
            reason: 'superfluous send',
            places: [{ place: at(9, 14) }, { place: at(104, 5) }, { place: at(104, 5) }],
            rest: [
              { process: 'main' },
              { process: 'cache', isDaemon: true },
              { process: 'client', isSet: true, at: null },
            ],
            underWay: ["{ kind: 'granted' } from main to each client"],
          },
          bounded: { sizes: [{ clients: 0 }, { clients: 1 }], executions: 1234, unfinished: [], because: null },
        },
      ],
    })
  })

  test('has every assertion with its answer', () => {
    const assertions = [{ place: at(30), message: 'few', answer: 'unknown', why: undefined }] as const
    expect(only(reportedProof(incompleteProof({ notCanonical: undefined, assertions })))).toMatchObject({
      evidence: [
        { kind: 'sequentialProgram' },
        { notCanonical: null, assertions: [{ place: at(30), message: 'few', answer: 'unknown', why: null }] },
      ],
    })
  })

  const unknown = { place: at(1), message: '', answer: 'unknown', why: null }
  const nothing = { kind: 'proof', assertions: [], notCanonical: null, bounded: null }

  test.each([
    ['an assertion that is not proved', { evidence: [{ ...nothing, assertions: [unknown] }] }],
    [
      'a search of small sizes',
      { evidence: [{ ...nothing, bounded: { sizes: [], executions: 0, unfinished: [], because: null } }] },
    ],
    ['a verdict it cannot have', { verdict: 'violated' }],
    ['a size below 0', { setting: { seed: 0, deadlock: 'error', sizes: { clients: -1 } } }],
    ['evidence of no kind', { evidence: [{ kind: 'rumour' }] }],
    ['a field too many', { proof: [] }],
  ])('is refused by the schema with %s', (_, wrong) => {
    const report = plain(reportedProof(provedVerdict))
    expect(validate({ ...report, results: [{ ...report.results[0], ...wrong }] })).toBe(false)
  })
})
