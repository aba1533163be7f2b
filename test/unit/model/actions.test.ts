/** Protocols by what may happen next: all states of them, compared with a plain enumeration; and what is wrong with actions. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/core/random.ts'
import {
  actions,
  checkResult,
  invariant,
  machine,
  monitor,
  refines,
  refuse,
  specification,
  system,
} from '../../../src/index.ts'
import { jsonReport } from '../../../src/reports/json.ts'
import { scopeSentence } from '../../../src/reports/scope.ts'

interface Counters {
  readonly counts: readonly number[]
  readonly seen: ReadonlySet<number>
  readonly last?: { readonly by: number }
}

/** Rules over small counters: where one stands, what becomes of it, and whether it is seen. */
function rules(random: Random) {
  return Array.from({ length: 2 + random.below(4) }, (_, number) => ({
    at: random.below(3),
    least: random.below(2),
    other: random.below(3),
    to: random.below(4),
    isSeen: random.below(2) === 0,
    number,
  }))
}

function nextOf(all: ReturnType<typeof rules>, { counts, seen }: Counters) {
  return all
    .filter(({ at, least }) => (counts[at] as number) >= least)
    .map(({ other, to, isSeen, number }) => ({
      name: `rule ${number}`,
      after: () => ({
        counts: counts.with(other, to),
        seen: isSeen ? new Set([...seen, other]) : seen,
        ...(isSeen ? { last: { by: number } } : {}),
      }),
    }))
}

const first: Counters = { counts: [1, 0, 0], seen: new Set() }

/** In plain JavaScript: all states, and how many steps lead out of them. */
function enumerated(all: ReturnType<typeof rules>): { readonly states: number; readonly transitions: number } {
  const text = ({ counts, seen, last }: Counters) => JSON.stringify([counts, [...seen], last?.by ?? null])
  const known = new Map([[text(first), first]])
  let transitions = 0
  for (const state of known.values()) {
    for (const { after } of nextOf(all, state)) {
      transitions++
      const reached = after()
      if (!known.has(text(reached))) known.set(text(reached), reached)
    }
  }
  return { states: known.size, transitions }
}

test('states and transitions are those of a plain enumeration, by depth and by breadth', async () => {
  let most = 0
  for (let seed = 0; seed < 60; seed++) {
    const all = rules(new Random(seed))
    const protocol = actions<Counters>('rules', { state: () => first, next: (state) => nextOf(all, state) })
    const whole = system(`rules ${seed}`, {}, () => ({ machines: { rules: protocol.as() } }))
    for (const search of ['breadth', 'depth']) {
      const result = await checkResult(whole, { engine: 'stateful', options: { search } })
      expect(result, `seed ${seed}, ${search} first`).toMatchObject({
        value: { kind: 'verified', counts: enumerated(all) },
      })
    }
    most = Math.max(most, enumerated(all).states)
  }
  expect(most).toBeGreaterThan(20)
})

