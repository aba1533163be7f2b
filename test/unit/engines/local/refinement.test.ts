/** Refinement by states of machines apart: what their calls conflict with, what they lack, and what is not declared. */
import { expect, test } from 'vitest'
import { checkResult, machine, qtree, refines, refuse, specification, system } from '../../../../src/index.ts'
import type { AbstractCall, Refined } from '../../../../src/program/refinement.ts'

interface Door {
  isOpen: boolean
  by: string
}

const parts = {
  state: { isOpen: false, by: '' } as Door,
  operations: {
    open(state: Door) {
      state.isOpen = true
    },
    enter(state: Door, { by }: { readonly by: string }) {
      if (!state.isOpen) return refuse('it is shut')
      if (state.by !== '') return refuse(`${state.by} is there`)
      state.by = by
      return undefined
    },
  },
}
const isEntering = ({ kind }: AbstractCall) => kind.endsWith('.enter')
const conflicts = (one: AbstractCall, other: AbstractCall) =>
  isEntering(one) && isEntering(other) ? 'somebody is there' : undefined
const needs = (call: AbstractCall, past: readonly AbstractCall[]) =>
  isEntering(call) && !past.some(({ kind }) => kind.endsWith('.open')) ? 'it is shut' : undefined

const door = specification('door', { ...parts, conflicts, needs })

interface Doors extends Refined {
  open(call?: object): AbstractCall
  enter(call: { readonly by: string }): AbstractCall
}

/** Each list of calls is what one request of the machine announces. */
function doing(of: Doors, ...machines: readonly (readonly (readonly ('open' | 'enter')[])[])[]) {
  const kinds = machines.map((_, at) =>
    machine<object>(`m${at}`, {
      state: () => ({}),
      requests: {
        act(_state, calls: readonly ('open' | 'enter')[], { self, announce }) {
          for (const call of calls) announce(call === 'open' ? of.open({}) : of.enter({ by: self }))
        },
      },
    }),
  )
  return system('doors', { faults: {} }, () => ({
    machines: Object.fromEntries(kinds.map((kind, at) => [`m${at}`, kind.as()])),
    requests: Object.fromEntries(machines.map((all, at) => [`m${at}`, all.map((calls) => ['act', calls] as const)])),
    properties: [refines(of)],
  }))
}

const open = ['open'] as const
const enter = ['enter'] as const

test.each([
  ['one enters what was opened', [[open, enter]], 'verified'],
  ['opened and entered at once', [[['open', 'enter']]], 'verified'],
  ['entered before it is opened, at once', [[['enter', 'open']]], 'violated'],
  ['opened again behind', [[open, ['enter', 'open']]], 'verified'],
  ['entered twice by the same', [[open, enter, enter]], 'violated'],
  ['entered by two', [[['open', 'enter']], [['open', 'enter']]], 'violated'],
  ['opened by another, perhaps too late', [[open], [enter]], 'violated'],
] as const)('%s: %s', async (_, machines, verdict) => {
  for (const engine of ['local', 'stateful'])
    expect(await checkResult(doing(door, ...machines), { engine }), engine).toMatchObject({ value: { kind: verdict } })
})

test('what is found is what the object itself says along an execution, with the calls that cannot both be', async () => {
  const found = await checkResult(doing(door, [['open', 'enter']], [['open', 'enter']]), { engine: 'local' })
  expect(found).toMatchObject({
    value: {
      evidence: [
        {
          violation: {
            kind: 'refinement',
            property: 'door',
            message: expect.stringMatching(/^enter \{by: "m\d"\}: m\d is there$/),
            calls: [{ words: expect.stringMatching('enter') }, { words: expect.stringMatching('enter') }],
          },
        },
      ],
    },
  })
})

test('an object that does not say which calls conflict is refused, and left to another engine', async () => {
  const silent = specification('silent', parts)
  const checked = doing(silent, [open, enter])
  expect(await checkResult(checked, { engine: 'local' })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E302', message: expect.stringContaining('"silent" does not say which conflict') }],
  })
  expect(await checkResult(checked)).toMatchObject({ value: { kind: 'verified', scope: { engine: 'stateful' } } })
})

