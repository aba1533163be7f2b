/** Machines over sockets, and what is said of their runs by their logs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLogCheck } from '../../src/check/logs/log-run.ts'
import { machine, refines, refuse, specification, system } from '../../src/index.ts'
import { openLog } from '../../src/runtime/log.ts'
import type { MachineHost } from '../../src/runtime/machine-host.ts'
import { allways } from '../cli/harness.ts'
import { cluster, opened, until } from './cluster.ts'

const tickets = 'test/runtime/fixtures/tickets.check.ts'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-logs-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Until so many calls were announced. */
async function ran(how: string, calls: number): Promise<string> {
  const log = join(folder, `${how}.jsonl`)
  const { code } = await allways(['run', tickets, '--all', '--param', `how="${how}"`, '--log', log], {
    async interrupt(stop) {
      const announced = () => (existsSync(log) ? readFileSync(log, 'utf8').split('"calls"').length - 1 : 0)
      while (announced() < calls) await new Promise((next) => setTimeout(next, 2))
      stop()
    },
  })
  expect(code).toBe(0)
  return log
}

test('a run in which a call is refused in every order is violated, with lines of its log', async () => {
  const log = await ran('twice', 4)
  const { code, stdout } = await allways(['check', tickets, '--log', log])
  expect(stdout).toContain('refinement “seat” violated')
  expect(stdout).toContain('this run, 4 calls in')
  expect(stdout).toContain('✗ seat.sell')
  expect(stdout).toMatch(/Why {2}since sell \(step \d, (east|west), .*twice\.jsonl:\d+\),/)
  expect(stdout).toContain('so two sit on it')
  expect(code).toBe(1)
  const json = JSON.parse((await allways(['check', tickets, '--log', log, '--json'])).stdout)
  const [{ violation, verdict, counts }] = json.results
  expect({ verdict, calls: counts.calls }).toEqual({ verdict: 'violated', calls: 4 })
  const lines = readFileSync(log, 'utf8').split('\n')
  for (const { place } of violation.calls) expect(lines[place.line - 1]).toContain('"seat.sell"')
})

test('a run that no order refuses has passed, and is not said to be verified', async () => {
  const log = await ran('asked', 2)
  const { code, stdout } = await allways(['check', tickets, '--log', log])
  expect(stdout).toContain('✓ passed  tickets — this run refines seat in every order that the log allows, 2 calls')
  expect(stdout).toContain('other runs may still fail')
  expect(stdout).not.toContain('verified')
  expect(code).toBe(0)
})

test('what depends on an order that the log does not tell is open', async () => {
  const log = await ran('hasty', 2)
  const { code, stdout } = await allways(['check', tickets, '--log', log])
  expect(stdout).toContain('incomplete  tickets — open whether this run refines seat')
  expect(stdout).toContain('possible in this order: refinement “seat” violated')
  expect(stdout).toContain('sell: it is not offered')
  expect(stdout).toContain('The log does not say whether this order happened')
  expect(code).toBe(3)
  const json = JSON.parse((await allways(['check', tickets, '--log', log, '--json'])).stdout)
  expect(json.results[0]).toMatchObject({
    verdict: 'incomplete',
    violation: null,
    evidence: [{ kind: 'undecided', suspicion: { property: 'seat' } }],
  })
})

const counter = specification('counter', {
  state: { count: 0 },
  operations: {
    next: (state: { count: number }, { count }: { readonly count: number }) =>
      count === state.count + 1 ? { count } : refuse(`${state.count} was the last`),
  },
})

const player = machine<{ last: number }, { readonly kind: 'go'; readonly count: number }>('player', {
  state: () => ({ last: 0 }),
  on: {
    go(state, { count }, { from, send, announce }) {
      // It is served again until it arrives.
      if (count <= state.last) return
      state.last = count
      announce(counter.next({ count }))
      if (count % 10 !== 0) send(from, { kind: 'go', count: count + 1 })
    },
  },
  requests: {
    serve(_, count: number, { peers, send }) {
      send(peers[0] as string, { kind: 'go', count })
    },
  },
  durable: ['last'],
})

