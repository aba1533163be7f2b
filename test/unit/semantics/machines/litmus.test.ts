/**
 * What each network of machines allows, by litmus systems: which engines reach the state that the name describes. Two machines
 * or more send at the same time, nothing is lost, and what is asked is the order in which others get it.
 */
import { checkResult, invariant, machine, type NetworkName, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { longIf } from '../../../amount.ts'

const networks = ['bag', 'fifo', 'causal', 'mailbox', 'sender-queue'] as const

interface Order {
  order: string[]
}

/** Sends what its arguments say, in one handler: to whom, and which kind. */
const sender = machine<object, { kind: string }, readonly (readonly [to: string, kind: string])[]>('sender', {
  state: () => ({}),
  requests: {
    go(_state, _argument, { args, send }) {
      for (const [to, kind] of args) send(to, { kind })
    },
  },
})

/** Notes what it gets; passes `pass` on to whom its argument names. */
const receiver = machine<Order, { kind: string }, string | undefined>('receiver', {
  state: () => ({ order: [] }),
  on: {
    pass(_state, _message, { args, send }) {
      if (args !== undefined) send(args, { kind: 'passed' })
    },
    '*'(state, { kind }) {
      state.order.push(kind)
    },
  },
})

type Reached = (states: { readonly [machine: string]: Order }) => boolean

function litmus(network: NetworkName, machines: Parameters<typeof built>[0], reached: Reached): Program {
  return system('litmus', { network, faults: {} }, () => built(machines, reached))
}

function built(
  machines: { readonly [name: string]: readonly (readonly [string, string])[] | { readonly passesTo?: string } },
  reached: Reached,
) {
  const isSender = (name: string) => Array.isArray(machines[name])
  const names = Object.keys(machines)
  return {
    machines: Object.fromEntries(
      names.map((name) => {
        const made = machines[name]
        return [name, Array.isArray(made) ? sender.as(made) : receiver.as((made as { passesTo?: string }).passesTo)]
      }),
    ),
    requests: Object.fromEntries(names.filter(isSender).map((name) => [name, [['go'] as const]])),
    invariants: [invariant<Order>('not reached', (states) => !reached(states))],
  }
}

const first = (state: Order | undefined, kind: string) => state?.order[0] === kind
const crossed = {
  a: [
    ['c', 'a'],
    ['d', 'a'],
  ],
  b: [
    ['d', 'b'],
    ['c', 'b'],
  ],
  c: {},
  d: {},
} as const

/** By name: the system, what is reached, and where. */
const systems: readonly (readonly [string, Parameters<typeof built>[0], Reached, readonly NetworkName[]])[] = [
  [
    'two messages of one sender change places',
    {
      a: [
        ['c', 'one'],
        ['c', 'two'],
      ],
      c: {},
    },
    ({ c }) => first(c, 'two'),
    ['bag'],
  ],
  [
    'a message overtakes the one that it depends on',
    {
      a: [
        ['c', 'one'],
        ['b', 'pass'],
      ],
      b: { passesTo: 'c' },
      c: {},
    },
    ({ c }) => first(c, 'passed'),
    ['bag', 'fifo'],
  ],
  [
    'two receivers each get first what was sent second',
    crossed,
    ({ c, d }) => first(c, 'b') && first(d, 'a'),
    ['bag', 'fifo', 'causal'],
  ],
  [
    'two receivers each get first what was sent first, which needs sends that interleave',
    crossed,
    ({ c, d }) => first(c, 'a') && first(d, 'b'),
    ['bag', 'fifo', 'causal', 'mailbox', 'sender-queue'],
  ],
  [
    'the second message is received while the first, to another, is not',
    {
      a: [
        ['c', 'one'],
        ['d', 'two'],
      ],
      c: {},
      d: {},
    },
    ({ c, d }) => first(d, 'two') && c?.order.length === 0,
    ['bag', 'fifo', 'causal', 'mailbox'],
  ],
]

describe.each(systems)('%s', (_, machines, reached, where) => {
  // Four machines at once have too many interleavings.
  for (const engine of machines === crossed ? ['stateful', 'dpor'] : ['stateful', 'dpor', 'exhaustive']) {
    test(`exactly where it can, says ${engine}`, longIf(engine === 'exhaustive'), async () => {
      const found: string[] = []
      for (const network of networks) {
        const result = await checkResult(litmus(network, machines, reached), { engine })
        if (!result.ok) throw new Error(result.diagnostics[0]?.message)
        if (result.value.kind === 'violated') found.push(network)
      }
      expect(found).toEqual(where)
    })
  }
})

test('local refuses networks that it cannot read backwards, with the engines that can', async () => {
  const result = await checkResult(
    litmus('mailbox', crossed, () => false),
    { engine: 'local' },
  )
  const [diagnostic] = result.ok ? [] : result.diagnostics
  expect(diagnostic).toMatchObject({ code: 'E309', hint: expect.stringContaining('stateful, dpor') })
})

test.each([
  ['fifo', 'local'],
  ['mailbox', 'stateful'],
] as const)('without a name, systems on %s are explored by %s', async (network, engine) => {
  const result = await checkResult(
    litmus(network, crossed, () => false),
    {},
  )
  expect(result).toMatchObject({ ok: true, value: { kind: 'verified', scope: { engine } } })
})
