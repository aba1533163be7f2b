/** Parties that play the same part: states up to their names are those that brute force finds; whoever tells parties apart is found out. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { actions, checkResult, eventually, invariant, monitor, system } from '../../../../src/index.ts'

interface Shared {
  /** By party. */
  readonly at: readonly number[]
  readonly seen: readonly boolean[]
  readonly common: number
}

interface Rule {
  readonly from: number
  readonly to: number
  readonly needs: number
  readonly others: { readonly at: number; readonly least: number }
  readonly common: number
  readonly sees: boolean
}

function rules(random: Random): readonly Rule[] {
  return Array.from({ length: 3 + random.below(4) }, () => ({
    from: random.below(3),
    to: random.below(3),
    needs: random.below(2),
    others: { at: random.below(3), least: random.below(3) },
    common: random.below(2),
    sees: random.below(2) === 0,
  }))
}

function next(all: readonly Rule[], { at, seen, common }: Shared) {
  return all.flatMap((rule, number) =>
    at.flatMap((place, party) => {
      const many = at.filter((one) => one === rule.others.at).length
      if (place !== rule.from || common !== rule.needs || many < rule.others.least) return []
      const after = {
        at: at.with(party, rule.to),
        seen: rule.sees ? seen.with(party, true) : seen,
        common: rule.common,
      }
      return [{ name: `party ${party} does ${number}`, after }]
    }),
  )
}

const alike = {
  parties: ({ at, seen }: Shared) => at.map((place, party) => [place, seen[party]]),
  renamed: ({ at, seen, common }: Shared, order: readonly number[]): Shared => ({
    at: order.map((party) => at[party] as number),
    seen: order.map((party) => seen[party] as boolean),
    common,
  }),
}

function firstOf(parties: number): Shared {
  return { at: new Array<number>(parties).fill(0), seen: new Array<boolean>(parties).fill(false), common: 0 }
}

/** All states, in plain JavaScript, and how many there are if parties are put in order. */
function enumerated(all: readonly Rule[], parties: number): { readonly states: number; readonly orbits: number } {
  const known = new Map([[JSON.stringify(firstOf(parties)), firstOf(parties)]])
  for (const state of known.values())
    for (const { after } of next(all, state))
      if (!known.has(JSON.stringify(after))) known.set(JSON.stringify(after), after)
  const orbits = new Set(
    [...known.values()].map((state) => JSON.stringify([alike.parties(state).map(String).sort(), state.common])),
  )
  return { states: known.size, orbits: orbits.size }
}

function declared(all: readonly Rule[], parties: number) {
  const protocol = actions<Shared>('protocol', {
    state: () => firstOf(parties),
    next: (state) => next(all, state),
    alike,
  })
  return system('protocol', { faults: {} }, () => ({ machines: { protocol: protocol.as() } }))
}

test('as many states up to names as brute force finds', async () => {
  let saved = 0
  for (let seed = 0; seed < 60; seed++) {
    const all = rules(new Random(seed))
    const parties = 2 + (seed % 3)
    const { states, orbits } = enumerated(all, parties)
    for (const [symmetry, expected] of [
      [false, states],
      [true, orbits],
    ] as const)
      expect(
        await checkResult(declared(all, parties), { engine: 'stateful', options: { symmetry } }),
        `seed ${seed}, symmetry ${symmetry}`,
      ).toMatchObject({ value: { kind: 'verified', counts: { states: expected } } })
    saved = Math.max(saved, states / orbits)
  }
  expect(saved).toBeGreaterThan(5)
})