describe('what code can see by going through a state in its order tells states apart', () => {
  interface Seen {
    readonly keys: { readonly [key: string]: true }
    readonly map: ReadonlyMap<string, true>
    readonly set: ReadonlySet<string>
    readonly end: boolean
  }
  const grown = actions<Seen>('grown', {
    state: () => ({ keys: {}, map: new Map(), set: new Set(), end: false }),
    next: ({ keys, map, set, end }) => {
      if (end) return []
      if (set.size === 2) return [{ name: 'end', after: { keys, map, set, end: true } }]
      return ['a', 'b']
        .filter((key) => !set.has(key))
        .map((key) => ({
          name: `add ${key}`,
          after: {
            keys: { ...keys, [key]: true as const },
            map: new Map([...map, [key, true as const]]),
            set: new Set([...set, key]),
            end: false,
          },
        }))
    },
  })
  test.each([
    ['fields', ({ keys }: Seen) => Object.keys(keys)],
    ['entries of a Map', ({ map }: Seen) => [...map.keys()]],
    ['items of a Set', ({ set }: Seen) => [...set]],
  ])('%s', async (_, list) => {
    const aFirst = invariant<Seen>('a is first', ({ grown: one }) => !one?.end || list(one)[0] === 'a')
    const whole = system('grown', {}, () => ({ machines: { grown: grown.as() }, invariants: [aFirst] }))
    for (const engine of ['stateful', 'local', 'dpor', 'exhaustive'] as const)
      expect(await checkResult(whole, { engine }), engine).toMatchObject({ value: { kind: 'violated' } })
  })

  test('in states of a specification, too', async () => {
    const queue = specification('queue', {
      state: { open: {} as { [key: string]: true } },
      operations: {
        put(state: { open: { [key: string]: true } }, { key }: { readonly key: string }) {
          state.open[key] = true
          return state
        },
        first: (state: { open: { [key: string]: true } }, { key }: { readonly key: string }) =>
          Object.keys(state.open)[0] === key ? state : refuse('another is first'),
      },
    })
    const putting = actions<{ readonly count: number; readonly used: number }>('putting', {
      state: () => ({ count: 0, used: 0 }),
      next: ({ count, used }) => {
        if (count === 2) return [{ name: 'first', after: { count: 3, used }, announces: [queue.first({ key: 'a' })] }]
        const open = ['a', 'b'].filter((_, at) => count < 2 && (used & (1 << at)) === 0)
        return open.map((key) => ({
          name: `put ${key}`,
          after: { count: count + 1, used: used | (key === 'a' ? 1 : 2) },
          announces: [queue.put({ key })],
        }))
      },
    })
    const whole = system('putting', {}, () => ({ machines: { putting: putting.as() }, properties: [refines(queue)] }))
    for (const engine of ['stateful', 'dpor', 'exhaustive'] as const)
      expect(await checkResult(whole, { engine }), engine).toMatchObject({ value: { kind: 'violated' } })
  })
})

describe('the same of messages and monitors', () => {
  type Sent = { readonly kind: 'told'; readonly what: { readonly [key: string]: number } }
  const speaker = machine<object, Sent>('speaker', {
    state: () => ({}),
    start: (_, context) => context.setTimer('speak', { milliseconds: 1 }),
    timers: {
      speak: (_, context) => {
        const what = context.choose(['ab', 'ba']) === 'ab' ? { a: 1, b: 2 } : { b: 2, a: 1 }
        context.send('hearer', { kind: 'told', what })
      },
    },
  })
  const hearer = machine<{ first: string }, Sent>('hearer', {
    state: () => ({ first: '' }),
    on: {
      told: (state, { what }) => {
        state.first = Object.keys(what)[0] ?? ''
      },
    },
  })

  test('the first field of a message', async () => {
    const neverB = invariant<{ first: string }>('never b', (states) => states.hearer?.first !== 'b')
    const whole = system('heard', { faults: {} }, () => ({
      machines: { speaker: speaker.as(), hearer: hearer.as() },
      invariants: [neverB],
    }))
    for (const engine of ['stateful', 'local', 'dpor', 'exhaustive'] as const)
      expect(await checkResult(whole, { engine }), engine).toMatchObject({ value: { kind: 'violated' } })
  })

  test('what a monitor keeps', async () => {
    type Seen = { readonly order: { readonly [key: string]: true }; readonly isOver: boolean }
    const telling = actions<{ readonly told: number }>('telling', {
      state: () => ({ told: 0 }),
      next: ({ told }) =>
        told === 3
          ? [{ name: 'over', after: { told: 4 }, announces: [{ kind: 'over' }] }]
          : [0, 1].flatMap((at) =>
              told < 3 && (told & (1 << at)) === 0
                ? [{ name: `tell ${at}`, after: { told: told | (1 << at) }, announces: [{ kind: 'tell', at }] }]
                : [],
            ),
    })
    const watch = monitor('first is 0', {
      state: (): Seen => ({ order: {}, isOver: false }),
      on: {
        tell: (state: Seen, { at }: { at: number }) => ({ ...state, order: { ...state.order, [`k${at}`]: true } }),
        over: (state: Seen) => ({ ...state, isOver: true }),
      },
      hot: ({ order, isOver }: Seen) => (isOver && Object.keys(order)[0] !== 'k0' ? 'for 0 to be first' : false),
    } as never)
    const whole = system('told', { faults: {} }, () => ({ machines: { telling: telling.as() }, monitors: [watch] }))
    expect(await checkResult(whole, { engine: 'stateful' })).toMatchObject({ value: { kind: 'violated' } })
  })
})

