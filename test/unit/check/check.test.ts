import { afterEach, describe, expect, test, vi } from 'vitest'
import { heapOfThread, hostWith, realHost } from '../../../src/check/host.ts'
import {
  announce,
  assert,
  CheckFailedError,
  check,
  checkResult,
  choose,
  final,
  monitor,
  type Program,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../src/index.ts'
import { registerProgram } from '../../../src/program/program.ts'

afterEach(() => vi.restoreAllMocks())

const pair = program('pair', function* () {
  const collector = yield* self<number>()
  yield* spawn('sender', function* () {
    yield* send(collector, 1)
    yield* send(collector, 2)
  })
  const first = yield* receive<number>()
  const second = yield* receive<number>()
  yield* assert(first < second, 'in order')
})

const senders = program('senders', { params: { n: 3 } }, function* ({ n }) {
  const collector = yield* self<number>()
  for (let i = 0; i < n; i++) {
    yield* spawn(`sender ${i}`, function* () {
      yield* send(collector, i)
    })
  }
  for (let i = 0; i < n; i++) yield* receive<number>()
})

describe('checkResult', () => {
  test('two sends by one process, two receives: one execution under fifo, a violation under bag', async () => {
    expect(await checkResult(pair)).toMatchObject({
      ok: true,
      value: {
        kind: 'verified',
        counts: { executions: 1, blocked: 0 },
        scope: { engine: 'dpor', network: 'fifo', deadlock: 'error' },
      },
    })
    expect(await checkResult(pair, { network: 'asyn' })).toMatchObject({
      ok: true,
      value: {
        kind: 'violated',
        scope: { network: 'bag' },
        evidence: [{ violation: { kind: 'assertion', message: 'in order', process: 'main' } }],
      },
    })
  })

  test('three senders: 3! executions, and n can be chosen', async () => {
    expect(await checkResult(senders)).toMatchObject({ value: { counts: { executions: 6 } } })
    expect(await checkResult(senders, { params: { n: 4 } })).toMatchObject({
      value: { counts: { executions: 24 }, scope: { params: { n: 4 } } },
    })
  })

  test('a sampling engine says passed', async () => {
    const verdict = await checkResult(senders, { engine: 'random', samples: 7, seed: 3 })
    expect(verdict).toMatchObject({ value: { kind: 'passed', counts: { executions: 7 }, scope: { seed: 3 } } })
  })

  test('a budget ends the search with the units that are left', async () => {
    const verdict = await checkResult(senders, { maxExecutions: 2 })
    expect(verdict).toMatchObject({ value: { kind: 'incomplete', because: 'executions', counts: { executions: 2 } } })
    expect(await checkResult(senders, { signal: AbortSignal.abort() })).toMatchObject({
      value: { kind: 'incomplete', because: 'interrupt' },
    })
    const many = { params: { n: 12 } }
    expect(await checkResult(senders, { ...many, time: '30ms' })).toMatchObject({
      value: { kind: 'incomplete', because: 'time' },
    })
  })

  test('a budget of memory ends the search of a program that keeps what it takes', async () => {
    vi.spyOn(realHost, 'memory').mockImplementation(hostWith(heapOfThread).memory)
    const held: Buffer[] = []
    const tens = [...new Array(10).keys()]
    // It goes on for long after it has taken all: memory is not looked at all the time.
    const keeper = program('keeper', function* () {
      const one = yield* choose(tens)
      for (let i = 0; i < 4; i++) yield* choose(tens)
      if (held.length < 100) held.push(Buffer.alloc(2 ** 20, one))
    })
    expect(await checkResult(keeper, { memory: '20mb' })).toMatchObject({
      value: { kind: 'incomplete', because: 'memory' },
    })
  })

  test('fifo-eager is fifo of the dpor engine with messages that nobody reads ordered', async () => {
    const unread = program('unread', function* () {
      const me = yield* self<number>()
      for (let i = 0; i < 2; i++) {
        yield* spawn(`sender ${i}`, function* () {
          yield* send(me, i)
        })
      }
    })
    expect(await checkResult(unread)).toMatchObject({ value: { counts: { executions: 1 } } })
    expect(await checkResult(unread, { network: 'fifo-eager' })).toMatchObject({
      value: { counts: { executions: 2 }, scope: { network: 'fifo-eager' } },
    })
  })

  test('distinct violations are collected with keepGoing, and the search is exhausted', async () => {
    const bugs = program('bugs', function* () {
      const picked = yield* choose([1, 2, 3])
      yield* assert(picked === 1, `picked ${picked}`)
    })
    const verdict = await checkResult(bugs, { keepGoing: true })
    expect(verdict).toMatchObject({ value: { kind: 'violated', exhausted: true, evidence: [{}, {}] } })
    expect(await checkResult(bugs)).toMatchObject({ value: { kind: 'violated', exhausted: false, evidence: [{}] } })
  })

  test('monitors and final conditions are decided', async () => {
    const watched = program(
      'watched',
      {
        properties: [
          monitor('no bang', { observes: (seen) => seen.kind === 'announce' }, function* () {
            yield* receive()
            yield* assert(false, 'bang')
          }),
        ],
      },
      function* () {
        yield* announce('bang')
      },
    )
    expect(await checkResult(watched)).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { kind: 'monitor' } }] },
    })
    const ended = program(
      'ended',
      { properties: [final('returns one', ({ returned }) => returned.get('main') === 1)] },
      function* () {
        return 2
      },
    )
    expect(await checkResult(ended)).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { kind: 'final', property: 'returns one' } }] },
    })
  })
})

