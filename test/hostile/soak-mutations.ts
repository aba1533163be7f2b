/** Calls of every verb and of the public API with mistakes in them, as many as asked for: `npm run soak -- --what mutations`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../src/core/random.ts'
import { classOutcome } from './class-calls.ts'
import { typedMistake, typedOutcome } from './command-line.ts'
import { mutation, type Outcome, outcomeOf } from './mutations.ts'

/** What was asked, and how it was answered. */
export interface Answered {
  readonly source: string
  readonly outcome: Outcome
}

/** One in so many is a command line, and one a class in a file: both take longer. */
const seldom = 20

export async function answered(seed: number, folder: string): Promise<Answered> {
  if (seed % seldom === 1) {
    const typed = typedMistake(new Random(seed))
    return { source: `allways ${typed.argv.join(' ')}`, outcome: await typedOutcome(typed, join(folder, 'traces')) }
  }
  if (seed % seldom === 2) {
    const outcome = await classOutcome(new Random(seed), folder)
    return { source: outcome.source, outcome }
  }
  const one = mutation(seed)
  return { source: one.source, outcome: await outcomeOf(one) }
}

export interface MutationTally {
  programs: number
  refused: number
  verified: number
  violated: number
  incomplete: number
}

/** Yields after every call; returns the text of the first that is answered badly, if there is one. */
export async function* soakMutations({
  programs,
  seed,
}: {
  readonly programs: number
  readonly seed: number
}): AsyncGenerator<MutationTally, string | undefined> {
  const tally = { programs: 0, refused: 0, verified: 0, violated: 0, incomplete: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'allways-mutations-'))
  try {
    for (let draw = seed * 10_000_019; tally.programs < programs; draw++) {
      const { source, outcome } = await answered(draw, folder)
      tally.programs++
      tally[outcome.said]++
      if (outcome.problem !== undefined)
        return `seed ${draw}: ${outcome.problem.kind} (${outcome.problem.words})\n${source}`
      yield tally
    }
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
