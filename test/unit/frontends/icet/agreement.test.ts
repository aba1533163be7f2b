/**
 * A term does what its source does: for small sizes, both have the same verdict and the same number of executions, also when
 * the source has a mistake.
 */
import { expect, test } from 'vitest'
import { termOf } from './extracted.ts'
import { evaluated, outcome, type Sizes, termProgram } from './outcomes.ts'
import { programs } from './programs.ts'

type Name = keyof typeof programs

const sizes: readonly (readonly [Name, Sizes])[] = [
  ['lock server', { clients: 0 }],
  ['lock server', { clients: 3 }],
  ['two-phase commit', { acceptors: 1 }],
  ['two-phase commit', { acceptors: 2 }],
  ['map-reduce', { mappers: 2, work: 1 }],
  ['map-reduce', { mappers: 1, work: 2 }],
  ['firewall', { clients: 2 }],
  ['two buyers', { rounds: 1 }],
  ['two buyers', { rounds: 2 }],
  ['registry', { clients: 3 }],
  ['concurrent database', { clients: 2 }],
  ['parikh', { sets: 2 }],
  ['distributed database', { clients: 2, workers: 1 }],
  ['distributed database', { clients: 1, workers: 2 }],
  ['theque', { clients: 1, tags: 2, blobs: 1 }],
  ['ping with a helper', { peers: 3 }],
]

test.each(sizes)('%s with %o has the executions of its term', async (name, params) => {
  const source = programs[name]
  const original = await outcome(evaluated(source), params)
  expect(original).toMatch(/^verified, [1-9]\d* executions$/)
  expect(await outcome(termProgram(termOf(source)), params)).toBe(original)
})

const mistakes: readonly (readonly [Name, Sizes, string, string])[] = [
  ['lock server', { clients: 2 }, `yield* send(from, { kind: 'ack' })`, ''],
  ['lock server', { clients: 2 }, `yield* send(server, { kind: 'unlock' })`, ''],
  ['two-phase commit', { acceptors: 2 }, `yield* send(coordinator, { kind: 'ack' })`, ''],
  ['map-reduce', { mappers: 1, work: 2 }, `yield* send(from, { kind: 'term' })`, ''],
  ['firewall', { clients: 1 }, `request: 'good'`, `request: 'bad'`],
  ['firewall', { clients: 1 }, `from: await self() })\n    await receive`, `from: message.from })\n    await receive`],
  ['two buyers', { rounds: 1 }, `yield* send(seller, { kind: 'details' })`, ''],
  ['registry', { clients: 2 }, `yield* send(registry, { kind: 'master', master: me })`, ''],
  ['concurrent database', { clients: 1 }, `yield* send(request.from, { kind: 'value' })`, ''],
  ['parikh', { sets: 1 }, `yield* send(server, { kind: 'bye' })`, `yield* send(server, { kind: 'init' })`],
  ['theque', { clients: 1, tags: 1, blobs: 1 }, `yield* send(request.from, { kind: 'reply' })`, ''],
]

test.each(mistakes)(
  '%s with %o and without %s violates what its term violates',
  async (name, params, part, instead) => {
    const source = programs[name].replace(part, instead)
    expect(source).not.toBe(programs[name])
    const original = await outcome(evaluated(source), params)
    expect(original).toMatch(/^violated: /)
    expect(await outcome(termProgram(termOf(source)), params)).toBe(original)
  },
)
