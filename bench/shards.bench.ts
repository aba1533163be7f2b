/**
 * How even shards are: the executions of the largest as a multiple of the mean, for several numbers of shards, and how many executions
 * every shard explores beside its own in order to cut. Nothing of it depends on time, and sums of all shards are a gate.
 */
import * as chain from '../corpus/chain-replication/model.check.ts'
import { nsNr, nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { twoPhaseCommit } from '../corpus/two-phase-commit/model.check.ts'
import { countedExecutions, exploredIn } from '../src/core/verdict.ts'
import { Audits } from '../src/distribute/audits.ts'
import { Cutting, dealt } from '../src/distribute/cutting.ts'
import type { Driven, Host } from '../src/distribute/driver.ts'
import { driveInline } from '../src/distribute/inline.ts'
import { dpor } from '../src/engines/dpor/dpor.ts'
import type { Engine } from '../src/engines/engine.ts'
import type { Params, Program } from '../src/index.ts'
import { subjectOf, table } from './measure.ts'

interface Row {
  readonly title: string
  readonly program: Program
  readonly params: Params
  readonly executions: number
}

const rows: readonly Row[] = [
  { title: 'nworkers(8)', program: nworkers, params: { n: 8 }, executions: 80_640 },
  { title: '2pc(6)', program: twoPhaseCommit, params: { n: 6 }, executions: 46_080 },
  { title: 'ns+nr(7)', program: nsNr, params: { n: 7 }, executions: 5_040 },
  { title: 'chain(1,4)', program: chain.correct, params: { faults: 1, replicas: 4 }, executions: 25_664 },
]

const timeless: Host = { now: () => 0, memory: () => 0, pause: async () => undefined }

function executionsIn({ counts }: Driven): number {
  return exploredIn(counts, countedExecutions)
}

async function row({ title, program, params, executions }: Row, shards: number): Promise<readonly string[]> {
  const subject = subjectOf(program, params, 'fifo')
  const search = { engine: dpor as Engine, subject, options: { seed: 0, schedule: 'sends-first', eager: false } }
  const watch = { budget: {}, keepGoing: true }
  const cutting = new Cutting(search, watch, new Audits(undefined), shards)
  while (cutting.step());
  const sizes: number[] = []
  let beside = 0
  for (const { units, driven } of cutting.pieces) {
    if (driven !== undefined) beside += executionsIn(driven)
    sizes.push(executionsIn(driven ?? (await driveInline({ ...search, units }, watch, timeless))))
  }
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total !== executions) throw new Error(`${title}: ${total} executions in ${shards} shards`)
  const all = dealt(cutting.pieces, shards).map((own) => own.reduce((sum, at) => sum + (sizes[at] as number), 0))
  const largest = Math.max(...all) / (total / shards)
  return [title, total.toLocaleString('en'), `${shards}`, `${sizes.length}`, `${beside}`, `${largest.toFixed(3)} ×`]
}

const shown: (readonly string[])[] = []
for (const one of rows) for (const shards of [2, 8, 32]) shown.push(await row(one, shards))
console.log(table(['program', 'executions', 'shards', 'pieces', 'explored to cut', 'largest to mean'], shown))
