/** Protocols of rules, as people write them: rules that look at parts of a state in every way that JavaScript has, and make the next one in as many. */
import type { Random } from '../../src/core/random.ts'
import { type Action, refuse, specification } from '../../src/index.ts'

export interface Drawn {
  readonly n: number
  readonly flags: readonly boolean[]
  readonly rows: readonly (readonly (number | null)[])[]
  readonly box: { readonly a: number; readonly b: number | null; readonly deep: { readonly c: string } }
  readonly queue: readonly number[]
  readonly marks: ReadonlySet<number>
  readonly names: ReadonlyMap<string, number>
  readonly spare: unknown
  readonly extra?: number
}

export const first: Drawn = {
  n: 0,
  flags: [false, false, true],
  rows: [
    [0, null],
    [0, 1],
  ],
  box: { a: 0, b: null, deep: { c: 'x' } },
  queue: [],
  marks: new Set([1]),
  names: new Map([['one', 1]]),
  spare: null,
}

type Test = (state: Drawn) => boolean
type Change = (state: Drawn) => Drawn

/** Each with numbers of its own. */
const tests: readonly ((at: number, value: number) => Test)[] = [
  (at) => (state) => state.flags[at] === true,
  (at) => (state) => state.flags[at] !== true,
  (_, value) => (state) => state.n === value,
  (_, value) => (state) => state.n <= value,
  (at, value) => (state) => state.rows[at % 2]?.[value % 2] === value,
  (at) => (state) => (state.rows[at % 2] ?? []).includes(null),
  (_, value) => (state) => state.rows.flat().filter((one) => one === value).length > 1,
  (_, value) => (state) => state.queue.length < 1 + (value % 2),
  (_, value) => (state) => state.queue.at(-1) === value,
  (_, value) => (state) => [...state.queue].sort().join() < `${value}`,
  (_, value) =>
    ({ box: { a } }) =>
      a === value,
  () => (state) => (state.box.b ?? 0) > state.box.a,
  () => (state) => state.box.deep.c === 'x',
  () => (state) => JSON.stringify(state.box).includes('null'),
  () => (state) => Object.keys(state.box).length === 3,
  () => (state) => Object.values(state.box).some((one) => one === 2),
  (_, value) => (state) => state.marks.has(value),
  (_, value) => (state) => (state.names.get('one') ?? 0) === value,
  () => (state) => 'extra' in state,
  (_, value) => (state) => state.extra === value,
  () => (state) => Array.isArray(state.spare) && state.spare.length > 1,
  () => (state) => state.spare === null,
  () => (state) => typeof state.spare === 'object' && state.spare !== null && 'a' in state.spare,
  (at) => (state) => state.flags.indexOf(true) === at,
  () => (state) => state.flags.every((one) => one),
  () => (state) => state.rows.some((row) => row.reduce<number>((sum, one) => sum + (one ?? 1), 0) > 2),
  () => (state) => Object.entries(state).length > 8,
  () => (state) => structuredClone({ ...state.box, deep: undefined }).a === 1,
]

const three = (value: number) => value % 3

