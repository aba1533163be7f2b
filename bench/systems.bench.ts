/**
 * Memory of `local` and `stateful` on the systems of the corpus, each search in a process of its own: the most heap that is in use
 * after a collection, looked at every so many signs of progress, above what is left when the search is over, which is compiled code.
 * What a search needs that was cut off says nothing: so each system is explored in one size after the other, and compared in the
 * largest where both searches end in the time they have (`--seconds=5`; `--only=tree` for systems of this name). A gate, where that
 * is more than the noise: `local` needs no more than `stateful`.  */
import { spawnSync } from 'node:child_process'
import * as abd from '../corpus/abd-register/model.check.ts'
import * as cheapTree from '../corpus/cheap-paxos-tree/model.check.ts'
import * as fastTree from '../corpus/fast-paxos-tree/model.check.ts'
import * as forwardingTree from '../corpus/forwarding-tree/model.check.ts'
import * as hotstuffTree from '../corpus/hotstuff-tree/model.check.ts'
import * as leaseLock from '../corpus/lease-lock/model.check.ts'
import * as multiTree from '../corpus/multi-paxos-tree/model.check.ts'
import * as onePaxos from '../corpus/one-paxos/model.check.ts'
import * as paxos from '../corpus/paxos/model.check.ts'
import * as paxosMachines from '../corpus/paxos-machines/model.check.ts'
import * as paxosTree from '../corpus/paxos-tree/model.check.ts'
import * as pbftTree from '../corpus/pbft-tree/model.check.ts'
import * as primaryBackup from '../corpus/primary-backup/model.check.ts'
import * as raft from '../corpus/raft/model.check.ts'
import * as raftTree from '../corpus/raft-tree/model.check.ts'
import * as stoppableTree from '../corpus/stoppable-paxos-tree/model.check.ts'
import * as twoPhaseCommit from '../corpus/two-phase-commit-crash/model.check.ts'
import { local } from '../src/engines/local/local.ts'
import { stateful } from '../src/engines/stateful/stateful.ts'
import type { Program } from '../src/program/program.ts'
import { judgesFor, machinesFor } from '../test/corpus/machine-search.ts'
import { secondsSince, table } from './measure.ts'

/** Below this, what is compiled in the meantime is as much. */
const thresholdBytes = 512 << 10
/** Of the CPU, for one search. */
const mostSeconds = Number(option('seconds') ?? (process.argv.includes('--full') ? 120 : 30))
const collectEvery = 200

type Size = { readonly [name: string]: number | boolean }

interface System {
  readonly name: string
  readonly program: Program
  /** From small to large. */
  readonly sizes: readonly Size[]
}

const systems: readonly System[] = [
  { name: 'forwarding tree', program: forwardingTree.crashingTree, sizes: [{}] },
  { name: 'lease lock', program: leaseLock.withFencing, sizes: [{ holders: 2 }, { holders: 3 }] },
  {
    name: '1Paxos',
    program: onePaxos.onePaxos,
    sizes: [{ replacements: 1 }, { replacements: 2 }, { replacements: 3 }],
  },
  {
    name: 'Paxos',
    program: paxos.paxos,
    sizes: [{ proposals: 1 }, { retries: 1 }, { machines: 4 }, { proposals: 2 }],
  },
  {
    name: 'primary and backup',
    program: primaryBackup.replicatedFirst,
    sizes: [{ puts: 2 }, { clients: 2 }, { puts: 3 }, { puts: 4 }],
  },
  {
    name: 'two-phase commit',
    program: twoPhaseCommit.logged,
    sizes: [{ participants: 2 }, { participants: 3 }, { participants: 4 }],
  },
  {
    name: 'ABD register',
    program: abd.atomic,
    sizes: [
      { replicas: 2, readers: 2 },
      { replicas: 3, readers: 1 },
      { replicas: 3, readers: 2 },
    ],
  },
  {
    name: 'Raft',
    program: raft.raft,
    sizes: [{ campaigns: 1, values: 1 }, { campaigns: 2, values: 1 }, { campaigns: 2 }, { campaigns: 2, values: 3 }],
  },
  {
    name: 'Raft with a crash',
    program: raft.crashingRaft,
    sizes: [{ campaigns: 1, values: 1 }, { campaigns: 2, values: 1 }, { campaigns: 2 }],
  },
  // Mostly, neither search is asked what these refine: agreement, or nothing but what they come to.
  {
    name: 'Paxos of machines',
    program: paxosMachines.unwatched,
    sizes: [{ proposers: 1 }, { acceptors: 2 }, {}],
  },
  {
    name: 'Paxos of machines, restarting',
    program: paxosMachines.restarting,
    sizes: [
      { agreement: true, acceptors: 1, joinQuorum: 1, voteQuorum: 1 },
      { agreement: true, acceptors: 2 },
    ],
  },
  { name: 'tree of Paxos', program: paxosTree.unwatched, sizes: [{ rounds: 1 }, {}] },
  { name: 'tree of Fast Paxos', program: fastTree.unwatched, sizes: [{ rounds: 1 }] },
  { name: 'tree of Multi-Paxos', program: multiTree.unwatched, sizes: [{ rounds: 1 }, { acceptors: 2 }] },
  { name: 'tree of Cheap Paxos', program: cheapTree.cheapPaxos, sizes: [{ agreement: true, rounds: 1 }] },
  { name: 'tree of Stoppable Paxos', program: stoppableTree.inOrder, sizes: [{ rounds: 1 }, { acceptors: 2 }] },
  { name: 'tree of Raft', program: raftTree.unwatched, sizes: [{ terms: 1 }] },
  { name: 'tree of PBFT', program: pbftTree.unwatched, sizes: [{ rounds: 1 }] },
  { name: 'tree of HotStuff', program: hotstuffTree.unwatched, sizes: [{ rounds: 1, values: 2 }] },
]

