/** IR programs at the waist: engines, judge, replay and reports know them by their paths alone. */
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { foundPlaces } from '../../src/check/findings.ts'
import { replayTrace } from '../../src/check/replay-trace.ts'
import { type ExecutionEvidence, evidenceOf } from '../../src/core/evidence.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { traceFormat } from '../../src/core/trace.ts'
import type { Ir } from '../../src/ir/ir.ts'
import { type Program, registerProgram } from '../../src/program/program.ts'
import { accountOf } from '../../src/reports/scope.ts'
import { irPaths } from '../../src/semantics/ir/paths.ts'
import {
  announce,
  assert,
  binary,
  bool,
  choose,
  chooseFairly,
  create,
  does,
  int,
  machine,
  number,
  program,
  type Statement,
  self,
  send,
  set,
  takes,
  the,
  when,
} from '../unit/semantics/ir/build.ts'
import { overtaking } from '../unit/semantics/ir/litmus.ts'

function checkable(ir: Ir): Program {
  const views = { path: (setting: Parameters<typeof irPaths>[1]) => irPaths(ir, setting) }
  const own = { params: {}, every: {}, network: 'sender-queue', options: {}, stack: undefined } as const
  return registerProgram({ name: 'ir', ...own, views })
}

async function checked(ir: Ir, options: Parameters<typeof checkResult>[1]) {
  const result = await checkResult(checkable(ir), options)
  if (!result.ok) throw new Error(`${result.diagnostics[0]?.code}: ${result.diagnostics[0]?.message}`)
  return result.value
}

/** Two clients count on a server, which tells how far it is. */
const counting = program({
  events: ['add', 'seen'],
  machines: {
    Main: {
      states: {
        S: {
          entry: {
            locals: { s: machine },
            body: [create('Server', self, 's'), create('Client', the('s')), create('Client', the('s'))],
          },
          on: { seen: takes('n', assert(binary('less', the('n'), number(3)), 'fewer than three')) },
        },
      },
    },
    Server: {
      fields: { main: machine, count: int },
      states: {
        S: {
          entry: takes('by', set('main', the('by'))),
          on: {
            add: takes(
              'n',
              set('count', binary('add', the('count'), the('n'))),
              send(the('main'), 'seen', the('count')),
            ),
          },
        },
      },
    },
    Client: {
      states: { S: { entry: takes('s', send(the('s'), 'add', number(1)), send(the('s'), 'add', number(1))) } },
    },
  },
})

function firstExecution(evidence: Parameters<typeof evidenceOf>[0]): ExecutionEvidence {
  const [first] = evidenceOf(evidence, 'execution')
  if (first === undefined) throw new Error('a violation comes with its execution')
  return first
}

test.each(['exhaustive', 'stateful', 'random', 'pct'])('%s finds what is wrong', async (engine) => {
  const verdict = await checked(counting, { engine })
  expect(verdict).toMatchObject({ kind: 'violated' })
  const { violation, events } = firstExecution(verdict.evidence)
  expect(violation).toMatchObject({ kind: 'assertion', message: 'fewer than three', process: 'Main' })
  expect(events.at(-1)).toMatchObject({ kind: 'fail', process: 'Main' })
})

test.each(['exhaustive', 'stateful'])('%s verifies under the network of the setting', async (engine) => {
  expect(await checked(overtaking, { engine })).toMatchObject({ kind: 'verified' })
  expect(await checked(overtaking, { engine, network: 'mailbox' })).toMatchObject({ kind: 'verified' })
  expect(await checked(overtaking, { engine, network: 'fifo' })).toMatchObject({ kind: 'violated' })
})

test('a counterexample has the places of the program', async () => {
  const verdict = await checked(counting, { engine: 'stateful' })
  const { place, places } = foundPlaces(firstExecution(verdict.evidence))
  expect(place).toMatchObject({ file: 'test.p' })
  const { events } = firstExecution(verdict.evidence)
  const unplaced = events.filter((event) => !places.has(event)).map(({ kind }) => kind)
  expect(unplaced).toEqual([])
})

