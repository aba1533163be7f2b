/** Machines that play the same part: what is counted, what is found, and how they are told apart. */
import { describe, expect, test } from 'vitest'
import {
  actions,
  checkResult,
  conflict,
  invariant,
  liveness,
  type MachineContext,
  machine,
  type Program,
  qtree,
  refines,
  type SystemParts,
  system,
} from '../../../../src/index.ts'

type Message = { readonly kind: 'ask' | 'yes' }

interface Leader {
  votes: unknown[]
  leads: boolean
}

const voter = machine<{ for?: string }, Message, unknown>('voter', {
  state: () => ({}),
  on: {
    ask(state, _, { from, send }) {
      state.for ??= from
      if (state.for === from) send(from, { kind: 'yes' })
    },
  },
})

const names = ['a1', 'a2', 'a3']

type Hears = (state: Leader, context: MachineContext<Message, readonly string[]> & { readonly from: string }) => void

const leaderThat = (hears: Hears) =>
  machine<Leader, Message, readonly string[]>('leader', {
    state: () => ({ votes: [], leads: false }),
    start(_, { args, send }) {
      for (const name of args) send(name, { kind: 'ask' })
    },
    on: { yes: (state, _, context) => hears(state, context) },
  })

const inOrder: Hears = (state, { from }) => {
  state.votes.push(from)
  state.leads = state.votes.length > 1
}

interface Form extends Partial<SystemParts> {
  readonly hears?: Hears
  readonly network?: 'bag' | 'fifo' | 'mailbox'
}

function elections({ hears = inOrder, network = 'bag', ...parts }: Form = {}): Program {
  const leader = leaderThat(hears)
  return system('election', { network, faults: {} }, () => ({
    machines: { a1: voter.as(), a2: voter.as(), a3: voter.as(), l1: leader.as(names), l2: leader.as(names) },
    alike: [names],
    ...parts,
  }))
}

async function answer(program: Program, symmetry = true) {
  const result = await checkResult(program, { engine: 'stateful', options: { symmetry } })
  if (!result.ok) return { refused: result.diagnostics.map(({ code, message, hint }) => `${code} ${message}; ${hint}`) }
  const { kind, counts, scope } = result.value
  return { kind, states: counts.states, alike: scope.alike, steps: kind === 'violated' ? result.value : undefined }
}

const toldApart = async (form: Form): Promise<string> => (await answer(elections(form))).refused?.[0] ?? 'not refused'

test('six orders of three voters are one, and the scope says whose names make no difference', async () => {
  const all = await answer(elections(), false)
  const upToNames = await answer(elections())
  // Each voter is asked by both leaders and answers one of them: 8 beginnings of votes, and so on.
  expect(upToNames).toMatchObject({ kind: 'verified', alike: [names] })
  expect(all.alike).toBeUndefined()
  expect(all.states).toBeGreaterThan(4 * (upToNames.states ?? 0))
})

test('leaders may be alike as well', async () => {
  const both = await answer(elections({ alike: [names, ['l1', 'l2']] }))
  const one = await answer(elections())
  expect(both.states).toBeLessThan(one.states ?? 0)
  expect(both.alike).toEqual([names, ['l1', 'l2']])
})

test('a violation that is found up to names is repeated by the judge, with the names of the execution', async () => {
  const leads = conflict<Leader>('one leader', { each: (state, name) => (state.votes?.length ? name : undefined) })
  const found = await answer(elections({ invariants: [leads] }))
  expect(found.kind).toBe('violated')
})

test('four machines that have got a message or not: 16 states, and 5 numbers of those that have', async () => {
  const taker = machine<{ got: boolean }, Message>('taker', {
    state: () => ({ got: false }),
    on: {
      yes(state) {
        state.got = true
      },
    },
  })
  const four = ['a1', 'a2', 'a3', 'a4']
  const giver = machine<object, Message>('giver', {
    state: () => ({}),
    start(_, { send }) {
      for (const name of four) send(name, { kind: 'yes' })
    },
  })
  const program = system('given', { faults: {} }, () => ({
    machines: { ...Object.fromEntries(four.map((name) => [name, taker.as()])), giver: giver.as() },
    alike: [four],
  }))
  expect((await answer(program, false)).states).toBe(16)
  expect((await answer(program)).states).toBe(5)
})

test('machines that come to stand in a ring: all their orders are tried where nothing else is said of them', async () => {
  const chooser = machine<{ after: string | undefined }, Message>('chooser', {
    state: () => ({ after: undefined }),
    requests: {
      choose(state, _: undefined, { choose, peers, self }) {
        state.after = choose([self, ...peers])
      },
    },
  })
  const three = ['a1', 'a2', 'a3']
  const program = system('ring', { faults: {} }, () => ({
    machines: Object.fromEntries(three.map((name) => [name, chooser.as()])),
    alike: [three],
    requests: Object.fromEntries(three.map((name) => [name, [['choose']]])),
  }))
  // Each has chosen one of three or nobody: 4 ** 3. By Burnside's lemma: all of them stay the same under the identity, 2 * 4 where two change places,
  // and 4 where all move on by one, so (64 + 3 * 8 + 2 * 4) / 6.
  expect((await answer(program, false)).states).toBe(64)
  expect((await answer(program)).states).toBe(16)
})

