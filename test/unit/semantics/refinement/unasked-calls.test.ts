/** Calls of specifications that no property names: refused where some specification is named, noted otherwise. */
import { describe, expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'
import {
  actions,
  announce,
  checkResult,
  choose,
  machine,
  type Operation,
  type Program,
  program,
  qtree,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from '../../../../src/index.ts'
import { vacuityLines } from '../../../../src/reports/vacuity.ts'

const counter = (name: string) =>
  specification(name, {
    state: { count: 0 },
    operations: {
      add(state: { count: number }) {
        if (state.count > 0) return refuse('it was added')
        state.count++
        return state
      },
    },
  })

const one = counter('paxos')
const misspelt = counter('paxso')
const namesake = counter('paxos')

type Counter = typeof one

const ofMachines = (announced: Counter, ...refined: readonly Counter[]) =>
  system('machines', { faults: {} }, () => ({
    machines: {
      node: machine<object>('node', {
        state: () => ({}),
        timers: { go: (_, context) => context.announce(announced.add({})) },
        start: (_, context) => context.setTimer('go', { milliseconds: 1 }),
      }).as(),
    },
    properties: refined.map((object) => refines(object)),
  }))

const ofActions = (announced: Counter, ...refined: readonly Counter[]) =>
  system('actions', { faults: {} }, () => {
    const next = (done: boolean) => (done ? [] : [{ name: 'go', after: true, announces: [announced.add({})] }])
    return {
      machines: { node: actions<boolean>('node', { state: () => false, next }).as() },
      properties: refined.map((object) => refines(object)),
    }
  })

const ofProcesses = (announced: Counter, ...refined: readonly Counter[]) =>
  program('processes', { properties: refined.map((object) => refines(object)) }, function* (): Generator<
    Operation,
    void
  > {
    yield* announce(announced.add({}))
  })

const kinds = [
  { name: 'machines', made: ofMachines, engines: ['stateful', 'dpor'] },
  { name: 'actions', made: ofActions, engines: ['stateful', 'dpor'] },
  { name: 'processes', made: ofProcesses, engines: ['dpor', 'exhaustive'] },
]

async function notes(checked: Program, engine: string): Promise<readonly string[]> {
  const result = await checkResult(checked, engine === 'random' ? { engine, samples: 200 } : { engine })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return vacuityIn(result.value).map(({ code, subject }) => `${code} ${subject}`)
}

describe.each(kinds)('calls of $name', ({ made, engines }) => {
  test.each(engines)(
    'of a specification that no property names are refused, if there is one that some does (%s)',
    async (engine) => {
      expect(await notes(made(one, one), engine)).toEqual([])
      expect(await checkResult(made(misspelt, one), { engine })).toMatchObject({
        ok: false,
        diagnostics: [
          {
            code: 'E107',
            message: expect.stringContaining(
              'paxso.add is announced, and no property asks about specification "paxso"',
            ),
            hint: 'did you mean "paxos"? Otherwise add refines(…) of "paxso" to the properties',
            frame: expect.stringMatching(/> \d+ \| .*announced.add/),
          },
        ],
      })
    },
  )

  test.each(engines)('of any specification are noted at their line, if no property names one (%s)', async (engine) => {
    const result = await checkResult(made(misspelt), { engine })
    expect(result.ok && vacuityIn(result.value)).toMatchObject([
      { code: 'call-not-asked-about', subject: 'paxso.add', place: { file: expect.stringContaining('unasked-calls') } },
    ])
  })

  test.each(engines)('of another one of the same name are refused (%s)', async (engine) => {
    expect(await checkResult(made(namesake, one), { engine })).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'E107', message: expect.stringContaining('two specifications are named "paxos", and a call is') },
      ],
    })
  })
})

const announcing = (kind: string) =>
  program('announcer', { properties: [refines(one)] }, function* (): Generator<Operation, void> {
    yield* announce({ kind })
  })
const handling = (kind: string) =>
  system('announcers', {}, () => ({
    machines: {
      ann: machine<object>('announcer', {
        state: () => ({}),
        start: (_, context) => context.announce({ kind }),
      }).as(),
    },
    properties: [refines(one)],
  }))

