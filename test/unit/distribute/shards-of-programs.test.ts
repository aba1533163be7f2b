/** What pieces of a search begin with was explored in others: what failed there is known, and its events count once. */
import { expect, test } from 'vitest'
import { auditOf } from '../../../src/check/audit.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import type { Search } from '../../../src/distribute/driver.ts'
import { driveInline } from '../../../src/distribute/inline.ts'
import { driveShard } from '../../../src/distribute/shard-drive.ts'
import { dpor } from '../../../src/engines/dpor/dpor.ts'
import { assert, choose, final, type Program, program, receive, self, send, spawn } from '../../../src/index.ts'
import type { Runnable } from '../../../src/program/program.ts'
import { pathsOf } from '../../../src/semantics/world-path.ts'
import { answer, type Sharded, together } from '../../shards-together.ts'
import { tickingHost } from '../../ticking-host.ts'

/** One process fails at once, and the others go on for long. */
const failing = program('failing', { deadlock: 'allow' }, function* () {
  const me = yield* self<number>()
  const first = yield* spawn('first', function* () {
    yield* assert((yield* choose([0, 1])) === 0, 'fails')
    yield* receive<number>()
  })
  for (const number of [0, 1, 2])
    yield* spawn(`other ${number}`, function* () {
      yield* send(first, 3)
      yield* send(me, number)
    })
  yield* receive<number>()
  yield* receive<number>()
})

/** What is last explored fails; much of what is begun before is no execution of its own. */
const failingLate = program(
  'failing late',
  {
    ...{ deadlock: 'allow', network: 'sender-queue', faults: { crashes: 1, duplicates: 1 } },
    properties: [final('that crashes at the end matter to', () => true)],
  },
  function* () {
    const me = yield* self<number>()
    const daemon = yield* spawn('daemon', { daemon: true }, function* () {
      yield* assert((yield* choose([0, 1])) === 0, 'fails')
      yield* receive<number>({ from: me })
    })
    yield* spawn('sender', function* () {
      yield* send(daemon, 3)
      yield* send(daemon, 1)
      yield* send(me, 1)
    })
    yield* receive<number>()
    yield* receive<number>()
  },
)

function runnableOf({ views, network, faults }: Program): Runnable {
  return views.runnable?.(settingFrom({ params: {}, network, ...(faults && { faults }) })) as Runnable
}

test.each([failing, failingLate])('$name in shards comes to what one run says', async (asked) => {
  const search = (): Search => {
    const options = { seed: 0, schedule: 'sends-first', eager: false }
    return { engine: dpor, options, subject: runnableOf(asked) }
  }
  for (const keepGoing of [true, false]) {
    const watch = () => ({ budget: {}, keepGoing, audit: auditOf(pathsOf(runnableOf(asked)), {}, 'beside others') })
    const alone = await driveInline(search(), watch(), tickingHost())
    expect([alone.diagnostic, alone.found.length]).toEqual([undefined, 1])
    for (const of of [2, 3, 4]) {
      const shards: Sharded[] = []
      for (let number = 1; number <= of; number++)
        shards.push((await driveShard(search(), watch(), tickingHost(), { number, of })) as Sharded)
      expect(shards.map(({ diagnostic }) => diagnostic)).toEqual(shards.map(() => undefined))
      const { pieces: _, ...whole } = together(shards)
      expect(whole, `${of} shards, ${keepGoing ? 'all' : 'first'}`).toEqual(answer(alone))
    }
  }
})