test('a trace is replayed', async () => {
  const { decisions, violation } = firstExecution((await checked(counting, { engine: 'stateful' })).evidence)
  const subject = checkable(counting)
  const trace = {
    format: traceFormat,
    program: { name: subject.name, file: 'test.p', digest: '' },
    setting: settingFrom({ params: {}, network: 'sender-queue' }),
    decisions,
    foundBy: { engine: 'stateful', seed: 0, version: '0.0.0' },
  } as const
  const recorded = { trace, violation, foundIn: decisions.length, changes: '' }
  expect(replayTrace(subject, recorded)).toMatchObject({ ok: true, value: { isAsRecorded: true } })
  const other = { ...recorded, trace: { ...trace, decisions: decisions.slice(1) } }
  expect(replayTrace(subject, other)).toMatchObject({ ok: false, diagnostics: [{ code: 'E404' }] })
})

test('a bound on steps stops each machine, which is no deadlock', async () => {
  const { kind, counts } = await checked(counting, { engine: 'exhaustive', maxSteps: 2 })
  // After Main, the server and the first client have begun, the server has one turn and Main another one: for what the first client
  // sends, with the second client beginning before, between or after these turns; or for what the second one sends, once it has begun.
  expect(kind).toBe('verified')
  expect(counts).toMatchObject({ executions: 0, blocked: 3 + 1 })
})

describe('a monitor with hot states', () => {
  const monitors = {
    Answered: {
      observes: ['ask', 'answer'],
      states: {
        Calm: { temperature: 'cold', on: { ask: { goto: 'Asked' }, answer: 'ignore' } },
        Asked: { temperature: 'hot', on: { answer: { goto: 'Calm' }, ask: 'ignore' } },
      },
    },
  } as const
  const doing = (...body: readonly Statement[]) =>
    program({ events: ['ask', 'answer'], machines: { Main: { states: { S: { entry: does(...body) } } } }, monitors })

  test.each(['exhaustive', 'random', 'pct', 'stateful'])('is judged by %s where executions end', async (engine) => {
    const isSampling = engine === 'random' || engine === 'pct'
    const options = { engine, ...(isSampling ? { samples: 200 } : {}) }
    const verdict = await checked(doing(announce('ask')), options)
    expect(verdict).toMatchObject({ kind: 'violated' })
    expect(firstExecution(verdict.evidence).violation).toMatchObject({ kind: 'liveness', property: 'Answered' })
    const held = await checked(doing(announce('ask'), announce('answer')), options)
    expect(held.kind).toBe(isSampling ? 'passed' : 'verified')
    expect(held.scope.endless).toBe(engine === 'stateful' ? 'fair' : 'unseen')
  })

  test('is not judged by sampling where executions do not end, and the verdict says so', async () => {
    const held = doing(announce('ask'), announce('answer'))
    const unseen = 'not judged: executions without end; --engine stateful judges those that come round'
    const text = async (engine: string, options: object = {}) =>
      accountOf(await checked(held, { engine, ...options })).coverage(await checked(held, { engine, ...options }))
    expect(await text('random', { samples: 200 })).toContain(unseen)
    expect(await text('exhaustive', { maxSteps: 3 })).toContain(unseen)
    // Every execution was followed to its end.
    expect(await text('exhaustive')).not.toContain(unseen)
    expect(await text('stateful')).toContain('fairness assumed: what stays possible happens some time')
  })

  test('counts fair executions, and the verdict says which are', async () => {
    const ticking = (decide: Statement) =>
      program({
        events: ['ask', 'answer', 'tick'],
        machines: {
          Main: {
            states: {
              S: {
                entry: does(announce('ask'), send(self, 'tick')),
                on: {
                  tick: {
                    locals: { b: bool },
                    body: [decide, when(the('b'), [announce('answer'), announce('ask')]), send(self, 'tick')],
                  },
                },
              },
            },
          },
        },
        monitors,
      })
    const fair = await checked(ticking(chooseFairly('b')), { engine: 'stateful' })
    expect(fair).toMatchObject({ kind: 'verified', scope: { endless: 'fair', fairChoices: true } })
    expect(accountOf(fair).coverage(fair).join(' ')).toContain('each option of a fair choice ($$)')
    const unfair = await checked(ticking(choose('b')), { engine: 'stateful' })
    expect(unfair).toMatchObject({ kind: 'violated' })
    expect(unfair.scope).not.toHaveProperty('fairChoices')
  })
})
