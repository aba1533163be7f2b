import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { cut, oneIn } from '../amount.ts'
import { allways, fixtures } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const file = `${fixtures}/machines/election.check.ts`
const folder = 'test/cli/fixtures/machines/.traces'
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('check of systems', () => {
  test('takes the engine for machines unless told otherwise', async () => {
    const { code, stdout } = await allways(['check', file, '-t', 'peace', '--trace-dir', folder])
    expect(stdout).toContain('verified  peace — all 11 states of machines, fifo, loss, at most 1 crash and 1 restart')
    expect(stdout).toContain('local')
    expect(code).toBe(0)
  })

  test.each([
    ['stateful', 'all 16 states, fifo, loss, at most 1 crash and 1 restart'],
    ['dpor', 'executions, fifo, loss, at most 1 crash and 1 restart'],
    ['exhaustive', 'executions, fifo, loss, at most 1 crash and 1 restart'],
  ])('runs %s', async (engine, words) => {
    const { code, stdout } = await allways(['check', file, '-t', 'peace', '--engine', engine, '--trace-dir', folder])
    expect(stdout).toContain(words)
    expect(code).toBe(0)
  })

  test.each(oneIn(4, ['local', 'stateful', 'dpor', 'random']))(
    '%s finds a violation that replays',
    cut,
    async (engine) => {
      const args = ['check', file, '-t', 'quarrel', '--engine', engine, '--trace-dir', folder, '--param', 'voters=2']
      const { code, stdout } = await allways(args)
      expect(stdout).toContain('invariant “one leader” violated')
      expect(stdout).toMatch(/voter [01] says "voter [01]", voter [01] says "voter [01]"/)
      expect(stdout).toContain('timer.retry')
      expect(stdout).toContain('request.stand')
      expect(code).toBe(1)
      const trace = /npx allways replay (\S+)/.exec(stdout)?.[1] ?? ''
      expect(JSON.parse(readFileSync(trace, 'utf8')).decisions.length).toBeGreaterThan(0)
      const again = await allways(['replay', trace])
      expect(again.stdout).toContain('invariant “one leader” violated')
      expect(again.code).toBe(1)
    },
  )

  test.each([
    ['last come', /these 14 steps can repeat for ever/],
    ['kept', /nothing more has to happen: this can last for ever/],
  ])('%s: what lasts for ever replays, and not from another step on', async (name, words) => {
    const model = 'corpus/starvation/model.check.ts'
    const args = ['check', model, '-t', name, '--engine', 'stateful', '--trace-dir', folder]
    const { code, stdout } = await allways(args)
    expect(stdout).toMatch(words)
    expect(code).toBe(1)
    const trace = /npx allways replay (\S+)/.exec(stdout)?.[1] ?? ''
    const again = await allways(['replay', trace])
    expect(again.stdout).toMatch(words)
    expect(again.code).toBe(1)
    const json = JSON.parse(readFileSync(trace, 'utf8'))
    writeFileSync(trace, JSON.stringify({ ...json, repeatsFrom: json.repeatsFrom - 1 }))
    expect((await allways(['replay', trace])).code).toBe(2)
  })

  test('a bound on steps is for processes', async () => {
    const { code, stderr, stdout } = await allways(['check', file, '--engine', 'stateful', '--max-steps', '5'])
    expect(`${stdout}${stderr}`).toContain('E107  maxSteps bounds processes, and engine "stateful" explores states')
    expect(code).toBe(2)
  })

  test('a machine is no system', async () => {
    await expectMistake(['check', `${fixtures}/machines/alone.check.ts`], {
      code: 'E103',
      message: 'alone.check.ts exports voter (a machine), but no program',
      hint: "machines are checked together: export default system('name', () => ({ machines: { a: voter.as() } }))",
    })
  })

  test('a network that local does not explore goes to stateful, and local refuses it', async () => {
    const argv = ['check', file, '-t', 'peace', '--network', 'causal']
    expect(await allways(argv)).toMatchObject({ code: 0, stdout: expect.stringContaining('· stateful · 16 states') })
    const refused = await allways([...argv, '--engine', 'local'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('E309') })
  })
})

describe('machines that create machines', () => {
  const crew = ['check', 'test/cli/fixtures/machines/crew.check.ts', '--trace-dir', folder]

  test.each(oneIn(4, ['stateful', 'dpor', 'exhaustive', 'pct']))('are explored by %s', cut, async (engine) => {
    const { code, stdout } = await allways([...crew, '--engine', engine])
    expect(stdout).toContain('spawns boss/worker#2')
    expect(code).toBe(1)
  })

  test('are refused by local and by run', async () => {
    const message = 'whose machines are there from the beginning, and "boss/worker" is created'
    await expectMistake([...crew, '--engine', 'local'], { code: 'E309', message, hint: 'engines that can: stateful' })
    const ran = await allways(['run', 'test/cli/fixtures/machines/crew.check.ts', '--all', '--time', '5s'])
    expect(unwrapped(ran.stderr)).toContain('machine "boss" creates "boss/worker"')
  })
})
