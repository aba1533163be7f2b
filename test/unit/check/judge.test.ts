import { describe, expect, test } from 'vitest'
import { judged, UnconfirmedError } from '../../../src/check/judge.ts'
import { checkRequest } from '../../../src/check/request.ts'
import type { Violation } from '../../../src/core/property.ts'
import { Random } from '../../../src/core/random.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { atOnce } from '../../../src/core/unhurried.ts'
import { assert, type Program, program, receive, self, send, spawn } from '../../../src/index.ts'
import type { Paths } from '../../../src/program/path.ts'
import { repeatedExecution } from '../../../src/semantics/determinism.ts'
import { reordered } from '../../../src/semantics/reorder.ts'
import { replay } from '../../../src/semantics/replay.ts'

function subjectOf(checked: Program, network = 'fifo'): Paths {
  const request = checkRequest(checked, { network })
  if (!request.ok) throw new Error(request.diagnostics[0]?.message)
  return request.value.explored.paths
}

/** Decisions of one execution, always the last enabled one. */
function execution(subject: Paths): readonly Decision[] {
  const path = subject.begin()
  const decisions: Decision[] = []
  for (let enabled = path.enabled(); enabled.length > 0; enabled = path.enabled()) {
    const decision = enabled.at(-1) as Decision
    decisions.push(decision)
    path.take(decision)
  }
  return decisions
}

const failing = program('failing', function* () {
  const me = yield* self<number>()
  yield* send(me, 1)
  yield* assert(false, 'as expected')
})

const claim: Violation = { kind: 'assertion', property: 'as expected', message: 'as expected', process: 'main' }

describe('the judge', () => {
  const subject = subjectOf(failing)
  const decisions = execution(subject)

  test('confirms a violation that comes about, with its events and their stacks', () => {
    const result = atOnce(judged({ engine: 'dpor', subject }, { violation: claim, decisions, foundIn: 9 }))
    expect(result).toMatchObject({
      ok: true,
      value: { violation: claim, foundIn: 9, events: [{ kind: 'send' }, { kind: 'fail' }] },
    })
    expect(result.ok && result.value.events[0]?.stack).toContain('judge.test.ts')
  })

  test('an engine that lies about a repeatable program is an internal error that names it and keeps its decisions', () => {
    const lie = { violation: { ...claim, message: 'invented', property: 'invented' }, decisions, foundIn: 1 }
    const judge = () => atOnce(judged({ engine: 'liar', subject }, lie))
    expect(judge).toThrow(UnconfirmedError)
    expect(judge).toThrow(
      'engine "liar" reported a violation that does not reproduce (assertion in process "main": invented)',
    )
  })

  test('a program that does something else each time is the user’s mistake', () => {
    let turns = 0
    const moody = program('moody', function* () {
      const me = yield* self<number>()
      yield* send(me, turns++)
      yield* assert(false, 'as expected')
    })
    const result = atOnce(
      judged({ engine: 'dpor', subject: subjectOf(moody) }, { violation: claim, decisions, foundIn: 1 }),
    )
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E201',
          message:
            'process "main" is not deterministic: in the same execution it first sent 0 to main and then, repeated, sent 1 to main',
        },
      ],
    })
  })

  test('a program that fails only in a process that has run before is caught by loading it anew', () => {
    const fixed = program('fixed', function* () {
      const me = yield* self<number>()
      yield* send(me, 1)
    })
    const court = { engine: 'dpor', subject, fresh: subjectOf(fixed) }
    const result = atOnce(judged(court, { violation: claim, decisions, foundIn: 1 }))
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E201', message: expect.stringContaining('failed with "as expected"') }],
    })
  })

  test('a decision that is no longer possible names the step, the record and what is possible instead', () => {
    const foreign: Decision[] = [...decisions, { kind: 'deliver', process: 'main', message: 0 }]
    const result = atOnce(judged({ engine: 'dpor', subject }, { violation: claim, decisions: foreign, foundIn: 1 }))
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E201',
          message:
            'process "main" is not deterministic: at step 2 of a repeated execution the record says "main receives #0", and now it can do nothing',
        },
      ],
    })
  })
})

describe('an execution in another order', () => {
  const busy = program('busy', function* () {
    const me = yield* self<string>()
    for (const name of ['a', 'b', 'c']) {
      yield* spawn(name, function* () {
        yield* send(me, `${name}1`)
        yield* send(me, `${name}2`)
      })
    }
    for (let i = 0; i < 6; i++) yield* receive<string>()
  })

  test.each(['bag', 'fifo', 'causal', 'mailbox'])(
    'is possible under %s, and every process does the same in it',
    (network) => {
      const subject = subjectOf(busy, network)
      const decisions = execution(subject)
      const order = replay(subject, decisions, { places: false }).path.order?.()
      if (order === undefined) throw new Error('processes are known in every order')
      const orders = new Set<string>()
      for (let seed = 0; seed < 20; seed++) {
        const another = reordered(decisions, order, new Random(seed))
        orders.add(JSON.stringify(another))
        expect(replay(subject, another, { places: false })).toMatchObject({ drift: undefined, ended: true })
        expect(atOnce(repeatedExecution(subject, decisions, { seed, isKnown: () => false }))).toBeUndefined()
      }
      expect(orders.size).toBeGreaterThan(5)
    },
  )

  test('betrays a variable that two processes share', () => {
    const shared = program('shared', function* () {
      const me = yield* self<number>()
      let total = 0
      for (const name of ['a', 'b']) {
        yield* spawn(name, function* () {
          yield* send(me, total)
          total++
          yield* send(me, total)
        })
      }
      for (let i = 0; i < 4; i++) yield* receive<number>()
    })
    const subject = subjectOf(shared)
    const decisions = execution(subject)
    const found = Array.from({ length: 20 }, (_, seed) =>
      atOnce(repeatedExecution(subject, decisions, { seed, isKnown: () => false })),
    )
    expect(found.find((one) => one !== undefined)).toMatchObject({
      code: 'E201',
      message: expect.stringMatching(/^process "[ab]" is not deterministic/),
    })
  })
})
