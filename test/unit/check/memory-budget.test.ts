/** Memory is a budget of each search: what earlier searches of a process left behind does not end later ones. */
import { expect, test } from 'vitest'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import type { Host } from '../../../src/distribute/driver.ts'
import { program, receive, self, send, spawn } from '../../../src/index.ts'

const megabyte = 1024 ** 2

/** As many executions as orders of its messages. */
function senders(number: number, messages = 2) {
  return program(`senders ${number}`, function* () {
    const me = yield* self<number>()
    for (let i = 0; i < messages; i++) {
      yield* spawn(`sender ${i}`, function* () {
        yield* send(me, i)
      })
    }
    for (let i = 0; i < messages; i++) yield* receive<number>()
  })
}

/** Each look at the clock finds so many bytes more resident, and none is ever given back. */
function growingHost(bytes: number): Host {
  let [time, resident] = [0, 0]
  return {
    now: () => {
      time += 2
      resident += bytes
      return time
    },
    memory: () => resident,
    pause: async () => {},
  }
}

test('none of a hundred programs is cut for the memory that those before it left', async () => {
  const host = growingHost(megabyte / 4)
  for (let number = 0; number < 100; number++) {
    const request = orThrow(checkRequest(senders(number), { memory: '40mb' }))
    const { verdict } = orThrow(await runCheck(request, { host }))
    expect(verdict, `program ${number}, at ${host.memory() / megabyte} MB`).toMatchObject({
      kind: 'verified',
      counts: { executions: 2 },
    })
  }
  expect(host.memory()).toBeGreaterThan(400 * megabyte)
})

test('a search that takes more than its budget by itself is cut, and says so', async () => {
  const host = growingHost(megabyte)
  const request = orThrow(checkRequest(senders(0, 5), { memory: '50mb' }))
  const { verdict, rest } = orThrow(await runCheck(request, { host }))
  expect(verdict).toMatchObject({ kind: 'incomplete', because: 'memory' })
  expect(rest?.units.length).toBeGreaterThan(0)
})

test("what is given back after the start was not the search's own", async () => {
  // The collector gives much back; what the search then takes by itself is far below it.
  const host = growingHost(megabyte)
  let looks = 0
  const collected = { ...host, memory: () => host.memory() + (looks++ < 1 ? 1000 * megabyte : 0) }
  const request = orThrow(checkRequest(senders(0, 5), { memory: '50mb' }))
  const { verdict } = orThrow(await runCheck(request, { host: collected }))
  expect(verdict).toMatchObject({ kind: 'incomplete', because: 'memory' })
})

test('the process as a whole stays below what Node may use, whatever one search is allowed', () => {
  const { budget } = orThrow(checkRequest(senders(0), { memory: '1mb' }))
  expect(budget.growth).toBe(megabyte)
  expect(budget.bytes).toBeGreaterThan(100 * megabyte)
})