test('beside a machine of actions', async () => {
  const clock = actions<{ readonly at: number; readonly heard: readonly string[] }>('clock', {
    state: () => ({ at: 0, heard: [] }),
    next: ({ at, heard }) => (at < 2 ? [{ name: 'tick', after: { at: at + 1, heard } }] : []),
  })
  const program = system('clock', { faults: {} }, () => ({
    machines: { a1: voter.as(), a2: voter.as(), clock: clock.as(), l1: leaderThat(inOrder).as(['a1', 'a2']) },
    alike: [['a1', 'a2']],
  }))
  const [all, upToNames] = [await answer(program, false), await answer(program)]
  expect(upToNames.kind).toBe('verified')
  expect(upToNames.states).toBeLessThan(all.states ?? 0)
})

describe('names that are kept in order are a set', () => {
  const statesWith = async (hears: Hears) => (await answer(elections({ hears }))).states ?? 0
  const leads = (state: Leader): void => {
    state.leads = state.votes.length > 1
  }

  test('lists, keys of records and of Maps, and items of Sets', async () => {
    const list = await statesWith((state, { from }) => {
      state.votes = [...new Set([...state.votes, from])].sort()
      leads(state)
    })
    const other = (kept: (names: readonly string[]) => unknown, namesIn: (kept: never) => Iterable<string>) =>
      statesWith((state, { from }) => {
        const [before] = state.votes as never[]
        const sorted = [...new Set([...(before === undefined ? [] : namesIn(before)), from])].sort()
        state.votes = [kept(sorted)]
        state.leads = sorted.length > 1
      })
    const byName = (all: readonly string[]) => all.map((name) => [name, 1] as const)
    expect(await other((all) => Object.fromEntries(byName(all)), Object.keys)).toBe(list)
    expect(
      await other(
        (all) => new Map(byName(all)),
        (map: ReadonlyMap<string, 1>) => map.keys(),
      ),
    ).toBe(list)
    expect(
      await other(
        (all) => new Set(all),
        (set: ReadonlySet<string>) => set,
      ),
    ).toBe(list)
  })

  test('where they come in any order there is no more to tell of those who are alike, and more of those who are not', async () => {
    const queue = await statesWith(inOrder)
    const list = await statesWith((state, { from }) => {
      state.votes = [...state.votes, from].sort()
      leads(state)
    })
    expect(list).toBeLessThan(queue)
  })

  test('a state that begins with all of them', async () => {
    const lists = machine<{ all: readonly string[] }, Message>('lists', { state: ({ peers }) => ({ all: peers }) })
    const program = system('lists', () => ({
      machines: { a1: voter.as(), a2: voter.as(), list: lists.as() },
      alike: [['a1', 'a2']],
    }))
    expect(await answer(program)).toMatchObject({ kind: 'verified', states: 1 })
  })
})

