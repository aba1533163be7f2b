import { expect, test } from 'vitest'
import { progressText } from '../../../src/cli/progress-line.ts'
import { countedClients, countedStates } from '../../../src/core/verdict.ts'

const progress = {
  counts: { clients: 12, states: 18_204, transitions: 40_000 },
  explored: 1 / 3,
  violations: 0,
  milliseconds: 3000,
} as const

const subject = {
  label: 'Stack',
  budget: undefined,
  before: { explored: 0, share: 0 },
  counted: countedStates,
  sweep: { outOf: 36, counted: countedClients },
} as const

test('clients done and all, states, rate, a lower estimate of all, time against the budget', () => {
  expect(progressText(progress, { ...subject, budget: 60_000 })).toBe(
    ' Stack  12 of 36 clients · 18,204 states · 6.1k/s · est. 55k · 33 % · 0:03 of 1:00',
  )
})

test('while causes are looked for it says so, and estimates nothing', () => {
  const text = progressText({ ...progress, phase: 'checking the repair' }, subject)
  expect(text).toBe(' Stack  checking the repair · 12 of 36 clients · 18,204 states · 6.1k/s · 0:03')
})

const none = { counts: { clients: 0, states: 0 }, explored: 0, milliseconds: 0 }

test('before anything was done there is nothing to divide by', () => {
  const text = progressText({ ...none, violations: 0 }, { ...subject, label: 'S', budget: 1000 })
  expect(text).toBe(' S  0 of 36 clients · 0 states · 0/s · 0:00 of 0:01')
})
