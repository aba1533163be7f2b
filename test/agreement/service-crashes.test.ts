/** Where clients of services crash and messages get lost, dpor explores each execution once that interleavings have, and no other. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import type { FaultBudget } from '../../src/core/faults.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { type Program, program, spawn } from '../../src/index.ts'
import { http } from '../../src/model/services/services.ts'
import type { Runnable } from '../../src/program/program.ts'
import { amount, atLeast } from '../amount.ts'
import { enumerated } from './agreement.ts'
import { levels } from './anomalies.ts'
import { disagreement } from './compare.ts'
import { programOf, type Script } from './database-scripts.ts'
import { exploreAll } from './explored.ts'
import { type Consuming, queueProgram } from './queue-scenes.ts'

const programs = amount({ quick: 5, rest: 12, thorough: 40, all: 2_000 })
/** Interleavings beyond which a program is left out. */
const cap = 1_000

describe.each([
  ['a database', transacting],
  ['a queue', queueing],
  ['an endpoint', requesting],
])('%s', (_, drawn) => {
  test(`${programs} generated programs`, () => {
    const tally = { compared: 0, struck: 0 }
    for (let seed = 0; seed < programs; seed++) {
      const random = new Random(seed)
      const faults = random.pick([{ crashes: 1 }, { crashes: 1, restarts: 1 }])
      const made = drawn(random)
      const subject = subjectOf(made, { ...faults, ...made.faults })
      const truth = enumerated(subject, cap)
      if (truth === undefined) continue
      tally.compared++
      expect(disagreement(truth, exploreAll(dpor, subject)), `seed ${seed}`).toBe(undefined)
      if (truth.classes.size > exploreAll(dpor, subjectOf(made, undefined)).classes.size) tally.struck++
    }
    expect(tally.compared / programs, 'small enough').toBeGreaterThan(atLeast(0.4))
    expect(tally.struck, 'with executions that only faults allow').toBeGreaterThan(atLeast(0.3 * programs))
  })
})

interface Drawn {
  readonly program: Program
  readonly faults?: FaultBudget
}

function subjectOf({ program: { views } }: Drawn, faults: FaultBudget | undefined): Runnable {
  const view = views.runnable?.(settingFrom({ params: {}, network: 'fifo', faults }))
  if (view === undefined) throw new Error('no runnable view')
  return view
}

/** One transaction, and what is there in the end. */
function transacting(random: Random): Drawn {
  const statement = (): Script =>
    random.pick([
      { does: 'get', key: 'a' },
      { does: 'add', key: 'a', by: 1 },
      { does: 'put', key: 'b', row: { n: 1 } },
      { does: 'lock', key: 'a' },
    ])
  const script = Array.from({ length: 1 + random.below(2) }, statement)
  return { program: programOf({ rows: { a: { n: 0 } }, transactions: [script] }, random.pick(levels)) }
}

function queueing(random: Random): Drawn {
  const step = (): Consuming => random.pick(['ack', 'reject', 'leave', 'dead letters'])
  const consumers = [random.below(3) === 0 ? [step(), step()] : [step()]]
  const delivery = random.pick(['at least once', 'at least once', 'at most once'] as const)
  const senders = [[1]]
  const order = random.pick(['fifo', 'any'] as const)
  const attempts = delivery === 'at most once' ? 1 : 2
  const made = queueProgram({ delivery, order, attempts, senders, consumers, faults: {} })
  const faults = random.pick([{}, { losses: 1 }, { duplicates: 1 }, { partitions: 1 }])
  return { program: made, faults }
}

function requesting(random: Random): Drawn {
  const clients = random.pick([[2], [1]])
  const made = program('requests', { deadlock: 'allow' }, function* () {
    const server = yield* http({
      routes: () => {
        let count = 0
        return { 'POST /count': () => ({ status: 200, body: ++count }) }
      },
    })
    for (const [at, times] of clients.entries()) {
      yield* spawn(`c${at}`, function* () {
        for (let time = 0; time < times; time++) yield* server.post('/count')
      })
    }
  })
  return { program: made, faults: random.pick([{}, { losses: 1 }, { duplicates: 1 }, { partitions: 1 }]) }
}
