/** What the command line says about P programs alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { check, checkResult } from '../../src/check/check.ts'
import { allways } from './harness.ts'
import { expectMistake } from './mistake.ts'

const folder = 'test/cli/fixtures/p'
const traces = mkdtempSync(join(tmpdir(), 'allways-p-'))
afterAll(() => rmSync(traces, { recursive: true }))

async function result(...argv: readonly string[]) {
  const { stdout } = await allways(['check', ...argv, '--json', '--trace-dir', traces])
  return JSON.parse(stdout).results[0]
}

test('a monitor that no test of the file asserts is warned of, whatever its tests assert', async () => {
  const program = join(traces, 'asserted.p')
  const warned = async (test: string): Promise<readonly string[]> => {
    writeFileSync(
      program,
      `event eStart;
      machine Main { start state Init { entry { announce eStart; } } }
      spec First observes eStart { start state Init { ignore eStart; } }
      spec Second observes eStart { start state Init { ignore eStart; } }
      ${test}`,
    )
    const { code, stdout } = await allways(['check', program, '--json', '--trace-dir', traces])
    expect(code).toBe(0)
    return (JSON.parse(stdout).warnings ?? []).map(({ code, message, place }: never) => [code, message, place])
  }
  const unasserted = (name: string, line: number) => [
    'E732',
    `"${name}" watches nothing, because no test asserts it`,
    expect.objectContaining({ line }),
  ]
  expect(await warned('test tc [main=Main]: { Main };')).toEqual([unasserted('First', 3), unasserted('Second', 4)])
  expect(await warned('test tc [main=Main]: assert First in { Main };')).toEqual([unasserted('Second', 4)])
  const second = 'module M = assert Second in { Main }; test other [main=Main]: M;'
  expect(await warned(`test tc [main=Main]: assert First in { Main }; ${second}`)).toEqual([])
})

describe('--monitors', () => {
  const whole = `${folder}/whole.p`

  test('none watches a program without tests, unless all are asked for', async () => {
    expect(await result(whole)).toMatchObject({ verdict: 'verified', program: 'DefaultImpl' })
    const watched = await result(whole, '--monitors', 'all')
    expect(watched).toMatchObject({ verdict: 'violated', setting: { monitors: 'all' } })
    expect(watched.scope).toMatch(/, all monitors$/)
  })

  test('a trace says who watched', async () => {
    const { trace } = await result(whole, '--monitors', 'all')
    const replayed = await allways(['replay', trace])
    expect(replayed).toMatchObject({ code: 1 })
    expect(replayed.stdout).toContain('too many: 2')
  })

  test('by name, from code', async () => {
    const asked = await checkResult(whole, { options: { monitors: 'all' } })
    expect(asked).toMatchObject({ ok: true, value: { kind: 'violated' } })
    expect(await check(whole)).toMatchObject({ kind: 'verified' })
  })

  test('list says what is the default', async () => {
    const { stdout } = await allways(['list', whole])
    expect(stdout).toContain('DefaultImpl  sender-queue  monitors: declared')
  })

  test('is refused where it says nothing', async () => {
    await expectMistake(['check', `${folder}/slip.p`, '--monitors', 'all'], {
      code: 'E107',
      message: '"tcQuiet" is a test, which says itself what watches',
      hint: 'assert Spec in { M, … }',
    })
    await expectMistake(['check', 'test/cli/fixtures/holds.check.ts', '--monitors', 'all'], {
      code: 'E107',
      message: '--monitors is for P programs, and there is none here',
      hint: 'name a .p file',
    })
    await expectMistake(['check', whole, '--monitors', 'any'], {
      code: 'E107',
      message: '--monitors',
      hint: 'declared',
    })
  })
})

describe('--p-legacy', () => {
  const older = `${folder}/older.p`

  test('reads words of the verifier as names', async () => {
    await expectMistake(['check', older], { code: 'E706', message: '"sent" is a word', hint: '--p-legacy' })
    expect(await result(older, '--p-legacy')).toMatchObject({ verdict: 'violated' })
    expect(await allways(['list', older, '--p-legacy'])).toMatchObject({ code: 0 })
  })

  test('is remembered by traces', async () => {
    const { trace } = await result(older, '--p-legacy')
    expect(await allways(['replay', trace])).toMatchObject({ code: 1 })
  })

  test('from code', async () => {
    expect(await checkResult(older, { legacy: true })).toMatchObject({ ok: true, value: { kind: 'violated' } })
  })
})

describe('--print ir', () => {
  test('prints the tests that were chosen, and explores nothing', async () => {
    const ran = await allways(['check', `${folder}/slip.p`, '--print', 'ir'])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/^test tcQuiet\n/)
    expect(ran.stdout).toContain('monitor Watch')
    expect(ran.stdout).not.toContain('verified')
  })

  test('with the monitors that watch', async () => {
    const printed = async (...more: readonly string[]) =>
      (await allways(['check', `${folder}/whole.p`, '--print', 'ir', ...more])).stdout
    expect(await printed()).not.toContain('monitor Watch')
    expect(await printed('--monitors', 'all')).toContain('monitor Watch')
  })

  test('of another form is a mistake', async () => {
    await expectMistake(['check', `${folder}/slip.p`, '--print', 'icet'], {
      code: 'E107',
      message: '--print',
      hint: 'ir',
    })
  })
})

describe('slips', () => {
  const slip = `${folder}/slip.p`

  test('are notes before the verdict', async () => {
    const ran = await allways(['check', slip])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toMatch(/^ ! E730 {2}"Watch" handles "eStop"/)
    expect(ran.stderr).toContain('slip.p:7:8')
    expect(ran.stdout).toContain('✓ verified')
  })

  test('are in the JSON', async () => {
    const { stdout } = await allways(['check', slip, '--json'])
    expect(JSON.parse(stdout).warnings).toMatchObject([{ code: 'E730', place: { line: 7 } }])
  })

  test('fail with --strict', async () => {
    expect(await allways(['check', slip, '--strict'])).toMatchObject({ code: 1 })
    expect((await allways(['check', slip, '--quiet'])).stderr).toBe('')
  })
})

describe('the words below a verdict', () => {
  test('say what a step is', async () => {
    const told = async (network: string) => (await allways(['check', `${folder}/slip.p`, '--network', network])).stdout
    expect(await told('sender-queue')).toContain('covered: every order in which messages arrive (sender-queue)')
    expect(await told('sender-queue')).toContain('each handler runs as a whole; whole numbers are exact')
    expect(await told('mailbox')).toContain('covered: every interleaving of handlers at their sends (mailbox)')
  })

  test('counts have the same names, whichever search counted', async () => {
    for (const network of ['sender-queue', 'mailbox', 'causal']) {
      const { counts } = await result(`${folder}/slip.p`, '--network', network)
      expect(counts).toMatchObject({ states: 2, transitions: 1, terminals: 1 })
    }
  })
})

test('a budget ends a search in the middle of a handler that chooses again and again', async () => {
  const { verdict, counts } = await result(`${folder}/many-choices.p`, '--time', '300ms')
  expect(verdict).toBe('incomplete')
  expect(counts).toMatchObject({ states: 1, transitions: 0 })
})

describe('an event that is known when the program runs', () => {
  const file = `${folder}/late-events.p`

  test.each([
    ['tcSwapped', 'bad cast: (until = 1, from = 2) is not of type (from: int, until: int)'],
    ['tcOtherType', 'bad cast: true is not of type int'],
    ['tcNothing', 'bad cast: null is not of type int'],
    ['tcNotAList', 'bad cast: 5 is not of type seq[string]'],
    ['tcRaised', 'bad cast: (until = 1, from = 2) is not of type (from: int, until: int)'],
    ['tcReceived', 'bad cast: (1, 2) is not of type (from: int, until: int)'],
    ['tcAnnounced', 'bad cast: 2 is not of type int'],
  ])('%s: what it does not carry is noticed where it is taken', async (name, message) => {
    for (const engine of ['stateful', 'exhaustive']) {
      const { verdict, violation } = await result(file, '-t', name, '--engine', engine)
      expect(verdict).toBe('violated')
      expect(violation.message).toContain(message)
    }
  })

  test('what nobody looks at is not', async () => {
    expect(await result(file, '-t', 'tcFine')).toMatchObject({ verdict: 'verified' })
  })
})

describe('--print guards', () => {
  test('prints what symbolic search keeps after each step', async () => {
    const ran = await allways(['check', 'corpus/p-litmus/model.p', '-t', 'L1', '--print', 'guards'])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/^L1, sender-queue, step by step\nafter 0 steps: 1 execution\n {2}D: always\n/)
  })

  test('is one object with --json: variables, guards as what they need, and what ends it', async () => {
    const ran = await allways(['check', 'corpus/p-litmus/model.p', '-t', 'L1', '--print', 'guards', '--json'])
    expect(ran.code).toBe(0)
    const { format, programs } = JSON.parse(ran.stdout)
    expect(format).toBe('allways-guards/1')
    const [{ program, network, mode, events }] = programs
    expect([program, network, mode]).toEqual(['L1', 'sender-queue', 'steps'])
    const none = { variables: [], alive: { ways: [{}], moreWays: 0 }, held: [], more: 0 }
    expect(events[0]).toMatchObject({ kind: 'frontier', after: 0, count: 1, ...none })
    expect(events.at(-1)).toEqual({ kind: 'end', because: 'over' })
  })

  test('tells with --json which program it cannot print', async () => {
    const args = ['check', 'corpus/p-litmus/model.p', '-t', 'L1', '--print', 'guards', '--json', '--network', 'causal']
    const ran = await allways(args)
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).diagnostics).toMatchObject([
      { code: 'E309', message: expect.stringContaining('causal') },
    ])
  })

  test('is about one engine', async () => {
    const args = ['check', 'corpus/p-litmus/model.p', '-t', 'L1', '--print', 'guards', '--engine', 'stateful']
    await expectMistake(args, { code: 'E107', message: '--print guards is about engine', hint: 'symbolic' })
  })
})
