/**
 * Chain replication as in the paper's Table 2: chain(F, N) = N replicas serve three concurrent requests with F faults, under every
 * network. Executions are exact; CPU time is given as a multiple of fifo in the same run. A cell that reaches the cap is marked
 * with ">". Under bag the protocol is wrong: the last column says how soon that is found.
 */
import { correct } from '../corpus/chain-replication/model.check.ts'
import type { NetworkName } from '../src/index.ts'
import { type Measured, search, table, thousands } from './measure.ts'

const isFull = process.argv.includes('--full')
const cap = isFull ? Number.POSITIVE_INFINITY : 800_000

const sizes: readonly (readonly [faults: number, replicas: number])[] = [
  [0, 3],
  [0, 10],
  [1, 3],
  [1, 4],
  [2, 3],
  ...(isFull ? [[2, 4] as const] : []),
]

interface Column {
  readonly title: string
  readonly network: NetworkName
  readonly eager?: boolean
}

const columns: readonly Column[] = [
  { title: 'bag', network: 'bag' },
  { title: 'fifo-eager', network: 'fifo', eager: true },
  { title: 'fifo', network: 'fifo' },
  { title: 'causal', network: 'causal' },
  { title: 'mailbox', network: 'mailbox' },
]

function cell(measured: Measured, fifo: Measured): string {
  const total = measured.executions + measured.blocked
  return `${total >= cap ? '>' : ''}${thousands(total)} ${(measured.cpuSeconds / fifo.cpuSeconds).toFixed(2)}×`
}

function row(faults: number, replicas: number): readonly string[] {
  const params = { faults, replicas }
  const found = columns.map(({ network, eager }) =>
    search(correct, params, network, { eager: eager === true, most: cap }),
  )
  const fifo = found[2] as Measured
  const broken = search(correct, params, 'bag', { untilViolation: true, most: cap })
  const soon = broken.violations > 0 ? `execution ${thousands(broken.executions + broken.blocked + 1)}` : 'not found'
  return [`chain(${faults}, ${replicas})`, ...found.map((measured) => cell(measured, fifo)), soon]
}

console.log('\nchain replication: executions and CPU time as a multiple of fifo\n')
console.log(
  table(
    ['', ...columns.map(({ title }) => title), 'bag violated at'],
    sizes.map(([faults, replicas]) => row(faults, replicas)),
  ),
)
