/** P programs through engines that explore processes and machines: `--engine dpor` and `--engine local`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { long } from '../amount.ts'
import { mockClock } from '../mock-clock.ts'
import { allways } from './harness.ts'
import { expectMistake } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-engines-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, lines: readonly string[]): string {
  const file = join(folder, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const machines = [
  'event told: int;',
  'machine Main { start state S { entry { var r: machine; r = new Reader(); new Writer((r, 1)); new Writer((r, 2)); } } }',
  'machine Writer { start state S { entry (at: (machine, int)) { send at.0, told, at.1; } } }',
  'machine Reader { var last: int; start state S { on told do (n: int) { assert n > last, "out of order"; last = n; } } }',
]
const racing = written('racing.p', machines)
const watched = written('watched.p', [
  ...machines.slice(0, 3),
  'machine Reader { start state S { ignore told; } }',
  'spec Watch observes told { var last: int; start state W { on told do (n: int) { assert n > last, "out of order"; last = n; } } }',
  'test tc [main=Main]: assert Watch in { Main, Writer, Reader };',
])
const waiting = written('waiting.p', [
  'event never;',
  'machine Main { start state S { entry { receive { case never: { } } } } }',
])
const endless = written('endless.p', ['machine Main { var n: int; start state S { on null do { n = 1 - n; } } }'])

async function reported(...args: readonly string[]) {
  const { stdout, stderr } = await allways(['check', ...args, '--json', '--trace-dir', folder])
  const [result] = JSON.parse(stdout).results
  expect(result, `${stdout}${stderr}`).toBeDefined()
  return result
}

describe('auto', () => {
  test('answers what is small by every state', async () => {
    const found = await reported('corpus/p-counter/model.p', '-t', 'counter5', '--engine', 'auto')
    expect(found).toMatchObject({ engine: 'stateful', verdict: 'verified', counts: { states: 47 } })
    expect(found.raced).toMatchObject([
      { engine: 'stateful', ended: 'answered' },
      { engine: 'symbolic', ended: 'outrun' },
    ])
  })

  test('answers by all orders at once where there are too many states', long, async () => {
    const found = await reported('bench/symbolic/last-zero.p', '-t', 'lastZero___size_10', '--engine', 'auto')
    expect(found).toMatchObject({ engine: 'symbolic', verdict: 'verified', counts: { executions: 3328 } })
    expect(found.counts).not.toHaveProperty('states')
    expect(found.raced).toMatchObject([{ engine: 'stateful', ended: 'outrun' }, { engine: 'symbolic' }])
  })

  test('leaves to every state what the other engine would judge less of, or cannot explore', async () => {
    const hot = await reported('corpus/p-liveness/model.p', '-t', 'neverQuite', '--engine', 'auto')
    expect(hot).toMatchObject({ engine: 'stateful', verdict: 'violated' })
    expect(hot).not.toHaveProperty('raced')
    const others = await reported(racing, '--engine', 'auto', '--network', 'bag')
    expect(others).toMatchObject({ engine: 'stateful', verdict: 'violated' })
  })

  test('is what happens without it for other programs, and nothing that samples', async () => {
    const bank = ['examples/bank.check.ts', '--network', 'bag']
    expect(await reported(...bank, '--engine', 'auto')).toMatchObject({ engine: 'dpor', verdict: 'violated' })
    expect((await allways(['fuzz', 'examples/bank.check.ts', '--engine', 'auto'])).stderr).toContain('E108')
  })

  test('is saved by the engine that can be resumed', long, async () => {
    mockClock(0.25)
    const asked = ['bench/symbolic/last-zero.p', '-t', 'lastZero___size_10', '--engine', 'auto', '--time', '300ms']
    const found = await reported(...asked)
    expect(found).toMatchObject({ engine: 'stateful', verdict: 'incomplete', checkpoint: expect.any(String) })
    const more = await reported('--resume', found.checkpoint, '--time', '1s')
    expect(more.counts.states).toBeGreaterThan(found.counts.states)
    vi.restoreAllMocks()
  })
})

describe('dpor', () => {
  test('goes through each order once, and what it finds replays', async () => {
    const found = await reported(racing, '--engine', 'dpor')
    expect(found).toMatchObject({ engine: 'dpor', verdict: 'violated', violation: { message: 'out of order' } })
    const replayed = await allways(['replay', found.trace, racing])
    expect(replayed.code).toBe(1)
    expect(replayed.stdout).toContain('out of order')
  })

  test('sees monitors in every order in which they are told', async () => {
    const told = async (network: string) => await reported(watched, '--engine', 'dpor', '--network', network)
    // The second writer is created behind the first one, and there is one queue for both.
    expect(await told('sender-queue')).toMatchObject({ verdict: 'verified', counts: { executions: 2 } })
    expect(await told('fifo')).toMatchObject({ violation: { property: 'Watch' } })
  })

  test('judges machines that wait for ever', async () => {
    expect(await reported(waiting, '--engine', 'dpor')).toMatchObject({ violation: { kind: 'deadlock' } })
    expect(await reported(waiting, '--engine', 'dpor', '--deadlock', 'allow')).toMatchObject({
      verdict: 'verified',
      counts: { executions: 0, blocked: 1 },
    })
  })

  test('is bounded by turns, and otherwise refuses what has no end', async () => {
    await expectMistake(['check', endless, '--engine', 'dpor'], { code: 'E203', message: 'Main', hint: 'stateful' })
    expect(await reported(endless, '--engine', 'dpor', '--max-steps', '3')).toMatchObject({ verdict: 'verified' })
  })

  test('refuses what it would not see exactly, with its place', async () => {
    const args = ['--engine', 'dpor', '--network', 'mailbox']
    await expectMistake(['check', watched, ...args], { code: 'E309', message: 'Watch', hint: 'stateful' })
    await expectMistake(['check', endless, ...args], { code: 'E309', message: 'state S', hint: 'stateful' })
  })
})

describe('local', () => {
  test('finds what goes wrong inside machines, and what it finds replays', async () => {
    const found = await reported(racing, '--engine', 'local', '--network', 'fifo')
    expect(found).toMatchObject({ engine: 'local', verdict: 'violated', violation: { message: 'out of order' } })
    expect((await allways(['replay', found.trace, racing])).code).toBe(1)
  })

  test('refuses what machines apart do not show, with its place', async () => {
    const args = ['--engine', 'local', '--network', 'bag']
    await expectMistake(['check', watched, ...args], { code: 'E309', message: 'the monitor Watch', hint: 'dpor' })
    await expectMistake(['check', waiting, ...args], {
      code: 'E309',
      message: 'this receive',
      hint: '--deadlock allow',
    })
    expect(await reported(waiting, ...args, '--deadlock', 'allow')).toMatchObject({ verdict: 'verified' })
    await expectMistake(['check', racing, '--engine', 'local'], {
      code: 'E309',
      message: 'sender-queue',
      hint: 'stateful',
    })
  })
})
