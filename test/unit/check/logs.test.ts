/** Logs that are damaged, mixed, incomplete or of something else: a diagnostic with file and line, and no verdict. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allways } from '../../cli/harness.ts'

const file = 'examples/lease.check.ts'
const folder = mkdtempSync(join(tmpdir(), 'allways-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

const whole = readFileSync('examples/lease.run.jsonl', 'utf8').trimEnd().split('\n')

interface Changed {
  /** Line, from 1. */
  readonly at: number
  readonly change: (line: string) => string | readonly string[]
}

async function judged(lines: readonly string[], ...more: readonly string[]) {
  const log = join(folder, 'run.jsonl')
  writeFileSync(log, lines.join('\n'))
  return await allways(['check', file, '--log', log, '--json', ...more])
}

function changed({ at, change }: Changed): readonly string[] {
  return whole.flatMap((line, index) => (index === at - 1 ? change(line) : line))
}

test('the run of the example is violated as it stands', async () => {
  expect((await judged(whole)).code).toBe(1)
})

const without = (): readonly string[] => []
const replacing =
  (from: string | RegExp, to: string) =>
  (line: string): string => {
    expect(line).toMatch(from)
    return line.replace(from, to)
  }

test.each<readonly [string, Changed, string, number, string]>([
  ['a line that is no JSON', { at: 9, change: () => 'hello' }, 'E611', 9, 'the line is not JSON'],
  ['a list', { at: 9, change: () => '[1]' }, 'E611', 9, 'the line is not an object'],
  ['no machine', { at: 9, change: replacing(/"machine":"\w+",/, '') }, 'E611', 9, '"machine" is missing'],
  ['no event', { at: 9, change: replacing('"kind":"message"', '"kind":"massage"') }, 'E611', 9, '"event" is'],
  [
    'a message without number',
    { at: 9, change: replacing(/"number":\d+,/, '') },
    'E611',
    9,
    'a message with its sender',
  ],
  ['sent that is none', { at: 10, change: replacing(/"sent":\[.*\]/, '"sent":[{"to":1}]') }, 'E611', 10, '"sent" is'],
  ['a call without time', { at: 15, change: replacing(/"at":\d+/, '"at":-1') }, 'E611', 15, '"calls" is'],
  ['an earlier version', { at: 1, change: replacing(',"refines":["register"]', '') }, 'E611', 1, 'without the calls'],
  ['a later version', { at: 1, change: replacing('allways-log/1', 'allways-log/2') }, 'E611', 1, 'reads allways-log/1'],
  ['a history', { at: 1, change: () => '{"format":"allways-history/1"}' }, 'E611', 1, 'not that of a log'],
  ['events without numbers', { at: 2, change: replacing('"step":1,', '') }, 'E611', 2, 'has no number'],
  ['a missing line', { at: 11, change: without }, 'E612', 18, 'event 3 of "ann" follows event 1'],
  ['a line twice', { at: 9, change: (line) => [line, line] }, 'E612', 10, 'event 2 of "server" follows event 2'],
  ['no beginning', { at: 7, change: without }, 'E612', 7, 'before the line with which its log begins'],
  ['a message of nobody', { at: 9, change: replacing(/"number":\d+/, '"number":99') }, 'E612', 9, 'what led to it'],
  [
    'lines that were not written',
    { at: 17, change: replacing('"unlogged":0', '"unlogged":3') },
    'E612',
    17,
    '3 of its',
  ],
  ['a life that does not begin', { at: 8, change: replacing('"start"', '"restart"') }, 'E612', 8, 'does not begin'],
  [
    'a second beginning',
    { at: 9, change: replacing(/"event":\{[^}]*\}\}/, '"event":{"kind":"start"}') },
    'E612',
    9,
    'does not begin',
  ],
  [
    'a call of something else',
    { at: 3, change: replacing('["register"]', '["register","lock"]') },
    'E613',
    3,
    'calls of "lock"',
  ],
  [
    'a message for another',
    { at: 11, change: replacing('"to":"store"', '"to":"bob"') },
    'E612',
    15 + 1,
    'which was for "bob"',
  ],
  [
    'another system',
    { at: 1, change: replacing('"system":"lease"', '"system":"release"') },
    'E613',
    1,
    'of system "release"',
  ],
  ['other parameters', { at: 5, change: replacing('"fenced":false', '"fenced":true') }, 'E613', 5, 'other parameters'],
  ['a strange parameter', { at: 1, change: replacing('"fenced"', '"fence"') }, 'E613', 1, 'parameters do not fit'],
  ['other machines', { at: 3, change: replacing('"bob"', '"rob"') }, 'E613', 3, 'its machines are'],
  ['another object', { at: 3, change: replacing('["register"]', '["cell"]') }, 'E613', 3, 'no calls of "register"'],
  [
    'a strange call',
    { at: 15, change: replacing('register.write', 'register.wipe') },
    'E613',
    15,
    'no call of the system',
  ],
])('%s is a diagnostic with its line', async (_, change, code, line, message) => {
  const { code: exit, stdout } = await judged(changed(change))
  const { results, diagnostics } = JSON.parse(stdout)
  expect(results).toEqual([])
  expect(diagnostics[0].code).toBe(code)
  expect(diagnostics[0].message).toContain(message)
  expect(diagnostics[0].place).toMatchObject({ line })
  expect(diagnostics[0].place.file).toContain('run.jsonl')
  expect(exit).toBe(2)
})

test('a message that a network delivers twice is received twice', async () => {
  const again = (whole[8] as string).replace('"step":2', '"step":3')
  const later = (line: string): string =>
    line.includes('"machine":"server"') ? line.replace(/"step":(\d+)/, (_, at) => `"step":${Number(at) + 1}`) : line
  const sent = again.replace(/"sent":\[.*\]/, '"sent":[]')
  expect((await judged([...whole.slice(0, 9), sent, ...whole.slice(9).map(later)])).code).toBe(1)
})

