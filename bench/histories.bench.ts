/**
 * Checking histories: calls per CPU second for each kind of object, by shortcut or by search, and the memory it takes, in a
 * fresh process each. Verdicts are a gate: every history is linearizable by construction.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Draw, type Shape, simulatedHistory } from '../corpus/histories/simulate.ts'
import { Random } from '../src/core/random.ts'
import { decideHistory } from '../src/properties/linearizability/decide-history.ts'
import type { Specification } from '../src/properties/linearizability/specification.ts'
import { counter } from '../src/properties/linearizability/specifications/counter.ts'
import { log } from '../src/properties/linearizability/specifications/log.ts'
import { kv } from '../src/properties/linearizability/specifications/map.ts'
import { priorityQueue } from '../src/properties/linearizability/specifications/priority-queue.ts'
import { queue } from '../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../src/properties/linearizability/specifications/register.ts'
import { set } from '../src/properties/linearizability/specifications/set.ts'
import { stack } from '../src/properties/linearizability/specifications/stack.ts'
import { best, secondsSince, table, thousands } from './measure.ts'

interface Case {
  readonly name: string
  readonly object: Specification
  readonly draw: Draw
  readonly shape: Shape
  readonly shortcuts: boolean
}

const long: Shape = { processes: 50, calls: 100_000, pending: 0, unknown: 0, wrong: 0 }
const few: Shape = { ...long, processes: 8 }
const short: Shape = { ...long, processes: 4, calls: 2000 }
const inAndOut =
  (put: string, take: string): Draw =>
  (random, call) =>
    random.below(2) === 0 ? [put, call] : [take]

const onKeys = (keys: number, puts: (random: Random, call: number) => string): Draw => {
  return (random, call) => {
    const key = `k${random.below(keys)}`
    return random.below(2) === 0 ? ['get', key] : ['put', key, puts(random, call)]
  }
}
const different = onKeys(100, (_random, call) => `${call}`)
const repeated = onKeys(100, (random) => `${random.below(5)}`)
const appending: Draw = (random, call) => {
  const key = `k${random.below(10)}`
  return random.pick([
    ['get', key],
    ['put', key, `${call}`],
    ['append', key, ` ${call}`],
  ] as const)
}
const casOps: Draw = (random) =>
  random.pick([['read'], ['write', random.below(5)], ['cas', random.below(5), random.below(5)]] as const)

const cases: readonly Case[] = [
  { name: 'kv, 100 keys, all values different', object: kv(), draw: different, shape: long, shortcuts: true },
  { name: 'kv, 100 keys, all values different', object: kv(), draw: different, shape: long, shortcuts: false },
  { name: 'kv, 100 keys, 5 values', object: kv(), draw: repeated, shape: long, shortcuts: false },
  {
    name: 'kv, 100 keys, 5 values, 1 in 200 pending',
    object: kv(),
    draw: repeated,
    shape: { ...long, pending: 200 },
    shortcuts: false,
  },
  {
    name: 'kv, 10 keys, appends',
    object: kv(),
    draw: appending,
    shape: { ...long, processes: 20, calls: 2000 },
    shortcuts: false,
  },
  {
    name: 'register, all values different',
    object: register(-1),
    draw: (random, call) => (random.below(2) === 0 ? ['read'] : ['write', call]),
    shape: long,
    shortcuts: true,
  },
  { name: 'cas-register', object: casRegister(0), draw: casOps, shape: few, shortcuts: false },
  {
    name: 'counter',
    object: counter(),
    draw: (random) => [random.pick(['get', 'getAndIncrement', 'decrementAndGet'])],
    shape: few,
    shortcuts: false,
  },
  {
    name: 'set, 100 elements',
    object: set(),
    draw: (random) => [random.pick(['add', 'remove', 'contains']), random.below(100)],
    shape: long,
    shortcuts: false,
  },
  {
    name: 'queue, all values different',
    object: queue(),
    draw: inAndOut('enqueue', 'dequeue'),
    shape: long,
    shortcuts: true,
  },
  { name: 'stack, all values different', object: stack(), draw: inAndOut('push', 'pop'), shape: long, shortcuts: true },
  {
    name: 'queue, all values different',
    object: queue(),
    draw: inAndOut('enqueue', 'dequeue'),
    shape: short,
    shortcuts: false,
  },
  {
    name: 'stack, all values different',
    object: stack(),
    draw: inAndOut('push', 'pop'),
    shape: short,
    shortcuts: false,
  },
  {
    name: 'priority queue, all values different',
    object: priorityQueue(),
    draw: (random, call) => (random.below(2) === 0 ? ['insert', (call * 7919) % 100_003] : ['deleteMin']),
    shape: long,
    shortcuts: true,
  },
  {
    name: 'log',
    object: log(),
    draw: (random, call) => (random.below(2) === 0 ? ['append', call] : ['size']),
    shape: few,
    shortcuts: false,
  },
]

const [chosen] = process.argv.slice(2).flatMap((word) => (word.startsWith('--case=') ? [Number(word.slice(7))] : []))

if (chosen === undefined) {
  const rows = cases.map(({ name, shape, shortcuts }, at) => {
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), `--case=${at}`], { encoding: 'utf8' })
    if (child.status !== 0) {
      process.exitCode = 1
      return [name, `failed: ${child.stderr.split('\n').find((line) => line.includes('Error')) ?? ''}`]
    }
    const { calls, configurations, seconds, peak, before } = JSON.parse(child.stdout) as Measured
    return [
      name,
      `${shape.processes}`,
      thousands(calls),
      shortcuts ? 'shortcut' : thousands(configurations),
      seconds.toFixed(2),
      thousands(calls / seconds),
      `${((peak - before) / 1024).toFixed(0)} MB`,
    ]
  })
  console.log('\nhistories: CPU seconds of one check; memory beyond that of the history itself\n')
  console.log(table(['object', 'processes', 'calls', 'configurations', 's', 'calls/s', 'memory'], rows))
} else console.log(JSON.stringify(measure(cases[chosen] as Case)))

interface Measured {
  readonly calls: number
  readonly configurations: number
  readonly seconds: number
  /** Peak resident memory, and what it was before the check, in kB. */
  readonly peak: number
  readonly before: number
}

function measure({ name, object, draw, shape, shortcuts }: Case): Measured {
  const history = simulatedHistory(new Random(1), object, draw, shape)
  const before = process.resourceUsage().maxRSS
  const run = () => {
    const start = process.cpuUsage()
    const found = decideHistory(history, object, { shortcuts })
    if (!found.ok || !found.value.linearizable)
      throw new Error(`${name}: linearizable by construction, but found otherwise`)
    return { configurations: found.value.progress.configurations, seconds: secondsSince(start) }
  }
  const measured = best(3, run, ({ seconds }) => seconds)
  return { calls: history.calls.length, ...measured, peak: process.resourceUsage().maxRSS, before }
}
