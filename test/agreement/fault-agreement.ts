/** Programs with budgets of faults, compared under one network: what tests and soaks share. */
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import { dporProblem, smallest, truthOf } from './agreement.ts'
import { type ExploreOptions, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import type { SoakOptions } from './soak.ts'
import type { ProgramText } from './text.ts'

export interface FaultTally {
  programs: number
  compared: number
  dropped: number
  executions: number
  /** Programs that have more executions with their faults than without. */
  struck: number
}

export function newFaultTally(): FaultTally {
  return { programs: 0, compared: 0, dropped: 0, executions: 0, struck: 0 }
}

/** Interleavings beyond which a program is left out; faults multiply them. */
const cap = 3_000

/** What dpor gets wrong about the program of a seed, with the smallest such program, or nothing. */
export function compareFaults(seed: number, network: NetworkName, tally: FaultTally): string | undefined {
  const text = generate(seed, { mixed: seed % 4 === 0, monitors: true, changing: true, faults: true })
  const problemOf = (candidate: ProgramText): string | undefined => {
    const truth = truthOf(candidate, network, cap)
    return truth && dporProblem(candidate, network, truth, somehow(seed))
  }
  const truth = truthOf(text, network, cap)
  if (truth === undefined) {
    tally.dropped++
    return undefined
  }
  tally.compared++
  tally.executions += truth.classes.size
  const faultless = truthOf({ ...text, faults: undefined }, network, cap)
  if (faultless !== undefined && faultless.classes.size < truth.classes.size) tally.struck++
  const problem = dporProblem(text, network, truth, somehow(seed))
  return problem === undefined ? undefined : smallest(text, network, problemOf)
}

/** Another schedule, another way to split the search and another amount of memory for every program. */
function somehow(seed: number): ExploreOptions {
  const random = new Random(seed)
  const schedule = random.pick<DporOptions['schedule']>(['sends-first', 'left-to-right', 'right-to-left', 'random'])
  const asked = random.pick(['share', 'surrender', undefined, undefined] as const)
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

/** Yields after every program; returns the text of a disagreement, if there is one. */
export function* soakFaults({ programs, seed }: SoakOptions): Generator<FaultTally, string | undefined> {
  const tally = newFaultTally()
  for (; tally.programs < programs; tally.programs++) {
    const draw = seed * 10_000_019 + tally.programs
    for (const network of networkNames) {
      const problem = compareFaults(draw, network, tally)
      if (problem !== undefined) return problem
    }
    yield tally
  }
  return undefined
}
