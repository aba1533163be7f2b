/**
 * Chain replication explored with nothing remembered of what processes did, so that every state is computed anew, after every kind
 * of backtracking: large enough to meet revisits inside revisits, which generated programs rarely have.
 */

import { expect, test } from 'vitest'
import { correct } from '../../corpus/chain-replication/model.check.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { dporWith } from '../../src/engines/dpor/dpor.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import { longIf } from '../amount.ts'

const forgetful = dporWith({ states: 0, statesPerProcess: 0, messagesPerProcess: 0 })

const rows: readonly (readonly [NetworkName, DporOptions['schedule'], number])[] = [
  ['fifo', 'left-to-right', 13_364],
  ['fifo', 'sends-first', 13_364],
  ['causal', 'sends-first', 2_334],
  ['causal', 'right-to-left', 2_334],
]

for (const [at, [network, schedule, expected]] of rows.entries())
  test(
    `chain(2, 3) with two requests under ${network}, ${schedule}, has ${expected} executions`,
    longIf(true, at % 3 === 0),
    () => {
      const view = correct.views.runnable
      if (view === undefined) throw new Error('no runnable view')
      const subject = view(settingFrom({ params: { ...correct.params, faults: 2, requests: 2 }, network }))
      const setting = { seed: 1, schedule, eager: false, samples: 0, depth: 0 }
      let executions = 0
      for (const event of forgetful.explore(subject, setting)) {
        if (event.kind === 'diagnostic') expect.fail(event.diagnostic.message)
        if (event.kind === 'execution') executions++
      }
      expect(executions).toBe(expected)
    },
  )