test('an object that says more than it refuses is a mistake', async () => {
  const strict = specification('strict', { ...parts, conflicts: () => 'never two', needs: () => undefined })
  expect(await checkResult(doing(strict, [open], [open]), { engine: 'local' })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E227', message: expect.stringMatching(/open.* and open.* cannot both be \(never two\)/) }],
  })
  const needy = specification('needy', { ...parts, conflicts: () => undefined, needs: () => 'a key' })
  expect(await checkResult(doing(needy, [open]), { engine: 'local' })).toMatchObject({
    diagnostics: [{ code: 'E227', message: expect.stringMatching(/open.* lacks another call \(a key\)/) }],
  })
})

test.each(['conflicts', 'needs'] as const)('what "%s" throws is told, and not taken for an answer', async (part) => {
  const fails = () => {
    throw new TypeError('no such field')
  }
  const failing = specification('failing', {
    ...parts,
    conflicts: () => undefined,
    needs: () => undefined,
    [part]: fails,
  })
  expect(await checkResult(doing(failing, [open], [open]), { engine: 'local' })).toMatchObject({
    ok: false,
    diagnostics: [
      {
        code: 'E227',
        message: `"${part}" of specification "failing" threw TypeError: no such field`,
        hint: 'return a reason, or undefined where there is none',
      },
    ],
  })
})

test('an object that refuses more than it says is a mistake, though no execution was tried on it', async () => {
  const lax = specification('lax', { ...parts, conflicts, needs: () => undefined })
  expect(await checkResult(doing(lax, [open, enter]), { engine: 'local' })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E227', message: expect.stringContaining('neither "conflicts" nor "needs" says so') }],
  })
})

test('who is asked nothing in particular asks the object itself: what it does not declare is found', async () => {
  const undeclared = specification('door', { ...parts, conflicts: () => undefined, needs: () => undefined })
  const verdict = await checkResult(doing(undeclared as never, [open, enter], [enter]))
  expect(verdict).toMatchObject({ value: { kind: 'violated', scope: { engine: 'stateful' } } })
})

const tree = qtree('tree')

function announcing(call: () => AbstractCall, isAtStart = false) {
  const announcer = machine<object>('announcer', {
    state: () => ({}),
    ...(isAtStart ? { start: (_, { announce }) => announce(call()) } : {}),
    requests: { act: (_state, _argument: undefined, { announce }) => announce(call()) },
  })
  return system('announcing', { faults: {} }, () => ({
    machines: { ann: announcer.as() },
    requests: { ann: [['act', undefined]] },
    properties: [refines(tree)],
  }))
}

const vote = () => tree.vote({ phase: 'add', round: 1, value: 'a', parent: 0, by: 'ann', quorum: 2 })

test.each([
  ['votes', vote, /no two of them make a quorum/],
  ['open rounds', () => tree.add({ round: 1, open: true, parent: 0 }), /the value of an open round/],
] as const)('%s are refused where they are announced, as no pair of calls decides them', async (_, call, why) => {
  const checked = announcing(call)
  const found = await checkResult(checked, { engine: 'local' })
  expect(found).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E302', message: expect.stringMatching(why), hint: expect.stringContaining('stateful') }],
  })
  expect(JSON.stringify(found)).toContain('local/refinement.test.ts')
  expect(await checkResult(checked)).toMatchObject({ value: { kind: 'verified', scope: { engine: 'stateful' } } })
  const atStart = await checkResult(announcing(call, true), { engine: 'local' })
  expect(atStart).toMatchObject({
    diagnostics: [{ code: 'E302', message: expect.stringContaining('announced at the start') }],
  })
})

test.each(['local', 'stateful', 'dpor'])('an operation that nobody calls is told, by %s', async (engine) => {
  const add = () => tree.add({ round: 1, value: 'a', parent: 0 })
  expect(await checkResult(announcing(add), { engine })).toMatchObject({
    value: { kind: 'verified', vacuity: [{ code: 'operation-never-called', subject: 'tree.commit' }] },
  })
})
