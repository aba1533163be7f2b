import { expect, test } from 'vitest'
import { objectProgressText } from '../../../src/cli/object-progress.ts'

const progress = {
  phase: 'searching',
  clients: 12,
  outOf: 36,
  states: 18_204,
  transitions: 40_000,
  milliseconds: 3000,
} as const

test('clients done and all, states, rate, a lower estimate of all, time against the budget', () => {
  expect(objectProgressText(progress, { label: 'Stack', budget: 60_000 })).toBe(
    ' Stack  12 of 36 clients · 18,204 states · 6.1k/s · est. 55k · 33 % · 0:03 of 1:00',
  )
})

test('while causes are looked for it says so, and estimates nothing', () => {
  const text = objectProgressText({ ...progress, phase: 'checking the repair' }, { label: 'Stack', budget: undefined })
  expect(text).toBe(' Stack  checking the repair · 12 of 36 clients · 18,204 states · 6.1k/s · 0:03')
})

test('before anything was done there is nothing to divide by', () => {
  const text = objectProgressText({ ...progress, clients: 0, states: 0, milliseconds: 0 }, { label: 'S', budget: 1000 })
  expect(text).toBe(' S  0 of 36 clients · 0 states · 0/s · 0:00 of 0:01')
})
