/** Whole outputs, kept beside this file: a change of layout is a change of these files, to be looked at. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/diagnostic.ts'
import { final, program } from '../../../src/index.ts'
import { plainPaint } from '../../../src/reports/paint.ts'
import { textDiagnostics, textReport, textResult } from '../../../src/reports/text.ts'
import { widthOf } from '../../../src/reports/text-width.ts'
import { counterexample } from './executions.ts'
import {
  crash,
  election,
  electionScript,
  lateWork,
  lateWorkScript,
  lostUpdate,
  lostUpdateScript,
  philosophers,
  philosophersScript,
} from './programs.ts'
import { counts, finding, reported, scopeOf, violated } from './reported.ts'

async function golden(text: string, name: string): Promise<void> {
  for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(100)
  expect(text).not.toMatch(/[ \t]$/m)
  await expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.txt`)
}

const late = counterexample(lateWork, { script: lateWorkScript, foundIn: 41 })
const lateFile = 'examples/late-work.check.ts'
const lateFrame = `  12 |     for (let i = 0; i < 2; i++) {
  13 |       const message = yield* receive<Work>()
> 14 |       yield* assert(!(stopped && message.kind === 'work'), 'worked after being stopped')
     |              ^
  15 |       stopped ||= message.kind === 'stop'
  16 |     }
`
const lateResult = reported(lateWork, violated(lateWork, late), {
  seconds: 2.94,
  findings: [finding(lateFile, late, { place: { file: lateFile, line: 14, column: 14 }, frame: lateFrame })],
})

const mistakes: readonly Diagnostic[] = [
  {
    code: 'E205',
    message: 'message.callback is a function (done), which is not a value, in process "client 0"',
    hint: 'messages are plain data: JSON-like objects and arrays, addresses, Map, Set, bigint',
    place: { file: 'examples/ring.check.ts', line: 14, column: 9 },
    frame: '  13 |   const done = () => {}\n> 14 |   yield* send(server, { callback: done })\n     |          ^\n',
  },
  { code: 'E101', message: 'there is no file examples/rong.check.ts', hint: 'did you mean examples/ring.check.ts?' },
]

describe('verdicts without a violation take a few lines', () => {
  test('verified says how many executions there are and what was covered', async () => {
    const verdict = {
      kind: 'verified',
      evidence: [],
      scope: scopeOf(election(3)),
      counts: counts({ executions: 30_112, events: 1_204_480, longest: 58 }),
    } as const
    await golden(textResult(reported(election(3), verdict, { seconds: 4.91 })), 'verified')
  })

  test('verified within bounds names them', async () => {
    const scope = scopeOf(lateWork, { maxSteps: 50, deadlock: 'allow', network: 'mailbox' })
    const verdict = {
      kind: 'verified',
      evidence: [],
      scope,
      counts: counts({ executions: 24, blocked: 3, events: 204, longest: 9 }),
    } as const
    await golden(textResult(reported(lateWork, verdict)), 'verified-bounded')
  })

  test('passed never claims more than samples', async () => {
    const scope = scopeOf(election(5), { engine: 'pct', seed: 41 })
    const verdict = {
      kind: 'passed',
      evidence: [],
      scope,
      counts: counts({ executions: 9_990, blocked: 10, events: 400_000, longest: 77 }),
    } as const
    const text = textResult(reported(election(5), verdict, { seconds: 12.04 }))
    expect(text).not.toContain('verified')
    await golden(text, 'passed')
  })

  test('incomplete names the budget and how to resume', async () => {
    const unit = { format: 'allways-unit/1', engine: 'dpor', state: null } as const
    const verdict = {
      kind: 'incomplete',
      evidence: [],
      scope: scopeOf(election(5)),
      counts: counts({ executions: 18_204, events: 700_001, longest: 91 }),
      because: 'time',
      explored: 0.61,
      remaining: [unit, unit, unit],
    } as const
    const text = textResult(
      reported(election(5), verdict, { seconds: 60.02, commands: { resume: 'npx allways check --resume' } }),
    )
    await golden(text, 'incomplete')
  })
})

describe('a violation is a page: what broke, the picture, why, where, commands', () => {
  test('an assertion', async () => {
    await golden(textResult(lateResult), 'assertion')
  })

  test('an assertion, in ASCII', async () => {
    const text = textResult(lateResult, { ascii: true })
    expect(text).toMatch(/^[\x20-\x7e\n]*$/)
    await golden(text, 'assertion-ascii')
  })

  test('a deadlock names who waits for what, where, with what in the inbox', async () => {
    const found = counterexample(philosophers, { script: philosophersScript })
    const at = { file: 'examples/philosophers.check.ts', line: 31, column: 16 }
    const waitingAt = new Map([
      ['philosopher 0', at],
      ['philosopher 1', at],
    ])
    const result = reported(philosophers, violated(philosophers, found), {
      findings: [finding('a.ts', found, { waitingAt, places: new Map() })],
    })
    await golden(textResult(result), 'deadlock')
  })

  test('nothing is left empty for the picture of an execution in which nothing happens', () => {
    const nothing = program('nothing', { properties: [final('something', () => false)] }, function* () {})
    const text = textResult(reported(nothing, violated(nothing, counterexample(nothing))))
    expect(text).toContain('the final condition is false')
    expect(text).not.toContain('\n\n\n')
  })

  test('an exception with a message of several lines', async () => {
    const found = counterexample(crash)
    const violation = {
      ...found.violation,
      message: `${found.violation.message}\n\n  expected a row\n  received undefined`,
    }
    const verdict = violated(crash, { ...found, violation }, { counts: counts({ executions: 1 }) })
    await golden(textResult(reported(crash, verdict)), 'exception')
  })

  test('a monitor, with the notifications it was sent', async () => {
    const found = counterexample(election(3), { script: electionScript })
    expect(found.violation.kind).toBe('monitor')
    await golden(textResult(reported(election(3), violated(election(3), found))), 'monitor')
  })

  test('a final condition, with what processes returned', async () => {
    const found = counterexample(lostUpdate, { script: lostUpdateScript })
    expect(found.violation.kind).toBe('final')
    await golden(textResult(reported(lostUpdate, violated(lostUpdate, found))), 'final')
  })

  test('several violations are numbered, and only the first explains the notation', async () => {
    const other = counterexample(crash)
    const verdict = violated(lateWork, late, { others: [other], exhausted: true, counts: counts({ executions: 24 }) })
    const text = textResult(reported(lateWork, verdict, { findings: [finding(lateFile, late)] }))
    expect(text.match(/counted in sending order/g)).toHaveLength(1)
    await golden(text, 'several')
  })
})

test('mistakes are all listed, with code, place, frame and hint', async () => {
  await golden(textDiagnostics(mistakes), 'diagnostics')
})

test('a command in a hint stands on one line, on its own if it is long', () => {
  const hint = (command: string): string =>
    textDiagnostics([{ code: 'E419', message: 'm', hint: `if it is what you mean to run, name it: ${command}` }])
  const long = `npx allways replay ${'.allways/traces/door.the-door-is-open.93dc.trace.json'} src/door.check.ts`
  expect(hint(long).split('\n').slice(1)).toEqual(['   hint: if it is what you mean to run, name it:', `   ${long}`])
  expect(hint('npx allways replay a.json').split('\n').slice(1)).toEqual([
    '   hint: if it is what you mean to run, name it: npx allways replay a.json',
  ])
})

test('a report of several results ends with their sum', async () => {
  const verdict = {
    kind: 'verified',
    evidence: [],
    scope: scopeOf(election(3)),
    counts: counts({ executions: 1, events: 12, longest: 12 }),
  } as const
  const text = textReport([reported(election(3), verdict), lateResult, lateResult], mistakes)
  expect(text.match(/counted in sending order/g)).toHaveLength(1)
  await golden(text, 'report')
})

test('no line but a command is wider than 100 columns, whatever things are called', () => {
  const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(texts, texts, texts, fc.boolean(), (name, message, file, ascii) => {
      const place = { file, line: 3, column: 4 }
      const violation = { kind: 'assertion', property: message, message: `${message}\n${name}`, process: name } as const
      const found = { ...late, violation }
      const findings = [
        {
          ...finding(file, found, { place, frame: `${message}\n${name}` }),
          replayCommand: undefined,
          showCommand: undefined,
        },
      ]
      const scope = scopeOf(lateWork, { params: { [name]: message } })
      const passed = { kind: 'passed', evidence: [], scope, counts: counts({ executions: 1 }) } as const
      const results = [
        { ...reported(lateWork, violated(lateWork, found)), file, program: name, findings },
        { ...reported(lateWork, passed), file, program: message },
      ]
      const text = textReport(results, [{ code: 'E104', message, hint: name, place, frame: message }], { ascii })
      for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(100)
      if (ascii) expect(text).toMatch(/^[\x20-\x7e\n]*$/)
    }),
    { numRuns: 60, seed: 7 },
  )
})

test('colours change no character of the text', () => {
  const strip = (text: string): string => text.replace(/\[\/?[bdrgc]\]/g, '')
  const tag = (name: string) => (text: string) => `[${name}]${text}[/${name}]`
  const paint = { bold: tag('b'), dim: tag('d'), red: tag('r'), green: tag('g'), cyan: tag('c') }
  const painted = textResult(lateResult, { paint })
  expect(painted).not.toBe(strip(painted))
  expect(strip(painted)).toBe(textResult(lateResult, { paint: plainPaint }))
})
