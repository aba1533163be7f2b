/** The examples of the thesis, §2.1.2 and §2.2, and the programs on which shortcuts would miss final states. */
import { describe, expect, test } from 'vitest'
import {
  allFinals,
  explored,
  fieldOf,
  jump,
  jumpIf,
  locking,
  pause,
  program,
  reading,
  reductions,
  shared,
  sourceSets,
  unlocking,
  writing,
} from './programs.ts'

const [x, y, z] = [0, 1, 2]

describe('Figure 2.1: a writer of x, and two readers that read something else first', () => {
  const view = program(3, [writing(x)], [reading(y), reading(x)], [reading(z), reading(x)])

  test.each(reductions)('%s finds the four final states, one per trace', (reduction) => {
    expect(explored(view, { reduction }).counts.finals).toBe(4)
  })

  test.each(sourceSets)(
    '%s explores the writer and one reader at first, though every persistent set needs both',
    (reduction) => {
      expect(explored(view, { reduction }).first).toEqual([0, 1])
    },
  )

  test.each(sourceSets)('%s explores one reader alone if it is tried first', (reduction) => {
    expect(explored(view, { reduction, permutation: [2, 0, 1] }).first).toEqual([2])
  })

  test('without reduction there are 25 states', () => {
    // A reader that has finished has read 0 before the write, 0 or 1 after it: 3 · 3 + 4 · 4.
    expect(explored(view, { reduction: 'none' }).counts).toMatchObject({ states: 25, finals: 4 })
  })
})

test('Figure 2.2: of steps that nobody sees, safe sets follow one order', () => {
  const view = program(1, [pause, pause, reading(x)], [pause, pause, writing(x)])
  // All: 4 · 4 positions, and two values read once both are done or the writer is: (3 + 1) · 3 + (3 + 2).
  expect(explored(view, { reduction: 'none' }).counts.states).toBe(17)
  // Four steps in one order, then the read and the write in both: 5 + 2 + 2.
  expect(explored(view, { reduction: 'safe' }).counts).toMatchObject({ states: 9, transitions: 8, irreducible: 3 })
  expect(explored(view, { reduction: 'safe', static: false }).counts.states).toBe(17)
})

describe('Figure 2.4: what process 2 does first depends on nothing later', () => {
  const view = program(2, [writing(x)], [reading(y), reading(x)], [reading(x), writing(x, 2)])

  test.each(sourceSets)('%s stops after processes 1 and 2 of {1, 2, 3}', (reduction) => {
    expect(explored(view, { reduction }).first).toEqual([0, 1])
    expect([...explored(view, { reduction }).finals].sort()).toEqual(allFinals(view))
  })
})

describe('Figure 2.5: current[1] = {1 … 5}, current[2] = {2, 3}, current[3] = {3, 4}, current[4] = {2, 3, 4}', () => {
  const [a, b, c, d, e] = [0, 1, 2, 3, 4]
  const view = program(
    5,
    [writing(a)],
    [writing(b), reading(a), reading(d)],
    [writing(c), reading(a), reading(b), reading(d)],
    [writing(d), reading(a), reading(c)],
    [reading(e), reading(a)],
  )

  test.each(sourceSets)('%s stops with {1, 2, 3, 4}, because {2, 3, 4} is persistent', (reduction) => {
    expect(explored(view, { reduction }).first).toEqual([0, 1, 2, 3])
  })

  test.each(sourceSets)('%s needs process 5 alone if it is tried first', (reduction) => {
    expect(explored(view, { reduction, permutation: [4] }).first).toEqual([4])
  })
})

describe.each(sourceSets)('%s reaches every final state', (reduction) => {
  test.each([
    // The write depends last on the read by process 2, which happens before it; the race with the first read is another one.
    [
      'when a dependent action is not the last one before',
      program(2, [reading(x)], [reading(x), writing(y)], [reading(y), jumpIf(0, 3), writing(x)]),
    ],
    ['when a process spins until another acts', program(1, [reading(x), jumpIf(0, 0)], [writing(x)])],
    ['when a process spins and pauses', program(1, [reading(x), pause, jumpIf(0, 0)], [writing(x), writing(x, 0)])],
    [
      'when a process takes a lock by trying again and again',
      program(2, ...[1, 2].map((value) => [spinningLock, jumpIf(0, 0), writing(y, value), writing(x, 0)])),
    ],
    [
      'when a process loops unseen after reading too early',
      program(1, [reading(x), jumpIf(1, 4), pause, jump(2)], [writing(x)]),
    ],
    ['when the holder of a lock ends and others wait', program(1, [locking(x)], [locking(x), unlocking(x)])],
    ['when the holder of a lock loops unseen', program(1, [locking(x), pause, jump(1)], [locking(x)])],
    ['when locks are taken in opposite orders', program(2, [locking(x), locking(y)], [locking(y), locking(x)])],
    ['when nobody can move at first', program(1, [{ kind: 'await', at: shared(x), equals: 1 }])],
    ['when there is nobody', program(1)],
  ])('%s', (_when, view) => {
    for (const permutation of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      for (const isStatic of [true, false]) {
        expect([...explored(view, { reduction, static: isStatic, permutation }).finals].sort()).toEqual(allFinals(view))
      }
    }
  })
})

const spinningLock = {
  kind: 'compareAndSet',
  at: shared(x),
  expected: { constant: 0 },
  value: { constant: 1 },
  into: 0,
  precise: true,
} as const

/**
 * Two objects alike, in x and y. Process 1 writes a field of the one in x, which makes no difference to what it holds. Process 2
 * exchanges them if it sees z. Whether it did cannot be told from the state afterwards, but it decides which of the two the
 * later write of process 3 depends on: the same state is met with the object under either number.
 */
test.each(sourceSets)('%s follows an object under two numbers in one state', (reduction) => {
  const made = [
    { kind: 'publish', to: shared(x), into: 1 },
    { kind: 'publish', to: shared(y), into: 1 },
    { kind: 'forget', register: 1 },
    writing(3),
  ] as const
  const begun = { kind: 'await', at: shared(3), equals: 1 } as const
  const view = program(
    5,
    [...made],
    [
      begun,
      { kind: 'read', into: 1, from: shared(x) },
      { kind: 'write', to: fieldOf(1, 0), value: { constant: 0 } },
      { kind: 'forget', register: 1 },
    ],
    [
      begun,
      reading(z),
      jumpIf(0, 4),
      { kind: 'swap', left: shared(x), right: shared(y) },
      { kind: 'forget', register: 0 },
      writing(4),
    ],
    [
      begun,
      writing(z),
      { kind: 'await', at: shared(4), equals: 1 },
      { kind: 'read', into: 2, from: shared(x) },
      { kind: 'write', to: fieldOf(2, 0), value: { constant: 2 } },
    ],
  )
  expect([...explored(view, { reduction }).finals].sort()).toEqual(allFinals(view))
})