const changes: readonly ((at: number, value: number) => Change)[] = [
  (_, value) => (state) => ({ ...state, n: three(value) }),
  () => (state) => ({ ...state, n: three(state.n + 1) }),
  (at) => (state) => ({ ...state, flags: state.flags.with(at, true) }),
  (at) => (state) => ({ ...state, flags: state.flags.with(at, !state.flags[at]) }),
  (at) => (state) => ({ ...state, flags: state.flags.with(at, true).with((at + 1) % 3, false) }),
  () => (state) => ({ ...state, flags: state.flags.map((one) => !one) }),
  () => (state) => ({ ...state, flags: state.flags.toReversed() }),
  (at, value) => (state) => ({
    ...state,
    rows: state.rows.with(at % 2, (state.rows[at % 2] ?? []).with(value % 2, three(value))),
  }),
  (at) => (state) => ({ ...state, rows: state.rows.with(at % 2, state.rows[(at + 1) % 2] ?? []) }),
  (at) => (state) => ({ ...state, rows: [state.rows[at % 2] ?? [], state.rows[0] ?? []] }),
  (_, value) => (state) => ({
    ...state,
    rows: state.rows.map((row) => row.map((one) => (one === value ? null : one))),
  }),
  (_, value) => (state) => ({ ...state, box: { ...state.box, a: three(value) } }),
  () => (state) => ({ ...state, box: { ...state.box, b: state.box.a } }),
  () => (state) => ({ ...state, box: { ...state.box, deep: { c: state.box.deep.c === 'x' ? 'y' : 'x' } } }),
  (_, value) => (state) => ({ ...state, queue: [...state.queue, three(value)].slice(-2) }),
  () => (state) => ({ ...state, queue: state.queue.slice(1) }),
  () => (state) => ({ ...state, queue: [] }),
  (_, value) => (state) => {
    const marks = new Set(state.marks)
    marks.add(three(value))
    return { ...state, marks }
  },
  (_, value) => (state) => ({ ...state, names: new Map([['one', three(value)]]) }),
  () => (state) => ({ ...state, spare: state.box }),
  () => (state) => ({ ...state, spare: state.rows[1] }),
  () => (state) => ({ ...state, spare: null }),
  (at) => (state) => ({ ...state, spare: [state.rows[at % 2], state.n] }),
  () => (state) => structuredClone(state) as Drawn,
  (at) => (state) => {
    const flags = state.flags.with(at, true) as boolean[]
    flags[(at + 1) % 3] = true
    return { ...state, flags }
  },
  (at) => (state) => {
    const copy = [...state.flags.with(at, false)]
    copy.reverse()
    return { ...state, flags: copy }
  },
  () => (state) => state,
]

/** States with other fields, or in another order, are not cut into cells. */
const reshaping: typeof changes = [
  () =>
    ({ box, ...rest }) => ({ ...rest, box: { ...box, b: null } }),
  () => (state) => ({ ...state, extra: 1 }),
  () =>
    ({ extra: _, ...rest }) =>
      rest,
]

export const register = specification('register', {
  state: { last: 0, calls: 0 },
  operations: {
    put(state: { last: number; calls: number }, { value }: { readonly value: number }) {
      if (state.calls > 2 && value === state.last) return refuse('it is there')
      return { last: value, calls: Math.min(3, state.calls + 1) }
    },
  },
})

type Rule = (state: Drawn) => readonly Action<Drawn>[]

export interface Form {
  readonly isCalling: boolean
  readonly isReshaping: boolean
}

/** Some look at more than one thing, some do several, some call the object, with what they have read or with a constant. */
export function drawnRules(random: Random, { isCalling, isReshaping }: Form): readonly Rule[] {
  const possible = isReshaping ? [...changes, ...reshaping] : changes
  return Array.from({ length: 3 + random.below(6) }, (_, number) => {
    const isLazy = random.below(2) === 0
    const alternatives = Array.from({ length: 1 + random.below(2) }, () => ({
      when: drawn(random, tests, random.below(3)),
      does: drawn(random, possible, 1 + random.below(2)),
      calls:
        isCalling && random.below(3) === 0 ? (random.below(2) === 0 ? ('n' as const) : random.below(3)) : undefined,
    }))
    return (state) =>
      alternatives.flatMap(({ when, does, calls }, at) => {
        if (!when.every((holds) => holds(state))) return []
        const after = () => does.reduce((before, change) => change(before), state)
        const announces = calls === undefined ? [] : [register.put({ value: calls === 'n' ? state.n : calls })]
        return [{ name: `${number}.${at}`, after: isLazy ? after : after(), announces }]
      })
  })
}

export function drawnTest(random: Random): Test {
  const all = drawn(random, tests, 1 + random.below(2))
  return (state) => all.every((holds) => holds(state))
}

function drawn<T>(random: Random, from: readonly ((at: number, value: number) => T)[], count: number): readonly T[] {
  return Array.from({ length: count }, () => random.pick(from)(random.below(3), random.below(3)))
}
