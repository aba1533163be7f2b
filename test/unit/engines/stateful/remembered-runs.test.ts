import { expect, test } from 'vitest'
import { RememberedRuns } from '../../../../src/engines/stateful/ir/remembered-runs.ts'

/** As a state is left: room is made, each run is asked for once before it is used, and used twice. */
function used(runs: RememberedRuns<string>, local: number): void {
  runs.makeRoom()
  if (runs.spared(local, 4) === undefined) runs.set(local, 4, `outcome ${local}`)
  for (let time = 0; time < 2; time++) {
    // To ask the runner every time takes longer than all the rest.
    if (runs.get(local, 4) !== `outcome ${local}`) expect(runs.get(local, 4)).toBe(`outcome ${local}`)
  }
}

test('runs that nobody asks for in another state are forgotten, however often they are used in one', () => {
  const runs = new RememberedRuns<string>()
  let most = 0
  for (let local = 1; local <= 50_000; local++) {
    used(runs, local)
    if (local > 20_000) most = Math.max(most, runs.size)
  }
  expect(most).toBe(256)
})

test('more and more runs are remembered where they are asked for again', () => {
  const runs = new RememberedRuns<string>()
  for (let state = 0; state < 30_000; state++) used(runs, state % 2_000)
  expect(runs.size).toBe(2_000)
})
