/** Rules that are not what the search on numbers takes them for: it gives up, or says what the search of whole states says. */
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { searchCells } from '../../../../src/engines/stateful/cells/cells.ts'
import { actions, checkResult, invariant, type Rule, system } from '../../../../src/index.ts'
import type { Program } from '../../../../src/program/program.ts'

type Bag = { readonly [field: string]: unknown }

function declared(first: object, rules: readonly unknown[], holds?: (state: never) => boolean | string): Program {
  return system('declared', { faults: {} }, () => ({
    machines: { protocol: actions<Bag>('protocol', { state: () => first as Bag, next: rules as Rule<Bag>[] }).as() },
    ...(holds === undefined
      ? {}
      : { invariants: [invariant<Bag>('it holds', ({ protocol }) => holds(protocol as never))] }),
  }))
}

function searched(program: Program) {
  const view = program.views.stateful?.(settingFrom({ params: {}, network: program.network }))
  if (view === undefined || !('machines' in view)) throw new Error('a system has states')
  const events: EngineEvent[] = []
  const searching = searchCells(view, { search: 'breadth' })
  for (let next = searching.next(); ; next = searching.next()) {
    if (next.done === true) return { isAtEnd: next.value, events }
    events.push(next.value)
  }
}

interface Counter {
  readonly n: readonly [number]
  readonly m: readonly [number]
}

/** Counts in two places, so that there are many states. To copy a state is not to look at a list in it. */
const counting: readonly Rule<Counter>[] = [
  (state) => (state.n[0] < 30 ? [{ name: 'n', after: { ...state, n: [state.n[0] + 1] } }] : []),
  (state) => (state.m[0] < 30 ? [{ name: 'm', after: { ...state, m: [state.m[0] + 1] } }] : []),
]

test('rules that look at parts of states are asked seldom', () => {
  let asked = 0
  const counted = counting.map(
    (rule): Rule<Counter> =>
      (state, start) => {
        asked++
        return rule(state, start)
      },
  )
  const { isAtEnd, events } = searched(declared({ n: [-100], m: [-100] }, counted))
  expect(isAtEnd).toBe(true)
  expect(events.at(-1)).toMatchObject({ counts: { states: 131 * 131 } })
  expect(asked).toBeLessThan(131 * 131 * 0.2)
})

