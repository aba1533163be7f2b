import { expect, test } from 'vitest'
import type { History } from '../../../../src/core/history.ts'
import { decideHistory } from '../../../../src/properties/linearizability/decide-history.ts'
import { register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { contradictionWindow } from '../../../../src/properties/linearizability/window.ts'
import { call, historyOf } from './calls.ts'

function refuted(history: History) {
  const found = decideHistory(history, register(0), { shortcuts: false })
  if (!found.ok || found.value.linearizable) throw new Error('not refuted')
  return found.value
}

const early = Array.from({ length: 50 }, (_, at) => call('a', [2 * at, 2 * at + 1], 'write', [at % 2]))
const around = [call('b', [200, 210], 'write', [7]), call('c', [201, 209], 'write', [8])]
const wrong = call('d', [205, 206], 'read', [], 9)
const late = Array.from({ length: 5 }, (_, at) => call('a', [300 + 2 * at, 301 + 2 * at], 'read', [], 7))

test('it shows what overlaps the stuck call, then what took effect last before it, and counts the rest', () => {
  const found = refuted(historyOf(...early, ...around, wrong, ...late))
  const window = contradictionWindow(found, 5)
  expect(window.calls).toEqual([early[48], early[49], ...around, wrong])
  expect(window).toMatchObject({ before: 48, others: 5 })
})

test('it never shows more than it may, and always the stuck call', () => {
  const found = refuted(historyOf(...early, ...around, wrong, ...late))
  for (const most of [1, 2, 3, 12]) {
    const { calls, before, others } = contradictionWindow(found, most)
    expect(calls).toContain(wrong)
    expect(calls.length).toBe(most)
    expect(calls.length + before + others).toBe(58)
  }
})
