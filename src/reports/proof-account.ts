/** Verdicts for every number of processes in words. */
import { type BoundedSearch, type Confirmation, evidenceOf, type ProofEvidence } from '../core/evidence.ts'
import type { Params } from '../core/setting.ts'
import type { BudgetName, Scope, Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { budgetWords, counted, number, stoppedBy } from './count-words.ts'
import type { Reported } from './result.ts'

export const proofAccount: Account = {
  sentence,
  subject: ({ program }, { dash }) => `${program} ${dash} `,
  facts,
  coverage: () => [],
}

function sentence(verdict: Verdict): string {
  const { kind, scope, evidence } = verdict
  const sizes = sizeWords(scope)
  const [proof] = evidenceOf(evidence, 'proof')
  if (kind === 'proved') {
    const claimed = sizes === '' ? ' as it is, with no claim for other numbers of processes' : sizes
    return `no process waits for ever and none fails,${claimed}; ${confirmedWords(proof?.confirmed)}`
  }
  if (proof === undefined)
    return `neither proved nor violated${sizes}${kind === 'incomplete' ? stoppedBy(verdict.because) : ''}`
  const why = whyNot(proof, sizes)
  return proof.bounded === undefined ? why : `${why}; ${boundedWords(proof.bounded)}`
}

function whyNot({ refused = [], notCanonical, confirmed }: ProofEvidence, sizes: string): string {
  if (refused.length > 0) return `neither proved nor violated${sizes}: outside what prove reads (${refused.join(', ')})`
  if (notCanonical !== undefined) return `neither proved nor violated${sizes}: not canonical (${notCanonical.reason})`
  if (confirmed === undefined) return `only assertions over data are left to be proved${sizes}`
  const { violated } = confirmed
  return `neither proved nor violated${sizes}: ${violated === undefined ? 'a proof was not confirmed' : `the program is violated${hasNone(violated) ? '' : ` with ${rangeWords([violated])}`}`}`
}

/** 'confirmed by execution for clients = 0 to 3' */
function confirmedWords(confirmed: Confirmation | undefined): string {
  const { sizes = [], unfinished = [], because, partly } = confirmed ?? {}
  if (partly !== undefined) {
    const of = hasNone(partly.sizes) ? 'it has more' : `${rangeWords([partly.sizes])} has more`
    return `confirmed by its first ${counted(partly.executions, 'execution')} alone: ${of}`
  }
  if (sizes.length === 0)
    return `not confirmed by execution${because === undefined ? '' : ` (${unconfirmedWords(because)})`}`
  return hasNone(sizes[0]) ? 'confirmed by execution' : `confirmed by execution for ${sizesWords(sizes, unfinished)}`
}

/** How many executions a confirmation takes is not the user's to say. */
function unconfirmedWords(because: BudgetName): string {
  return because === 'executions' ? 'it has too many executions' : budgetWords[because]
}

/** ' for every clients ≥ 0 and every work ≥ 1'; nothing without sizes. */
function sizeWords({ sizes = {} }: Scope): string {
  const each = Object.entries(sizes).map(([name, least]) => `every ${name} ≥ ${least}`)
  return each.length === 0 ? '' : ` for ${each.join(' and ')}`
}

/** 'no violation in 10 executions of clients = 0 to 3', and what was not finished. */
function boundedWords({ sizes, executions, unfinished, because }: BoundedSearch): string {
  const ended = because === undefined ? '' : `: stopped by ${budgetWords[because]}`
  const isOne = hasNone(sizes[0] ?? unfinished[0])
  if (sizes.length === 0) return `${isOne ? 'it was not' : 'no sizes were'} explored to the end${ended}`
  if (isOne)
    return `no violation in ${executions === 1 ? 'its only execution' : `all its ${counted(executions, 'execution')}`}`
  const found = `no violation in ${counted(executions, 'execution')} of ${sizesWords(sizes, unfinished)}`
  return unfinished.length === 0 ? found : `${found}${ended}`
}

function hasNone(sizes: Params | undefined): boolean {
  return Object.keys(sizes ?? {}).length === 0
}

/** 'clients = 0 to 3', or '2 of the 4 sizes clients = 0 to 3' if the others were not finished. */
function sizesWords(sizes: readonly Params[], unfinished: readonly Params[]): string {
  const tried = rangeWords([...sizes, ...unfinished])
  if (unfinished.length === 0) return tried
  const noun = Object.keys(sizes[0] ?? {}).length === 1 ? 'size' : 'combination'
  return `${number(sizes.length)} of the ${counted(sizes.length + unfinished.length, noun)} ${tried}`
}

/** 'mappers = 1 to 3 and work = 0 to 3' */
function rangeWords(tried: readonly Params[]): string {
  const names = Object.keys(tried[0] ?? {})
  return names
    .map((name) => {
      const values = tried.map((params) => Number(params[name]))
      const [least, most] = [Math.min(...values), Math.max(...values)]
      return `${name} = ${least === most ? least : `${least} to ${most}`}`
    })
    .join(' and ')
}

function facts({ file, verdict: { kind, scope, counts } }: Reported): readonly string[] {
  return [file, scope.engine, ...(kind === 'proved' ? [`a proof of ${counted(counts.steps ?? 0, 'step')}`] : [])]
}
