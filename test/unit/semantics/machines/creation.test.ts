import { invariant, type MachineContext, machine, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { GlobalSearch } from '../../../../src/engines/stateful/global-search.ts'
import type { LocalState, Machines, Outcome } from '../../../../src/program/machines.ts'
import { mistakeBehind } from '../../../../src/semantics/machines/mistakes.ts'

type Message = { readonly kind: 'hello' }
type Create = (context: MachineContext<Message>) => void

const child = machine<{ value: number }, Message, number>('child', {
  state: ({ args }) => ({ value: args }),
  start: (_, { self, send }) => send('left', { kind: 'hello', from: self } as Message),
  durable: ['value'],
})

const creating = (create: Create, start: Create = () => undefined) =>
  machine<{ done: number }, Message>('creator', {
    state: () => ({ done: 0 }),
    start: (_, context) => start(context),
    requests: { go: (_, __, context) => create(context) },
    on: { hello: (state) => void state.done++ },
  })

function crew(create: Create, requests = 1): Program {
  const creator = creating(create)
  const asked = Array.from({ length: requests }, () => ['go'] as const)
  return system('crew', { faults: { crashes: 1, restarts: 1 } }, () => ({
    machines: { left: creator.as(), right: creator.as() },
    requests: { left: asked, right: asked },
    invariants: [invariant('any', () => true)],
  }))
}

function view(program: Program): Machines {
  const made = program.views.machines?.(settingFrom({ params: {}, network: 'bag', faults: program.faults ?? {} }))
  if (made === undefined) throw new Error('no machines')
  return made
}

const asks = { kind: 'request', name: 'go', argument: undefined } as const

function outcomeOf(machines: Machines, state = machines.start.states[0] as LocalState): Outcome {
  const [outcome] = machines.handle(0, state, asks)
  if (outcome === undefined) throw new Error('a handler has an outcome')
  return outcome
}

describe('a created machine', () => {
  const twins = view(
    crew(({ create }) => {
      create('twin', child.as(1))
      create('twin', child.as(2))
    }, 2),
  )

  test('is named after its creator and a count, which goes on after a crash', () => {
    const first = outcomeOf(twins)
    expect(first.created?.map(({ name }) => name)).toEqual(['left/twin', 'left/twin#2'])
    const [back] = twins.handle(0, first.state, { kind: 'crash' })
    const second = outcomeOf(twins, back?.state)
    expect(second.created?.map(({ name }) => name)).toEqual(['left/twin#3', 'left/twin#4'])
  })

  test('may have any name', () => {
    const machines = view(
      crew(({ create }) => {
        create('child', child.as(0))
        create('constructor', child.as(0))
      }),
    )
    expect(outcomeOf(machines).created?.map(({ name }) => name)).toEqual(['left/child', 'left/constructor'])
  })

  test('begins with its arguments, and crashes like others', () => {
    const [, twin] = outcomeOf(twins).created ?? []
    expect(twin).toMatchObject({ state: { data: { value: 2 } }, sent: [{ from: 'left/twin#2', to: 'left' }] })
    const [back] = twins.handle(-1, twin?.state as LocalState, { kind: 'crash' })
    expect(back).toMatchObject({ state: { data: { value: 2 }, crashes: 1 }, sent: [{ from: 'left/twin#2' }] })
  })
})

test('states are equal in whichever order machines were created', () => {
  const quiet = machine<{ value: number }, Message>('quiet', { state: () => ({ value: 0 }) })
  const one = creating(({ create }) => void create('one', quiet.as()))
  const program = system('both', { faults: {} }, () => ({
    machines: { left: one.as(), right: one.as() },
    requests: { left: [['go']], right: [['go']] },
  }))
  const search = new GlobalSearch({ machines: view(program) }, { search: 'depth' })
  for (const _ of search.events());
  // Each has created its own or not: 2 · 2.
  expect(search.systemStates).toBe(4)
})

describe('mistakes', () => {
  const nested = machine<{ value: number }, Message>('nested', {
    state: () => ({ value: 0 }),
    start: (_, { create }) => void create('more', child.as(0)),
  })
  const choosing = machine<{ value: number }, Message>('choosing', {
    state: () => ({ value: 0 }),
    start: (_, { choose }) => void choose([1, 2]),
  })

  test.each<[string, Create, string]>([
    [
      'a name with a slash',
      ({ create }) => void create('a/b', child.as(0)),
      'E229 create() cannot name a machine "a/b"',
    ],
    ['no machine', ({ create }) => void create('a', child as never), 'E229 create() got no machine to create'],
    ['in start', ({ create }) => void create('a', nested.as()), 'E229 create() belongs in handlers of messages'],
    ['a start that chooses', ({ create }) => void create('a', choosing.as()), 'E221 machine "left/a" chooses'],
    ['a message to nobody', ({ send }) => send('nobody/a', { kind: 'hello' }), 'E223 send() needs the name'],
  ])('%s is a diagnostic', (_, create, expected) => {
    const { violation } = outcomeOf(view(crew(create)))
    const diagnostic = violation && mistakeBehind(violation)
    expect(`${diagnostic?.code} ${diagnostic?.message}`).toContain(expected)
  })
})
