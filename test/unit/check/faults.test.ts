/** Budgets of faults as users write them: what cannot be used is refused, and everything else travels with the setting. */
import { expect, test } from 'vitest'
import { forwardingTree } from '../../../corpus/forwarding-tree/model.check.ts'
import { checkRequest } from '../../../src/check/request.ts'
import { parseTrace } from '../../../src/check/trace-file.ts'
import { type FaultBudget, faultProblems, normalFaults } from '../../../src/core/faults.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { receive, spawn } from '../../../src/model/process.ts'
import { program } from '../../../src/model/program.ts'

const faulty = program('faulty', { faults: { losses: 2, crashes: 0 } }, function* () {
  yield* spawn('other', function* () {
    yield* receive()
  })
})

test('a system has the budget that is given, or its own', () => {
  const faults = (given?: FaultBudget) => {
    const request = checkRequest(forwardingTree, { faults: given })
    return request.ok ? request.value.setting.faults : request.diagnostics
  }
  expect(faults()).toEqual({ losses: 'any' })
  expect(faults({})).toEqual({})
  expect(faults({ crashes: 1, restarts: 0 })).toEqual({ crashes: 1 })
})

test.each([
  [{ crashs: 1 }, 'there is no fault "crashs"'],
  [{ crashes: 0.5 }, '"crashes" must be a whole number from 0, and is 0.5'],
  [{ losses: -1 }, '"losses" must be a whole number from 0 or "any", and is -1'],
  [{ restarts: 1 }, '1 restart needs at least 1 crash: a process restarts after it has crashed'],
  [3, 'faults are written as an object'],
  [[1], 'faults are written as an object'],
])('%j is refused', (budget, why) => {
  expect(faultProblems(budget)[0]).toContain(why)
})

test('a program with a budget that cannot be used is a mistake where it is declared', () => {
  expect(() => program('wrong', { faults: { restarts: 1 } }, function* () {})).toThrow(/restarts/)
})

test('the budget of the program counts unless another is given', () => {
  const faultsOf = (faults?: object) => {
    const request = checkRequest(faulty, { faults })
    return request.ok ? request.value.setting.faults : request.diagnostics.map(({ code }) => code)
  }
  expect(faultsOf()).toEqual({ losses: 2 })
  expect(faultsOf({ crashes: 1 })).toEqual({ crashes: 1 })
  expect(faultsOf({})).toEqual({})
  expect(faultsOf({ crashes: 'many' })).toEqual(['E217'])
})

test('a budget without faults is no budget', () => {
  expect(normalFaults({ crashes: 0, losses: 0 })).toBeUndefined()
})

test('the comparison variant takes no budget', () => {
  const eager = checkRequest(faulty, { network: 'fifo-eager' })
  expect(eager.ok ? [] : eager.diagnostics.map(({ code }) => code)).toEqual(['E217'])
})

test('a trace with a damaged budget is refused', () => {
  const trace = {
    format: 'allways-trace/2',
    program: { name: 'faulty', file: 'faulty.check.ts', digest: 'x' },
    setting: { ...settingFrom({ params: {}, network: 'fifo' }), faults: { crashes: 'one' } },
    decisions: [{ kind: 'crash', process: 'other' }],
    foundBy: { engine: 'dpor', seed: 0, version: '0' },
  }
  const parsed = parseTrace(JSON.stringify(trace), 'x.trace.json')
  expect(parsed.ok ? [] : parsed.diagnostics.map(({ message }) => message)[0]).toContain(
    'setting.faults must be a fault budget',
  )
  const repaired = parseTrace(JSON.stringify({ ...trace, setting: { ...trace.setting, faults: { crashes: 1 } } }), 'x')
  expect(repaired.ok && repaired.value.trace.decisions).toEqual(trace.decisions)
})
