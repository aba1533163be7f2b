/** Steps that the calls of a violation do not depend on: they are in the execution, and not in its pictures. */
import { expect, test } from 'vitest'
import { Field } from '../../../../src/check/trace-fields.ts'
import { notesFromJson, notesToJson } from '../../../../src/check/trace-notes.ts'
import { type ExecutionEvidence, evidenceOf, stepNumber, stepsIn } from '../../../../src/core/evidence.ts'
import type { Trace } from '../../../../src/core/trace.ts'
import { atOnce } from '../../../../src/core/unhurried.ts'
import {
  type Address,
  announce,
  byzantine,
  checkResult,
  machine,
  type Process,
  type Program,
  program,
  receive,
  refines,
  refuse,
  type Signed,
  send,
  signed,
  spawn,
  specification,
  system,
} from '../../../../src/index.ts'
import { columns } from '../../../../src/reports/columns.ts'
import { mermaid } from '../../../../src/reports/mermaid.ts'
import { textResult } from '../../../../src/reports/text.ts'
import { reported } from '../../reports/reported.ts'

/** So many may hold it. */
function places(most: number) {
  return specification('places', {
    state: { held: [] as string[] },
    operations: {
      take({ held }, { by }: { readonly by: string }) {
        if (held.length === most) return refuse('none is free')
        return { held: [...held, by] }
      },
    },
  })
}

/** Everyone is told once by main, in order; those that take nothing talk to each other before. */
function crowd(takers: readonly string[], object: ReturnType<typeof places>): Program {
  function* taker(by: string): Process<string> {
    yield* receive()
    yield* announce(object.take({ by }))
  }
  function* listener(): Process<string> {
    yield* receive()
  }
  function* talker(to: Address<string>): Process<string> {
    yield* send(to, 'noise')
  }
  return program('crowd', { properties: [refines(object)] }, function* () {
    const all: Address<string>[] = []
    for (const by of takers) all.push(yield* spawn(by, taker, by))
    for (const one of all) yield* send(one, 'go')
    const idle = yield* spawn('listener', listener)
    yield* spawn('talker', talker, idle)
  })
}

async function found(subject: Program, engine: string): Promise<ExecutionEvidence> {
  const result = await checkResult(subject, { engine })
  const [finding] = result.ok ? evidenceOf(result.value.evidence, 'execution') : []
  if (finding === undefined) throw new Error(JSON.stringify(result))
  return finding
}

function leftOut({ violation, events }: ExecutionEvidence): readonly string[] {
  return (violation.unrelated ?? []).map((at) => `${stepNumber(events, at)} ${events[at]?.process} ${events[at]?.kind}`)
}

test('what neither call depends on is left out of pictures, under the numbers of the whole execution', async () => {
  const subject = crowd(['ann', 'bob'], places(1))
  const finding = await found(subject, 'exhaustive')
  // Main goes first in this engine, then each process as far as it comes; the execution itself has all of it.
  expect(stepsIn(finding)).toBe(10)
  expect(leftOut(finding)).toEqual(['5 main spawn', '6 main spawn'])
  const verdict = { kind: 'violated', exhausted: false, counts: { executions: 1 }, evidence: [finding] } as const
  const scope = {
    engine: 'exhaustive',
    counted: { names: [], noun: 'execution' },
    params: {},
    seed: 0,
    deadlock: 'error',
  } as const
  const text = textResult(reported(subject, { ...verdict, scope }))
  expect(text).toContain('(2 further steps that neither call depends on are left out; the trace has all)')
  expect(text).toContain('since take {by: "ann"} (step 8, ann),')
  expect(text).not.toContain('listener')
  expect(mermaid(finding)).toContain('2 further steps that neither call depends on are left out')
  expect(mermaid(finding)).not.toContain('listener')
})

test('calls that are among the reasons stay, with what comes before them', async () => {
  const takers = ['ann', 'bob', 'cleo']
  const finding = await found(crowd(takers, places(2)), 'exhaustive')
  expect(finding.violation.calls).toHaveLength(2)
  const picture = columns(finding)
  for (const by of takers) expect(picture).toContain(`places.take{by: "${by}"}`)
  expect(picture).not.toContain('listener')
})

type Message = { readonly kind: 'order'; readonly order: Signed<string> }

const lock = places(0)

/** A liar passes on an order of somebody who writes it to a third: what it had to see for that is no event that is shown. */
const relayed = system('relayed', { faults: {} }, () => {
  const writer = machine<object, Message>('writer', {
    state: () => ({}),
    start: (_, { self, send: tell }) => tell('other', { kind: 'order', order: signed(self, 'go') }),
  })
  const reader = machine<object, Message>('reader', {
    state: () => ({}),
    on: { order: (_, { order }, context) => context.announce(lock.take({ by: order.by })) },
  })
  const idle = machine<object, Message>('idle', { state: () => ({}), on: { order: () => undefined } })
  return {
    machines: {
      writer: writer.as(),
      reader: reader.as(),
      other: idle.as(),
      liar: byzantine(reader, { says: [{ kind: 'order', order: signed('writer', 'go') }] }),
    },
    properties: [refines(lock)],
  }
})

test.each(['stateful', 'dpor', 'exhaustive'])(
  '%s: calls have their places among the steps that are shown, and what a liar had to see stays',
  async (engine) => {
    const finding = await found(relayed, engine)
    const { violation, events } = finding
    const [call] = violation.calls ?? []
    expect(events[call?.event ?? -1]).toMatchObject({ process: 'reader', isCall: true })
    const unrelated = new Set(violation.unrelated)
    const kept = events.filter((_, at) => !unrelated.has(at))
    expect(kept.map(({ process, kind }) => `${process} ${kind}`)).toEqual(
      expect.arrayContaining(['writer send', 'liar (Byzantine) send', 'reader receive']),
    )
    expect(kept.some(({ process }) => process === 'other')).toBe(false)
  },
)

test('a trace keeps all steps, and which of them are left out', async () => {
  const counterexample = await found(crowd(['ann', 'bob'], places(1)), 'exhaustive')
  const derived = atOnce(notesToJson({ counterexample, scope: '', places: new Map() }))
  const notes = JSON.parse(JSON.stringify(derived))
  expect(notes.steps).toHaveLength(counterexample.events.length)
  const field = new Field(notes, '', [])
  const trace = { decisions: counterexample.decisions, program: {}, setting: {} } as unknown as Trace
  const read = notesFromJson(field, trace)?.counterexample
  expect(read && mermaid(read)).toBe(mermaid(counterexample))
})
