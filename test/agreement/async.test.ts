/**
 * Async processes: dpor and exhaustive must see the same executions of generated programs, whatever the network; and the same text, run
 * in plain Node with the answers of an execution, must log the same in the same order.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { Runnable } from '../../src/program/program.ts'
import { World } from '../../src/semantics/world.ts'
import { amount, atLeast, byRow, seedsOf } from '../amount.ts'
import { enumerated } from './agreement.ts'
import { type Delivered, runNatively } from './async-native.ts'
import { type Logs, loaded, subjectOf, textOf } from './async-program.ts'
import { type AsyncText, generateAsync } from './async-text.ts'
import { disagreement } from './compare.ts'
import { exploreAll } from './explored.ts'

describe.each(networkNames)('under %s', (network) => {
  const seeds = seedsOf(network, networkNames, { quick: 20, rest: 50, thorough: 120, all: 2_000 })

  test(
    `dpor explores each execution of ${seeds.length} async programs exactly once`,
    byRow(networkNames.indexOf(network)),
    () => {
      let compared = 0
      let several = 0
      for (const seed of seeds) {
        // A third of them with joins.
        const text = generated(seed, 7, seed % 3 === 2)
        const release = guardDeterminism()
        try {
          const subject = subjectOf(loaded(text, new Map()), network)
          const truth = enumerated(subject, 400)
          if (truth === undefined) continue
          compared++
          if (truth.classes.size > 1) several++
          const problem = disagreement(truth, exploreAll(dpor, subject, { cap: 10 * (truth.classes.size + 10) }))
          if (problem !== undefined) expect.fail(`seed ${seed}\n${problem}\n${textOf(text)}`)
        } finally {
          release()
        }
      }
      expect(compared / seeds.length, 'share of programs small enough to enumerate').toBeGreaterThan(0.4)
      expect(several / compared, 'share of programs with several executions').toBeGreaterThan(atLeast(0.18))
    },
  )
})

const walks = amount({ quick: 60, rest: 600, thorough: 2_000, all: 30_000 })

test(`${walks} executions log what plain Node logs with the same answers`, async () => {
  let lines = 0
  let joined = 0
  for (let seed = 0; seed < walks; seed++) {
    const text = generated(seed, 14, seed % 3 === 2)
    const { world, logs, failed } = walked(text, seed)
    if (world.histories().some(({ start }) => start.id.includes('until '))) joined++
    for (const [at, body] of text.bodies.entries()) {
      const id = at === 0 ? 'main' : `p${at}`
      const history = world.histories().find(({ start }) => start.id === id)
      if (history === undefined || failed.has(id)) continue
      const answers = history.performed.map(
        ({ operation, answer, source }): Delivered => ({ kind: operation.kind, answer, from: source?.from }),
      )
      const children = at === 0 ? text.bodies.slice(1).map((_, child) => `p${child + 1}`) : []
      const natively = await runNatively(body, { children, answers })
      if (JSON.stringify(natively) !== JSON.stringify(logs.get(id))) {
        const both = `under control\n${logs.get(id)?.join('\n')}\nin plain Node\n${natively.join('\n')}`
        expect.fail(`seed ${seed}, process ${id}\n${both}\n${textOf(text)}`)
      }
      lines += natively.length
    }
  }
  expect(joined / walks, 'share with a join beside something else').toBeGreaterThan(0.03)
  expect(lines / walks, 'lines that are logged in an execution').toBeGreaterThan(5)
})

function generated(seed: number, statements: number, joins: boolean): AsyncText {
  const random = new Random(seed)
  const timers = random.below(2) === 0
  return generateAsync(random, { processes: 2 + random.below(2), statements, timers, joins })
}

/** One execution, with decisions by chance. */
function walked(text: AsyncText, seed: number) {
  const logs: Logs = new Map(text.bodies.map((_, at) => [at === 0 ? 'main' : `p${at}`, []]))
  const random = new Random(seed + 1)
  const release = guardDeterminism()
  try {
    const subject: Runnable = subjectOf(loaded(text, logs), 'fifo')
    const world = new World(subject)
    for (let enabled = world.enabled(); enabled.length > 0; enabled = world.enabled()) world.take(random.pick(enabled))
    const failed = new Set(world.violations.map(({ process }) => process))
    return { world, logs, failed }
  } finally {
    release()
  }
}
