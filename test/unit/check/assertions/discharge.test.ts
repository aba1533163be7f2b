import { afterAll, describe, expect, test } from 'vitest'
import { type Discharged, discharge } from '../../../../src/check/assertions/discharge.ts'
import { openSolver, type Solver } from '../../../../src/check/assertions/solver.ts'
import type { Obligation } from '../../../../src/engines/sequentialize/state.ts'
import type { Value } from '../../../../src/engines/sequentialize/value.ts'
import { assertion, is, literal, not, opaque, parameter, process, record, symbol, term } from './values.ts'

const solver = openSolver()
/** One solver for all tests here: starting it takes most of the time. */
const shared: Solver = { ask: solver.ask, close: () => undefined }
afterAll(() => solver.close())

const [x, y, z] = [symbol(1), symbol(2), symbol(3)]
const [n, m] = [parameter('n'), parameter('m')]
const isWhole = (value: Value): Value => opaque('Number.isInteger(value)', value)
const typeOf = (value: Value): Value => opaque('typeof value', value)
const exact = 'whole numbers taken to stay below 2^53'

async function answerTo(one: Obligation): Promise<Omit<Discharged, 'obligation'>> {
  const [found] = await discharge([one], { solver: shared, milliseconds: 300_000 })
  const { obligation, ...rest } = found as Discharged
  expect(obligation).toBe(one)
  return rest
}

describe('choices', () => {
  const votes = { 1: ['yes', 'no'], 2: ['yes', 'no'] }

  test('what is left of a choice is proved', async () => {
    const one = assertion(is(x, 'yes'), { fails: [is(x, 'no')], domains: votes })
    expect(await answerTo(one)).toEqual({ answer: 'proved' })
  })

  test('a choice that is still open is refuted with what it can be', async () => {
    expect(await answerTo(assertion(is(x, 'yes'), { domains: votes }))).toEqual({
      answer: 'refuted',
      why: 'not implied by what is known here',
      model: 'value 1 = "no"',
    })
  })

  test('two choices that differ from a third value of two are equal', async () => {
    const one = assertion(is(x, y), { fails: [is(x, z), is(y, z)], domains: { ...votes, 3: ['yes', 'no'] } })
    expect(await answerTo(one)).toEqual({ answer: 'proved' })
  })

  test('three values of three need not be equal so', async () => {
    const three = ['a', 'b', 'c']
    const one = assertion(is(x, y), { fails: [is(x, z), is(y, z)], domains: { 1: three, 2: three, 3: three } })
    expect((await answerTo(one)).answer).toBe('refuted')
  })

  test('a conditional expression is decided by its condition', async () => {
    const decision = term('?:', is(x, 'yes'), literal('commit'), literal('abort'))
    const one = assertion(not(is(decision, 'commit')), { fails: [is(x, 'yes')] })
    expect(await answerTo(one)).toEqual({ answer: 'proved' })
  })
})

describe('whole numbers', () => {
  const proofs: readonly (readonly [string, Obligation])[] = [
    ['a successor is greater', assertion(term('>', term('+', n, literal(1)), n))],
    ['a square is not negative', assertion(term('>=', term('*', n, n), literal(0)))],
    ['a remainder is below the divisor', assertion(term('<', term('%', n, literal(3)), literal(3)))],
    ['a half is at most the whole', assertion(term('<=', term('/', n, literal(2)), n))],
    [
      'two majorities overlap',
      assertion(term('>', term('+', n, m), parameter('size')), {
        holds: [n, m].map((votes) => term('>', votes, term('/', parameter('size'), literal(2)))),
      }),
    ],
    [
      'a square of what is known to be whole is not negative',
      assertion(term('>=', term('*', x, x), literal(0)), { holds: [isWhole(x)] }),
    ],
  ]
  test.each(proofs)('%s', async (_, one) => {
    const { answer, why } = await answerTo(one)
    expect(answer).toBe('proved')
    expect(why).toContain(exact)
  })

  test('comparing alone needs no assumption', async () => {
    expect(await answerTo(assertion(term('>=', n, literal(0))))).toEqual({ answer: 'proved' })
  })

  test('halves are not whole', async () => {
    const half = term('/', n, literal(2))
    const { answer, model } = await answerTo(assertion(is(term('*', half, literal(2)), term('-', n, literal(1)))))
    expect([answer, model]).toEqual(['refuted', expect.stringMatching(/^n = \d+$/)])
  })

  test('the remainder of a negative number is not positive', async () => {
    const holds = [isWhole(x), term('<', x, literal(0))]
    const remainder = term('%', x, literal(3))
    expect((await answerTo(assertion(term('<=', remainder, literal(0)), { holds }))).answer).toBe('proved')
    expect((await answerTo(assertion(term('>=', remainder, literal(0)), { holds }))).answer).toBe('refuted')
  })

  test('0 and -0 are equal, and functions can tell them apart', async () => {
    const zeros = { 1: [0, -0], 2: [0, -0] }
    expect((await answerTo(assertion(is(x, y), { domains: zeros }))).answer).toBe('proved')
    const inverse = (value: Value): Value => opaque('String(1 / value)', value)
    expect((await answerTo(assertion(is(inverse(x), inverse(y)), { domains: zeros }))).answer).not.toBe('proved')
    const infinite = (value: Value): Value => term('/', literal(1), value)
    expect((await answerTo(assertion(is(infinite(x), infinite(y)), { domains: zeros }))).answer).not.toBe('proved')
  })

  test('a third of a number is rounded, nobody says how', async () => {
    const third = term('/', n, literal(3))
    const one = assertion(is(term('*', third, literal(3)), n))
    expect(await answerTo(one)).toEqual({ answer: 'unknown', why: 'it depends on operations that are not modelled' })
    expect((await answerTo(assertion(term('<=', third, n)))).answer).toBe('proved')
  })

  test('a parameter is at least what it is declared to be', async () => {
    const one = assertion(term('>', n, literal(2)))
    const [loose] = await discharge([one], { solver: shared })
    const [tight] = await discharge([one], { solver: shared, parameters: [{ name: 'n', least: 3 }] })
    expect([loose?.answer, tight?.answer]).toEqual(['refuted', 'proved'])
  })

  test('an index is a whole number below its count', async () => {
    const indices = { 1: { kind: 'parameter', name: 'n' } as const, 2: { kind: 'number', value: 3 } as const }
    expect((await answerTo(assertion(term('<', x, n), { indices }))).answer).toBe('proved')
    expect((await answerTo(assertion(term('<=', y, literal(2)), { indices }))).answer).toBe('proved')
    expect((await answerTo(assertion(term('<=', y, literal(1)), { indices }))).answer).toBe('refuted')
  })
})