describe('who tells parties apart is found out', () => {
  const rule = { needs: 0, others: { at: 0, least: 0 }, common: 0 }
  const all = [
    { ...rule, from: 0, to: 1, sees: true },
    { ...rule, from: 1, to: 2, sees: false },
  ]
  const checked = (changed: object, parts: object = {}) => {
    const protocol = actions<Shared>('protocol', {
      state: () => firstOf(3),
      next: (state) => next(all, state),
      alike,
      ...changed,
    })
    const whole = system('protocol', { faults: {} }, () => ({ machines: { protocol: protocol.as() }, ...parts }))
    return checkResult(whole, { options: { symmetry: true } })
  }
  const notAlike = (message: RegExp) => ({
    ok: false,
    diagnostics: [{ code: 'E235', message: expect.stringMatching(message) }],
  })
  const go = (state: Shared, party: number) => ({
    name: `party ${party} goes`,
    after: { ...state, at: state.at.with(party, 1) },
  })

  test('who does not is not', async () => {
    expect(await checked({})).toMatchObject({ value: { kind: 'verified', counts: { states: 10 } } })
  })

  test('to rename nothing is to leave out nothing', async () => {
    const changed = { alike: { ...alike, renamed: (state: Shared) => state } }
    expect(await checked(changed)).toMatchObject({ value: { kind: 'verified', counts: { states: 27 } } })
  })

  test.each([
    ['only party 0 moves', { next: (state: Shared) => [go(state, 0)] }, /"party 0 goes" cannot happen/],
    [
      'party 1 announces its name',
      { next: (state: Shared) => state.at.map((_, party) => ({ ...go(state, party), announces: [party] })) },
      /announces something else/,
    ],
    [
      'a part is not renamed',
      {
        alike: {
          ...alike,
          renamed: (state: Shared, order: readonly number[]) => ({
            ...state,
            at: order.map((party) => state.at[party]),
          }),
        },
      },
      /parties/,
    ],
    ['no list of parties', { alike: { ...alike, parties: () => 3 } }, /"parties" returned 3/],
    ['no value', { alike: { ...alike, renamed: () => () => 1 } }, /"renamed" returned is not a value/],
  ])('%s', async (_, changed, message) => {
    expect(await checked(changed)).toMatchObject(notAlike(message))
  })

  // Each votes for another one, by number, and votes are renamed as they should be.
  interface Votes {
    readonly votes: readonly (number | null)[]
  }
  test.each([
    ['say', ({ votes }: Votes) => votes, /"parties" says something else of them .* know each other by name/],
    ['do not say', ({ votes }: Votes) => votes.map(() => 0), /"parties" does not say, .* know each other by name/],
  ])('parties that refer to each other, if "parties" %s so', async (_, parties, message) => {
    const protocol = actions<Votes>('protocol', {
      state: () => ({ votes: [null, null, null] }),
      next: ({ votes }) =>
        votes.flatMap((vote, by) =>
          votes.flatMap((_vote, to) =>
            vote !== null || to === by ? [] : [{ name: 'votes', after: { votes: votes.with(by, to) } }],
          ),
        ),
      alike: {
        parties,
        renamed: ({ votes }, order) => ({
          votes: order.map((by) => (votes[by] === null ? null : order.indexOf(votes[by] as number))),
        }),
      },
    })
    const whole = system('protocol', { faults: {} }, () => ({ machines: { protocol: protocol.as() } }))
    const found = await checkResult(whole, { options: { symmetry: true } })
    expect(found).toMatchObject(notAlike(message))
    expect(found).toMatchObject({
      diagnostics: [{ hint: expect.stringMatching(/^leave out --symmetry: parties that refer to each other/) }],
    })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('oh')
      },
      'E235',
      /"parties" failed: Error: oh/,
    ],
    ['changes the state', (state: { at: number[] }) => state.at.sort(), 'E230', /changes what is not its own/],
  ])('"parties" that %s', async (_, parties, code, message) => {
    const found = await checked({ alike: { ...alike, parties } })
    expect(found).toMatchObject({ ok: false, diagnostics: [{ code, message: expect.stringMatching(message) }] })
  })

  test('an invariant about one of them', async () => {
    const first = invariant<Shared>('the first stays', (states) => states.protocol?.at[0] === 0)
    expect(await checked({}, { invariants: [first] })).toMatchObject(notAlike(/invariant "the first stays"/))
  })

  test.each([
    ['none', () => []],
    ['the first alone', ({ at, seen }: Shared) => [[at[0], seen[0]]]],
  ])('parties of which %s are told', async (_, parties) => {
    expect(await checked({ alike: { ...alike, parties } })).toMatchObject(notAlike(/does not lead to the same state/))
  })

  test('an invariant about one order of them, deep down', async () => {
    const counting = {
      state: () => firstOf(3),
      next: (state: Shared) =>
        state.at.flatMap((place, party) =>
          place < 6 ? [{ name: `${party} up`, after: { ...state, at: state.at.with(party, place + 1) } }] : [],
        ),
    }
    const rare = invariant<Shared>('rare', ({ protocol }) => String(protocol?.at) !== '3,5,6')
    expect(await checked(counting)).toMatchObject({ value: { kind: 'verified', counts: { states: 84 } } })
    expect(await checked(counting, { invariants: [rare] })).toMatchObject(notAlike(/invariant "rare"/))
  })

  test('what must come about is not judged up to names', async () => {
    const some = eventually<Shared>('some', (states) => states.protocol?.common === 1)
    const waits = monitor('waits', { state: () => 0, on: {}, hot: () => false } as never)
    for (const parts of [{ liveness: [some] }, { monitors: [waits] }])
      expect(await checked({}, parts)).toMatchObject({ ok: false, diagnostics: [{ code: 'E107' }] })
  })
})