describe('given up', () => {
  test('a rule that gives back what it has kept of the state before', () => {
    let kept: unknown
    const rule = (state: Bag) => {
      const box = kept ?? state.box
      kept = state.box
      return [{ name: 'back', after: { ...state, box } }]
    }
    const other = (state: Bag) => [{ name: 'on', after: { ...state, box: { a: 1 } } }]
    expect(searched(declared({ n: 0, box: { a: 0 } }, [rule, other])).isAtEnd).toBe(false)
  })

  test.each([0, 1, 2, 3])('a rule that reads what it has kept of a state before: %i', (place) => {
    const kept: { readonly a: number }[] = []
    const rule = (state: { readonly box: { readonly a: number } }) => {
      kept.push(state.box)
      const read = kept.length > 8 ? (kept.at(-1 - place)?.a ?? 0) : state.box.a
      return read > 3 ? [] : [{ name: 'on', after: { box: { a: state.box.a + 1 }, n: 0 } }]
    }
    const wide = (state: { readonly n: number }) =>
      state.n < 3 ? [{ name: 'n', after: { ...state, n: state.n + 1 } }] : []
    expect(searched(declared({ box: { a: 0 }, n: 0 }, [rule, wide])).isAtEnd).toBe(place === 0)
  })

  test('what was asked before makes a difference only if it is asked in another order', async () => {
    const known = new Map<number, { readonly a: number }>()
    const rule = (state: { readonly n: number; readonly box: { readonly a: number } }) => {
      known.set(state.n, state.box)
      const before = known.get(state.n - 1)
      return before === undefined && state.n > 0
        ? []
        : [{ name: 'on', after: { n: (state.n + 1) % 5, box: { a: (before?.a ?? 0) + 1 } } }]
    }
    const checked = await checkResult(declared({ n: 0, box: { a: 0 } }, [rule]), { engine: 'stateful' })
    expect(checked).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
  })

  test('rules that tell each other something', () => {
    let told = 0
    const tells = (state: Counter) => {
      told = state.n[0]
      return state.m[0] < 30 ? [{ name: 'm', after: { ...state, m: [state.m[0] + 1] } }] : []
    }
    const hears = (state: Counter) => (told < 30 ? [{ name: 'n', after: { ...state, n: [told + 1] } }] : [])
    expect(searched(declared({ n: [0], m: [0] }, [tells, hears])).isAtEnd).toBe(false)
  })

  test.each([
    ['records that were cut', { a: { v: 0 }, b: { v: 1 }, n: 0 }, { v: 1 }],
    ['records that came later', { a: null, b: null, n: 0 }, { v: 1 }],
  ])('a rule that compares identities: %s', (_, first, other) => {
    const copying = (state: Bag) => (state.n === 0 ? [{ name: 'copies', after: { ...state, a: other, n: 1 } }] : [])
    const again = (state: Bag) => (state.n === 1 ? [{ name: 'again', after: { ...state, b: state.a, n: 2 } }] : [])
    const comparing = (state: Bag) =>
      state.n === 2 && state.a === state.b ? [{ name: 'same', after: { ...state, n: 3 } }] : []
    expect(searched(declared(first, [copying, again, comparing])).isAtEnd).toBe(false)
  })

  test('an invariant that compares identities', () => {
    const copying = (state: Bag) => (state.b === null ? [{ name: 'copies', after: { ...state, b: state.a } }] : [])
    const holds = ({ a, b }: Bag) => a !== b
    expect(searched(declared({ a: { v: 1 }, b: null }, [copying], holds)).isAtEnd).toBe(false)
  })

  test('rules that look at everything', () => {
    const rules = counting.map(
      (rule): Rule<Counter> =>
        (state, start) => {
          return JSON.stringify(state) === '' ? [] : rule(state, start)
        },
    )
    expect(searched(declared({ n: [-100], m: [-100] }, rules)).isAtEnd).toBe(false)
  })

  test('too many actions of all rules together', async () => {
    const many = ({ n }: Counter) =>
      n[0] === 0 ? Array.from({ length: 6_000 }, () => ({ name: 'on', after: { n: [1], m: [0] } })) : []
    const rules = declared({ n: [0], m: [0] }, [many, many])
    expect(searched(rules).isAtEnd).toBe(false)
    expect(await checkResult(rules, { engine: 'stateful' })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E234' }],
    })
  })
})

test('one rule that looks at everything beside others that do not', () => {
  let asked = 0
  const rule = (state: Counter) => {
    asked++
    return JSON.stringify(state).includes('[30]') ? [{ name: 'back', after: { n: [0], m: [0] } }] : []
  }
  const { isAtEnd, events } = searched(declared({ n: [-100], m: [-30] }, [rule, ...counting]))
  expect(isAtEnd).toBe(true)
  expect(events.at(-1)).toMatchObject({ counts: { states: 131 * 61 } })
  // Once for each state, and several times for those in which the answers were still kept.
  expect(asked).toBeLessThan(131 * 61 + 5 * 1024)
})

describe('violations', () => {
  test('a rule that throws in a state that is met late', async () => {
    const late = ({ n, m }: Counter) => {
      if (n[0] === 20 && m[0] === 17) throw new Error('too late')
      return []
    }
    const checked = await checkResult(declared({ n: [0], m: [0] }, [...counting, late]), { engine: 'stateful' })
    expect(checked).toMatchObject({ value: { kind: 'violated', evidence: [{ violation: { kind: 'exception' } }] } })
  })

  test('found before the search was given up, they are told once', async () => {
    const late = ({ n, m }: Counter) => {
      if (n[0] === 20 && m[0] === 17) throw new Error('too late')
      return []
    }
    const program = declared({ n: [0], m: [0] }, [...counting, late], ({ n }: Counter) => n[0] < 5)
    const checked = await checkResult(program, { engine: 'stateful', keepGoing: true })
    if (!checked.ok) throw new Error('it can be checked')
    const found = checked.value.evidence.flatMap((one) => (one.kind === 'execution' ? [one.violation?.kind] : []))
    expect(found.sort()).toEqual(['exception', 'invariant'])
  })

  test.each([
    ['no answer', () => 7, 'E227'],
    ['a change', (state: { n: number[] }) => state.n.push(1) > 0, 'E230'],
  ])('an invariant that is wrong: %s', async (_, holds, code) => {
    const program = declared({ n: [0], m: [0] }, counting, holds as never)
    expect(await checkResult(program, { engine: 'stateful' })).toMatchObject({ ok: false, diagnostics: [{ code }] })
  })
})