describe('values of unknown type', () => {
  const unknowns: readonly (readonly [string, Obligation])[] = [
    ['a square may be NaN', assertion(term('>=', term('*', x, x), literal(0)))],
    ['NaN is not equal to itself', assertion(is(x, x))],
    ['what is not less need not be at least', assertion(term('>=', x, y), { fails: [term('<', x, y)] })],
    [
      'texts and numbers have no common order',
      assertion(term('<', x, z), { holds: [term('<', x, y), term('<', y, z)] }),
    ],
    [
      'a sum may be a text',
      assertion(term('>', term('+', x, literal(1)), literal(0)), { holds: [term('>', x, literal(0))] }),
    ],
    [
      'adding and taking away may round',
      assertion(is(term('-', term('+', x, y), y), x), { holds: [x, y].map((value) => is(typeOf(value), 'number')) }),
    ],
  ]
  test.each(unknowns)('%s', async (_, one) => {
    expect((await answerTo(one)).answer).toBe('unknown')
  })

  test('the reason names a value that nothing excludes', async () => {
    expect((await answerTo(assertion(is(x, x)))).why).toBe('not implied if value 1 = NaN, which nothing here excludes')
  })

  test('an order between numbers excludes NaN', async () => {
    const numbers = [x, y, z].map((value) => is(typeOf(value), 'number'))
    const one = assertion(term('<', x, z), { holds: [...numbers, term('<', x, y), term('<', y, z)] })
    expect(await answerTo(one)).toEqual({ answer: 'proved' })
  })

  test('a text is never equal to a number', async () => {
    const one = assertion(not(is(x, y)), { holds: [is(typeOf(x), 'string'), is(typeOf(y), 'number')] })
    expect((await answerTo(one)).answer).toBe('proved')
    expect((await answerTo(assertion(not(is(x, literal(1))), { holds: [is(x, '1')] }))).answer).toBe('proved')
  })

  test('what is true need not be the value true', async () => {
    expect((await answerTo(assertion(is(x, true), { holds: [x] }))).answer).toBe('refuted')
    expect((await answerTo(assertion(is(x, true), { holds: [x], domains: { 1: [true, false] } }))).answer).toBe(
      'proved',
    )
  })

  test('the value of && is the first that does not hold', async () => {
    const one = assertion(is(term('&&', x, y), x), { fails: [x, opaque('Number.isNaN(value)', x)] })
    expect((await answerTo(one)).answer).not.toBe('refuted')
    const falsy = assertion(is(term('&&', x, y), 0), { domains: { 1: [0] } })
    expect(await answerTo(falsy)).toEqual({ answer: 'proved' })
  })
})

