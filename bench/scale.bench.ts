/**
 * Several threads, or workers of a Redis, on one search: wall time with two as a part of that with one, alternately, each in a process of
 * its own, as the command line has it, loading not included. And what it costs in CPU time that others may come, if none does, and to
 * be in a thread of its own. Counts are a gate. Ratios of wall time mean something on a machine that is idle; how busy it was is printed.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import { nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { realHost } from '../src/check/host.ts'
import type { Crew } from '../src/distribute/crew.ts'
import { driveWithCrew } from '../src/distribute/crew-drive.ts'
import type { Driver } from '../src/distribute/driver.ts'
import { driveInline } from '../src/distribute/inline.ts'
import { dpor } from '../src/engines/dpor/dpor.ts'
import type { Engine } from '../src/engines/engine.ts'
import { redisServer, TestRedis } from '../test/cluster/redis-server.ts'
import { secondsSince, subjectOf, table } from './measure.ts'

interface Row {
  readonly title: string
  /** A folder of the corpus, and the line of the program. */
  readonly model: string
  readonly program: string
  readonly params: readonly string[]
  readonly executions: number
  readonly long?: true
}

const rows: readonly Row[] = [
  { title: 'nworkers(9)', model: 'microbenchmarks:42', program: 'nworkers', params: ['n=9'], executions: 725_760 },
  {
    title: 'chain(2,3)',
    model: 'chain-replication:253',
    program: 'chain replication',
    params: ['faults=2', 'replicas=3'],
    executions: 233_692,
  },
  {
    title: 'ns+nr(10)',
    model: 'microbenchmarks:17',
    program: 'ns+nr',
    params: ['n=10'],
    executions: 3_628_800,
    long: true,
  },
  {
    title: 'nworkers(10)',
    model: 'microbenchmarks:42',
    program: 'nworkers',
    params: ['n=10'],
    executions: 7_257_600,
    long: true,
  },
  {
    title: '2pc(8)',
    model: 'two-phase-commit:37',
    program: 'two-phase commit',
    params: ['n=8'],
    executions: 10_321_920,
    long: true,
  },
]

// The bundle of this file lies in a folder below `node_modules`.
const root = fileURLToPath(new URL('../..', import.meta.url))
const isShort = process.argv.includes('--short')
const rounds = 2

function model(row: Row): { readonly path: string; readonly line: string } {
  const [folder = '', line = ''] = row.model.split(':')
  return { path: join(root, 'corpus', folder, 'model.check.ts'), line }
}

/** Seconds of the search itself, with so many threads or with the workers of a Redis. */
function wall(row: Row, ...workers: readonly string[]): number {
  const params = row.params.flatMap((param) => ['--param', param])
  const { path, line } = model(row)
  const argv = [`${path}:${line}`, '--engine', 'dpor', '--network', 'fifo', ...params]
  const options = ['--time', '1h', '--json', '--workers', ...workers]
  const command = join(root, 'bin', 'allways.mjs')
  const { stdout } = spawnSync(process.execPath, [command, 'check', ...argv, ...options], { encoding: 'utf8' })
  const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] }
  const result = results.find(({ program }) => program === row.program)
  if (result?.counts.executions !== row.executions)
    throw new Error(`${row.title}: ${result?.counts.executions} executions with --workers ${workers[0]}`)
  return result.seconds
}

interface Result {
  readonly program: string
  readonly seconds: number
  readonly counts: { readonly executions: number }
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
}

function threads(): void {
  const shown = rows
    .filter(({ long }) => !isShort || long !== true)
    .map((row) => {
      const pairs = Array.from({ length: rounds }, () => [wall(row, '1'), wall(row, '2')] as const)
      return shownPairs(`${row.title}, ${row.executions.toLocaleString('en')} executions`, pairs)
    })
  const load = loadavg().map((one) => one.toFixed(1))
  console.log(`${availableParallelism()} processors, load ${load.join(' ')}`)
  console.log(table(['program', '1 worker', '2 workers', 'faster by'], shown))
}

