import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseTrace, readTrace, traceNotes, writeTrace } from '../../../src/check/trace-file.ts'
import type { Diagnostic, Result } from '../../../src/core/diagnostic.ts'
import type { Counterexample } from '../../../src/core/evidence.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { type Trace, traceFormat } from '../../../src/core/trace.ts'
import { Address } from '../../../src/core/value.ts'
import type { Program } from '../../../src/program/program.ts'
import { columns } from '../../../src/reports/columns.ts'
import { replay, reproduced } from '../../../src/semantics/replay.ts'
import { pathsOf } from '../../../src/semantics/world-path.ts'
import { counterexample } from '../reports/executions.ts'
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
} from '../reports/programs.ts'
import { placesOf } from '../reports/reported.ts'

const schema = JSON.parse(readFileSync(new URL('../../../schema/allways-trace-2.json', import.meta.url), 'utf8'))
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(schema)

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'traces-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

function traceOf(program: Program, { decisions }: Counterexample): Trace {
  return {
    format: traceFormat,
    program: { name: program.name, file: 'examples/x.check.ts', digest: 'sha256-0' },
    setting: settingFrom({ params: program.params, network: program.network }),
    decisions,
    foundBy: { engine: 'dpor', seed: 0, version: '0.1.0' },
  }
}

function written(program: Program, found: Counterexample): string {
  const place = { file: 'examples/x.check.ts', line: 14, column: 3 }
  const sources = { 'examples/x.check.ts': 'sha256-0' }
  const context = {
    counterexample: found,
    scope: 'found after 3 executions',
    places: placesOf('examples/x.check.ts', found.events),
    place,
    sources,
  }
  return writeTrace(join(directory, 'deep', 'traces'), traceOf(program, found), context)
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'))
  return result.value
}

function problem(result: Result<unknown>): Diagnostic {
  if (result.ok) throw new Error('it was read')
  expect(result.diagnostics).toHaveLength(1)
  return result.diagnostics[0] as Diagnostic
}

const late = counterexample(lateWork, { script: lateWorkScript, foundIn: 41 })
const cases: readonly (readonly [string, Program, Counterexample])[] = [
  ['an assertion', lateWork, late],
  ['a deadlock', philosophers, counterexample(philosophers, { script: philosophersScript })],
  ['a final condition', lostUpdate, counterexample(lostUpdate, { script: lostUpdateScript })],
  ['a monitor', election(3), counterexample(election(3), { script: electionScript })],
  ['an exception', crash, counterexample(crash)],
]