describe('two machines, one of them by actions', () => {
  const tick = actions<{ readonly at: number }>('tick', {
    state: () => ({ at: 0 }),
    next: ({ at }, { self }) => (at < 3 ? [{ name: `${self} ticks`, after: { at: at + 1 } }] : []),
  })
  const both = system('both', {}, () => ({ machines: { one: tick.as(), other: tick.as() } }))

  test('stateful, local, dpor and exhaustive agree', async () => {
    expect(await checkResult(both, { engine: 'stateful' })).toMatchObject({ value: { counts: { states: 16 } } })
    for (const engine of ['local', 'dpor', 'exhaustive'] as const)
      expect(await checkResult(both, { engine }), engine).toMatchObject({ value: { kind: 'verified' } })
  })
})

test('what actions announce is refined, invariants see the state, and a trace names what happened', async () => {
  const once = specification('once', {
    state: { done: false },
    operations: {
      finish: (state: { done: boolean }) => (state.done ? refuse('it is finished') : { done: true }),
    },
  })
  const twice = actions<{ readonly left: number }>('twice', {
    state: () => ({ left: 2 }),
    next: ({ left }) =>
      left === 0 ? [] : [{ name: `finishes, ${left} left`, after: { left: left - 1 }, announces: [once.finish()] }],
  })
  const refined = system('refined', {}, () => ({ machines: { twice: twice.as() }, properties: [refines(once)] }))
  expect(await checkResult(refined, { engine: 'stateful' })).toMatchObject({
    value: { kind: 'violated', evidence: [{ violation: { kind: 'refinement' } }] },
  })
  const watched = system('watched', {}, () => ({
    machines: { twice: twice.as() },
    invariants: [invariant<{ left: number }>('some left', (states) => (states.twice?.left ?? 0) > 0)],
  }))
  const violated = await checkResult(watched, { engine: 'stateful' })
  expect(violated).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { property: 'some left' } }] } })
})

