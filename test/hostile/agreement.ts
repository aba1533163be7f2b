/** Generated hostile programs: what prove says of each against check at its smallest sizes. */
import { programText, type Sketch, sketch, smaller } from './generate.ts'
import { type Judged, type JudgeOptions, judged, needsSolver } from './judge.ts'
import { loaded } from './loaded.ts'

export interface HostileTally {
  programs: number
  proved: number
  violated: number
  incomplete: number
  refused: number
  /** What was left to the solver, most of which it is not asked. */
  solver: number
  /** By code. */
  readonly codes: { [code: string]: number }
}

export interface Disagreement {
  readonly seed: number
  readonly problem: string
  /** The smallest program found that shows it. */
  readonly text: string
}

/** Yields after every program; returns the text of a disagreement, if there is one. */
export async function* soakHostile({
  programs,
  seed,
}: {
  readonly programs: number
  readonly seed: number
}): AsyncGenerator<HostileTally, string | undefined> {
  const tally = newTally()
  // Far apart, so that soaks with neighbouring seeds draw different programs.
  for (let draw = seed * 10_000_019; tally.programs < programs; draw++) {
    const found = await compare(draw, tally)
    if (found !== undefined) return `seed ${found.seed}: ${found.problem}\n${found.text}`
    yield tally
  }
  return undefined
}

/** One in so many programs is seen through by the solver, if it comes to that. */
const solved = 128

export function newTally(): HostileTally {
  return { programs: 0, proved: 0, violated: 0, incomplete: 0, refused: 0, solver: 0, codes: {} }
}

const options: JudgeOptions = { largest: 3, executions: 60, milliseconds: 600 }

export async function compare(seed: number, tally: HostileTally): Promise<Disagreement | undefined> {
  const one = sketch(seed)
  const text = programText(one)
  if (text === undefined) return undefined
  const program = loaded(text)
  tally.programs++
  if (seed % solved !== 0 && needsSolver(program)) {
    tally.solver++
    return undefined
  }
  const answer = await judged(program, options)
  if (answer.said !== 'failed') tally[answer.said]++
  for (const code of new Set(answer.codes)) tally.codes[code] = (tally.codes[code] ?? 0) + 1
  if (answer.problem === undefined) return undefined
  return await shrunk(one, answer.problem)
}

async function judgedSketch(one: Sketch): Promise<Judged | undefined> {
  const text = programText(one)
  return text === undefined ? undefined : await judged(loaded(text), options)
}

async function shrunk(one: Sketch, problem: string): Promise<Disagreement> {
  for (const candidate of smaller(one)) {
    const answer = await judgedSketch(candidate).catch(() => undefined)
    if (answer?.problem !== undefined) return await shrunk(candidate, answer.problem)
  }
  return { seed: one.seed, problem, text: programText(one) ?? '' }
}