describe('mistakes in the options are diagnostics, all of them', () => {
  test.each([
    [{ engine: 'dopr' }, 'E108', 'did you mean "dpor"?'],
    [{ network: 'mailboxx' }, 'E109', 'did you mean "mailbox"?'],
    [{ params: { m: 1 } }, 'E110', 'did you mean "n"?'],
    [{ params: { n: '3' } }, 'E107', undefined],
    [{ params: { n: 3n } }, 'E107', undefined],
    [{ time: 'long' }, 'E107', expect.stringContaining('60s')],
    [{ memory: -1 }, 'E107', expect.stringContaining('512mb')],
    [{ maxExecutions: 0 }, 'E107', undefined],
    [{ maxSteps: 1.5 }, 'E107', undefined],
    [{ samples: Number.NaN }, 'E107', undefined],
    [{ seed: 0.5 }, 'E107', undefined],
    [{ deadlock: 'eror' as 'error' }, 'E107', 'did you mean "error"?'],
    [{ schedule: 'upwards' as 'random' }, 'E107', expect.stringContaining('left-to-right')],
    [{ engine: 'exhaustive', network: 'fifo-eager' }, 'E107', expect.stringContaining('dpor')],
  ])('%o is %s', async (options, code, hint) => {
    const result = await checkResult(senders, options)
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code, ...(hint === undefined ? {} : { hint }) }] })
  })

  test('several at once', async () => {
    const result = await checkResult(senders, { engine: 'x', network: 'y', time: 'z' })
    expect(result.ok ? [] : result.diagnostics.map(({ code }) => code)).toEqual(['E108', 'E109', 'E107'])
  })

  test('an option that the engine has for another kind of program says for which', async () => {
    const result = await checkResult(senders, { engine: 'stateful', options: { search: 'depth' } })
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      {
        code: 'E107',
        message: 'engine "stateful" has no option "search" for this kind of program',
        hint: 'leave it out: it is for classes and machines',
      },
    ])
  })

  test('the engine of machines is none for processes, and says who can', async () => {
    const result = await checkResult(senders, { engine: 'local' })
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      {
        code: 'E301',
        message: 'engine "local" explores machines, and program "senders" is one of processes',
        hint: 'engines that can: dpor, exhaustive, random, pct, stateful',
      },
    ])
  })

  test('a program without the view the engine needs is E301, naming the views and the engines', async () => {
    const viewless: Program = registerProgram({ ...senders, views: {} })
    expect(await checkResult(viewless)).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'E301', message: 'engine "dpor" explores processes, and program "senders" offers nothing to explore' },
      ],
    })
  })
})

