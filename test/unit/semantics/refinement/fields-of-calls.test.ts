/** Fields of calls that a specification reads and no call has: a slip would make it allow what it should refuse, and is told by every engine alike. */
import { describe, expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'
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
  const result = await checkResult(checked, { engine, ...(engine === 'random' ? { samples: 20 } : {}) })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return vacuityIn(result.value).flatMap(({ code, subject }) => (code === 'field-never-there' ? [subject] : []))
}

describe.each(all)('of $name, by $engine', ({ made, engine }) => {
  const right = { key: 1, by: 'ann', force: false, where: { shelf: 1 } }
  const slip = 'field "ownr" of states of held'

  test('what every call has is not told, and slips in the operation itself are', async () => {
    expect(await fields(made(right, { ...right, key: 2 }), engine)).toEqual([slip])
  })

  test('a misspelt field is told, also where another call has the right one', async () => {
    const { key: _, ...misspelt } = { ...right, keey: 1 }
    const field = 'field "key" of calls of held.take'
    expect(await fields(made(misspelt, misspelt), engine)).toEqual([field, slip])
    expect((await fields(made(misspelt, right), engine)).toSorted()).toEqual([`${field} with "keey"`, slip])
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