interface Peak {
  readonly bytes: number
  readonly ended: boolean
  readonly seconds: number
}

interface Pair {
  readonly size: Size
  readonly apart: Peak
  readonly together: Peak
}

const asked = process.argv.find((word) => word.startsWith('--measure='))
if (asked === undefined) compare()
else {
  const [, at = '', size = '', engine = ''] = /=(\d+),(\d+),(\w+)/.exec(asked) ?? []
  process.stdout.write(JSON.stringify(await peakOf(Number(at), Number(size), engine)))
}

/** Of `--name=value`. */
function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
}

function compare(): void {
  const only = option('only') ?? ''
  const head = ['system', 'size', 'local MB', 'stateful MB', 'local / stateful', 'local s', 'stateful s', '']
  const rows = systems.flatMap(({ name }, at) => {
    if (!name.includes(only)) return []
    const pairs = pairsOf(at)
    const compared = pairs.findLastIndex(({ apart, together }) => apart.ended && together.ended)
    return pairs.map((pair, size) => row(size === 0 ? name : '', pair, size === compared))
  })
  console.log(
    `\nmemory of searches of systems, each with ${mostSeconds} s; compared in the largest size where both end\n`,
  )
  console.log(table(head, rows))
}

/** Larger sizes of what did not end would not end either. */
function pairsOf(at: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (const [position, size] of (systems[at] as System).sizes.entries()) {
    const [apart, together] = [measured(at, position, 'local'), measured(at, position, 'stateful')]
    pairs.push({ size, apart, together })
    if (!apart.ended && !together.ended) break
  }
  return pairs
}

function row(name: string, { size, apart, together }: Pair, isCompared: boolean): readonly string[] {
  const isTold = isCompared && Math.max(apart.bytes, together.bytes) >= thresholdBytes
  const isMore = isTold && apart.bytes > together.bytes
  if (isMore) process.exitCode = 1
  const cut = [...(apart.ended ? [] : ['local']), ...(together.ended ? [] : ['stateful'])]
  const notes = [
    ...(cut.length === 0 ? [] : [`${cut.join(' and ')} did not end`]),
    ...(isCompared && !isTold ? ['too small to tell'] : []),
    ...(isMore ? ['local needs more'] : []),
  ]
  const words = Object.entries(size).map(([parameter, value]) => `${parameter}=${value}`)
  const ratio = isTold ? (apart.bytes / together.bytes).toFixed(2) : ''
  const seconds = [apart, together].map((peak) => peak.seconds.toFixed(1))
  return [name, words.join(' '), megabytes(apart), megabytes(together), ratio, ...seconds, notes.join(', ')]
}

function megabytes({ bytes, ended }: Peak): string {
  return `${ended ? '' : '> '}${(bytes / (1 << 20)).toFixed(1)}`
}

function measured(at: number, size: number, engine: string): Peak {
  const args = [
    '--expose-gc',
    '--no-flush-bytecode',
    process.argv[1] as string,
    `--measure=${at},${size},${engine}`,
    ...process.argv.slice(2),
  ]
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (ran.status !== 0) throw new Error(`${engine} failed`)
  return JSON.parse(ran.stdout)
}

/** A search that is soon over is made twice: by the second time, most code is compiled. */
async function peakOf(at: number, size: number, engine: string): Promise<Peak> {
  const first = highest(at, size, engine)
  const { bytes, ...ended } = first.ended && first.seconds < mostSeconds / 3 ? highest(at, size, engine) : first
  return { bytes: bytes - (await leftAfterwards()), ...ended }
}

/** In turns of their own, so that no frame of the search is on the stack; what is let go of may take some of them to go. */
async function leftAfterwards(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let looks = 0; looks < 5; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    least = Math.min(least, inUse())
  }
  return least
}

/** The most that is in use in the course of a search, of which nothing but compiled code is left when this returns. */
function highest(at: number, size: number, engine: string): Peak {
  const { program, sizes } = systems[at] as System
  const machines = machinesFor(program, sizes[size])
  const before = process.cpuUsage()
  const events =
    engine === 'local'
      ? local.explore(machines, {})
      : stateful.explore({ machines, ...judgesFor(program, sizes[size]) }, { search: 'depth' })
  let [signs, bytes] = [0, 0]
  for (const event of events) {
    const isLookedAt = event.kind === 'progress' && (++signs % collectEvery === 1 || event.explored === 1)
    if (isLookedAt) bytes = Math.max(bytes, inUse())
    if (secondsSince(before) <= mostSeconds) continue
    return { bytes: Math.max(bytes, inUse()), ended: false, seconds: secondsSince(before) }
  }
  return { bytes, ended: true, seconds: secondsSince(before) }
}

/** Typed arrays are not on the heap. */
function inUse(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