describe('check', () => {
  test('returns the verdict when the program holds', async () => {
    expect(await check(pair)).toMatchObject({ kind: 'verified' })
  })

  test('says of what a process was given what the network had duplicated', async () => {
    const twice = program('twice', { faults: { duplicates: 1 } }, function* () {
      const me = yield* self<number>()
      yield* spawn('sender', function* () {
        yield* send(me, 1)
      })
      yield* receive<number>()
      yield* assert((yield* poll<number>()) === undefined, 'it comes once')
    })
    const error = await check(twice).catch((thrown: unknown) => thrown as CheckFailedError)
    expect((error as CheckFailedError).message).toMatch(/from sender, a copy that the network made \(step/)
  })

  test('says of what is changed after it was sent that it is frozen', async () => {
    const changing = program('changing', function* () {
      const basket = { items: ['tea'] }
      yield* send(yield* self<typeof basket>(), basket)
      basket.items.push('milk')
    })
    const error = await check(changing).catch((thrown: unknown) => thrown as CheckFailedError)
    expect((error as CheckFailedError).message).toContain('values are frozen when they are sent')
  })

  test('refuses a further argument, which nobody would read', async () => {
    const further = [{ code: 'E107', message: expect.stringContaining('(program, options) takes no further argument') }]
    const [checking, asking] = [check, checkResult] as readonly ((...args: readonly unknown[]) => Promise<unknown>)[]
    await expect(checking?.(pair, {}, { time: '1s' })).rejects.toMatchObject({ diagnostics: further })
    expect(await asking?.(pair, {}, { time: '1s' })).toMatchObject({ ok: false, diagnostics: further })
  })

  test('throws the text the command line prints, with the verdict as a field, at the line that called it', async () => {
    const error = await check(pair, { network: 'bag' }).catch((thrown: unknown) => thrown as CheckFailedError)
    expect(error).toBeInstanceOf(CheckFailedError)
    const { message, verdict, diagnostics, stack } = error as CheckFailedError
    expect(message).toMatch(/^ ✗ test\/unit\/check\/check\.test\.ts:\d+ {2}assertion violated in main/)
    expect(message).toContain('in order')
    expect(verdict?.kind).toBe('violated')
    expect(diagnostics).toEqual([])
    expect(stack?.slice(message.length)).not.toContain('/src/')
  })

  test('throws diagnostics as text and as a field', async () => {
    const clock = program('clock', function* () {
      const me = yield* self<number>()
      yield* send(me, Date.now())
    })
    const error = await check(clock).catch((thrown: unknown) => thrown as CheckFailedError)
    expect(error).toMatchObject({
      message: expect.stringContaining('E209  Date.now() was called'),
      verdict: undefined,
      diagnostics: [{ code: 'E209', place: { file: 'test/unit/check/check.test.ts' } }],
    })
  })

  test('throws for an incomplete search unless told otherwise', async () => {
    await expect(check(senders, { maxExecutions: 1 })).rejects.toThrow('incomplete')
    expect(await check(senders, { maxExecutions: 1, allowIncomplete: true })).toMatchObject({ kind: 'incomplete' })
  })

  test('leaves the clock as it was, also after throwing', async () => {
    const before = [Date, Date.now, Math.random, setTimeout]
    await check(pair, { network: 'bag' }).catch(() => {})
    await check(pair)
    expect([Date, Date.now, Math.random, setTimeout].every((one, at) => one === before[at])).toBe(true)
  })

  test('several checks at the same time do not disturb each other', async () => {
    const verdicts = await Promise.all([3, 4, 5].map((n) => check(senders, { params: { n } })))
    expect(verdicts.map(({ counts }) => counts.executions)).toEqual([6, 24, 120])
  })
})
