import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/diagnostic.ts'
import * as allways from '../../../src/index.ts'
import { Mutex } from '../../../src/model/sync/sync.ts'

/** As JavaScript sees it: nothing keeps anybody from passing anything. */
type Loose = (...args: readonly unknown[]) => unknown
const loose = allways as unknown as { readonly [name in keyof typeof allways]: Loose }
const { program, monitor, final, every, machine, invariant, conflict, system, linearizable, specification } = loose

function* nothing() {}
class Counter {
  increment() {}
}
const operations = { increment: [] }

/** What is thrown where something is declared: code, message, hint. */
const declared: readonly (readonly [() => unknown, string, RegExp])[] = [
  [() => program(nothing, {}), 'E107', /a program needs a name and got a function/],
  [() => program('p', 5), 'E212', /the function of program "p" is a number \(5\)/],
  [() => program('p', {}), 'E212', /the function of program "p" is undefined/],
  [() => program('p', nothing, { deadlock: 'allow' }), 'E107', /come before its function/],
  [() => program('p', { parms: {} }, nothing), 'E107', /program "p" has no option "parms".*did you mean "params"/],
  [() => program('p', { params: [1, 2] }, nothing), 'E107', /"params" of program "p" is a list/],
  [() => program('p', { params: { f: nothing } }, nothing), 'E107', /parameter "f" of program "p" is not a value/],
  [() => program('p', { network: 7 }, nothing), 'E107', /"network" of program "p" is 7/],
  [() => program('p', { network: 'fifi' }, nothing), 'E109', /no network "fifi"/],
  [() => program('p', { deadlock: 'alow' }, nothing), 'E107', /is "alow", but it must be one of error, allow/],
  [() => program('p', { faults: { crash: 1 } }, nothing), 'E217', /no fault "crash"; did you mean "crashes"/],
  [() => program('p', { properties: final('f', () => true) }, nothing), 'E107', /must be a list/],
  [() => program('p', null, nothing), 'E107', /are null, and not an object/],
  [() => program('p', Object.create({ deadlock: 'allow' }), nothing), 'E107', /a prototype of its own/],
  [() => program('p', { [Symbol('deadlock')]: 1 }, nothing), 'E107', /has no option "Symbol\(deadlock\)"/],
  [() => program('p', {}, nothing, { deadlock: 'allow' }), 'E107', /takes no further argument and got an object/],
  [() => monitor('m', nothing), 'E107', /the options of monitor "m" are a function/],
  [() => monitor('m', {}, nothing), 'E107', /lack "observes".*a list of texts or a function/],
  [() => monitor('m', { observes: 'sold' }, nothing), 'E107', /"observes" of monitor "m" is "sold"/],
  [() => monitor('m', { observes: ['sold'], network: 'fifo' }, nothing), 'E107', /has no option "network"/],
  [() => monitor('m', { observes: [] }), 'E212', /the function of monitor "m" is undefined/],
  [() => monitor('a/b', { observes: [] }, nothing), 'E213', /cannot be named "a\/b"/],
  [() => monitor('__proto__', { observes: [] }, nothing), 'E213', /cannot be named "__proto__"/],
  [() => program('p', { params: { ['__proto__']: 1 } }, nothing), 'E107', /"p" cannot be named "__proto__"/],
  [() => final(() => true), 'E107', /needs a name/],
  [() => final('f'), 'E107', /final condition "f" is undefined/],
  [() => every(3, { form: 1 }), 'E107', /every\(…\) has no option "form".*did you mean "from"/],
  [() => machine('m', { state: () => 0, onn: {} }), 'E221', /machine "m" has no part "onn".*did you mean "on"/],
  [() => machine('m', { on: {} }), 'E221', /the parts of machine "m" lack "state"/],
  [() => machine('m', { state: () => 0, durable: 'log' }), 'E221', /"durable" of machine "m" is "log"/],
  [() => invariant('i'), 'E222', /has no function to ask/],
  [() => invariant('i', () => true, { local: true }), 'E222', /invariant\("i", holds\) takes no further argument/],
  [() => conflict('c', { each: () => 1, conflct: () => true }), 'E222', /no part "conflct".*did you mean "conflict"/],
  [() => system('s', { netwrok: 'bag' }, () => ({})), 'E222', /no option "netwrok".*did you mean "network"/],
  [() => system('s', { params: { n: every(3) } }, () => ({})), 'E107', /parameter "n" of system "s" is not a value/],
  [() => linearizable(Counter, { operations, proceses: 3 }), 'E308', /no option "proceses".*did you mean "processes"/],
  [() => linearizable(Counter, { operations, calls: 0 }), 'E308', /"calls" of linearizable\(Counter\) is 0/],
  [() => linearizable(Counter, { operations, criterion: 'linear' }), 'E308', /one of linearizable, outcomes/],
  [() => linearizable(Counter, { operations, clients: [] }), 'E308', /names no clients/],
  [() => linearizable(Counter), 'E308', /are undefined, and not an object/],
  [() => specification({ initial: 0 }), 'E107', /lack "apply"/],
  [() => specification({ initial: 0, aply: () => 0, apply: () => 0 }), 'E107', /did you mean "apply"/],
]

