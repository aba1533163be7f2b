/** The queues of the corpus, called one operation at a time, are queues; so are their broken forms. */
import { expect, test } from 'vitest'
import { RecyclingQueue, UncheckedTailQueue } from '../../../corpus/michael-scott-queue/broken.ts'
import { MichaelScottQueue } from '../../../corpus/michael-scott-queue/queue.ts'
import { Random } from '../../../src/core/random.ts'

test.each([
  ["Michael and Scott's queue", () => new MichaelScottQueue()],
  ['the queue that does not check its tail', () => new UncheckedTailQueue()],
  ['the queue that uses elements again', () => new RecyclingQueue()],
] as const)('%s answers 4,000 random calls like an array', (_name, create) => {
  const random = new Random(1)
  const queue = create()
  const model: number[] = []
  for (let call = 0; call < 4000; call++) {
    if (random.below(2) === 0) {
      queue.enqueue(call)
      model.push(call)
    } else {
      expect(queue.dequeue()).toBe(model.shift() ?? null)
    }
  }
})
