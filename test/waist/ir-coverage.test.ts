/** What executions of an IR program show of its machines: notes under the verdict, and a table with it. */
import { expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import type { Ir } from '../../src/ir/ir.ts'
import { registerProgram } from '../../src/program/program.ts'
import { jsonReport } from '../../src/reports/json.ts'
import { vacuityLines } from '../../src/reports/vacuity.ts'
import {
  announce,
  assert,
  create,
  does,
  flag,
  type MachineText,
  program,
  self,
  send,
} from '../unit/semantics/ir/build.ts'

async function checked(ir: Ir, options: Parameters<typeof checkResult>[1]) {
  const own = { params: {}, every: {}, network: 'sender-queue', options: {}, stack: undefined } as const
  const subject = registerProgram({
    name: 'ir',
    ...own,
    views: { ir: (setting, witness) => ({ program: ir, setting, witness }) },
  })
  const result = await checkResult(subject, options)
  if (!result.ok) throw new Error(`${result.diagnostics[0]?.code}: ${result.diagnostics[0]?.message}`)
  return result.value
}

const Main: MachineText = {
  states: {
    Wait: { entry: does(create('Other'), send(self, 'go')), on: { go: { goto: 'Work' }, never: does() } },
    Work: { entry: does(announce('seen')), on: { done: { goto: 'Wait' }, never: 'ignore' } },
    Lost: { on: { go: { goto: 'Wait' } } },
  },
}

const Dog: MachineText = {
  observes: ['seen', 'done'],
  states: {
    Calm: { on: { seen: { goto: 'Busy' }, done: { goto: 'Off' } } },
    Busy: { temperature: 'cold', on: { seen: does(), done: { goto: 'Off' } } },
    Off: {},
  },
}

const covered = program({
  events: ['go', 'done', 'never', 'seen'],
  machines: { Main, Other: { states: { Idle: { on: { go: does() } } } }, Absent: { states: { S: {}, T: {} } } },
  monitors: { Dog, Cat: { ...Dog, kind: 'scenario' }, Cow: { ...Dog, kind: 'scenario', observes: ['done'] } },
})

const engines: readonly { readonly engine: string; readonly samples?: number }[] = [
  { engine: 'stateful' },
  { engine: 'exhaustive' },
  { engine: 'random', samples: 200 },
]

test.each(engines)('$engine tells states never entered, and handlers never run of those that were', async (options) => {
  const { vacuity } = (await checked(covered, options)) as { vacuity?: readonly { subject: string; code: string }[] }
  const subjects = (code: string) => vacuity?.filter((one) => one.code === code).map(({ subject }) => subject)
  expect(subjects('state-never-entered')?.sort()).toEqual([
    'state "Busy" of Cow',
    'state "Lost" of Main',
    'state "Off" of Cat',
    'state "Off" of Cow',
    'state "Off" of Dog',
    // Nobody creates it, so of its other states nothing is asked.
    'state "S" of Absent',
  ])
  expect(subjects('handler-never-run')).toContain('handler "never" in state "Wait" of Main')
  expect(subjects('handler-never-run')).toContain('handler "go" in state "Idle" of Other')
  expect(subjects('handler-never-run')).not.toContain('handler "go" in state "Wait" of Main')
  // What is ignored is no handler.
  expect(subjects('handler-never-run')).not.toContain('handler "never" in state "Work" of Main')
})

test.each(engines)('the table of $engine has every machine', async (options) => {
  const { coverage } = await checked(covered, options)
  expect(coverage?.map(({ name }) => name).sort()).toEqual(['Absent', 'Cat', 'Cow', 'Dog', 'Main', 'Other'])
  const named = (name: string) => coverage?.find((one) => one.name === name)
  expect(named('Main')).toEqual({
    name: 'Main',
    kind: 'machine',
    states: [
      { name: 'Wait', entered: true, handled: ['go'], neverHandled: ['never'] },
      { name: 'Work', entered: true, handled: [], neverHandled: ['done'] },
      { name: 'Lost', entered: false, handled: [], neverHandled: ['go'] },
    ],
  })
  expect(named('Cat')).toMatchObject({ kind: 'scenario', isCovered: true })
  expect(named('Cow')).toMatchObject({ kind: 'scenario', isCovered: false })
  expect(named('Dog')).not.toHaveProperty('isCovered')
})

test('a verdict has it in words and in JSON', async () => {
  const verdict = await checked(covered, { engine: 'stateful' })
  expect(vacuityLines(verdict)).toContain('note: state "S" of Absent is never entered')
  const reported = { program: 'ir', file: 'model.p', verdict, seconds: 0, findings: [] }
  expect(jsonReport([reported]).results[0]?.coverage).toEqual(verdict.coverage)
})

test('a violation comes with what was met until then', async () => {
  const failing = program({
    events: ['go'],
    machines: { Main: { states: { S: { entry: does(assert(flag(false), 'wrong')) }, T: {} } } },
  })
  const verdict = await checked(failing, { engine: 'stateful' })
  expect(verdict).toMatchObject({ kind: 'violated' })
  expect(verdict.coverage?.[0]?.states.map(({ name, entered }) => [name, entered])).toEqual([
    ['S', true],
    ['T', false],
  ])
})