describe.each([
  ['a process', announcing, 'dpor'],
  ['a machine', handling, 'stateful'],
] as const)('of events that %s announces', (_, made, engine) => {
  test.each([
    ['paxos.ad', 'paxos.add'],
    ['paxo.add', 'paxos.add'],
    ['Paxos.ad', 'paxos.add'],
    ['paxos.dad', 'paxos.add'],
    ['paxosadd', 'paxos.add'],
    ['paxos-add', 'paxos.add'],
  ])('%s is refused at its line: %s is meant', async (kind, meant) => {
    expect(await checkResult(made(kind), { engine })).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E107',
          message: expect.stringContaining(
            `${kind} is announced, and no specification that refines(…) names has such an operation`,
          ),
          hint: `did you mean "${meant}"? Events for monitors need names of their own`,
          frame: expect.stringMatching(/> \d+ \| .*announce\(\{ kind \}\)/),
        },
      ],
    })
  })

  test('those in the name of a specification are noted, and others are for monitors', async () => {
    expect(await notes(made('paxos.propose'), engine)).toContain('call-not-asked-about paxos.propose')
    for (const kind of ['tracing.begun', 'added', 'add', 'x.add', 'paxos', '.', ''])
      expect(await notes(made(kind), engine), kind).not.toContain(`call-not-asked-about ${kind}`)
  })
})

test('a call that is made and never announced is noted at its line, of a process and of a machine', async () => {
  const dropping = (isMade: boolean) =>
    program('dropping', { properties: [refines(one)] }, function* (): Generator<Operation, void> {
      if (isMade) one.add({})
      yield* choose([0, 1])
    })
  const handled = system('handled', { faults: {} }, () => ({
    machines: { ann: machine<object>('dropper', { state: () => ({}), start: () => void one.add({}) }).as() },
    properties: [refines(one)],
  }))
  const place = { file: expect.stringContaining('unasked-calls'), line: expect.any(Number), column: expect.any(Number) }
  for (const [made, at] of [
    [dropping(true), place],
    [handled, place],
    [dropping(false), undefined],
  ] as const) {
    const result = await checkResult(made)
    const [note] = result.ok ? vacuityIn(result.value) : []
    expect(note).toMatchObject({ code: 'operation-never-called', subject: 'paxos.add' })
    expect(note?.place).toEqual(at)
    const said = at === undefined ? 'is never called' : 'is made and never announced, as in announce(…)'
    expect(result.ok && vacuityLines(result.value).join()).toContain(`paxos.add ${said}`)
  }
})

test('the most adds and commits of one execution are told, by each engine that keeps the tree', async () => {
  const tree = qtree('tree')
  const adding = program('adding', { properties: [refines(tree)] }, function* () {
    const either = yield* choose([true, false])
    yield* announce(tree.add({ round: 1, value: 'a', parent: 0 }))
    yield* announce(tree.add({ round: 1, value: 'a', parent: 0 }))
    if (either) yield* announce(tree.commit({ round: 1 }))
    else for (const round of [2, 3]) yield* announce(tree.add({ round, value: 'a', parent: 1 }))
  })
  const called = [
    { operation: 'tree.add', most: 3 },
    { operation: 'tree.commit', most: 1 },
  ]
  for (const engine of ['dpor', 'exhaustive']) {
    const result = await checkResult(adding, { engine })
    expect(result, engine).toMatchObject({ value: { kind: 'verified', called } })
  }
})

test('what votes come to is called, and what they never come to is noted', async () => {
  const tree = qtree('votes')
  const voting = (quorum: number) =>
    program('voting', { properties: [refines(tree)] }, function* () {
      for (const by of ['ann', 'bob', 'eve'])
        yield* spawn(by, function* () {
          yield* announce(tree.vote({ phase: 'add', round: 1, value: 'a', parent: 0, by, quorum }))
        })
    })
  for (const engine of ['dpor', 'exhaustive', 'random']) {
    expect(await notes(voting(2), engine)).toEqual(['operation-never-called votes.commit'])
    expect(await notes(voting(4), engine)).toEqual([
      'operation-never-called votes.add',
      'operation-never-called votes.commit',
    ])
  }
})