const game = system('game', { faults: {} }, () => ({
  machines: { a: player.as(), b: player.as() },
  properties: [refines(counter)],
}))

const lastOf = (host: MachineHost): number => (host.state.data as unknown as { readonly last: number }).last

/** Ten calls, a machine that is stopped and comes back, and ten more. */
async function played(): Promise<{ readonly a: string; readonly b: string }> {
  const logTo = (name: string) => {
    const log = openLog(join(folder, `${name}.jsonl`), () => {})
    if (!log.ok) throw new Error(JSON.stringify(log.diagnostics))
    return log.value
  }
  const options = { stateFolder: folder, transport: 'tcp', system: game.name } as const
  const { machines, peers, host } = await cluster(game, { stateFolder: folder, transport: 'tcp' }, {})
  await Promise.all([host('a').stop(), host('b').stop()])
  rmSync(join(folder, 'a.state.json'))
  rmSync(join(folder, 'b.state.json'))
  const b = await opened({ ...options, machines, machine: 'b', listen: peers.get('b'), log: logTo('b') })
  const first = await opened({ ...options, machines, machine: 'a', listen: peers.get('a'), log: logTo('a') })
  b.start(peers)
  first.start(peers)
  await until(() => {
    if (lastOf(b) === 0) first.request('serve', 1)
    return lastOf(first) === 10
  })
  await first.stop()
  const again = await opened({ ...options, machines, machine: 'a', listen: peers.get('a'), log: logTo('a') })
  again.start(peers)
  await until(() => {
    if (lastOf(b) < 11) again.request('serve', 11)
    return lastOf(again) === 20
  })
  await Promise.all([again.stop(), b.stop()])
  return { a: join(folder, 'a.jsonl'), b: join(folder, 'b.jsonl') }
}

// The ports of machines that were stopped are free for a moment, in which another process of the machine may take them.
const retried = { retry: 2 }

test(
  'logs of several processes and lives are judged together, and calls of lost lines are known from the next life',
  retried,
  async () => {
    const { a, b } = await played()
    const judged = async () => await runLogCheck({ program: game, files: [b, a] })
    const before = await judged()
    if (!before.ok) throw new Error(JSON.stringify(before.diagnostics))
    const { kind, counts } = before.value.verdict
    expect(kind).toBe('passed')
    // The last event of the first life and its end, as if it had been killed before they were written.
    const lines = readFileSync(a, 'utf8').split('\n')
    const stop = lines.findIndex((line) => line.includes('"kind":"stop"'))
    const last = lines.findLastIndex((line, at) => at < stop && line.includes('"calls":'))
    expect(lines[last]).toContain('"count":10')
    expect(last).toBe(stop - 1)
    writeFileSync(a, lines.filter((_, at) => at !== stop && at !== last).join('\n'))
    // What the call answered is lost with its line: it may have come before.
    const open = { kind: 'incomplete', counts: { calls: counts.calls }, evidence: [{ kind: 'undecided' }] }
    expect(await judged()).toMatchObject({ ok: true, value: { verdict: open } })
    // Nobody knows of them without the other log, or without what was kept.
    expect(await runLogCheck({ program: game, files: [a] })).toMatchObject({ diagnostics: [{ code: 'E612' }] })
    const forgotten = readFileSync(a, 'utf8').replace(/"earlier":\{.*?\]\}/, '"earlier":{"incarnation":1,"calls":null}')
    writeFileSync(a, forgotten)
    expect(await judged()).toMatchObject({ diagnostics: [{ code: 'E612', place: { file: a } }] })
  },
)

test('a log that was cut goes on with a line of its own', async () => {
  const path = join(folder, 'cut.jsonl')
  writeFileSync(path, '{"time":1,"mach')
  const log = openLog(path, () => {})
  if (!log.ok) throw new Error(JSON.stringify(log.diagnostics))
  log.value.write({ machine: 'a' })
  await log.value.close()
  expect(readFileSync(path, 'utf8')).toBe('{"time":1,"mach\n{"machine":"a"}\n')
})
