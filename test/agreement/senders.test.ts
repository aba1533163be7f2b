/** Receives that name a sender: every engine and both oracles must mean the same by it, whatever the network and the splits. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import { amount, atLeast, seedsOf } from '../amount.ts'
import { declaredProblem, dporProblem, smallest, truthOf } from './agreement.ts'
import { declaredClasses } from './declarative.ts'
import { type ExploreOptions, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import type { Instruction, ProgramText } from './text.ts'

describe.each(networkNames)('under %s', (network) => {
  const seeds = seedsOf(network, networkNames, { quick: 12, thorough: 150, all: 500 })
  const programs = seeds.length

  test(`dpor explores each execution of ${programs} programs with receives by sender exactly once`, {}, () => {
    let compared = 0
    let bySender = 0
    for (const seed of seeds) {
      const text = generate(seed, { mixed: seed % 4 === 0, monitors: true, changing: true, senders: true })
      const problemOf = (candidate: ProgramText): string | undefined => {
        const truth = truthOf(candidate, network)
        if (truth !== undefined) compared++
        return truth && dporProblem(candidate, network, truth, somehow(seed))
      }
      if (namesSender(text.main)) bySender++
      if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
    }
    expect(compared / programs, 'share of programs small enough to enumerate').toBeGreaterThan(
      amount({ quick: 0.87, all: 0.94 }),
    )
    expect(bySender / programs, 'share of programs that name a sender').toBeGreaterThan(atLeast(0.5))
  })

  test('dpor explores exactly the graphs that the declarative oracle calls consistent', () => {
    let compared = 0
    const problemOf = (text: ProgramText): string | undefined => {
      const declared = declaredClasses(text, network)
      if (declared !== undefined) compared++
      return declared && declaredProblem(text, network, declared)
    }
    for (const seed of seeds.slice(0, programs / 5)) {
      const text = generate(seed, { mixed: seed % 3 === 0, monitors: false, operations: 10, senders: true })
      if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
    }
    expect(compared).toBeGreaterThan(atLeast((0.9 * programs) / 5))
  })
})

function namesSender(body: readonly Instruction[]): boolean {
  return body.some((instruction) => {
    if (instruction.kind === 'spawn') return namesSender(instruction.body)
    return (instruction.kind === 'receive' || instruction.kind === 'poll') && instruction.from !== undefined
  })
}

/** Another schedule, another way to split the search and another amount of memory for every program. */
function somehow(seed: number): ExploreOptions {
  const random = new Random(seed)
  const schedule = random.pick<DporOptions['schedule']>(['sends-first', 'left-to-right', 'right-to-left', 'random'])
  const asked = random.pick(['share', 'surrender', undefined] as const)
  const memory = random.pick([
    { states: 20_000, statesPerProcess: 4_000, messagesPerProcess: 16 },
    { states: seed % 5, statesPerProcess: seed % 3, messagesPerProcess: seed % 2 },
  ])
  return {
    setting: { ...usualSetting, schedule, seed },
    request: () => (random.below(3) === 0 ? asked : undefined),
    memory,
  }
}