test('there is a sign of progress at least once in so many questions', () => {
  let [asked, most] = [0, 0]
  const rules = counting.map(
    (rule): Rule<Counter> =>
      (state, start) => {
        asked++
        return JSON.stringify(state) === '' ? [] : rule(state, start)
      },
  )
  const program = declared({ n: [-100], m: [-100] }, rules)
  const view = program.views.stateful?.(settingFrom({ params: {}, network: program.network }))
  if (view === undefined || !('machines' in view)) throw new Error('a system has states')
  for (const _ of searchCells(view, { search: 'breadth' })) {
    most = Math.max(most, asked)
    asked = 0
  }
  expect(most).toBeLessThan(300)
})

describe('a search that begins again, because parts turn out to have other fields', () => {
  const answer = (state: Bag) => (state.answers === 0 ? [{ name: 'answers', after: { ...state, answers: 1 } }] : [])
  const hear = (state: Bag) => {
    const list = state.heard as readonly string[]
    return list.length < 2 ? [{ name: 'hears', after: { ...state, heard: [...list, 'b'] } }] : []
  }
  const swap = (state: Bag) =>
    'a' in (state.part as object) ? [{ name: 'swaps', after: { ...state, part: { b: 1 } } }] : []
  const first = { answers: 0, heard: ['a'], part: { a: 0 } }

  test.each([
    ['in the state that has just been met', [answer, hear], (state: Bag) => state.answers === 0],
    ['by another record', [answer, swap], (state: Bag) => state.answers === 0],
    ['in the first state', [hear], () => false],
  ])('tells what was violated %s', (_, rules, holds) => {
    const { isAtEnd, events } = searched(declared(first, rules, holds))
    expect(isAtEnd).toBe(true)
    expect(events.filter(({ kind }) => kind === 'violation')).toHaveLength(1)
  })
})

describe('equal parts of a state are not one', () => {
  interface Clones {
    readonly q: { x: number }
    readonly r: readonly { x: number }[]
    readonly t: number
  }
  const rules: readonly Rule<Clones>[] = [
    (state) => (state.q.x === 1 && state.t === 0 ? [{ name: 'back', after: { ...state, q: { x: 0 } } }] : []),
    (state) =>
      state.q.x === 0 && state.t === 0 ? [{ name: 'same', after: { ...state, q: state.r[0] as { x: number } } }] : [],
    (state) => (state.t < 8 ? [{ name: 't', after: { ...state, t: state.t + 1 } }] : []),
    (state) => {
      if (state.t < 8) return []
      const after = structuredClone(state)
      after.q.x = 1
      return [{ name: 'changes q', after }]
    },
  ]
  const holds = ({ r }: Clones) => r[0]?.x === 0

  test.each([
    ['stateful', 'a list of rules', rules],
    ['local', 'a list of rules', rules],
    ['stateful', 'one function', [(state: Clones) => rules.flatMap((rule) => rule(state, {} as never))]],
    ['local', 'one function', [(state: Clones) => rules.flatMap((rule) => rule(state, {} as never))]],
  ])('who clones a state and changes a part changes nothing else: %s, %s', async (engine, _, next) => {
    const program = declared({ q: { x: 1 }, r: [{ x: 0 }], t: 0 }, next, holds as never)
    expect(await checkResult(program, { engine })).toMatchObject({
      value: { kind: 'verified', counts: { states: 18 } },
    })
  })
})

describe('identities', () => {
  const sharing: readonly Rule<Bag>[] = [
    (state) => (state.q === (state.r as readonly unknown[])[0] ? [{ name: 'same', after: { ...state, n: 1 } }] : []),
    (state) => (state.n === 0 ? [{ name: 'share', after: { ...state, q: (state.r as readonly unknown[])[0] } }] : []),
  ]

  test.each(['stateful', 'local', 'dpor'])(
    'which objects the parts of a state are is not to be asked (%s)',
    async (engine) => {
      const checked = declared({ q: { n: 0 }, r: [{ n: 1 }], n: 0 }, [sharing[0], counted(sharing[1] as Rule<Bag>)])
      expect(await checkResult(checked, { engine })).toMatchObject({
        ok: false,
        diagnostics: [
          { code: 'E201', message: expect.stringContaining('asks which objects the parts of its state are') },
        ],
      })
    },
  )

  /** In one step. */
  function counted(rule: Rule<Bag>): Rule<Bag> {
    return (state, start) =>
      rule(state, start).map((action) => ({ ...action, after: { ...(action.after as Bag), n: 2 } }))
  }
})
