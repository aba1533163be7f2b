/** All mutants of the extractor: `npm run soak -- --what extractor`. */
import { createHash } from 'node:crypto'
import { equivalent } from './equivalent.ts'
import { open } from './open.ts'
import type { Mutant } from './operators.ts'
import { MutationRun, type Outcome } from './run.ts'

interface Row {
  mutants: number
  caught: number
  equivalent: number
  open: number
}

export interface ExtractorTally {
  mutants: number
  caught: number
  equivalent: number
  /** Listed as not told apart yet. */
  open: number
  survived: number
  /** Caught by a proof that a program does not have, by what its executions say of the term. */
  readonly proofs: { [executed: string]: number }
  readonly operators: { [operator: string]: Row }
}

/** Yields after every mutant; returns those that survive, and what is listed as equivalent and is not. */
export async function* soakExtractor({
  programs,
  seed,
  root,
}: {
  readonly programs: number
  readonly seed: number
  readonly root: string
}): AsyncGenerator<ExtractorTally, string | undefined> {
  const run = new MutationRun(root)
  const tally = newTally()
  const problems = notThere(run.mutants)
  for (const mutant of drawn(run.mutants, seed).slice(0, programs)) {
    problems.push(...noted(await run.outcomeOf(mutant), tally))
    yield tally
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** What is listed of mutants that are gone. */
export function notThere(mutants: readonly Mutant[]): string[] {
  const names = new Set(mutants.map(({ name }) => name))
  return [...Object.keys(equivalent), ...open]
    .filter((name) => !names.has(name))
    .map((name) => `listed, but there is no such mutant: ${name}`)
}

export function newTally(): ExtractorTally {
  return { mutants: 0, caught: 0, equivalent: 0, open: 0, survived: 0, proofs: {}, operators: {} }
}

/** In an order of the seed's own, in which a mutant keeps its place whatever becomes of the others. */
export function drawn(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  const rank = ({ name }: Mutant) => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) }))
  return ranked.toSorted((left, right) => (left.rank < right.rank ? -1 : 1)).map(({ mutant }) => mutant)
}

/** Counts the outcome; what is wrong with it, if something is. */
export function noted({ mutant, caught, reached }: Outcome, tally: ExtractorTally): readonly string[] {
  const { name, operator, line, text } = mutant
  const row = tally.operators[operator] ?? { mutants: 0, caught: 0, equivalent: 0, open: 0 }
  tally.operators[operator] = row
  const isSame = equivalent[name] !== undefined
  const isOpen = open.has(name)
  const place = `line ${line}, ${reached === 0 ? 'which no program reaches' : `made ${text}`}`
  row.mutants++
  tally.mutants++
  if (caught !== undefined) {
    row.caught++
    tally.caught++
    const { executed } = caught
    if (executed !== undefined) tally.proofs[executed] = (tally.proofs[executed] ?? 0) + 1
    return isSame || isOpen ? [`listed, but caught by ${caught.by}: ${name}`] : []
  }
  if (isSame || isOpen) {
    const kind = isSame ? 'equivalent' : 'open'
    row[kind]++
    tally[kind]++
    return []
  }
  tally.survived++
  return [`survives: ${name} (${place})`]
}

/** One line for each operator. */
export function tableText({ operators }: ExtractorTally): string {
  const names = Object.keys(operators).sort()
  const rows = names.map((name) => {
    const { mutants = 0, caught = 0, equivalent: same = 0, open: left = 0 } = operators[name] ?? {}
    return [name, mutants, caught, same, left].map(String)
  })
  const lines = [['operator', 'mutants', 'caught', 'equivalent', 'open'], ...rows]
  return lines
    .map(([name = '', ...counts]) => `${name.padEnd(20)}${counts.map((one) => one.padStart(11)).join('')}`)
    .join('\n')
}
