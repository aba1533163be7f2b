/** The queue of `allways/services`: what it may do at each delivery, in each order, and within which budget. */
import { describe, expect, test } from 'vitest'
import { cut, oneIn } from '../../../amount.ts'
import { found } from './checked.ts'

const made = (delivery: string, order: string, more = '') =>
  `const jobs = await queue({ delivery: '${delivery}', order: '${order}'${more} })`
const take = `const take = async () => { const message = await jobs.receive(); await message.ack(); return message.body }`

/** What two messages come as, to one who takes that many. */
const taken = (delivery: string, order: string, count: number) => `${made(delivery, order)}
  ${take}
  await jobs.send(1); await jobs.send(2)
  const bodies = []
  for (let at = 0; at < ${count}; at++) bodies.push(await take())
  await assert(false, bodies.join())`

async function allTaken(delivery: string, order: string, count: number, faults = {}): Promise<readonly string[]> {
  const texts = new Set<string>()
  for (const text of ['1,1', '1,2', '2,1', '2,2', '1,1,2', '1,2,2', '1,2,1', '2,1,1', '2,2,1', '2,1,2']) {
    const body = taken(delivery, order, count).replace('assert(false', `assert(bodies.join() !== '${text}'`)
    const { told } = await found(body, { faults, deadlock: 'allow' })
    if (told === text) texts.add(text)
  }
  return [...texts].sort()
}

describe('what two messages come as', () => {
  const taken: readonly (readonly [string, string, number, object, readonly string[]])[] = [
    ['at least once', 'fifo', 2, {}, ['1,2']],
    ['at most once', 'fifo', 2, {}, ['1,2']],
    ['at least once', 'any', 2, {}, ['1,2', '2,1']],
    ['at least once', 'fifo', 3, { duplicates: 1 }, ['1,1,2', '1,2,2']],
    ['at least once', 'any', 3, { duplicates: 1 }, ['1,1,2', '1,2,1', '1,2,2', '2,1,1', '2,1,2', '2,2,1']],
    // Budgets for what a queue never does change nothing.
    ['at most once', 'fifo', 3, { duplicates: 1 }, []],
    ['at least once', 'fifo', 2, { losses: 1 }, ['1,2']],
  ]

  test.each(oneIn(4, taken))('%s, %s, %i taken', cut, async (delivery, order, count, faults, expected) => {
    expect(await allTaken(delivery, order, count, faults)).toEqual(expected)
  })
})

test('at most once, a message may be gone, and who waits for it waits for ever', async () => {
  const waits = `${made('at most once', 'fifo')}; await jobs.send(1); await jobs.receive()`
  expect(await found(waits)).toMatchObject({ verdict: 'verified', executions: 1 })
  const lost = await found(waits, { faults: { losses: 1 } })
  expect(lost).toMatchObject({ verdict: 'violated', told: 'main waits for a message of queue "queue"' })
})

test('what is rejected comes again, behind the others, until it is a dead letter', async () => {
  const rejected = `${made('at least once', 'fifo', ', attempts: 2')}
  await jobs.send('bad'); await jobs.send('good')
  const seen = []
  for (let at = 0; at < 3; at++) {
    const message = await jobs.receive()
    seen.push(message.body + message.attempt)
    await (message.body === 'bad' ? message.reject() : message.ack())
  }
  await assert(seen.join() === 'bad1,good1,bad2', seen.join())
  const dead = await jobs.deadLetters()
  await assert(dead.join() === 'bad', dead.join())`
  expect(await found(rejected)).toMatchObject({ verdict: 'verified', executions: 1, told: '' })
})

test('who consumes acknowledges what was done and rejects what failed', async () => {
  const consumed = `${made('at least once', 'fifo', ', attempts: 2')}
  const done = await queue({ name: 'done', delivery: 'at least once', order: 'fifo' })
  await spawn('worker', { daemon: true }, async () => {
    await jobs.consume(async (job, { attempt }) => {
      if (job === 'bad' || (job === 'late' && attempt === 1)) throw new Error(job)
      await done.send(job)
    })
  })
  for (const job of ['bad', 'late', 'good']) await jobs.send(job)
  const both = [(await done.receive()).body, (await done.receive()).body]
  await assert(both.sort().join() === 'good,late', both.join())
  await assert((await jobs.deadLetters()).every((one) => one === 'bad'))`
  expect(await found(consumed)).toMatchObject({ verdict: 'verified', told: '' })
})

test.each([
  [`await queue({ delivery: 'at least one', order: 'fifo' })`, 'E107', 'did you mean "at least once"?'],
  [`await queue({ delivery: 'at least once', order: 'lifo' })`, 'E107', 'did you mean "fifo"?'],
  [`await queue({ delivery: 'at most once', order: 'any', attempts: 2 })`, 'E220', 'leave attempts out'],
  [`await queue({ delivery: 'at most once', order: 'any', attempt: 2 })`, 'E107', 'did you mean "attempts"?'],
  [`${made('at least once', 'any')}; await jobs.consume({})`, 'E220', 'jobs'],
  [`${made('at least once', 'any')}; await jobs.send(() => {})`, 'E205', 'plain data'],
])('%s: %s', async (body, code, hint) => {
  const { verdict, line, ...told } = await found(body)
  expect([verdict, line]).toEqual([code, 4])
  if (hint !== 'jobs') expect(told.hint).toContain(hint)
})

describe('a message is settled once', () => {
  const received = `${made('at least once', 'fifo')}; await jobs.send(1)
  const message = await jobs.receive()
  `
  test.each([
    [
      'await message.ack(); await message.reject()',
      'reject() of a message of queue "queue" that was settled before, by ack()',
    ],
    [
      'await message.ack()\n  await message.ack()',
      'ack() of a message of queue "queue" that was settled before, by ack()',
    ],
    [
      'await message.reject()\n  await message.ack()',
      'ack() of a message of queue "queue" that was settled before, by reject()',
    ],
    [
      'await message.reject(); await message.reject().catch(() => 0)',
      'reject() of a message of queue "queue" that was settled before, by reject()',
    ],
  ])('%s', async (settling, told) => {
    const { verdict, line, ...refused } = await found(received + settling)
    expect([verdict, refused.told, line]).toEqual([
      'E220',
      `${told}, in process "main"`,
      settling.includes('\n') ? 7 : 6,
    ])
  })

  test('by the handler of consume, or by consume', async () => {
    const consumed = (settling: string) => `${made('at least once', 'fifo', ', attempts: 2')}
  const worker = async () => { await jobs.consume(async (body, message) => { ${settling} }) }
  await spawn('worker', { daemon: true }, worker)
  await jobs.send(1)
  await assert((await jobs.deadLetters()).length === 0, 'dead')`
    expect(await found(consumed('await message.ack()'))).toMatchObject({ verdict: 'verified' })
    expect(await found(consumed(`await message.ack(); throw new Error('late')`))).toMatchObject({ verdict: 'verified' })
    expect(await found(consumed('await message.reject()'))).toMatchObject({ verdict: 'violated', told: 'dead' })
  })
})