describe('what is wrong with actions', () => {
  const checked = (next: ((state: { n: number }) => unknown) | readonly unknown[]) => {
    const wrong = actions<{ n: number; m: number }>('wrong', { state: () => ({ n: 0, m: 0 }), next: next as never })
    return checkResult(
      system('wrong', {}, () => ({ machines: { wrong: wrong.as() } })),
      { engine: 'stateful' },
    )
  }
  const refused = (code: string, message: string | RegExp) => ({
    ok: false,
    diagnostics: [{ code, message: expect.stringMatching(message) }],
  })
  let calls = 0

  test.each([
    ['no list', () => undefined, 'E234', /"next" returned undefined/],
    ['no action', () => [7], 'E234', /7 among its actions/],
    ['no name', () => [{ after: { n: 1 } }], 'E234', /undefined as its "name"/],
    ['nothing after', () => [{ name: 'go' }], 'E234', /does not say what comes "after" it/],
    ['a misspelt part', () => [{ name: 'go', after: { n: 1 }, anounces: [] }], 'E234', /has no part "anounces"/],
    ['no list of announcements', () => [{ name: 'go', after: { n: 1 }, announces: 1 }], 'E234', /"announces" of/],
    ['nothing announced', () => [{ name: 'go', after: { n: 1 }, announces: [null] }], 'E234', /announces null/],
    ['a function announced', () => [{ name: 'go', after: { n: 1 }, announces: [() => 1] }], 'E234', /not a value/],
    ['a state that is no value', () => [{ name: 'go', after: { n: () => 1 } }], 'E224', /after action "go"/],
    ['a state of another sort', () => [{ name: 'go', after: 3 }], 'E224', /action "go"/],
    ['a promise', async () => [], 'E234', /"next" returned/],
    ['changed in place', (state: { n: number }) => [{ name: 'go', after: () => ++state.n }], 'E230', /changes/],
    [
      'too many',
      () => new Array(10_001).fill({ name: 'go', after: { n: 1 } }),
      'E234',
      /1000[12] actions for one state/,
    ],
    ['an empty name', () => [{ name: '', after: { n: 1 } }], 'E234', /as its "name"/],
    ['chance', () => [{ name: 'go', after: { n: ++calls } }], 'E201', /not deterministic/],
  ] as const)('%s', async (_, next, code, message) => {
    expect(await checked(next as never)).toMatchObject(refused(code, message))
    const other = ({ n, m }: { n: number; m: number }) => (m > 1 ? [] : [{ name: 'on', after: { n, m: m + 1 } }])
    expect(await checked([other, next])).toMatchObject(refused(code, message))
  })

  test.each([
    ['a rule that is no function', [() => [], 7]],
    ['no rules', []],
    ['neither', 'next'],
  ])('%s', (_, next) => {
    expect(() => checked(next as never)).toThrow(/must be a function or a list of functions|"next"/)
  })

  test('a rule that answers with an action, and not with a list of them', async () => {
    const one = () => ({ name: 'go', after: { n: 1, m: 0 } })
    expect(await checked([() => [], one])).toMatchObject(refused('E234', /rule 2 of "next" returned an object/))
  })

  test('rules that depend on chance in a few states, or on which object it is', async () => {
    let count = 0
    const steps = ({ n, m }: { n: number; m: number }) => (m < 40 ? [{ name: 'on', after: { n, m: m + 1 } }] : [])
    const late = ({ m }: { n: number; m: number }) => (m === 30 ? [{ name: 'go', after: { n: ++count, m } }] : [])
    expect(await checked([steps, late])).toMatchObject(refused('E201', /not deterministic/))
    const seen = new WeakSet<object>()
    const again = (state: { n: number; m: number }) => {
      if (seen.has(state)) return [{ name: 'again', after: { ...state, n: 1 } }]
      seen.add(state)
      return []
    }
    expect(await checked([steps, again])).toMatchObject(refused('E201', /not deterministic/))
  })

  test('hints speak of "next" and of actions, and not of handlers', async () => {
    const hinted = async (next: (state: { n: number }) => unknown) => {
      const result = await checked(next as never)
      return result.ok ? undefined : result.diagnostics[0]
    }
    const wrong = [
      await hinted(() => [{ name: 'go', after: 3 }]),
      await hinted(() => [{ name: 'go', after: { n: ++calls } }]),
      await hinted(() => [{ name: 'go', after: { n: Date.now() } }]),
      await hinted(() => [{ name: 'go', after: { n: Math.random() } }]),
    ]
    expect(wrong.map((one) => one?.code)).toEqual(['E224', 'E201', 'E209', 'E209'])
    for (const one of wrong) expect(`${one?.message} ${one?.hint}`).not.toMatch(/handler|timer|context/)
  })

  test('parties that are alike beside another machine: what is alike must be alone', async () => {
    const alike = { parties: () => [0, 0], renamed: (state: object) => state }
    const one = actions<object>('one', { state: () => ({}), next: () => [], alike })
    const two = system('two', {}, () => ({ machines: { one: one.as(), other: one.as() } }))
    const asked = await checkResult(two, { engine: 'stateful', options: { symmetry: true } })
    expect(asked).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E107', hint: expect.stringMatching(/must be alone/) }],
    })
  })

  test('an exception is a violation, of the action that throws it alone', async () => {
    const thrown = (after: unknown) => [
      { name: 'go', after: { n: 1 } },
      { name: 'fall', after },
    ]
    const fall = () => {
      throw new Error('it fell')
    }
    const result = await checked(({ n }) => (n === 0 ? thrown(fall) : []))
    expect(result).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { message: 'Error: it fell' } }] },
    })
  })

  test('an action that throws when it is looked at is a violation', async () => {
    const action = {
      name: 'go',
      get after() {
        throw new Error('oh')
      },
    }
    const found = await checked(() => [action])
    expect(found).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { message: 'Error: oh' } }] } })
  })

  test('a state is no Proxy', async () => {
    const found = await checked(() => [{ name: 'go', after: new Proxy({}, {}) }])
    expect(found).toMatchObject({
      diagnostics: [{ code: 'E224', message: expect.stringContaining('state is a Proxy, after action "go"') }],
    })
  })

  test('actions with the same name are told apart', async () => {
    const next = ({ n }: { n: number }) => (n === 0 ? [1, 2].map((to) => ({ name: 'go', after: { n: to } })) : [])
    const twins = actions<{ n: number }>('twins', { state: () => ({ n: 0 }), next })
    const whole = system('twins', {}, () => ({
      machines: { twins: twins.as() },
      invariants: [invariant<{ n: number }>('not two', (states) => states.twins?.n !== 2)],
    }))
    const found = await checkResult(whole, { engine: 'stateful' })
    expect(JSON.stringify(found)).toContain('go (action 2)')
  })

  test('a crash of all parties at once: which of them crashes is an action', async () => {
    const one = actions('one', { state: () => ({}), next: () => [] })
    const crashing = system('crashing', { faults: { crashes: 1, restarts: 1 } }, () => ({
      machines: { one: one.as() },
    }))
    expect(await checkResult(crashing, { engine: 'stateful' })).toMatchObject(refused('E234', /cannot crash/))
  })

  test('parts that actions do not have, and parts that are not there', () => {
    expect(() => actions('a', { state: () => 0, nxt: () => [] } as never)).toThrow(/no part "nxt"/)
    expect(() => actions('a', { state: () => 0 } as never)).toThrow(/next/)
    expect(() => actions('', { state: () => 0, next: () => [] })).toThrow(/name/)
  })
})

