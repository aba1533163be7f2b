/** Michael and Scott's queue, and two ways to break it. */
import { linearizable } from 'allways'
import { RecyclingQueue, UncheckedTailQueue } from './broken.ts'
import { MichaelScottQueue } from './queue.ts'

const operations = { enqueue: [1, 2], dequeue: [] }

export default linearizable(MichaelScottQueue, { operations })

export const uncheckedTail = linearizable(UncheckedTailQueue, {
  operations,
  clients: [
    '{ enqueue(1) } || { enqueue(2); dequeue(); dequeue() }',
    '{ enqueue(1); dequeue() } || { enqueue(2); dequeue() }',
    '{ enqueue(1); dequeue() } || { enqueue(2) } || { dequeue() }',
  ],
})

export const recycling = linearizable(RecyclingQueue, {
  operations,
  clients: [
    '{ enqueue(1); dequeue(); enqueue(2); dequeue() } || { dequeue() }',
    '{ enqueue(1); enqueue(2); dequeue() } || { dequeue(); enqueue(3); dequeue() }',
    '{ enqueue(1); dequeue() } || { dequeue(); enqueue(2) } || { dequeue() }',
  ],
})
