/** States met together where a bound leaves messages unread: the order in which those were sent is as free as any. */
import { checkResult, invariant, machine, system } from 'allways'
import { expect, test } from 'vitest'
import { networkNames } from '../../../../src/core/operation.ts'

interface Count {
  steps: number
}

const teller = machine<Count, { kind: 'told' }>('teller', {
  state: () => ({ steps: 0 }),
  requests: {
    tell(state, _argument, { send }) {
      state.steps++
      send('busy', { kind: 'told' })
    },
    rest(state) {
      state.steps++
    },
  },
})

/** Has no step left for messages once it has worked four times. */
const busy = machine<Count, { kind: 'told' }>('busy', {
  state: () => ({ steps: 0 }),
  on: { told() {} },
  requests: {
    work(state) {
      state.steps++
    },
  },
})

const cases = networkNames.flatMap((network) => [
  [network, 'left', 'right'] as const,
  [network, 'right', 'left'] as const,
])

test.each(cases)('under %s, %s may have told while %s has not', async (network, first, second) => {
  const bounded = system('bounded', { network, faults: {} }, () => ({
    machines: { left: teller.as(), right: teller.as(), busy: busy.as() },
    requests: {
      left: [['tell'], ['rest']],
      right: [['tell'], ['rest']],
      busy: [['work'], ['work'], ['work'], ['work']],
    },
    invariants: [
      invariant<Count>('both or none', (states) => {
        return states.busy?.steps !== 4 || states[first]?.steps !== 2 || states[second]?.steps !== 0
      }),
    ],
  }))
  const result = await checkResult(bounded, { engine: 'dpor', maxSteps: 4 })
  expect(result).toMatchObject({ ok: true, value: { kind: 'violated' } })
})