describe('states are told apart by what they hold, and not by which objects hold it', () => {
  const nobody = Object.freeze({ name: 'nobody' })
  const electing = (isNobody: (leader: { readonly name: string }) => boolean) =>
    actions<{ readonly leader: { readonly name: string }; readonly terms: number }>('electing', {
      state: () => ({ leader: { name: 'n1' }, terms: 0 }),
      next: ({ leader, terms }) => {
        if (terms === 3) return []
        if (isNobody(leader)) return [{ name: 'elects', after: { leader: { name: 'n1' }, terms } }]
        return [{ name: 'resigns', after: { leader: nobody, terms: terms + 1 } }]
      },
    })
  const checked = (isNobody: (leader: { readonly name: string }) => boolean) =>
    checkResult(
      system('election', { faults: {} }, () => ({ machines: { electing: electing(isNobody).as() } })),
      { engine: 'stateful' },
    )

  test('by name', async () => {
    const verdict = { kind: 'verified', counts: { states: 6 } }
    expect(await checked(({ name }) => name === 'nobody')).toMatchObject({ value: verdict })
  })

  test('which object it is, is nothing that may decide', async () => {
    expect(await checked((leader) => leader === nobody)).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'E201', message: expect.stringContaining('asks which objects the parts of its state are') },
      ],
    })
  })

  test.each([2, 3, 4, 5, 6, 7])('what every %ith call does otherwise is not taken for that', async (every) => {
    for (const engine of ['stateful', 'local', 'dpor']) {
      let calls = 0
      const next = ({ n }: { readonly n: number }) =>
        n > 3 ? [] : [{ name: 'go', after: { n: n + (++calls % every === 0 ? 1 : 2), box: { n: 0 } } }]
      const changing = actions('changing', { state: () => ({ n: 0, box: { n: 0 } }), next })
      const found = await checkResult(
        system('changing', { faults: {} }, () => ({ machines: { changing: changing.as() } })),
        { engine },
      )
      expect(found).toMatchObject({
        ok: false,
        diagnostics: [{ code: 'E201', message: expect.stringMatching(/not deterministic/) }],
      })
    }
  })
})

test('the scope tells what the actions model, in the place of no faults; it is a list of texts', async () => {
  const modelling = (models: unknown) =>
    system('modelling', { faults: {} }, () => ({
      machines: { all: actions<number>('all', { state: () => 0, next: () => [], models: models as string[] }).as() },
    }))
  const told = async (models: unknown) => {
    const result = await checkResult(modelling(models), { engine: 'stateful' })
    if (!result.ok) return result.diagnostics.map(({ code }) => code).join()
    const [reported] = jsonReport([
      { program: 'modelling', file: '', seconds: 0, verdict: result.value, findings: [] },
    ]).results
    return [scopeSentence(result.value), reported?.setting]
  }
  const words = 'one liar of four'
  expect(await told([words])).toMatchObject([`the only state, bag, among the actions ${words}`, { modelled: [words] }])
  expect((await told([]))[0]).toBe('the only state, bag, no faults')
  for (const wrong of ['a liar', [''], [1]]) expect(await told(wrong)).toBe('E221')
})
