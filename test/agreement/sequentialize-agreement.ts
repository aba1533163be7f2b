/**
 * Proofs against exploration: what `sequentialize` proves for every size must be what dpor finds for all small ones, no deadlock,
 * no failure, no message left over, and no other values at the end; and the kernel must accept every proof, also after it has been written down and read.
 */
import { Random } from '../../src/core/random.ts'
import { checkProof } from '../../src/engines/sequentialize/kernel.ts'
import type { Proof } from '../../src/engines/sequentialize/proof.ts'
import { type Sequentialization, sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import type { State } from '../../src/engines/sequentialize/state.ts'
import { expressionsOf, type Icet, partsOf, statementsById, statementsOf } from '../../src/program/icet.ts'
import { endOfProof, haltsAsProved } from './halting.ts'
import { boundedCheck, hashedMeaning, problemIn, type Sizes, sizesUpTo } from './icet-bounded.ts'
import { generateIcet } from './icet-generate.ts'
import { mutated, onBlocks } from './icet-mutate.ts'
import { printIcet } from './icet-print.ts'
import { shrinkIcet } from './icet-shrink.ts'

export interface SequentializeTally {
  programs: number
  proved: number
  /** Sizes of proved programs that dpor explored to the end, and those it left out as too large. */
  explored: number
  skipped: number
  /** Programs of which nothing could be explored, because executions do not end. */
  endless: number
}

export function newSequentializeTally(): SequentializeTally {
  return { programs: 0, proved: 0, explored: 0, skipped: 0, endless: 0 }
}

const largest = 3
const usualBudget = 8_000

/** Programs beside each proved one that are compared too: where a small change makes a proof wrong, it may go unnoticed. */
const neighbours = 3

/**
 * Compares the program of a seed and, if it is proved, programs that differ from it in one place; the text of a disagreement,
 * made as small as possible, if there is one.
 */
export function compareSequentialize(seed: number, tally: SequentializeTally): string | undefined {
  const icet = generateIcet(seed)
  const before = tally.proved
  const problem = compareIcet(icet, tally)
  if (problem !== undefined || tally.proved === before) return problem
  const random = new Random(seed)
  for (let left = neighbours; left > 0; left--) {
    const beside = mutated({ ...icet, name: `beside ${seed}, ${left}` }, random)
    const found = compareIcet(beside, tally)
    if (found !== undefined) return found
  }
  return undefined
}

export function compareIcet(icet: Icet, tally: SequentializeTally): string | undefined {
  tally.programs++
  const found = disagreementOn(icet, tally)
  if (found === undefined) return undefined
  // The same kind of disagreement: on the way down others turn up that are easier to have.
  const small = shrinkIcet(icet, (smaller) => disagreementOn(smaller, newSequentializeTally())?.kind === found.kind)
  const { text } = disagreementOn(small, newSequentializeTally()) ?? found
  return `${icet.name}: ${text}\n\n${printIcet(small)}`
}

/** Yields after every program; returns the text of a disagreement, if there is one. */
export function* soakSequentialize(options: {
  readonly programs: number
  readonly seed: number
}): Generator<SequentializeTally, string | undefined> {
  const tally = newSequentializeTally()
  for (let drawn = 0; drawn < options.programs; drawn++) {
    // Far apart, so that soaks with neighbouring seeds draw different programs.
    const problem = compareSequentialize(options.seed * 10_000_019 + drawn, tally)
    if (problem !== undefined) return problem
    yield tally
  }
  return undefined
}

interface Disagreement {
  readonly kind: string
  readonly text: string
}

function disagreementOn(icet: Icet, tally: SequentializeTally): Disagreement | undefined {
  const found = answered(icet)
  if (found instanceof Error) return { kind: 'breaks', text: `the engine breaks: ${found.stack}` }
  if (found.kind === 'not canonical') return undefined
  if (found.kind === 'proved') tally.proved++
  const refused = checkProof(icet, JSON.parse(JSON.stringify(found.proof)) as Proof)
  if (refused !== undefined) return { kind: 'refused', text: `the kernel refuses the proof: ${refused}` }
  // Where a proof ends it takes the assertions that are left for true.
  const { problem, explored, skipped, endless } =
    found.kind === 'proved'
      ? explore(icet, { ended: endOfProof(icet, found.proof) })
      : explore(without(found.obligations, icet))
  tally.explored += explored
  tally.skipped += skipped
  if (endless) tally.endless++
  if (problem === undefined) return undefined
  const kind = problem.text.slice(0, problem.text.indexOf(':'))
  if (isLeft(icet, found, problem.text)) return undefined
  return { kind, text: `proved, but for ${JSON.stringify(problem.sizes)} ${problem.text}` }
}

function answered(icet: Icet): Sequentialization | Error {
  try {
    return sequentialize(icet)
  } catch (error) {
    return error as Error
  }
}

/** Assertions that are left to show are not claimed; everything else is. Where a failure is left, nothing that follows it is. */
function without(obligations: readonly { readonly statement: number }[], icet: Icet): Icet {
  const open = new Set(obligations.map(({ statement }) => statement))
  return onBlocks(icet, (block) => block.filter(({ id, kind }) => kind === 'fail' || !open.has(id)))
}

/** Whether an execution that fails is one that nothing is claimed of, as a failure is left to show. */
function isLeft(icet: Icet, found: Sequentialization, problem: string): boolean {
  if (found.kind !== 'assertions left' || !problem.startsWith('fails: ')) return false
  const statements = statementsById(icet)
  return found.obligations.some(({ statement }) => {
    const left = statements.get(statement)
    return left?.kind === 'fail' && problem.endsWith(`: ${left.message}`)
  })
}

export interface SmallSizes {
  readonly problem: { readonly sizes: Sizes; readonly text: string } | undefined
  readonly explored: number
  readonly skipped: number
  readonly endless: boolean
}

export interface ExploreSizes {
  /** Sizes of each parameter that are explored, and events per size. */
  readonly most?: number
  readonly budget?: number
  /** What is claimed of variables where executions end. */
  readonly ended?: State
}

/** What is true of the program for small sizes, up to the first problem; smaller sizes first. */
export function explore(icet: Icet, options: ExploreSizes = {}): SmallSizes {
  const { most = largest, budget = usualBudget, ended } = options
  const tooLarge: Sizes[] = []
  let [explored, skipped] = [0, 0]
  const meanings = hasOpaqueParts(icet) ? [hashedMeaning(0), hashedMeaning(1), hashedMeaning(2)] : [hashedMeaning(0)]
  for (const sizes of [...sizesUpTo(icet, most)].sort((left, right) => total(left) - total(right))) {
    // What is too large stays so when more is added.
    if (tooLarge.some((smaller) => Object.keys(sizes).every((name) => (sizes[name] ?? 0) >= (smaller[name] ?? 0)))) {
      skipped++
      continue
    }
    for (const meaning of meanings) {
      const properties = ended === undefined ? [] : [haltsAsProved(ended, { sizes, meaning })]
      const found = boundedCheck(icet, sizes, { first: true, budget, meaning, properties })
      const text = problemIn(found)
      if (text !== undefined) return { problem: { sizes, text }, explored, skipped, endless: false }
      if (found.stopped === undefined) explored++
      else if (found.stopped === 'budget') tooLarge.push(sizes)
      else return { problem: undefined, explored, skipped, endless: true }
    }
  }
  return { problem: undefined, explored, skipped: skipped + tooLarge.length, endless: false }
}

function total(sizes: Sizes): number {
  return Object.values(sizes).reduce((sum, size) => sum + size, 0)
}

function hasOpaqueParts(icet: Icet): boolean {
  return icet.processes.some(({ body }) =>
    [...statementsOf(body)].some((statement) =>
      expressionsOf(statement).some((expression) => [...partsOf(expression)].some(({ kind }) => kind === 'opaque')),
    ),
  )
}

/** How much of what is safe, as far as can be told, is also proved. */
export interface Completeness {
  readonly programs: number
  /** Safe for all sizes up to 4 that could be explored. */
  readonly safe: number
  readonly proved: number
  /** Why the others of the safe ones are not proved. */
  readonly refusals: ReadonlyMap<string, number>
  /** Seeds of the programs that are safe and not proved, and of those that are proved and not safe. */
  readonly missed: readonly number[]
  readonly unsound: readonly number[]
}

/** Of the programs of seeds `first`, `first + 1`, …. */
export function completeness(first: number, programs: number): Completeness {
  const [missed, unsound, refusals] = [[] as number[], [] as number[], new Map<string, number>()]
  let safe = 0
  for (let seed = first; seed < first + programs; seed++) {
    const icet = generateIcet(seed)
    const answer = sequentialize(icet)
    const { problem, endless } = explore(icet, { most: 4 })
    if (problem !== undefined && answer.kind === 'proved') unsound.push(seed)
    if (problem !== undefined || endless) continue
    safe++
    if (answer.kind === 'proved') continue
    missed.push(seed)
    const reason = answer.kind === 'not canonical' ? answer.reason : answer.kind
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
  }
  return { programs, safe, proved: safe - missed.length, refusals, missed, unsound }
}