function thrown(declare: () => unknown): { readonly diagnostics: readonly Diagnostic[] } {
  try {
    declare()
  } catch (error) {
    return error as never
  }
  return { diagnostics: [] }
}

function told(all: readonly Diagnostic[]): string {
  return all.map(({ message, hint }) => `${message} ${hint ?? ''}`).join('\n')
}

describe('what is declared wrongly is refused where it is declared', () => {
  test.each(declared)('%s', (declare, code, words) => {
    const { diagnostics } = thrown(declare)
    expect(diagnostics[0]).toMatchObject({ code, stack: expect.stringContaining('declarations.test.ts') })
    expect(told(diagnostics)).toMatch(words)
  })

  test('all that is wrong is told together', () => {
    expect(thrown(() => program('p', { parms: {}, deadlok: 'allow' }, nothing)).diagnostics).toHaveLength(2)
  })

  test('locks in production throw', () => {
    expect(() => new Mutex({ reentrnt: true } as never)).toThrow(/no option "reentrnt"; did you mean "reentrant"/)
  })
})

const { atomic, mutex, timer, spawn, spawnAll, send, receive, poll, assert, assume, channel, semaphore, self, choose } =
  loose

/** What a process passes: the diagnostic has its line. */
const performed: readonly (readonly [() => unknown, string, RegExp])[] = [
  [() => spawn('x', { daemn: true }, nothing), 'E107', /no option "daemn".*did you mean "daemon"/],
  [() => spawn('x', { daemon: 'yes' }, nothing), 'E107', /"daemon" of spawn\("x", …\) is "yes"/],
  [() => spawnAll(0, 'x', { replica: 'x' }, nothing), 'E107', /spawnAll\("x", …\) has no option "replica"/],
  [() => channel('c', { capcity: 1 }), 'E107', /did you mean "capacity"/],
  [() => channel('c', { capacity: 0 }), 'E216', /the capacity of a channel must be a whole number/],
  [() => semaphore('s', '1'), 'E216', /the number of permits/],
  [() => receive({ from: 1 }), 'E204', /as "from"/],
  [() => poll({ form: 1 }), 'E208', /poll\(\) takes a kind/],
  [() => assert(Promise.resolve(false)), 'E208', /assert\(\) needs true or false and got a promise/],
  [() => assert(true, 7), 'E208', /a text as its message/],
  [() => assume(undefined), 'E208', /assume\(\) needs true or false and got undefined/],
  [() => choose([]), 'E210', /at least one option/],
  [() => choose(new Set([1])), 'E210', /an array of options and got an object \(Set\)/],
  [() => spawn('a', 5), 'E212', /body of process "a" is a number \(5\)/],
  [() => choose([1], { weight: 2 }), 'E107', /choose\(options\) takes no further argument and got an object/],
  [() => spawn('x', null, nothing), 'E107', /the options of spawn\("x", …\) are null, and not an object/],
  [() => mutex('m', { fair: true }), 'E107', /mutex\("m"\) takes no further argument and got an object/],
  [() => timer('t', { ms: 5 }), 'E107', /timer\("t"\) takes no further argument/],
  [() => atomic('a', () => 1), 'E205', /the initial value of atomic "a" is a function, which is not a value/],
]

