/** The stateful search of classes against itself without any reduction, on clients of the corpus that are too large for that as they are. */
import { expect, test } from 'vitest'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { amount, longIf } from '../amount.ts'
import { agreement, isCut, rows, seedOf } from '../corpus/variants.ts'
import { forgetting, reduced, some } from './object-compare.ts'
import { clientOf } from './object-search.ts'

const variantsPerRow = amount({ quick: 1, all: 4 })

for (const [at, { entry, row, title }] of rows.filter(isCut).entries()) {
  test(`some variants agree with the full search on the last calls of ${title}`, {
    ...longIf(at % 6 > 0, at % 3 > 0),
  }, async () => {
    const client = lastCalls(clientOf(row.client))
    const variants = [...some(reduced, variantsPerRow, seedOf(row)), ...some(forgetting, 1, seedOf(row))]
    expect(await agreement(entry, row.program, client, 'linearizable', variants)).toBe('agree')
    expect(await agreement(entry, 'default', client, 'outcomes', variants)).toBe('agree')
  })
}

/** The last call of each process; the others are made before, one after the other. */
function lastCalls({ processes }: Client): Client {
  return {
    setup: processes.flatMap((calls) => calls.slice(0, -1)),
    processes: processes.map((calls) => calls.slice(-1)),
  }
}