describe('a trace file', () => {
  test.each(cases)('of %s is described by the schema', (_, program, found) => {
    const json = JSON.parse(readFileSync(written(program, found), 'utf8'))
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  })

  test.each(cases)('of %s gives back the trace, which still replays to the violation', (_, program, found) => {
    const { trace } = value(readTrace(written(program, found)))
    expect(trace).toEqual(traceOf(program, found))
    const runnable = program.views.runnable?.(trace.setting)
    const replayed = replay(pathsOf(runnable as never), trace.decisions, { places: false })
    expect(replayed.drift).toBe(undefined)
    if (found.violation.kind !== 'deadlock') expect(reproduced(replayed, found.violation)).toBeDefined()
  })

  test.each(cases)('of %s shows the same picture without the program', (_, program, found) => {
    const path = written(program, found)
    const notes = value(traceNotes(value(readTrace(path)), path))
    const places = placesOf('examples/x.check.ts', found.events)
    expect(columns(notes.counterexample, { places: notes.places })).toBe(columns(found, { places }))
    expect(notes.counterexample.foundIn).toBe(found.foundIn)
    expect(notes.scope).toBe('found after 3 executions')
    expect(notes.place).toEqual({ file: 'examples/x.check.ts', line: 14, column: 3 })
  })

  test('of a deadlock keeps where processes wait', () => {
    const [, program, found] = cases[1] as (typeof cases)[number]
    const waitingAt = new Map([['philosopher 1', { file: 'a.ts', line: 3, column: 9 }]])
    const context = { counterexample: found, scope: '', places: new Map(), waitingAt }
    const path = writeTrace(directory, traceOf(program, found), context)
    const notes = value(traceNotes(value(readTrace(path)), path))
    expect(notes.waitingAt).toEqual(waitingAt)
    expect(validate(JSON.parse(readFileSync(path, 'utf8'))), JSON.stringify(validate.errors)).toBe(true)
  })

  test('is named after program and property, the same for the same trace and another for another', () => {
    const path = written(lateWork, late)
    expect(path).toMatch(/deep\/traces\/late-work\.worked\.[0-9a-f]{12}\.trace\.json$/)
    expect(written(lateWork, late)).toBe(path)
    const other = counterexample(lateWork, {
      script: ['main steps', 'main steps', 'main steps', 'supervisor steps', 'worker receives #0', 'client steps'],
    })
    expect(written(lateWork, other)).not.toBe(path)
    expect(readdirSync(join(directory, 'deep', 'traces'))).toHaveLength(2)
  })

  test('has a name of its own among many of one program', () => {
    const context = { counterexample: late, scope: '', places: new Map() }
    const names = Array.from({ length: 600 }, (_, n) => {
      const trace = { ...traceOf(lateWork, late), setting: settingFrom({ params: { n }, network: 'fifo' }) }
      return writeTrace(directory, trace, context)
    })
    expect(new Set(names).size).toBe(600)
  })

  test('has a name without special characters whatever program and property are called', () => {
    const found = { ...late, violation: { ...late.violation, property: '../../¡évil\n' } }
    const path = written({ ...lateWork, name: '日本' }, found)
    expect(path.slice(path.lastIndexOf('/') + 1)).toMatch(/^program\.e-vil\.[0-9a-f]{12}\.trace\.json$/)
  })

  test('names steps by process and index, with causes and places', () => {
    const json = JSON.parse(readFileSync(written(lateWork, late), 'utf8'))
    expect(json.steps[6]).toEqual({
      i: 7,
      id: 'worker#1',
      process: 'worker',
      kind: 'receive',
      message: 0,
      from: 'client',
      value: { kind: 'work' },
      causes: ['client#0'],
      at: 'examples/x.check.ts:16:7',
    })
    expect(json.minimised).toEqual({ from: 41, to: 7 })
    expect(json.property).toMatchObject({ name: 'worked after being stopped', kind: 'assertion', verdict: 'violated' })
  })

  test('keeps parameters of every type', () => {
    const params = {
      n: 3,
      big: 10n,
      who: Address.of('n1'),
      map: new Map([[1, new Set(['a'])]]),
      '#odd': null,
      nothing: undefined,
    }
    const path = written({ ...lateWork, params }, late)
    expect(value(readTrace(path)).trace.setting.params).toEqual(params)
  })

  test('is read without its derived parts, but then cannot be shown', () => {
    const { property, scope, sources, steps, processes, minimised, ...trace } = JSON.parse(
      readFileSync(written(lateWork, late), 'utf8'),
    )
    const file = value(parseTrace(JSON.stringify(trace), 'x.trace.json'))
    expect(file.trace.decisions).toHaveLength(7)
    expect(problem(traceNotes(file, 'x.trace.json'))).toMatchObject({
      code: 'E402',
      message: 'the trace x.trace.json has no steps to show',
    })
  })

  test('keeps which decisions repeat for ever', () => {
    const found = { ...late, repeatsFrom: 3 }
    const context = { counterexample: found, scope: '', places: new Map() }
    const path = writeTrace(directory, { ...traceOf(lateWork, found), repeatsFrom: 3 }, context)
    const file = value(readTrace(path))
    expect(file.trace.repeatsFrom).toBe(3)
    expect(columns(value(traceNotes(file, path)).counterexample)).toContain('these 4 steps can repeat for ever')
    expect(validate(JSON.parse(readFileSync(path, 'utf8'))), JSON.stringify(validate.errors)).toBe(true)
  })

  test('may carry fields that this version does not know', () => {
    const json = JSON.parse(readFileSync(written(lateWork, late), 'utf8'))
    expect(value(parseTrace(JSON.stringify({ ...json, later: 1 }), 'x')).trace).toEqual(traceOf(lateWork, late))
  })
})

