/**
 * The agreement tests without an end: `npm run soak -- --programs 100000 --seed 7`. Every program is compared under every
 * network; one in eight is larger and judged by the declarative oracle. Stops at the first disagreement and prints the program.
 */
import { networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import { declaredProblem, dporProblem, smallest, truthOf } from './agreement.ts'
import { declaredClasses } from './declarative.ts'
import { type ExploreOptions, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import type { ProgramText } from './text.ts'

export interface SoakOptions {
  readonly programs: number
  readonly seed: number
}

export interface Soaked {
  readonly programs: number
  readonly compared: number
  readonly dropped: number
  readonly executions: number
}

/** Yields after every program; returns the text of a disagreement, if there is one. */
export function* soak({ programs, seed }: SoakOptions): Generator<Soaked, string | undefined> {
  const tally = { programs: 0, compared: 0, dropped: 0, executions: 0 }
  for (; tally.programs < programs; tally.programs++) {
    // Far apart, so that soaks with neighbouring seeds draw different programs.
    const draw = seed * 10_000_019 + tally.programs
    const problem = tally.programs % 8 === 7 ? compareLarge(draw, tally) : compareSmall(draw, tally)
    if (problem !== undefined) return problem
    yield tally
  }
  return undefined
}

interface Tally {
  compared: number
  dropped: number
  executions: number
}

function compareSmall(draw: number, tally: Tally): string | undefined {
  const text = generate(draw, {
    mixed: draw % 3 === 0,
    monitors: true,
    changing: true,
    anywhere: draw % 5 === 0,
    senders: draw % 2 === 0,
    joins: draw % 4 === 1,
  })
  for (const network of networkNames) {
    const problemOf = (program: ProgramText): string | undefined => {
      const truth = truthOf(program, network)
      if (truth === undefined) tally.dropped++
      else tally.executions += truth.classes.size
      return truth && dporProblem(program, network, truth, somehow(draw))
    }
    tally.compared++
    if (problemOf(text) !== undefined) return smallest(text, network, problemOf)
  }
  return undefined
}

function compareLarge(draw: number, tally: Tally): string | undefined {
  const text = generate(draw, {
    mixed: draw % 3 === 0,
    monitors: false,
    operations: 8 + (draw % 3),
    senders: draw % 2 === 0,
    joins: draw % 4 === 3,
  })
  for (const network of networkNames) {
    const problemOf = (program: ProgramText): string | undefined => {
      const declared = declaredClasses(program, network)
      if (declared === undefined) tally.dropped++
      else tally.executions += declared.size
      return declared && declaredProblem(program, network, declared)
    }
    tally.compared++
    if (problemOf(text) !== undefined) return smallest(text, network, problemOf)
  }
  return undefined
}

/** Another schedule and another way to split the search for every program. */
function somehow(draw: number): ExploreOptions {
  const random = new Random(draw)
  const schedule = random.pick<DporOptions['schedule']>(['sends-first', 'left-to-right', 'right-to-left', 'random'])
  const asked = random.pick(['share', 'surrender', undefined] as const)
  const split = new Random(draw + 1)
  return {
    setting: { ...usualSetting, schedule, seed: draw },
    request: () => (split.below(3) === 0 ? asked : undefined),
  }
}