/** The same search by one thread and by two workers of a Redis on this machine, which is started for it. */
async function overRedis(): Promise<readonly (readonly string[])[]> {
  const redis = await TestRedis.started()
  try {
    await Promise.all([redis.worker(), redis.worker()])
    return rows
      .filter(({ long, title }) => (isShort ? title === 'nworkers(9)' : long === true))
      .map((row) => {
        const there = [redis.href, '--key-file', redis.keyFile]
        const pairs = Array.from({ length: rounds }, () => [wall(row, '1'), wall(row, ...there)] as const)
        return shownPairs(row.title, pairs)
      })
  } finally {
    await redis.ended()
  }
}

function shownPairs(title: string, pairs: readonly (readonly [number, number])[]): readonly string[] {
  const [ones, twos] = [sum(pairs.map(([one]) => one)), sum(pairs.map(([, two]) => two))]
  const ratios = pairs.map(([one, two]) => (one / two).toFixed(2)).join(', ')
  const seconds = [ones, twos].map((each) => `${(each / pairs.length).toFixed(1)} s`)
  return [title, ...seconds, `${(ones / twos).toFixed(2)} × (${ratios})`]
}

/** Seconds, and what was counted: all clients of a queue. */
function clients(workers: string): { readonly seconds: number; readonly counts: unknown } {
  const bounds = isShort ? ['--processes', '2', '--calls', '2'] : ['--processes', '3', '--calls', '2']
  const argv = [join(root, 'corpus/michael-scott-queue/model.check.ts'), '-t', 'MichaelScottQueue', ...bounds]
  const command = [join(root, 'bin', 'allways.mjs'), 'linearize', ...argv, '--no-causes', '--time', '1h', '--json']
  const { stdout } = spawnSync(process.execPath, [...command, '--workers', workers], { encoding: 'utf8' })
  const [result] = (JSON.parse(stdout) as { readonly results: readonly { seconds: number; counts: unknown }[] }).results
  if (result === undefined) throw new Error('the clients of a queue were not checked')
  return result
}

function ofClass(): void {
  const pairs = Array.from({ length: rounds }, () => {
    const [one, two] = [clients('1'), clients('2')]
    if (JSON.stringify(one.counts) !== JSON.stringify(two.counts)) throw new Error('clients of a class: counts differ')
    return [one.seconds, two.seconds] as const
  })
  console.log(`\n${table(['class', '1 worker', '2 workers', 'faster by'], [shownPairs('queue', pairs)])}`)
}

/** Others who never say that they are there. */
const silent: Crew = {
  size: 1,
  after: 0,
  start: () => undefined,
  explore: () => undefined,
  ask: () => undefined,
  explored: () => 0,
  wait: async () => undefined,
}

/** CPU seconds of nworkers(9), by this thread. */
async function alone(driver: Driver): Promise<number> {
  const subject = subjectOf(nworkers, { n: 9 }, 'fifo')
  const search = { engine: dpor as Engine, subject, options: { seed: 0, schedule: 'sends-first', eager: false } }
  const begun = process.cpuUsage()
  const { counts } = await driver(search, { budget: {}, keepGoing: false }, realHost)
  if (counts.executions !== 725_760) throw new Error(`nworkers(9): ${counts.executions} executions`)
  return secondsSince(begun)
}

/** The same in a thread of its own, what it costs to start one included. */
async function inThread(): Promise<number> {
  const begun = process.cpuUsage()
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { isAlone: true } })
  await once(thread, 'exit')
  return secondsSince(begun)
}

const withSilent: Driver = (search, watch, host) => driveWithCrew(search, watch, host, silent)
async function overhead(): Promise<void> {
  await alone(driveInline)
  const costs: (readonly [number, number, number])[] = []
  for (let round = 0; round < (isShort ? 2 : 5); round++)
    costs.push([await alone(driveInline), await alone(withSilent), await inThread()])
  const share = (which: 1 | 2): string => {
    const whole = sum(costs.map((one) => one[which])) / sum(costs.map(([one]) => one))
    return `${whole.toFixed(2)} × (${costs.map((one) => (one[which] / one[0]).toFixed(2)).join(', ')})`
  }
  console.log(
    `\nnworkers(9), CPU time as a part of that of one thread: where others may come, and none does, ${share(1)}`,
  )
  console.log(`in a worker thread that was started for it, ${share(2)}`)
}

if (isMainThread) {
  threads()
  if (redisServer !== undefined)
    console.log(`\n${table(['over Redis', '1 thread', '2 workers', 'faster by'], await overRedis())}`)
  ofClass()
  await overhead()
} else await alone(driveInline)