describe('functions and objects', () => {
  test('an opaque function has one result for one input', async () => {
    const call = (value: Value): Value => opaque('rank(value)', value)
    const holds = [is(x, y), is(typeOf(x), 'string'), is(typeOf(call(x)), 'string')]
    expect(await answerTo(assertion(is(call(x), call(y)), { holds }))).toEqual({ answer: 'proved' })
  })

  test('different texts are different functions', async () => {
    const one = assertion(is(opaque('first(value)', x), opaque('second(value)', x)))
    expect((await answerTo(one)).answer).toBe('refuted')
  })

  test('fields of the same value are the same', async () => {
    const holds = [term('<', term('.round', x), term('.round', y)), is(term('.round', x), 3)]
    expect((await answerTo(assertion(not(is(term('.round', y), 3)), { holds }))).answer).toBe('proved')
  })

  test('a field of something unknown is refuted with an object that has it', async () => {
    const { answer, model } = await answerTo(assertion(is(term('.round', x), 1)))
    expect([answer, model]).toEqual(['refuted', expect.stringMatching(/^value 1 = .+, value 1\.round = .+$/)])
  })

  test('a field read only of what is there does not count as read', async () => {
    const guarded = term('||', is(x, undefined), is(term('.round', x), 1))
    expect((await answerTo(assertion(guarded, { holds: [is(x, undefined)] }))).answer).toBe('proved')
  })

  test('different processes are different, and no text', async () => {
    expect((await answerTo(assertion(not(is(x, process('b'))), { holds: [is(x, process('a'))] }))).answer).toBe(
      'proved',
    )
    expect((await answerTo(assertion(not(is(x, 'a')), { holds: [is(x, process('a'))] }))).answer).toBe('proved')
  })

  test('records that hold the same may or may not be the same object', async () => {
    const [left, right] = [record({ a: x }), record({ a: x })]
    const why = 'it depends on whether objects that hold the same are the same object'
    expect(await answerTo(assertion(is(left, right)))).toEqual({ answer: 'unknown', why })
    expect((await answerTo(assertion(not(is(left, right))))).answer).toBe('unknown')
  })

  test('what differs from place to place is not equal to itself', async () => {
    const unknown: Value = { kind: 'unknown' }
    const given = { holds: [is(unknown, 1)] }
    expect((await answerTo(assertion(is(unknown, 1), given))).answer).toBe('refuted')
    expect((await answerTo(assertion(is(unknown, unknown), given))).answer).toBe('refuted')
  })
})

describe('limits', () => {
  test('everything follows from a contradiction, which is said', async () => {
    const one = assertion(is(x, 1), { holds: [term('<', n, literal(0))] })
    expect(await answerTo(one)).toEqual({ answer: 'proved', why: 'what is known here contradicts itself' })
  })

  test('no sum of two cubes is a cube, but not in so little time', async () => {
    const cube = (name: string): Value => {
      const base = parameter(name)
      return term('*', base, term('*', base, base))
    }
    const holds = ['a', 'b', 'c'].map((name) => term('>', parameter(name), literal(0)))
    const one = assertion(not(is(term('+', cube('a'), cube('b')), cube('c'))), { holds })
    const [found] = await discharge([one], { solver: shared, milliseconds: 200 })
    expect(found).toEqual({ obligation: one, answer: 'unknown', why: 'no answer within 200 ms' })
  })

  test('without the package nothing is claimed', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    const one = assertion(is(literal(1), 1))
    const found = await discharge([one], { solver: openSolver(() => Promise.reject(missing)) })
    const why = 'assertions over data need the package z3-solver, which is not installed'
    expect(found).toEqual([{ obligation: one, answer: 'unknown', why }])
  })

  test('a solver that fails claims nothing, and is started anew', async () => {
    let starts = 0
    const broken = openSolver(() => {
      starts++
      return Promise.reject(new Error('no memory'))
    })
    const one = assertion(is(literal(1), 1))
    const found = await discharge([one], { solver: broken })
    expect(found.map(({ answer, why }) => [answer, why])).toEqual([
      ['unknown', 'the solver cannot be started: no memory'],
    ])
    await discharge([one], { solver: broken })
    expect(starts).toBe(2)
  })

  test('a script that is none is an answer, not a failure', async () => {
    const answer = await shared.ask('(assert', { milliseconds: 300_000 })
    expect(answer).toEqual({ kind: 'no answer', why: expect.stringContaining('the solver failed') })
    expect(await shared.ask('(assert false)', { milliseconds: 300_000 })).toEqual({ kind: 'impossible' })
  })

  test('sizes that refute are as small as can be', async () => {
    const one = assertion(term('<', term('+', n, m), literal(5)), { holds: [term('>', n, m)] })
    expect(await answerTo(one)).toMatchObject({ answer: 'refuted', sizes: { n: 3, m: 2 } })
  })

  test('what a worker says that has been stopped is not heard', async () => {
    const heard: string[] = []
    const worker = { onmessage: (): void => undefined }
    const PThread = {
      runningWorkers: [worker],
      unusedWorkers: [],
      terminateAllThreads: () => {
        worker.onmessage = () => heard.push('received "cleanupThread" command from terminated worker')
        PThread.runningWorkers = []
      },
    }
    const solver = openSolver(() => Promise.resolve({ init: () => Promise.resolve({ em: { PThread } }) }))
    expect(await solver.ask('', { milliseconds: 0 })).toMatchObject({ kind: 'no answer' })
    solver.close()
    expect(PThread.runningWorkers).toEqual([])
    worker.onmessage()
    expect(heard).toEqual([])
  })

  test('no obligations need no solver', async () => {
    const never = openSolver(() => Promise.reject(new Error('loaded')))
    expect(await discharge([], { solver: never })).toEqual([])
  })
})
