/**
 * Histories recorded by others, with known verdicts: Knossos' and Porcupine's test data and Lincheck's scenarios. They are
 * read in place and not part of this repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readHistory } from '../../src/check/history-file.ts'
import type { CallResult } from '../../src/core/history.ts'
import type { Value } from '../../src/core/value.ts'
import { decideHistory } from '../../src/properties/linearizability/decide-history.ts'
import { admits } from '../../src/properties/linearizability/partial-order.ts'
import type { Specification } from '../../src/properties/linearizability/specification.ts'
import { builtInSpecification } from '../../src/properties/linearizability/specifications/catalogue.ts'
import { counter } from '../../src/properties/linearizability/specifications/counter.ts'
import { type ChannelCall, hasChannelExecution } from './channels.ts'
import { bank, deque, nondeterministicRegister } from './models.ts'

interface Entry {
  readonly file: string
  readonly kind: 'events' | 'scenario'
  readonly model: string
  readonly initial?: Value
  readonly capacity?: number
  readonly expected: boolean
  readonly ops: number
  readonly pending?: number
}

const folder = resolve(import.meta.dirname, '../../../shared/data/histories')
const isHere = existsSync(folder)
const index = isHere ? (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as readonly Entry[]) : []

if (!isHere) console.warn(`skipped: the recorded histories are not in ${folder}`)

describe.skipIf(!isHere)('recorded histories', () => {
  test('all 164 are listed', () => {
    expect(index.length).toBe(164)
  })

  test.each(index.filter(({ kind }) => kind === 'events'))('$file is linearizable: $expected', (entry) => {
    const recorded = readHistory(join(folder, entry.file), { specification: modelOf(entry) })
    if (!recorded.ok) throw new Error(JSON.stringify(recorded.diagnostics))
    const { history, failed } = recorded.value
    const pending = history.calls.filter(({ result }) => result.kind === 'pending').length
    for (const options of [{}, { shortcuts: false, witness: true }]) {
      const found = decideHistory(history, modelOf(entry), options)
      expect({ ops: history.calls.length + failed, pending, verdict: found.ok && found.value.linearizable }).toEqual({
        ops: entry.ops,
        pending: entry.pending,
        verdict: entry.expected,
      })
    }
  })

  test.each(index.filter(({ kind }) => kind === 'scenario'))('$file is linearizable: $expected', (entry) => {
    const lines = readFileSync(join(folder, entry.file), 'utf8').trim().split('\n')
    const calls = lines.map((line) => JSON.parse(line) as ChannelCall)
    expect(calls.length).toBe(entry.ops)
    expect(isExplained(calls, entry)).toBe(entry.expected)
  })
})

function isExplained(calls: readonly ChannelCall[], entry: Entry): boolean {
  if (entry.model === 'rendezvous-channel')
    return hasChannelExecution(calls, { capacity: 0, received: (sent) => sent + 100 })
  if (entry.model === 'buffered-channel') {
    return hasChannelExecution(calls, { capacity: entry.capacity ?? 0, received: (sent) => sent })
  }
  const ranks = { init: 0, parallel: 1, post: 2 }
  const predecessors = calls.map((call, at) =>
    [...calls.keys()].filter((other) => {
      const { part, process } = calls[other] as ChannelCall
      return ranks[part] < ranks[call.part] || (part === call.part && process === call.process && other < at)
    }),
  )
  const invocations = calls.map(({ f, args, result, value }) => ({
    operation: f,
    args,
    result: resultOf(result, value),
  }))
  return admits(invocations, predecessors, modelOf(entry))
}

function resultOf(kind: ChannelCall['result'], value: Value): CallResult {
  return { kind: 'returned', value: kind === 'VoidResult' ? undefined : value }
}

function modelOf({ model, initial }: Entry): Specification {
  if (model === 'nondeterministic-register') return nondeterministicRegister()
  if (model === 'deque') return deque()
  if (model === 'bank') return bank(initial as readonly number[])
  if (model === 'counter') return counter(initial as number, { returns: 'old' })
  const found = builtInSpecification(model, initial === undefined ? {} : { initial })
  if (!('kind' in found)) throw new Error(found.message)
  return found
}
