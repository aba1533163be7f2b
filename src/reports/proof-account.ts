/** Verdicts for every number of processes in words. */
import { type BoundedSearch, evidenceOf } from '../core/evidence.ts'
import type { Params } from '../core/setting.ts'
import type { Scope, Verdict } from '../core/verdict.ts'
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
  if (kind === 'proved') return `no process waits for ever and none fails, ${sizes}`
  const [proof] = evidenceOf(evidence, 'proof')
  if (proof === undefined)
    return `neither proved nor violated ${sizes}${kind === 'incomplete' ? stoppedBy(verdict.because) : ''}`
  const why =
    proof.notCanonical === undefined
      ? `only assertions over data are left to be proved ${sizes}`
      : `neither proved nor violated ${sizes}: not canonical (${proof.notCanonical.reason})`
  return proof.bounded === undefined ? why : `${why}; ${boundedWords(proof.bounded)}`
}

/** 'for every clients ≥ 0 and every work ≥ 1' */
function sizeWords({ sizes = {} }: Scope): string {
  const each = Object.entries(sizes).map(([name, least]) => `every ${name} ≥ ${least}`)
  return each.length === 0 ? 'for the one size it has' : `for ${each.join(' and ')}`
}

/** 'no violation in 10 executions of clients = 0 to 3', and what was not finished. */
function boundedWords({ sizes, executions, unfinished, because }: BoundedSearch): string {
  const ended = because === undefined ? '' : `: stopped by ${budgetWords[because]}`
  if (sizes.length === 0) return `no sizes were explored to the end${ended}`
  const found = `no violation in ${counted(executions, 'execution')} of`
  const tried = rangeWords([...sizes, ...unfinished])
  const many = sizes.length + unfinished.length
  if (unfinished.length === 0) return `${found} ${tried}`
  return `${found} ${number(sizes.length)} of the ${counted(many, Object.keys(sizes[0] ?? {}).length === 1 ? 'size' : 'combination')} ${tried}${ended}`
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
