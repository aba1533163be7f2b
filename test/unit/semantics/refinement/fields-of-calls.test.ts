/** Fields of calls that a specification reads and no call has: a slip would make it allow what it should refuse, and is told by every engine alike. */
import { describe, expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'
import type { Vacuity, VacuityCode } from '../../../../src/core/witness.ts'
import {
  actions,
  announce,
  checkResult,
  machine,
  type Operation,
  type Program,
  program,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from '../../../../src/index.ts'

type Call = { readonly [field: string]: never }

const held = specification('held', {
  state: { keys: [] as unknown[], owner: undefined as unknown },
  operations: {
    take(state: any, call: any) {
      if (call.key !== undefined && state.keys.includes(call.key)) return refuse('it is taken')
      if (call.where?.shelf === 9 || state.ownr === 9) return refuse('nobody can')
      if (call.force === true) state.keys = []
      state.owner = call.by
      return undefined
    },
  },
  conflicts: () => undefined,
  needs: () => undefined,
})
const take = held.take as unknown as (call: object) => Call

const ofMachines = (...calls: readonly object[]) =>
  system('machines', { faults: {} }, () => {
    const node = machine<object>('node', {
      state: () => ({}),
      requests: { go: (_, call: object, context) => context.announce(take(call)) },
    })
    return {
      machines: Object.fromEntries(calls.map((_, at) => [`n${at}`, node.as()])),
      requests: Object.fromEntries(calls.map((call, at) => [`n${at}`, [['go', call as never]]])),
      properties: [refines(held)],
    }
  })

const ofActions = (...calls: readonly object[]) =>
  system('actions', { faults: {} }, () => {
    const next = (made: number) =>
      made === calls.length ? [] : [{ name: 'go', after: made + 1, announces: [take(calls[made] as object)] }]
    return {
      machines: { all: actions<number>('all', { state: () => 0, next }).as() },
      properties: [refines(held)],
    }
  })

function* taking(call: object): Generator<Operation, void> {
  yield* announce(take(call))
}

const ofProcesses = (...calls: readonly object[]) =>
  program('processes', { properties: [refines(held)] }, function* () {
    for (const [at, call] of calls.entries()) yield* spawn(`p${at}`, taking, call as never)
  })

const kinds = [
  { name: 'machines', made: ofMachines, engines: ['stateful', 'dpor', 'local', 'exhaustive', 'random'] },
  { name: 'actions', made: ofActions, engines: ['stateful', 'dpor', 'local', 'exhaustive'] },
  { name: 'processes', made: ofProcesses, engines: ['dpor', 'exhaustive', 'random'] },
]
const all = kinds.flatMap(({ engines, ...kind }) => engines.map((engine) => ({ ...kind, engine })))

async function fields(checked: Program, engine: string): Promise<readonly string[]> {
  return (await notes(checked, 'field-never-there', engine)).map(({ subject }) => subject)
}

async function notes(checked: Program, code: VacuityCode, engine: string): Promise<readonly Vacuity[]> {
  const result = await checkResult(checked, { engine, ...(engine === 'random' ? { samples: 20 } : {}) })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return vacuityIn(result.value).filter((note) => note.code === code)
}

describe.each(all)('of $name, by $engine', ({ made, engine }) => {
  const right = { key: 1, by: 'ann', force: false, where: { shelf: 1 } }
  const slip = 'field "ownr" of states of held'

  test('what every call has is not told, and slips in the operation itself are', async () => {
    expect(await fields(made(right, { ...right, key: 2 }), engine)).toEqual([slip])
  })

  test('a misspelt field is a mistake, also where another call has the right one', async () => {
    const { key: _, ...misspelt } = { ...right, keey: 1 }
    for (const calls of [
      [misspelt, misspelt],
      [misspelt, right],
    ]) {
      const found = await checkResult(made(...calls), { engine, ...(engine === 'random' ? { samples: 20 } : {}) })
      expect(found).toMatchObject({
        ok: false,
        diagnostics: [
          {
            code: 'E107',
            message: expect.stringMatching(/^field "keey" of calls of held.take in the place of "key" is announced/),
            hint: 'did you mean "key"?',
            place: { file: expect.stringContaining('fields-of-calls.test.ts') },
            frame: expect.stringMatching(/> \d+ \| .*\btake\(call/),
          },
        ],
      })
    }
  })

  test('a field that nothing reads is noted at its line', async () => {
    const field = { code: 'field-never-read', subject: 'field "label" of calls of held.take', count: 0 }
    const [note] = await notes(made({ ...right, label: 'x' }), 'field-never-read', engine)
    expect(note).toMatchObject({ ...field, place: { file: expect.stringContaining('fields-of-calls.test.ts') } })
  })

  test('a field that calls may leave out is not told', async () => {
    const { key: _, ...without } = right
    expect(await fields(made(without, right), engine)).toEqual([slip])
  })

  test('further within only what is like another name is told', async () => {
    const within = 'field "where.shelf" of calls of held.take'
    expect(await fields(made({ ...right, where: { shlf: 1 } }), engine)).toEqual([within, slip])
    expect(await fields(made({ ...right, where: { cellar: 1 } }), engine)).toEqual([slip])
  })
})

test('a field is read that a specification keeps, copies or names the object with, or that tells one repeated call from another', async () => {
  const reading = (parts: object) => {
    const log = specification('log', { state: { calls: [] as unknown[] }, ...parts } as never)
    return program('reading', { properties: [refines(log)] }, function* (): Generator<Operation, void> {
      yield* announce((log as unknown as { put(call: object): Call }).put({ by: 'ann' }))
    })
  }
  type Log = { calls: unknown[] }
  const kept = { put: (state: Log, call: object) => ({ calls: [...state.calls, call] }) }
  const copied = { put: (state: Log, call: object) => ({ calls: [...state.calls, { ...call }] }) }
  const ignored = { put: (state: Log) => state }
  expect(await notes(reading({ operations: ignored }), 'field-never-read', 'dpor')).toHaveLength(1)
  for (const parts of [
    { operations: kept },
    { operations: copied },
    { operations: ignored, instance: ({ by }: { by: string }) => by },
    { operations: ignored, idempotent: ['put'] },
  ])
    expect(await notes(reading(parts), 'field-never-read', 'dpor')).toEqual([])
})

test('one of two names that are alike may be left out: it is a slip only if the other is never read', async () => {
  const set = specification('set', {
    state: { closed: true, values: [] as number[] },
    operations: {
      put(state: { closed: boolean; values: number[] }, call: any) {
        if (call.value === 9) return refuse('it is 9')
        // Looked at with the second call alone.
        if (state.closed) state.closed = false
        else state.values = call.values ?? [call.value]
        return undefined
      },
    },
  })
  const putting = program('putting', { properties: [refines(set)] }, function* (): Generator<Operation, void> {
    yield* announce(set.put({ values: [1] }))
    yield* announce(set.put({ values: [2] }))
  })
  for (const engine of ['dpor', 'exhaustive']) expect(await notes(putting, 'field-misspelt', engine)).toEqual([])
})
