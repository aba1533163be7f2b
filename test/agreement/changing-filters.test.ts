/** A filter may read a variable of its process that changes after the receive; it means what it said while the receive waited. */
// @module-tag cut
import { expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { poll, receive, self, send, spawn } from '../../src/model/process.ts'
import { program } from '../../src/model/program.ts'
import { amount } from '../amount.ts'
import { dporProblem, smallest, truthOf } from './agreement.ts'
import { exploreAll } from './explored.ts'
import { generate } from './generate.ts'
import { asRunnable } from './interpret.ts'
import type { ProgramText } from './text.ts'

test('two messages, a poll for one unlike the last and a receive: four executions under bag', () => {
  const subject = program('unlike the last', function* () {
    const main = yield* self<number>()
    yield* spawn('a', function* () {
      yield* send(main, 0)
      yield* send(main, 0)
    })
    let last: number | undefined
    last = yield* poll<number>((message) => message !== last)
    last = yield* receive<number>()
    return last
  })
  // The poll finds nothing and the receive takes one of the two, or the poll takes one and the receive the other.
  const { classes, stopped } = exploreAll(dpor, asRunnable(subject, 'bag'))
  expect({ executions: [...classes.values()], stopped }).toEqual({ executions: [1, 1, 1, 1], stopped: undefined })
})

const programs = amount({ quick: 20, thorough: 80, all: 300 })

test.each(networkNames)('dpor agrees with the interleavings under %s', (network) => {
  for (let seed = 0; seed < programs; seed++) {
    const text = generate(seed, { mixed: seed % 4 === 0, monitors: false, changing: true })
    const problemOf = (candidate: ProgramText): string | undefined => {
      const truth = truthOf(candidate, network)
      return truth && dporProblem(candidate, network, truth)
    }
    if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
  }
})
