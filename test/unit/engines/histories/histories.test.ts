import { describe, expect, test } from 'vitest'
import { historyProgram } from '../../../../src/check/history-program.ts'
import { type CheckOptions, checkRequest } from '../../../../src/check/request.ts'
import { type RunOptions, runCheck } from '../../../../src/check/run.ts'
import type { Call } from '../../../../src/core/history.ts'
import type { Verdict } from '../../../../src/core/verdict.ts'
import type { Program } from '../../../../src/program/program.ts'
import type { MadeSpecification } from '../../../../src/program/specification.ts'
import { specification } from '../../../../src/properties/linearizability/specification.ts'
import { builtInSpecification } from '../../../../src/properties/linearizability/specifications/catalogue.ts'

function call(process: string, operation: string, value: number, [invoked, returned]: readonly [number, number]): Call {
  const isRead = operation === 'read'
  const result = { kind: 'returned', value: isRead ? value : undefined } as const
  return { process, operation, args: isRead ? [] : [value], result, invoked, returned }
}

function register(calls: readonly Call[], witness = false): Program {
  const found = builtInSpecification('register')
  if (!('kind' in found)) throw new Error(found.message)
  return historyProgram({ history: { calls }, specification: found, failed: 0, objectOf: undefined, witness })
}

const fine = [call('a', 'write', 1, [0, 3]), call('b', 'read', 1, [1, 2])]
const stale = [call('a', 'write', 1, [0, 1]), call('a', 'write', 2, [2, 3]), call('b', 'read', 1, [4, 5])]

/** Additions at the same time and a result that none of their orders has: every subset of them is a state. */
function hard(): Program {
  const adds = Array.from({ length: 26 }, (_, at) => call(`p${at}`, 'add', 2 ** at, [at, 1000]))
  const sum = specification<number>({
    name: 'sum',
    initial: 0,
    apply: (state, operation, [amount]) =>
      operation === 'add' ? { state: state + Number(amount) } : { state, returns: state },
  })
  const calls = [...adds, call('z', 'read', -1, [2000, 2001])]
  return historyProgram({
    history: { calls },
    specification: sum as MadeSpecification,
    failed: 0,
    objectOf: undefined,
    witness: false,
  })
}

async function checked(program: Program, options: CheckOptions = {}, run: RunOptions = {}): Promise<Verdict> {
  const request = checkRequest(program, { engine: 'histories', ...options })
  if (!request.ok) throw new Error(request.diagnostics.map(({ message }) => message).join('\n'))
  const result = await runCheck(request.value, run)
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'))
  return result.value.verdict
}

describe('a recorded history', () => {
  test('is verified, with an order if one is wanted', async () => {
    const scope = { engine: 'histories', specification: 'register', criterion: 'linearizable' }
    const counts = { calls: 2, processes: 2, pending: 0 }
    expect(await checked(register(fine))).toMatchObject({ kind: 'verified', scope, counts, evidence: [] })
    expect(await checked(register(fine, true))).toMatchObject({ evidence: [{ kind: 'history', order: [0, 1] }] })
  })

  test('is violated by the call that no order explains', async () => {
    expect(await checked(register(stale))).toMatchObject({
      kind: 'violated',
      exhausted: false,
      evidence: [{ kind: 'history', stuck: 2, violation: { kind: 'linearizability' } }],
    })
  })

  test.each([[fine], [stale]])('is judged alike by its one execution', async (calls) => {
    const [directly, replayed] = [
      await checked(register(calls)),
      await checked(register(calls), { engine: 'exhaustive' }),
    ]
    expect(replayed.kind).toBe(directly.kind)
  })

  test('with calls that the specification does not have is refused, all of them at once', () => {
    const request = checkRequest(register([call('a', 'pop', 1, [0, 1]), call('a', 'push', 1, [2, 3])]), {
      engine: 'histories',
    })
    expect(request).toMatchObject({ ok: false, diagnostics: [{ code: 'E503' }, { code: 'E503' }] })
  })

  test('is left undecided by a budget, with what was counted', async () => {
    let milliseconds = 0
    const host = { now: () => (milliseconds += 60), memory: () => 0, pause: async () => {} }
    expect(await checked(hard(), { time: 500 }, { host })).toMatchObject({
      kind: 'incomplete',
      because: 'time',
      counts: { calls: 27 },
      remaining: [],
    })
  })

  test('is no longer searched once somebody interrupts', async () => {
    const controller = new AbortController()
    const host = { now: () => performance.now(), memory: () => 0, pause: async () => controller.abort() }
    const verdict = await checked(hard(), { signal: controller.signal }, { host })
    expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
  })
})
