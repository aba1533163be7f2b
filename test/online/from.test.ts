/** One round from a snapshot in a file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from '../cli/harness.ts'
import { expectMistake } from '../cli/mistake.ts'
import { chosen, idle, late, liveLog as live } from '../hostile/artifacts/live-log.ts'
import { linesOf } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-from-'))
const system = 'test/online/fixtures/log.check.ts'

afterAll(() => rmSync(folder, { recursive: true }))

function saved(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function round(content: unknown) {
  const ran = await allways(['online', system, '--from', saved('a.json', content), '--json'])
  return { ...ran, lines: linesOf(ran.stdout) }
}

describe('a round from a snapshot', () => {
  test('leaves what local cannot count to stateful', async () => {
    const state = { data: { count: 0 }, timers: [], requests: 0, crashes: 0 }
    const twice = {
      ...live,
      system: 'twice',
      params: {},
      machines: ['sender', 'receiver'],
      states: [state, state],
      underWay: [{ from: 'sender', to: 'receiver', message: { kind: 'add' } }],
    }
    const file = 'test/online/fixtures/twice.check.ts'
    const { code, stdout } = await allways(['online', file, '--from', saved('twice.json', twice)])
    expect(stdout).toContain('twice · stateful')
    expect(stdout).toContain('at most 1 duplicated message')
    expect(code).toBe(1)
  })

  test('leaves refinement to stateful, and says at the system that local cannot decide it', async () => {
    const server = { term: 0, votedFor: { '#undefined': true }, log: [], votes: [], isLeader: false, having: [] }
    const state = { data: server, timers: ['impatient'], requests: 0, crashes: 0 }
    const params = { terms: 1000, forgets: true }
    const machines = ['S1', 'S2', 'S3']
    const raft = { ...live, system: 'raft', params, machines, states: [state, state, state], underWay: [], calls: [] }
    const file = 'examples/raft.check.ts'
    const ran = await allways(['online', file, '--from', saved('raft.json', raft), '--engine', 'local'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/which\s+system\s+"raft"\s+has/)
    expect(ran.stderr).toMatch(/examples\/raft\.check\.ts:\d+:\d+\n/)
    expect(ran.stderr).toContain("= system('raft'")
  })

  test('predicts what can follow in three events, with exit status 1', async () => {
    const { code, lines, stderr } = await round(live)
    expect(code).toBe(1)
    expect(lines.map(({ kind }) => kind)).toEqual(['round', 'finding', 'summary'])
    expect(lines[0]).toMatchObject({ round: 1, ended: 'violation', predicted: true, missing: 1, overhead: null })
    expect(lines[1]).toMatchObject({ events: 3, violation: { property: 'one value for each index' } })
    expect(stderr).toMatch(/ ✗ round 1 {2}invariant "one value for each index" can be violated 3 events from now/)
    expect(stderr).toContain('request.append{argument: "r"}')
  })

  test('ends with nothing to predict where all that can follow holds, with exit status 0', async () => {
    const states = live.states.map((state) => ({ ...state, requests: 12 }))
    const { code, lines, stderr } = await round({ ...live, states })
    expect(code).toBe(0)
    expect(lines[0]).toMatchObject({ ended: 'exhausted', predicted: false, local: { states: 3, depth: 0 } })
    expect(stderr).toContain(' ✓ round 1  nothing that can follow violates anything')
  })

  test('goes on with messages that were under way', async () => {
    const states = live.states.map((state) => ({ ...state, requests: 12 }))
    const underWay = [{ from: 'left', to: 'right', message: { kind: 'chosen', index: 3, value: 'other' } }]
    const { code, lines } = await round({ ...live, states, underWay })
    expect(code).toBe(1)
    expect(lines[0]).toMatchObject({ underWay: 1 })
    expect(lines[1]).toMatchObject({ events: 1 })
  })

  test('says that a violation is no prediction if the live state is one', async () => {
    const states = live.states.with(1, { data: { chosen: { 3: 'x' }, accepted: {}, proposal: null }, ...idle })
    const { code, lines, stderr } = await round({ ...live, states })
    expect(code).toBe(1)
    expect(lines[1]).toMatchObject({ events: 0 })
    expect(stderr).toContain('invariant "one value for each index" is violated now')
  })

  test('draws nothing after a violation that is there already', async () => {
    const states = live.states.with(1, { data: { chosen: { 3: 'x' }, accepted: {}, proposal: null }, ...idle })
    const underWay = [{ from: 'left', to: 'right', message: { kind: 'chosen', index: 3, value: 'l3' } }]
    const { code, lines, stderr } = await round({ ...live, states, underWay })
    expect(code).toBe(1)
    expect(lines[1]).toMatchObject({ events: 0, decisions: Array(3).fill({ kind: 'step', process: 'main' }) })
    expect(stderr).toMatch(/1–3 {2}main spawns left, middle, right\n +✗ .*\n\n?$/m)
    expect(stderr).not.toContain('#0 chosen')
  })

  test('fits the page, however long the property is', async () => {
    const long = join(folder, 'long.check.ts')
    const property = `one value for each index, ${'and again '.repeat(14)}only one`
    writeFileSync(long, readFileSync(system, 'utf8').replace('one value for each index', property))
    const { code, stdout } = await allways(['online', long, '--from', saved('long.json', live)])
    expect(code).toBe(1)
    const [first = '', second = '', third = ''] = stdout.split('\n')
    expect(first).toMatch(/^ ✗ round 1 {2}invariant "one value for each index, and again .* \d+\.\d\d s$/)
    expect(second).toMatch(/^ {12}again and again/)
    expect(third).toMatch(/^ {12}.*can be violated 3 events from now$/)
    expect(stdout.split('\n').filter((line) => line.length > 100 && !line.includes('npx allways'))).toEqual([])
  })

  test('says so when its time is over before everything was explored', async () => {
    const states = live.states.map((state) => ({
      ...state,
      data: { chosen: {}, accepted: {}, proposal: null },
      requests: 0,
    }))
    const path = saved('b.json', { ...live, params: { appends: 12, kept: 100 }, states })
    const { code, stdout } = await allways(['online', system, '--from', path, '--round', '200ms'])
    expect(code).toBe(0)
    expect(stdout).toContain(' ◌ round 1  nothing predicted; not everything was explored')
  })
})

describe('mistakes', () => {
  const from = (name: string, content: unknown) => ['online', system, '--from', saved(name, content)]

  test.each([
    ['text', 'hello', 'E604', 'is not a snapshot: it is not a JSON object'],
    [
      'another format',
      { format: 'allways-trace/2' },
      'E604',
      'its format is "allways-trace/2", not "allways-snapshot/1"',
    ],
    [
      'a state too few',
      { ...live, states: live.states.slice(1) },
      'E604',
      '"states" does not hold one state for each machine',
    ],
    ['another system', { ...live, system: 'ledger' }, 'E608', 'it is of system "ledger", and "log" is checked'],
    [
      'unknown parameters',
      { ...live, params: { size: 3 } },
      'E608',
      'its parameters do not fit: program "log" has no parameter "size"',
    ],
    [
      'other machines',
      { ...live, machines: ['a', 'b', 'c'] },
      'E608',
      'its machines are "a", "b", "c", and those of the system are',
    ],
    [
      'other states',
      { ...live, states: live.states.map((one) => ({ ...one, data: 7 })) },
      'E608',
      'the state of "left" is not what that machine has',
    ],
    [
      'states of other fields',
      { ...live, states: live.states.map((one) => ({ ...one, data: { foo: 1 } })) },
      'E608',
      'the state of "left" has none of the fields that it begins with: "chosen", "accepted", "proposal"',
    ],
    [
      'a timer that nobody has',
      { ...live, states: live.states.map((one) => ({ ...one, timers: ['retry'] })) },
      'E608',
      'timer "retry" of "left" is set, and that machine has no timers',
    ],
    [
      'states without some of their fields',
      { ...live, states: live.states.map((one) => ({ ...one, data: { chosen, accepted: late } })) },
      'E608',
      'the state of "left" has no "proposal", which it begins with',
    ],
    [
      'more crashes than can be counted',
      { ...live, states: live.states.map((one) => ({ ...one, crashes: 2 ** 53 - 1 })) },
      'E604',
      '"states" does not hold one state for each machine',
    ],
    [
      'parameters that no memory has room for',
      { ...live, params: { appends: 1e9, kept: 2 } },
      'E608',
      'its parameter "appends" is 1000000000, and at most 1000000 is tried, unless the default is larger',
    ],
    [
      'more messages than a search can begin with',
      { ...live, underWay: Array(20_000).fill({ from: 'left', to: 'right', message: { kind: 'chosen' } }) },
      'E608',
      'it has 20000 messages under way, and a search begins with at most 1000',
    ],
    [
      'a message without kind',
      { ...live, underWay: [{ from: 'left', to: 'right', message: 'x' }] },
      'E608',
      'a message under way has no kind',
    ],
  ])('a snapshot with %s is refused', async (name, content, code, message) => {
    const ran = await allways([...from(`${name}.json`, content), '--json'])
    expect(ran.code).toBe(2)
    const [line] = linesOf(ran.stdout) as unknown as [{ diagnostics: { code: string; message: string }[] }]
    expect(line.diagnostics[0]?.code).toBe(code)
    expect(line.diagnostics[0]?.message).toContain(message)
  })

  test('there must be a system or a snapshot, and not both', async () => {
    await expectMistake(['online', system], {
      code: 'E107',
      message: 'online needs a running system, or a snapshot of one',
      hint: '--attach 127.0.0.1:7101 is where a machine was started with --control',
    })
    await expectMistake([...from('c.json', live), '--attach', '127.0.0.1:1', '--rounds', '2'], {
      code: 'E107',
      message: '--from is one round from one snapshot; it excludes --attach, --rounds',
      hint: 'leave them out',
    })
    await expectMistake(['online', system, '--attach', '127.0.0.1:0'], {
      code: 'E601',
      message: '--attach 127.0.0.1:0 has port 0, on which no machine can be reached',
      hint: 'run --control prints the port that was chosen',
    })
    await expectMistake([...from('d.json', live), '--engine', 'statefull'], {
      code: 'E107',
      message: '--engine is "statefull"',
      hint: 'did you mean "stateful"?',
    })
    await expectMistake(['online', system, '--from', 'nowhere.json'], {
      code: 'E101',
      message: 'the snapshot nowhere.json cannot be read: there is no such file',
      hint: 'snapshots behind predictions are in .allways/snapshots',
    })
  })
})
