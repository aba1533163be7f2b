import { linearizable } from 'allways'
import { RacyQueue } from './broken.ts'
import { JobQueue } from './queue.ts'

/** Fails at the first attempt. */
async function handle(id: string, attempt: number): Promise<void> {
  if (attempt === 1) throw new Error(`${id} failed`)
}

/** A queue in which one job waits already. */
function withJob<Queue extends { add(id: string): boolean }>(queue: Queue): Queue {
  queue.add('a')
  return queue
}

export default linearizable(JobQueue, {
  name: 'job queue',
  create: () => withJob(new JobQueue(handle, 2)),
  operations: { add: ['a', 'b'], work: [], size: [] },
})

export const racy = linearizable(RacyQueue, {
  name: 'racy job queue',
  create: () => withJob(new RacyQueue(handle, 2)),
  operations: { add: ['a'], work: [], size: [] },
})