describe('what tells machines apart is refused', () => {
  test('names that are sorted in one place and not in another', async () => {
    const hears: Hears = (state, { from, self }) => {
      state.votes.push(from)
      if (self === 'l2') state.votes.sort()
    }
    expect(await toldApart({ hears, alike: [names, ['l1', 'l2']] })).toMatch(
      /^E235 "[al]\d" and "[al]\d" are not alike: where they change places, on\.yes of "l\d" leaves \["a\d", "a\d"\] in state\.votes, and not/,
    )
  })

  test('the first of names that are sorted', async () => {
    const hears: Hears = (state, { from }) => {
      state.votes = [...state.votes, from].sort().slice(0, 1)
    }
    expect(await toldApart({ hears })).toMatch(
      /on\.yes of "l\d" leaves "a\d" in state\.votes\[0\]|leaves \["a\d"\] in state\.votes/,
    )
  })

  test('names that are compared', async () => {
    const hears: Hears = (state, { from }) => {
      state.leads = from < 'a2'
    }
    const told = await toldApart({ hears })
    expect(told).toContain('on.yes of "l1" leaves')
    expect(told).toContain('in state.leads')
  })

  test('an index', async () => {
    const told = await toldApart({ hears: (state, { from, args }) => void state.votes.push(args.indexOf(from)) })
    expect(told).toContain('in state.votes')
  })

  test('a name within a longer text, which the hint shows', async () => {
    const told = await toldApart({ hears: (state, { from }) => void state.votes.push(`vote of ${from}`) })
    expect(told).toMatch(/the name "a\d" is a part of the text "vote of a\d"/)
  })

  test('a name in the key of a field is changed, and one in a longer key is not', async () => {
    const keyed =
      (key: (name: string) => string): Hears =>
      (state, { from }) =>
        void state.votes.push({ [key(from)]: 1 })
    expect(await toldApart({ hears: keyed((name) => name) })).toBe('not refused')
    expect(await toldApart({ hears: keyed((name) => `by ${name}`) })).toContain('is a part of the text "by a')
  })

  test('names in a Map and in a Set are changed', async () => {
    const hears: Hears = (state, { from }) => void state.votes.push(new Map([[from, new Set([from])]]))
    expect(await toldApart({ hears })).toBe('not refused')
  })

  test('a message to one of them', async () => {
    const hears: Hears = (_, { from, send }) => {
      if (from === 'a2') send('a1', { kind: 'ask' })
    }
    const told = await toldApart({ hears })
    expect(told).toMatch(/on\.yes of "l\d" sends (ask to|no more, and not ask)/)
  })

  test('a failure for one of them', async () => {
    const told = await toldApart({ hears: (_, { from, assert }) => assert(from !== 'a2', 'not from there') })
    expect(told).toContain('fails with "not from there"')
  })

  test('a failure that says who failed is the same for all', async () => {
    const hears: Hears = (_, { from, assert }) => assert(false, `${from} has voted`)
    expect((await answer(elections({ hears }))).kind).toBe('violated')
  })

  test('an invariant that names one', async () => {
    const named = invariant<{ for?: string }>('a1 is for l1', ({ a1 }) => a1?.for !== 'l2')
    expect(await toldApart({ invariants: [named] })).toContain(
      'invariant "a1 is for l1" holds; and where they change places it fails: the invariant is false',
    )
  })

  test('a conflict that names one', async () => {
    const named = conflict<{ for?: string }>('for one', {
      each: (state, name) => (name === 'a1' ? undefined : state.for),
    })
    expect(await toldApart({ invariants: [named] })).toContain(
      'invariant "for one" fails: the invariant is false; and where they change places it holds',
    )
  })

  test('requests of one', async () => {
    const asked = machine<object, Message>('asked', { state: () => ({}), requests: { go: () => {} } })
    const program = system('asked', () => ({
      machines: { a1: asked.as(), a2: asked.as() },
      alike: [['a1', 'a2']],
      requests: { a1: [['go']] },
    }))
    expect((await answer(program)).refused?.[0]).toContain(
      'of itself "a1" does request "go", and "a2" in its place nothing',
    )
  })

  test('a state that begins with a list of them in an order of its own', async () => {
    const lists = machine<{ all: readonly string[] }, Message>('lists', { state: () => ({ all: ['a2', 'a1'] }) })
    const program = system('lists', () => ({
      machines: { a1: voter.as(), a2: voter.as(), list: lists.as() },
      alike: [['a1', 'a2']],
    }))
    expect((await answer(program)).refused?.[0]).toContain('the first state of "list" has ["a2", "a1"] in state.all')
  })

  test('arguments that differ are in the hint', async () => {
    const numbered = machine<{ at: number }, Message, number>('numbered', { state: ({ args }) => ({ at: args }) })
    const program = system('numbered', () => ({
      machines: { a1: numbered.as(1), a2: numbered.as(2) },
      alike: [['a1', 'a2']],
    }))
    expect((await answer(program)).refused?.[0]).toContain('args is 1 for one of them and 2 for the other')
  })

  test('the order of sends, where the network shows it', async () => {
    expect(await toldApart({ network: 'fifo' })).toBe('not refused')
    expect(await toldApart({ network: 'mailbox' })).toContain('E235')
  })

  test('a call of an object that names one', async () => {
    const tree = qtree('tree')
    const hears: Hears = (_, { from, announce }) => announce(tree.add({ round: 1, value: from, parent: 0 }))
    expect(await toldApart({ hears, properties: [refines(tree)] })).toContain('announces')
  })
})

describe('what is not done up to names is refused', () => {
  test('what must come about', async () => {
    const served = liveness<Leader>('served', ({ l1 }) => l1?.leads === true)
    expect(await toldApart({ liveness: [served] })).toContain('E107 executions without end')
  })

  test('machines that others create', async () => {
    const child = machine<object, Message>('child', { state: () => ({}) })
    expect(await toldApart({ hears: (_, { create }) => void create('child', child.as()) })).toContain(
      'E107 machines that others create',
    )
  })

  test('nothing is said to be alike', async () => {
    expect(await toldApart({ alike: [] })).toContain('nothing says which of them')
  })
})

describe('what "alike" may say', () => {
  test('of one machine alone, or of none, it says nothing', async () => {
    expect(await toldApart({ alike: [['a1'], []] })).toContain('nothing says which of them')
  })

  test.each([
    [[['a1', 'a4']], 'names "a4", which is no machine; did you mean "a1"?'],
    [[['a1', 'a1']], 'names "a1" twice'],
    [
      [
        ['a1', 'a2'],
        ['a2', 'a3'],
      ],
      'names "a2" twice',
    ],
    [[['a1', 'l1']], '"a1" of system "election" is of kind "voter", and "l1" of kind "leader"'],
    [['a1'], 'which is no list of names'],
  ] as const)('%j is refused', async (alike, message) => {
    const told = await toldApart({ alike: alike as unknown as readonly (readonly string[])[] })
    expect(told).toContain('E222')
    expect(told).toContain(message)
  })
})