test('a handler that failed is told of', async () => {
  const failed = '"violation":{"kind":"exception","property":"no process fails","message":"no"}'
  const lines = changed({ at: 16, change: replacing(/"calls":.*\}$/, `${failed}}`) })
  const { code, stdout } = await judged(lines)
  expect(JSON.parse(stdout).results[0]).toMatchObject({ verdict: 'passed', setting: { failed: [expect.any(String)] } })
  expect(code).toBe(0)
})

/** What a machine that comes back says of its life before. */
const coming = (incarnation: number, calls: readonly object[]): readonly string[] => {
  const { time: _, ...header } = JSON.parse(whole[6] as string)
  const earlier = { incarnation: header.incarnation + incarnation, calls }
  const life = { ...header, incarnation: header.incarnation + 1, earlier }
  const restart = { machine: 'store', step: 1, event: { kind: 'restart' }, sent: [] }
  return [...whole, JSON.stringify(life), JSON.stringify(restart)]
}
const kept = [14, 15].flatMap((at) => JSON.parse(whole[at] as string).calls as readonly { readonly call: object }[])

test.each([
  ['the calls that its log has', coming(0, kept), undefined],
  ['fewer calls', coming(0, kept.slice(1)), 'other calls'],
  [
    'another call',
    coming(
      0,
      kept.map((one) => ({ ...one, call: { ...one.call, token: 7 } })),
    ),
    'other calls',
  ],
  ['calls of a later life', coming(1, kept), 'not before this one'],
  [
    'a call more, though it had stopped',
    coming(0, [...kept, { ...kept[0], at: 99 }] as typeof kept),
    'say that it had stopped',
  ],
])('a machine comes back with %s', async (_, lines, message) => {
  const { code, stdout } = await judged(lines)
  if (message === undefined) return expect(code).toBe(1)
  expect(JSON.parse(stdout).diagnostics[0]).toMatchObject({ code: 'E612', message: expect.stringContaining(message) })
})

test('events of one machine in another order are noticed, and those of different machines are not', async () => {
  const [before, after] = [whole.slice(0, 14), whole.slice(14)]
  expect(JSON.parse((await judged([...before, ...after.toReversed()])).stdout).diagnostics[0].code).toBe('E612')
  const machines = ['store', 'bob', 'ann', 'server']
  const apart = machines.flatMap((name) => whole.filter((line) => line.includes(`"machine":"${name}"`)))
  expect((await judged(apart)).code).toBe(1)
})

test.each([
  ['the last line is cut off', [...whole.slice(0, 12), (whole[12] as string).slice(0, 60)], 'E611', 'cut off'],
  ['the file is empty', [], 'E611', 'is empty'],
  ['a machine is missing', whole.filter((line) => !line.includes('"machine":"bob"')), 'E612', 'no log of "bob"'],
  ['a life is there twice', [...whole, ...whole], 'E612', 'in the logs twice'],
])('%s: that is said', async (_, lines, code, message) => {
  const { diagnostics } = JSON.parse((await judged(lines)).stdout)
  expect(diagnostics[0]).toMatchObject({ code, message: expect.stringContaining(message) })
})

test.each([
  [[], '--engine', 'dpor'],
  [[], '--param', 'fenced=true'],
  [[], '--network', 'fifo'],
  [[], '--faults', 'none'],
  [[], '--seed', '4'],
  [[], '--log', ''],
  [['examples/raft.check.ts'], '--time', '5s'],
])('a log takes one file and nothing that it says itself (%j %s)', async (files, ...flags) => {
  const { code, stderr } = await allways(['check', file, ...files, '--log', 'examples/lease.run.jsonl', ...flags])
  expect(stderr).toContain('E107')
  expect(code).toBe(2)
})

test('a system that refines nothing has nothing to judge its log by', async () => {
  const log = join(folder, 'payment.jsonl')
  writeFileSync(log, (whole[0] as string).replace('"lease"', '"payment"').replace('"fenced":false', '"sales":1'))
  const { code, stderr, stdout } = await allways(['check', 'examples/payment.check.ts', '--log', log])
  expect(`${stderr}${stdout}`).toContain('refines nothing')
  expect(code).toBe(2)
})

test('a quorum tree is drawn where a run breaks it, with the lines of both calls', async () => {
  const machines = ['S1', 'S2', 'S3']
  const about = { format: 'allways-log/1', system: 'raft', params: { terms: 1, forgets: true }, machines }
  const added = (machine: string, at: number) => ({
    calls: [{ at, call: { kind: 'raft.add', round: [1, 1], value: machine, parent: 0 } }],
  })
  const lines = machines.flatMap((machine, at) => [
    { machine, ...about, incarnation: 1, refines: ['raft'] },
    { machine, step: 1, event: { kind: 'start' }, ...(at < 2 ? added(machine, at) : {}), sent: [] },
  ])
  const log = join(folder, 'raft.jsonl')
  writeFileSync(log, lines.map((line) => JSON.stringify(line)).join('\n'))
  const { code, stdout } = await allways(['check', 'examples/raft.check.ts', '--log', log])
  expect(stdout).toMatch(/root\n {3}├─ \(1, 1\) = "S1"\n {3}└─ \(1, 1\) = "S2" {3}✗\n/)
  expect(stdout).toMatch(/since .*step 1, S1, .*raft\.jsonl:2\),/)
  expect(stdout).toMatch(/\(step 2, S2, .*raft\.jsonl:4\)\s+is\s+refused/)
  expect(code).toBe(1)
})