describe('what a process passes wrongly is refused at its line', () => {
  test.each(performed)('%s', async (perform, code, words) => {
    const wrong = allways.program('p', function* () {
      yield* perform() as Iterable<unknown>
    })
    const result = await allways.checkResult(wrong)
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code, place: { file: expect.stringContaining('declarations.test.ts') }, frame: expect.any(String) },
    ])
    expect(result.ok ? '' : told(result.diagnostics)).toMatch(words)
  })

  test('options of send', async () => {
    const wrong = allways.program('p', function* () {
      const own = yield* self() as Iterable<unknown>
      yield* send(own, 1, { netwrok: 'bag' }) as Iterable<unknown>
    })
    expect(await allways.checkResult(wrong)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E107', hint: 'did you mean "network"?' }],
    })
  })
})

describe('what a handler passes wrongly is refused at its line', () => {
  type Context = { readonly [method: string]: Loose }
  const calls: readonly (readonly [(context: Context) => unknown, RegExp])[] = [
    [({ send: tell }) => tell?.('a', { kind: 'x' }, { network: 'fifo' }), /send\(to, message\) takes no further/],
    [({ choose: pick }) => pick?.([1], 2), /choose\(options\) takes no further argument and got 2/],
    [({ assert: holds }) => holds?.(false, 5), /assert\(\) needs a text as its message and got the number 5/],
    [({ assert: holds }) => holds?.(true, 5), /assert\(\) needs a text as its message/],
  ]
  test.each(calls)('%s', async (call, words) => {
    const go = (_: unknown, __: unknown, context: Context): void => void call(context)
    const node = machine('node', { state: () => ({}), on: { x: () => {} }, requests: { go } }) as { as: Loose }
    const wrong = system('s', () => ({ machines: { a: node.as() }, requests: { a: [['go']] } }))
    const result = await allways.checkResult(wrong as allways.Program)
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code: 'E107', place: { file: expect.stringContaining('declarations.test.ts') } },
    ])
    expect(result.ok ? '' : told(result.diagnostics)).toMatch(words)
  })

  test('a state that is undefined', async () => {
    const node = machine('node', { state: () => undefined }) as { as: Loose }
    const result = await allways.checkResult(system('s', () => ({ machines: { a: node.as() } })) as allways.Program)
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E221',
          message: '"state" of machine "a" returns undefined',
          place: { file: expect.stringContaining('declarations.test.ts') },
        },
      ],
    })
  })
})

describe('options of a check are refused at the line that asks', () => {
  const right = allways.program('right', function* () {})
  test.each<readonly [unknown, RegExp]>([
    [{ tmie: '1s' }, /there is no option "tmie" did you mean "time"/],
    [{ engine: 'dpro' }, /dpro.*did you mean "dpor"/],
    [{ params: [1, 2] }, /params is a list, but it must be an object/],
    [{ keepGoing: 'yes' }, /keepGoing is "yes", but it must be true or false/],
    [{ signal: 1 }, /signal is 1, but it must be an AbortSignal/],
    [Object.create({ engine: 'random' }), /a prototype of its own/],
    [{ maxSteps: 0 }, /maxSteps is 0, but it must be a whole number above 0/],
    ['dpor', /options are "dpor", and not an object/],
  ])('%j', async (options, words) => {
    const result = await allways.checkResult(right, options as never)
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { place: { file: expect.stringContaining('declarations.test.ts') }, frame: expect.any(String) },
    ])
    expect(result.ok ? '' : told(result.diagnostics)).toMatch(words)
  })

  test('a history that is none, and options that it does not have', () => {
    const register = allways.specification({ initial: 0, apply: (state) => ({ state }) })
    expect(allways.checkHistory({} as never, register)).toMatchObject({ ok: false, diagnostics: [{ code: 'E501' }] })
    expect(allways.checkHistory({ calls: [] }, register, { witnes: true } as never)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E107', hint: 'did you mean "witness"?' }],
    })
    const half = { calls: [{ process: 'a', operation: 'read' }] }
    expect(allways.checkHistory(half as never, register)).toMatchObject({ ok: false, diagnostics: { length: 4 } })
  })
})

describe('a final condition without an answer is a mistake at its declaration', () => {
  test.each<readonly [() => unknown, RegExp]>([
    [() => undefined, /returned undefined/],
    [async () => true, /returned a promise/],
    [() => 0, /returned a number \(0\)/],
  ])('%s', async (condition, words) => {
    const wrong = allways.program('p', { properties: [final('f', condition) as never] }, function* () {})
    const result = await allways.checkResult(wrong)
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code: 'E214', place: { file: expect.stringContaining('declarations.test.ts') } },
    ])
    expect(result.ok ? '' : told(result.diagnostics)).toMatch(words)
  })
})
