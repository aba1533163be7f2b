/** Which ends of executions are judged: where a process failed it was over before, and each end that a fault goes on from is one. */
import { expect, test } from 'vitest'
import { assert, checkResult, choose, final, type Program, program, spawn } from '../../../src/index.ts'

const whoReturned = final('told', ({ returned }) => `returned: ${[...returned.keys()].sort().join(', ')}`)

function withWorker(name: string, daemon: boolean): Program {
  const options = { faults: { crashes: 1 }, properties: [whoReturned] }
  return program(name, options, function* () {
    yield* spawn('worker', { daemon }, function* () {
      const drawn = yield* choose([0, 1])
      yield* assert(!daemon || drawn > 1, 'fails')
    })
  })
}

async function messagesOf(asked: Program, engine: string): Promise<readonly (string | undefined)[]> {
  const samples = engine === 'random' || engine === 'pct' ? { samples: 200 } : {}
  const result = await checkResult(asked, { engine, keepGoing: true, ...samples })
  if (!result.ok) throw new Error(result.diagnostics[0]?.message)
  return result.value.evidence.map((one) => ('violation' in one ? one.violation?.message : undefined)).sort()
}

const engines = ['dpor', 'exhaustive', 'random', 'pct']

test.each(engines)('%s judges no end of an execution in which a daemon failed', async (engine) => {
  const daemon = withWorker('daemon', true)
  const messages = await messagesOf(daemon, engine)
  // It may crash before.
  expect(messages).toEqual(['fails'])
})

test.each(engines)('%s judges an end, and the other one that a crash makes of it', async (engine) => {
  const messages = await messagesOf(withWorker('worker', false), engine)
  expect(messages).toEqual(['returned: main', 'returned: main, worker'])
})