describe('what is not a trace is a diagnostic', () => {
  const text = (): string => readFileSync(written(lateWork, late), 'utf8')
  const changed = (change: (json: Record<string, never>) => void): Diagnostic => {
    const json = JSON.parse(text())
    change(json)
    return problem(parseTrace(JSON.stringify(json), 'x.trace.json'))
  }

  test.each([8, -1, 1.5, '3'])('when it repeats from decision %s of 7', (repeatsFrom) => {
    const damaged = changed((json) => Object.assign(json, { repeatsFrom }))
    expect(damaged).toMatchObject({ code: 'E402', message: expect.stringContaining('repeatsFrom') })
  })

  test('when there is no file', () => {
    expect(problem(readTrace(join(directory, 'none.json')))).toEqual({
      code: 'E101',
      message: `the trace ${directory}/none.json cannot be read: there is no such file`,
      hint: 'a violation is printed with the path of its trace, in .allways/traces unless --trace-dir says otherwise',
    })
  })

  test('when it is a directory', () => {
    expect(problem(readTrace(directory)).message).toMatch(/cannot be read: it is a directory$/)
  })

  test.each([
    ['', 'it is not JSON'],
    ['hello', 'it is not JSON'],
    ['null', 'it has no "format"'],
    ['[1]', 'it has no "format"'],
    ['{"name": "pkg"}', 'it has no "format"'],
    ['{"format": "allways-report/1"}', 'its format is "allways-report/1"'],
  ])('when it is %j', (content, why) => {
    expect(problem(parseTrace(content, 'x.json'))).toMatchObject({
      code: 'E401',
      message: `x.json is not a trace: ${why}`,
    })
  })

  test('when it is cut off', () => {
    expect(problem(parseTrace(text().slice(0, 500), 'x.trace.json'))).toMatchObject({
      code: 'E402',
      message: 'the trace x.trace.json is damaged: the JSON ends early or is broken',
    })
  })

  test('when it has another version', () => {
    const diagnostic = changed((json) => Object.assign(json, { format: 'allways-trace/1' }))
    expect(diagnostic.code).toBe('E403')
    expect(diagnostic.message).toBe(
      'the trace x.trace.json has format allways-trace/1, and this allways reads allways-trace/2',
    )
  })

  test.each([
    ['program', undefined, 'program.name must be a text, but is missing'],
    ['decisions', {}, 'decisions must be a list, but is an object'],
    [
      'decisions',
      [{ kind: 'hop', process: 'a' }],
      'decisions[0].kind must be one of "step", "deliver", "timeout", "choose", "lose", "duplicate", "crash", "restart", "partition", "heal", but is "hop"',
    ],
    ['decisions', [{ kind: 'step' }], 'decisions[0].process must be a text, but is missing'],
    [
      'decisions',
      [{ kind: 'deliver', process: 'a', message: -1 }],
      'decisions[0].message must be a whole number from 0, but is -1',
    ],
    [
      'decisions',
      [{ kind: 'choose', process: 'a', option: 'x' }],
      'decisions[0].option must be a whole number from 0, but is "x"',
    ],
    [
      'setting',
      { params: {}, network: 'fifo', faults: {}, bounds: {}, options: {}, start: 'snapshot' },
      'setting.start must be "initial" or a snapshot, but is "snapshot"',
    ],
    [
      'setting',
      { params: {}, network: 'fifo', faults: { quakes: 1 }, bounds: {}, options: {}, start: 'initial' },
      'setting.faults must be a fault budget',
    ],
    [
      'setting',
      { params: {}, network: 'fifo', faults: {}, bounds: { maxSteps: -1 }, options: {}, start: 'initial' },
      'setting.bounds.maxSteps must be a whole number from 0, but is -1',
    ],
    [
      'setting',
      { params: {}, network: 'tcp' },
      'setting.network must be one of "bag", "fifo", "causal", "mailbox", "sender-queue", but is "tcp"',
    ],
    [
      'setting',
      { params: { n: { '#bigint': 'x' } }, network: 'fifo' },
      'setting.params.n must be a value, but is an object',
    ],
    [
      'setting',
      { params: { n: { '#map': 3 } }, network: 'fifo' },
      'setting.params.n must be a value, but is an object',
    ],
    ['setting', { params: [], network: 'fifo' }, 'setting.params must be an object, but is a list'],
    ['foundBy', { engine: 'dpor', seed: 0.5, version: '1' }, 'foundBy.seed must be a whole number, but is 0.5'],
  ])('when %s is %j', (key, replacement, message) => {
    const diagnostic = changed((json) => Object.assign(json, { [key]: replacement }))
    expect(diagnostic.code).toBe('E402')
    expect(diagnostic.message).toContain(`is damaged: ${message}`)
  })

  test('when a value is nested deeper than any that a program has', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    const params = (levels: number) => ({ params: { n: nested(levels) }, network: 'fifo' })
    const diagnostic = changed((json) => Object.assign(json, { setting: params(1_900) }))
    expect(diagnostic.message).toContain('setting.params.n must be a value, but is a list')
    expect(changed((json) => Object.assign(json, { setting: params(500) })).message).not.toContain('must be a value')
  })

  test('when several fields are wrong, all are named, up to five', () => {
    const diagnostic = changed((json) => Object.assign(json, { program: 1, foundBy: null }))
    expect(diagnostic.message).toMatch(
      /program\.name .*; program\.file .*; program\.digest .*; foundBy\.engine .*; foundBy\.seed .*; and 1 more problems$/,
    )
  })

  test('when the steps to show are damaged', () => {
    const json = JSON.parse(text())
    json.steps[3].kind = 'jump'
    json.steps[4].id = 'client#x'
    const file = value(parseTrace(JSON.stringify(json), 'x'))
    const diagnostic = problem(traceNotes(file, 'x'))
    expect(diagnostic.code).toBe('E402')
    expect(diagnostic.message).toContain('steps[3].kind must be one of')
    expect(diagnostic.message).toContain('steps[4].id must be "supervisor#" and a number, but is "client#x"')
  })

  test('and never an exception, whatever the JSON is', () => {
    const whole = JSON.parse(text())
    const keys = Object.keys(whole)
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...keys), fc.constantFrom('', ...keys), (json, key, deeper) => {
        const damaged = { ...whole, [key]: deeper === '' ? json : { ...whole[key], [deeper]: json } }
        const read = parseTrace(JSON.stringify(damaged), 'x')
        if (read.ok) traceNotes(read.value, 'x')
        else expect(read.diagnostics[0]?.code).toMatch(/^E40[123]$/)
      }),
      { numRuns: 500, seed: 6 },
    )
  })

  test('and never an exception, wherever the text is cut', () => {
    const whole = text()
    for (let length = 0; length < whole.length - 2; length += 7) {
      const result = parseTrace(whole.slice(0, length), 'x')
      expect(result.ok).toBe(false)
    }
  })
})
