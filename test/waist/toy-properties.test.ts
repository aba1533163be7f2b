/**
 * Properties from outside, one for each thing that a property may have to see: engines, judge and reports treat them as their own.
 * What is repeated for ever is in `toy-cycle.test.ts`.
 */
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { evidenceOf } from '../../src/core/evidence.ts'
import { Operation } from '../../src/core/operation.ts'
import type { Property } from '../../src/core/property.ts'
import { choose, program, receive, self, send, spawn } from '../../src/index.ts'
import { type Program, registerProgram } from '../../src/program/program.ts'

/** What others may know of a process, as machines tell their states. */
function expose(state: number): Operation {
  return new Operation('expose', undefined, state, undefined, undefined)
}

/** Two workers tell how far they are, and main hears of it. */
const workers = program('workers', function* () {
  const main = yield* self<{ kind: 'done'; by: string }>()
  for (const by of ['ann', 'bob']) {
    yield* spawn(by, function* () {
      yield* expose(1)
      yield* send(main, { kind: 'done', by })
      yield* expose(2)
      return yield* choose([1, 2])
    })
  }
  for (let heard = 0; heard < 2; heard++) yield* receive()
})

function judged(property: Property): Program {
  const runnable = workers.views.runnable
  if (runnable === undefined) throw new Error('processes are runnable')
  const views = {
    runnable: (setting: Parameters<typeof runnable>[0]) => ({ ...runnable(setting), properties: [property] }),
  }
  return registerProgram({ ...workers, views })
}

const state: Property = {
  kind: 'invariant',
  sees: 'state',
  name: 'never both at 1',
  violation: (states) =>
    [...states.values()].filter((at) => at === 1).length === 2
      ? { kind: 'invariant', property: 'never both at 1', message: 'both are at 1' }
      : undefined,
}

const ending: Property = {
  kind: 'final',
  sees: 'ending',
  name: 'not both 2',
  violation: ({ processes }) =>
    processes.filter(({ value }) => value === 2).length === 2
      ? { kind: 'final', property: 'not both 2', message: 'both chose 2' }
      : undefined,
}

/** What refinement will be: something about events and what must come before them, in no particular interleaving. */
const order: Property = {
  kind: 'refinement',
  sees: 'order',
  name: 'ann first',
  violations({ events }) {
    const first = events.find((event) => event.kind === 'receive')
    return first?.kind === 'receive' && first.from === 'bob'
      ? [{ kind: 'refinement', property: 'ann first', message: 'bob was heard first' }]
      : []
  },
}

describe.each([
  ['a state', state, 'both are at 1'],
  ['an ending', ending, 'both chose 2'],
  ['the order of an execution', order, 'bob was heard first'],
])('a property that sees %s', (_what, property, message) => {
  test.each(['dpor', 'exhaustive', 'random', 'pct'])('is decided by %s, and the judge confirms it', async (engine) => {
    const options = engine === 'random' || engine === 'pct' ? { samples: 200 } : {}
    const checked = await checkResult(judged(property), { engine, network: 'bag', options })
    if (!checked.ok) throw new Error(checked.diagnostics[0]?.message)
    expect(checked.value.kind).toBe('violated')
    expect(evidenceOf(checked.value.evidence, 'execution')[0]?.violation.message).toBe(message)
  })

  test('costs dpor no execution', async () => {
    const keepGoing = true
    const plain = await checkResult(workers, { network: 'bag', keepGoing })
    const with_ = await checkResult(judged(property), { network: 'bag', keepGoing })
    if (!plain.ok || !with_.ok) throw new Error('both can be checked')
    expect(with_.value.counts.executions).toBe(plain.value.counts.executions)
  })
})

test('an engine that does not decide a kind of property says so', async () => {
  expect(await checkResult(judged(order), { engine: 'stateful' })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E302' }],
  })
})
